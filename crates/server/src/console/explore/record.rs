//! One record: its fields, its item, and its last changes.

use std::sync::Arc;

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use hansang_core::db::{Changed, GetOptions};
use hansang_core::kind::Kind;
use hansang_core::model::Entity;
use hansang_core::value::json::item_to_typed;
use hansang_core::{Error, Item, Record};
use sha2::{Digest as _, Sha256};

use super::logged::{self, Searched};
use super::recorded::Recorded;
use super::related::{self, Related};
use super::requests::{self, Requests};
use super::results::raw_item;
use super::titles::{self, Linked};
use super::{System, fields, key, missing};
use crate::schema;
use hansang_http::input::Parameters;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::time::{Moment, Reader};

/// The maximum number of changes that are shown.
const MAX_CHANGES: usize = 50;

#[derive(Template)]
#[template(path = "console/explore/record.html")]
struct Page {
    frame: Frame,
    system: String,
    entity: String,
    /// The list that the record was opened from.
    list: String,
    fields: Vec<Line>,
    related: Vec<Related>,
    /// The mismatches of the stored item with the model.
    problems: Vec<String>,
    may_edit: bool,
    change: String,
    delete: String,
    raw: String,
    requests: Requests,
    live: String,
    past: Past,
    /// Whether the reader may open the audit log.
    is_administrator: bool,
}

/// A field of the record.
struct Line {
    name: String,
    text: String,
    /// The time that it is.
    time: Option<Moment>,
    /// The address of the record that it refers to.
    link: Option<String>,
    /// Whether it is long or structured, and keeps its line breaks.
    block: bool,
    state: bool,
}

/// The changes of the record.
enum Past {
    /// Those that the table keeps.
    Kept(History),
    /// Those in the audit log, if the table keeps none.
    Logged(Searched),
}

struct History {
    changes: Vec<Change>,
    whole: bool,
}

struct Change {
    at: Moment,
    what: &'static str,
    /// Name, before and after.
    fields: Vec<(String, Shown, Shown)>,
}

/// A value of a change.
struct Shown {
    text: String,
    time: Option<Moment>,
}

pub(super) fn route(system: &System, entity: &Arc<Entity>) -> Route {
    let (path, needs) =
        (system.at(&format!("/entities/{}/record", entity.name)), system.needs_reader(&entity.name));
    let (system, entity) = (system.clone(), entity.clone());
    let handler = on(MethodFilter::GET, async move |view: View, asked: Parameters| {
        show(&system, &entity, view, asked).await
    });
    Route::page(&path, needs, handler)
}

async fn show(
    system: &System,
    entity: &Entity,
    view: View,
    mut asked: Parameters,
) -> Result<Response, Problem> {
    let key = key(entity, &mut asked)?;
    let recorded = Recorded::new(system.db().store().clone());
    let db = system.db().by_way_of(recorded.clone());
    let record = read(system, &db, entity, &key).await?;
    let language = view.language;
    let linked = Linked::of(system, &db, std::slice::from_ref(&record), &view).await?;
    let related = related::of(system, &db, &record, &view).await?;
    let reads = recorded.reads();
    let history = system.db().history(&entity.name, &key, MAX_CHANGES).await?;
    let past = match history {
        Some(history) => Past::Kept(History {
            whole: history.whole,
            changes: history.changes.iter().map(|changed| change(entity, changed, &view)).collect(),
        }),
        None => Past::Logged(logged::search(system, entity, &key, &view).await?),
    };
    let raw = reads.iter().flat_map(|read| &read.items).next();
    let list = system.list_of(entity, &view);
    let title = titles::record(entity, &record.fields, &view.reader);
    let frame = system.frame(view, &title);
    let shown = Page {
        system: system.name().to_owned(),
        entity: entity.title_in(language).into_owned(),
        list,
        live: entity.name.to_string(),
        fields: lines(system, &record, &linked, &frame.view.reader),
        related,
        problems: record.problems.iter().map(|one| one.message().in_language(frame.view.language)).collect(),
        may_edit: system.may_edit(&frame, &entity.name),
        change: system.beside(&frame.view, entity, "change", &key),
        delete: system.beside(&frame.view, entity, "delete", &key),
        raw: raw.map(raw_item).unwrap_or_default(),
        requests: requests::of(&reads, &api_path(system, entity, &key)),
        past,
        is_administrator: frame.is_administrator(),
        frame,
    };
    Ok(page(StatusCode::OK, &shown))
}

