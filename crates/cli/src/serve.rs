//! `hansang serve`: joins the store, the models and the server.

use std::collections::BTreeMap;
use std::future::Future;
use std::io::Write;
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use hansang_access::{ACCESS_MODEL, Access, AccessSettings, OidcSettings, Secret, cursor_secret};
use hansang_command::{Config, Failure, say};
use hansang_core::cursor::CursorKey;
use hansang_core::plan::Scan;
use hansang_core::{Db, Model, Queue, Store, Table, compile};
use hansang_embedded::Embedded;
use hansang_http::listen::{self, Listening, Tls};
use hansang_http::metrics::{Metered, Metrics};
use hansang_http::telemetry::{Telemetry, TelemetrySettings};
use hansang_server::{App, Lent, Opening, Records, Service, Settings, WorkerProcess};
use jiff::tz::TimeZone;
use tokio::net::TcpListener;
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::config::Flags;
use crate::languages;
use crate::ports::{open_cache, open_files, open_queue, open_store, queue_name};
use crate::systems;
use crate::target::{clock, now};
use crate::worker::Working;

mod descriptors;
mod models;
mod running;

use running::Note;
pub(crate) use running::reload;

/// The exit code of a server that did not stop in time.
const NOT_FINISHED: i32 = 5;

/// Runs the server until it is stopped.
pub(crate) fn run(flags: Flags) -> Result<ExitCode, Failure> {
    let config = flags.clone().resolve()?;
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(async {
        let telemetry = Telemetry::start(&telemetry(&config)?)?;
        let result = serve(config, flags).await;
        telemetry.stop().await;
        result
    })
}

/// `hansang config`.
pub(crate) fn print(flags: Flags, out: &mut impl Write) -> Result<ExitCode, Failure> {
    flags.resolve()?.print(out)?;
    Ok(ExitCode::SUCCESS)
}

/// Interval in which the server looks for its first administrator.
const SET_UP_INTERVAL: Duration = Duration::from_secs(2);

/// The parts of a running server.
struct Server {
    app: App,
    store: Arc<dyn Store>,
    /// The embedded store, if it is in this process.
    embedded: Option<Embedded>,
    secret: Vec<u8>,
    tls: Option<Tls>,
    /// The flags of the start, for reading the file of settings again.
    flags: Flags,
    config: Config,
    services: Vec<Arc<dyn Service>>,
    queues: BTreeMap<String, Arc<dyn Queue>>,
    working: Vec<Working>,
}

async fn serve(config: Config, flags: Flags) -> Result<ExitCode, Failure> {
    let max_files = descriptors::raise_limit()?;
    let address: SocketAddr = config.need("listen", "an address such as 127.0.0.1:8080")?;
    let listener = TcpListener::bind(address).await.map_err(|error| {
        let text = format!("cannot listen on {address}: {error}; choose another with --listen");
        Failure::Message { text, code: 5 }
    })?;
    let address = listener.local_addr()?;
    languages::install(&config)?;
    let tls = tls(&config)?;
    let listening = listening(&config, max_files)?;
    let metrics = Metrics::new(now());
    let data: PathBuf = config.need("data", "a directory")?;
    let (store, embedded) = open_store(&config).await?;
    let store: Arc<dyn Store> = Arc::new(Metered { store, metrics: metrics.clone() });
    let (access, secret) = access(&config, &store, config.text("env")).await?;
    let probe = {
        let access = access.clone();
        Arc::new(move || {
            let access = access.clone();
            Box::pin(async move { access.probe_write().await }) as futures_util::future::BoxFuture<'static, _>
        })
    };
    let app = App::new(access.clone(), metrics, settings(&config, tls.is_some())?, probe);
    app.dress(systems::all().iter());
    if let Some(store) = embedded.clone() {
        app.export_snapshots(Arc::new(move || {
            let frozen = store.freeze()?;
            Ok(Arc::new(move |table: &Table, scan: &Scan| frozen.scan(table, scan)))
        }));
    }
    let mut server = Server {
        app,
        store,
        embedded,
        secret,
        tls,
        flags,
        config,
        services: Vec::new(),
        queues: BTreeMap::new(),
        working: Vec::new(),
    };
    let services = server.open(&server.config.clone()).await?;
    if server.config.is_on("demo")? {
        for service in &services {
            fill_demo(&**service).await?;
        }
    }
    server.serve(services).await?;
    let mut note = Note::new(&data)?;
    // Signals are handled before the address is printed.
    let grace = seconds(&server.config, "grace-seconds")?;
    let (mut hang_up, shutdown) = (signal(SignalKind::hangup())?, stop(&server.app, grace)?);
    let mut set_up = remember_set_up(&server, &access).await?;
    greet(&server.config, &access, address, server.tls.is_some()).await?;
    let mut look = tokio::time::interval(SET_UP_INTERVAL);
    let router = server.app.router();
    let serving = listen::serve(listener, server.tls.clone(), router, listening, shutdown);
    tokio::pin!(serving);
    loop {
        tokio::select! {
            ended = &mut serving => {
                for working in server.working.drain(..) {
                    working.stop().await;
                }
                server.embedded.iter().for_each(Embedded::settle);
                say(&format!("stopped; {} requests were cut off", ended.cut_off));
                return Ok(ExitCode::SUCCESS);
            }
            _ = look.tick(), if !set_up => set_up = remember_set_up(&server, &access).await.unwrap_or_default(),
            _ = hang_up.recv() => note.loaded(server.reload().await.err().as_deref()),
        }
    }
}

