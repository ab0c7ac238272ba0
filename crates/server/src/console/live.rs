//! News of changes, as they happen, for the pages that are open.

use std::convert::Infallible;

use axum::response::sse::{Event, KeepAlive, Sse};
use axum::routing::{MethodFilter, on};
use futures_util::{Stream, stream};
use serde_json::json;
use tokio::sync::broadcast::error::RecvError;

use super::Console;
use super::frame::View;
use crate::route::{Needs, Route};

pub(super) fn route(console: &Console) -> Route {
    let console = console.clone();
    let handler = on(MethodFilter::GET, async move |view: View| {
        Sse::new(news(&console, view)).keep_alive(KeepAlive::default())
    });
    Route { streams: true, ..Route::page("/console/live", Needs::SignedIn, handler) }
}

/// The changes of the systems that the visitor may look into.
fn news(console: &Console, view: View) -> impl Stream<Item = Result<Event, Infallible>> + use<> {
    let listener = console.app.live().listen();
    stream::unfold((listener, view), async |(mut listener, view)| {
        loop {
            let change = match listener.recv().await {
                Ok(change) => change,
                // Whoever is too slow misses some: the page counts changes, it does not need each.
                Err(RecvError::Lagged(_)) => continue,
                Err(RecvError::Closed) => return None,
            };
            if view.role_in(&change.system).is_some() {
                let data = json!({
                    "system": change.system, "operation": change.operation, "at": format!("{:.0}", change.at),
                });
                let event = Event::default().event("change").data(data.to_string());
                return Some((Ok(event), (listener, view)));
            }
        }
    })
}
