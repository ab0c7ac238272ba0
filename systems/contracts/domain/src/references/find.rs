//! Finds references anywhere in a spec.

use hansang_core::validate::Violation;
use hansang_core::{Item, Value};

use super::Reference;
use super::names::{Meaning, kind_of_list, meaning};
use super::read::{is_name, read_reference};
use crate::body::location::Location;
use crate::{Kind, Known};

pub(super) fn find(kind: &Kind, spec: &Item) -> Result<Vec<Reference>, Vec<Violation>> {
    let mut finder = Finder { of: kind.known(), found: Vec::new(), problems: Vec::new() };
    finder.map(spec, &Location::Spec, None);
    if finder.problems.is_empty() { Ok(finder.found) } else { Err(finder.problems) }
}

struct Finder {
    /// The kind of the spec.
    of: Option<Known>,
    found: Vec<Reference>,
    problems: Vec<Violation>,
}

impl Finder {
    /// Searches a map inside the member `inside`.
    fn map(&mut self, map: &Item, location: &Location<'_>, inside: Option<&str>) {
        for (name, value) in map {
            let here = location.member(name);
            match meaning(name, inside, self.of) {
                Some(meaning) => self.named(value, meaning, &here, name),
                None => self.value(value, &here, name),
            }
        }
    }

    /// Searches the value of a member.
    fn value(&mut self, value: &Value, location: &Location<'_>, name: &str) {
        match value {
            Value::M(map) => self.map(map, location, Some(name)),
            Value::L(values) => {
                let parts = self.of == Some(Known::RuleSet) && ["joins", "indexes"].contains(&name);
                for (position, value) in values.iter().enumerate() {
                    let here = location.element(position);
                    if parts && is_contract(value) {
                        self.read(value, kind_of_list(name, self.of), &here);
                    } else {
                        self.value(value, &here, name);
                    }
                }
            }
            _ => {}
        }
    }

    /// Reads the value of a member whose name can be that of a reference.
    fn named(&mut self, value: &Value, meaning: Meaning, location: &Location<'_>, name: &str) {
        match value {
            Value::L(values) => {
                for (position, value) in values.iter().enumerate() {
                    self.named(value, meaning, &location.element(position), name);
                }
            }
            Value::Null => {}
            Value::M(map) => {
                if is_name_map(map, meaning.certain) {
                    self.read(value, meaning.kind, location);
                }
                self.map(map, location, Some(name));
            }
            Value::S(text) if is_name(text) => self.read(value, meaning.kind, location),
            _ if meaning.certain => self.read(value, meaning.kind, location),
            _ => {}
        }
    }

    fn read(&mut self, value: &Value, kind: Option<Known>, location: &Location<'_>) {
        match read_reference(value, kind, location) {
            Ok(reference) => self.found.push(reference),
            Err(problems) => self.problems.extend(problems),
        }
    }
}

/// Whether a map is meant as a reference. Schemas also describe fields that are called `ruleSetRef`.
fn is_name_map(map: &Item, certain: bool) -> bool {
    let has = |name| map.get(name).is_some_and(|value| !matches!(value, Value::M(_)));
    if certain { has("id") || has("version") || !describes(map) } else { has("id") && has("version") }
}

fn describes(map: &Item) -> bool {
    map.contains_key("type") || map.values().any(|value| matches!(value, Value::M(_) | Value::L(_)))
}

/// Whether a join or an index of a rule set is only a reference.
pub(crate) fn is_contract(value: &Value) -> bool {
    match value {
        Value::S(text) => is_name(text),
        Value::M(map) => {
            let text = |name| map.get(name).is_some_and(|value| value.as_str().is_some());
            text("id")
                && text("version")
                && map.keys().all(|name| ["id", "version", "kind"].contains(&&**name))
        }
        _ => false,
    }
}
