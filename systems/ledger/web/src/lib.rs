#![doc = include_str!("../README.md")]

use std::sync::Arc;

use async_trait::async_trait;
use hansang_command::Failure;
use hansang_core::{Db, Model};
use hansang_http::route::Route;
use hansang_ledger::{Ledger, MODEL};
use hansang_server::{App, Console, Opening, Service, System};
use hansang_ui::frame::{Tab, View};
use hansang_ui::notice::Notice;

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
    async fn open(&self, opening: Opening<'_>) -> Result<Arc<dyn Service>, Failure> {
        let ledger = Ledger::new(opening.own);
        hansang_ledger::prepare(&ledger).await?;
        Ok(Arc::new(LedgerService { db: opening.db, ledger }))
    }
}

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
    fn routes(&self, _app: &App) -> Vec<Route> {
        Vec::new()
    }
    fn pages(&self, console: &Console) -> Vec<Route> {
        pages::routes(console, &self.ledger, console.calls(&self.db))
    }
    fn tabs(&self, view: &View) -> Vec<Tab> {
        pages::tabs(view)
    }
}
