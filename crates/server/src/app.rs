//! The server: the state that all requests share, and the API that is currently loaded.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::future::Future;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use arc_swap::{ArcSwap, ArcSwapOption};
use axum::Router;
use axum::extract::Request;
use axum::response::Response;
use hansang_access::{Access, AuditOutcome, Audited, Done, key_text};
use hansang_core::identify::{Identity, identify};
use hansang_core::plan::{Key, Scan};
use hansang_core::{Db, Error, ErrorKind, Model, Page, StoreError, Table};
use hansang_http::health::Probe;
use hansang_http::metrics::Metrics;
use hansang_http::route::Route;
use hansang_http::{MAX_KEYS, written};
use hansang_ui::frame::Shell;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use tower::{ServiceExt as _, service_fn};

use crate::chain::Chain;
use crate::live::{Change, Live};
use crate::routes::Lent;
use crate::{Reserved, Service, System, console, routes};
use hansang_core::message::Language;

pub use hansang_http::guard::Caller;

/// The name under which the audit log has operations of access control.
const ACCESS: &str = "access";

/// The pages that carry the values of other forms.
const CARRIERS: [&str; 2] = ["/console/sign-in", "/console/language"];
/// The maximum size of a form that is carried. Larger bodies hold files, which are not.
const MAX_KEPT: u64 = 16 * 1024 * 1024;
/// The maximum size of what they add to a form: a prefix for each name, and their own fields.
const MAX_NAMES: u64 = 64 * 1024;

/// The settings of the server.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Whether clients use HTTPS, to this server or to a proxy in front of it.
    pub tls: bool,
    /// Whether a proxy in front names the client address.
    pub behind_proxy: bool,
    /// Whether the metrics are public.
    pub metrics_open: bool,
    /// The maximum size of a body in bytes.
    pub max_body: u64,
    /// The maximum number of concurrent requests.
    pub max_requests: usize,
    /// The time limit of a request.
    pub request_time: Duration,
    /// The rate limits in requests a second: per address, and per account.
    pub rates: (NonZeroU32, NonZeroU32),
    /// The time zone of readers who chose none; otherwise that of their browser.
    pub time_zone: Option<TimeZone>,
}

/// Reads a page of a table in one snapshot.
pub type Snapshot = Arc<dyn Fn(&Table, &Scan) -> Result<Page, StoreError> + Send + Sync>;
/// Takes a snapshot of all tables, for exports and backups.
pub type Freeze = Arc<dyn Fn() -> Result<Snapshot, StoreError> + Send + Sync>;

/// A server. Cheap to clone: all clones share the state.
#[derive(Clone)]
pub struct App(Arc<Shared>);

struct Shared {
    chain: Arc<Chain>,
    probe: Probe,
    live: Live,
    freeze: OnceLock<Freeze>,
    lent: ArcSwapOption<Lent>,
    services: ArcSwap<Vec<Arc<dyn Service>>>,
    router: ArcSwap<Router>,
}

/// The operations of one model: each is measured, and each write is audited.
#[derive(Clone)]
pub struct Calls {
    /// The table.
    pub db: Db,
    /// The entities that only editors read.
    pub(crate) reserved: Reserved,
    app: App,
}

impl App {
    /// Creates a server without services: see [`App::load`]. The probe checks the store.
    #[must_use]
    pub fn new(access: Access, metrics: Metrics, settings: Settings, probe: Probe) -> Self {
        let app = Self(Arc::new(Shared {
            chain: Arc::new(Chain::new(access, metrics, settings)),
            probe,
            live: Live::default(),
            freeze: OnceLock::new(),
            lent: ArcSwapOption::empty(),
            services: ArcSwap::default(),
            router: ArcSwap::from_pointee(Router::new()),
        }));
        app.dress(std::iter::empty());
        app.load(Vec::new());
        app
    }

