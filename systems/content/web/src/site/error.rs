//! Error pages of the site.

use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use hansang_http::problem::{Problem, no_such_path};
use hansang_http::route::Route;
use serde::Serialize;

use super::visit::{Head, Visit};
use super::{Page, Site};

/// A page with a message.
#[derive(Serialize)]
struct Message {
    status: u16,
    title: String,
    text: String,
}

impl Site {
    /// Every other address below the site.
    pub(super) fn unknown(&self) -> Route {
        self.route("/{*name}", async move |_, visit: Visit, _, _| {
            // A site at the root leaves the paths of the server to it.
            let is_site = !visit.path.starts_with("/api/") && !visit.path.starts_with("/console");
            if is_site { Err(no_such_path()) } else { Ok(no_such_path().into_response()) }
        })
    }

    /// A problem as a page.
    pub(super) async fn refuse(&self, visit: &Visit, problem: &Problem) -> Response {
        let (title, text) = match problem.status.as_u16() {
            404 => (
                visit.say("Page not found", "페이지를 찾을 수 없습니다"),
                visit.say(
                    "The page was moved or deleted, or the address is wrong.",
                    "페이지가 옮겨졌거나 삭제되었습니다. 주소를 다시 확인해 주세요.",
                ),
            ),
            429 | 503 => (
                visit.say("Please try again shortly", "잠시 후 다시 시도해 주세요"),
                visit.say("There are too many requests.", "요청이 많아 처리하지 못했습니다."),
            ),
            500.. => (
                visit.say("Something went wrong", "문제가 발생했습니다"),
                visit.say("Please try again in a moment.", "잠시 후 다시 시도해 주세요."),
            ),
            _ => (
                visit.say("The page cannot be shown", "페이지를 표시할 수 없습니다"),
                visit.say("Please check the address.", "주소를 다시 확인해 주세요."),
            ),
        };
        let head = Head { title: title.to_owned(), kind: "website", ..Head::default() };
        let context =
            Message { status: problem.status.as_u16(), title: title.to_owned(), text: text.to_owned() };
        let page = Page { template: "message.html", head, context, until: None };
        // The store may be down: the page then is a plain text.
        match self.once(visit, problem.status, page).await {
            Ok(mut response) => {
                if let Some(wait) = problem.retry_header() {
                    response.headers_mut().insert(header::RETRY_AFTER, wait);
                }
                response
            }
            Err(_) => (problem.status, format!("{title}. {text}\n")).into_response(),
        }
    }
}
