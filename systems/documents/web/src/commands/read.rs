//! Commands that read.

use std::io::Write;

use hansang_command::{Context, Failure};
use hansang_core::db::Ask;
use hansang_documents::{
    documents_of_project, find_document, find_project, query_projects, segments, steps, whole_segment,
};
use serde_json::{Value as Json, json};

use super::arguments::{OfProject, OneDocument, Projects};
use super::place::{Place, Store};
use crate::api::output::record;

/// The text of a member, or a dash.
pub(super) fn member<'j>(json: &'j Json, name: &str) -> &'j str {
    json[name].as_str().unwrap_or("-")
}

pub(super) fn print_json(out: &mut dyn Write, json: &Json) -> Result<(), Failure> {
    Ok(writeln!(out, "{json:#}")?)
}

pub(super) async fn projects(ask: &Projects, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
    let items = match ask.place.open(context).await? {
        Place::Store(store) => query_projects(&store.documents).await?.iter().map(record).collect(),
        Place::Server(remote) => remote.all(&["projects"]).await?,
    };
    if ask.place.json {
        return print_json(out, &json!({ "items": items }));
    }
    for project in &items {
        let (id, status, name) =
            (member(project, "project_id"), member(project, "status"), member(project, "name"));
        writeln!(out, "{id:26}  {status:8}  {name}")?;
    }
    Ok(())
}

pub(super) async fn list(ask: &OfProject, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
    let items = match ask.place.open(context).await? {
        Place::Store(store) => documents(&store, &ask.project).await?,
        Place::Server(remote) => remote.all(&["projects", &ask.project, "documents"]).await?,
    };
    if ask.place.json {
        return print_json(out, &json!({ "items": items }));
    }
    for document in &items {
        let (id, status) = (member(document, "document_id"), member(document, "status"));
        let (bytes, name) = (document["file_size"].as_i64().unwrap_or_default(), member(document, "name"));
        writeln!(out, "{id:26}  {status:11}  {bytes:>11}  {name}")?;
    }
    Ok(())
}

async fn documents(store: &Store, project_id: &str) -> Result<Vec<Json>, Failure> {
    find_project(&store.documents, project_id).await?;
    let (mut items, mut cursor) = (Vec::new(), None);
    loop {
        let ask = Ask { cursor, limit: Some(1000), ..Ask::default() };
        let page = documents_of_project(&store.documents, project_id, ask).await?;
        items.extend(page.items.iter().map(record));
        match page.next {
            Some(next) => cursor = Some(next),
            None => return Ok(items),
        }
    }
}

pub(super) async fn show(ask: &OneDocument, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
    let (document, steps) = match ask.place.open(context).await? {
        Place::Store(store) => {
            let document = find_document(&store.documents, &ask.project, &ask.document).await?;
            let steps = match &document.workflow_id {
                Some(workflow_id) => steps(&store.documents, workflow_id).await?.iter().map(record).collect(),
                None => Vec::new(),
            };
            (record(&document), steps)
        }
        Place::Server(remote) => {
            let document = remote.get(&["projects", &ask.project, "documents", &ask.document], &[]).await?;
            let steps = match document["workflow_id"].as_str() {
                Some(workflow_id) => remote.all_at_once(&["workflows", workflow_id, "steps"]).await?,
                None => Vec::new(),
            };
            (document, steps)
        }
    };
    if ask.place.json {
        return print_json(out, &json!({ "document": document, "steps": steps }));
    }
    writeln!(
        out,
        "{}  {}  {}",
        member(&document, "name"),
        member(&document, "status"),
        member(&document, "file_type")
    )?;
    for step in &steps {
        let why = step["error"].as_str().or(step["reason"].as_str()).unwrap_or_default();
        let line = format!("  {:10}  {:11}  {why}", member(step, "name"), member(step, "status"));
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

pub(super) async fn text(ask: &OneDocument, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
    let place = ask.place.open(context).await?;
    let (found, workflow) = match &place {
        Place::Store(store) => {
            let document = find_document(&store.documents, &ask.project, &ask.document).await?;
            (None, document.text_workflow_id)
        }
        Place::Server(remote) => {
            let document = remote.get(&["projects", &ask.project, "documents", &ask.document], &[]).await?;
            let workflow = document["text_workflow_id"].as_str().map(str::to_owned);
            (Some(remote), workflow)
        }
    };
    let Some(workflow) = workflow else {
        return Err(Failure::Message {
            text: "the document has no text yet: look with `show`".to_owned(),
            code: 3,
        });
    };
    let mut cursor = None;
    loop {
        let (items, next) = match (&place, found) {
            (Place::Store(store), _) => {
                let ask = Ask { cursor, limit: Some(100), ..Ask::default() };
                let page = segments(&store.documents, &workflow, None, ask).await?;
                let mut items = Vec::new();
                for segment in page.items {
                    items.push(record(&whole_segment(&store.documents, segment).await?));
                }
                (items, page.next)
            }
            (_, Some(remote)) => {
                let mut query = vec![("limit", "100")];
                query.extend(cursor.as_deref().map(|cursor| ("cursor", cursor)));
                let mut page = remote.get(&["workflows", &workflow, "segments"], &query).await?;
                let mut items = page["items"].as_array_mut().map(std::mem::take).unwrap_or_default();
                for segment in items.iter_mut().filter(|segment| segment.get("text_ref").is_some()) {
                    let index = segment["segment_index"].to_string();
                    *segment = remote.get(&["workflows", &workflow, "segments", &index], &[]).await?;
                }
                (items, page["next"].as_str().map(str::to_owned))
            }
            _ => return Ok(()),
        };
        for segment in &items {
            if ask.place.json {
                writeln!(out, "{segment}")?;
            } else {
                writeln!(out, "{}\n", segment["content"].as_str().unwrap_or_default().trim_end())?;
            }
        }
        match next {
            Some(next) => cursor = Some(next),
            None => return Ok(()),
        }
    }
}

impl super::place::Remote {
    /// Reads the items of a path that has no pages.
    async fn all_at_once(&self, names: &[&str]) -> Result<Vec<Json>, Failure> {
        let mut page = self.get(names, &[]).await?;
        Ok(page["items"].as_array_mut().map(std::mem::take).unwrap_or_default())
    }
}
