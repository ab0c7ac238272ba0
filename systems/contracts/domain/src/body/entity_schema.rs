//! Entity schemas: the fields of an entity.

use std::collections::BTreeSet;

use hansang_core::messages::fields;
use hansang_core::{Value, message};

use super::reader::Reader;
use crate::messages::specs;

/// The schema of an entity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntitySchema {
    /// The entity type (`entityType`), if it is given.
    pub entity_type: Option<String>,
    /// The fields in the order of the spec.
    pub fields: Vec<Field>,
}

/// One field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name.
    pub name: String,
    /// The type, such as `string`.
    pub r#type: String,
    /// Whether every entity has it. Defaults to `false`.
    pub required: bool,
    /// The value of an entity without the field.
    pub default: Option<Value>,
}

pub(super) fn read(spec: &Reader<'_, '_>) -> EntitySchema {
    if spec.get("fields").is_none() {
        spec.wrong::<()>("fields", message!(fields::REQUIRED));
    }
    let mut named = Vec::new();
    let fields = spec.elements("fields", |value, location| {
        let field = spec.element(value, location);
        named.extend(field.get("name").and_then(Value::as_str).filter(|name| !name.is_empty()));
        Field {
            name: field.needed_text("name"),
            r#type: field.needed_text("type"),
            required: field.flag("required"),
            default: field.get("default").cloned(),
        }
    });
    let mut names = BTreeSet::new();
    for name in named {
        if !names.insert(name) {
            spec.wrong::<()>("fields", message!(specs::FIELD_TWICE, name));
        }
    }
    EntitySchema { entity_type: spec.text("entityType"), fields }
}
