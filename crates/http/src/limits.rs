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

mod rate;

pub use rate::{Limiter, Rate};

/// The code of a request that was turned away because there were too many at once.
pub const OVERLOADED: &str = "overloaded";

/// Permits for `most` requests at once.
#[must_use]
pub fn slots(most: usize) -> Arc<Semaphore> {
    Arc::new(Semaphore::new(most.min(Semaphore::MAX_PERMITS)))
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
        let message = "the server has as much to do as it can take: try again in a moment";
        return Problem::try_again(OVERLOADED, message).into_response();
    };
    let response = next(request).await;
    if response.extensions().get::<Endless>().is_some() {
        return response;
    }
    response.map(|body| body::holding(body, slot))
}

/// Marks a response that goes on for as long as somebody listens. It gives its slot back: a few open
/// pages would otherwise take all of them.
#[derive(Clone, Copy, Debug)]
pub struct Endless;

/// Runs a request for at most this time.
///
/// A handler that takes longer is dropped. A response body that does is cut off, because its status has been sent
/// already.
pub async fn answer_in_time<F: Future<Output = Response>>(
    most: Duration,
    request: Request,
    next: impl FnOnce(Request) -> F,
) -> Response {
    let mut end = Box::pin(tokio::time::sleep(most));
    tokio::select! {
        response = next(request) => response.map(|body| body::until(body, end)),
        () = &mut end => {
            let message = "the request took too long: ask for less, or try again in a moment; \
                           read before you repeat a write, it may have been done";
            Problem::try_again("took_too_long", message).into_response()
        }
    }
}

/// Refuses a body of more than `most` bytes, whether or not its length is declared.
///
/// Disable the limit of axum's extractors where this is used.
pub async fn refuse_large<F: Future<Output = Response>>(
    most: u64,
    request: Request,
    next: impl FnOnce(Request) -> F,
) -> Response {
    // The least that the body can have is its Content-Length, where there is one.
    if request.body().size_hint().lower() > most {
        return too_large(most).into_response();
    }
    let exceeded = Arc::new(AtomicBool::new(false));
    let request = request.map(|body| body::at_most(body, most, exceeded.clone()));
    let response = next(request).await;
    // Whatever the handler made of a body that broke off, this is why it did.
    if exceeded.load(Ordering::Relaxed) && !response.status().is_success() {
        return too_large(most).into_response();
    }
    response
}

fn too_large(most: u64) -> Problem {
    let message = format!("the body has more than {most} bytes: send less at once");
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large", message)
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