/// The record with this key, read with strong consistency.
pub(super) async fn read(
    system: &System,
    db: &hansang_core::Db,
    entity: &Entity,
    key: &Item,
) -> Result<Record, Error> {
    let options = GetOptions { consistent: true, ..GetOptions::default() };
    let operation = format!("{}.get", entity.name);
    let found = system.calls.measured(&operation, db.get(&entity.name, key, &options)).await?;
    found.ok_or_else(|| missing(entity))
}

/// A hash of the state of a record.
pub(super) fn fingerprint(record: &Record) -> String {
    let text = item_to_typed(&record.fields).to_string();
    Sha256::digest(text)[..12].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The path of a record in the API.
fn api_path(system: &System, entity: &Entity, key: &Item) -> String {
    let mut path = format!("/api/{}/entities/{}", system.name(), entity.name);
    let attributes = schema::key_attributes(entity);
    for attribute in &attributes {
        let text = titles::stored(attribute, key.get(&attribute.name));
        path.push('/');
        path.extend(
            form_urlencoded::byte_serialize(text.as_bytes())
                .map(|part| if part == "+" { "%20" } else { part }),
        );
    }
    if attributes.is_empty() {
        path.push_str("/-");
    }
    path
}

/// The fields in the order of the model, then the attributes that the model does not know.
fn lines(system: &System, record: &Record, linked: &Linked, reader: &Reader) -> Vec<Line> {
    let language = reader.language;
    let known = record.entity.attributes.iter();
    let line = |attribute: &Arc<hansang_core::Attribute>| {
        let value = record.fields.get(&attribute.name)?;
        let text = match &attribute.kind {
            Kind::Map(_) | Kind::Set(_) | Kind::Any => fields::text_of(&attribute.kind, value),
            _ => titles::of_entity(&record.entity, &attribute.name, value, reader),
        };
        let (text, link) = match linked.find(system, record, &attribute.name) {
            Some((title, address)) => (title, Some(address)),
            None => (text, None),
        };
        Some(Line {
            name: titles::attribute(attribute, language),
            time: titles::time(Some(attribute), value, reader),
            link,
            block: text.contains('\n'),
            state: matches!(attribute.kind, Kind::Enum(_) | Kind::Lifecycle(_)),
            text,
        })
    };
    let mut lines: Vec<Line> = known.filter_map(line).collect();
    let unknown = record.fields.iter().filter(|(name, _)| record.entity.attribute(name).is_none());
    lines.extend(unknown.map(|(name, value)| {
        let text = titles::value(None, value, reader);
        let block = text.contains('\n');
        Line { name: name.to_string(), time: None, link: None, block, state: false, text }
    }));
    lines
}

fn change(entity: &Entity, changed: &Changed, view: &View) -> Change {
    let shown = |name: &str, value: Option<&hansang_core::Value>| {
        let attribute = entity.attribute(name).map(|one| &**one);
        Shown {
            text: value.map(|value| titles::of_entity(entity, name, value, &view.reader)).unwrap_or_default(),
            time: value.and_then(|value| titles::time(attribute, value, &view.reader)),
        }
    };
    Change {
        at: view.time(changed.at),
        what: match (&changed.before, &changed.after) {
            (None, _) => view.say("Created", "생성"),
            (_, None) => view.say("Deleted", "삭제"),
            _ => view.say("Changed", "수정"),
        },
        fields: changed
            .fields
            .iter()
            .map(|one| {
                let name = titles::field(entity, &one.name, view.language);
                (name, shown(&one.name, one.before.as_ref()), shown(&one.name, one.after.as_ref()))
            })
            .collect(),
    }
}
