//! An access pattern as a form, and its results.

use std::sync::Arc;

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use hansang_core::db::Ask;
use hansang_core::message::Language;
use hansang_core::model::{Leg, Pattern};
use hansang_core::read::{Parameter, parameters};
use hansang_core::{Entity, Error, Item};

use super::list::rank;
use super::results::{Found, find};
use super::times::Typed;
use super::{System, fields, from_list, times, titles};
use hansang_http::input::argument_name;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ui::address;
use hansang_ui::form::{Field, Form, Input, Problems};
use hansang_ui::frame::{Frame, View, page};

/// The default number of records on a page.
pub(super) const SHOWN: u32 = 25;

#[derive(Template)]
#[template(path = "console/explore/query.html")]
struct Query {
    frame: Frame,
    system: String,
    /// The pattern, and its address with the form.
    pattern: String,
    here: String,
    doc: String,
    /// The entities that the results can have, for the count of changes.
    live: String,
    views: Vec<Shortcut>,
    /// The page to create a record on.
    create: Option<String>,
    created: String,
    fields: Vec<Field>,
    /// The filters in force, each with the address without it. They are shown outside of the form, which may be collapsed.
    chips: Vec<(String, String)>,
    no_chips: Vec<(String, String)>,
    /// The options of the read, which are collapsed.
    options: Vec<Field>,
    /// Whether parameters, a search or a position narrow the list: an empty list without them has no data yet.
    narrowed: bool,
    /// Whether the whole form is collapsed: it narrows a list that is shown without it.
    collapsed: bool,
    problems: Problems,
    found: Option<Found>,
}

/// The address of a page with results, and the views beside it.
pub(super) struct Address {
    /// The address without its query.
    pub(super) here: String,
    /// The entity whose list it is.
    pub(super) entity: Option<Arc<Entity>>,
}

/// A saved view of an entity's list.
struct Shortcut {
    title: String,
    address: String,
    current: bool,
}

/// The query that a pattern's form describes.
pub(super) struct Asked {
    pub(super) arguments: Item,
    pub(super) ask: Ask,
    /// The text that a record must contain, in lower case.
    pub(super) search: String,
}

pub(super) fn route(system: &System, pattern: &Pattern) -> Route {
    let (path, needs) = (system.at(&format!("/patterns/{}", pattern.name)), system.needs_readers(pattern));
    let (system, pattern) = (system.clone(), pattern.name.clone());
    let here = path.clone();
    let handler = on(MethodFilter::GET, async move |view: View| {
        show(&system, &pattern, Address { here: here.clone(), entity: None }, view).await
    });
    Route::page(&path, needs, handler)
}