    /// Uses the style sheets and notices of these systems, from the next load on.
    pub fn dress<'s>(&self, systems: impl Iterator<Item = &'s Arc<dyn System>> + Clone) {
        let styles = console::STYLES.into_iter().chain(systems.clone().map(|system| system.style()));
        let (access, server) = (self.access().clone(), Arc::downgrade(&self.0));
        let shell = Shell::new(styles, systems.map(|system| system.notices()))
            .with_clock(move || access.now())
            .with_zone(self.settings().time_zone.clone())
            .with_systems(move |view| {
                let services = server.upgrade().map(|server| server.services.load_full());
                services.map(|services| console::links(&services, view)).unwrap_or_default()
            });
        self.0.chain.shell.store(Arc::new(shell));
    }

    /// Exports from snapshots from now on, which not every store has.
    pub fn export_snapshots(&self, freeze: Freeze) {
        let _ = self.0.freeze.set(freeze);
    }

    /// Replaces the services. Running requests finish with the old ones.
    pub fn load(&self, services: Vec<Arc<dyn Service>>) {
        let mut all: Vec<Route> = Vec::new();
        for service in &services {
            all.extend(routes::of_service(self, &**service));
        }
        all.extend(routes::of_access(self));
        all.extend(routes::of_server(self));
        let models = services.iter().map(|service| &**service.db().model());
        let document = |language| crate::openapi::document(&all, models.clone(), language);
        let documents: Vec<_> = Language::all().map(|language| (language, document(language))).collect();
        all.extend(console::routes(self, &services, &documents));
        let mut own = routes::of_pages(&documents[0].1);
        // A public site may have the address without a path.
        own.retain(|page| all.iter().all(|route| route.path != page.path));
        all.extend(own);
        if self.lent().is_some() {
            all.extend(routes::of_ports(self));
        }
        allow_kept(&mut all);
        let router = self.0.chain.router(all, self.probe(&services));
        self.0.services.store(Arc::new(services));
        self.0.router.store(Arc::new(router));
    }

    /// Checks the store and every service.
    fn probe(&self, services: &[Arc<dyn Service>]) -> Probe {
        let (store, services) = (self.0.probe.clone(), Arc::<[Arc<dyn Service>]>::from(services));
        Arc::new(move || {
            let (store, services) = (store(), services.clone());
            Box::pin(async move {
                store.await?;
                for service in &*services {
                    service.health().await?;
                }
                Ok(())
            })
        })
    }

    /// Lends the ports to workers in other processes, from the next load on; the table of accounts is never lent.
    pub fn lend(&self, mut lent: Lent) {
        lent.tables.retain(|table| table.name != self.access().table().name);
        self.0.lent.store(Some(Arc::new(lent)));
    }

    /// The router of all requests.
    pub fn router(&self) -> Router {
        let app = self.clone();
        let current = move |request: Request| {
            let router = Router::clone(&app.0.router.load());
            async move { Ok::<Response, Infallible>(into_response(router.oneshot(request).await)) }
        };
        Router::new().fallback_service(service_fn(current))
    }

    /// Reports the server as not ready from now on, and ends all streams.
    pub fn drain(&self) {
        self.0.chain.draining.begin();
        self.0.live.end();
    }

    /// The accounts.
    #[must_use]
    pub fn access(&self) -> &Access {
        &self.0.chain.access
    }

    /// The metrics.
    #[must_use]
    pub fn metrics(&self) -> &Metrics {
        &self.0.chain.metrics
    }

    /// The services that are loaded.
    pub(crate) fn services(&self) -> Arc<Vec<Arc<dyn Service>>> {
        self.0.services.load_full()
    }

    /// The style sheet and notices of pages.
    pub(crate) fn shell(&self) -> Arc<Shell> {
        self.0.chain.shell.load_full()
    }

    /// Takes a snapshot of all tables, if the store supports it.
    pub(crate) fn freeze(&self) -> Result<Option<Snapshot>, StoreError> {
        self.0.freeze.get().map(|freeze| freeze()).transpose()
    }

    /// The ports that are lent, if any.
    pub(crate) fn lent(&self) -> Option<Arc<Lent>> {
        self.0.lent.load_full()
    }

    pub(crate) fn live(&self) -> &Live {
        &self.0.live
    }

    /// Completes when the server stops, so that streams can end.
    pub async fn stopping(&self) {
        self.0.live.ended().await;
    }

    /// The operations of one model.
    #[must_use]
    pub fn calls(&self, db: &Db) -> Calls {
        Calls { db: db.clone(), app: self.clone(), reserved: Reserved::default() }
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.0.chain.settings
    }

    /// Runs work in several steps, with an audit entry before and after it. Nothing runs if the first one fails.
    ///
    /// # Errors
    /// Fails if the work does, or if the audit log cannot be written.
    pub async fn audited<T>(
        &self,
        caller: &Caller,
        operation: (&str, &str, &str),
        work: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, Error> {
        self.audited_in_detail(caller, operation, work, |_| None).await
    }

    /// As [`App::audited`]; `detail` says in the entry what was done.
    async fn audited_in_detail<T>(
        &self,
        caller: &Caller,
        (system, operation, subject): (&str, &str, &str),
        work: impl Future<Output = Result<T, Error>>,
        detail: impl FnOnce(&T) -> Option<String>,
    ) -> Result<T, Error> {
        let access = self.access();
        let entry = access.audit_start(audited(caller, (system, operation, subject))).await?;
        let (result, keys) = written(self.metrics().observe(system, operation, work)).await;
        // Keys of accounts, sessions and tokens contain hashes of secrets: the subject names them.
        let named = if system == ACCESS { Vec::new() } else { keys.iter().map(key_text).collect() };
        let done = Done { keys: named, detail: result.as_ref().ok().and_then(detail) };
        let (outcome, code) = match &result {
            Ok(_) => (AuditOutcome::Done, None),
            Err(error) => (outcome(error), Some(error.code.as_str())),
        };
        // The caller gets the outcome of the work; a failure to complete the entry is logged.
        if let Err(error) = access.audit_end(&entry, outcome, code, done).await {
            tracing::error!(%error, entry = entry.id, "an audit entry stays open");
        }
        let services = self.services();
        let model = services.iter().map(|service| service.db().model()).find(|model| *model.name == *system);
        let changed = result.is_ok().then(|| model.and_then(|model| entities(model, &keys)));
        self.tell(system, entry.at, changed);
        result
    }

    /// Runs one write with its audit entry in the same transaction: `write` gets the handle to write through.
    async fn audited_write<T, F: Future<Output = Result<T, Error>>>(
        &self,
        db: &Db,
        caller: &Caller,
        (operation, subject): (&str, &str),
        write: impl FnOnce(Db) -> F,
    ) -> Result<T, Error> {
        let system = &*db.model().name;
        let entry = audited(caller, (system, operation, subject));
        let (plan, keys) = (self.access().audit_plan(entry), Arc::<Mutex<Vec<Key>>>::default());
        let noted = keys.clone();
        let write = write(db.alongside_keys(move |keys| {
            *noted.lock().unwrap_or_else(PoisonError::into_inner) = keys.to_vec();
            plan(keys)
        }));
        let result = self.metrics().observe(system, operation, write).await;
        if let Err(error) = &result
            && let Err(missing) = self.access().audit(entry, outcome(error), Some(error.code.as_str())).await
        {
            tracing::error!(error = %missing, code = error.code.as_str(), "a refused write is not in the audit log");
        }
        let keys = std::mem::take(&mut *keys.lock().unwrap_or_else(PoisonError::into_inner));
        let changed = result.is_ok().then(|| entities(db.model(), &keys));
        self.tell(system, db.clock().moment().now, changed);
        result
    }

    /// Counts an operation, and notifies open pages of a change of these entities.
    fn tell(&self, system: &str, at: Timestamp, changed: Option<Option<Vec<String>>>) {
        self.0.live.count(system, at);
        if let Some(entities) = changed {
            self.0.live.tell(Change { system: system.to_owned(), entities, at });
        }
    }
}

