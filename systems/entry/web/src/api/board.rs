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
use super::{Answer, Entries, event_id, schema};
use hansang_access::Role;
use hansang_server::Caller;
use hansang_http::input::{Parameters, PathKey};
use hansang_http::route::{Route, json_answer};

/// How often whoever looks on is shown the board.
const EVERY: Duration = Duration::from_secs(1);
/// For how long a board is shown to others. Less than a second, so that whoever looks alone sees a new one each time.
const FRESH: Duration = Duration::from_millis(750);

/// What all that look at a board see alike: however many they are, it is read once a second.
pub(super) struct Boards<T = ShownBoard>(Mutex<HashMap<String, Arc<Place<T>>>>);

/// The last board, and when it was read.
type Place<T> = tokio::sync::Mutex<Option<(Instant, Arc<T>)>>;

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
    async fn shared_board(&self, id: &str) -> Result<Arc<ShownBoard>, Error> {
        self.boards.get(id, || self.read_board(id)).await
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

impl<T> Default for Boards<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> Boards<T> {
    /// The board of an event, read anew if the last one is not fresh. Whoever comes meanwhile waits for it.
    async fn get<F>(&self, id: &str, read: impl FnOnce() -> F) -> Result<Arc<T>, Error>
    where
        F: Future<Output = Result<T, Error>>,
    {
        let place = self.place(id);
        let mut known = place.lock().await;
        if let Some((at, board)) = &*known
            && at.elapsed() < FRESH
        {
            return Ok(board.clone());
        }
        let board = Arc::new(read().await?);
        *known = Some((Instant::now(), board.clone()));
        Ok(board)
    }

    /// Where the board of an event is kept. Boards at which nobody looks any more make room for others.
    fn place(&self, id: &str) -> Arc<Place<T>> {
        // Places are whole whatever happened to whoever held them.
        let mut places = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = places.get(id) {
            return place.clone();
        }
        let is_seen = |place: &Place<T>| {
            // Where it is locked, it is being read for somebody.
            let known = place.try_lock();
            known.map_or(true, |known| known.as_ref().is_some_and(|(at, _)| at.elapsed() < 2 * EVERY))
        };
        places.retain(|_, place| is_seen(place));
        places.entry(id.to_owned()).or_default().clone()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use tokio::time::advance;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn however_many_look_a_board_is_read_once_and_forgotten_when_nobody_does() {
        let (boards, reads) = (Boards::default(), AtomicU32::new(0));
        let look = async |id: &str| {
            let read = || std::future::ready(Ok(reads.fetch_add(1, Ordering::Relaxed) + 1));
            *boards.get(id, read).await.unwrap()
        };
        assert_eq!(tokio::join!(look("a"), look("a"), look("a")), (1, 1, 1));
        assert_eq!(look("b").await, 2, "each event has its own");
        advance(FRESH / 2).await;
        assert_eq!(look("a").await, 1);
        advance(EVERY / 2).await;
        assert_eq!(look("a").await, 3);
        advance(2 * EVERY).await;
        assert_eq!(look("c").await, 4);
        assert_eq!(boards.0.lock().unwrap().len(), 1, "nobody looks at the others any more");
    }

    #[tokio::test(start_paused = true)]
    async fn a_board_that_cannot_be_read_is_asked_for_again() {
        let boards = Boards::<u32>::default();
        let fails = || std::future::ready(Err(Error::unavailable("down", "the store is down")));
        assert!(boards.get("a", fails).await.is_err());
        assert_eq!(*boards.get("a", || std::future::ready(Ok(7))).await.unwrap(), 7);
    }
}
