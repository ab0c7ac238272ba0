//! One name of a contract.

use hansang_core::validate::Violation;
use hansang_core::{Error, Item, Value};

use super::Reference;
use crate::body::place::Place;
use crate::{Kind, Known, Wanted, contract_id};

/// What a name must look like.
const FORMS: &str = "must name a contract: as KIND:id:version, as id@version, or by its `id` and `version`";

/// What is missing where the kind is.
const NO_KIND: &str = "must name the kind of the contract too, as KIND:id:version or by a `kind`";

/// Reads the name of a contract. Unless it says its own kind, it has the expected one.
///
/// # Errors
/// Everything that is wrong with it.
pub(crate) fn read_reference(
    value: &Value,
    expected: Option<Known>,
    place: &Place<'_>,
) -> Result<Reference, Vec<Violation>> {
    match value {
        Value::M(map) => read_map(map, expected, place),
        Value::S(text) => read_text(text, expected, place),
        _ => Err(vec![wrong(place, FORMS)]),
    }
}

/// Whether a text has the form of a name, whatever it names.
pub(super) fn is_name(text: &str) -> bool {
    parts(text).is_some()
}

fn read_map(map: &Item, expected: Option<Known>, place: &Place<'_>) -> Result<Reference, Vec<Violation>> {
    let mut problems = Vec::new();
    let kind = match map.get("kind") {
        None | Some(Value::Null) => {
            expected.map(Kind::from).or_else(|| keep(&mut problems, Err(NO_KIND.to_owned()), place))
        }
        Some(value) => keep(&mut problems, parsed(value, str::parse), &place.member("kind")),
    };
    let part = |name| map.get(name).unwrap_or(&Value::Null);
    let id = keep(&mut problems, parsed(part("id"), contract_id), &place.member("id"));
    let wanted = keep(&mut problems, parsed(part("version"), str::parse), &place.member("version"));
    match (kind, id, wanted) {
        (Some(kind), Some(id), Some(wanted)) => Ok(Reference { kind, id, wanted, path: place.to_string() }),
        _ => Err(problems),
    }
}

fn read_text(text: &str, expected: Option<Known>, place: &Place<'_>) -> Result<Reference, Vec<Violation>> {
    let (kind, id, wanted) = parts(text).ok_or_else(|| vec![wrong(place, FORMS)])?;
    let kind = kind.or(expected.map(Kind::from)).ok_or_else(|| vec![wrong(place, NO_KIND)])?;
    let id = contract_id(id).map_err(|error| vec![wrong(place, &problem(error))])?;
    Ok(Reference { kind, id, wanted, path: place.to_string() })
}

/// The kind, if there is one, the id and the versions. An id may have colons and an `@`, a version neither.
fn parts(text: &str) -> Option<(Option<Kind>, &str, Wanted)> {
    let version = |text: &str| text.parse::<Wanted>().ok();
    if let Some((id, wanted)) = text.rsplit_once('@').and_then(|(id, rest)| Some((id, version(rest)?))) {
        return Some((None, id, wanted)).filter(|_| !id.is_empty());
    }
    let (kind, rest) = text.split_once(':')?;
    let (id, rest) = rest.rsplit_once(':')?;
    Some((Some(kind.parse().ok()?), id, version(rest)?))
}

/// A part of a name, which must be a text.
fn parsed<T>(value: &Value, parse: impl Fn(&str) -> Result<T, Error>) -> Result<T, String> {
    match value {
        Value::S(text) => parse(text).map_err(problem),
        Value::Null => Err("is required".to_owned()),
        _ => Err("must be text".to_owned()),
    }
}

fn keep<T>(problems: &mut Vec<Violation>, part: Result<T, String>, place: &Place<'_>) -> Option<T> {
    part.map_err(|problem| problems.push(wrong(place, &problem))).ok()
}

/// What the parsers of names say is about a field of their own, which here has a longer name.
fn problem(error: Error) -> String {
    error
        .violations
        .into_iter()
        .next()
        .map_or(error.message.to_string(), |violation| violation.problem.to_string())
}

fn wrong(place: &Place<'_>, problem: &str) -> Violation {
    Violation { attribute: place.to_string(), problem: problem.into() }
}
