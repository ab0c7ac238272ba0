//! A request as it goes on, for whoever made it: server-sent events until it has its result.

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

/// How long one stream lasts. Whoever still wants to know asks again, and whoever has no account any more is told
/// nothing further.
const LASTS: Duration = Duration::from_secs(300);
/// How often a request is looked at in the beginning, when most are decided.
const OFTEN: Duration = Duration::from_millis(250);
/// How often it is looked at when it takes longer.
const SELDOM: Duration = Duration::from_secs(2);
/// How many looks are the beginning.
const BEGINNING: u32 = 40;

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

/// The request, and then each change of it.
fn steps(entries: Entries, caller: Caller, first: Request) -> impl Stream<Item = Event> {
    let begin = (Some(first), None::<Request>, 0);
    stream::unfold((entries, caller, begin), async |(entries, caller, (first, told, mut looks))| {
        if let Some(first) = first {
            let event = told_as("status", &ShownRequest::from(first.clone()));
            return Some((event, (entries, caller, (None, Some(first), looks))));
        }
        let told = told.filter(|told| !told.status.is_final())?;
        loop {
            sleep(if looks < BEGINNING { OFTEN } else { SELDOM }).await;
            looks = looks.saturating_add(1);
            match entries.own(&caller, &told.id).await {
                Ok(now) if now.status != told.status => {
                    let event = told_as("status", &ShownRequest::from(now.clone()));
                    return Some((event, (entries, caller, (None, Some(now), looks))));
                }
                Ok(_) => {}
                // Its time is over, and so is this.
                Err(error) if error.kind == ErrorKind::NotFound => return None,
                Err(error) => tracing::debug!(%error, "a request is looked at again later"),
            }
        }
    })
}

/// A stream that ends by itself after a while, and with the server.
pub(super) fn until_over(app: &App, events: impl Stream<Item = Event> + Send + 'static) -> Response {
    let app = app.clone();
    let over = async move {
        tokio::select! {
            () = app.stopping() => {}
            () = sleep(LASTS) => {}
        }
    };
    let events = events.map(Ok::<_, Infallible>).take_until(Box::pin(over));
    (Extension(Endless), Sse::new(events).keep_alive(KeepAlive::default())).into_response()
}

/// An event of this name.
pub(super) fn told_as(name: &str, data: &impl Serialize) -> Event {
    let data = serde_json::to_string(data).unwrap_or_default();
    Event::default().event(name).data(data)
}

/// An answer that goes on.
pub(super) fn stream_answer(description: Message) -> Described {
    Described::new(
        description,
        json!({ "content": { "text/event-stream": { "schema": { "type": "string" } } } }),
    )
}
