//! Bodies that do something on the way: end in time, stay below a size, hold on to something.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::{BoxError, Error};
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use tokio::time::Sleep;

/// What polling a body gives.
type Polled = Poll<Option<Result<Frame<Bytes>, Error>>>;

/// The body, and `held` until it has been sent or given up.
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

/// The body, broken off when `end` is over: whoever reads it sees that it is not whole.
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

/// The body, broken off behind `most` bytes; `exceeded` then says so.
pub(crate) fn at_most(body: Body, most: u64, exceeded: Arc<AtomicBool>) -> Body {
    Body::new(AtMost { inner: body, left: most, exceeded })
}

struct AtMost {
    inner: Body,
    left: u64,
    exceeded: Arc<AtomicBool>,
}

impl HttpBody for AtMost {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Polled {
        let this = self.get_mut();
        let polled = Pin::new(&mut this.inner).poll_frame(cx);
        if let Poll::Ready(Some(Ok(frame))) = &polled {
            let size = frame.data_ref().map_or(0, Bytes::len) as u64;
            match this.left.checked_sub(size) {
                Some(left) => this.left = left,
                None => {
                    this.exceeded.store(true, Ordering::Relaxed);
                    let error: BoxError = "the request body is too large".into();
                    return Poll::Ready(Some(Err(Error::new(error))));
                }
            }
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
