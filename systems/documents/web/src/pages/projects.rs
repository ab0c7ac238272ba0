//! All projects.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use futures_util::FutureExt as _;
use futures_util::future::try_join_all;
use hansang_access::Role;
use hansang_core::Error;
use hansang_core::db::Ask;
use hansang_documents::{DocumentStatus, Project, ProjectStatus, documents_of_project, query_projects};
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ui::address;
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::page::Pager;
use hansang_ui::time::Moment;

use super::project::{self, color};
use super::{Pages, START};

/// The number of projects of a page.
const ROWS: usize = 24;
/// The number of documents of a project that are counted.
const COUNTED: u32 = 100;

#[derive(Template)]
#[template(path = "documents/projects.html")]
struct ProjectsPage {
    frame: Frame,
    cards: Vec<Card>,
    /// The filters: label, address, whether it is in force.
    choices: Vec<(String, String, bool)>,
    text: String,
    status: &'static str,
    total: usize,
    can_edit: bool,
    is_filtered: bool,
    pages: Pager,
}

/// A project in the list.
struct Card {
    name: String,
    description: String,
    address: String,
    color: Option<String>,
    archived: bool,
    counts: Counts,
    created: Moment,
}

/// The documents of a project, counted among the newest ones.
struct Counts {
    documents: usize,
    /// Whether there are more than were counted.
    more: bool,
    active: usize,
    failed: usize,
}

pub(super) fn route(pages: &Pages) -> Route {
    let shows = pages.clone();
    let list = on(MethodFilter::GET, async move |view: View| show(&shows, view).await);
    Route::page(START, pages.needs(Role::Viewer), list)
}

async fn show(pages: &Pages, view: View) -> Result<Response, Problem> {
    let asked = view.asked();
    let text = asked.text("q").trim().to_owned();
    let status = match asked.text("status") {
        "archived" => "archived",
        "all" => "all",
        _ => "active",
    };
    let all = pages.read("projects", query_projects(pages.documents()).boxed()).await?;
    let wanted = text.to_lowercase();
    let fits = |project: &&Project| {
        let of_status = match status {
            "all" => true,
            "archived" => project.status == ProjectStatus::Archived,
            _ => project.status == ProjectStatus::Active,
        };
        let description = project.text.description.as_deref().unwrap_or_default();
        let found =
            || [&*project.text.name, description].iter().any(|text| text.to_lowercase().contains(&wanted));
        of_status && found()
    };
    let found: Vec<&Project> = all.iter().filter(fits).collect();
    let number = asked.text("page").parse::<usize>().unwrap_or(1).clamp(1, found.len().div_ceil(ROWS).max(1));
    let shown = found.iter().skip((number - 1) * ROWS).take(ROWS);
    let counts = try_join_all(shown.clone().map(|project| count(pages, &project.project_id)));
    let counts = pages.read("projects", counts.boxed()).await?;
    let card = |(project, counts): (&&Project, Counts)| Card {
        name: project.text.name.clone(),
        description: project.text.description.clone().unwrap_or_default(),
        address: project::address(&project.project_id),
        color: color(project),
        archived: project.status == ProjectStatus::Archived,
        counts,
        created: view.time(project.created_at),
    };
    let cards = shown.zip(counts).map(card).collect();
    let choice = |value: &str, label: &str| {
        let address = address::with(&view.here, &[("status", value), ("page", "")]);
        let shown = if value.is_empty() { "active" } else { value };
        (label.to_owned(), address, shown == status)
    };
    let choices = vec![
        choice("", view.say("In use", "사용 중")),
        choice("archived", view.say("Archived", "보관됨")),
        choice("all", view.say("All", "전체")),
    ];
    let at = |number: usize| address::with(&view.here, &[("page", &number.to_string())]);
    let pager = Pager {
        previous: (number > 1).then(|| at(number - 1)),
        next: (number * ROWS < found.len()).then(|| at(number + 1)),
    };
    let title = view.say("Projects", "프로젝트").to_owned();
    let shown = ProjectsPage {
        cards,
        choices,
        is_filtered: !text.is_empty() || status != "active",
        text,
        status,
        total: all.len(),
        can_edit: pages.is_editor(&view),
        pages: pager,
        frame: pages.frame(view, &title),
    };
    Ok(page(StatusCode::OK, &shown))
}

async fn count(pages: &Pages, project_id: &str) -> Result<Counts, Error> {
    let ask = Ask { limit: Some(COUNTED), ..Ask::default() };
    let found = documents_of_project(pages.documents(), project_id, ask).await?;
    let of = |fits: fn(DocumentStatus) -> bool| found.items.iter().filter(|one| fits(one.status)).count();
    Ok(Counts {
        documents: found.items.len(),
        more: found.next.is_some(),
        active: of(DocumentStatus::is_active),
        failed: of(|status| status == DocumentStatus::Failed),
    })
}
