//! Single layers of the chain around a test router.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use hansang_http::limits::{self, Client, Limiter, Shares};
use hansang_http::metrics::{Metrics, count};
use hansang_http::problem::wrong_method;
use hansang_http::{headers, trace};
use tokio::time::Instant;

pub(crate) fn at_most(router: Router, most: usize) -> Router {
    let take = async |State(slots): State<Arc<Shares<Client>>>, request: Request, next: Next| {
        limits::take_slot(&slots, request, |request| next.run(request)).await
    };
    router.layer(from_fn_with_state(limits::slots(most), take))
}

pub(crate) fn within(router: Router, most: Duration) -> Router {
    let respond = async |State(most): State<Duration>, request: Request, next: Next| {
        limits::answer_in_time(Instant::now() + most, request, |request| next.run(request)).await
    };
    router.layer(from_fn_with_state(most, respond))
}

pub(crate) fn body_up_to(router: Router, most: u64) -> Router {
    let read = async |State(most): State<u64>, request: Request, next: Next| {
        let end = Instant::now() + Duration::from_secs(30);
        match limits::read_body(&limits::body_budget(most), most, end, request).await {
            Ok((request, _memory)) => next.run(request).await,
            Err(problem) => problem.into_response(),
        }
    };
    router.layer(DefaultBodyLimit::disable()).layer(from_fn_with_state(most, read))
}

pub(crate) fn idle_up_to(router: Router, most: Duration) -> Router {
    let refuse = async |State(most): State<Duration>, request: Request, next: Next| {
        limits::refuse_idle(most, request, |request| next.run(request)).await
    };
    router.layer(from_fn_with_state(most, refuse))
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
