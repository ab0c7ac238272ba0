//! What keeps one client, or all of them together, from taking more than there is.
//!
//! Each function takes a router and gives it back with one limit. Refusing early is cheap, so from
//! the outside to the inside: [`by_address`], [`at_most`], [`within`], [`body_up_to`]. Apply them in
//! the opposite order, because the layer that is added last is the outermost.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::{ConnectInfo, DefaultBodyLimit, Request, State};
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use hyper::body::Body as _;
use tokio::sync::Semaphore;

use crate::body;
use crate::problem::Problem;

mod rate;

pub use rate::{Limiter, Rate};

/// The code of a request that was turned away because there were too many at once.
pub(crate) const OVERLOADED: &str = "overloaded";

/// At most `most` requests at once; one more is turned away instead of queued, for a queue only
/// makes everybody wait. A request counts until its response has been sent, unless that never ends.
pub fn at_most(router: Router, most: usize) -> Router {
    let places = places(most);
    let take = async |State(places): State<Arc<Semaphore>>, request: Request, next: Next| {
        take_a_place(&places, request, |request| next.run(request)).await
    };
    router.layer(from_fn_with_state(places, take))
}

/// As many places as there may be requests at once.
pub(crate) fn places(most: usize) -> Arc<Semaphore> {
    Arc::new(Semaphore::new(most.min(Semaphore::MAX_PERMITS)))
}

/// One of so many requests at once: see [`at_most`].
pub(crate) async fn take_a_place<F: Future<Output = Response>>(
    places: &Arc<Semaphore>,
    request: Request,
    next: impl FnOnce(Request) -> F,
) -> Response {
    let Ok(place) = places.clone().try_acquire_owned() else {
        let message = "the server has as much to do as it can take: try again in a moment";
        return Problem::try_again(OVERLOADED, message).into_response();
    };
    let response = next(request).await;
    if response.extensions().get::<Endless>().is_some() {
        return response;
    }
    response.map(|body| body::holding(body, place))
}

/// Marks a response that goes on for as long as somebody listens. It gives its place back: a few open
/// pages would otherwise take all of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Endless;

/// A request must be answered, and its response made, within `most`.
///
/// A handler that takes longer is dropped. A response body that does is broken off, since its status
/// has been sent already. Routes that stream for as long as somebody listens have to stay without.
pub fn within(router: Router, most: Duration) -> Router {
    let answer = async |State(most): State<Duration>, request: Request, next: Next| {
        answer_in_time(most, request, |request| next.run(request)).await
    };
    router.layer(from_fn_with_state(most, answer))
}

/// A request that is answered in time: see [`within`].
pub(crate) async fn answer_in_time<F: Future<Output = Response>>(
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

/// The body of a request has at most `most` bytes, whether or not it says so beforehand.
///
/// This replaces the limit of axum's extractors: an inner router that needs another limit calls this
/// by itself, and the smaller one holds.
pub fn body_up_to(router: Router, most: u64) -> Router {
    let refuse = async |State(most): State<u64>, request: Request, next: Next| {
        refuse_large(most, request, |request| next.run(request)).await
    };
    router.layer(DefaultBodyLimit::disable()).layer(from_fn_with_state(most, refuse))
}

/// A request whose body is small enough: see [`body_up_to`].
pub(crate) async fn refuse_large<F: Future<Output = Response>>(
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

/// No more requests of one client address than `limiter` allows.
///
/// The address is the one of the connection, as [`crate::listen::serve`] puts it into the request;
/// whoever stands behind a proxy that they trust puts the client's there instead. Requests without
/// one, which come from no network, are not limited.
pub fn by_address(router: Router, limiter: Arc<Limiter>) -> Router {
    let count = async |State(limiter): State<Arc<Limiter>>, request: Request, next: Next| match count_address(
        &limiter, &request,
    ) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    };
    router.layer(from_fn_with_state(limiter, count))
}

/// Counts a request of its client's address: see [`by_address`].
pub(crate) fn count_address(limiter: &Limiter, request: &Request) -> Result<(), Problem> {
    let address = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
    address.map_or(Ok(()), |address| limiter.address(address))
}
