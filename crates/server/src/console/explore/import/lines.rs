//! The lines of an import: JSON lines, or CSV with the names of the fields in the first line.

use hansang_core::{Error, message};
use serde_json::{Map, Value as Json};

use super::super::{System, csv};
use crate::{ServerCode, messages};
use hansang_http::HttpCode;
use hansang_http::input::ENTITY;

/// The field with the reason in a file of refused lines. An import ignores it.
const REASON: &str = "$reason";
/// The field with the text of a refused line that is no object, and so has no field for its reason.
const LINE: &str = "$line";

/// The lines of a file.
pub(super) struct Lines {
    pub(super) lines: Vec<Line>,
    /// The names of the fields, if the file is CSV.
    names: Option<Vec<String>>,
}

/// A line: its number, its record, and its text or cells.
pub(super) struct Line {
    pub(super) number: usize,
    pub(super) record: Result<Json, Error>,
    cells: Vec<String>,
}

impl Lines {
    /// Reads a file.
    ///
    /// # Errors
    /// Fails if the file is empty, or if it is CSV that cannot be split into cells.
    pub(super) fn parse(system: &System, text: &str) -> Result<Self, Error> {
        if text.trim().is_empty() {
            return Err(Error::invalid(ServerCode::NothingToImport, message!(messages::NOTHING_TO_IMPORT)));
        }
        if text.trim_start().starts_with(['{', '[']) {
            let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
            let lines = lines.map(|(at, line)| Line {
                number: at + 1,
                record: json(line),
                cells: vec![line.to_owned()],
            });
            return Ok(Self { lines: lines.collect(), names: None });
        }
        let lines = csv::parse(text)
            .map_err(|line| Error::invalid(ServerCode::MalformedCsv, message!(messages::OPEN_QUOTE, line)))?;
        let mut lines = lines.into_iter();
        let names = lines.next().map(|(_, names)| names).unwrap_or_default();
        if !names.iter().any(|name| name == ENTITY) {
            return Err(Error::invalid(ServerCode::MalformedCsv, message!(messages::NO_HEADER)));
        }
        let lines =
            lines.map(|(number, cells)| Line { number, record: record(system, &names, &cells), cells });
        Ok(Self { lines: lines.collect(), names: Some(names) })
    }

    /// A file of the lines with these positions and reasons, in the format they came in: its name and its text.
    pub(super) fn file(&self, refused: &[(usize, String)]) -> (&'static str, String) {
        let Some(names) = &self.names else {
            let line = |(at, reason): &(usize, String)| {
                let text = &self.lines[*at].cells[0];
                let mut members = match serde_json::from_str(text) {
                    Ok(Json::Object(members)) => members,
                    _ => Map::from_iter([(LINE.to_owned(), Json::from(&**text))]),
                };
                members.insert(REASON.to_owned(), Json::from(&**reason));
                Json::Object(members).to_string() + "\n"
            };
            return ("refused.jsonl", refused.iter().map(line).collect());
        };
        let kept: Vec<usize> = (0..names.len()).filter(|at| names[*at] != REASON).collect();
        let mut out = String::new();
        let head = kept.iter().map(|at| csv::Cell::Text(&names[*at])).chain([csv::Cell::Text(REASON)]);
        csv::push_line(&mut out, head);
        for (at, reason) in refused {
            let cells = &self.lines[*at].cells;
            let texts = kept.iter().map(|at| csv::Cell::Text(cells.get(*at).map_or("", |cell| cell)));
            csv::push_line(&mut out, texts.chain([csv::Cell::Text(reason)]));
        }
        ("refused.csv", out)
    }
}

fn json(line: &str) -> Result<Json, Error> {
    let not_json = |_| Error::invalid(HttpCode::MalformedJson, message!(messages::LINE_NOT_JSON));
    let mut json: Json = serde_json::from_str(line).map_err(not_json)?;
    if let Some(members) = json.as_object_mut() {
        members.remove(REASON);
        members.remove(LINE);
    }
    Ok(json)
}

/// A record from the cells of a line. Empty cells are absent.
fn record(system: &System, names: &[String], cells: &[String]) -> Result<Json, Error> {
    let of = |wanted: &str| names.iter().position(|name| name == wanted).and_then(|place| cells.get(place));
    let entity = system.db().entity(of(ENTITY).map_or("", |name| name))?;
    let mut members = Map::new();
    let mut violations = Vec::new();
    let given = names.iter().zip(cells).filter(|(name, text)| !text.is_empty() && *name != REASON);
    for (name, text) in given {
        let value = match entity.attribute(name) {
            Some(attribute) => match attribute.kind.from_text(text) {
                Ok(value) => hansang_core::value::json::to_plain(&value),
                Err(problem) => {
                    violations.push(hansang_core::validate::violation(name, problem));
                    continue;
                }
            },
            None => Json::from(&**text),
        };
        members.insert(name.clone(), value);
    }
    if violations.is_empty() { Ok(Json::Object(members)) } else { Err(Error::fields(violations)) }
}
