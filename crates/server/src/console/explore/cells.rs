//! Records as rows of a table: the columns, and the text of each cell.

use hansang_core::kind::Kind;
use hansang_core::message::Language;
use hansang_core::model::{Attribute, Entity, Role};
use hansang_core::{Record, Value};

use super::System;
use super::titles::{self, Linked};

/// The number of columns from which further ones are left out, except numbers.
const MAX_COLUMNS: usize = 7;
/// The maximum number of characters of a cell.
const MAX_LETTERS: usize = 160;

/// A cell of a table.
#[derive(Clone, Debug, Default)]
pub(super) struct Cell {
    pub(super) text: String,
    /// Whether it is a number, which is aligned to the right.
    pub(super) number: bool,
    /// Whether it is an enum value or a lifecycle state.
    pub(super) state: bool,
    /// The address of the record that it refers to.
    pub(super) link: Option<String>,
    /// The stored value of a time.
    pub(super) time: Option<String>,
}

/// The names of the fields that become columns: those of the model, otherwise the key, numbers, short fields and
/// the times.
pub(super) fn columns(entity: &Entity) -> Vec<String> {
    if !entity.columns.is_empty() {
        return entity.columns.iter().map(ToString::to_string).collect();
    }
    let wanted: [fn(&Entity, &Attribute) -> bool; 5] = [
        |entity, one| entity.in_key(&one.name),
        |_, one| matches!(one.role, Role::Given) && matches!(one.kind, Kind::Number | Kind::Integer),
        |_, one| matches!(one.role, Role::Given) && is_short(&one.kind),
        |_, one| matches!(one.role, Role::Created | Role::Updated),
        |_, one| matches!(one.role, Role::Given),
    ];
    let mut names: Vec<String> = Vec::new();
    for (round, wanted) in wanted.into_iter().enumerate() {
        for attribute in entity.attributes.iter().filter(|one| wanted(entity, one)) {
            let is_known = names.iter().any(|name| **name == *attribute.name);
            // Numbers are always shown; long fields only where there is nothing else to show.
            let fits = match round {
                0 | 1 => true,
                4 => names.is_empty(),
                _ => names.len() < MAX_COLUMNS,
            };
            if fits && !is_known {
                names.push(attribute.name.to_string());
            }
        }
    }
    names
}

fn is_short(kind: &Kind) -> bool {
    !matches!(kind, Kind::Markdown | Kind::Binary | Kind::Map(_) | Kind::Any)
}

/// The cell of a field.
pub(super) fn cell(
    system: &System,
    record: &Record,
    name: &str,
    linked: &Linked,
    language: Language,
) -> Cell {
    let attribute = record.entity.attribute(name).map(|attribute| &**attribute);
    let Some(value) = record.fields.get(name) else { return Cell::default() };
    let kind = attribute.map(|attribute| &attribute.kind);
    let (text, link) = match linked.find(system, record, name) {
        Some((title, address)) => (title, Some(address)),
        None => (titles::value(attribute, value, language), None),
    };
    Cell {
        text: short(&text),
        number: matches!(value, Value::N(_)),
        state: matches!(kind, Some(Kind::Lifecycle(_) | Kind::Enum(_))),
        link,
        time: value.as_str().filter(|_| matches!(kind, Some(Kind::Timestamp(_)))).map(ToOwned::to_owned),
    }
}

fn short(text: &str) -> String {
    match text.char_indices().nth(MAX_LETTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
