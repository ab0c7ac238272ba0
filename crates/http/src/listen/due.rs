//! Deadlines for receiving responses: an HTTP/2 client with a closed window does not block a write, so no timeout of
//! the socket ends its response.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Error;
use axum::body::{Body, Bytes};
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use tokio::sync::Notify;
use tokio::time::{Instant, timeout_at};

use super::connection::Open;

/// The minimum rate in bytes a second at which a client has to receive a response without a deadline, after
/// `write_timeout`.
const MIN_RATE: u64 = 1024;

tokio::task_local! {
    /// The time limit of the HTTP/2 stream that the current task serves.
    static OF_STREAM: Due;
}

/// The deadline by which a client has to receive a response, or its next part. All clones share it.
#[derive(Clone, Default)]
pub(super) struct Due(Arc<Shared>);

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    earlier: Notify,
}

#[derive(Default)]
struct State {
    at: Option<Instant>,
    /// The time at which [`Due::over`] wakes up. Moving the deadline later does not wake it.
    armed: Option<Instant>,
}

impl Due {
    /// The deadline of the HTTP/2 stream of this task, if it serves one.
    pub(super) fn of_stream() -> Option<Self> {
        OF_STREAM.try_with(Self::clone).ok()
    }

    fn set(&self, at: Option<Instant>) {
        let mut state = self.state();
        state.at = at;
        if let Some(at) = at
            && state.armed.is_none_or(|armed| at < armed)
        {
            drop(state);
            self.0.earlier.notify_one();
        }
    }

    /// Completes when the deadline has passed.
    pub(super) async fn over(&self) {
        loop {
            let at = {
                let mut state = self.state();
                if state.at.is_some_and(|at| at <= Instant::now()) {
                    return;
                }
                state.armed = state.at;
                state.at
            };
            match at {
                Some(at) => drop(timeout_at(at, self.0.earlier.notified()).await),
                None => self.0.earlier.notified().await,
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs each HTTP/2 stream as a task that ends when its response is due. Dropping a stream resets it.
#[derive(Clone, Copy)]
pub(super) struct StreamExecutor;

impl<F: Future<Output = ()> + Send + 'static> hyper::rt::Executor<F> for StreamExecutor {
    fn execute(&self, stream: F) {
        let due = Due::default();
        let stream = OF_STREAM.scope(due.clone(), stream);
        tokio::spawn(async move {
            tokio::select! {
                biased;
                () = stream => {}
                () = due.over() => tracing::debug!("a client did not take its response; the stream is reset"),
            }
        });
    }
}

/// The limits on receiving a response.
#[derive(Clone, Copy)]
pub(super) enum Pace {
    /// The whole response until this time.
    Until(Instant),
    /// Each part within this time, and longer for large parts.
    Parts(Duration),
    /// No limit here: the socket has one.
    Socket,
}

/// The body, which moves the deadline as it is received. `open` is dropped with it.
pub(super) fn paced(body: Body, due: Due, pace: Pace, open: Open) -> Body {
    due.set(pace.after(0));
    Body::new(Paced { inner: body, due, pace, open: Some(open) })
}

impl Pace {
    /// The deadline for the next poll after a part of this size.
    fn after(self, size: usize) -> Option<Instant> {
        match self {
            Self::Until(end) => Some(end),
            Self::Parts(patience) => {
                Some(Instant::now() + patience + Duration::from_secs(size as u64 / MIN_RATE))
            }
            Self::Socket => None,
        }
    }
}

struct Paced {
    inner: Body,
    due: Due,
    pace: Pace,
    open: Option<Open>,
}

impl HttpBody for Paced {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        let this = self.get_mut();
        let polled = Pin::new(&mut this.inner).poll_frame(cx);
        match (&polled, this.pace) {
            (Poll::Ready(None | Some(Err(_))), _) => {
                this.open = None;
                this.due.set(None);
            }
            (Poll::Ready(Some(Ok(frame))), Pace::Parts(_)) => {
                this.due.set(this.pace.after(frame.data_ref().map_or(0, Bytes::len)));
            }
            // The server has nothing to send, so the client is not slow.
            (Poll::Pending, Pace::Parts(_)) => this.due.set(None),
            _ => {}
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

impl Drop for Paced {
    fn drop(&mut self) {
        self.due.set(None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn the_deadline_can_move() {
        let (due, start) = (Due::default(), Instant::now());
        let after = |seconds| Some(start + Duration::from_secs(seconds));
        let over = tokio::spawn({
            let due = due.clone();
            async move { due.over().await }
        });
        for (at, moved) in [(1, after(5)), (4, after(9)), (8, None), (20, after(30)), (21, after(25))] {
            tokio::time::sleep_until(start + Duration::from_secs(at)).await;
            due.set(moved);
        }
        over.await.unwrap();
        assert_eq!(start.elapsed().as_secs(), 25);
    }
}
