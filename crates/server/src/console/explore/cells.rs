//! Records as rows of a table: the columns, and the text of each cell.

use hansang_core::kind::Kind;
use hansang_core::model::{Attribute, Entity, Role};
use hansang_core::value::json::to_plain;
use hansang_core::{Record, Value};

/// The maximum number of columns of a table.
const COLUMNS: usize = 7;
/// The maximum number of characters of a cell.
const LETTERS: usize = 160;

/// A cell of a table.
#[derive(Clone, Debug, Default)]
pub(super) struct Cell {
    pub(super) text: String,
    /// Whether it is a number, which is aligned to the right.
    pub(super) number: bool,
    /// Whether it is an enum value or a lifecycle state.
    pub(super) state: bool,
}

/// The names of the fields that become columns: the key, then short fields, in the model's order.
pub(super) fn columns<'e>(entities: impl Iterator<Item = &'e Entity> + Clone) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let wanted: [fn(&Entity, &Attribute) -> bool; 3] = [
        |entity, one| entity.in_key(&one.name),
        |entity, one| !entity.in_key(&one.name) && matches!(one.role, Role::Given) && is_short(&one.kind),
        |_, one| matches!(one.role, Role::Updated),
    ];
    for wanted in wanted {
        for entity in entities.clone() {
            for attribute in &entity.attributes {
                let is_known = names.iter().any(|name| **name == *attribute.name);
                if names.len() < COLUMNS && !is_known && wanted(entity, attribute) {
                    names.push(attribute.name.to_string());
                }
            }
        }
    }
    names
}

fn is_short(kind: &Kind) -> bool {
    !matches!(kind, Kind::Markdown | Kind::Binary | Kind::Map(_) | Kind::Any)
}

/// The cell of a field.
pub(super) fn cell(record: &Record, name: &str) -> Cell {
    let kind = record.entity.attribute(name).map(|attribute| &attribute.kind);
    let Some(value) = record.fields.get(name) else { return Cell::default() };
    Cell {
        text: short(&text(value)),
        number: matches!(value, Value::N(_)),
        state: matches!(kind, Some(Kind::Lifecycle(_) | Kind::Enum(_))),
    }
}

/// A value as text for people.
pub(super) fn text(value: &Value) -> String {
    match value {
        Value::S(text) => text.to_string(),
        Value::B(bytes) => format!("{} B", bytes.len()),
        Value::Bool(truth) => if *truth { "✓" } else { "✗" }.to_owned(),
        other => to_plain(other).to_string(),
    }
}

fn short(text: &str) -> String {
    match text.char_indices().nth(LETTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
