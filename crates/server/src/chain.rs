//! The chain that every request passes, from the socket to the handler.
//!
//! 1. [`observe`]: security headers, metrics, the trace
//! 2. [`limit`]: problems as pages, the client's address behind a proxy, the rate per address, a slot among
//!    `max-requests`
//! 3. [`bound`]: the time limit, the size of the body (streams skip both)
//! 4. [`guard`]: the caller, the rate per account, the role, forged forms
//! 5. the handler
//!
//! A layer of axum's router clones the whole router inside of it and adds a future to wake, so there are three
//! layers, and the parts of each are plain functions around the next one.

use std::num::NonZeroU32;
use std::sync::Arc;

use arc_swap::ArcSwap;
use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use hansang_access::Access;
use hansang_http::guard::{self, Guard};
use hansang_http::health::{Draining, Probe, with_health};
use hansang_http::limits::{self, Limiter, Rate};
use hansang_http::metrics::{Metrics, count};
use hansang_http::problem::for_unknown;
use hansang_http::route::{Needs, Route};
use hansang_http::{headers, trace};
use hansang_ui::frame::Shell;
use hansang_ui::people::for_people;
use tokio::sync::Semaphore;

use crate::{Settings, routes};

/// The state that requests share on their way to a handler.
pub(crate) struct Chain {
    pub(crate) settings: Settings,
    pub(crate) metrics: Metrics,
    pub(crate) draining: Draining,
    pub(crate) access: Access,
    pub(crate) shell: ArcSwap<Shell>,
    by_address: Limiter,
    by_account: Arc<Limiter>,
    /// A permit for each request that may run at once.
    slots: Arc<Semaphore>,
}

impl Chain {
    pub(crate) fn new(access: Access, metrics: Metrics, settings: Settings) -> Self {
        let (address, account) = settings.rates;
        Self {
            by_address: Limiter::new(rate(address)),
            by_account: Arc::new(Limiter::new(rate(account))),
            slots: limits::slots(settings.max_requests),
            draining: Draining::default(),
            shell: ArcSwap::from_pointee(Shell::new([], [])),
            access,
            metrics,
            settings,
        }
    }

    /// Puts the whole chain in front of the handlers of these routes.
    pub(crate) fn router(self: &Arc<Self>, all: Vec<Route>, probe: Probe) -> Router {
        let mut router = Router::new();
        for route in all {
            let guard = Guard {
                access: self.access.clone(),
                by_account: self.by_account.clone(),
                needs: self.needs(route.needs),
            };
            let handler = if route.streams {
                route.handler.layer(from_fn_with_state(guard, guard_stream))
            } else {
                let state = (self.clone(), guard);
                // The limit of axum's extractors gives way to ours.
                route.handler.layer((from_fn_with_state(state, bound), DefaultBodyLimit::disable()))
            };
            router = router.route(&route.path, handler);
        }
        let router = for_unknown(router).layer(from_fn_with_state(self.clone(), limit));
        let router = with_health(router, probe, self.draining.clone());
        router.layer(from_fn_with_state(self.clone(), observe))
    }

    fn needs(&self, needs: Needs) -> Needs {
        match needs {
            Needs::Metrics if self.settings.metrics_open => Needs::Nothing,
            Needs::Metrics => routes::readers_of_metrics(),
            needs => needs,
        }
    }
}

/// Adds security headers, counts and traces.
async fn observe(State(chain): State<Arc<Chain>>, request: Request, next: Next) -> Response {
    let respond = |request| trace::trace(request, |request| next.run(request));
    headers::secure(count(&chain.metrics, request, respond).await, chain.settings.tls)
}

/// Limits the rate per address and the number of requests at once. A refused page request becomes a page.
async fn limit(State(chain): State<Arc<Chain>>, request: Request, next: Next) -> Response {
    let respond = async |mut request: Request| {
        if chain.settings.behind_proxy {
            guard::behind_proxy(&mut request);
        }
        match limits::count_address(&chain.by_address, &request) {
            // Metrics are readable when all slots are taken.
            Ok(()) if trace::route_name(&request) == routes::METRICS => next.run(request).await,
            Ok(()) => limits::take_slot(&chain.slots, request, |request| next.run(request)).await,
            Err(problem) => problem.into_response(),
        }
    };
    for_people(&chain.shell.load_full(), request, respond).await
}

/// Limits the time and the size of the body.
async fn bound(State((chain, guard)): State<(Arc<Chain>, Guard)>, request: Request, next: Next) -> Response {
    let (time, size) = (chain.settings.request_time, chain.settings.max_body);
    let respond = |request| limits::refuse_large(size, request, |request| pass(&guard, request, next));
    limits::answer_in_time(time, request, respond).await
}

/// A stream may take as long and as much as it needs.
async fn guard_stream(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    pass(&guard, request, next).await
}

async fn pass(guard: &Guard, request: Request, next: Next) -> Response {
    match guard::check(guard, request).await {
        Ok(request) => next.run(request).await,
        Err(problem) => problem.into_response(),
    }
}

/// A rate of requests per second, with a burst of as many.
#[must_use]
pub fn rate(per_second: NonZeroU32) -> Rate {
    let a_minute = NonZeroU32::new(60).unwrap_or(NonZeroU32::MIN);
    Rate { per_minute: per_second.saturating_mul(a_minute), burst: per_second }
}
