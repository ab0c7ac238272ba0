#![doc = include_str!("../README.md")]

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

use async_trait::async_trait;
use clap::ArgMatches;
use futures_util::future::BoxFuture;
use hansang_command::{Context, Failure, Setting};
use hansang_content::{MODEL, PostFilter, posts, work};
use hansang_core::db::Ask;
use hansang_core::{Db, Error, Model};
use hansang_http::route::Route;
use hansang_server::{App, Console, Document, Hit, Opening, Reserved, Service, Stop, System, WorkerProcess};
use hansang_ui::frame::{Tab, View};
use hansang_ui::notice::Notice;

use crate::desk::Desk;

mod actions;
mod api;
mod code;
mod commands;
mod contact;
mod demo;
mod desk;
mod fresh;
mod messages;
mod notices;
mod outside;
mod pages;
mod settings;
mod shown;
mod site;

/// The number of posts that a search reads at once, and at most.
const READ_AT_ONCE: u32 = 100;
const MAX_READ: usize = 1_000;
/// The number of posts after which a search ends.
const MAX_HITS: usize = 10;

/// A company's web site: its content, its inquiries, and the site itself.
#[derive(Clone, Copy, Debug)]
pub struct ContentSystem;

#[async_trait]
impl System for ContentSystem {
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

    async fn open(&self, opening: Opening<'_>) -> Result<Arc<dyn Service>, Failure> {
        Ok(Arc::new(ContentService(Arc::new(Desk::open(opening).await?))))
    }
}

/// The open system.
struct ContentService(Arc<Desk>);

#[async_trait]
impl Service for ContentService {
    fn db(&self) -> &Db {
        &self.0.db
    }

    fn whole_model(&self) -> &Arc<Model> {
        self.0.content.db.model()
    }

    fn reserved(&self) -> Reserved {
        desk::RESERVED
    }

    fn icon(&self) -> &'static str {
        "document"
    }

    fn routes(&self, app: &App) -> Vec<Route> {
        api::Api::new(app, &self.0).routes()
    }

    fn pages(&self, console: &Console) -> Vec<Route> {
        let mut routes = pages::routes(console, &self.0);
        routes.extend(site::routes(console, &self.0));
        routes
    }

    fn tabs(&self, view: &View) -> Vec<Tab> {
        pages::tabs(view)
    }

    /// Posts by their title, published or not, for those who read them.
    async fn search(&self, view: &View, text: &str) -> Result<Vec<Hit>, Error> {
        if view.role_in(&self.0.db.model().name).is_none() {
            return Ok(Vec::new());
        }
        let (mut hits, mut read, mut cursor) = (Vec::new(), 0, None);
        loop {
            let ask = Ask { limit: Some(READ_AT_ONCE), cursor: cursor.take(), ..Ask::default() };
            let listed = posts(&self.0.content, &PostFilter::default(), ask).await?;
            read += listed.posts.len().max(1);
            let wanted = text.to_lowercase();
            let found = listed.posts.into_iter().map(|one| one.post);
            let found = found.filter(|post| post.text.title.to_lowercase().contains(&wanted));
            hits.extend(found.map(|post| {
                let address = format!("/console/content/posts/{}", post.id);
                Hit::new(view.say("Post", "글"), post.text.title, "", address)
            }));
            cursor = listed.next;
            if cursor.is_none() || hits.len() >= MAX_HITS || read >= MAX_READ {
                return Ok(hits);
            }
        }
    }

    /// Sends mails and calls of webhooks, and deletes what is too old.
    fn worker(&self, _: WorkerProcess, stop: Stop) -> Option<BoxFuture<'static, ()>> {
        let desk = self.0.clone();
        Some(Box::pin(async move { work(&desk.content, desk.outside.ports(), stop.stopped()).await }))
    }

    fn documents(&self) -> Vec<Document> {
        vec![Document {
            name: "content",
            english: "The website",
            korean: "웹사이트",
            search: include_str!("../../../../docs/korean/content.txt"),
            text: include_str!("../../../../docs/content.md"),
        }]
    }

    async fn fill_demo(&self) -> Result<(), Failure> {
        demo::fill(&self.0).await
    }
}
