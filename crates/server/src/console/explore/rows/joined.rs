//! Submitted rows as one JSON text for each attribute.

use hansang_core::kind::Kind;
use hansang_core::model::Attribute;
use hansang_core::value::json::to_plain;
use hansang_ui::form::Form;
use hansang_ui::time::Reader;
use serde_json::{Map, Value as Json};

use super::{Shape, shape};
use crate::console::explore::times::{self, Typed};

/// The form with the rows of each attribute joined to one JSON text under its name.
pub(in crate::console::explore) fn joined<'a>(
    attributes: impl Iterator<Item = &'a Attribute>,
    sent: &Form,
    reader: &Reader,
) -> Form {
    let mut form = form_urlencoded::Serializer::new(String::new());
    form.extend_pairs(sent.pairs());
    for attribute in attributes {
        let Some(shape) = shape(&attribute.kind) else { continue };
        if sent.get(&format!("{}.rows", attribute.name)).is_none() {
            continue;
        }
        let rows = Sent { sent, shape: &shape, reader };
        let json = match shape.inner {
            None => rows.values(&attribute.name, shape.map).filter(|json| !is_empty(json)),
            Some(_) => rows.groups(&attribute.name),
        };
        form.append_pair(&attribute.name, &json.map(|json| format!("{json:#}")).unwrap_or_default());
    }
    Form::parse(form.finish().as_bytes())
}

/// The submitted rows of an attribute.
struct Sent<'s> {
    sent: &'s Form,
    shape: &'s Shape,
    reader: &'s Reader,
}

impl Sent<'_> {
    fn all(&self, name: &str) -> Vec<&str> {
        self.sent.pairs().filter(|(known, _)| *known == name).map(|(_, value)| value).collect()
    }

    /// The list or map with the fields of this prefix, without empty rows.
    fn values(&self, prefix: &str, map: bool) -> Option<Json> {
        let values = self.all(&format!("{prefix}.value"));
        let value = |text: &str| value(&self.shape.element, text, self.reader);
        if !map {
            return Some(values.into_iter().filter(|text| !text.is_empty()).map(value).collect());
        }
        let names = self.all(&format!("{prefix}.name"));
        let pairs = names.into_iter().zip(values).filter(|(name, text)| !name.is_empty() || !text.is_empty());
        Some(members(pairs.map(|(name, text)| (name.to_owned(), value(text))).collect()))
    }

    /// The list or map of groups, without empty ones.
    fn groups(&self, name: &str) -> Option<Json> {
        let groups = self.all(&format!("{name}.group")).into_iter().filter_map(|prefix| {
            let own = self.sent.text(&format!("{prefix}.key")).to_owned();
            let json = self.values(prefix, self.shape.inner?)?;
            (!own.is_empty() || !is_empty(&json)).then_some((own, json))
        });
        let groups: Vec<(String, Json)> = groups.collect();
        if groups.is_empty() {
            return None;
        }
        Some(match self.shape.map {
            true => members(groups),
            false => groups.into_iter().map(|(_, json)| json).collect(),
        })
    }
}

/// A map. A repeated name makes it a list of pairs, which is refused with everything that was typed.
fn members(pairs: Vec<(String, Json)>) -> Json {
    let members: Map<String, Json> = pairs.iter().cloned().collect();
    match members.len() == pairs.len() {
        true => Json::Object(members),
        false => pairs.into_iter().map(|(name, json)| Json::Array(vec![name.into(), json])).collect(),
    }
}

fn is_empty(json: &Json) -> bool {
    json.as_array().is_some_and(Vec::is_empty) || json.as_object().is_some_and(Map::is_empty)
}

/// A text as a value of this type; text that is none stays text, and is refused later.
fn value(kind: &Kind, text: &str, reader: &Reader) -> Json {
    let stored = times::utc(Typed::Kind(kind), text, reader);
    let text = stored.as_deref().unwrap_or(text);
    kind.from_text(text).map_or_else(|_| Json::from(text), |value| to_plain(&value))
}
