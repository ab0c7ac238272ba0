#![doc = include_str!("../README.md")]

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

use async_trait::async_trait;
use clap::ArgMatches;
use futures_util::future::BoxFuture;
use hansang_command::{Context, Failure};
use hansang_core::{Db, Error, Model};
use hansang_http::route::Route;
use hansang_ledger::{Ledger, MODEL, Month, Search, search};
use hansang_server::{App, Console, Document, Hit, Opening, Service, Stop, System, WorkerProcess};
use hansang_ui::frame::{Tab, View};
use hansang_ui::notice::Notice;

mod actions;
mod api;
mod commands;
mod demo;
mod messages;
mod notices;
mod pages;

/// A household's money.
#[derive(Clone, Copy, Debug)]
pub struct LedgerSystem;

#[async_trait]
impl System for LedgerSystem {
    fn model(&self) -> &'static str {
        MODEL
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
            "the ledger is written by `hansang ledger` alone, so that its totals add up: see `hansang ledger --help`",
        ))
    }

    async fn open(&self, opening: Opening<'_>) -> Result<Arc<dyn Service>, Failure> {
        let ledger = Ledger::new(opening.own);
        Ok(Arc::new(LedgerService { db: opening.db, ledger }))
    }
}

/// The months before this one that a search reads.
const MAX_MONTHS: i32 = 12;
/// The maximum number of transactions that a search finds.
const MAX_HITS: usize = 10;

struct LedgerService {
    db: Db,
    ledger: Ledger,
}

#[async_trait]
impl Service for LedgerService {
    fn db(&self) -> &Db {
        &self.db
    }

    fn whole_model(&self) -> &Arc<Model> {
        self.ledger.db.model()
    }

    fn has_generic_writes(&self) -> bool {
        false
    }

    fn icon(&self) -> &'static str {
        "wallet"
    }

    fn routes(&self, app: &App) -> Vec<Route> {
        api::Books::new(app, &self.ledger, &self.db).routes()
    }

    fn pages(&self, console: &Console) -> Vec<Route> {
        pages::routes(console, &self.ledger, console.calls(&self.db))
    }

    fn tabs(&self, view: &View) -> Vec<Tab> {
        pages::tabs(view)
    }

    /// Transactions of the last months by their note or category, for those who read the ledger.
    async fn search(&self, view: &View, text: &str) -> Result<Vec<Hit>, Error> {
        if view.role_in(&self.db.model().name).is_none() {
            return Ok(Vec::new());
        }
        let now = Month::of(self.ledger.today());
        let wanted = Search { text: text.to_owned(), ..Search::default() };
        let found = search(&self.ledger, now.plus(-MAX_MONTHS), now.plus(1), &wanted, MAX_HITS).await?;
        Ok(found.into_iter().map(|line| pages::hit(view, line)).collect())
    }

    fn documents(&self) -> Vec<Document> {
        vec![Document {
            name: "ledger",
            english: "The ledger",
            korean: "가계부",
            search: include_str!("../../../../docs/korean/ledger.txt"),
            text: include_str!("../../../../docs/ledger.md"),
        }]
    }

    async fn fill_demo(&self) -> Result<(), Failure> {
        Ok(demo::fill(&self.ledger).await?)
    }

    /// Carries, imports, recurring entries and the month-end batch.
    fn worker(&self, _: WorkerProcess, stop: Stop) -> Option<BoxFuture<'static, ()>> {
        let ledger = self.ledger.clone();
        Some(Box::pin(async move { hansang_ledger::work(&ledger, stop.stopped()).await }))
    }
}
