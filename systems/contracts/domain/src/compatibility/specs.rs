//! Specs side by side: what is at a place, what is left without some places, and where two differ.

use hansang_core::{Item, Value};

use super::{Bump, Changes, contracts};
use crate::diff::diff;

/// What is at a place such as `fanout.enabled`. Null is nothing, as for whoever reads the spec.
pub(super) fn at<'s>(spec: &'s Item, path: &str) -> Option<&'s Value> {
    let (name, rest) = path.split_once('.').map_or((path, None), |(name, rest)| (name, Some(rest)));
    match (spec.get(name)?, rest) {
        (Value::Null, _) => None,
        (value, None) => Some(value),
        (Value::M(map), Some(rest)) => at(map, rest),
        _ => None,
    }
}

/// The text at a place.
pub(super) fn text_at<'s>(spec: &'s Item, path: &str) -> Option<&'s str> {
    at(spec, path).and_then(Value::as_str)
}

/// Whether there is a map at a place.
pub(super) fn is_map(spec: &Item, path: &str) -> bool {
    matches!(at(spec, path), Some(Value::M(_)))
}

/// Takes away what is at a place, and the maps around it that are empty then, unless the other spec has
/// something there too: it would look as if that had come or gone.
pub(super) fn remove(spec: &mut Item, other: Option<&Item>, path: &str) {
    let Some((name, rest)) = path.split_once('.') else {
        spec.remove(path);
        return;
    };
    let beside = other.and_then(|other| at(other, name));
    if let Some(Value::M(map)) = spec.get_mut(name) {
        let inside = beside.and_then(|value| if let Value::M(map) = value { Some(map) } else { None });
        remove(map, inside, rest);
        if map.is_empty() && beside.is_none() {
            spec.remove(name);
        }
    }
}

/// Whatever changes here breaks something.
pub(super) fn fixed(path: &str, old: Option<&Value>, new: Option<&Value>, changes: &mut Changes) {
    differences(path, old, new, |_| Bump::Major, changes);
}

/// Nobody here knows what this means. Somebody may rely on it: what is gone or says something else may
/// break them, and what is new only adds to what they know.
pub(super) fn unknown(path: &str, old: Option<&Value>, new: Option<&Value>, changes: &mut Changes) {
    differences(path, old, new, |added| if added { Bump::Minor } else { Bump::Major }, changes);
}

/// As [`unknown`], for whole maps.
pub(super) fn unknown_members(path: &str, old: &Item, new: &Item, changes: &mut Changes) {
    let whole = |map: &Item| Value::M(map.clone());
    unknown(path, Some(&whole(old)), Some(&whole(new)), changes);
}

fn differences(
    path: &str,
    old: Option<&Value>,
    new: Option<&Value>,
    bump: impl Fn(bool) -> Bump,
    changes: &mut Changes,
) {
    let held = |value: Option<&Value>| value.map(|value| ("".into(), value.clone())).into_iter().collect();
    for difference in diff(&held(old), &held(new)) {
        if let Some((pointer, versions)) = contracts::other_version(&difference) {
            changes.tell(Bump::Minor, &dotted(path, pointer), &versions);
            continue;
        }
        let what = match (&difference.old, &difference.new) {
            (None, _) => "was added",
            (_, None) => "was removed",
            _ => "was changed",
        };
        changes.tell(bump(difference.old.is_none()), &dotted(path, &difference.path), what);
    }
}

/// A JSON pointer below a place, as places are written here. Its first step is the place.
fn dotted(path: &str, pointer: &str) -> String {
    let mut place = path.to_owned();
    for step in pointer.split('/').skip(2) {
        if !step.is_empty() && step.bytes().all(|byte| byte.is_ascii_digit()) {
            place = format!("{place}[{step}]");
        } else {
            let name = step.replace("~1", "/").replace("~0", "~");
            place = if place.is_empty() { name } else { format!("{place}.{name}") };
        }
    }
    place
}
