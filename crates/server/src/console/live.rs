//! Notifies open pages of changes, as server-sent events.

use std::convert::Infallible;
use std::time::Duration;

use axum::Extension;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::routing::{MethodFilter, on};
use futures_util::{Stream, stream};
use serde_json::json;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Instant, timeout_at};

use super::Console;
use crate::live::Change;
use hansang_http::limits::Endless;
use hansang_http::route::{Needs, Route};
use hansang_ui::frame::View;

/// The maximum duration of a stream. The browser then reconnects, and the permissions are checked again.
const MAX_DURATION: Duration = Duration::from_secs(300);

pub(super) fn route(console: &Console) -> Route {
    let console = console.clone();
    let handler = on(MethodFilter::GET, async move |view: View| {
        (Extension(Endless), Sse::new(news(&console, view)).keep_alive(KeepAlive::default()))
    });
    Route { streams: true, ..Route::page("/console/live", Needs::SignedIn, handler) }
}

/// The changes of the systems that the visitor may read.
fn news(console: &Console, view: View) -> impl Stream<Item = Result<Event, Infallible>> + use<> {
    let first = (console.app.live().listen(), console.clone(), view, Instant::now() + MAX_DURATION);
    stream::unfold(first, async |(listener, console, view, end)| {
        let mut listener = listener?;
        loop {
            let change = match timeout_at(end, listener.recv()).await.ok()? {
                Ok(change) => change,
                // A slow client misses some: the page counts changes and does not need each.
                Err(RecvError::Lagged(_)) => continue,
                Err(RecvError::Closed) => return None,
            };
            if view.role_in(&change.system).is_some() {
                let data = json!({
                    "system": change.system, "entities": change.entities, "text": text(&console, &view, &change),
                });
                let event = Event::default().event("change").data(data.to_string());
                return Some((Ok(event), (Some(listener), console, view, end)));
            }
        }
    })
}

/// A change in words: what was changed, at which time of the visitor's day.
fn text(console: &Console, view: &View, change: &Change) -> String {
    let model = console.models().find(|model| *model.name == *change.system);
    let title = |name: &String| Some(model?.entity(name)?.plural_in(view.language).into_owned());
    let titles: Vec<String> = change.entities.iter().flatten().filter_map(title).collect();
    let text = match titles.is_empty() {
        true => view.fill("Latest change: {0}", "최근 변경: {0}"),
        false => view.fill("Latest change: {0} · {1}", "최근 변경: {0} · {1}"),
    };
    text.with(view.reader.clock(change.at)).with(titles.join(", ")).to_string()
}
