//! The server: what all requests share, and the API as it is at the moment.

use std::convert::Infallible;
use std::future::Future;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use arc_swap::{ArcSwap, ArcSwapOption};
use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use hansang_core::{Db, Error, ErrorKind};
use tokio::sync::Semaphore;
use tower::{ServiceExt as _, service_fn};

use crate::access::{Access, AuditOutcome};
use crate::console::{self, for_people};
use crate::guard::{self, Guard};
use crate::health::{Draining, Probe, with_health};
use crate::limits::{self, Limiter, Rate};
use crate::live::{Change, Live};
use crate::metrics::{Metrics, count};
use crate::problem::{Problem, for_unknown};
use crate::route::{Needs, Route};
use crate::routes::Lent;
use crate::{System, headers, routes, trace};

pub(crate) use crate::guard::Asking;

/// How the server behaves.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Whether clients come by HTTPS, to this server or to a proxy in front of it.
    pub tls: bool,
    /// Whether a proxy in front says where requests come from.
    pub behind_proxy: bool,
    /// Whether anybody may read the metrics.
    pub metrics_open: bool,
    /// The most bytes of a body.
    pub max_body: u64,
    /// The most requests at once.
    pub max_requests: usize,
    /// How long a request may take.
    pub request_time: Duration,
    /// The requests a second of one address, and of one account.
    pub rates: (NonZeroU32, NonZeroU32),
}

/// A server. Cheap to clone: all clones are the same one.
#[derive(Clone)]
pub struct App(Arc<Shared>);

struct Shared {
    access: Access,
    metrics: Metrics,
    live: Live,
    settings: Settings,
    draining: Draining,
    probe: Probe,
    by_address: Limiter,
    by_account: Limiter,
    /// The requests that may be answered at once.
    places: Arc<Semaphore>,
    lent: ArcSwapOption<Lent>,
    router: ArcSwap<Router>,
}

/// The calls of one model's operations: what each does is counted, and what it writes is written down.
#[derive(Clone)]
pub(crate) struct Calls {
    pub(crate) db: Db,
    app: App,
}

impl App {
    /// A server without systems: see [`App::load`]. The probe says whether the store answers.
    #[must_use]
    pub fn new(access: Access, metrics: Metrics, settings: Settings, probe: Probe) -> Self {
        let (address, account) = settings.rates;
        let app = Self(Arc::new(Shared {
            by_address: Limiter::new(rate(address)),
            by_account: Limiter::new(rate(account)),
            places: limits::places(settings.max_requests),
            draining: Draining::default(),
            lent: ArcSwapOption::empty(),
            router: ArcSwap::from_pointee(Router::new()),
            live: Live::default(),
            access,
            metrics,
            settings,
            probe,
        }));
        app.load(&[]);
        app
    }

    /// Serves these models from now on, in place of those before. Requests that are being answered
    /// are answered as they began.
    pub fn load(&self, systems: &[System]) {
        let mut all: Vec<Route> = Vec::new();
        for system in systems {
            all.extend(routes::of_system(self, system));
        }
        all.extend(routes::of_access(self));
        all.extend(routes::of_server(self));
        let models = systems.iter().map(|system| &**system.db.model());
        let document = crate::openapi::document(&all, models);
        let pages = console::routes(self, systems, &document)
            .into_iter()
            .chain(routes::of_pages(&document))
            .chain(self.lent().map(|_| routes::of_ports(self)).into_iter().flatten())
            .collect();
        let router = self.layered(all).merge(self.layered(pages));
        self.0.router.store(Arc::new(self.outer(router)));
    }

    /// Lends the ports to workers in other processes from now on, once the next models are loaded; the
    /// table of accounts is never lent.
    pub fn lend(&self, mut lent: Lent) {
        lent.tables.retain(|table| table.name != self.access().table().name);
        self.0.lent.store(Some(Arc::new(lent)));
    }

    /// What requests are given to.
    pub fn router(&self) -> Router {
        let app = self.clone();
        let current = move |request: Request| {
            let router = Router::clone(&app.0.router.load());
            async move { Ok::<Response, Infallible>(into_response(router.oneshot(request).await)) }
        };
        Router::new().fallback_service(service_fn(current))
    }

    /// Says from now on that the server is not ready, so that nobody is sent here any more, and ends
    /// what would go on for as long as somebody listens.
    pub fn drain(&self) {
        self.0.draining.begin();
        self.0.live.end();
    }

    pub(crate) fn access(&self) -> &Access {
        &self.0.access
    }

    pub(crate) fn metrics(&self) -> &Metrics {
        &self.0.metrics
    }

    /// What is lent, if anything is.
    pub(crate) fn lent(&self) -> Option<Arc<Lent>> {
        self.0.lent.load_full()
    }

    pub(crate) fn live(&self) -> &Live {
        &self.0.live
    }

    /// The calls of one model's operations.
    pub(crate) fn calls(&self, db: &Db) -> Calls {
        Calls { db: db.clone(), app: self.clone() }
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.0.settings
    }

    pub(crate) fn limit_account(&self, account: &str) -> Result<(), Problem> {
        self.0.by_account.account(account)
    }

