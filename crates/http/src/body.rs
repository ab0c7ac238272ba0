//! Bodies with a time limit, and bodies that hold permits until they have been sent.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::Error;
use axum::body::{Body, Bytes};
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use tokio::time::{Instant, Sleep, sleep};

/// The result of polling a body.
type Polled = Poll<Option<Result<Frame<Bytes>, Error>>>;

/// The body, with a value that is dropped when the body has been sent or given up.
pub(crate) fn holding<H: Send + Unpin + 'static>(body: Body, held: H) -> Body {
    Body::new(Holding { inner: body, held: Some(held) })
}

struct Holding<H> {
    inner: Body,
    held: Option<H>,
}

impl<H: Unpin> HttpBody for Holding<H> {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Polled {
        let this = self.get_mut();
        let polled = Pin::new(&mut this.inner).poll_frame(cx);
        if matches!(polled, Poll::Ready(None | Some(Err(_)))) {
            this.held = None;
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

/// The body, aborted with an error at `end`, so that a reader sees that it is incomplete.
pub(crate) fn until(body: Body, end: Pin<Box<Sleep>>) -> Body {
    Body::new(Until { inner: body, end })
}

struct Until {
    inner: Body,
    end: Pin<Box<Sleep>>,
}

impl HttpBody for Until {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Polled {
        let this = self.get_mut();
        if this.end.as_mut().poll(cx).is_ready() {
            return Poll::Ready(Some(Err(Error::new("the response took too long"))));
        }
        Pin::new(&mut this.inner).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

/// The body, aborted if no byte arrives for `max`; `idle` is set then.
pub(crate) fn busy(body: Body, max: Duration, idle: Arc<AtomicBool>) -> Body {
    Body::new(Busy { inner: body, max, end: Box::pin(sleep(max)), waiting: false, idle })
}

struct Busy {
    inner: Body,
    max: Duration,
    end: Pin<Box<Sleep>>,
    /// Whether `end` counts the time since a byte was asked for.
    waiting: bool,
    idle: Arc<AtomicBool>,
}

impl HttpBody for Busy {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Polled {
        let this = self.get_mut();
        let polled = Pin::new(&mut this.inner).poll_frame(cx);
        if polled.is_ready() {
            // The time starts anew when the next byte is asked for: a handler that stores data is not a slow client.
            this.waiting = false;
            return polled;
        }
        if !this.waiting {
            this.waiting = true;
            this.end.as_mut().reset(Instant::now() + this.max);
        }
        ready!(this.end.as_mut().poll(cx));
        this.idle.store(true, Ordering::Relaxed);
        Poll::Ready(Some(Err(Error::new("the client sends nothing"))))
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}
