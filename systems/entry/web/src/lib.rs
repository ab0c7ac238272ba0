#![doc = include_str!("../README.md")]

use std::fmt;
use std::io::Write;
use std::num::NonZeroU32;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use clap::ArgMatches;
use futures_util::future::BoxFuture;
use hansang_command::{Config, Context, Failure, Setting, say};
use hansang_core::kind::text::ulid;
use hansang_core::{Db, Error, Model};
use hansang_entry::{Entry, Gate, MODEL, QUEUE, Settings, Worker, work};
use hansang_http::limits::Limiter;
use hansang_http::route::Route;
use hansang_server::{
    App, Console, Document, Hit, Opening, QueueSpec, Records, Service, Stop, System, WorkerProcess, rate,
};
use hansang_ui::frame::{Tab, View};
use hansang_ui::notice::Notice;

use known::Known;

mod actions;
mod api;
mod code;
mod commands;
mod demo;
mod known;
mod messages;
mod notices;
mod pages;
mod search;
mod shared;

/// First-come and lottery events.
#[derive(Clone, Copy, Debug)]
pub struct EntrySystem;

/// The settings of events.
const SETTINGS: &[Setting] = &[
    Setting::new(
        "entry-workers",
        "N",
        "4",
        "How many batches of entries are decided at once in this process; with 0 a server leaves it to `hansang worker`",
    ),
    Setting::new("entry-tokens", "", "false", "Require an entry token to enter an event"),
    Setting::new("entry-request-days", "N", "90", "How long a request is kept after the end of its event"),
    Setting::new(
        "entry-lock-days",
        "N",
        "7",
        "How long a user is kept to one entry after the end of its event",
    ),
    Setting::new("entry-log-days", "N", "30", "How long the log of a request is kept"),
    Setting::new("rate-entries", "N", "5", "Entries a second of one account"),
];

/// The deliveries of a message before it becomes a dead letter. A worker gives up earlier, with a reason.
const MAX_DELIVERIES: u32 = 100;
/// The pause before a worker looks again for a queue that does not exist yet.
const QUEUE_PAUSE: Duration = Duration::from_secs(5);

/// The state of the served system.
pub(crate) struct Door {
    /// The table, with the served model.
    pub(crate) db: Db,
    /// The operations, on the complete model.
    pub(crate) entry: Entry,
    /// The key of entry tokens; `None` if no token is required.
    pub(crate) token_secret: Option<Vec<u8>>,
    /// The rate limit of entries per account, shared by the API and pages.
    pub(crate) rates: Limiter,
    /// Submits entries that arrive together in one batch.
    pub(crate) gate: Gate,
    /// Reads that many visitors share.
    pub(crate) known: Known,
    /// The number of loops of a worker.
    loops: usize,
}

#[async_trait]
impl System for EntrySystem {
    fn model(&self) -> &'static str {
        MODEL
    }

    fn settings(&self) -> &'static [Setting] {
        SETTINGS
    }

    fn queue(&self) -> Option<QueueSpec> {
        Some(QueueSpec { name: QUEUE, max_attempts: MAX_DELIVERIES })
    }

    fn style(&self) -> &'static str {
        include_str!("style.css")
    }

    fn notices(&self) -> &'static [Notice] {
        notices::ALL
    }

    fn command(&self) -> Option<clap::Command> {
        Some(commands::command())
    }

    fn run(&self, matches: &ArgMatches, _: &Context, out: &mut dyn Write) -> Result<ExitCode, Failure> {
        commands::run(matches, out)
    }

    fn check_local_write(&self) -> Result<(), Failure> {
        Err(Failure::usage(
            "entries are written by the server and its workers alone: see `hansang entry --help`",
        ))
    }

    async fn open(&self, opening: Opening<'_>) -> Result<Arc<dyn Service>, Failure> {
        let Opening { config, db, own, queue, secret, local, .. } = opening;
        let Some(queue) = queue else {
            say("entry is served as plain records: with --sqs-endpoint-url it would have a queue");
            return Ok(Arc::new(Records::new(db)));
        };
        if local {
            queue.ensure().await.map_err(hansang_core::Error::from)?;
        }
        let entry = Entry { db: own, queue, settings: settings(config, local)? };
        let tokens = config.is_on("entry-tokens")?;
        let entries: NonZeroU32 = config.need("rate-entries", "a whole number from 1 on")?;
        Ok(Arc::new(EntryService(Arc::new(Door {
            db,
            gate: Gate::new(entry.clone()),
            entry,
            token_secret: tokens.then(|| secret.to_vec()),
            rates: Limiter::new(rate(entries)),
            known: Known::default(),
            loops: config.need("entry-workers", "a whole number")?,
        }))))
    }
}

