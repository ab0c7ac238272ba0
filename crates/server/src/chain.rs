//! The chain that every request passes, from the socket to the handler.
//!
//! 1. [`observe`]: security headers, metrics, the trace
//! 2. [`limit`]: problems as pages, the client's address behind a proxy, the rate per address
//! 3. [`bound`]: the whole body, a slot among `max-requests`, the time limit; or [`stream`]: a slot, no idle body, the
//!    number of streams
//! 4. [`guard`]: the caller, the rate per account, the role, forged forms; again and again for a stream of events
//! 5. the handler, whose own refusals (403) are audited too; one that may write runs to its end, whatever happens to its client or its time
//!
//! A layer of axum's router clones the whole router inside of it and adds a future to poll, so there are three layers,
//! and the parts of each are plain functions around the next one.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use axum::Router;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::MethodRouter;
use futures_util::StreamExt as _;
use hansang_access::Access;
use hansang_http::guard::{self, Guard, Reach};
use hansang_http::health::{Draining, Probe, with_health};
use hansang_http::input::Accepted;
use hansang_http::limits::{self, Client, Endless, Limiter, Rate, Shares, Streams};
use hansang_http::metrics::{Metrics, count};
use hansang_http::problem::{for_unknown, wrong_method};
use hansang_http::route::{Needs, Route};
use hansang_http::upload::Streamed;
use hansang_http::{document, headers, kept, trace};
use hansang_ui::frame::Shell;
use hansang_ui::people::for_people;
use tokio::time::Instant;
use tower::ServiceExt as _;

use crate::{Settings, routes};

/// The timeout for the next byte of a streamed request body.
const MAX_IDLE: Duration = Duration::from_secs(30);

/// The shared state of the layers.
pub(crate) struct Chain {
    pub(crate) settings: Settings,
    pub(crate) metrics: Metrics,
    pub(crate) draining: Draining,
    pub(crate) access: Access,
    pub(crate) shell: ArcSwap<Shell>,
    by_address: Limiter,
    by_account: Arc<Limiter>,
    /// A permit for each concurrent request.
    slots: Arc<Shares<Client>>,
    /// A permit for each byte of request bodies in memory.
    bodies: Arc<Shares<Client>>,
    streams: Streams,
}

/// The state of the layers of one route.
#[derive(Clone)]
struct Link {
    chain: Arc<Chain>,
    guard: Guard,
    /// The maximum size of the body.
    max_body: u64,
    /// Metrics stay readable when all slots are taken.
    needs_slot: bool,
    /// Ports limit the time of their calls themselves.
    is_port: bool,
    /// Responses of access control and pages contain secrets: see [`document::compress`].
    compresses: bool,
    /// The handlers of a page of the console, for a form that is shown again.
    page: Option<MethodRouter>,
}

impl Chain {
    pub(crate) fn new(access: Access, metrics: Metrics, settings: Settings) -> Self {
        let (address, account) = settings.rates;
        Self {
            by_address: Limiter::new(rate(address)),
            by_account: Arc::new(Limiter::new(rate(account))),
            slots: limits::slots(settings.max_requests),
            bodies: limits::body_budget(settings.max_body),
            streams: Streams::default(),
            draining: Draining::default(),
            shell: ArcSwap::from_pointee(Shell::new([], [])),
            access,
            metrics,
            settings,
        }
    }

