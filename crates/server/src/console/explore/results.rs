//! The results of an access pattern, grouped by entity.

use hansang_core::db::{Ask, Listing};
use hansang_core::message::Language;
use hansang_core::model::Pattern;
use hansang_core::validate::Violation;
use hansang_core::value::json::to_typed;
use hansang_core::{Entity, Error, Item, Record, write};
use serde_json::Value as Json;

use super::cells::{self, Cell};
use super::query::{Address, Asked, SHOWN};
use super::recorded::{Read, Recorded, item_of};
use super::requests::{self, Requests};
use super::titles::{self, Linked};
use super::{System, from_list};
use crate::schema;
use hansang_ui::form::Form;

/// The number of records that are read at once for a search.
const AT_ONCE: u32 = 200;
/// The maximum number of records that a search reads for one page.
const LOOKED_THROUGH: usize = 2_000;

/// The results.
pub(super) struct Found {
    pub(super) count: usize,
    pub(super) groups: Vec<Group>,
    /// The items that fit no entity: their problems, and the items as they are stored.
    pub(super) strays: Vec<(String, String)>,
    /// The number of records that the search has read.
    pub(super) searched: Option<usize>,
    pub(super) next: Option<String>,
    pub(super) previous: Option<String>,
    /// Links to the same results as files.
    pub(super) csv: String,
    pub(super) json: String,
    pub(super) requests: Requests,
}

/// The records of one entity.
pub(super) struct Group {
    /// The name of the records, and of one of them.
    pub(super) title: String,
    pub(super) entity: String,
    pub(super) columns: Vec<String>,
    pub(super) rows: Vec<Row>,
}

pub(super) struct Row {
    pub(super) title: String,
    pub(super) address: String,
    pub(super) cells: Vec<Cell>,
    pub(super) raw: String,
    /// The mismatches of the stored item with the model, as one text.
    pub(super) problems: String,
}

pub(super) async fn find(
    system: &System,
    pattern: &Pattern,
    page: &Address,
    sent: &Form,
    asked: Asked,
    language: Language,
) -> Result<Found, Error> {
    let recorded = Recorded::new(system.db().store().clone());
    let db = system.db().by_way_of(recorded.clone());
    let mut searched = None;
    let listing = if asked.search.is_empty() {
        system.calls.measured(&pattern.name, db.query(&pattern.name, asked.arguments, asked.ask)).await?
    } else {
        let search = search(&db, pattern, asked);
        let (listing, count) = system.calls.measured(&pattern.name, search).await?;
        searched = Some(count);
        listing
    };
    let linked = Linked::of(system, &db, &listing.records, language).await?;
    let reads = recorded.reads();
    let to = |cursor: &String| format!("{}?{}", page.here, with(sent, &[("cursor", cursor)]));
    let download = system.at(&format!("/patterns/{}/download", pattern.name));
    let file = |format: &str| format!("{download}?{}", with(sent, &[("format", format)]));
    let list = match with(sent, &[]) {
        query if query.is_empty() => page.here.clone(),
        query => format!("{}?{query}", page.here),
    };
    let row =
        |record: &Record, columns: &[String]| row(system, record, columns, &reads, &linked, &list, language);
    Ok(Found {
        count: listing.records.len(),
        groups: groups(pattern, &listing.records, language, row),
        strays: listing
            .strays
            .iter()
            .map(|stray| (worded(&stray.problems, language), raw_item(&stray.item)))
            .collect(),
        searched,
        next: listing.next.as_ref().map(to),
        previous: listing.previous.as_ref().filter(|_| searched.is_none()).map(to),
        csv: file("csv"),
        json: file("json"),
        requests: requests::of(&reads, &requests::pattern_path(system, pattern, sent)),
    })
}

