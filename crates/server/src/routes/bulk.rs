//! Everything of a model, in and out, line by line: neither side ever holds all of it.

use std::sync::Arc;

use axum::Json as Answered;
use axum::body::Body;
use axum::http::{Method, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodFilter, on};
use bytes::{Bytes, BytesMut};
use futures_util::{StreamExt as _, stream};
use hansang_core::identify::Identity;
use hansang_core::model::{Entity, Role as Written};
use hansang_core::plan::Scan;
use hansang_core::value::json::{item_from_typed, item_to_typed, to_plain};
use hansang_core::{CoreCode, Db, Error, Item, Model, Name, Value, expiry, identify, message};
use serde_json::{Map, Value as Json, json};

use crate::app::{Caller, Calls};
use crate::messages::api;
use crate::{ServerCode, messages};
use hansang_access::Role;
use hansang_http::HttpCode;
use hansang_http::input::{ENTITY, Parameters, item};
use hansang_http::messages as http;
use hansang_http::problem::Problem;
use hansang_http::route::Described;
use hansang_http::route::{Needs, Route, json_answer, query_parameter};

/// How many lines are stored together.
const TOGETHER: usize = 500;
/// How many records are stored at once.
const AT_ONCE: usize = 64;
/// The most bytes of a line: an item of 400 KB, as JSON.
const LINE: usize = 4 * 1024 * 1024;
/// The number of problems that are listed.
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
        handler: on(MethodFilter::GET, async move |_: Caller, asked: Parameters| out(&export, &whole, asked)),
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
        // What an empty table exports is empty.
        body: Some(json!({ "required": false, "content": lines })),
        answers: vec![(200, json_answer(message!(api::IMPORTED), summary))],
        refusals: &[],
        streams: true,
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

fn out(calls: &Calls, whole: &Arc<Model>, asked: Parameters) -> Result<Response, Problem> {
    let format = format(asked)?;
    let (db, whole) = (calls.db.clone(), whole.clone());
    let pages = stream::try_unfold(Some(None), move |place: Option<Option<Item>>| {
        let (db, whole) = (db.clone(), whole.clone());
        async move {
            let Some(start) = place else { return Ok(None) };
            let scan = Scan { index: None, limit: 500, start, consistent: true };
            let page = db.store().scan(db.table(), &scan).await.map_err(|error| {
                tracing::error!(%error, "an export broke off");
                std::io::Error::other("the export broke off")
            })?;
            let shown = page.items.iter().filter(|item| !is_private(&whole, item));
            let lines: String = shown.filter_map(|item| line(&db, item, format)).collect();
            Ok::<_, std::io::Error>(Some((Bytes::from(lines), page.next.map(Some))))
        }
    });
    Ok(([(header::CONTENT_TYPE, "application/x-ndjson")], Body::from_stream(pages)).into_response())
}

/// Whether an item is nobody's business, as the whole model says: what is served does not know it any more.
fn is_private(whole: &Model, item: &Item) -> bool {
    let text = |name: &Name| item.get(name).and_then(Value::as_str).unwrap_or_default();
    let known = identify::identify(whole, text(&whole.table.pk), text(&whole.table.sk));
    known.is_some_and(|known| match known {
        Identity::Entity { entity, .. } | Identity::Pointer { entity, .. } => entity.private,
    })
}

/// An item as a line, unless it has expired or is no record of its own.
fn line(db: &Db, item: &Item, format: Format) -> Option<String> {
    if expiry::is_expired(db.table(), item, db.clock().moment().now) {
        return None;
    }
    let json = match format {
        Format::Items => json!({ "Item": item_to_typed(item) }),
        Format::Records => {
            let (entity, fields) = identify::read_item(db.model(), item).ok()?;
            let mut members = Map::from_iter([(ENTITY.to_owned(), Json::from(&*entity.name))]);
            members.extend(fields.iter().map(|(name, value)| (name.to_string(), to_plain(value))));
            Json::Object(members)
        }
    };
    Some(format!("{json}\n"))
}

/// What has come of an import so far.
#[derive(Default)]
pub(crate) struct Sum {
    pub(crate) stored: usize,
    pub(crate) refused: usize,
    problems: Vec<Json>,
}

impl Sum {
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
    let sum = calls.audited(&caller, "import", "lines", read_lines(&calls.db, body, format)).await?;
    let Sum { stored, refused, problems } = sum;
    Ok(Answered(json!({ "stored": stored, "refused": refused, "problems": problems })).into_response())
}

async fn read_lines(db: &Db, body: Body, format: Format) -> Result<Sum, Error> {
    let mut sum = Sum::default();
    let mut lines: Vec<(usize, Bytes)> = Vec::with_capacity(TOGETHER);
    let mut rest = BytesMut::new();
    let mut count = 0;
    let mut chunks = body.into_data_stream();
    while let Some(chunk) = chunks.next().await {
        let broken = |_| Error::invalid(HttpCode::BodyUnreadable, message!(http::BODY_UNREADABLE));
        rest.extend_from_slice(&chunk.map_err(broken)?);
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            count += 1;
            lines.push((count, rest.split_to(end + 1).freeze()));
            if lines.len() == TOGETHER {
                store(db, std::mem::take(&mut lines), format, &mut sum).await?;
            }
        }
        if rest.len() > LINE {
            let message = message!(messages::LINE_TOO_LONG, count + 1);
            return Err(Error::invalid(ServerCode::LineTooLong, message));
        }
    }
    lines.push((count + 1, rest.freeze()));
    store(db, lines, format, &mut sum).await?;
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

pub(crate) async fn store_records(db: &Db, lines: Vec<(usize, Json)>, sum: &mut Sum) -> Result<(), Error> {
    let stores =
        lines.into_iter().map(|(number, json)| async move { (number, store_record(db, json).await) });
    let done: Vec<(usize, Result<(), Error>)> = stream::iter(stores).buffered(AT_ONCE).collect().await;
    for (number, result) in done {
        match result {
            Ok(()) => sum.stored += 1,
            Err(error) if is_refusal(&error) => sum.refuse(number, &error),
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Stores a record. What the table writes itself is made anew.
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
    members.retain(|name, _| {
        entity.attribute(name).is_none_or(|attribute| matches!(attribute.role, Written::Given))
    });
    Ok((entity.clone(), item(members)?))
}

/// Whether the line is to blame, and not the store.
fn is_refusal(error: &Error) -> bool {
    use hansang_core::ErrorKind::{Conflict, Invalid, NotFound, Precondition};
    matches!(error.kind, Invalid | NotFound | Conflict | Precondition)
}
