//! Records as rows of a table: the columns, and the text of each cell.

use hansang_core::kind::Kind;
use hansang_core::message::Language;
use hansang_core::model::{Attribute, Entity, Role};
use hansang_core::{Record, Value};

use super::System;
use super::titles::{self, Linked};
use hansang_ui::table::{self, Cell, Column};
use hansang_ui::time::Reader;

/// The number of columns from which further ones are left out, except numbers.
const MAX_COLUMNS: usize = 7;
/// The maximum number of characters of a cell.
const MAX_LETTERS: usize = 160;

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

/// The names of the columns of a list that is read in the order of an attribute: beside the usual ones that attribute,
/// unless the model says which columns there are.
pub(super) fn columns_by(entity: &Entity, order: Option<&str>) -> Vec<String> {
    let mut names = columns(entity);
    if let Some(order) =
        order.filter(|order| entity.columns.is_empty() && !names.iter().any(|name| name == order))
    {
        names.push(order.to_owned());
    }
    names
}

/// The column of a field.
pub(super) fn column(entity: &Entity, name: &str, language: Language) -> Column {
    let attribute = entity.attribute(name);
    let kind = match attribute.map(|one| &one.kind) {
        _ if entity.reference(name).is_some() => table::Kind::Link,
        _ if attribute.is_some_and(|one| one.expires) => table::Kind::Time,
        Some(Kind::Number | Kind::Integer) => table::Kind::Number,
        Some(Kind::Timestamp(_)) => table::Kind::Time,
        Some(Kind::Enum(_) | Kind::Lifecycle(_)) => table::Kind::Tag,
        _ => table::Kind::Text,
    };
    Column::new(name, &titles::field(entity, name, language), kind)
}

/// The cell of a field.
pub(super) fn cell(system: &System, record: &Record, name: &str, linked: &Linked, reader: &Reader) -> Cell {
    let attribute = record.entity.attribute(name).map(|attribute| &**attribute);
    let Some(value) = record.fields.get(name) else { return Cell::None };
    if let Some((title, address)) = linked.find(system, record, name) {
        return Cell::Link(short(&title), address);
    }
    if let Some(time) = titles::instant(attribute, value) {
        return Cell::Time(reader.time(time));
    }
    let text = || short(&titles::of_entity(&record.entity, name, value, reader));
    match (attribute.map(|one| &one.kind), value) {
        (_, Value::N(number)) => Cell::number(number),
        (Some(Kind::Enum(_) | Kind::Lifecycle(_)), _) => Cell::tag(&text(), "info"),
        _ => Cell::text(&text()),
    }
}

fn short(text: &str) -> String {
    match text.char_indices().nth(MAX_LETTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An amount is shown however many fields stand before it, and an entity without short fields has a column too.
    #[test]
    fn numbers_are_always_columns() {
        let texts: String = (0..9).map(|number| format!("t{number}: string, ")).collect();
        let model = format!(
            "model: m\ntable: {{ name: Wide, key: {{ pk: PK, sk: SK }} }}\nentities:\n  Wide:\n    key: {{ PK: \"W#{{id}}\", SK: W }}\n    attributes: {{ id: string, {texts}amount: integer }}\n  Codes:\n    key: {{ PK: CODES, SK: C }}\n    attributes: {{ codes: {{ map: {{ list: string }} }} }}\n"
        );
        let model = hansang_core::compile(model.as_bytes()).unwrap();
        let wide = columns(model.entity("Wide").unwrap());
        assert_eq!((wide.len(), wide.contains(&"amount".to_owned())), (MAX_COLUMNS, true), "{wide:?}");
        assert_eq!(columns(model.entity("Codes").unwrap()), ["codes"]);
    }
}