/// The settings of the operations.
fn settings(config: &Config, local: bool) -> Result<Settings, Failure> {
    let days = |name: &str| config.need::<u32>(name, "a whole number of days");
    Ok(Settings {
        // In the embedded store transactions queue up; in DynamoDB those on one item conflict.
        parallel: if local { 20 } else { 1 },
        request_days: days("entry-request-days")?,
        lock_days: days("entry-lock-days")?,
        log_days: days("entry-log-days")?,
        ..Settings::default()
    })
}

/// The open system.
struct EntryService(Arc<Door>);

#[async_trait]
impl Service for EntryService {
    fn db(&self) -> &Db {
        &self.0.db
    }

    fn whole_model(&self) -> &Arc<Model> {
        self.0.entry.db.model()
    }

    fn has_generic_writes(&self) -> bool {
        false
    }

    fn icon(&self) -> &'static str {
        "calendar"
    }

    fn is_for_everyone(&self) -> bool {
        true
    }

    fn routes(&self, app: &App) -> Vec<Route> {
        api::Entries::new(app, self.0.clone()).routes()
    }

    fn pages(&self, console: &Console) -> Vec<Route> {
        pages::routes(console, &self.0)
    }

    fn tabs(&self, view: &View) -> Vec<Tab> {
        pages::tabs(view, &self.0.db.model().name)
    }

    async fn search(&self, view: &View, text: &str) -> Result<Vec<Hit>, Error> {
        search::find(&self.0, view, text).await
    }

    fn documents(&self) -> Vec<Document> {
        vec![Document {
            name: "entry",
            english: "Events",
            korean: "이벤트",
            search: include_str!("../../../../docs/korean/entry.txt"),
            text: include_str!("../../../../docs/entry.md"),
        }]
    }

    async fn fill_demo(&self) -> Result<(), Failure> {
        demo::fill(&self.0.entry).await
    }

    fn worker(&self, process: WorkerProcess, stop: Stop) -> Option<BoxFuture<'static, ()>> {
        let loops = match process {
            WorkerProcess::Server => self.0.loops,
            WorkerProcess::Alone => self.0.loops.max(1),
        };
        if loops == 0 {
            return None;
        }
        let entry = self.0.entry.clone();
        let worker = Worker { loops, ..Worker::named(worker_name(&entry)) };
        Some(Box::pin(async move {
            tokio::select! {
                () = wait_for_queue(&entry) => work(&entry, &worker, stop.stopped()).await,
                () = stop.clone().stopped() => {}
            }
        }))
    }
}

/// Waits for the queue. Entries that arrive meanwhile wait in the table.
async fn wait_for_queue(entry: &Entry) {
    while let Err(error) = entry.queue.ensure().await {
        tracing::warn!(%error, "there is no queue yet: entries wait until there is one");
        tokio::time::sleep(QUEUE_PAUSE).await;
    }
}

/// The name of a worker. New at every start, because it identifies the owner of a lease.
fn worker_name(entry: &Entry) -> String {
    let moment = entry.db.clock().moment();
    let id = ulid(u64::try_from(moment.now.as_millisecond()).unwrap_or_default(), moment.random);
    format!("{}-{id}", std::process::id())
}

/// Leaves out the secret.
impl fmt::Debug for Door {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Door")
            .field("entry", &self.entry)
            .field("tokens", &self.token_secret.is_some())
            .finish_non_exhaustive()
    }
}
