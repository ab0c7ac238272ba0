//! The parts of rule sets: slices, joins, indexes, and what slices depend on.

use std::collections::{BTreeMap, BTreeSet};

use hansang_core::{Item, Value};

use super::rules::PROSE;
use super::views::texts;
use super::{Bump, Changes, contracts, specs};
use crate::Known;
use crate::body::rule_set::part_name;
use crate::references::is_contract;

/// Compares parts by their names. Where those are missing, or two are the same, by their places.
pub(super) fn judge(
    path: &str,
    kind: Known,
    ordered: bool,
    old: Option<&Value>,
    new: Option<&Value>,
    changes: &mut Changes,
) {
    let (Some(was), Some(is)) = (named(old, kind), named(new, kind)) else {
        return specs::unknown(path, old, new, changes);
    };
    for (name, (_, part)) in &was {
        let place = format!("{path}[{name}]");
        match is.get(name) {
            None => changes.tell(Bump::Major, &place, "was removed"),
            Some((_, now)) => judge_part(&place, kind, part, now, changes),
        }
    }
    for name in is.keys().filter(|name| !was.contains_key(*name)) {
        changes.tell(Bump::Minor, &format!("{path}[{name}]"), "was added");
    }
    let mut stay: Vec<(usize, usize)> =
        was.iter().filter_map(|(name, (before, _))| Some((*before, is.get(name)?.0))).collect();
    stay.sort_unstable();
    if ordered && !stay.is_sorted_by_key(|(_, now)| *now) {
        changes.tell(Bump::Major, path, "is in another order");
    }
}

fn judge_part(place: &str, kind: Known, old: &Value, new: &Value, changes: &mut Changes) {
    let (Value::M(was), Value::M(is)) = (old, new) else {
        return contracts::judge(place, kind, Some(old), Some(new), changes);
    };
    let member = |name: &str| (specs::at(was, name), specs::at(is, name));
    if is_contract(old) && is_contract(new) {
        return contracts::judge(place, kind, Some(old), Some(new), changes);
    }
    for name in PROSE.iter().filter(|name| member(name).0 != member(name).1) {
        changes.tell(Bump::Patch, &format!("{place}.{name}"), "was changed");
    }
    let rest = |part: &Item| {
        let mut rest = part.clone();
        rest.retain(|name, _| !PROSE.contains(&&**name));
        Value::M(rest)
    };
    let (was, is) = (rest(was), rest(is));
    if kind == Known::RuleSet {
        // A field more in a slice only adds to it; whatever is new in a join or an index may find other things.
        specs::unknown(place, Some(&was), Some(&is), changes);
    } else {
        specs::fixed(place, Some(&was), Some(&is), changes);
    }
}

/// The parts by their names, each with its place, if each has a name of its own.
fn named(list: Option<&Value>, kind: Known) -> Option<BTreeMap<String, (usize, &Value)>> {
    let parts = match list {
        None => &[],
        Some(Value::L(parts)) => parts.as_slice(),
        Some(_) => return None,
    };
    let place = |(place, part)| Some((name_of(part, kind)?, (place, part)));
    let all: BTreeMap<_, _> = parts.iter().enumerate().map(place).collect::<Option<_>>()?;
    (all.len() == parts.len()).then_some(all)
}

/// A part that is a contract goes by the contract's id, whatever its version.
fn name_of(part: &Value, kind: Known) -> Option<String> {
    let contract = match part {
        Value::M(map) if part_name(part).is_none() => contracts::named(map.get("contractRef")?, kind),
        Value::S(_) => contracts::named(part, kind),
        _ => None,
    };
    contract.map(|contract| contract.id.to_string()).or_else(|| part_name(part).map(str::to_owned))
}

/// A path that no longer makes a slice anew leaves it stale.
pub(super) fn judge_impact(path: &str, old: Option<&Value>, new: Option<&Value>, changes: &mut Changes) {
    let (Some(was), Some(is)) = (paths(old), paths(new)) else {
        return specs::unknown(path, old, new, changes);
    };
    for (slice, paths) in &was {
        let place = format!("{path}.{slice}");
        let Some(now) = is.get(slice) else {
            changes.tell(Bump::Major, &place, "was removed");
            continue;
        };
        for gone in paths.difference(now) {
            changes.tell(Bump::Major, &place, &format!("does not list `{gone}` any more"));
        }
        for added in now.difference(paths) {
            changes.tell(Bump::Minor, &place, &format!("lists `{added}` too"));
        }
    }
    for slice in is.keys().filter(|slice| !was.contains_key(*slice)) {
        changes.tell(Bump::Minor, &format!("{path}.{slice}"), "was added");
    }
}

fn paths(impact: Option<&Value>) -> Option<BTreeMap<&str, BTreeSet<&str>>> {
    match impact {
        None => Some(BTreeMap::new()),
        Some(Value::M(slices)) => {
            slices.iter().map(|(slice, paths)| Some((&**slice, texts(Some(paths))?))).collect()
        }
        Some(_) => None,
    }
}
