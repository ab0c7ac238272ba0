//! The records to choose from in fields that refer to other records.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::routing::{MethodFilter, on};

use hansang_core::db::{Ask, GetOptions};
use hansang_core::model::{Attribute, Entity, Leg, Pattern, Reference};
use hansang_core::read::parameters;
use serde::Serialize;

use super::query::returns;
use super::titles::Linked;
use super::{System, titles};
use crate::messages;
use hansang_core::validate::{Violation, violation};
use hansang_core::{Error, Item, Name, Record, message, write};
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ui::form::{Field, Form, Input};
use hansang_ui::frame::View;
use hansang_ui::time::Reader;

/// The number of records that are offered before anything is typed.
const MAX_OPTIONS: u32 = 50;
/// The number of records that are read at once for a search.
const AT_ONCE: u32 = 200;
/// The maximum number of records that a search reads.
const MAX_SEARCHED: usize = 2_000;

/// Keys and titles for each field that refers to another record.
#[derive(Default)]
pub(super) struct Pickers(BTreeMap<String, Options>);

/// The records to choose from.
struct Options {
    /// Keys and titles.
    shown: Vec<(String, String)>,
    /// The address that searches for others; empty if these are all.
    search: String,
}

impl Pickers {
    /// Reads records that an entity can refer to, where a pattern lists them without arguments, and those that a record
    /// refers to already.
    pub(super) async fn of(
        system: &System,
        entity: &Entity,
        record: Option<&Record>,
        view: &View,
    ) -> Result<Self, Error> {
        let reader = &view.reader;
        let known = record.map(std::slice::from_ref).unwrap_or_default();
        let linked = Linked::of(system, system.db(), known, view).await?;
        let mut pickers = Self::default();
        for reference in &entity.references {
            let Some((_, key, pattern)) = target(system, reference) else { continue };
            let ask = Ask { limit: Some(MAX_OPTIONS), ..Ask::default() };
            let query = system.db().query(&pattern.name, Item::new(), ask);
            let listing = system.calls.measured(&pattern.name, query).await?;
            let mut shown: Vec<_> = listing.records.iter().map(|one| option(one, key, reader)).collect();
            let chosen = record.and_then(|record| linked.find(system, record, &reference.attribute));
            if let (Some((title, _)), Some(record)) = (chosen, record) {
                let value = titles::stored(key, record.fields.get(&reference.attribute));
                if !shown.iter().any(|(known, _)| *known == value) {
                    shown.push((value, title));
                }
            }
            let search = listing.next.map(|_| choices_path(system, entity, &reference.attribute));
            pickers.0.insert(
                reference.attribute.to_string(),
                Options { shown, search: search.unwrap_or_default() },
            );
        }
        Ok(pickers)
    }

    /// The field as a picker, if there are records to choose from.
    pub(super) fn apply(&self, mut field: Field) -> Field {
        if let (Some(options), Input::Text) = (self.0.get(&field.name), &field.input) {
            field.input = Input::Reference { options: options.shown.clone(), search: options.search.clone() };
        }
        field
    }
}

/// The entity that a reference leads to, the attribute of its key, and the pattern that lists its records.
fn target<'s>(
    system: &'s System,
    reference: &Reference,
) -> Option<(&'s Arc<Entity>, &'s Arc<Attribute>, &'s Pattern)> {
    let target = system.model().entity(&reference.entity)?;
    let pattern = system.model().patterns.iter().find(|one| lists_all(one, target))?;
    let (theirs, _) = reference.key.iter().find(|(_, own)| *own == reference.attribute)?;
    Some((target, target.attribute(theirs)?, pattern))
}

/// The key and the title of a record.
fn option(record: &Record, key: &Attribute, reader: &Reader) -> (String, String) {
    let value = titles::stored(key, record.fields.get(&key.name));
    (value, titles::record(&record.entity, &record.fields, reader))
}

fn choices_path(system: &System, entity: &Entity, attribute: &str) -> String {
    system.at(&format!("/entities/{}/choices/{attribute}", entity.name))
}

/// The searches of the fields of an entity that refer to other records.
pub(super) fn routes(system: &System, entity: &Arc<Entity>) -> Vec<Route> {
    let found = entity.references.iter().filter(|reference| target(system, reference).is_some());
    let route = |reference: &Reference| {
        let path = choices_path(system, entity, &reference.attribute);
        let (system, reference) = (system.clone(), reference.clone());
        let needs = system.needs_reader(&reference.entity);
        let handler = on(MethodFilter::GET, async move |view: View| {
            let text = view.asked().text("q").trim().to_lowercase();
            Ok::<_, Problem>(Json(choices(&system, &reference, &text, &view.reader).await?))
        });
        Route::page(&path, needs, handler)
    };
    found.map(route).collect()
}

