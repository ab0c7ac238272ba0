//! The progress of the caller's request: server-sent events until its result.

use std::convert::Infallible;
use std::time::Duration;

use axum::Extension;
use axum::http::Method;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodFilter, on};
use futures_util::{Stream, StreamExt as _, stream};
use hansang_core::ErrorKind;
use hansang_core::{Message, message};
use hansang_entry::Request;
use serde::Serialize;
use serde_json::json;
use tokio::time::sleep;

use super::output::ShownRequest;
use super::{Entries, Responded};
use crate::messages as api;
use hansang_http::input::{Parameters, PathKey};
use hansang_http::limits::Endless;
use hansang_http::route::{Described, Needs, Route};
use hansang_server::{App, Caller};

/// The maximum duration of a stream. Clients reconnect, which checks their account again.
const MAX_DURATION: Duration = Duration::from_secs(300);
/// The polling interval at the start, when most requests are decided.
const FAST_POLL: Duration = Duration::from_millis(250);
/// The polling interval after the start.
const SLOW_POLL: Duration = Duration::from_secs(2);
/// The number of polls at the start.
const FAST_POLLS: u32 = 40;

impl Entries {
    pub(super) fn follow_route(&self) -> Route {
        let entries = self.clone();
        let summary = message!(api::FOLLOW);
        let path = "requests/{requestId}/live";
        Route {
            answers: vec![(200, stream_answer(message!(api::STATUS_STREAM)))],
            streams: true,
            handler: on(MethodFilter::GET, async move |caller: Caller, key: PathKey, asked: Parameters| {
                entries.answer_follow(caller, &key, asked).await
            }),
            ..self.route(Method::GET, path, "request.live", summary, Needs::SignedIn)
        }
    }

    async fn answer_follow(&self, caller: Caller, key: &PathKey, asked: Parameters) -> Responded {
        asked.finish()?;
        let id = key.text("requestId");
        let first = self.calls.measured("request.live", self.own(&caller, &id)).await?;
        let steps = steps(self.clone(), caller, first);
        Ok(until_over(&self.app, steps))
    }
}

/// Sends the request, and then each change of its status.
fn steps(entries: Entries, caller: Caller, first: Request) -> impl Stream<Item = Event> {
    let begin = (Some(first), None::<Request>, 0);
    stream::unfold((entries, caller, begin), async |(entries, caller, (first, told, mut polls))| {
        if let Some(first) = first {
            let event = told_as("status", &ShownRequest::from(first.clone()));
            return Some((event, (entries, caller, (None, Some(first), polls))));
        }
        let told = told.filter(|told| !told.status.is_final())?;
        loop {
            sleep(if polls < FAST_POLLS { FAST_POLL } else { SLOW_POLL }).await;
            polls = polls.saturating_add(1);
            match entries.own(&caller, &told.id).await {
                Ok(now) if now.status != told.status => {
                    let event = told_as("status", &ShownRequest::from(now.clone()));
                    return Some((event, (entries, caller, (None, Some(now), polls))));
                }
                Ok(_) => {}
                // The request has expired.
                Err(error) if error.kind == ErrorKind::NotFound => return None,
                Err(error) => tracing::debug!(%error, "a request is looked at again later"),
            }
        }
    })
}

/// Ends a stream after its maximum duration, or when the server stops.
pub(super) fn until_over(app: &App, events: impl Stream<Item = Event> + Send + 'static) -> Response {
    let app = app.clone();
    let over = async move {
        tokio::select! {
            () = app.stopping() => {}
            () = sleep(MAX_DURATION) => {}
        }
    };
    let events = events.map(Ok::<_, Infallible>).take_until(Box::pin(over));
    (Extension(Endless), Sse::new(events).keep_alive(KeepAlive::default())).into_response()
}

/// A server-sent event with this name.
pub(super) fn told_as(name: &str, data: &impl Serialize) -> Event {
    let data = serde_json::to_string(data).unwrap_or_default();
    Event::default().event(name).data(data)
}

/// The description of a stream.
pub(super) fn stream_answer(description: Message) -> Described {
    Described::new(
        description,
        json!({ "content": { "text/event-stream": { "schema": { "type": "string" } } } }),
    )
}
