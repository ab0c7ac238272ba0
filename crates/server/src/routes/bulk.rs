//! Export and import of a model, line by line, with bounded memory.

use std::sync::Arc;

use axum::Json as Answered;
use axum::body::Body;
use axum::http::{Method, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodFilter, on};
use bytes::Bytes;
use futures_util::{StreamExt as _, stream};
use hansang_core::identify::Identity;
use hansang_core::model::{Entity, Role as Written};
use hansang_core::plan::Scan;
use hansang_core::value::json::{item_from_typed, item_to_typed};
use hansang_core::{
    CoreCode, Db, Error, Item, Message, Model, Name, Page, StoreError, Table, Value, expiry, identify,
    message,
};
use serde_json::{Value as Json, json};
use sha2::{Digest as _, Sha256};

use crate::app::{App, Caller, Calls, Snapshot};
use crate::messages::api;
use crate::output::Members;
use crate::{ServerCode, messages};
use hansang_access::{Access, Role};
use hansang_http::HttpCode;
use hansang_http::input::{ENTITY, PROBLEMS, Parameters, item};
use hansang_http::messages as http;
use hansang_http::problem::Problem;
use hansang_http::route::Described;
use hansang_http::route::{Needs, Route, json_answer, query_parameter};

mod lines;

use lines::Lines;

/// The maximum number of records that are stored at once.
const MAX_CONCURRENT: usize = 64;
/// The maximum number of problems that are listed.
const MAX_PROBLEMS: usize = 100;

/// The format of a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    /// A stored item with its keys, in DynamoDB's JSON.
    Items,
    /// A record of an entity, as everywhere else in this API.
    Records,
}

/// Export and import of a model.
pub(super) fn routes(calls: &Calls, whole: &Arc<Model>) -> Vec<Route> {
    let model = calls.db.model().name.clone();
    let choice = || {
        let schema = json!({ "enum": ["items", "records"], "default": "items" });
        query_parameter("format", false, schema, message!(api::FORMAT))
    };
    let lines = json!({ "application/x-ndjson": { "schema": { "type": "string" } } });
    let (export, whole) = (calls.clone(), whole.clone());
    let import = calls.clone();
    let export = Route {
        method: Method::GET,
        path: format!("/api/{model}/export"),
        operation: format!("{model}.export"),
        summary: message!(api::EXPORT),
        tag: model.to_string(),
        needs: Needs::Role(model.to_string(), Role::Viewer),
        parameters: vec![choice()],
        body: None,
        answers: vec![(200, Described::new(message!(api::LINES), json!({ "content": lines })))],
        refusals: &[],
        streams: true,
        max_body: None,
        handler: on(MethodFilter::GET, async move |caller: Caller, asked: Parameters| {
            out(&export, &caller, &whole, asked)
        }),
    };
    let summary = json!({
        "type": "object",
        "properties": {
            "stored": { "type": "integer" },
            "refused": { "type": "integer" },
            "problems": { "type": "array", "items": {
                "type": "object",
                "properties": {
                    "line": { "type": "integer" }, "code": { "type": "string" }, "message": { "type": "string" },
                },
                "required": ["line", "code", "message"],
                "additionalProperties": false,
            } },
        },
        "required": ["stored", "refused", "problems"],
        "additionalProperties": false,
    });
    let import = Route {
        method: Method::POST,
        path: format!("/api/{model}/import"),
        operation: format!("{model}.import"),
        summary: message!(api::IMPORT),
        tag: model.to_string(),
        needs: Needs::Role(model.to_string(), Role::Editor),
        parameters: vec![choice()],
        // The export of an empty table is empty.
        body: Some(json!({ "required": false, "content": lines })),
        answers: vec![(200, json_answer(message!(api::IMPORTED), summary))],
        refusals: &[],
        streams: true,
        max_body: None,
        handler: on(MethodFilter::POST, async move |caller: Caller, asked: Parameters, body: Body| {
            into(&import, caller, asked, body).await
        }),
    };
    vec![export, import]
}

