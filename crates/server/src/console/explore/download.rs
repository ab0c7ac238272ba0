//! The results of a pattern as a file, streamed page by page.

use std::sync::Arc;

use axum::body::Body;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodFilter, on};
use bytes::Bytes;
use futures_util::stream;
use hansang_core::db::Ask;
use hansang_core::model::{Entity, Pattern};
use hansang_core::{Db, Error, Item, Record, Value, message};

use super::csv::{Cell, push_line};
use super::query::{asked, stored};
use super::results::contains;
use super::{System, fields};
use crate::messages;
use crate::output;
use hansang_http::HttpCode;
use hansang_http::input::ENTITY;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ui::frame::View;

/// The number of records that are read at once.
const AT_ONCE: u32 = 500;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Csv,
    Json,
}

/// The parts of a file.
struct File {
    format: Format,
    columns: Vec<String>,
    /// The text that a record must contain.
    search: String,
}

pub(super) fn route(system: &System, pattern: &Pattern) -> Route {
    let (path, needs) =
        (system.at(&format!("/patterns/{}/download", pattern.name)), system.needs_readers(pattern));
    let (system, pattern) = (system.clone(), pattern.name.clone());
    let handler = on(MethodFilter::GET, async move |view: View| download(&system, &pattern, &view).await);
    Route { streams: true, ..Route::page(&path, needs, handler) }
}

async fn download(system: &System, pattern: &str, view: &View) -> Result<Response, Problem> {
    let pattern = system.db().pattern(pattern)?;
    let sent = stored(pattern, view);
    let format = match sent.text("format") {
        "csv" => Format::Csv,
        "json" => Format::Json,
        _ => {
            return Err(Error::invalid(
                HttpCode::InvalidParameter,
                message!(messages::NOT_A_DOWNLOAD_FORMAT),
            )
            .into());
        }
    };
    let asked = asked(pattern, &sent)?;
    let first = Ask { limit: Some(AT_ONCE), ..asked.ask };
    let name = pattern.name.to_string();
    // The first page is read before the response begins, so that an error has its status.
    let page = system
        .calls
        .measured(&name, system.db().query(&name, asked.arguments.clone(), first.clone()))
        .await?;
    let columns = columns(pattern.entities.iter().map(|entity| &**entity));
    let file = Arc::new(File { format, columns, search: asked.search });
    let head = file.head() + &file.lines(&page.records);
    let rest = pages(system.db().clone(), name, asked.arguments, first, page.next, file);
    let body = Body::from_stream(stream::StreamExt::chain(stream::iter([Ok(Bytes::from(head))]), rest));
    Ok(attachment(&format!("{}-{}", system.name(), pattern.name), format, body))
}

/// These records of an entity as a file.
pub(super) fn of_records(name: &str, entity: &Entity, format: Format, records: &[Record]) -> Response {
    let file = File { format, columns: columns([entity].into_iter()), search: String::new() };
    attachment(name, format, Body::from(file.head() + &file.lines(records)))
}

fn attachment(name: &str, format: Format, body: Body) -> Response {
    let (media, end) = match format {
        Format::Csv => ("text/csv; charset=utf-8", "csv"),
        Format::Json => ("application/x-ndjson", "jsonl"),
    };
    let file = format!("attachment; filename=\"{name}.{end}\"");
    ([(header::CONTENT_TYPE, media.to_owned()), (header::CONTENT_DISPOSITION, file)], body).into_response()
}

fn pages(
    db: Db,
    pattern: String,
    arguments: Item,
    ask: Ask,
    next: Option<String>,
    file: Arc<File>,
) -> impl stream::Stream<Item = Result<Bytes, std::io::Error>> {
    stream::try_unfold(next, move |cursor| {
        let (db, pattern, arguments) = (db.clone(), pattern.clone(), arguments.clone());
        let (ask, file) = (ask.clone(), file.clone());
        async move {
            let Some(cursor) = cursor else { return Ok(None) };
            let page = db.query(&pattern, arguments, Ask { cursor: Some(cursor), ..ask }).await;
            let page = page.map_err(|error| {
                tracing::error!(%error, "a download broke off");
                std::io::Error::other("the download broke off")
            })?;
            Ok(Some((Bytes::from(file.lines(&page.records)), page.next)))
        }
    })
}

/// The name of the entity, and every field of these entities.
fn columns<'e>(entities: impl Iterator<Item = &'e Entity>) -> Vec<String> {
    let mut names = vec![ENTITY.to_owned()];
    for attribute in entities.flat_map(|entity| &entity.attributes) {
        if !names.iter().any(|name| **name == *attribute.name) {
            names.push(attribute.name.to_string());
        }
    }
    names
}

impl File {
    /// The header of the file.
    fn head(&self) -> String {
        if self.format == Format::Json {
            return String::new();
        }
        // The byte order mark, by which spreadsheets detect UTF-8.
        let mut line = String::from('\u{feff}');
        push_line(&mut line, self.columns.iter().map(|name| Cell::Exact(name)));
        line
    }

    /// The matching records, one per line.
    fn lines(&self, records: &[Record]) -> String {
        let mut out = String::new();
        for record in records.iter().filter(|record| contains(record, &self.search)) {
            match self.format {
                Format::Json => out.push_str(&output::Members::from(record).line()),
                Format::Csv => {
                    let texts: Vec<(bool, String)> =
                        self.columns.iter().map(|name| text(record, name)).collect();
                    let cells = texts.iter().map(|(exact, text)| match exact {
                        true => Cell::Exact(text),
                        false => Cell::Text(text),
                    });
                    push_line(&mut out, cells);
                }
            }
        }
        out
    }
}

/// A field as text, and whether it cannot be a formula.
fn text(record: &Record, name: &str) -> (bool, String) {
    if name == ENTITY {
        return (true, record.entity.name.to_string());
    }
    let attribute = record.entity.attribute(name);
    let (Some(attribute), Some(value)) = (attribute, record.fields.get(name)) else {
        return (true, String::new());
    };
    (matches!(value, Value::N(_)), fields::text_of(&attribute.kind, value))
}