    /// Does something that changes something, with an entry in the audit log before and after it. What
    /// cannot be written down is not done.
    pub(crate) async fn audited<T>(
        &self,
        asking: &Asking,
        (system, operation, subject): (&str, &str, &str),
        work: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, Error> {
        let access = self.access();
        let who = asking.identity.as_ref();
        let entry = access.audit_start(who, &asking.origin, system, operation, Some(subject)).await?;
        let result = self.metrics().observe(system, operation, work).await;
        let (outcome, code) = match &result {
            Ok(_) => (AuditOutcome::Done, None),
            Err(error) => (outcome(error), Some(error.code.as_str())),
        };
        // The caller is told what happened to the work; that the entry stays open is for the log.
        if let Err(error) = access.audit_end(&entry, outcome, code).await {
            tracing::error!(%error, entry = entry.id, "an entry of the audit log stays open");
        }
        self.0.live.count(system, entry.at);
        if result.is_ok() {
            self.0.live.tell(Change {
                system: system.to_owned(),
                operation: operation.to_owned(),
                at: entry.at,
            });
        }
        result
    }

    /// Operations with their guards and limits. Streams may take as long and as much as they need.
    fn layered(&self, routes: Vec<Route>) -> Router {
        let mut router = Router::new();
        for route in routes {
            let guard = Guard { app: self.clone(), needs: self.needs(route.needs) };
            let handler = if route.streams {
                route.handler.layer(from_fn_with_state(guard, guarded))
            } else {
                // The limit of axum's extractors gives way to ours.
                route.handler.layer((from_fn_with_state(guard, bounded), DefaultBodyLimit::disable()))
            };
            router = router.route(&route.path, handler);
        }
        router
    }

    fn needs(&self, needs: Needs) -> Needs {
        match needs {
            Needs::Metrics if self.settings().metrics_open => Needs::Nothing,
            Needs::Metrics => routes::readers_of_metrics(),
            needs => needs,
        }
    }

    /// What every request goes through, from the inside to the outside.
    fn outer(&self, router: Router) -> Router {
        let router = for_unknown(router).layer(from_fn_with_state(self.clone(), limited));
        let router = with_health(router, self.0.probe.clone(), self.0.draining.clone());
        router.layer(from_fn_with_state(self.clone(), observed))
    }
}

// A layer of a router costs a copy of all that is inside of it, and another future to wake: what belongs together is
// one layer, and its parts are functions.

/// Every request is counted, followed and answered with care.
async fn observed(State(app): State<App>, request: Request, next: Next) -> Response {
    let answer = |request| trace::trace(request, |request| next.run(request));
    headers::secure(count(app.metrics(), request, answer).await, app.settings().tls)
}

/// Nobody asks too much, and whoever looks at pages sees refusals as pages.
async fn limited(State(app): State<App>, request: Request, next: Next) -> Response {
    let answer = async |mut request: Request| {
        if app.settings().behind_proxy {
            guard::behind_proxy(&mut request);
        }
        match limits::count_address(&app.0.by_address, &request) {
            // Whoever watches gets through when nobody else does.
            Ok(()) if trace::route_name(&request) == routes::METRICS => next.run(request).await,
            Ok(()) => limits::take_a_place(&app.0.places, request, |request| next.run(request)).await,
            Err(problem) => problem.into_response(),
        }
    };
    for_people(request, answer).await
}

/// A request to an operation that is answered in time, or not.
async fn bounded(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let settings = guard.app.settings();
    let (time, body) = (settings.request_time, settings.max_body);
    let answer = |request| limits::refuse_large(body, request, |request| pass(&guard, request, next));
    limits::answer_in_time(time, request, answer).await
}

/// A request to an operation that goes on for as long as somebody listens.
async fn guarded(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    pass(&guard, request, next).await
}

async fn pass(guard: &Guard, request: Request, next: Next) -> Response {
    match guard::check(guard, request).await {
        Ok(request) => next.run(request).await,
        Err(problem) => problem.into_response(),
    }
}

impl Calls {
    /// Reads something.
    pub(crate) async fn read<T>(
        &self,
        operation: &str,
        read: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, Error> {
        let system = &self.db.model().name;
        self.app.live().count(system, self.db.clock().moment().now);
        self.app.metrics().observe(system, operation, read).await
    }

    /// Writes something.
    pub(crate) async fn write<T>(
        &self,
        asking: &Asking,
        operation: &str,
        subject: &str,
        write: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, Error> {
        self.app.audited(asking, (&self.db.model().name, operation, subject), write).await
    }
}

/// So many a second, and as many at once.
pub(crate) fn rate(per_second: NonZeroU32) -> Rate {
    let a_minute = NonZeroU32::new(60).unwrap_or(NonZeroU32::MIN);
    Rate { per_minute: per_second.saturating_mul(a_minute), burst: per_second }
}

fn outcome(error: &Error) -> AuditOutcome {
    match error.kind {
        ErrorKind::Unavailable | ErrorKind::Internal => AuditOutcome::Failed,
        _ => AuditOutcome::Refused,
    }
}

fn into_response(result: Result<Response, Infallible>) -> Response {
    match result {
        Ok(response) => response,
    }
}