fn format(mut asked: Parameters) -> Result<Format, Error> {
    let format = match asked.take("format").as_deref() {
        None | Some("items") => Format::Items,
        Some("records") => Format::Records,
        Some(_) => {
            return Err(Error::invalid(HttpCode::InvalidParameter, message!(messages::NOT_AN_EXPORT_FORMAT)));
        }
    };
    asked.finish()?;
    Ok(format)
}

fn out(calls: &Calls, caller: &Caller, whole: &Arc<Model>, asked: Parameters) -> Result<Response, Problem> {
    let format = format(asked)?;
    let (db, whole, reserved) = (calls.db.clone(), whole.clone(), calls.reserved);
    let role = caller.role_in(&db.model().name);
    let source = Source::of_model(calls)?;
    Ok(lines(source, move |item| {
        let is_hidden = |entity: &Entity| entity.private || !reserved.may_read(role, &entity.name);
        let entity = entity_of(&whole, item);
        if entity.is_some_and(is_hidden) { None } else { line(&db, item, format) }
    }))
}

/// The items of an export: of one snapshot, if the store supports it.
#[derive(Clone)]
enum Source {
    Snapshot(Snapshot, Arc<Table>),
    Model(Db),
    Access(Access),
}

impl Source {
    fn of_model(calls: &Calls) -> Result<Self, Problem> {
        let table = || calls.db.table().clone();
        let frozen = calls.app().freeze().map_err(unreadable)?;
        Ok(frozen.map_or_else(|| Self::Model(calls.db.clone()), |frozen| Self::Snapshot(frozen, table())))
    }

    async fn page(&self, scan: Scan) -> Result<Page, StoreError> {
        match self {
            Self::Snapshot(snapshot, table) => {
                let (snapshot, table) = (snapshot.clone(), table.clone());
                let page = tokio::task::spawn_blocking(move || snapshot(&table, &scan));
                page.await.unwrap_or_else(|_| Err(StoreError::unavailable("a page could not be read")))
            }
            Self::Model(db) => db.store().scan(db.table(), &scan).await,
            Self::Access(access) => access.scan(&scan).await,
        }
    }
}

fn unreadable(error: StoreError) -> Problem {
    Error::unavailable(CoreCode::StoreUnavailable, Message::raw(error.to_string())).into()
}

/// Streams the items of a source as lines, page by page.
fn lines(source: Source, line: impl Fn(&Item) -> Option<String> + Clone + Send + 'static) -> Response {
    let pages = stream::try_unfold(Some(None), move |position: Option<Option<Item>>| {
        let (source, line) = (source.clone(), line.clone());
        async move {
            let Some(start) = position else { return Ok(None) };
            let scan = Scan { index: None, limit: 500, start, consistent: true };
            let page = source.page(scan).await.map_err(|error| {
                tracing::error!(%error, "an export broke off");
                std::io::Error::other("the export broke off")
            })?;
            let lines: String = page.items.iter().filter_map(&line).collect();
            Ok::<_, std::io::Error>(Some((Bytes::from(lines), page.next.map(Some))))
        }
    });
    ([(header::CONTENT_TYPE, "application/x-ndjson")], Body::from_stream(pages)).into_response()
}

/// The backup of a model: every item as it is stored.
pub(super) fn backup_of_model(calls: &Calls) -> Route {
    let (name, own) = (calls.db.model().name.to_string(), calls.clone());
    backup(&name, calls.app(), move || Source::of_model(&own))
}

/// The backup of accounts, sessions, tokens and the audit log.
pub(super) fn backup_of_access(app: &App) -> Route {
    let own = app.clone();
    backup("access", app, move || {
        let access = own.access();
        let table = || Arc::new(access.table().clone());
        let frozen = own.freeze().map_err(unreadable)?;
        Ok(frozen.map_or_else(|| Source::Access(access.clone()), |frozen| Source::Snapshot(frozen, table())))
    })
}

