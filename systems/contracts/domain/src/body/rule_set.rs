//! Which parts are made of an entity.

use hansang_core::{Item, Name, Value};

use super::reader::Reader;

/// A rule set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleSet {
    /// The entities that the rules are for (`entityType`).
    pub entity_type: String,
    /// Which slices are made anew when something changes (`impactMap`), in the order of their names.
    pub impact: Vec<Impact>,
    /// The slices that an entity is cut into.
    pub slices: Vec<Part>,
    /// What is joined, in the order in which it is.
    pub joins: Vec<Part>,
    /// How an entity is found.
    pub indexes: Vec<Part>,
}

/// What a slice depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Impact {
    /// The slice.
    pub slice: Name,
    /// The paths in an entity whose change makes the slice anew.
    pub paths: Vec<String>,
}

/// A slice, a join or an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What it is called: the element, if it is a text, or else its `name`, `id` or `type`. Only a slice
    /// must have a name.
    pub name: Option<String>,
    /// What it is, as it stands there; empty if the element is a text.
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
    spec.elements(list, |value, place| match value {
        Value::S(name) if !name.is_empty() => {
            Part { name: Some(spec.copy(name.as_str())), definition: Item::new() }
        }
        _ => {
            let name = part_name(value);
            let definition = spec.element(value, place).item();
            if needs_name && name.is_none() && matches!(value, Value::M(_)) {
                // Views and impacts name slices.
                spec.wrong_at::<()>(place, "must have a `name` or a `type`");
            }
            Part { name: name.map(|name| spec.copy(name)), definition }
        }
    })
}

/// What an element of a rule set is called.
pub(crate) fn part_name(value: &Value) -> Option<&str> {
    match value {
        Value::S(name) => Some(name.as_str()),
        Value::M(map) => ["name", "id", "type"].iter().find_map(|&member| map.get(member)?.as_str()),
        _ => None,
    }
    .filter(|name| !name.is_empty())
}
