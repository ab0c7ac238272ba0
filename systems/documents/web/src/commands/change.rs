//! Commands that change something.

use std::io::Write;

use hansang_command::{Context, Does, Failure};
use hansang_documents::{ProjectText, Reprocess as Again, create_project, reprocess as process_again};
use reqwest::Method;
use serde_json::json;

use super::arguments::{CacheArguments, Create, Reprocess};
use super::place::Place;
use super::read::{member, print_json};
use crate::api::output::record;

pub(super) async fn create(ask: &Create, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
    let made = match ask.place.open(context).await? {
        Place::Store(store) => {
            let text = ProjectText {
                name: ask.name.clone(),
                description: ask.description.clone(),
                language: ask.language.clone(),
                ..ProjectText::default()
            };
            record(&create_project(&store.documents, &store.by, &text).await?)
        }
        Place::Server(remote) => {
            let body = json!({ "name": ask.name, "description": ask.description, "language": ask.language });
            remote.send(Method::POST, &["projects"], &body).await?
        }
    };
    if ask.place.json {
        print_json(out, &made)
    } else {
        Ok(writeln!(out, "{}", member(&made, "project_id"))?)
    }
}

pub(super) async fn reprocess(
    ask: &Reprocess,
    context: &Context,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let run = match ask.place.open(context).await? {
        Place::Store(store) => {
            let again = Again { instructions: ask.instructions.clone(), pages: ask.pages.clone() };
            let run = process_again(&store.documents, &store.by, &ask.project, &ask.document, &again);
            record(&run.await?)
        }
        Place::Server(remote) => {
            let body = json!({ "instructions": ask.instructions, "pages": ask.pages });
            let path = ["projects", &ask.project, "documents", &ask.document, "reprocess"];
            remote.send(Method::POST, &path, &body).await?
        }
    };
    if ask.place.json {
        return print_json(out, &run);
    }
    Ok(writeln!(out, "{}  {}", member(&run, "workflow_id"), member(&run, "status"))?)
}

/// Statistics are those of a process, so there are none without a server.
pub(super) async fn cache(ask: &CacheArguments, out: &mut dyn Write) -> Result<(), Failure> {
    let remote = ask.place.server()?;
    if let Some(key) = &ask.invalidate {
        let request = remote.request(Method::POST, &["cache", "invalidate"], &[])?;
        remote.0.send(request.json(&json!({ "key": key })), Does::Write).await?;
    }
    print_json(out, &remote.get(&["cache"], &[]).await?)
}
