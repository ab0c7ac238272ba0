//! `hansang worker`: decides what is queued, beside a server and in any number.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use hansang_core::cursor::CursorKey;
use hansang_core::{Db, Error, ErrorKind, Queue};
use hansang_entry::{Worker, work};
use hansang_server::telemetry::Telemetry;
use tokio::signal::unix::{SignalKind, signal};

use crate::config::Flags;
use crate::failure::{Failure, say};
use crate::ports::{LenderArguments, Ports};
use crate::serve::{entry, resolve, telemetry};
use crate::target::clock;

/// How long it takes until a worker looks again for what is not there yet.
const PAUSE: Duration = Duration::from_secs(1);

/// What a worker is told.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    lender: LenderArguments,
    #[command(flatten)]
    flags: Flags,
}

/// Works until it is told to stop.
pub(crate) fn run(arguments: Arguments) -> Result<ExitCode, Failure> {
    let config = resolve(arguments.flags)?;
    tokio::runtime::Runtime::new()?.block_on(async {
        let telemetry = Telemetry::start(&telemetry(&config)?)?;
        // Whoever reads the greeting may send a signal.
        let (mut terminate, mut interrupt) =
            (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
        let name = entry::queue_name(config.text("env"));
        let ports = Ports::open(&config, &arguments.lender, entry::named(&name)).await?;
        let key = CursorKey::new(entry::name().as_bytes());
        let db =
            Db::new(Arc::new(entry::own_model()?), config.text("env"), ports.store.clone(), clock(), key);
        tokio::select! {
            made = until_there(&db, &*ports.queue) => made?,
            _ = terminate.recv() => return Ok(ExitCode::SUCCESS),
            _ = interrupt.recv() => return Ok(ExitCode::SUCCESS),
        }
        let entry =
            entry::entry(&config, db, ports.queue.clone(), parallel(ports.embedded.is_some() || ports.lent))?;
        let loops: usize = config.need("entry-workers", "a whole number")?;
        let worker = Worker { loops: loops.max(1), ..Worker::named(entry::name()) };
        say(&format!("working as {}", worker.name));
        let stop = async {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
            say("stopping; what was begun is finished");
        };
        work(&entry, &worker, stop).await;
        if let Some(store) = &ports.embedded {
            store.settle();
        }
        telemetry.stop().await;
        Ok(ExitCode::SUCCESS)
    })
}

/// Waits for the table and the queue: a worker may be started before its server, or while that one is replaced.
async fn until_there(db: &Db, queue: &dyn Queue) -> Result<(), Error> {
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

/// How many batches of an event are decided at once. In the embedded store transactions queue up behind each other;
/// in DynamoDB those that meet on one item refuse each other.
pub(crate) fn parallel(embedded: bool) -> usize {
    if embedded { 20 } else { 1 }
}