    /// Adds the whole chain to these routes.
    pub(crate) fn router(self: &Arc<Self>, all: Vec<Route>, probe: Probe) -> Router {
        let mut router = Router::new();
        for mut route in all {
            let is_page = route.path == "/console" || route.path.starts_with("/console/");
            if is_page {
                // Inside of the layers, so that a form can be shown again on a page that takes no form.
                route.handler = route.handler.fallback(wrong_method);
            }
            let guard = Guard {
                access: self.access.clone(),
                by_account: self.by_account.clone(),
                accepted: Accepted::of(&route),
                reach: reach_of(&route),
                operation: route.operation.clone(),
                needs: self.needs(route.needs),
            };
            let is_port = routes::is_port(&route.path);
            // Shared, because axum clones the state for every request.
            let link = Arc::new(Link {
                chain: self.clone(),
                guard,
                max_body: match route.max_body {
                    _ if is_port => routes::MAX_PORT_BODY,
                    Some(max) => max.max(self.settings.max_body),
                    None => self.settings.max_body,
                },
                needs_slot: route.path != routes::METRICS,
                is_port,
                compresses: route.path.starts_with("/api/") && !route.path.starts_with("/api/access/"),
                page: is_page.then(|| route.handler.clone()),
            });
            let handler = if route.streams && !is_port {
                route.handler.layer(from_fn_with_state(link, stream))
            } else {
                // Ours replaces the limit of axum's extractors, also of those that the guard uses.
                route.handler.layer((DefaultBodyLimit::disable(), from_fn_with_state(link, bound)))
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
async fn observe(State(chain): State<Arc<Chain>>, mut request: Request, next: Next) -> Response {
    if chain.settings.tls {
        headers::accept_host_cookies(request.headers_mut());
    }
    let respond = |request| trace::trace(request, |request| next.run(request));
    headers::secure(count(&chain.metrics, request, respond).await, chain.settings.tls)
}

/// Limits the rate per address. A rejected page request becomes a page.
async fn limit(State(chain): State<Arc<Chain>>, request: Request, next: Next) -> Response {
    let respond = async |mut request: Request| {
        if chain.settings.behind_proxy {
            guard::behind_proxy(&mut request);
        }
        let allowed = headers::check_host(request.headers());
        match allowed.and_then(|()| limits::count_address(&chain.by_address, &request)) {
            Ok(()) => next.run(request).await,
            Err(problem) => problem.into_response(),
        }
    };
    for_people(&chain.shell.load_full(), &chain.access, request, respond).await
}

/// Reads the body before it takes a slot, so that a slow client holds none, and limits the time.
async fn bound(State(link): State<Arc<Link>>, request: Request, next: Next) -> Response {
    let chain = &link.chain;
    let end = Instant::now() + chain.settings.request_time;
    let (request, memory) = match limits::read_body(&chain.bodies, link.max_body, end, request).await {
        Ok(read) => read,
        Err(problem) => return problem.into_response(),
    };
    let gzip = link.compresses && document::accepts_gzip(request.headers());
    let is_port = link.is_port;
    let respond = move |request: Request| {
        let writes = !request.method().is_safe();
        let run = async move {
            let handle = async |request| {
                let response = pass(&link, request, next).await;
                if gzip { document::compress(response).await } else { response }
            };
            let response = if link.needs_slot {
                limits::take_slot(&link.chain.slots, request, handle).await
            } else {
                handle(request).await
            };
            drop(memory);
            response
        };
        async move { if writes { trace::detached(run).await } else { run.await } }
    };
    if is_port {
        return respond(request).await;
    }
    limits::answer_in_time(end, request, respond).await
}

/// Runs a stream, without limits on time and size, but with a limit on idle time.
async fn stream(State(link): State<Arc<Link>>, request: Request, next: Next) -> Response {
    if request.method().is_safe() {
        return run_stream(link, request, next).await;
    }
    trace::detached(run_stream(link, request, next)).await
}

async fn run_stream(link: Arc<Link>, request: Request, next: Next) -> Response {
    let chain = &link.chain;
    let respond = async |mut request: Request| {
        // The guard reads a form up to its file.
        request.extensions_mut().insert(Streamed);
        let request = match guard::check(&link.guard, request).await {
            Ok(request) => request,
            Err(problem) => return problem.into_response(),
        };
        let run = async |request: Request| {
            let revoked = link.guard.clone().revoked(request.headers().clone());
            let respond = async |request| next.run(request).await;
            let response = guard::run(&link.guard, request, respond).await;
            if response.extensions().get::<Endless>().is_none() {
                return response;
            }
            response.map(|body| Body::from_stream(body.into_data_stream().take_until(Box::pin(revoked))))
        };
        limits::take_stream(&chain.streams, request, run).await
    };
    let respond = async |request| limits::refuse_idle(MAX_IDLE, request, respond).await;
    limits::take_slot(&chain.slots, request, respond).await
}

async fn pass(link: &Link, request: Request, next: Next) -> Response {
    let Some(page) = &link.page else {
        return match guard::check(&link.guard, request).await {
            Ok(request) => guard::run(&link.guard, request, async |request| next.run(request).await).await,
            Err(problem) => problem.into_response(),
        };
    };
    let request = match kept::check(&link.guard, request).await {
        Ok(request) => request,
        Err(response) => return response,
    };
    match kept::as_draft(request) {
        (shown, true) => page.clone().oneshot(shown).await.unwrap_or_else(|never| match never {}),
        (request, false) => guard::run(&link.guard, request, async |request| next.run(request).await).await,
    }
}

/// The system that a token must reach: that of the tag, or of the path of a page. Operations of the server and of access
/// belong to none.
fn reach_of(route: &Route) -> Option<Reach> {
    let page = || route.path.strip_prefix("/console/").and_then(|rest| rest.split('/').next());
    let (system, reads) = match &*route.tag {
        "" => (page()?, false),
        "access" | "server" => return None,
        tag => (tag, true),
    };
    Some(Reach { system: system.into(), reads })
}

/// A rate of requests per second, with a burst of the same size.
#[must_use]
pub fn rate(per_second: NonZeroU32) -> Rate {
    let a_minute = NonZeroU32::new(60).unwrap_or(NonZeroU32::MIN);
    Rate { per_minute: per_second.saturating_mul(a_minute), burst: per_second }
}