/// A pattern with its form and its results.
pub(super) async fn show(
    system: &System,
    pattern: &str,
    at: Address,
    view: View,
) -> Result<Response, Problem> {
    let pattern = system.db().pattern(pattern)?;
    let sent = stored(pattern, &view);
    let mut problems = Problems::default();
    let mut found = None;
    let mut status = StatusCode::OK;
    if is_asked(pattern, &sent) {
        let result = match asked(pattern, &sent) {
            Ok(asked) => find(system, pattern, &at, &sent, asked, &view).await,
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
    let language = view.language;
    let title = match &at.entity {
        Some(entity) => entity.plural_in(language).into_owned(),
        None => pattern.title_in(language).into_owned(),
    };
    let about = at.entity.as_ref().map_or(&pattern.doc, |entity| &entity.doc);
    let frame = system.frame(view, &title);
    let create = at.entity.as_ref().filter(|entity| system.may_edit(&frame, &entity.name));
    let live: Vec<&str> = pattern.entities.iter().map(|entity| &*entity.name).collect();
    let query = Query {
        system: system.name().to_owned(),
        pattern: pattern.name.to_string(),
        doc: about.in_language(language).to_owned(),
        live: live.join(" "),
        views: at.entity.as_ref().map(|entity| views(system, entity, pattern, language)).unwrap_or_default(),
        create: create.map(|entity| {
            let new = system.at(&format!("/entities/{}/new", entity.name));
            from_list(&new, &address::on_page(&frame.view.here, &[]))
        }),
        created: create.map(|entity| entity.title_in(language).into_owned()).unwrap_or_default(),
        here: at.here,
        chips: chips(&frame.view, &fields),
        no_chips: Vec::new(),
        narrowed: fields.iter().any(|field| !field.value.is_empty()) || !sent.text("cursor").is_empty(),
        collapsed: found.is_some()
            && problems.is_empty()
            && fields.iter().all(|field| !field.required && field.value.is_empty()),
        fields,
        options,
        problems,
        found,
        frame,
    };
    Ok(page(status, &query))
}

/// The filters in force: label and value of each field that can be left out, and the address without it.
fn chips(view: &View, fields: &[Field]) -> Vec<(String, String)> {
    let chip = |field: &Field| {
        let chosen = field.choices().and_then(|all| all.iter().find(|(value, _)| *value == field.value));
        let value = chosen.map_or(&*field.value, |(_, title)| title);
        (format!("{}: {value}", field.label), address::with(&view.here, &[(&field.name, "")]))
    };
    fields.iter().filter(|field| !field.required && !field.value.is_empty()).map(chip).collect()
}

/// The patterns that return an entity, as views of its list.
fn views(system: &System, entity: &Entity, current: &Pattern, language: Language) -> Vec<Shortcut> {
    let mut all: Vec<&Pattern> = system.model().patterns.iter().filter(|one| returns(one, entity)).collect();
    // The view that the list opens with comes first.
    all.sort_by_key(|pattern| rank(pattern));
    let shortcut = |pattern: &Pattern| Shortcut {
        title: pattern.title_in(language).into_owned(),
        address: system.at(&format!("/entities/{}/views/{}", entity.name, pattern.name)),
        current: pattern.name == current.name,
    };
    all.into_iter().map(shortcut).collect()
}

/// Whether a pattern returns records of an entity.
pub(super) fn returns(pattern: &Pattern, entity: &Entity) -> bool {
    pattern.entities.iter().any(|one| one.name == entity.name)
}

/// Whether the form was submitted, or needs no input: an empty form is not an error.
fn is_asked(pattern: &Pattern, sent: &Form) -> bool {
    let parameters = parameters(pattern);
    let given = |one: &Parameter<'_>| sent.get(&argument_name(one.name)).is_some();
    parameters.iter().any(given) || !parameters.iter().any(|one| one.required)
}

/// The fields of the arguments and of the options.
fn form(pattern: &Pattern, sent: &Form, problems: &Problems, view: &View) -> (Vec<Field>, Vec<Field>) {
    let mut fields: Vec<Field> = parameters(pattern)
        .iter()
        .map(|one| {
            let field = fields::of_kind(&argument_name(one.name), one.kind, one.required, &view.reader);
            let (label, field) = argument(pattern, one, field, view.language);
            times::picker(Field { label, ..field }.sent(sent, problems), Typed::Kind(one.kind), &view.reader)
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
        hint: view.say("Only records that contain this text", "이 검색어가 들어 있는 데이터만").to_owned(),
        ..Field::text("search", view.say("Contains", "검색어"))
    };
    fields.push(search.sent(sent, problems));
    let order = if pattern.descending { "descending" } else { "ascending" };
    let orders = [("ascending", first), ("descending", last)];
    let sizes = [("10", "10"), ("25", "25"), ("50", "50"), ("100", "100")];
    let options = vec![
        choice("order", view.say("Order", "정렬"), order, &orders),
        choice("limit", view.say("Rows per page", "페이지 크기"), "25", &sizes),
    ];
    (fields, options)
}

/// The label of an argument, and its field with the titles of its choices.
fn argument(pattern: &Pattern, one: &Parameter<'_>, field: Field, language: Language) -> (String, Field) {
    let entity = pattern.entities.first();
    let narrowed = pattern.range.as_ref().or(pattern.over.as_ref().map(|over| &over.attribute));
    match (one.name, narrowed) {
        ("from", Some(attribute)) => {
            (format!("{} {}", titles::attribute(attribute, language), language.say("from", "시작")), field)
        }
        ("to", Some(attribute)) => {
            (format!("{} {}", titles::attribute(attribute, language), language.say("to", "끝")), field)
        }
        _ => match entity.and_then(|entity| entity.attribute(one.name)) {
            Some(attribute) => {
                (titles::attribute(attribute, language), fields::with_titles(field, attribute, language))
            }
            None => (one.name.to_owned(), field),
        },
    }
}

/// The query of the address, with times as they are stored.
pub(super) fn stored(pattern: &Pattern, view: &View) -> Form {
    let parameters = parameters(pattern);
    let kinds = parameters.iter().map(|one| (argument_name(one.name), Typed::Kind(one.kind)));
    times::stored(&view.asked(), kinds, &view.reader, None)
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
