//! Changes of the parts of rule sets: slices, joins, indexes and impacts.

use std::collections::{BTreeMap, BTreeSet};

use hansang_core::{Item, Value, message};

use super::rules::PROSE;
use super::views::texts;
use super::{Breaks, Bump, Changes, contracts, specs};
use crate::Known;
use crate::body::rule_set::part_name;
use crate::messages::changes as changed;
use crate::references::is_contract;

/// Compares parts by name, or by position if names are missing or ambiguous.
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
        let part_path = format!("{path}[{name}]");
        match is.get(name) {
            None => changes.breaks(Breaks::Readers, &part_path, message!(changed::REMOVED)),
            Some((_, now)) => judge_part(&part_path, kind, part, now, changes),
        }
    }
    for name in is.keys().filter(|name| !was.contains_key(*name)) {
        changes.tell(Bump::Minor, &format!("{path}[{name}]"), message!(changed::ADDED));
    }
    let mut stay: Vec<(usize, usize)> =
        was.iter().filter_map(|(name, (before, _))| Some((*before, is.get(name)?.0))).collect();
    stay.sort_unstable();
    if ordered && !stay.is_sorted_by_key(|(_, now)| *now) {
        changes.tell(Bump::Major, path, message!(changed::REORDERED));
    }
}

fn judge_part(part_path: &str, kind: Known, old: &Value, new: &Value, changes: &mut Changes) {
    let (Value::M(was), Value::M(is)) = (old, new) else {
        return contracts::judge(part_path, kind, Some(old), Some(new), changes);
    };
    let member = |name: &str| (specs::at(was, name), specs::at(is, name));
    if is_contract(old) && is_contract(new) {
        return contracts::judge(part_path, kind, Some(old), Some(new), changes);
    }
    for name in PROSE.iter().filter(|name| member(name).0 != member(name).1) {
        changes.tell(Bump::Patch, &format!("{part_path}.{name}"), message!(changed::CHANGED));
    }
    let rest = |part: &Item| {
        let mut rest = part.clone();
        rest.retain(|name, _| !PROSE.contains(&&**name));
        Value::M(rest)
    };
    let (was, is) = (rest(was), rest(is));
    if kind == Known::RuleSet {
        // A new member of a slice is an addition; one of a join or an index may change its results.
        specs::unknown(part_path, Some(&was), Some(&is), changes);
    } else {
        specs::fixed(part_path, Some(&was), Some(&is), changes);
    }
}

/// The parts by name, each with its position, if all names are different.
fn named(list: Option<&Value>, kind: Known) -> Option<BTreeMap<String, (usize, &Value)>> {
    let parts = match list {
        None => &[],
        Some(Value::L(parts)) => parts.as_slice(),
        Some(_) => return None,
    };
    let named = |(position, part)| Some((name_of(part, kind)?, (position, part)));
    let all: BTreeMap<_, _> = parts.iter().enumerate().map(named).collect::<Option<_>>()?;
    (all.len() == parts.len()).then_some(all)
}

/// The name of a part. A reference is named by the contract's id, without its version.
fn name_of(part: &Value, kind: Known) -> Option<String> {
    let contract = match part {
        Value::M(map) if part_name(part).is_none() => contracts::named(map.get("contractRef")?, kind),
        Value::S(_) => contracts::named(part, kind),
        _ => None,
    };
    contract.map(|contract| contract.id.to_string()).or_else(|| part_name(part).map(str::to_owned))
}

/// Compares impacts. Removing a path is breaking, because the slice is no longer rebuilt and becomes stale.
pub(super) fn judge_impact(path: &str, old: Option<&Value>, new: Option<&Value>, changes: &mut Changes) {
    let (Some(was), Some(is)) = (paths(old), paths(new)) else {
        return specs::unknown(path, old, new, changes);
    };
    for (slice, paths) in &was {
        let part_path = format!("{path}.{slice}");
        let Some(now) = is.get(slice) else {
            changes.breaks(Breaks::Readers, &part_path, message!(changed::REMOVED));
            continue;
        };
        for gone in paths.difference(now) {
            changes.breaks(Breaks::Readers, &part_path, message!(changed::NO_LONGER_LISTS, *gone));
        }
        for added in now.difference(paths) {
            changes.tell(Bump::Minor, &part_path, message!(changed::ALSO_LISTS, *added));
        }
    }
    for slice in is.keys().filter(|slice| !was.contains_key(*slice)) {
        changes.tell(Bump::Minor, &format!("{path}.{slice}"), message!(changed::ADDED));
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
