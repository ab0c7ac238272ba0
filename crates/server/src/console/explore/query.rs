//! An access pattern as a form, and its results.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use hansang_core::db::{Ask, Listing};
use hansang_core::message::Language;
use hansang_core::model::{Leg, Pattern};
use hansang_core::read::parameters;
use hansang_core::validate::Violation;
use hansang_core::value::json::to_typed;
use hansang_core::{Error, Item, Record, write};
use serde_json::Value as Json;

use super::cells::{Cell, cell, columns};
use super::recorded::{Read, Recorded, item_of};
use super::{System, fields};
use hansang_access::Role;
use hansang_http::input::argument_name;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ui::form::{Field, Form, Input, Problems};
use hansang_ui::frame::{Frame, View, page};

/// The default number of records on a page.
const SHOWN: u32 = 25;
/// The number of records that are read at once for a search.
const AT_ONCE: u32 = 200;
/// The maximum number of records that a search reads for one page.
const LOOKED_THROUGH: usize = 2_000;

#[derive(Template)]
#[template(path = "console/explore/query.html")]
struct Query {
    frame: Frame,
    system: String,
    pattern: String,
    doc: String,
    fields: Vec<Field>,
    /// The options of the read, which are collapsed.
    options: Vec<Field>,
    problems: Problems,
    found: Option<Found>,
}

/// The results.
struct Found {
    columns: Vec<String>,
    /// Whether there are records of more than one entity.
    mixed: bool,
    rows: Vec<Row>,
    /// The items that fit no entity: their problems, and the items as they are stored.
    strays: Vec<(String, String)>,
    /// The number of records that the search has read.
    searched: Option<usize>,
    next: Option<String>,
    previous: Option<String>,
    /// Links to the same results as files.
    csv: String,
    json: String,
    units: String,
    reads: Vec<Shown>,
}

struct Row {
    entity: String,
    address: String,
    cells: Vec<Cell>,
    raw: String,
    /// The mismatches of the stored item with the model, as one text.
    problems: String,
}

/// A read on a page.
pub(super) struct Shown {
    pub(super) operation: &'static str,
    pub(super) body: String,
    pub(super) items: String,
    pub(super) units: String,
}

/// The query that a pattern's form describes.
pub(super) struct Asked {
    pub(super) arguments: Item,
    pub(super) ask: Ask,
    /// The text that a record must contain, in lower case.
    pub(super) search: String,
}

pub(super) fn route(system: &System, pattern: &str) -> Route {
    let (path, needs) = (system.at(&format!("/patterns/{pattern}")), system.needs(Role::Viewer));
    let (system, pattern) = (system.clone(), pattern.to_owned());
    let handler = on(MethodFilter::GET, async move |view: View| show(&system, &pattern, view).await);
    Route::page(&path, needs, handler)
}

async fn show(system: &System, pattern: &str, view: View) -> Result<Response, Problem> {
    let pattern = system.db().pattern(pattern)?;
    let sent = view.asked();
    let mut problems = Problems::default();
    let mut found = None;
    let mut status = StatusCode::OK;
    if is_asked(pattern, &sent) {
        let result = match asked(pattern, &sent) {
            Ok(asked) => find(system, pattern, &sent, asked, view.language).await,
            Err(error) => Err(error),
        };
        match result {
            Ok(answer) => found = Some(answer),
            Err(error) => {
                let problem = Problem::from(error);
                let names: Vec<String> =
                    parameters(pattern).iter().map(|one| argument_name(one.name)).collect();
                let names: Vec<&str> = names.iter().map(|name| &**name).collect();
                problems = Problems::of_error(&problem, &names, view.language);
                status = problem.status;
            }
        }
    }
    let (fields, options) = form(pattern, &sent, &problems, &view);
    let query = Query {
        system: system.name().to_owned(),
        pattern: pattern.name.to_string(),
        doc: pattern.doc.in_language(view.language).to_owned(),
        fields,
        options,
        problems,
        found,
        frame: system.frame(view, &pattern.name),
    };
    Ok(page(status, &query))
}

/// Whether the form was submitted, or needs no input: an empty form is not an error.
fn is_asked(pattern: &Pattern, sent: &Form) -> bool {
    let parameters = parameters(pattern);
    let given = |one: &hansang_core::read::Parameter<'_>| sent.get(&argument_name(one.name)).is_some();
    parameters.iter().any(given) || !parameters.iter().any(|one| one.required)
}

