//! Helpers for comparing specs by path.

use hansang_core::{Item, Value, message};

use super::{Bump, Changes, contracts};
use crate::diff::diff;
use crate::messages::changes as changed;

/// The value at a path such as `fanout.enabled`. Null counts as missing, as in the decoder.
pub(super) fn at<'s>(spec: &'s Item, path: &str) -> Option<&'s Value> {
    let (name, rest) = path.split_once('.').map_or((path, None), |(name, rest)| (name, Some(rest)));
    match (spec.get(name)?, rest) {
        (Value::Null, _) => None,
        (value, None) => Some(value),
        (Value::M(map), Some(rest)) => at(map, rest),
        _ => None,
    }
}

/// The text at a path.
pub(super) fn text_at<'s>(spec: &'s Item, path: &str) -> Option<&'s str> {
    at(spec, path).and_then(Value::as_str)
}

/// Whether there is a map at a path.
pub(super) fn is_map(spec: &Item, path: &str) -> bool {
    matches!(at(spec, path), Some(Value::M(_)))
}

/// Removes the value at a path and then its empty parents, unless the other spec has a parent too, which would look added or
/// removed.
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

/// Records every change as breaking.
pub(super) fn fixed(path: &str, old: Option<&Value>, new: Option<&Value>, changes: &mut Changes) {
    differences(path, old, new, |_| Bump::Major, changes);
}

/// Records changes of members without a rule: removals and changes as breaking, additions as minor.
pub(super) fn unknown(path: &str, old: Option<&Value>, new: Option<&Value>, changes: &mut Changes) {
    differences(path, old, new, |added| if added { Bump::Minor } else { Bump::Major }, changes);
}

/// Like [`unknown`], for whole maps.
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
            changes.tell(Bump::Minor, &dotted(path, pointer), versions);
            continue;
        }
        let what = match (&difference.old, &difference.new) {
            (None, _) => message!(changed::ADDED),
            (_, None) => message!(changed::REMOVED),
            _ => message!(changed::CHANGED),
        };
        changes.tell(bump(difference.old.is_none()), &dotted(path, &difference.path), what);
    }
}

/// Converts a JSON pointer below a path to a path. The first step of the pointer is the path itself.
fn dotted(path: &str, pointer: &str) -> String {
    let mut dotted = path.to_owned();
    for step in pointer.split('/').skip(2) {
        if !step.is_empty() && step.bytes().all(|byte| byte.is_ascii_digit()) {
            dotted = format!("{dotted}[{step}]");
        } else {
            let name = step.replace("~1", "/").replace("~0", "~");
            dotted = if dotted.is_empty() { name } else { format!("{dotted}.{name}") };
        }
    }
    dotted
}
