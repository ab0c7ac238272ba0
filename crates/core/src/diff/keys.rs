//! Whether two templates render the same key for the same item.

use crate::kind::Kind;
use crate::kind::time::Precision;
use crate::model::{Attribute, KeySource};
use crate::template::Template;
use crate::value::Name;

/// A part of a key: fixed text, or the value of an attribute.
#[derive(Debug)]
enum Piece {
    Text(String),
    Field(Name, Form),
}

/// The format of a value in a key.
#[derive(Debug)]
enum Form {
    AsItIs,
    Padded(u8),
    Number,
    Time(Precision),
    Month(char),
}

/// Whether a stored item has the same key under both templates.
pub(super) fn same_template(old: &Template, new: &Template) -> bool {
    same_pieces(&pieces(old), &pieces(new))
}

/// Whether a stored item has the same index key from both sources.
pub(super) fn same_source(old: &KeySource, new: &KeySource) -> bool {
    let of = |source: &KeySource| match source {
        KeySource::Derived(template) | KeySource::Own(template) => pieces(template),
        KeySource::Number(attribute) => vec![Piece::Field(attribute.name.clone(), Form::Number)],
    };
    same_pieces(&of(old), &of(new))
}

/// Whether a value that is stored for the attribute is written the same in a pointer's key.
pub(super) fn same_value(old: &Attribute, new: &Attribute) -> bool {
    old.name == new.name && form(old, None).same(&form(new, None))
}

/// A template as text and fields, without its segments, which do not change the rendered key.
fn pieces(template: &Template) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut text = String::new();
    for (position, segment) in template.segments.iter().enumerate() {
        if position > 0 {
            text.push(template.delimiter);
        }
        text.push_str(&segment.literal);
        if let Some(field) = &segment.field {
            pieces.push(Piece::Text(std::mem::take(&mut text)));
            pieces.push(Piece::Field(field.attribute.name.clone(), form(&field.attribute, field.pad)));
        }
    }
    pieces.push(Piece::Text(text));
    pieces
}

fn form(attribute: &Attribute, pad: Option<u8>) -> Form {
    match (&attribute.kind, pad) {
        (_, Some(pad)) => Form::Padded(pad),
        (Kind::Timestamp(precision), None) => Form::Time(*precision),
        (Kind::Month { separator }, None) => Form::Month(*separator),
        (kind, None) if kind.is_numeric() => Form::Number,
        _ => Form::AsItIs,
    }
}

fn same_pieces(old: &[Piece], new: &[Piece]) -> bool {
    old.len() == new.len()
        && old.iter().zip(new).all(|pair| match pair {
            (Piece::Text(old), Piece::Text(new)) => old == new,
            (Piece::Field(old, old_form), Piece::Field(new, new_form)) => {
                old == new && old_form.same(new_form)
            }
            _ => false,
        })
}

impl Form {
    /// A time that becomes any text, or the reverse, keeps its stored text.
    fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Padded(a), Self::Padded(b)) => a == b,
            (Self::Time(a), Self::Time(b)) => a == b,
            (Self::Month(a), Self::Month(b)) => a == b,
            (Self::Number, Self::Number) => true,
            (Self::Padded(_) | Self::Number, _) | (_, Self::Padded(_) | Self::Number) => false,
            _ => true,
        }
    }
}

/// The template of a source.
pub(super) fn text(source: &KeySource) -> String {
    match source {
        KeySource::Derived(template) | KeySource::Own(template) => template.text.clone(),
        KeySource::Number(attribute) => format!("{{{}}}", attribute.name),
    }
}

/// The change of a template. If its text is the same, its values have another form.
pub(super) fn became(old: &str, new: &str) -> String {
    if old == new {
        format!("The template `{new}` is the same, but a value in it is written otherwise.")
    } else {
        format!("The template is now `{new}`; it was `{old}`.")
    }
}