fn backup(
    system: &str,
    app: &App,
    source: impl Fn() -> Result<Source, Problem> + Clone + Send + Sync + 'static,
) -> Route {
    let lines_of = json!({ "application/x-ndjson": { "schema": { "type": "string" } } });
    let (app, name) = (app.clone(), system.to_owned());
    Route {
        method: Method::GET,
        path: format!("/api/{system}/backup"),
        operation: format!("{system}.backup"),
        summary: message!(api::BACKUP),
        tag: system.to_owned(),
        needs: super::access::administrators(),
        parameters: Vec::new(),
        body: None,
        answers: vec![(200, Described::new(message!(api::LINES), json!({ "content": lines_of })))],
        refusals: &[],
        streams: true,
        max_body: None,
        handler: on(MethodFilter::GET, async move |caller: Caller| {
            // The entry records the start: the lines follow while they are read.
            let began = app.audited(&caller, (&name, "backup", "lines"), async { Ok(()) }).await;
            began.map_err(Problem::from)?;
            let whole = |item: &Item| Some(format!("{}\n", json!({ "Item": item_to_typed(item) })));
            Ok::<_, Problem>(lines(source()?, whole))
        }),
    }
}

/// The entity of an item or of a pointer, by the whole model, because the served one lacks private entities.
fn entity_of<'m>(whole: &'m Model, item: &Item) -> Option<&'m Entity> {
    let text = |name: &Name| item.get(name).and_then(Value::as_str).unwrap_or_default();
    let known = identify::identify(whole, text(&whole.table.pk), text(&whole.table.sk))?;
    match known {
        Identity::Entity { entity, .. } | Identity::Pointer { entity, .. } => Some(entity),
    }
}

/// An item as a line, unless it has expired or is not a record, such as a pointer.
fn line(db: &Db, item: &Item, format: Format) -> Option<String> {
    if expiry::is_expired(db.table(), item, db.clock().moment().now) {
        return None;
    }
    Some(match format {
        Format::Items => format!("{}\n", json!({ "Item": item_to_typed(item) })),
        Format::Records => {
            let (entity, fields, problems) = identify::read_any(db.model(), item)?;
            Members { entity: &entity.name, fields: &fields, problems: &problems }.line()
        }
    })
}

/// The counts and problems of an import so far.
#[derive(Default)]
pub(crate) struct Sum {
    pub(crate) stored: usize,
    pub(crate) refused: usize,
    problems: Vec<Json>,
    hash: Sha256,
}

impl Sum {
    /// Adds a part of the file to its checksum.
    pub(crate) fn read(&mut self, part: &[u8]) {
        self.hash.update(part);
    }

    /// The counts, and the checksum of the file, for the audit log.
    pub(crate) fn detail(&self) -> String {
        let hash: String = self.hash.clone().finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        format!("stored {}, refused {}, sha256 {hash}", self.stored, self.refused)
    }

    fn refuse(&mut self, line: usize, error: &Error) {
        self.refused += 1;
        if self.problems.len() < MAX_PROBLEMS {
            self.problems
                .push(json!({ "line": line, "code": error.code, "message": error.message.to_string() }));
        }
    }
}

async fn into(calls: &Calls, caller: Caller, asked: Parameters, body: Body) -> Result<Response, Problem> {
    let format = format(asked)?;
    let read = read_lines(&calls.db, body, format);
    let sum = calls.audited_in_detail(&caller, ("import", "lines"), read, |sum| Some(sum.detail())).await?;
    let Sum { stored, refused, problems, .. } = sum;
    Ok(Answered(json!({ "stored": stored, "refused": refused, "problems": problems })).into_response())
}

async fn read_lines(db: &Db, body: Body, format: Format) -> Result<Sum, Error> {
    let mut sum = Sum::default();
    let mut lines = Lines::default();
    let mut chunks = body.into_data_stream();
    while let Some(chunk) = chunks.next().await {
        let broken = |_| Error::invalid(HttpCode::BodyUnreadable, message!(http::BODY_UNREADABLE));
        let chunk = chunk.map_err(broken)?;
        sum.read(&chunk);
        lines.push(&chunk);
        while let Some(batch) = lines.batch()? {
            store(db, batch, format, &mut sum).await?;
        }
    }
    store(db, lines.last()?, format, &mut sum).await?;
    Ok(sum)
}

