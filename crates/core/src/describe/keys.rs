//! Keys in pieces of fixed text and fields.

use crate::model::{Entity, Index, KeySource, Model, Unique};
use crate::template::{Field, Template};
use crate::unique;
use crate::value::{Item, Name, Value, json};

/// A stretch of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece<'m> {
    /// Fixed text, a field as in the model file, or its value in an example.
    pub text: String,
    /// The attribute whose value it is, unless the text is fixed.
    pub attribute: Option<&'m Name>,
}

/// A key attribute of an entity.
#[derive(Clone, Debug)]
pub struct KeyAttribute<'m> {
    /// The name of the attribute.
    pub name: &'m Name,
    /// The index it is a key of, unless it is one of the table's.
    pub index: Option<&'m Index>,
    /// Whether it is the sort key and not the partition key.
    pub sorts: bool,
    /// The template.
    pub pieces: Vec<Piece<'m>>,
    /// Absent where the key is a number.
    template: Option<&'m Template>,
}

/// The key attributes of an entity: the table's, then those of each index it is in.
#[must_use]
pub fn keys<'m>(model: &'m Model, entity: &'m Entity) -> Vec<KeyAttribute<'m>> {
    let of_table = |name, sorts, template| KeyAttribute {
        name,
        index: None,
        sorts,
        pieces: of_template(template),
        template: Some(template),
    };
    let mut keys =
        vec![of_table(&model.table.pk, false, &entity.pk), of_table(&model.table.sk, true, &entity.sk)];
    for entry in &entity.indexes {
        let index = &model.table.indexes[entry.index];
        let mut add = |name, sorts, source: &'m KeySource| {
            let (pieces, template) = (of_source(source), source.template());
            keys.push(KeyAttribute { name, index: Some(index), sorts, pieces, template });
        };
        add(&index.pk, false, &entry.pk);
        if let (Some(name), Some(source)) = (&index.sk, &entry.sk) {
            add(name, true, source);
        }
    }
    keys
}

impl<'m> KeyAttribute<'m> {
    /// The key of a stored item, with values instead of fields; nothing if the item is not in the index.
    #[must_use]
    pub fn of_item(&self, item: &Item) -> Option<Vec<Piece<'m>>> {
        let value = item.get(self.name)?;
        match (value, self.template) {
            (Value::S(key), Some(template)) => values(template, key),
            (other, _) => {
                let attribute = self.pieces.first().and_then(|piece| piece.attribute);
                Some(vec![Piece { text: json::to_plain(other).to_string(), attribute }])
            }
        }
    }
}

/// The stretches of a template.
#[must_use]
pub fn of_template(template: &Template) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    for (position, segment) in template.segments.iter().enumerate() {
        if position > 0 {
            push(&mut pieces, &template.delimiter.to_string());
        }
        push(&mut pieces, &segment.literal);
        pieces.extend(segment.field.as_ref().map(of_field));
    }
    pieces
}

/// The pieces of a key; a number is one piece.
#[must_use]
pub fn of_source(source: &KeySource) -> Vec<Piece<'_>> {
    match source {
        KeySource::Derived(template) | KeySource::Own(template) => of_template(template),
        KeySource::Number(attribute) => {
            vec![Piece { text: format!("{{{}}}", attribute.name), attribute: Some(&attribute.name) }]
        }
    }
}

/// The first `known` segments of a template and the fixed text of the next. Made from the segments: the
/// common template of several entities has no text.
pub(super) fn of_start(template: &Template, known: usize) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    for (position, segment) in template.segments.iter().take(known + 1).enumerate() {
        if position > 0 {
            push(&mut pieces, &template.delimiter.to_string());
        }
        push(&mut pieces, &segment.literal);
        if position < known {
            pieces.extend(segment.field.as_ref().map(of_field));
        }
    }
    pieces
}

/// The partition key of a constraint's pointers.
#[must_use]
pub fn pointer<'m>(model: &Model, entity: &Entity, constraint: &'m Unique) -> Vec<Piece<'m>> {
    let delimiter = model.table.delimiter;
    let start = format!("{}{delimiter}{}{delimiter}{}", unique::PREFIX, entity.name, constraint.name);
    let mut pieces = vec![Piece { text: start, attribute: None }];
    for attribute in constraint.attributes() {
        push(&mut pieces, &delimiter.to_string());
        pieces.push(Piece { text: format!("{{{}}}", attribute.name), attribute: Some(&attribute.name) });
    }
    pieces
}

/// The stretches as one text, as the model file would write it.
#[must_use]
pub fn text(pieces: &[Piece<'_>]) -> String {
    pieces.iter().map(|piece| &*piece.text).collect()
}

/// A key that the template rendered, with its values where the template has fields.
fn values<'m>(template: &'m Template, key: &str) -> Option<Vec<Piece<'m>>> {
    let mut pieces = Vec::new();
    let mut parts = key.split(template.delimiter);
    for (position, segment) in template.segments.iter().enumerate() {
        if position > 0 {
            push(&mut pieces, &template.delimiter.to_string());
        }
        let value = parts.next()?.strip_prefix(segment.literal.as_str())?;
        push(&mut pieces, &segment.literal);
        let piece =
            |field: &'m Field| Piece { text: value.to_owned(), attribute: Some(&field.attribute.name) };
        pieces.extend(segment.field.as_ref().map(piece));
    }
    Some(pieces)
}

fn of_field(field: &Field) -> Piece<'_> {
    let pad = field.pad.map_or_else(String::new, |pad| format!(":0{pad}"));
    let name = &field.attribute.name;
    Piece { text: format!("{{{name}{pad}}}"), attribute: Some(name) }
}

/// Adds fixed text, joined with fixed text before it.
fn push(pieces: &mut Vec<Piece<'_>>, text: &str) {
    match pieces.last_mut() {
        _ if text.is_empty() => {}
        Some(Piece { text: last, attribute: None }) => last.push_str(text),
        _ => pieces.push(Piece { text: text.to_owned(), attribute: None }),
    }
}
