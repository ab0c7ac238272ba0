//! Imports records from a file, after a preview.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use hansang_core::{Error, message, write};
use serde_json::{Map, Value as Json};

use super::{System, csv};
use crate::app::Caller;
use crate::routes::{Sum, record_of, store_records};
use crate::{ServerCode, messages};
use hansang_access::Role;
use hansang_core::message::Language;
use hansang_http::HttpCode;
use hansang_http::input::ENTITY;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ui::form::Form;
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::language::sentence;

/// The maximum number of lines in the preview, doubled for invalid ones.
const SHOWN: usize = 50;

#[derive(Template)]
#[template(path = "console/explore/import.html")]
struct Import {
    frame: Frame,
    system: String,
    text: String,
    message: Option<String>,
    preview: Option<Preview>,
    done: Option<(usize, usize)>,
}

/// The records to store.
struct Preview {
    good: usize,
    bad: usize,
    lines: Vec<Line>,
}

struct Line {
    number: usize,
    entity: String,
    key: String,
    problem: Option<String>,
}

/// The number of a line, and the record in it.
type Parsed = (usize, Result<Json, Error>);

pub(super) fn route(system: &System) -> Route {
    let (path, needs) = (system.at("/import"), system.needs(Role::Editor));
    let (shows, takes) = (system.clone(), system.clone());
    let handler = on(MethodFilter::GET, async move |view: View| show(&shows, view, Import::of(&shows)))
        .on(MethodFilter::POST, async move |caller: Caller, view: View, sent: Form| {
            take(&takes, &caller, view, &sent).await
        });
    Route::page(&path, needs, handler)
}

impl Import {
    fn of(system: &System) -> impl FnOnce(Frame) -> Self + use<> {
        let system = system.name().to_owned();
        |frame| Self { frame, system, text: String::new(), message: None, preview: None, done: None }
    }
}

fn show(system: &System, view: View, import: impl FnOnce(Frame) -> Import) -> Response {
    let title = view.say("Import", "가져오기").to_owned();
    page(StatusCode::OK, &import(system.frame(view, &title)))
}

async fn take(system: &System, caller: &Caller, view: View, sent: &Form) -> Result<Response, Problem> {
    let text = sent.text("text").replace("\r\n", "\n");
    let empty = Import::of(system);
    let lines = match parse(system, &text) {
        Ok(lines) => lines,
        Err(error) => {
            let message = Some(view.sentence(&error.message));
            return Ok(show(system, view, |frame| Import { text, message, ..empty(frame) }));
        }
    };
    if sent.text("confirm").is_empty() {
        let preview = Some(preview(system, &lines, view.language));
        return Ok(show(system, view, |frame| Import { text, preview, ..empty(frame) }));
    }
    let all = lines.len();
    let good: Vec<(usize, Json)> =
        lines.into_iter().filter_map(|(number, json)| Some((number, json.ok()?))).collect();
    let unreadable = all - good.len();
    let store = async {
        let mut sum = Sum::default();
        store_records(system.db(), good, &mut sum).await?;
        Ok(sum)
    };
    let sum = system.calls.audited(caller, "import", "lines", store).await?;
    Ok(show(system, view, |frame| Import {
        done: Some((sum.stored, sum.refused + unreadable)),
        ..empty(frame)
    }))
}

/// The records of a text, each with the number of its line: JSON lines, or CSV with the names of the
/// fields in the first line.
fn parse(system: &System, text: &str) -> Result<Vec<Parsed>, Error> {
    if text.trim().is_empty() {
        return Err(Error::invalid(ServerCode::NothingToImport, message!(messages::NOTHING_TO_IMPORT)));
    }
    if text.trim_start().starts_with(['{', '[']) {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let parsed = lines.map(|(place, line)| {
            let json = serde_json::from_str(line);
            (
                place + 1,
                json.map_err(|_| Error::invalid(HttpCode::MalformedJson, message!(messages::LINE_NOT_JSON))),
            )
        });
        return Ok(parsed.collect());
    }
    let lines = csv::parse(text)
        .map_err(|line| Error::invalid(ServerCode::MalformedCsv, message!(messages::OPEN_QUOTE, line)))?;
    let mut lines = lines.into_iter();
    let names = lines.next().map(|(_, names)| names).unwrap_or_default();
    if !names.iter().any(|name| name == ENTITY) {
        return Err(Error::invalid(ServerCode::MalformedCsv, message!(messages::NO_HEADER)));
    }
    Ok(lines.map(|(number, cells)| (number, record(system, &names, cells))).collect())
}

/// A record from the cells of a line. Empty cells are absent.
fn record(system: &System, names: &[String], cells: Vec<String>) -> Result<Json, Error> {
    let of = |wanted: &str| names.iter().position(|name| name == wanted).and_then(|place| cells.get(place));
    let entity = system.db().entity(of(ENTITY).map_or("", |name| name))?;
    let mut members = Map::new();
    for (name, text) in names.iter().zip(&cells).filter(|(_, text)| !text.is_empty()) {
        let value = match entity.attribute(name) {
            Some(attribute) => {
                let value = attribute.kind.from_text(text).map_err(|problem| {
                    Error::fields(vec![hansang_core::validate::violation(name, problem)])
                })?;
                hansang_core::value::json::to_plain(&value)
            }
            None => Json::from(&**text),
        };
        members.insert(name.clone(), value);
    }
    Ok(Json::Object(members))
}

fn preview(system: &System, lines: &[Parsed], language: Language) -> Preview {
    let mut preview = Preview { good: 0, bad: 0, lines: Vec::new() };
    for (number, json) in lines {
        let checked = json.clone().and_then(|json| check(system, json));
        let line = match checked {
            Ok((entity, key)) => {
                preview.good += 1;
                Line { number: *number, entity, key, problem: None }
            }
            Err(error) => {
                preview.bad += 1;
                let problem = Some(sentence(language, &error.message));
                Line { number: *number, entity: String::new(), key: String::new(), problem }
            }
        };
        // Invalid lines are listed beyond the limit of valid ones.
        if preview.lines.len() < SHOWN || (line.problem.is_some() && preview.lines.len() < 2 * SHOWN) {
            preview.lines.push(line);
        }
    }
    preview
}

/// Plans a put to validate a record; does not check whether it exists already.
fn check(system: &System, json: Json) -> Result<(String, String), Error> {
    let (entity, fields) = record_of(system.db(), json)?;
    let moment = system.db().clock().moment();
    let planned = write::create(system.model(), &entity, fields, &moment)?;
    let key = planned.first().map(|write| format!("{} / {}", write.key.pk, write.key.sk));
    Ok((entity.name.to_string(), key.unwrap_or_default()))
}
