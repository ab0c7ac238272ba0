//! Events as they are served, and the worker that decides them in this process.

use std::sync::Arc;
use std::time::Duration;

use hansang_core::kind::text::ulid;
use hansang_core::{Db, Model, Queue};
use hansang_entry::{Entry, MODEL, QUEUE, Settings, Worker, work};
use hansang_server::{EntryDoor, System, Verbs};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::config::Config;
use crate::failure::Failure;
use crate::model::source;
use crate::ports::Named;
use crate::target::clock;

/// How often a message is delivered at most. A worker gives up earlier, and knows why.
const DELIVERIES: u32 = 100;

/// The model of entry, as this program knows it.
pub(crate) fn own_model() -> Result<Model, Failure> {
    source::built_in(MODEL)
}

/// Whether a model is that of entry: it has the name and the table of it.
pub(crate) fn is_entry(model: &Model) -> Result<bool, Failure> {
    let own = own_model()?;
    Ok(model.name == own.name && model.table.name == own.table.name)
}

/// The queue of an environment.
pub(crate) fn queue_name(env: Option<&str>) -> String {
    env.map_or_else(|| QUEUE.to_owned(), |env| format!("{QUEUE}-{env}"))
}

/// Which queue it is.
pub(crate) fn named(name: &str) -> Named<'_> {
    Named { queue: name, max_attempts: DELIVERIES }
}

/// The verbs on a table and a queue. `parallel` says how many batches of an event are decided at once.
pub(crate) fn entry(
    config: &Config,
    db: Db,
    queue: Arc<dyn Queue>,
    parallel: usize,
) -> Result<Entry, Failure> {
    let days = |name: &str| config.need::<u32>(name, "a whole number of days");
    let settings = Settings {
        parallel,
        request_days: days("entry-request-days")?,
        lock_days: days("entry-lock-days")?,
        log_days: days("entry-log-days")?,
        ..Settings::default()
    };
    Ok(Entry { db, queue, settings })
}

/// The system that serves it, on the data of its model as everybody may see it.
pub(super) fn system(config: &Config, db: Db, entry: Entry, secret: &[u8]) -> Result<System, Failure> {
    let tokens = config.is_on("entry-tokens")?;
    let rate = config.need("rate-entries", "a whole number from 1 on")?;
    let door = EntryDoor::new(entry, tokens.then(|| secret.to_vec()), rate);
    Ok(System { db, verbs: Verbs::Entry(Arc::new(door)) })
}

/// A worker that runs beside the server.
pub(super) struct Working {
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl Working {
    /// Starts one, if any are wanted.
    pub(super) fn start(config: &Config, entry: Entry) -> Result<Option<Self>, Failure> {
        let loops: usize = config.need("entry-workers", "a whole number")?;
        if loops == 0 {
            return Ok(None);
        }
        let worker = Worker { loops, ..Worker::named(name()) };
        let (stop, mut stopped) = watch::channel(false);
        let task = tokio::spawn(async move {
            let stop = async move {
                let _ = stopped.wait_for(|stopped| *stopped).await;
            };
            tokio::pin!(stop);
            tokio::select! {
                () = queue_is_made(&entry) => work(&entry, &worker, stop).await,
                () = &mut stop => {}
            }
        });
        Ok(Some(Self { stop, task }))
    }

    /// Lets it end what it began.
    pub(super) async fn stop(self) {
        let _ = self.stop.send(true);
        let _ = self.task.await;
    }
}

/// Done when there is a queue. A server starts without one: what people enter meanwhile waits for it.
pub(crate) async fn queue_is_made(entry: &Entry) {
    while let Err(error) = entry.queue.ensure().await {
        tracing::warn!(%error, "there is no queue yet: entries wait until there is one");
        tokio::time::sleep(Duration::from_secs(5)).await;
    }
}

/// What a worker is called: another name at every start, because a lease is known by it.
pub(crate) fn name() -> String {
    let moment = clock().moment();
    let id = ulid(u64::try_from(moment.now.as_millisecond()).unwrap_or_default(), moment.random);
    format!("{}-{id}", std::process::id())
}
