//! The compatibility rules of each kind, by path.

use hansang_core::{Item, Value, message};

use super::{Breaks, Bump, Changes, contracts, fields, parts, specs, views};
use crate::Known;
use crate::messages::changes as changed;

/// The rule for changes at a path. Missing and null are the same everywhere.
#[derive(Clone, Copy)]
pub(super) enum Rule {
    /// Every change is breaking.
    Fixed,
    /// Changes have no visible effect.
    Free,
    /// An upper limit. It does not apply while the map `within` is missing.
    Limit { within: Option<&'static str> },
    /// A boolean that defaults to `false`.
    Switch,
    /// A map whose members have rules of their own.
    Presence,
    /// A reference to a contract of this kind.
    Contract { kind: Known, within: Option<&'static str> },
    /// A list of slices, joins or indexes, and whether their order matters.
    Parts { kind: Known, ordered: bool },
    /// The paths that each slice depends on.
    Impact,
    /// The required slices of a view.
    RequiredSlices,
    /// The optional slices of a view.
    OptionalSlices,
    /// The fields of an entity.
    Fields,
}

type Rules = &'static [(&'static str, Rule)];

/// Members for human readers, in a spec or in one of its parts.
pub(super) const PROSE: [&str; 5] = ["description", "title", "doc", "comment", "notes"];

const CHANGE_SET: Rules = &[
    ("identity.entityKeyFormat", Rule::Fixed),
    // Readers handle both inline and external payloads anyway.
    ("payload.externalizationPolicy.thresholdBytes", Rule::Free),
    ("fanout.enabled", Rule::Switch),
];

const INDEX: &str = "fanout.invertedIndex";

const JOIN_SPEC: Rules = &[
    ("constraints.maxJoinDepth", Rule::Limit { within: None }),
    (INDEX, Rule::Presence),
    ("fanout.invertedIndex.maxFanout", Rule::Limit { within: Some(INDEX) }),
    ("fanout.invertedIndex.contractRef", Rule::Contract { kind: Known::InvertedIndex, within: Some(INDEX) }),
];

const INVERTED_INDEX: Rules = &[
    // Entries written with one key format cannot be found with another.
    ("keySpec", Rule::Fixed),
    ("guards.maxTargetsPerRef", Rule::Limit { within: None }),
];

const RULE_SET: Rules = &[
    ("entityType", Rule::Fixed),
    ("impactMap", Rule::Impact),
    ("slices", Rule::Parts { kind: Known::RuleSet, ordered: false }),
    // Joins run in order, and a later one sees the results of earlier ones.
    ("joins", Rule::Parts { kind: Known::JoinSpec, ordered: true }),
    ("indexes", Rule::Parts { kind: Known::InvertedIndex, ordered: false }),
];

const VIEW_DEFINITION: Rules = &[
    ("requiredSlices", Rule::RequiredSlices),
    ("optionalSlices", Rule::OptionalSlices),
    ("missingPolicy", Rule::Fixed),
    ("partialPolicy", Rule::Fixed),
    ("fallbackPolicy", Rule::Fixed),
    ("ruleSetRef", Rule::Contract { kind: Known::RuleSet, within: None }),
];

const ENTITY_SCHEMA: Rules = &[("entityType", Rule::Fixed), ("fields", Rule::Fields)];