/// A record to choose.
#[derive(Serialize)]
struct Choice {
    value: String,
    label: String,
}

/// The records whose key or title contains a text, in lower case. Reads page after page, to a bound.
async fn choices(
    system: &System,
    reference: &Reference,
    text: &str,
    reader: &Reader,
) -> Result<Vec<Choice>, Error> {
    let Some((_, key, pattern)) = target(system, reference) else { return Ok(Vec::new()) };
    let (mut found, mut count, mut cursor) = (Vec::new(), 0, None);
    loop {
        let ask = Ask { limit: Some(AT_ONCE), cursor: cursor.take(), ..Ask::default() };
        let query = system.db().query(&pattern.name, Item::new(), ask);
        let page = system.calls.measured(&pattern.name, query).await?;
        count += page.records.len();
        let options = page.records.iter().map(|one| option(one, key, reader));
        let is_wanted = |(value, label): &(String, String)| {
            value.to_lowercase().contains(text) || label.to_lowercase().contains(text)
        };
        found.extend(options.filter(is_wanted).map(|(value, label)| Choice { value, label }));
        cursor = page.next;
        if cursor.is_none() || found.len() >= MAX_OPTIONS as usize || count >= MAX_SEARCHED {
            found.truncate(MAX_OPTIONS as usize);
            return Ok(found);
        }
    }
}

/// The form with the key of a record where its title was typed into a picker, and the problems of texts that are neither.
///
/// References that a record already has stay as they are.
pub(super) async fn resolved(
    system: &System,
    entity: &Entity,
    sent: &Form,
    record: Option<&Record>,
    view: &View,
) -> Result<(Form, Vec<Violation>), Error> {
    let (mut keys, mut violations) = (BTreeMap::new(), Vec::new());
    for reference in &entity.references {
        let (name, text) = (&*reference.attribute, sent.text(&reference.attribute).trim());
        let Some((other, key, _)) = target(system, reference).filter(|_| !text.is_empty()) else { continue };
        let stored = record.map(|record| titles::stored(key, record.fields.get(name)));
        if stored.is_some_and(|stored| stored == text) || exists(system, entity, reference, sent).await? {
            continue;
        }
        let same = choices(system, reference, &text.to_lowercase(), &view.reader).await?;
        let mut same = same.into_iter().filter(|one| one.label == text);
        let title = || other.title_in(view.language).into_owned();
        match (same.next(), same.next()) {
            (Some(only), None) => drop(keys.insert(name, only.value)),
            (Some(_), Some(_)) => {
                violations.push(violation(name, message!(messages::SEVERAL_WITH_TITLE, title())));
            }
            (None, _) => violations.push(violation(name, message!(messages::NO_SUCH_RECORD, title()))),
        }
    }
    let pairs = sent.pairs().map(|(name, value)| {
        let value = keys.get(name).map_or(value, |key| key);
        (name.to_owned(), value.to_owned())
    });
    Ok((Form::of(pairs.collect()), violations))
}

/// Whether the submitted fields are the key of a record.
async fn exists(system: &System, entity: &Entity, reference: &Reference, sent: &Form) -> Result<bool, Error> {
    let field = |(_, own): &(Name, Name)| {
        let value = entity.attribute(own)?.kind.from_text(sent.text(own)).ok()?;
        Some((own.clone(), value))
    };
    let Some(fields) = reference.key.iter().map(field).collect::<Option<Item>>() else { return Ok(false) };
    let Some(key) = reference.key_in(&fields) else { return Ok(false) };
    let Some(other) = system.model().entity(&reference.entity) else { return Ok(false) };
    if write::key(other, &key).is_err() {
        return Ok(false);
    }
    Ok(system.db().get(&other.name, &key, &GetOptions::default()).await?.is_some())
}

/// Whether a pattern lists the records of an entity alone, and needs no arguments.
pub(super) fn lists_all(pattern: &Pattern, entity: &Entity) -> bool {
    returns(pattern, entity)
        && pattern.entities.len() == 1
        && pattern.legs.iter().any(|leg| matches!(leg, Leg::Query { .. }))
        && !parameters(pattern).iter().any(|one| one.required)
}