/// Lets the pages that carry the values of another form take as much as that form does: a form whose session has expired
/// is sent to the sign-in page, and one whose language is changed to the choice of language.
fn allow_kept(routes: &mut [Route]) {
    let is_page = |route: &&Route| route.path.starts_with("/console/") && !route.streams;
    let largest = routes.iter().filter(is_page).filter_map(|route| route.max_body).max();
    for route in routes.iter_mut().filter(|route| CARRIERS.contains(&&*route.path)) {
        route.max_body = largest.map(|largest| largest.min(MAX_KEPT) + MAX_NAMES);
    }
}

/// The entities whose records have these keys; `None` if there may be keys that were not noted.
fn entities(model: &Model, keys: &[Key]) -> Option<Vec<String>> {
    if keys.is_empty() || keys.len() >= MAX_KEYS {
        return None;
    }
    let name = |key: &Key| match identify(model, &key.pk, &key.sk)? {
        Identity::Entity { entity, .. } => Some(entity.name.to_string()),
        Identity::Pointer { .. } => None,
    };
    let names: BTreeSet<String> = keys.iter().filter_map(name).collect();
    Some(names.into_iter().collect())
}

/// The entry of an operation.
fn audited<'a>(caller: &'a Caller, (system, operation, subject): (&'a str, &'a str, &'a str)) -> Audited<'a> {
    let who = caller.identity.as_ref();
    Audited { who, origin: &caller.origin, system, operation, subject: Some(subject) }
}

impl Calls {
    /// The same operations, with entities that only editors read.
    pub(crate) fn reserving(self, reserved: Reserved) -> Self {
        Self { reserved, ..self }
    }

    /// The server.
    pub(crate) fn app(&self) -> &App {
        &self.app
    }

    /// Runs a read and measures it.
    ///
    /// # Errors
    /// Fails if the read does.
    pub async fn measured<T>(
        &self,
        operation: &str,
        read: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, Error> {
        let system = &self.db.model().name;
        self.app.live().count(system, self.db.clock().moment().now);
        self.app.metrics().observe(system, operation, read).await
    }

    /// Runs one write, measured and with its audit entry in the same transaction. `write` gets the table to write
    /// through, and must write once.
    ///
    /// # Errors
    /// Fails if the write does, or if the audit log cannot be written.
    pub async fn audited_write<T, F: Future<Output = Result<T, Error>>>(
        &self,
        caller: &Caller,
        operation: &str,
        subject: &str,
        write: impl FnOnce(Db) -> F,
    ) -> Result<T, Error> {
        self.app.audited_write(&self.db, caller, (operation, subject), write).await
    }

    /// Runs work in several steps, measured and with an audit entry before and after it.
    ///
    /// # Errors
    /// Fails if the work does, or if the audit log cannot be written.
    pub async fn audited<T>(
        &self,
        caller: &Caller,
        operation: &str,
        subject: &str,
        write: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, Error> {
        self.app.audited(caller, (&self.db.model().name, operation, subject), write).await
    }

    /// As [`Calls::audited`]; `detail` says in the audit entry what was done.
    pub(crate) async fn audited_in_detail<T>(
        &self,
        caller: &Caller,
        (operation, subject): (&str, &str),
        write: impl Future<Output = Result<T, Error>>,
        detail: impl FnOnce(&T) -> Option<String>,
    ) -> Result<T, Error> {
        let operation = (&*self.db.model().name, operation, subject);
        self.app.audited_in_detail(caller, operation, write, detail).await
    }
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