/// The fields of the arguments and of the options.
fn form(pattern: &Pattern, sent: &Form, problems: &Problems, view: &View) -> (Vec<Field>, Vec<Field>) {
    let mut fields: Vec<Field> = parameters(pattern)
        .iter()
        .map(|one| {
            let field = fields::of_kind(&argument_name(one.name), one.kind, one.required, view.language);
            Field { label: one.name.to_owned(), ..field }.sent(sent, problems)
        })
        .collect();
    let (first, last) = (view.say("Ascending", "오름차순"), view.say("Descending", "내림차순"));
    let choice = |name: &str, label: &str, value: &str, choices: &[(&str, &str)]| {
        let choices = choices.iter().map(|(value, name)| ((*value).to_owned(), (*name).to_owned())).collect();
        let field = Field::text(name, label);
        let field =
            Field { required: false, value: value.to_owned(), input: Input::Choice(choices), ..field };
        field.sent(sent, problems)
    };
    // A single item has neither an order nor a limit.
    if !pattern.legs.iter().any(|leg| matches!(leg, Leg::Query { .. })) {
        return (fields, Vec::new());
    }
    let search = Field {
        required: false,
        hint: view.say("Only records that contain this text", "이 글이 들어 있는 것만").to_owned(),
        ..Field::text("search", view.say("Contains", "포함하는 글"))
    };
    fields.push(search.sent(sent, problems));
    let order = if pattern.descending { "descending" } else { "ascending" };
    let orders = [("ascending", first), ("descending", last)];
    let sizes = [("10", "10"), ("25", "25"), ("50", "50"), ("100", "100")];
    let options = vec![
        choice("order", view.say("Order", "순서"), order, &orders),
        choice("limit", view.say("On a page", "한 화면"), "25", &sizes),
    ];
    (fields, options)
}

/// Parses the query of a form.
pub(super) fn asked(pattern: &Pattern, sent: &Form) -> Result<Asked, Error> {
    let mut arguments = Item::new();
    let mut violations = Vec::new();
    for parameter in parameters(pattern) {
        let name = argument_name(parameter.name);
        let text = sent.text(&name);
        if text.is_empty() {
            continue;
        }
        match parameter.kind.from_text(text) {
            Ok(value) => drop(arguments.insert(parameter.name.into(), value)),
            Err(problem) => violations.push(hansang_core::validate::violation(&name, problem)),
        }
    }
    if !violations.is_empty() {
        return Err(Error::fields(violations));
    }
    let ask = Ask {
        limit: Some(
            sent.text("limit").parse().ok().filter(|limit| (1..=100).contains(limit)).unwrap_or(SHOWN),
        ),
        descending: match sent.text("order") {
            "ascending" => Some(false),
            "descending" => Some(true),
            _ => None,
        },
        cursor: Some(sent.text("cursor").to_owned()).filter(|cursor| !cursor.is_empty()),
        ..Ask::default()
    };
    Ok(Asked { arguments, ask, search: sent.text("search").trim().to_lowercase() })
}

async fn find(
    system: &System,
    pattern: &Pattern,
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
    let reads = recorded.reads();
    let mut columns = columns(pattern.entities.iter().map(|entity| &**entity));
    // Columns without values are left out.
    let records = &listing.records;
    columns.retain(|name| {
        records.is_empty() || records.iter().any(|one| one.fields.contains_key(name.as_str()))
    });
    let base = system.at(&format!("/patterns/{}", pattern.name));
    let to = |cursor: &String| format!("{base}?{}", with(sent, &[("cursor", cursor)]));
    let file = |format: &str| format!("{base}/download?{}", with(sent, &[("format", format)]));
    Ok(Found {
        mixed: pattern.entities.len() > 1,
        rows: listing.records.iter().map(|record| row(system, record, &columns, &reads, language)).collect(),
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
        units: units(reads.iter().map(|read| read.half_units).sum()),
        reads: shown(&reads),
        columns,
    })
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
        || record.fields.values().any(|value| super::cells::text(value).to_lowercase().contains(search))
}

/// The mismatches of a stored item with the model as one text.
pub(super) fn worded(problems: &[Violation], language: Language) -> String {
    let each = problems.iter().map(|problem| problem.message().in_language(language));
    each.collect::<Vec<_>>().join("; ")
}

fn row(system: &System, record: &Record, columns: &[String], reads: &[Read], language: Language) -> Row {
    let key = write::key(&record.entity, &record.fields).ok();
    let raw = key.and_then(|key| item_of(reads, system.db().table(), &key));
    Row {
        entity: record.entity.name.to_string(),
        address: system.of_record(&record.entity, "record", &record.fields),
        cells: columns.iter().map(|name| cell(record, name)).collect(),
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

/// Recorded reads as a page shows them.
pub(super) fn shown(reads: &[Read]) -> Vec<Shown> {
    let one = |read: &Read| Shown {
        operation: read.request.operation,
        body: format!("{:#}", read.request.body),
        items: read.items.len().to_string(),
        units: units(read.half_units),
    };
    reads.iter().map(one).collect()
}

/// Half units as a number.
pub(super) fn units(halves: u64) -> String {
    if halves.is_multiple_of(2) { (halves / 2).to_string() } else { format!("{}.5", halves / 2) }
}
