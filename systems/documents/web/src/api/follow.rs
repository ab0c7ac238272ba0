//! The progress of a project as server-sent events.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::http::Method;
use axum::response::IntoResponse as _;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::routing::{MethodFilter, on};
use futures_util::stream::{self, Stream, StreamExt as _};
use hansang_access::Role;
use hansang_core::{ErrorKind, message};
use hansang_documents::progress;
use hansang_http::input::{Parameters, PathKey};
use hansang_http::limits::Endless;
use hansang_http::route::{Described, Route};
use hansang_server::Caller;
use serde_json::{Value as Json, json};
use tokio::time::sleep;

use super::{Api, Responded, output};
use crate::messages as api;
use crate::state::State;

/// The maximum duration of a stream. Clients reconnect, which checks their account again.
const MAX_DURATION: Duration = Duration::from_secs(300);
/// The pause before a look for changes of other processes.
const LOOK: Duration = Duration::from_secs(2);
/// The pause after an event, so that many small steps make few events.
const PAUSE: Duration = Duration::from_millis(250);

impl Api {
    pub(super) fn follow_route(&self) -> Route {
        let api = self.clone();
        let operation = "project.live";
        let content = json!({ "content": { "text/event-stream": { "schema": { "type": "string" } } } });
        let handler =
            on(MethodFilter::GET, async move |_: Caller, key: PathKey, asked: Parameters| -> Responded {
                asked.finish()?;
                let project_id = key.text("project_id");
                let first =
                    api.calls.measured(operation, progress(&api.state.documents, &project_id)).await?;
                let events = events(api.state.clone(), project_id, output::progress(&first));
                let app = api.app.clone();
                let over = async move {
                    tokio::select! {
                        () = app.stopping() => {}
                        () = sleep(MAX_DURATION) => {}
                    }
                };
                let events = events.map(Ok::<_, Infallible>).take_until(Box::pin(over));
                Ok((Extension(Endless), Sse::new(events).keep_alive(KeepAlive::default())).into_response())
            });
        Route {
            answers: vec![(200, Described::new(message!(api::PROGRESS_STREAM), content))],
            streams: true,
            handler,
            ..self.route(
                Method::GET,
                "projects/{project_id}/progress/live",
                operation,
                message!(api::FOLLOW_PROGRESS),
                Role::Viewer,
            )
        }
    }
}

/// The progress now, and each time it is another one, until the project is gone.
fn events(state: Arc<State>, project_id: String, first: Json) -> impl Stream<Item = Event> + Send {
    let begin = (state, project_id, Some(first), Json::Null);
    stream::unfold(begin, async |(state, project_id, mut next, told)| {
        loop {
            if let Some(now) = next.take().filter(|now| *now != told) {
                let event = Event::default().event("progress").data(now.to_string());
                return Some((event, (state, project_id, None, now)));
            }
            let changed = state.documents.changed();
            tokio::select! {
                () = changed => sleep(PAUSE).await,
                () = sleep(LOOK) => {}
            }
            match progress(&state.documents, &project_id).await {
                Ok(now) => next = Some(output::progress(&now)),
                Err(error) if error.kind == ErrorKind::NotFound => return None,
                Err(error) => tracing::debug!(%error, "a project is looked at again later"),
            }
        }
    })
}
