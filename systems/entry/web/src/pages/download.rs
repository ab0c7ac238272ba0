//! The requests of an event as a CSV file, streamed page by page.

use axum::body::Body;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodFilter, on};
use bytes::Bytes;
use futures_util::{StreamExt as _, stream};
use hansang_core::Error;
use hansang_core::db::Ask;
use hansang_core::read::MAX_PAGE;
use hansang_entry::{Request, ResultCode, Status};

use super::requests::{read, state};
use super::{PART, Pages, START};
use hansang_access::Role;
use hansang_http::input::PathKey;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_server::csv::{Cell, push_line};
use hansang_ui::frame::View;

/// The columns, named as in the API.
const COLUMNS: [&str; 8] =
    ["requestId", "user", "userId", "status", "resultCode", "requestedAt", "queuedAt", "finishedAt"];

pub(super) fn route(entries: &Pages) -> Route {
    let needs = entries.needs(Role::Viewer);
    let entries = entries.clone();
    let handler = on(MethodFilter::GET, async move |view: View, key: PathKey| {
        download(&entries, &view, key.text("id")).await
    });
    Route { streams: true, ..Route::page(&format!("{START}/board/{{id}}/download"), needs, handler) }
}

async fn download(entries: &Pages, view: &View, id: String) -> Result<Response, Problem> {
    entries.event(&id).await?;
    let wanted = state(view);
    let name = percent_encoding::utf8_percent_encode(&id, PART).to_string();
    let kind = wanted.map_or("entries", |status| match status {
        Status::Succeeded => "winners",
        _ => "entries",
    });
    // The first page is read before the response begins, so that an error has its status.
    let (first, next) = lines(entries, &id, wanted, None).await?;
    let mut head = String::from('\u{feff}');
    push_line(&mut head, COLUMNS.map(Cell::Exact));
    let rest = pages(entries.clone(), id, wanted, next);
    let body = Body::from_stream(stream::iter([Ok(Bytes::from(head + &first))]).chain(rest));
    let file = format!("attachment; filename=\"{name}-{kind}.csv\"");
    let headers =
        [(header::CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()), (header::CONTENT_DISPOSITION, file)];
    Ok((headers, body).into_response())
}

fn pages(
    entries: Pages,
    id: String,
    wanted: Option<Status>,
    next: Option<String>,
) -> impl stream::Stream<Item = Result<Bytes, std::io::Error>> {
    stream::try_unfold(next, move |cursor| {
        let (entries, id) = (entries.clone(), id.clone());
        async move {
            let Some(cursor) = cursor else { return Ok(None) };
            let read = lines(&entries, &id, wanted, Some(cursor)).await;
            let (lines, next) = read.map_err(|error| {
                tracing::error!(%error, "a download broke off");
                std::io::Error::other("the download broke off")
            })?;
            Ok(Some((Bytes::from(lines), next)))
        }
    })
}

/// A page of requests as lines, and the cursor of the next one.
async fn lines(
    entries: &Pages,
    id: &str,
    wanted: Option<Status>,
    cursor: Option<String>,
) -> Result<(String, Option<String>), Error> {
    let ask = Ask { limit: Some(MAX_PAGE), cursor, ..Ask::default() };
    let page = read(entries, id, wanted, ask).await?;
    let people = entries.console.people(page.requests.iter().map(|request| &*request.user_id)).await;
    let mut out = String::new();
    for request in &page.requests {
        push_request(&mut out, request, &people.name(&request.user_id));
    }
    Ok((out, page.next))
}

fn push_request(out: &mut String, request: &Request, who: &str) {
    let time = |at: Option<jiff::Timestamp>| at.map(|at| at.to_string()).unwrap_or_default();
    let times = [Some(request.requested_at), request.queued_at, request.finished_at].map(time);
    let [requested, queued, finished] = &times;
    let cells = [
        Cell::Exact(&request.id),
        Cell::Text(who),
        Cell::Text(&request.user_id),
        Cell::Exact(request.status.name()),
        Cell::Exact(request.result.map(ResultCode::name).unwrap_or_default()),
        Cell::Exact(requested),
        Cell::Exact(queued),
        Cell::Exact(finished),
    ];
    push_line(out, cells);
}
