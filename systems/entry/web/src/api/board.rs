//! An event at a glance, once or for as long as somebody looks.

use std::time::Duration;

use axum::Json as Body;
use axum::http::Method;
use axum::response::IntoResponse as _;
use axum::response::sse::Event;
use axum::routing::{MethodFilter, on};
use futures_util::{Stream, stream};
use hansang_core::{Error, ErrorKind};
use tokio::time::{Instant, sleep_until};

use super::follow::{stream_answer, told_as, until_over};
use super::output::ShownBoard;
use super::{Answer, Entries, event_id, schema};
use hansang_access::Role;
use hansang_http::input::{Parameters, PathKey};
use hansang_http::route::{Route, json_answer};
use hansang_server::Caller;

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
            answers: vec![(200, json_answer("How it stands.", schema::board(self.model())))],
            handler: on(MethodFilter::GET, async move |_: Caller, key: PathKey, asked: Parameters| {
                entries.answer_board(&key, asked).await
            }),
            ..self.route(Method::GET, path, "event.board", "An event at a glance", self.needs(Role::Viewer))
        }
    }

    fn board_live_route(&self) -> Route {
        let entries = self.clone();
        let path = "events/{eventId}/board/live";
        let summary = "An event at a glance, every second";
        Route {
            answers: vec![(200, stream_answer("A `board`, as the operation `event.board` gives it."))],
            streams: true,
            handler: on(MethodFilter::GET, async move |_: Caller, key: PathKey, asked: Parameters| {
                entries.answer_board_live(&key, asked).await
            }),
            ..self.route(Method::GET, path, "event.board.live", summary, self.needs(Role::Viewer))
        }
    }

    async fn answer_board(&self, key: &PathKey, asked: Parameters) -> Answer {
        asked.finish()?;
        Ok(Body(self.read_board(&event_id(key)?).await?).into_response())
    }

    async fn answer_board_live(&self, key: &PathKey, asked: Parameters) -> Answer {
        asked.finish()?;
        let id = event_id(key)?;
        let first = self.shared_board(&id).await?;
        Ok(until_over(&self.app, boards(self.clone(), id, first)))
    }

    async fn read_board(&self, id: &str) -> Result<ShownBoard, Error> {
        let board = self.calls.measured("event.board", hansang_entry::board(self.entry(), id)).await?;
        Ok(ShownBoard::of(board, self.now()))
    }

    /// The board as it was within the last second.
    async fn shared_board(&self, id: &str) -> Result<ShownBoard, Error> {
        let glance = self.glance(id).await?;
        Ok(ShownBoard::of(glance.board.clone(), glance.at))
    }
}

/// The board every second. One that cannot be read is left out.
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