/// The records of each entity, in the order of the pattern. The first column is the title of the record.
fn groups(
    pattern: &Pattern,
    records: &[Record],
    language: Language,
    row: impl Fn(&Record, &[String]) -> Row,
) -> Vec<Group> {
    let group = |entity: &std::sync::Arc<Entity>| {
        let of_entity: Vec<&Record> = records.iter().filter(|one| one.entity.name == entity.name).collect();
        let in_title = match entity.label.is_empty() {
            true => schema::key_attributes(entity).iter().map(|one| one.name.to_string()).collect(),
            false => entity
                .columns
                .iter()
                .filter(|name| only_field(entity, name))
                .map(ToString::to_string)
                .collect::<Vec<_>>(),
        };
        let mut columns = cells::columns(entity);
        // The title says it already, and a column without values says nothing.
        columns.retain(|name| {
            !in_title.contains(name) && of_entity.iter().any(|one| one.fields.contains_key(name.as_str()))
        });
        Group {
            title: entity.plural_in(language).into_owned(),
            entity: entity.title_in(language).into_owned(),
            rows: of_entity.iter().map(|record| row(record, &columns)).collect(),
            columns: columns.iter().map(|name| titles::field(entity, name, language)).collect(),
        }
    };
    pattern.entities.iter().map(group).filter(|group| !group.rows.is_empty()).collect()
}

/// Whether the label of a record is this field and nothing else.
fn only_field(entity: &Entity, name: &str) -> bool {
    entity
        .label
        .0
        .iter()
        .all(|(_, text)| text.strip_prefix('{').and_then(|text| text.strip_suffix('}')) == Some(name))
}

/// Reads page after page until enough records match, or the maximum was read.
async fn search(db: &hansang_core::Db, pattern: &Pattern, asked: Asked) -> Result<(Listing, usize), Error> {
    let wanted = asked.ask.limit.unwrap_or(SHOWN) as usize;
    let mut all = Listing { records: Vec::new(), strays: Vec::new(), next: None, previous: None };
    let mut count = 0;
    let mut ask = Ask { limit: Some(AT_ONCE), ..asked.ask };
    loop {
        let page = db.query(&pattern.name, asked.arguments.clone(), ask.clone()).await?;
        count += page.records.len() + page.strays.len();
        all.records.extend(page.records.into_iter().filter(|record| contains(record, &asked.search)));
        all.strays.extend(page.strays);
        all.next = page.next;
        match &all.next {
            Some(next) if all.records.len() < wanted && count < LOOKED_THROUGH => {
                ask.cursor = Some(next.clone())
            }
            _ => return Ok((all, count)),
        }
    }
}

/// Whether a record contains a text in lower case.
pub(super) fn contains(record: &Record, search: &str) -> bool {
    search.is_empty()
        || record
            .fields
            .values()
            .any(|value| titles::value(None, value, Language::English).to_lowercase().contains(search))
}

/// The mismatches of a stored item with the model as one text.
pub(super) fn worded(problems: &[Violation], language: Language) -> String {
    let each = problems.iter().map(|problem| problem.message().in_language(language));
    each.collect::<Vec<_>>().join("; ")
}

#[allow(clippy::too_many_arguments, reason = "the context of a row")]
fn row(
    system: &System,
    record: &Record,
    columns: &[String],
    reads: &[Read],
    linked: &Linked,
    list: &str,
    language: Language,
) -> Row {
    let key = write::key(&record.entity, &record.fields).ok();
    let raw = key.and_then(|key| item_of(reads, system.db().table(), &key));
    Row {
        title: titles::record(&record.entity, &record.fields, language),
        address: from_list(&system.of_record(&record.entity, "record", &record.fields), list),
        cells: columns.iter().map(|name| cells::cell(system, record, name, linked, language)).collect(),
        raw: raw.map(raw_item).unwrap_or_default(),
        problems: worded(&record.problems, language),
    }
}

/// The form with some values changed, as a query string.
fn with(sent: &Form, changed: &[(&str, &str)]) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    let is_kept = |name: &str| {
        !["cursor", "done", "format"].contains(&name) && !changed.iter().any(|(one, _)| *one == name)
    };
    query.extend_pairs(sent.pairs().filter(|(name, _)| is_kept(name)));
    query.extend_pairs(changed);
    query.finish()
}

/// An item as it is stored, one attribute per line.
pub(super) fn raw_item(item: &Item) -> String {
    let lines: Vec<String> =
        item.iter().map(|(name, value)| format!("  {}: {}", Json::from(&**name), to_typed(value))).collect();
    format!("{{\n{}\n}}", lines.join(",\n"))
}
