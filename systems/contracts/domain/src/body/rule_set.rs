//! Rule sets: the slices, joins and indexes of an entity.

use hansang_core::{Item, Name, Value, message};

use super::reader::Reader;
use crate::messages::specs;

/// A rule set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleSet {
    /// The entity type (`entityType`).
    pub entity_type: String,
    /// The slices to rebuild when something changes (`impactMap`), sorted by name.
    pub impact: Vec<Impact>,
    /// The slices of the entity.
    pub slices: Vec<Part>,
    /// The joins, in order of execution.
    pub joins: Vec<Part>,
    /// The indexes of the entity.
    pub indexes: Vec<Part>,
}

/// The dependencies of a slice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Impact {
    /// The slice.
    pub slice: Name,
    /// The paths of the entity whose change rebuilds the slice.
    pub paths: Vec<String>,
}

/// A slice, a join or an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The name: the element if it is a text, otherwise its `name`, `id` or `type`. Required for slices.
    pub name: Option<String>,
    /// The definition; empty if the element is a text.
    pub definition: Item,
}

pub(super) fn read(spec: &Reader<'_, '_>) -> RuleSet {
    let impact = spec.map("impactMap");
    RuleSet {
        entity_type: spec.needed_text("entityType"),
        impact: impact
            .names()
            .map(|slice| Impact { slice: slice.clone(), paths: impact.texts(slice) })
            .collect(),
        slices: parts(spec, "slices", true),
        joins: parts(spec, "joins", false),
        indexes: parts(spec, "indexes", false),
    }
}

fn parts(spec: &Reader<'_, '_>, list: &str, needs_name: bool) -> Vec<Part> {
    spec.elements(list, |value, location| match value {
        Value::S(name) if !name.is_empty() => {
            Part { name: Some(spec.copy(name.as_str())), definition: Item::new() }
        }
        _ => {
            let name = part_name(value);
            let definition = spec.element(value, location).item();
            if needs_name && name.is_none() && matches!(value, Value::M(_)) {
                // Views and impacts refer to slices by name.
                spec.wrong_at::<()>(location, message!(specs::PART_NAME));
            }
            Part { name: name.map(|name| spec.copy(name)), definition }
        }
    })
}

/// The name of an element of a rule set.
pub(crate) fn part_name(value: &Value) -> Option<&str> {
    match value {
        Value::S(name) => Some(name.as_str()),
        Value::M(map) => ["name", "id", "type"].iter().find_map(|&member| map.get(member)?.as_str()),
        _ => None,
    }
    .filter(|name| !name.is_empty())
}
