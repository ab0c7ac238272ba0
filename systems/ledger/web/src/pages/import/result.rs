//! The result of an import, or its progress.

use askama::Template;
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use hansang_http::problem::Problem;
use hansang_ledger::import::ImportView;
use hansang_ui::frame::{Frame, View, page};

use super::super::Pages;
use super::{status_name, steps};

#[derive(Template)]
#[template(path = "ledger/import_result.html")]
struct Done {
    frame: Frame,
    steps: [&'static str; 3],
    import: ImportView,
    status: (&'static str, &'static str),
    is_running: bool,
}

/// Shows an import. A running one is shown again after some seconds.
pub(super) fn show(pages: &Pages, view: View, import: ImportView) -> Result<Response, Problem> {
    let title = view.say("Import", "가져오기").to_owned();
    let frame = pages.frame(view, &title);
    let is_running = !matches!(&*import.status, "done" | "undone");
    let shown = Done {
        steps: steps(&frame.view),
        status: status_name(&frame.view, &import.status),
        is_running,
        import,
        frame,
    };
    let mut response = page(StatusCode::OK, &shown);
    if is_running {
        response.headers_mut().insert("refresh", HeaderValue::from_static("2"));
    }
    Ok(response)
}
