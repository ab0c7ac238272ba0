//! Random specs for property tests.

use hansang_core::value::json::item_from_plain;
use hansang_core::{Item, Name, Value};
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, any, prop_oneof};
use proptest::sample::select;

use crate::{Kind, Known};

/// The names that decoders, rules and the search for references look for.
const NAMES: [&str; 32] = [
    "identity",
    "entityKeyFormat",
    "payload",
    "externalizationPolicy",
    "thresholdBytes",
    "fanout",
    "enabled",
    "constraints",
    "maxJoinDepth",
    "invertedIndex",
    "maxFanout",
    "contractRef",
    "keySpec",
    "pkPattern",
    "guards",
    "maxTargetsPerRef",
    "entityType",
    "impactMap",
    "joins",
    "slices",
    "indexes",
    "requiredSlices",
    "optionalSlices",
    "missingPolicy",
    "ruleSetRef",
    "fields",
    "name",
    "type",
    "required",
    "id",
    "version",
    "description",
];

const TEXTS: [&str; 10] =
    ["", "A", "B", "1.0.0", "^1.2", "a@1.0.0", "RULESET:a:1.0.0", "JOIN_SPEC:b:~2", "RULESET", "한~/상"];

/// A spec from JSON.
pub(crate) fn spec(json: serde_json::Value) -> Item {
    item_from_plain(&json).unwrap()
}

/// A known kind.
pub(crate) fn kind(known: Known) -> Kind {
    known.into()
}

/// A kind, known or not.
pub(crate) fn kinds() -> impl Strategy<Value = Kind> {
    let known: Vec<Kind> = Known::all().map(Kind::from).chain(["OTHER".parse().unwrap()]).collect();
    select(known)
}

/// A random spec.
pub(crate) fn specs() -> impl Strategy<Value = Item> {
    members(values())
}

fn members(value: impl Strategy<Value = Value>) -> impl Strategy<Value = Item> {
    let name =
        prop_oneof![8 => select(&NAMES[..]).prop_map(Name::from), 1 => any::<String>().prop_map(Name::from)];
    vec((name, value), 0..6).prop_map(Item::from)
}

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        (-2..4_i64).prop_map(Value::from),
        Just(Value::N("0.5".parse().unwrap())),
        Just(Value::B(vec![1])),
        select(&TEXTS[..]).prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 5, |inner| {
        prop_oneof![vec(inner.clone(), 0..5).prop_map(Value::L), members(inner).prop_map(Value::M)]
    })
}
