//! The interface between the server and a system.
//!
//! A [`System`] is compiled into a program: a model, settings, commands, styles of pages. Opened on a store and a queue
//! it becomes a [`Service`]: operations, pages, workers, health. `docs/systems.md` shows a complete example.

use std::any::Any;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

use async_trait::async_trait;
use clap::ArgMatches;
use futures_util::future::BoxFuture;
use hansang_command::{Config, Context, Failure, OpenCache, OpenFiles, Setting};
use hansang_core::{Db, Error, Model, Queue};
use hansang_http::metrics::Figure;
use hansang_http::route::Route;
use hansang_ui::frame::{Tab, View};
use hansang_ui::notice::Notice;
use tokio::sync::watch;

use crate::{App, Console, Document, Hit, Reserved};

/// A system as it is compiled into a program.
#[async_trait]
pub trait System: Send + Sync + 'static {
    /// The model file, in YAML. The name of the model is the name of the system.
    fn model(&self) -> &'static str;

    /// The settings of the system, named `<system>-…`.
    fn settings(&self) -> &'static [Setting] {
        &[]
    }

    /// The queue that its workers take messages from.
    fn queue(&self) -> Option<QueueSpec> {
        None
    }

    /// The style sheet of its pages.
    fn style(&self) -> &'static str {
        ""
    }

    /// The notices of its pages.
    fn notices(&self) -> &'static [Notice] {
        &[]
    }

    /// The command `hansang <system> …`.
    fn command(&self) -> Option<clap::Command> {
        None
    }

    /// Runs the command.
    ///
    /// # Errors
    /// Fails if the command cannot do its work.
    fn run(
        &self,
        _matches: &ArgMatches,
        _context: &Context,
        _out: &mut dyn Write,
    ) -> Result<ExitCode, Failure> {
        Ok(ExitCode::SUCCESS)
    }

    /// Rejects `hansang put` and `delete` on a store without a server, where the system does not allow it. There
    /// `hansang table import` replaces no stored item either.
    ///
    /// # Errors
    /// Fails with the command to use instead.
    fn check_local_write(&self) -> Result<(), Failure> {
        Ok(())
    }

    /// Checks the settings before a running server is told to reload.
    ///
    /// # Errors
    /// Fails for invalid settings.
    fn check_settings(&self, _config: &Config) -> Result<(), Failure> {
        Ok(())
    }

    /// Opens the system.
    ///
    /// # Errors
    /// Fails if it cannot be opened, such as for an invalid setting.
    async fn open(&self, opening: Opening<'_>) -> Result<Arc<dyn Service>, Failure>;
}

/// The queue that a system needs. Its name in an environment is `<name>-<env>`.
#[derive(Clone, Copy, Debug)]
pub struct QueueSpec {
    /// The name.
    pub name: &'static str,
    /// The number of deliveries of a message before it becomes a dead letter.
    pub max_attempts: u32,
}

/// The parts that a system is opened with.
pub struct Opening<'o> {
    /// The settings in force.
    pub config: &'o Config,
    /// The table by the model that is served, without its private entities.
    pub db: Db,
    /// The table by the system's own model.
    pub own: Db,
    /// The queue, if the system needs one and the store comes with one.
    pub queue: Option<Arc<dyn Queue>>,
    /// Opens the files of the system, which says where they are.
    pub open_files: OpenFiles,
    /// Opens the cache of the system, which says where it is.
    pub open_cache: OpenCache,
    /// A secret of this installation, for signing.
    pub secret: &'o [u8],
    /// Whether one process owns the store, so that its transactions never conflict.
    pub local: bool,
    /// The service before a reload.
    pub before: Option<Arc<dyn Service>>,
}

/// An open system.
#[async_trait]
pub trait Service: Any + Send + Sync {
    /// The table, by the model that is served.
    fn db(&self) -> &Db;

    /// The model with its private entities.
    fn whole_model(&self) -> &Arc<Model> {
        self.db().model()
    }

    /// Whether its records may be written through the generic operations. Otherwise only its own operations write them.
    fn has_generic_writes(&self) -> bool {
        true
    }

    /// The entities whose records viewers do not read through the generic operations, such as personal data.
    fn reserved(&self) -> Reserved {
        Reserved::default()
    }

    /// The icon in the navigation: a name of `ui/src/icons.svg`.
    fn icon(&self) -> &'static str {
        "data"
    }

    /// Whether every account may open its pages, with or without a role.
    fn is_for_everyone(&self) -> bool {
        false
    }

    /// The operations of its API, beside those of its records.
    fn routes(&self, _app: &App) -> Vec<Route> {
        Vec::new()
    }

    /// The pages of its own.
    fn pages(&self, _console: &Console) -> Vec<Route> {
        Vec::new()
    }

    /// The tabs above its pages. The first one is its start page.
    fn tabs(&self, _view: &View) -> Vec<Tab> {
        Vec::new()
    }

    /// Its results of a search, beside its records. Only what the visitor may open.
    ///
    /// # Errors
    /// Fails if the data cannot be read.
    async fn search(&self, _view: &View, _text: &str) -> Result<Vec<Hit>, Error> {
        Ok(Vec::new())
    }

    /// Its documentation, as pages of the console.
    fn documents(&self) -> Vec<Document> {
        Vec::new()
    }

    /// Fills its empty table with example data.
    async fn fill_demo(&self) -> Result<(), Failure> {
        Ok(())
    }

    /// The background work, until it is told to stop: beside a server, or in a separate process.
    fn worker(&self, _process: WorkerProcess, _stop: Stop) -> Option<BoxFuture<'static, ()>> {
        None
    }

    /// Whether it can do its work; otherwise the server is not ready.
    async fn health(&self) -> Result<(), Error> {
        Ok(())
    }

    /// The metrics of its own.
    fn figures(&self) -> Vec<Figure> {
        Vec::new()
    }
}

/// The process that a worker runs in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkerProcess {
    /// Beside the server.
    Server,
    /// `hansang worker`.
    Alone,
}

/// Tells a worker to stop.
#[derive(Clone, Debug)]
pub struct Stop(watch::Receiver<bool>);

impl Stop {
    /// A sender of the signal and its receiver.
    #[must_use]
    pub fn channel() -> (watch::Sender<bool>, Self) {
        let (sender, receiver) = watch::channel(false);
        (sender, Self(receiver))
    }

    /// Completes when the worker has to stop, also when the sender was dropped.
    pub async fn stopped(mut self) {
        let _ = self.0.wait_for(|stopped| *stopped).await;
    }
}

/// The records of a model, read and written by callers with the role.
#[derive(Debug)]
pub struct Records {
    db: Db,
    reserved: Reserved,
}

impl Records {
    /// The records of a model without a system.
    #[must_use]
    pub fn new(db: Db) -> Self {
        Self { db, reserved: Reserved::default() }
    }

    /// The same records, where only editors read these entities.
    #[must_use]
    pub fn reserving(self, reserved: Reserved) -> Self {
        Self { reserved, ..self }
    }
}

#[async_trait]
impl Service for Records {
    fn db(&self) -> &Db {
        &self.db
    }

    fn reserved(&self) -> Reserved {
        self.reserved
    }
}
