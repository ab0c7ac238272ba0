//! `hansang worker`: runs the background work of the systems, beside a server and in any number.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use futures_util::future::join_all;
use hansang_command::{Config, Failure, say};
use hansang_core::cursor::CursorKey;
use hansang_core::{Db, Error, ErrorKind, Queue};
use hansang_http::telemetry::Telemetry;
use hansang_server::{Opening, Service, Stop, WorkerProcess};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::config::Flags;
use crate::model::source;
use crate::ports::{LenderArguments, Ports, open_cache, open_files};
use crate::serve::telemetry;
use crate::systems;
use crate::target::clock;

/// The pause before a worker looks again for a table or a queue that does not exist yet.
const PAUSE: Duration = Duration::from_secs(1);

/// The arguments of a worker.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    lender: LenderArguments,
    #[command(flatten)]
    flags: Flags,
}

/// A running worker.
pub(crate) struct Working {
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl Working {
    /// Starts the worker of a service, if it has one.
    pub(crate) fn start(service: &dyn Service, process: WorkerProcess) -> Option<Self> {
        let (stop, stopped) = Stop::channel();
        let work = service.worker(process, stopped)?;
        Some(Self { stop, task: tokio::spawn(work) })
    }

    /// Stops the worker after its current work.
    pub(crate) async fn stop(self) {
        let _ = self.stop.send(true);
        let _ = self.task.await;
    }
}

/// Runs until it is told to stop.
pub(crate) fn run(arguments: Arguments) -> Result<ExitCode, Failure> {
    let config = arguments.flags.resolve()?;
    tokio::runtime::Runtime::new()?.block_on(async {
        let telemetry = Telemetry::start(&telemetry(&config)?)?;
        // Signals are handled before the greeting is printed.
        let (mut terminate, mut interrupt) =
            (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
        let ports = Ports::open(&config, &arguments.lender).await?;
        let services = tokio::select! {
            services = open(&config, &ports) => services?,
            _ = terminate.recv() => return Ok(ExitCode::SUCCESS),
            _ = interrupt.recv() => return Ok(ExitCode::SUCCESS),
        };
        let workers = services.iter().map(|service| Working::start(&**service, WorkerProcess::Alone));
        let workers: Vec<Working> = workers.flatten().collect();
        say(&format!("working as {}", std::process::id()));
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        say("stopping; what was begun is finished");
        join_all(workers.into_iter().map(Working::stop)).await;
        if let Some(store) = &ports.embedded {
            store.settle();
        }
        telemetry.stop().await;
        Ok(ExitCode::SUCCESS)
    })
}

/// Opens every system that has a queue.
async fn open(config: &Config, ports: &Ports) -> Result<Vec<Arc<dyn Service>>, Failure> {
    let mut services = Vec::new();
    for system in systems::all() {
        let Some(spec) = system.queue() else { continue };
        let queue = ports.queue(config, spec).await?;
        let model = Arc::new(source::built_in(system.model())?);
        let key = CursorKey::new(b"hansang worker");
        let db = Db::new(model, config.text("env"), ports.store.clone(), clock(), key);
        wait_for(&db, &*queue).await?;
        let opening = Opening {
            config,
            own: db.clone(),
            db,
            queue: Some(queue),
            open_files,
            open_cache,
            secret: &[],
            local: ports.embedded.is_some() || ports.lent,
            before: None,
        };
        services.push(system.open(opening).await?);
    }
    Ok(services)
}

/// Waits for the table and the queue: a worker may start before its server.
async fn wait_for(db: &Db, queue: &dyn Queue) -> Result<(), Error> {
    let mut told = None;
    loop {
        let made = async {
            db.ensure_table().await?;
            Ok::<_, Error>(queue.ensure().await?)
        };
        match made.await {
            Err(error) if error.kind == ErrorKind::Unavailable => {
                if told.as_ref() != Some(&error.message) {
                    say(&format!("not there yet, and looked for every second: {}", error.message));
                    told = Some(error.message);
                }
                tokio::time::sleep(PAUSE).await;
            }
            other => return other,
        }
    }
}