async fn store(db: &Db, lines: Vec<(usize, Bytes)>, format: Format, sum: &mut Sum) -> Result<(), Error> {
    let mut parsed: Vec<(usize, Json)> = Vec::with_capacity(lines.len());
    for (number, line) in lines.into_iter().filter(|(_, line)| !line.trim_ascii().is_empty()) {
        match serde_json::from_slice(&line) {
            Ok(json) => parsed.push((number, json)),
            Err(_) => sum
                .refuse(number, &Error::invalid(HttpCode::MalformedJson, message!(messages::LINE_NOT_JSON))),
        }
    }
    match format {
        Format::Items => store_items(db, parsed, sum).await,
        Format::Records => store_records(db, parsed, sum).await,
    }
}

async fn store_items(db: &Db, lines: Vec<(usize, Json)>, sum: &mut Sum) -> Result<(), Error> {
    let mut items = Vec::with_capacity(lines.len());
    let mut numbers = Vec::with_capacity(lines.len());
    for (number, json) in lines {
        match item_from_typed(json.get("Item").unwrap_or(&json)) {
            Ok(item) => {
                items.push(item);
                numbers.push(number);
            }
            Err(problem) => sum.refuse(number, &Error::invalid(CoreCode::NotAnItem, problem)),
        }
    }
    let imported = db.import(items).await?;
    sum.stored += imported.stored;
    for refused in imported.refused {
        sum.refuse(numbers[refused.index], &refused.error);
    }
    Ok(())
}

async fn store_records(db: &Db, lines: Vec<(usize, Json)>, sum: &mut Sum) -> Result<(), Error> {
    let stores =
        lines.into_iter().map(|(number, json)| async move { (number, store_record(db, json).await) });
    let done: Vec<(usize, Result<(), Error>)> = stream::iter(stores).buffered(MAX_CONCURRENT).collect().await;
    for (number, result) in done {
        match result {
            Ok(()) => sum.stored += 1,
            Err(error) if is_refusal(&error) => sum.refuse(number, &error),
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Stores records one after another, so that a line sees those before it, as in a preview.
pub(crate) async fn store_in_order(db: &Db, lines: Vec<(usize, Json)>, sum: &mut Sum) -> Result<(), Error> {
    for (number, json) in lines {
        match store_record(db, json).await {
            Ok(()) => sum.stored += 1,
            Err(error) if is_refusal(&error) => sum.refuse(number, &error),
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Stores a record. Generated fields are generated again.
async fn store_record(db: &Db, json: Json) -> Result<(), Error> {
    let (entity, fields) = record_of(db, json)?;
    db.put(&entity.name, fields, None).await.map(drop)
}

/// The entity that a record names, and its fields.
pub(crate) fn record_of(db: &Db, json: Json) -> Result<(Arc<Entity>, Item), Error> {
    let Json::Object(mut members) = json else {
        return Err(Error::invalid(ServerCode::NotARecord, message!(messages::LINE_NOT_OBJECT)));
    };
    let Some(Json::String(name)) = members.remove(ENTITY) else {
        return Err(Error::invalid(ServerCode::NotARecord, message!(messages::LINE_WITHOUT_ENTITY)));
    };
    let entity = db.entity(&name)?;
    members.remove(PROBLEMS);
    members.retain(|name, _| {
        entity.attribute(name).is_none_or(|attribute| matches!(attribute.role, Written::Given))
    });
    Ok((entity.clone(), item(members)?))
}

/// Whether the line caused the error, and not the store.
pub(crate) fn is_refusal(error: &Error) -> bool {
    use hansang_core::ErrorKind::{Conflict, Invalid, NotFound, Precondition};
    matches!(error.kind, Invalid | NotFound | Conflict | Precondition)
}
