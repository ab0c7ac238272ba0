//! Lists and maps as rows of a form, with a field of its kind for each value. A map or a list of lists or maps has a group
//! of rows for each of them. Rows are added by a button and removed by clearing them, so both work without scripts.

use hansang_core::kind::{Kind, Members};
use hansang_core::model::Attribute;
use hansang_ui::form::{Field, Form, Input};
use hansang_ui::time::Reader;
use serde_json::{Map, Value as Json};

use super::fields;
use super::times::{self, Typed};

mod joined;

pub(super) use joined::joined;

/// The button that adds rows. No attribute can have this name.
pub(super) const MORE: &str = ".more";
/// The number of empty rows that the button adds.
const ADDED: usize = 4;

/// A field of a form, as rows where it is a list or a map.
pub(super) struct Entry {
    pub(super) field: Field,
    pub(super) rows: Option<Rows>,
}

/// The rows of a list or a map.
pub(super) struct Rows {
    /// Whether the rows or groups have names.
    pub(super) map: bool,
    pub(super) rows: Vec<Row>,
    pub(super) groups: Vec<Group>,
}

/// A value, with its name in a map.
pub(super) struct Row {
    pub(super) name: String,
    pub(super) value: Field,
}

/// A list or a map in a list or a map.
pub(super) struct Group {
    /// The prefix of its fields in the form.
    pub(super) prefix: String,
    pub(super) name: String,
    pub(super) map: bool,
    pub(super) rows: Vec<Row>,
}

/// The form of an attribute as rows.
struct Shape {
    /// Whether the rows or groups have names.
    map: bool,
    /// Whether each is a list or a map itself, and whether its rows have names.
    inner: Option<bool>,
    /// The type of the values in the rows.
    element: Kind,
}

/// Whether values of a type are entered in one line.
fn is_simple(kind: &Kind) -> bool {
    !matches!(kind, Kind::List(_) | Kind::Map(_) | Kind::Set(_) | Kind::Any | Kind::Binary | Kind::Markdown)
}

/// The values of a list or a map, and whether they have names.
fn element(kind: &Kind) -> Option<(Kind, bool)> {
    match kind {
        Kind::List(element) => Some(((**element).clone(), false)),
        Kind::Map(element) => Some(((**element).clone(), true)),
        Kind::Set(Members::Texts) => Some((Kind::String, false)),
        Kind::Set(Members::Numbers) => Some((Kind::Number, false)),
        _ => None,
    }
}

/// The rows of an attribute, if it has rows: of simple values, or of lists and maps of simple values.
fn shape(kind: &Kind) -> Option<Shape> {
    let (outer, map) = element(kind)?;
    if is_simple(&outer) {
        return Some(Shape { map, inner: None, element: outer });
    }
    let (inner, named) = element(&outer)?;
    is_simple(&inner).then_some(Shape { map, inner: Some(named), element: inner })
}

/// A field with its rows, and with more empty ones if the button of this field or of one of its groups was pressed.
pub(super) fn entry(attribute: &Attribute, mut field: Field, sent: &Form, reader: &Reader) -> Entry {
    let Some(shape) = shape(&attribute.kind).filter(|_| !field.locked) else {
        return Entry { field, rows: None };
    };
    let maker = Maker { attribute, shape: &shape, reader, more: sent.text(MORE) };
    // A text that is no such list or map stays as it was typed.
    let Some(rows) = maker.rows(&field.value) else { return Entry { field, rows: None } };
    field.hint = attribute.doc.in_language(reader.language).to_owned();
    Entry { field, rows: Some(rows) }
}

/// Makes the rows of an attribute.
struct Maker<'m> {
    attribute: &'m Attribute,
    shape: &'m Shape,
    reader: &'m Reader,
    /// The prefix of the fields whose button was pressed.
    more: &'m str,
}

impl Maker<'_> {
    fn rows(&self, text: &str) -> Option<Rows> {
        let json = match text.trim() {
            "" if self.shape.map => Json::Object(Map::new()),
            "" => Json::Array(Vec::new()),
            text => serde_json::from_str(text).ok()?,
        };
        let (map, name) = (self.shape.map, &*self.attribute.name);
        let Some(named) = self.shape.inner else {
            return Some(Rows { map, rows: self.lines(name, json, map)?, groups: Vec::new() });
        };
        let mut parts = pairs(json, map)?;
        let empty = if named { Json::Object(Map::new()) } else { Json::Array(Vec::new()) };
        let added = if self.more == name { ADDED } else { 1 };
        parts.extend(std::iter::repeat_n((String::new(), empty), added));
        let group = |(index, (part, json)): (usize, (String, Json))| {
            let prefix = format!("{name}.{index}");
            Some(Group { rows: self.lines(&prefix, json, named)?, name: part, map: named, prefix })
        };
        let groups = parts.into_iter().enumerate().map(group).collect::<Option<_>>()?;
        Some(Rows { map, rows: Vec::new(), groups })
    }

    /// The rows of one list or map, with empty ones at the end.
    fn lines(&self, prefix: &str, json: Json, map: bool) -> Option<Vec<Row>> {
        let added = if self.more == prefix { ADDED } else { 1 };
        let values = pairs(json, map)?.into_iter().map(|(name, json)| Some((name, word(json)?)));
        let mut values: Vec<(String, String)> = values.collect::<Option<_>>()?;
        values.extend(std::iter::repeat_n((String::new(), String::new()), added));
        let row = |(name, text)| Row { name, value: self.field(prefix, text) };
        Some(values.into_iter().map(row).collect())
    }

    /// The field of a value.
    fn field(&self, prefix: &str, text: String) -> Field {
        let (element, language) = (&self.shape.element, self.reader.language);
        let field = fields::of_kind(&format!("{prefix}.value"), element, false, self.reader);
        let mut field = times::picker(Field { value: text, ..field }, Typed::Kind(element), self.reader);
        if let Input::Choice(choices) = &mut field.input {
            for (value, title) in choices.iter_mut() {
                match (element, &**value) {
                    (Kind::Bool, "true") => *title = language.say("Yes", "예").to_owned(),
                    (Kind::Bool, "false") => *title = language.say("No", "아니요").to_owned(),
                    _ => {}
                }
            }
            // A stored value that the model does not know is not lost.
            if choices.iter().all(|(value, _)| *value != field.value) {
                choices.push((field.value.clone(), field.value.clone()));
            }
        }
        field
    }
}

/// The members of a list or a map. Those of a list have empty names.
fn pairs(json: Json, map: bool) -> Option<Vec<(String, Json)>> {
    match (json, map) {
        (Json::Array(list), false) => Some(list.into_iter().map(|one| (String::new(), one)).collect()),
        (Json::Object(members), true) => Some(members.into_iter().collect()),
        _ => None,
    }
}

/// A value as the text of a field of one line.
fn word(json: Json) -> Option<String> {
    match json {
        Json::String(text) if !text.contains('\n') => Some(text),
        Json::Number(_) | Json::Bool(_) => Some(json.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
