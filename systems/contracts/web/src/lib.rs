#![doc = include_str!("../README.md")]

use std::any::Any;
use std::io::Write;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use clap::ArgMatches;
use hansang_command::{Config, Context, Failure, Setting};
use hansang_contracts::{CacheSettings, Cached, ContractRegistry, MODEL, StoreRegistry, YamlRegistry};
use hansang_core::db::Clock;
use hansang_core::{Db, Error};
use hansang_http::metrics::{Figure, FigureKind};
use hansang_http::route::Route;
use hansang_server::{App, Console, Document, Hit, Opening, Service, System};
use hansang_ui::frame::{Tab, View};
use hansang_ui::notice::Notice;

mod api;
mod commands;
mod demo;
mod messages;
mod notices;
mod pages;
mod search;

/// The registry of contracts.
#[derive(Clone, Copy, Debug)]
pub struct ContractsSystem;

/// The settings of the registry.
const SETTINGS: &[Setting] = &[
    Setting::new(
        "contracts-from",
        "DIR",
        "",
        "Read contracts from this directory of YAML files, and not from the store",
    )
    .reloaded(),
    Setting::new(
        "contracts-cache-seconds",
        "N",
        "",
        "How long a contract is cached; without it 300, or 30 where `env` is dev, development, local or not set",
    )
    .reloaded(),
    Setting::new(
        "contracts-cache-entries",
        "N",
        "10000",
        "How many versions of contracts are cached; 0 switches the cache off",
    )
    .reloaded(),
];

/// The registry to serve. A reload may choose another one.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Choice {
    /// The directory of files; the store, if there is none.
    from: Option<PathBuf>,
    cache: CacheSettings,
}

impl Choice {
    fn new(config: &Config) -> Result<Self, Failure> {
        let usual = CacheSettings::of_env(config.text("env"));
        let seconds = config.get::<NonZeroU32>("contracts-cache-seconds", "a whole number from 1 on")?;
        let ttl = seconds.map_or(usual.ttl, |seconds| Duration::from_secs(u64::from(seconds.get())));
        let entries = config.need("contracts-cache-entries", "a whole number")?;
        Ok(Self { from: config.get("contracts-from", "a directory")?, cache: CacheSettings { entries, ttl } })
    }

    fn open(&self, own: &Db) -> Result<Arc<Cached>, Failure> {
        let registry: Arc<dyn ContractRegistry> = match &self.from {
            Some(directory) => Arc::new(open_files(directory, own.clock().clone())?),
            None => Arc::new(StoreRegistry::new(own.clone())),
        };
        Ok(Arc::new(Cached::new(registry, self.cache)))
    }
}

fn open_files(directory: &std::path::Path, clock: Clock) -> Result<YamlRegistry, Failure> {
    Ok(YamlRegistry::open(directory.to_owned(), clock)?)
}

#[async_trait]
impl System for ContractsSystem {
    fn model(&self) -> &'static str {
        MODEL
    }

    fn settings(&self) -> &'static [Setting] {
        SETTINGS
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

    fn run(&self, matches: &ArgMatches, context: &Context, out: &mut dyn Write) -> Result<ExitCode, Failure> {
        commands::run(matches, context, out)
    }

    fn check_local_write(&self) -> Result<(), Failure> {
        Err(Failure::usage(
            "contracts are written by `hansang contracts` alone: see `hansang contracts --help`",
        ))
    }

    fn check_settings(&self, config: &Config) -> Result<(), Failure> {
        let choice = Choice::new(config)?;
        let unused =
            Clock::new(|| hansang_core::write::Moment { now: jiff::Timestamp::UNIX_EPOCH, random: 0 });
        choice.from.map_or(Ok(()), |directory| open_files(&directory, unused).map(drop))
    }

    /// An unchanged choice keeps its cache and statistics, but drops the cached versions, so that a reload shows the
    /// stored state.
    async fn open(&self, opening: Opening<'_>) -> Result<Arc<dyn Service>, Failure> {
        let choice = Choice::new(opening.config)?;
        let before = opening.before.as_deref().and_then(|before| {
            let before = (before as &dyn Any).downcast_ref::<ContractsService>()?;
            (before.choice == choice).then(|| before.registry.clone())
        });
        let registry = match before {
            Some(registry) => {
                registry.invalidate_all();
                registry
            }
            None => choice.open(&opening.own)?,
        };
        Ok(Arc::new(ContractsService { db: opening.db, choice, registry }))
    }
}

/// The open registry.
struct ContractsService {
    db: Db,
    choice: Choice,
    registry: Arc<Cached>,
}

#[async_trait]
impl Service for ContractsService {
    fn db(&self) -> &Db {
        &self.db
    }

    fn has_generic_writes(&self) -> bool {
        false
    }

    fn icon(&self) -> &'static str {
        "document"
    }

    fn routes(&self, app: &App) -> Vec<Route> {
        api::Contracts::new(app.calls(&self.db), self.registry.clone()).routes()
    }

    fn pages(&self, console: &Console) -> Vec<Route> {
        pages::routes(console, &self.db, &self.registry)
    }

    fn tabs(&self, view: &View) -> Vec<Tab> {
        pages::tabs(view, &self.db.model().name)
    }

    async fn search(&self, view: &View, text: &str) -> Result<Vec<Hit>, Error> {
        search::find(&*self.registry, view, text).await
    }

    fn documents(&self) -> Vec<Document> {
        vec![Document {
            name: "contracts",
            english: "Contracts",
            korean: "계약",
            search: include_str!("../../../../docs/korean/contracts.txt"),
            text: include_str!("../../../../docs/contracts.md"),
        }]
    }

    async fn fill_demo(&self) -> Result<(), Failure> {
        demo::fill(&self.db).await
    }

    fn figures(&self) -> Vec<Figure> {
        let stats = self.registry.statistics();
        let counter = |name, help, value| Figure { name, kind: FigureKind::Counter, help, value };
        vec![
            counter("hansang_contracts_cache_hits_total", "Contracts found in the cache.", stats.hits),
            counter("hansang_contracts_cache_misses_total", "Contracts loaded into the cache.", stats.misses),
        ]
    }
}
