//! Search over everything that documents of a project say.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use hansang_access::Role;
use hansang_http::input::PathKey;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ui::address;
use hansang_ui::form::Problems;
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::page::Pager;

use super::answers::{self, Found};
use super::project::{self, Head};
use super::{Pages, START};

/// The number of results of a page.
const ROWS: usize = 20;

#[derive(Template)]
#[template(path = "documents/search.html")]
struct SearchPage {
    frame: Frame,
    head: Head,
    text: String,
    results: Vec<Found>,
    total: usize,
    pages: Pager,
    problems: Problems,
}

pub(super) fn route(pages: &Pages) -> Route {
    let shows = pages.clone();
    let search = on(MethodFilter::GET, async move |view: View, key: PathKey| {
        show(&shows, view, &key.text("project")).await
    });
    Route::page(&format!("{START}/projects/{{project}}/search"), pages.needs(Role::Viewer), search)
}

async fn show(pages: &Pages, view: View, project_id: &str) -> Result<Response, Problem> {
    let head = project::head(pages, &view, project_id).await?;
    let asked = view.asked();
    let text = asked.text("q").trim().to_owned();
    let number = asked.text("page").parse::<usize>().unwrap_or(1).clamp(1, 50);
    let (mut results, mut total, mut problems, mut status) =
        (Vec::new(), 0, Problems::default(), StatusCode::OK);
    if !text.is_empty() {
        let found = answers::search(pages, &view, project_id, &text, (ROWS, (number - 1) * ROWS)).await;
        match found {
            Ok(found) => (results, total) = found,
            Err(error) => {
                let problem = Problem::from(error);
                problems = Problems::of_error(&problem, &[], view.language);
                status = problem.status;
            }
        }
    }
    let at = |number: usize| address::with(&view.here, &[("page", &number.to_string())]);
    let pager = Pager {
        previous: (number > 1).then(|| at(number - 1)),
        next: (number * ROWS < total).then(|| at(number + 1)),
    };
    let title = view.fill("Search in {0}", "{0}에서 검색").with(&head.name).to_string();
    let shown =
        SearchPage { text, results, total, pages: pager, problems, frame: pages.frame(view, &title), head };
    Ok(page(status, &shown))
}
