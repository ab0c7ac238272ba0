//! Request bodies: buffered before a slot is taken, with limits on time, size and memory.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use bytes::{Bytes, BytesMut};
use futures_util::StreamExt as _;
use hansang_core::{Error, message};
use hyper::body::Body as _;
use tokio::time::{Instant, timeout_at};

use super::{Client, Share, Shares, client_of, refused};
use crate::body;
use crate::problem::Problem;
use crate::{HttpCode, messages};

/// The memory for request bodies of all clients, in bytes. A quarter of it takes an upload of 50 MB.
const MAX_BUFFERED: usize = 208 * 1024 * 1024;
/// The time in which a body may be slower than [`MIN_RATE`].
const GRACE: Duration = Duration::from_secs(5);
/// The minimum average rate of an upload, in bytes a second.
const MIN_RATE: u64 = 1024;

/// The memory for bodies of at most `max` bytes. One client gets a quarter of it.
#[must_use]
pub fn body_budget(max: u64) -> Arc<Shares<Client>> {
    let max = usize::try_from(max).unwrap_or(usize::MAX);
    let all = MAX_BUFFERED.max(max.saturating_mul(4));
    Shares::new(all, all / 4)
}

/// Reads the body of a request into memory. The returned share holds the permits for that memory.
///
/// Disable the limit of axum's extractors where this is used.
///
/// # Errors
/// Fails if the body is larger than `max`, too slow, or larger than the memory that is left.
pub async fn read_body(
    budget: &Arc<Shares<Client>>,
    max: u64,
    end: Instant,
    request: Request,
) -> Result<(Request, Share<Client>), Problem> {
    // `Content-Length`, where present, is a lower bound of the size.
    if request.body().size_hint().lower() > max {
        return Err(too_large(max));
    }
    let mut share = budget.take(client_of(&request), 0).map_err(refused)?;
    if request.body().is_end_stream() {
        return Ok((request, share));
    }
    let (parts, body) = request.into_parts();
    let mut chunks = body.into_data_stream();
    let (start, mut received) = (Instant::now(), 0);
    let mut whole = Chunks::None;
    loop {
        let slowest = start + GRACE + Duration::from_secs(received / MIN_RATE);
        let chunk = match timeout_at(end.min(slowest), chunks.next()).await {
            Err(_) => return Err(too_slow()),
            Ok(None) => break,
            Ok(Some(Err(_))) => {
                return Err(
                    Error::invalid(HttpCode::BodyUnreadable, message!(messages::BODY_UNREADABLE)).into()
                );
            }
            Ok(Some(Ok(chunk))) => chunk,
        };
        received += chunk.len() as u64;
        if received > max {
            return Err(too_large(max));
        }
        share.grow(chunk.len()).map_err(refused)?;
        whole = whole.with(chunk);
    }
    Ok((Request::from_parts(parts, Body::from(whole.joined())), share))
}

/// The chunks of a body; most bodies have one, which is not copied.
enum Chunks {
    None,
    One(Bytes),
    Many(BytesMut),
}

impl Chunks {
    fn with(self, chunk: Bytes) -> Self {
        let mut all = match self {
            Self::None => return Self::One(chunk),
            Self::One(first) => BytesMut::from(first),
            Self::Many(all) => all,
        };
        all.extend_from_slice(&chunk);
        Self::Many(all)
    }

    fn joined(self) -> Bytes {
        match self {
            Self::None => Bytes::new(),
            Self::One(chunk) => chunk,
            Self::Many(all) => all.freeze(),
        }
    }
}

/// Runs a request whose body is a stream. The body ends with an error if no byte comes for `max`.
pub async fn refuse_idle<F: Future<Output = Response>>(
    max: Duration,
    request: Request,
    next: impl FnOnce(Request) -> F,
) -> Response {
    if request.body().is_end_stream() {
        return next(request).await;
    }
    let idle = Arc::new(AtomicBool::new(false));
    let request = request.map(|body| body::busy(body, max, idle.clone()));
    let response = next(request).await;
    // The handler reports an aborted body; only this layer knows the reason.
    if idle.load(Ordering::Relaxed) && !response.status().is_success() {
        return too_slow().into_response();
    }
    response
}

fn too_large(max: u64) -> Problem {
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, HttpCode::BodyTooLarge, message!(messages::BODY_OVER, max))
}

fn too_slow() -> Problem {
    Problem::new(StatusCode::REQUEST_TIMEOUT, HttpCode::BodyTooSlow, message!(messages::BODY_TOO_SLOW))
}
