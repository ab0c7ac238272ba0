//! The data of a system, for any model: its access patterns as forms, its records, and changes to them.

use std::sync::Arc;

use hansang_core::export::attribute_schema;
use hansang_core::model::Entity;
use hansang_core::{CoreCode, Db, Error, Item, Message, Model, Pattern, message};

use super::Console;
use crate::Service;
use crate::app::Calls;
use crate::messages::api;
use crate::schema;
use hansang_access::Role;
use hansang_core::messages::items;
use hansang_http::input::Parameters;
use hansang_http::route::{Described, Needs, Route, query_parameter};
use hansang_ui::frame::{Frame, Section, View};
use hansang_ui::time::Reader;

mod cells;
mod change;
mod create;
pub mod csv;
mod delete;
mod download;
mod fields;
mod import;
mod list;
mod logged;
mod order;
mod overview;
mod pickers;
mod query;
mod record;
mod recorded;
mod related;
mod requests;
mod results;
mod rows;
mod selected;
mod times;
mod titles;
mod trial;

/// The pages of one system.
#[derive(Clone)]
struct System {
    console: Console,
    calls: Calls,
}

/// All pages about the data of a system.
pub(super) fn routes(console: &Console, service: &dyn Service) -> Vec<Route> {
    let db = service.db();
    let calls = console.calls(db).reserving(service.reserved());
    let system = System { console: console.clone(), calls };
    let model = db.model();
    let mut routes = vec![overview::route(&system)];
    if service.has_generic_writes() {
        routes.push(import::route(&system));
    }
    for pattern in &model.patterns {
        routes.push(query::route(&system, pattern));
        routes.push(download::route(&system, pattern));
    }
    for entity in &model.entities {
        routes.extend(list::routes(&system, entity));
        routes.extend(pickers::routes(&system, entity));
        routes.push(record::route(&system, entity));
        let is_open = service.has_generic_writes() && !db.is_closed(&entity.name);
        routes.extend(selected::routes(&system, entity, is_open));
        if is_open {
            routes.push(create::route(&system, entity));
            routes.push(change::route(&system, entity));
            routes.push(delete::route(&system, entity));
        }
    }
    routes
}

impl System {
    fn db(&self) -> &Db {
        &self.calls.db
    }

    fn model(&self) -> &Arc<Model> {
        self.db().model()
    }

    fn name(&self) -> &str {
        &self.model().name
    }

    fn frame(&self, view: View, title: &str) -> Frame {
        self.console.frame(view, title, Section::System(self.name().to_owned()))
    }

    /// Whether a visitor may change records of an entity here.
    fn may_edit(&self, frame: &Frame, entity: &str) -> bool {
        frame.may_edit(self.name()) && !self.db().is_closed(entity)
    }

    /// Whether a visitor may see records of an entity here.
    fn may_read(&self, view: &View, entity: &str) -> bool {
        self.calls.reserved.may_read(view.role_in(self.name()), entity)
    }

    /// What a page needs that shows records of an entity.
    fn needs_reader(&self, entity: &str) -> Needs {
        self.needs(self.calls.reserved.role(entity))
    }

    /// What a page needs that shows the records of a pattern.
    fn needs_readers(&self, pattern: &Pattern) -> Needs {
        self.needs(self.calls.reserved.role_of(pattern))
    }

    fn needs(&self, role: Role) -> Needs {
        Needs::Role(self.name().to_owned(), role)
    }

    /// The address of a page of this system.
    fn at(&self, rest: &str) -> String {
        format!("/console/systems/{}{rest}", self.name())
    }

    /// The list that a record was opened from, otherwise the list of its entity.
    fn list_of(&self, entity: &Entity, view: &View) -> String {
        self.opened_from(view).unwrap_or_else(|| self.at(&format!("/entities/{}", entity.name)))
    }

    /// The list that a record was opened from, if the address names it.
    fn opened_from(&self, view: &View) -> Option<String> {
        let asked = view.asked();
        let list = asked.text(LIST);
        list.starts_with(&self.at("/")).then(|| list.to_owned())
    }

    /// The address of a page about a record, with the list that this page was opened from.
    fn beside(&self, view: &View, entity: &Entity, what: &str, fields: &Item) -> String {
        let address = self.of_record(entity, what, fields);
        match self.opened_from(view) {
            Some(list) => from_list(&address, &list),
            None => address,
        }
    }

    /// The address of a page about a record: `what` is `record`, `change` or `delete`.
    fn of_record(&self, entity: &Entity, what: &str, fields: &Item) -> String {
        of_record(self.name(), entity, what, fields)
    }
}

/// The title of a record.
pub(super) fn title_of(record: &hansang_core::Record, reader: &Reader) -> String {
    titles::record(&record.entity, &record.fields, reader)
}

/// The address of a page about a record of a system.
pub(super) fn of_record(system: &str, entity: &Entity, what: &str, fields: &Item) -> String {
    format!("/console/systems/{system}/entities/{}/{what}?{}", entity.name, key_query(entity, fields))
}

/// The key of a record as a query string.
fn key_query(entity: &Entity, fields: &Item) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    for attribute in schema::key_attributes(entity) {
        let value = fields.get(&attribute.name);
        let text = value.map(|value| fields::text_of(&attribute.kind, value)).unwrap_or_default();
        query.append_pair(&attribute.name, &text);
    }
    query.finish()
}

/// The parameter with the list that a record was opened from. No attribute can have this name.
const LIST: &str = ".list";

/// The address of a record with the list that it was opened from.
fn from_list(record: &str, list: &str) -> String {
    let list: String = form_urlencoded::byte_serialize(list.as_bytes()).collect();
    format!("{record}{}{LIST}={list}", if record.contains('?') { '&' } else { '?' })
}

/// The parameter with the list that a page was opened from, which forms send too.
fn list_parameter() -> Described {
    query_parameter(LIST, false, serde_json::json!({ "type": "string" }), message!(api::FROM_LIST))
}

/// The parameters of a form about a record: its key, and the list that it was opened from.
fn key_parameters(entity: &Entity) -> Vec<Described> {
    let parameter = |attribute: &hansang_core::Attribute| {
        let schema = attribute_schema(entity, attribute).into();
        query_parameter(&attribute.name, true, schema, Message::words(attribute.doc.clone()))
    };
    schema::key_attributes(entity).into_iter().map(parameter).chain([list_parameter()]).collect()
}

/// The key of a record from a query string.
fn key(entity: &Entity, asked: &mut Parameters) -> Result<Item, Error> {
    key_of(entity, |name| asked.take(name))
}

/// The key of a record from the texts of its attributes.
fn key_of(entity: &Entity, mut text: impl FnMut(&str) -> Option<String>) -> Result<Item, Error> {
    let mut key = Item::new();
    for attribute in schema::key_attributes(entity) {
        let text = text(&attribute.name).unwrap_or_default();
        let value = attribute.kind.from_text(&text).map_err(|_| missing(entity))?;
        key.insert(attribute.name.clone(), value);
    }
    Ok(key)
}

fn missing(entity: &Entity) -> Error {
    Error::not_found(CoreCode::NotFound, message!(items::NOT_FOUND, &entity.name))
}