impl Server {
    /// Opens every model of a configuration with its system.
    async fn open(&mut self, config: &Config) -> Result<Vec<Arc<dyn Service>>, Failure> {
        let directory = config.get::<PathBuf>("models", "a directory")?;
        let mut services: Vec<Arc<dyn Service>> = Vec::new();
        for model in models::load(directory.as_deref())? {
            let system = systems::of_model(&model)?;
            let db = self.db(model.public());
            db.ensure_table().await?;
            let Some((system, own)) = system else {
                services.push(Arc::new(Records::new(db)));
                continue;
            };
            let queue = match system.queue() {
                Some(spec) => open_queue(&self.config, self.embedded.as_ref(), spec).await?,
                None => None,
            };
            if let (Some(queue), Some(spec)) = (&queue, system.queue()) {
                self.queues.insert(queue_name(spec, self.config.text("env")), queue.clone());
            }
            let own = self.db(own);
            let before = self.services.iter().find(|before| before.db().model().name == own.model().name);
            let opening = Opening {
                config,
                db,
                own,
                queue,
                open_files,
                open_cache,
                secret: &self.secret,
                local: self.embedded.is_some(),
                before: before.cloned(),
            };
            services.push(system.open(opening).await?);
        }
        Ok(services)
    }

    fn db(&self, model: Model) -> Db {
        let key = CursorKey::new(&self.secret);
        Db::new(Arc::new(model), self.config.text("env"), self.store.clone(), clock(), key)
    }

    /// Serves these services, and starts their workers.
    async fn serve(&mut self, services: Vec<Arc<dyn Service>>) -> Result<(), Failure> {
        if self.config.is_on("lend-ports")? {
            let tables = services.iter().map(|service| service.db().table().clone()).collect();
            let queues = self.queues.iter().map(|(name, queue)| (name.clone(), queue.clone())).collect();
            self.app.lend(Lent { store: self.store.clone(), tables, queues });
        }
        self.app.load(services.clone());
        for working in self.working.drain(..) {
            working.stop().await;
        }
        let workers = services.iter().map(|service| Working::start(&**service, WorkerProcess::Server));
        self.working = workers.flatten().collect();
        self.services = services;
        Ok(())
    }

    /// Reloads settings, models and certificates. A failure leaves everything unchanged.
    async fn reload(&mut self) -> Result<(), String> {
        let loaded = async {
            let config = self.flags.clone().resolve()?;
            let services = self.open(&config).await?;
            self.tls.as_ref().map_or(Ok(()), Tls::reload)?;
            Ok((config, services))
        };
        match loaded.await {
            Ok((config, services)) => {
                if let Err(failure) = self.serve(services).await {
                    return Err(said(failure));
                }
                say("models loaded");
                self.tell_what_waits(&config);
                Ok(())
            }
            Err(failure) => {
                let problem = said(failure);
                say(&format!("models not loaded, everything stays as it is: {problem}"));
                Err(problem)
            }
        }
    }

