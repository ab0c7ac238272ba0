//! The fields of an entity.

use std::collections::BTreeSet;

use hansang_core::Value;

use super::reader::Reader;

/// The schema of an entity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntitySchema {
    /// The entities that the schema is for (`entityType`), if it names them.
    pub entity_type: Option<String>,
    /// The fields, in the order in which they are listed.
    pub fields: Vec<Field>,
}

/// One field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its type, such as `string`.
    pub r#type: String,
    /// Whether every entity has it; no if that is left out.
    pub required: bool,
    /// What it is where an entity does not say.
    pub default: Option<Value>,
}

pub(super) fn read(spec: &Reader<'_, '_>) -> EntitySchema {
    if spec.get("fields").is_none() {
        spec.wrong::<()>("fields", "is required");
    }
    let mut named = Vec::new();
    let fields = spec.elements("fields", |value, place| {
        let field = spec.element(value, place);
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
            spec.wrong::<()>("fields", &format!("must name `{name}` once"));
        }
    }
    EntitySchema { entity_type: spec.text("entityType"), fields }
}
