#![doc = include_str!("../README.md")]

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

use async_trait::async_trait;
use clap::ArgMatches;
use futures_util::future::BoxFuture;
use hansang_command::{Config, Context, Failure, Setting};
use hansang_core::db::Ask;
use hansang_core::{Db, Error, Model};
use hansang_documents::{MODEL, documents_of_project, query_projects};
use hansang_http::metrics::Figure;
use hansang_http::route::Route;
use hansang_server::{App, Console, Document, Hit, Opening, Service, Stop, System, WorkerProcess};
use hansang_ui::frame::{Tab, View};
use hansang_ui::notice::Notice;

use crate::state::State;

mod actions;
mod api;
mod code;
mod commands;
mod demo;
mod figures;
mod messages;
mod notices;
mod pages;
mod search;
mod settings;
mod state;
mod types;
mod uploads;
mod worker;

/// The numbers of projects, and of documents of each, that a search reads.
const MAX_PROJECTS: usize = 50;
const MAX_DOCUMENTS: u32 = 200;
/// The number of documents after which a search ends.
const MAX_HITS: usize = 10;

/// Projects of documents, how they are processed, and what comes out of them.
#[derive(Clone, Copy, Debug)]
pub struct DocumentsSystem;

#[async_trait]
impl System for DocumentsSystem {
    fn model(&self) -> &'static str {
        MODEL
    }

    fn settings(&self) -> &'static [Setting] {
        settings::ALL
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

    fn check_settings(&self, config: &Config) -> Result<(), Failure> {
        settings::Settings::of(config).map(drop)
    }

    async fn open(&self, opening: Opening<'_>) -> Result<Arc<dyn Service>, Failure> {
        Ok(Arc::new(DocumentsService(Arc::new(State::open(opening).await?))))
    }
}

/// The open system.
struct DocumentsService(Arc<State>);

#[async_trait]
impl Service for DocumentsService {
    fn db(&self) -> &Db {
        &self.0.db
    }

    fn whole_model(&self) -> &Arc<Model> {
        self.0.documents.db.model()
    }

    fn icon(&self) -> &'static str {
        "document"
    }

    fn routes(&self, app: &App) -> Vec<Route> {
        api::Api::new(app, &self.0).routes()
    }

    fn pages(&self, console: &Console) -> Vec<Route> {
        pages::routes(console, &self.0)
    }

    fn tabs(&self, view: &View) -> Vec<Tab> {
        pages::tabs(view)
    }

    /// Documents by their name, among the newest ones of each project, for those who read projects.
    async fn search(&self, view: &View, text: &str) -> Result<Vec<Hit>, Error> {
        if view.role_in(&self.0.db.model().name).is_none() {
            return Ok(Vec::new());
        }
        let (wanted, documents) = (text.to_lowercase(), &self.0.documents);
        let mut hits = Vec::new();
        for project in query_projects(documents).await?.iter().take(MAX_PROJECTS) {
            let ask = Ask { limit: Some(MAX_DOCUMENTS), ..Ask::default() };
            let listed = documents_of_project(documents, &project.project_id, ask).await?;
            let found = listed.items.into_iter().filter(|one| one.name.to_lowercase().contains(&wanted));
            hits.extend(found.map(|one| {
                let address =
                    format!("/console/documents/projects/{}/documents/{}", one.project_id, one.document_id);
                Hit::new(view.say("Document", "문서"), one.name, &*project.text.name, address)
            }));
            if hits.len() >= MAX_HITS {
                break;
            }
        }
        Ok(hits)
    }

    fn documents(&self) -> Vec<Document> {
        vec![Document {
            name: "documents",
            english: "Documents",
            korean: "문서",
            search: include_str!("../../../../docs/korean/documents.txt"),
            text: include_str!("../../../../docs/documents.md"),
        }]
    }

    /// Processes documents, and looks after leases that ran out, deletions that were interrupted, and uploads that were not
    /// finished.
    fn worker(&self, _: WorkerProcess, stop: Stop) -> Option<BoxFuture<'static, ()>> {
        Some(Box::pin(worker::run(self.0.clone(), stop)))
    }

    async fn fill_demo(&self) -> Result<(), Failure> {
        demo::fill(&self.0).await
    }

    async fn health(&self) -> Result<(), Error> {
        self.0.health().await
    }

    fn figures(&self) -> Vec<Figure> {
        figures::of(&self.0)
    }
}
