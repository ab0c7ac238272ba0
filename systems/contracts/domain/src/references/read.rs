//! Reads one reference.

use hansang_core::messages::{fields, kinds};
use hansang_core::validate::Violation;
use hansang_core::{Error, Item, Message, Value, message};

use super::Reference;
use crate::body::location::Location;
use crate::messages::specs;
use crate::{Kind, Known, Wanted, contract_id};

/// Reads a reference. The kind defaults to the expected one.
///
/// # Errors
/// All problems.
pub(crate) fn read_reference(
    value: &Value,
    expected: Option<Known>,
    location: &Location<'_>,
) -> Result<Reference, Vec<Violation>> {
    match value {
        Value::M(map) => read_map(map, expected, location),
        Value::S(text) => read_text(text, expected, location),
        _ => Err(vec![wrong(location, message!(specs::REFERENCE))]),
    }
}

/// Whether a text has the form of a reference.
pub(super) fn is_name(text: &str) -> bool {
    parts(text).is_some()
}

fn read_map(
    map: &Item,
    expected: Option<Known>,
    location: &Location<'_>,
) -> Result<Reference, Vec<Violation>> {
    let mut problems = Vec::new();
    let kind = match map.get("kind") {
        None | Some(Value::Null) => expected
            .map(Kind::from)
            .or_else(|| keep(&mut problems, Err(message!(specs::REFERENCE_KIND)), location)),
        Some(value) => keep(&mut problems, parsed(value, str::parse), &location.member("kind")),
    };
    let part = |name| map.get(name).unwrap_or(&Value::Null);
    let id = keep(&mut problems, parsed(part("id"), contract_id), &location.member("id"));
    let wanted = keep(&mut problems, parsed(part("version"), str::parse), &location.member("version"));
    match (kind, id, wanted) {
        (Some(kind), Some(id), Some(wanted)) => {
            Ok(Reference { kind, id, wanted, path: location.to_string() })
        }
        _ => Err(problems),
    }
}

fn read_text(
    text: &str,
    expected: Option<Known>,
    location: &Location<'_>,
) -> Result<Reference, Vec<Violation>> {
    let (kind, id, wanted) = parts(text).ok_or_else(|| vec![wrong(location, message!(specs::REFERENCE))])?;
    let kind = kind
        .or(expected.map(Kind::from))
        .ok_or_else(|| vec![wrong(location, message!(specs::REFERENCE_KIND))])?;
    let id = contract_id(id).map_err(|error| vec![wrong(location, problem(error))])?;
    Ok(Reference { kind, id, wanted, path: location.to_string() })
}

/// Splits a text into kind, id and versions. An id may contain colons and `@`, a version neither.
fn parts(text: &str) -> Option<(Option<Kind>, &str, Wanted)> {
    let version = |text: &str| text.parse::<Wanted>().ok();
    if let Some((id, wanted)) = text.rsplit_once('@').and_then(|(id, rest)| Some((id, version(rest)?))) {
        return Some((None, id, wanted)).filter(|_| !id.is_empty());
    }
    let (kind, rest) = text.split_once(':')?;
    // Not an address such as `http://localhost:9200`.
    if Known::of_spelling(kind).is_none() && !kind.starts_with(|first: char| first.is_ascii_uppercase()) {
        return None;
    }
    let (id, rest) = rest.rsplit_once(':')?;
    Some((Some(kind.parse().ok()?), id, version(rest)?))
}

/// Parses a part of a reference, which must be text.
fn parsed<T>(value: &Value, parse: impl Fn(&str) -> Result<T, Error>) -> Result<T, Message> {
    match value {
        Value::S(text) => parse(text).map_err(problem),
        Value::Null => Err(message!(fields::REQUIRED)),
        _ => Err(message!(kinds::MUST_BE_TEXT)),
    }
}

fn keep<T>(problems: &mut Vec<Violation>, part: Result<T, Message>, location: &Location<'_>) -> Option<T> {
    part.map_err(|problem| problems.push(wrong(location, problem))).ok()
}

/// The problem without the field name of the parser, because the field has a longer path here.
fn problem(error: Error) -> Message {
    error.violations.into_iter().next().map_or(error.message, |violation| violation.problem)
}

fn wrong(location: &Location<'_>, problem: Message) -> Violation {
    Violation { attribute: location.to_string(), problem }
}
