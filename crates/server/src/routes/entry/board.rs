//! An event at a glance, once or for as long as somebody looks.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
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
use super::{Answer, Entries, schema};
use crate::Role;
use crate::app::Asking;
use crate::input::{Parameters, PathKey};
use crate::route::{Route, json_answer};

/// How often whoever looks on is shown the board.
const EVERY: Duration = Duration::from_secs(1);
/// For how long a board is shown to others. Less than a second, so that whoever looks alone sees a new one each time.
const FRESH: Duration = Duration::from_millis(750);

/// What all that look at a board see alike: however many they are, it is read once a second.
#[derive(Default)]
pub(super) struct Boards(Mutex<HashMap<String, Arc<Place>>>);

/// The last board, and when it was read.
type Place = tokio::sync::Mutex<Option<(Instant, Arc<ShownBoard>)>>;

impl Entries {
    pub(super) fn board_routes(&self) -> Vec<Route> {
        vec![self.board_route(), self.board_live_route()]
    }

    fn board_route(&self) -> Route {
        let entries = self.clone();
        let path = "events/{eventId}/board";
        Route {
            answers: vec![(200, json_answer("How it stands.", schema::board(self.model())))],
            handler: on(MethodFilter::GET, async move |_: Asking, key: PathKey, asked: Parameters| {
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
            handler: on(MethodFilter::GET, async move |_: Asking, key: PathKey, asked: Parameters| {
                entries.answer_board_live(&key, asked).await
            }),
            ..self.route(Method::GET, path, "event.board.live", summary, self.needs(Role::Viewer))
        }
    }

    async fn answer_board(&self, key: &PathKey, asked: Parameters) -> Answer {
        asked.finish()?;
        Ok(Body(self.read_board(&key.text("eventId")).await?).into_response())
    }

    async fn answer_board_live(&self, key: &PathKey, asked: Parameters) -> Answer {
        asked.finish()?;
        let id = key.text("eventId");
        let first = self.shared_board(&id).await?;
        Ok(until_over(&self.app, boards(self.clone(), id, first)))
    }

    async fn read_board(&self, id: &str) -> Result<ShownBoard, Error> {
        let board = self.calls.read("event.board", hansang_entry::board(self.entry(), id)).await?;
        Ok(ShownBoard::of(board, self.now()))
    }

    /// The board as it was within the last second.
    async fn shared_board(&self, id: &str) -> Result<Arc<ShownBoard>, Error> {
        let place = self.boards.place(id);
        let mut known = place.lock().await;
        if let Some((at, board)) = &*known
            && at.elapsed() < FRESH
        {
            return Ok(board.clone());
        }
        let board = Arc::new(self.read_board(id).await?);
        *known = Some((Instant::now(), board.clone()));
        Ok(board)
    }
}

/// The board every second. One that cannot be read is left out.
fn boards(entries: Entries, id: String, first: Arc<ShownBoard>) -> impl Stream<Item = Event> {
    let start = Instant::now();
    stream::unfold((entries, id, Some(first), start), async |(entries, id, first, mut last)| {
        if let Some(first) = first {
            return Some((told_as("board", &*first), (entries, id, None, last)));
        }
        loop {
            sleep_until(last + EVERY).await;
            last = Instant::now();
            match entries.shared_board(&id).await {
                Ok(board) => return Some((told_as("board", &*board), (entries, id, None, last))),
                Err(error) if error.kind == ErrorKind::NotFound => return None,
                Err(error) => tracing::debug!(%error, "a board is read again later"),
            }
        }
    })
}

impl Boards {
    /// Where the board of an event is kept. Boards at which nobody looks any more make room for others.
    fn place(&self, id: &str) -> Arc<Place> {
        // Places are whole whatever happened to whoever held them.
        let mut places = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = places.get(id) {
            return place.clone();
        }
        let is_seen = |place: &Place| {
            // Where it is locked, it is being read for somebody.
            let known = place.try_lock();
            known.map_or(true, |known| known.as_ref().is_some_and(|(at, _)| at.elapsed() < 2 * EVERY))
        };
        places.retain(|_, place| is_seen(place));
        places.entry(id.to_owned()).or_default().clone()
    }
}