    /// Prints the changed settings that need a restart.
    fn tell_what_waits(&self, config: &Config) {
        for name in self.config.needs_restart(config) {
            say(&format!("`{name}` was changed: it stays as it was until the server is started again"));
        }
    }
}

/// Fills the table of a service with examples, if it is empty.
async fn fill_demo(service: &dyn Service) -> Result<(), Failure> {
    let db = service.db();
    let look = Scan { index: None, limit: 1, start: None, consistent: true };
    if db.store().scan(db.table(), &look).await?.items.is_empty() {
        service.fill_demo().await?;
    }
    Ok(())
}

fn said(failure: Failure) -> String {
    match failure {
        Failure::Message { text, .. } => text,
        Failure::BrokenPipe => String::new(),
    }
}

/// Returns whether there is an administrator, and records it outside the accounts: if they are lost, a new set-up link
/// would give the directory to anyone who reads it.
async fn remember_set_up(server: &Server, access: &Access) -> Result<bool, Failure> {
    let is_set_up = access.is_set_up().await?;
    if let Some(store) = &server.embedded {
        let fact = format!("administrator of {}", access.table().name);
        if is_set_up {
            store.remember(&fact)?;
        } else if store.remembers(&fact) {
            let text = "this data directory had an administrator, and its accounts are gone: restore a backup of \
                        them (`hansang table restore access`), or name another directory";
            return Err(Failure::Message { text: text.to_owned(), code: 1 });
        }
    }
    Ok(is_set_up)
}

/// Prints the address of the server, and the set-up link for its first administrator.
async fn greet(config: &Config, access: &Access, address: SocketAddr, tls: bool) -> Result<(), Failure> {
    let scheme = if tls { "https" } else { "http" };
    let own = format!("{scheme}://{address}");
    let shown = config.text("address").map_or(own.as_str(), |address| address.trim_end_matches('/'));
    say(&format!("Hansang is at {shown}"));
    if let Some(secret) = access.set_up_link().await? {
        say(&format!(
            "Create the first administrator (this link works once): {shown}/set-up?key={}",
            secret.expose()
        ));
    }
    Ok(())
}

/// Completes when the server is told to stop, and starts the grace period.
fn stop(app: &App, grace: Duration) -> Result<impl Future<Output = ()> + use<>, Failure> {
    let (mut terminate, mut interrupt): (Signal, Signal) =
        (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    let app = app.clone();
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        end_in_time(grace);
        app.drain();
        say("stopping; requests that are being answered may finish");
    })
}

/// Ends the process after the grace period, even if requests, workers or the store hang.
fn end_in_time(grace: Duration) {
    // A thread of its own, because the store may block those of the runtime.
    std::thread::spawn(move || {
        std::thread::sleep(grace);
        say("stopped before everything was finished: grace-seconds are over");
        std::process::exit(NOT_FINISHED);
    });
}

/// The accounts, and the key for signing cursors.
async fn access(
    config: &Config,
    store: &Arc<dyn Store>,
    env: Option<&str>,
) -> Result<(Access, Vec<u8>), Failure> {
    let model = compile(ACCESS_MODEL.as_bytes()).map_err(|_| Failure::Message {
        text: "the model of accounts does not compile: this is a mistake in Hansang".to_owned(),
        code: 1,
    })?;
    let model = Arc::new(model);
    let joined = |secret: &[u8]| Db::new(model.clone(), env, store.clone(), clock(), CursorKey::new(secret));
    // Reading the secret needs no cursors, so the key may be empty.
    let db = joined(&[]);
    db.ensure_table().await?;
    let secret = match config.text("cursor-secret") {
        Some(secret) => secret.to_owned(),
        None => cursor_secret(&db).await?.expose().to_owned(),
    };
    let settings = AccessSettings {
        session_idle: hours(config, "session-hours")?,
        audit_days: positive(config, "audit-days", "days")?,
        oidc: oidc(config)?,
        device_secret: Some(Secret::new(secret.clone())),
        ..AccessSettings::default()
    };
    let secret = secret.into_bytes();
    Ok((Access::new(joined(&secret), settings)?, secret))
}

