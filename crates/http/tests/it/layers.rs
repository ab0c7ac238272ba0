//! Single links of the chain as layers around a router of a test.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use hansang_http::limits::{self, Limiter};
use hansang_http::metrics::{Metrics, count};
use hansang_http::problem::wrong_method;
use hansang_http::{headers, trace};
use tokio::sync::Semaphore;

pub(crate) fn at_most(router: Router, most: usize) -> Router {
    let take = async |State(slots): State<Arc<Semaphore>>, request: Request, next: Next| {
        limits::take_slot(&slots, request, |request| next.run(request)).await
    };
    router.layer(from_fn_with_state(limits::slots(most), take))
}

pub(crate) fn within(router: Router, most: Duration) -> Router {
    let respond = async |State(most): State<Duration>, request: Request, next: Next| {
        limits::answer_in_time(most, request, |request| next.run(request)).await
    };
    router.layer(from_fn_with_state(most, respond))
}

pub(crate) fn body_up_to(router: Router, most: u64) -> Router {
    let refuse = async |State(most): State<u64>, request: Request, next: Next| {
        limits::refuse_large(most, request, |request| next.run(request)).await
    };
    router.layer(DefaultBodyLimit::disable()).layer(from_fn_with_state(most, refuse))
}

pub(crate) fn by_address(router: Router, limiter: Arc<Limiter>) -> Router {
    let count = async |State(limiter): State<Arc<Limiter>>, request: Request, next: Next| {
        match limits::count_address(&limiter, &request) {
            Ok(()) => next.run(request).await,
            Err(problem) => problem.into_response(),
        }
    };
    router.layer(from_fn_with_state(limiter, count))
}

pub(crate) fn secured(router: Router, tls: bool) -> Router {
    let secure = async |State(tls): State<bool>, request: Request, next: Next| -> Response {
        headers::secure(next.run(request).await, tls)
    };
    router.layer(from_fn_with_state(tls, secure))
}

pub(crate) fn traced(router: Router) -> Router {
    router.layer(from_fn(async |request: Request, next: Next| {
        trace::trace(request, |request| next.run(request)).await
    }))
}

pub(crate) fn measured(router: Router, metrics: Metrics) -> Router {
    let measure = async |State(metrics): State<Metrics>, request: Request, next: Next| {
        count(&metrics, request, |request| next.run(request)).await
    };
    router.layer(from_fn_with_state(metrics, measure))
}

pub(crate) fn with_metrics(router: Router, metrics: Metrics) -> Router {
    let text = async |State(metrics): State<Metrics>| {
        ([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], metrics.render(&[]))
    };
    let route = Router::new().route("/metrics", get(text)).method_not_allowed_fallback(wrong_method);
    router.merge(route.with_state(metrics))
}
