//! Search, and the index of a store.

use std::io::Write;

use clap::Args;
use hansang_command::{Context, Failure, progress};
use hansang_documents::{find_project, query_projects};
use hansang_documents_adapters::{Matching, TextIndex, bring_up_to_date};
use serde_json::json;

use super::arguments::Search;
use super::place::{Place, PlaceArguments};
use super::read::{member, print_json};

/// The characters of a snippet.
const SNIPPET: usize = 120;

/// Arguments of `rebuild-index`.
#[derive(Args)]
pub(super) struct Rebuild {
    #[command(flatten)]
    place: PlaceArguments,
}

pub(super) async fn search(ask: &Search, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
    let items = match ask.place.open(context).await? {
        Place::Server(remote) => {
            let limit = ask.limit.to_string();
            let query = [("q", &*ask.words), ("limit", &limit)];
            let mut page = remote.get(&["projects", &ask.project, "search"], &query).await?;
            page["items"].as_array_mut().map(std::mem::take).unwrap_or_default()
        }
        Place::Store(store) => {
            find_project(&store.documents, &ask.project).await?;
            let index = TextIndex::open_own(&store.folder)?;
            let texts = bring_up_to_date(&store.documents, &index, &ask.project).await?;
            let part = (ask.limit as usize, 0);
            let hits = index.search(&ask.project, &ask.words, Matching::All, part, SNIPPET)?.hits;
            let shown = hits.into_iter().filter_map(|hit| {
                let text = texts.get(&hit.document_id)?;
                Some(json!({
                    "document_id": hit.document_id,
                    "document_name": text.name,
                    "workflow_id": hit.workflow_id,
                    "segment_index": hit.segment_index,
                    "snippet": hit.snippet,
                }))
            });
            shown.collect()
        }
    };
    if ask.place.json {
        return print_json(out, &json!({ "items": items }));
    }
    for hit in &items {
        let number = hit["segment_index"].as_i64().unwrap_or_default() + 1;
        let snippet = member(hit, "snippet").split_whitespace().collect::<Vec<_>>().join(" ");
        writeln!(out, "{}  {number}  {snippet}", member(hit, "document_name"))?;
    }
    Ok(())
}

pub(super) async fn rebuild(ask: &Rebuild, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
    let store = ask.place.open_store(context).await?;
    TextIndex::delete_all(&store.folder)?;
    let index = TextIndex::open_own(&store.folder)?;
    let projects = query_projects(&store.documents).await?;
    let bar = progress::of_total("projects", projects.len());
    let mut documents = 0;
    for project in &*projects {
        documents += bring_up_to_date(&store.documents, &index, &project.project_id).await?.len();
        bar.inc(1);
    }
    bar.finish_and_clear();
    if ask.place.json {
        return print_json(out, &json!({ "projects": projects.len(), "documents": documents }));
    }
    Ok(writeln!(out, "{} projects, {documents} documents", projects.len())?)
}