/// Applies the rules of a kind to every change. Members without a rule are treated as in unknown kinds: a change that the
/// registry does not understand may be breaking.
pub(super) fn judge(kind: Option<Known>, old: &Item, new: &Item, changes: &mut Changes) {
    let rules = match kind {
        Some(Known::ChangeSet) => CHANGE_SET,
        Some(Known::JoinSpec) => JOIN_SPEC,
        Some(Known::InvertedIndex) => INVERTED_INDEX,
        Some(Known::RuleSet) => RULE_SET,
        Some(Known::ViewDefinition) => VIEW_DEFINITION,
        Some(Known::EntitySchema) => ENTITY_SCHEMA,
        Some(Known::SinkRule | Known::IndexValueCanonicalizer) | None => &[],
    };
    let (mut old_rest, mut new_rest) = (old.clone(), new.clone());
    let prose = PROSE.map(|name| (name, Rule::Free));
    for (path, rule) in rules.iter().chain(&prose) {
        let (was, is) = (specs::at(old, path), specs::at(new, path));
        if matches!(rule, Rule::Presence) && specs::is_map(old, path) && specs::is_map(new, path) {
            // Its members are covered by other rules, or by none.
            continue;
        }
        specs::remove(&mut old_rest, Some(new), path);
        specs::remove(&mut new_rest, Some(old), path);
        if was != is {
            apply(*rule, path, (old, was), (new, is), changes);
        }
    }
    specs::unknown_members("", &old_rest, &new_rest, changes);
}

/// A spec and its value at the path.
pub(super) type Side<'s> = (&'s Item, Option<&'s Value>);

fn apply(rule: Rule, path: &str, old: Side<'_>, new: Side<'_>, changes: &mut Changes) {
    let (was, is) = (old.1, new.1);
    let missing = |within: Option<&str>| {
        within.is_some_and(|thing| !specs::is_map(old.0, thing) || !specs::is_map(new.0, thing))
    };
    match rule {
        Rule::Fixed => specs::fixed(path, was, is, changes),
        Rule::Free => changes.tell(Bump::Patch, path, message!(changed::CHANGED)),
        Rule::Limit { within } | Rule::Contract { within, .. } if missing(within) => {}
        Rule::Limit { .. } => limit(path, was, is, changes),
        Rule::Switch => switch(path, was, is, changes),
        Rule::Presence => match (was, is) {
            (None, _) => changes.tell(Bump::Minor, path, message!(changed::ADDED)),
            (_, None) => changes.breaks(Breaks::Readers, path, message!(changed::REMOVED)),
            _ => changes.tell(Bump::Major, path, message!(changed::CHANGED)),
        },
        Rule::Contract { kind, .. } => contracts::judge(path, kind, was, is, changes),
        Rule::Parts { kind, ordered } => parts::judge(path, kind, ordered, was, is, changes),
        Rule::Impact => parts::judge_impact(path, was, is, changes),
        Rule::RequiredSlices => views::judge_required(path, old, new, changes),
        Rule::OptionalSlices => views::judge_optional(path, old, new, changes),
        Rule::Fields => fields::judge(path, was, is, changes),
    }
}

fn limit(path: &str, old: Option<&Value>, new: Option<&Value>, changes: &mut Changes) {
    match (old, new) {
        (Some(Value::N(old)), Some(Value::N(new))) if new < old => {
            changes.breaks(Breaks::Writers, path, message!(changed::LOWERED, old, new));
        }
        (Some(Value::N(old)), Some(Value::N(new))) => {
            changes.tell(Bump::Minor, path, message!(changed::RAISED, old, new));
        }
        (None, Some(Value::N(new))) => {
            changes.breaks(Breaks::Writers, path, message!(changed::NOW_LIMITED, new));
        }
        (Some(Value::N(_)), None) => changes.tell(Bump::Minor, path, message!(changed::UNLIMITED)),
        _ => specs::fixed(path, old, new, changes),
    }
}

fn switch(path: &str, old: Option<&Value>, new: Option<&Value>, changes: &mut Changes) {
    let off = &Value::Bool(false);
    match (old.unwrap_or(off), new.unwrap_or(off)) {
        (Value::Bool(true), Value::Bool(false)) => {
            changes.breaks(Breaks::Readers, path, message!(changed::SWITCHED_OFF))
        }
        (Value::Bool(false), Value::Bool(true)) => {
            changes.tell(Bump::Minor, path, message!(changed::SWITCHED_ON))
        }
        (Value::Bool(_), Value::Bool(_)) => {}
        _ => specs::fixed(path, old, new, changes),
    }
}
