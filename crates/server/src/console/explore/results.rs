//! The results of an access pattern, grouped by entity.

use hansang_core::db::{Ask, Listing};
use hansang_core::message::Language;
use hansang_core::model::Pattern;
use hansang_core::validate::Violation;
use hansang_core::value::json::to_typed;
use hansang_core::{Entity, Error, Item, Record};
use serde_json::Value as Json;

use super::query::{Address, Asked, SHOWN};
use super::recorded::Recorded;
use super::requests::{self, Requests};
use super::titles::{self, Linked};
use super::{System, cells, from_list, key_query, order, selected};
use crate::schema;
use hansang_ui::address;
use hansang_ui::form::Form;
use hansang_ui::frame::View;
use hansang_ui::table::{Cell, Column, Kind, Row, Sort, Table};
use hansang_ui::time::Reader;
use jiff::tz::TimeZone;

/// The key of the column with the titles of records. No attribute can have this name.
const TITLE: &str = ".title";
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
    pub(super) title: String,
    pub(super) table: Table,
}

pub(super) async fn find(
    system: &System,
    pattern: &Pattern,
    page: &Address,
    sent: &Form,
    asked: Asked,
    view: &View,
) -> Result<Found, Error> {
    let language = view.language;
    let descending = asked.ask.descending.unwrap_or(pattern.descending);
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
    let linked = Linked::of(system, &db, &listing.records, view).await?;
    let reads = recorded.reads();
    let to = |cursor: &String| format!("{}?{}", page.here, with(sent, &[("cursor", cursor)]));
    let download = system.at(&format!("/patterns/{}/download", pattern.name));
    let file = |format: &str| format!("{download}?{}", with(sent, &[("format", format)]));
    // The same page of the list in the same order.
    let list = address::on_page(&view.here, &[]);
    let whole = listing.next.is_none() && listing.previous.is_none();
    let context = Context { system, linked: &linked, list: &list, view, whole, pattern, descending };
    Ok(Found {
        count: listing.records.len(),
        groups: pattern
            .entities
            .iter()
            .filter_map(|entity| group(&context, entity, &listing.records))
            .collect(),
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

/// The parts that all rows share.
struct Context<'c> {
    system: &'c System,
    linked: &'c Linked,
    /// The list that records are opened from.
    list: &'c str,
    view: &'c View,
    /// Whether the page holds all records, so that sorting it sorts the list.
    whole: bool,
    pattern: &'c Pattern,
    /// Whether the list is read in descending order.
    descending: bool,
}

/// The records of one entity. The first column is the title of the record.
fn group(context: &Context<'_>, entity: &Entity, records: &[Record]) -> Option<Group> {
    let (language, reader) = (context.view.language, &context.view.reader);
    let records: Vec<&Record> = records.iter().filter(|one| one.entity.name == entity.name).collect();
    let keys = schema::key_attributes(entity);
    let in_title = |name: &str| match entity.label.is_empty() {
        true => keys.iter().any(|one| &*one.name == name),
        false => only_field(entity, name),
    };
    // The title says nothing else.
    let is_title = |name: &str| in_title(name) && (!entity.label.is_empty() || keys.len() == 1);
    let order = order::of(context.pattern, entity);
    let usual = cells::columns_by(entity, order);
    let other = entity.attributes.iter().map(|one| one.name.to_string()).filter(|name| !usual.contains(name));
    let mut names: Vec<String> = usual.iter().cloned().chain(other).collect();
    names.retain(|name| !is_title(name));
    let column = |name: &String| {
        let column = cells::column(entity, name, language);
        // The title shows it already, or it has no values. It can still be chosen.
        let says_more = usual.contains(name) && !in_title(name);
        let has_values = records.iter().any(|one| one.fields.contains_key(name.as_str()));
        if says_more && has_values { column } else { column.hidden() }
    };
    let first = Column::new(TITLE, &entity.title_in(language), Kind::Text);
    let columns = [first].into_iter().chain(names.iter().map(column));
    let columns: Vec<Column> = columns.map(Column::sortable).collect();
    let read = order
        .map(|name| if is_title(name) { TITLE } else { name })
        .filter(|name| columns.iter().any(|column| column.key == *name))
        .map(|name| Sort { key: name.to_owned(), descending: context.descending });
    let row = |record: &&Record| {
        let title = titles::record(entity, &record.fields, reader);
        let title = match record.problems.is_empty() {
            true => Cell::Text(title),
            false => {
                Cell::Tags(vec![(title, ""), (language.say("Problems", "문제 있음").to_owned(), "warn")])
            }
        };
        let cells =
            names.iter().map(|name| cells::cell(context.system, record, name, context.linked, reader));
        Row {
            key: key_query(entity, &record.fields),
            link: Some(from_list(&context.system.of_record(entity, "record", &record.fields), context.list)),
            cells: [title].into_iter().chain(cells).collect(),
        }
    };
    let title = entity.plural_in(language).into_owned();
    let mut table = Table {
        name: format!("{}/{}", context.system.name(), entity.name),
        label: title.clone(),
        rows: records.iter().map(row).collect(),
        sort: Sort::asked(context.view, &columns)
            .filter(|sort| Some(&sort.key) != read.as_ref().map(|read| &read.key)),
        read,
        partial: !context.whole,
        columns,
        bulk: Some(selected::bulk(context.system, entity, context.view, context.list)),
        ..Table::default()
    };
    table.sort_rows();
    (!records.is_empty()).then_some(Group { title, table })
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
    let anyone = Reader { zone: TimeZone::UTC, now: None, language: Language::English };
    search.is_empty()
        || record
            .fields
            .values()
            .any(|value| titles::value(None, value, &anyone).to_lowercase().contains(search))
}

/// The mismatches of a stored item with the model as one text.
pub(super) fn worded(problems: &[Violation], language: Language) -> String {
    let each = problems.iter().map(|problem| problem.message().in_language(language));
    each.collect::<Vec<_>>().join("; ")
}

/// The form with some values changed, as a query string.
fn with(sent: &Form, changed: &[(&str, &str)]) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    let is_kept = |name: &str| {
        !["cursor", "done", "format", "sort", "dir"].contains(&name)
            && !changed.iter().any(|(one, _)| *one == name)
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