fn oidc(config: &Config) -> Result<Option<OidcSettings>, Failure> {
    let Some(issuer) = config.text("oidc-issuer") else { return Ok(None) };
    Ok(Some(OidcSettings {
        issuer: issuer.to_owned(),
        audience: config.need("oidc-audience", "the audience of the provider's tokens")?,
        jwks_url: config.need("oidc-jwks", "the address of the provider's keys")?,
        role_claim: config.need("oidc-role-claim", "the name of a claim")?,
    }))
}

fn settings(config: &Config, tls: bool) -> Result<Settings, Failure> {
    let behind_proxy = config.is_on("behind-proxy")?;
    let https = config.text("address").is_some_and(|address| address.starts_with("https://"));
    let rate = |name: &str| config.need::<NonZeroU32>(name, "a whole number from 1 on");
    Ok(Settings {
        tls: tls || https,
        behind_proxy,
        metrics_open: config.is_on("metrics-open")?,
        max_body: positive(config, "max-body", "bytes")?,
        max_requests: positive(config, "max-requests", "requests")?,
        request_time: seconds(config, "request-seconds")?,
        rates: (rate("rate-address")?, rate("rate-account")?),
        time_zone: time_zone(config)?,
    })
}

fn time_zone(config: &Config) -> Result<Option<TimeZone>, Failure> {
    let Some(name) = config.text("time-zone").filter(|name| !name.is_empty()) else { return Ok(None) };
    match TimeZone::get(name) {
        Ok(zone) => Ok(Some(zone)),
        Err(_) => {
            Err(Failure::usage(format!("`time-zone` must be a name such as Asia/Seoul, and is `{name}`")))
        }
    }
}

fn listening(config: &Config, max_files: u64) -> Result<Listening, Failure> {
    let max_connections = positive(config, "max-connections", "connections")?;
    let of_address = positive(config, "max-connections-address", "connections")?;
    Ok(Listening {
        max_connections: descriptors::connections(max_files, max_connections),
        // Behind a proxy all connections come from its address.
        max_connections_of_address: (!config.is_on("behind-proxy")?).then_some(of_address),
        grace: for_requests(seconds(config, "grace-seconds")?),
        ..Listening::default()
    })
}

/// The part of the grace period for requests; the rest is for closing the store.
fn for_requests(grace: Duration) -> Duration {
    grace - (grace / 10).min(Duration::from_secs(2))
}

fn tls(config: &Config) -> Result<Option<Tls>, Failure> {
    let file = |name: &str| config.get::<PathBuf>(name, "a file");
    match (file("tls-certificate")?, file("tls-key")?) {
        (None, None) => Ok(None),
        (Some(certificate), Some(key)) => Ok(Some(Tls::load(certificate, key)?)),
        _ => Err(Failure::usage("TLS needs both --tls-certificate and --tls-key")),
    }
}

pub(crate) fn telemetry(config: &Config) -> Result<TelemetrySettings, Failure> {
    let json = match config.text("log") {
        Some("json") => true,
        Some("plain") | None => false,
        Some(other) => return Err(Failure::usage(format!("`log` must be plain or json, and is `{other}`"))),
    };
    Ok(TelemetrySettings {
        json,
        filter: config.need("log-level", "a level such as `info`")?,
        otlp_endpoint: config.text("otlp-endpoint").map(str::to_owned),
        service: "hansang".to_owned(),
    })
}

/// A number of something from 1 on: with 0 the server would refuse everything.
fn positive<N: FromStr + Default + PartialEq>(config: &Config, name: &str, what: &str) -> Result<N, Failure> {
    let wanted = format!("a whole number of {what} from 1 on");
    let number: N = config.need(name, &wanted)?;
    if number == N::default() {
        return Err(Failure::usage(format!("`{name}` must be {wanted}")));
    }
    Ok(number)
}

fn seconds(config: &Config, name: &str) -> Result<Duration, Failure> {
    positive(config, name, "seconds").map(Duration::from_secs)
}

fn hours(config: &Config, name: &str) -> Result<Duration, Failure> {
    let hours: u32 = positive(config, name, "hours")?;
    Ok(Duration::from_secs(u64::from(hours) * 3600))
}
