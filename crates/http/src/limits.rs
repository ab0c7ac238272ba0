//! Limits on a single client, and on all clients together.
//!
//! Each function runs the rest of the chain within one limit.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::extract::{ConnectInfo, Request};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use hyper::body::Body as _;
use tokio::sync::Semaphore;

use crate::body;
use crate::problem::Problem;
use crate::{HttpCode, messages};
use hansang_core::message;

mod rate;

pub use rate::{Limiter, Rate};

/// Permits for `max` requests at once.
#[must_use]
pub fn slots(max: usize) -> Arc<Semaphore> {
    Arc::new(Semaphore::new(max.min(Semaphore::MAX_PERMITS)))
}

/// Runs a request in a slot, or refuses it if all slots are taken: a queue would only make every client wait.
///
/// The slot is held until the response has been sent, unless that is [`Endless`].
pub async fn take_slot<F: Future<Output = Response>>(
    slots: &Arc<Semaphore>,
    request: Request,
    next: impl FnOnce(Request) -> F,
) -> Response {
    let Ok(slot) = slots.clone().try_acquire_owned() else {
        return Problem::try_again(HttpCode::Overloaded, message!(messages::OVERLOADED)).into_response();
    };
    let response = next(request).await;
    if response.extensions().get::<Endless>().is_some() {
        return response;
    }
    response.map(|body| body::holding(body, slot))
}

/// Marks a response without an end, such as a stream of events. It gives its slot back: a few open pages
/// would otherwise take all of them.
#[derive(Clone, Copy, Debug)]
pub struct Endless;

/// Runs a request for at most this time.
///
/// A handler that takes longer is dropped. A response body that does is cut off, because its status has been sent
/// already.
pub async fn answer_in_time<F: Future<Output = Response>>(
    max: Duration,
    request: Request,
    next: impl FnOnce(Request) -> F,
) -> Response {
    let mut end = Box::pin(tokio::time::sleep(max));
    tokio::select! {
        response = next(request) => response.map(|body| body::until(body, end)),
        () = &mut end => {
            Problem::try_again(HttpCode::TookTooLong, message!(messages::TOOK_TOO_LONG)).into_response()
        }
    }
}

/// Refuses a body of more than `max` bytes, whether or not its length is declared.
///
/// Disable the limit of axum's extractors where this is used.
pub async fn refuse_large<F: Future<Output = Response>>(
    max: u64,
    request: Request,
    next: impl FnOnce(Request) -> F,
) -> Response {
    // The least that the body can have is its Content-Length, where there is one.
    if request.body().size_hint().lower() > max {
        return too_large(max).into_response();
    }
    let exceeded = Arc::new(AtomicBool::new(false));
    let request = request.map(|body| body::at_most(body, max, exceeded.clone()));
    let response = next(request).await;
    // The handler may have failed for another reason after the body broke off; the size is the cause.
    if exceeded.load(Ordering::Relaxed) && !response.status().is_success() {
        return too_large(max).into_response();
    }
    response
}

fn too_large(max: u64) -> Problem {
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, HttpCode::BodyTooLarge, message!(messages::BODY_OVER, max))
}

/// Counts a request of its client address.
///
/// The address is that of the connection, or the one that a trusted proxy names. A request without one comes from no
/// network and is not limited.
///
/// # Errors
/// A problem with the status 429.
pub fn count_address(limiter: &Limiter, request: &Request) -> Result<(), Problem> {
    let address = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
    address.map_or(Ok(()), |address| limiter.address(address))
}
