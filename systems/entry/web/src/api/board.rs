//! The figures of an event, once or as a stream.

use std::time::Duration;

use axum::Json as Body;
use axum::http::Method;
use axum::response::IntoResponse as _;
use axum::response::sse::Event;
use axum::routing::{MethodFilter, on};
use futures_util::{Stream, stream};
use hansang_core::{Error, ErrorKind, message};
use tokio::time::{Instant, sleep_until};

use super::follow::{stream_answer, told_as, until_over};
use super::output::ShownBoard;
use super::{Entries, Responded, event_id};
use crate::messages as api;
use hansang_access::Role;
use hansang_http::input::{Parameters, PathKey};
use hansang_http::route::{Route, json_answer};
use hansang_server::Caller;
use hansang_server::schema::response;

/// The interval of a live board.
const EVERY: Duration = Duration::from_secs(1);
impl Entries {
    pub(super) fn board_routes(&self) -> Vec<Route> {
        vec![self.board_route(), self.board_live_route()]
    }

    fn board_route(&self) -> Route {
        let entries = self.clone();
        let path = "events/{eventId}/board";
        Route {
            answers: vec![(200, json_answer(message!(api::THE_BOARD), response::<ShownBoard>(self.model())))],
            handler: on(MethodFilter::GET, async move |_: Caller, key: PathKey, asked: Parameters| {
                entries.answer_board(&key, asked).await
            }),
            ..self.route(Method::GET, path, "event.board", message!(api::BOARD), self.needs(Role::Viewer))
        }
    }

    fn board_live_route(&self) -> Route {
        let entries = self.clone();
        let path = "events/{eventId}/board/live";
        let summary = message!(api::LIVE_BOARD);
        Route {
            answers: vec![(200, stream_answer(message!(api::BOARD_STREAM)))],
            streams: true,
            handler: on(MethodFilter::GET, async move |_: Caller, key: PathKey, asked: Parameters| {
                entries.answer_board_live(&key, asked).await
            }),
            ..self.route(Method::GET, path, "event.board.live", summary, self.needs(Role::Viewer))
        }
    }

    async fn answer_board(&self, key: &PathKey, asked: Parameters) -> Responded {
        asked.finish()?;
        Ok(Body(self.read_board(&event_id(key)?).await?).into_response())
    }

    async fn answer_board_live(&self, key: &PathKey, asked: Parameters) -> Responded {
        asked.finish()?;
        let id = event_id(key)?;
        let first = self.shared_board(&id).await?;
        Ok(until_over(&self.app, boards(self.clone(), id, first)))
    }

    /// The figures of now. They are a sample for the rate of decisions, like those of pages and streams.
    async fn read_board(&self, id: &str) -> Result<ShownBoard, Error> {
        self.door.known.forget_board(id).await;
        self.shared_board(id).await
    }

    /// The figures, at most a second old.
    async fn shared_board(&self, id: &str) -> Result<ShownBoard, Error> {
        let glance = self.glance(id).await?;
        Ok(ShownBoard::of(&glance))
    }
}

/// The figures every second. A failed read is skipped.
fn boards(entries: Entries, id: String, first: ShownBoard) -> impl Stream<Item = Event> {
    let start = Instant::now();
    stream::unfold((entries, id, Some(first), start), async |(entries, id, first, mut last)| {
        if let Some(first) = first {
            return Some((told_as("board", &first), (entries, id, None, last)));
        }
        loop {
            sleep_until(last + EVERY).await;
            last = Instant::now();
            match entries.shared_board(&id).await {
                Ok(board) => return Some((told_as("board", &board), (entries, id, None, last))),
                Err(error) if error.kind == ErrorKind::NotFound => return None,
                Err(error) => tracing::debug!(%error, "a board is read again later"),
            }
        }
    })
}
