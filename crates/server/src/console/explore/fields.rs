//! Form fields from the types of a model, and conversion of their values.

use hansang_core::kind::Kind;
use hansang_core::message;
use hansang_core::messages::fields as messages;
use hansang_core::model::{Attribute, Entity, Generated, Role};
use hansang_core::validate::{Violation, check_value, violation};
use hansang_core::value::json::to_plain;
use hansang_core::{Error, Item, Value};

use super::times::Typed;
use super::{times, titles};
use hansang_core::message::Language;
use hansang_ui::form::{Field, Form, Input};
use hansang_ui::time::Reader;

/// The length from which text gets an input of several lines.
const LINE: usize = 200;

/// The form field of a value of this type.
pub(super) fn of_kind(name: &str, kind: &Kind, required: bool, reader: &Reader) -> Field {
    let choice = |values: Vec<String>| {
        let empty = (!required).then(|| (String::new(), "–".to_owned()));
        Input::Choice(
            empty.into_iter().chain(values.into_iter().map(|value| (value.clone(), value))).collect(),
        )
    };
    let names = |names: &[hansang_core::Name]| names.iter().map(ToString::to_string).collect();
    let (input, code) = match kind {
        Kind::Email => (Input::Email, false),
        Kind::Url => (Input::Url, false),
        Kind::Number | Kind::Integer => (Input::Number, false),
        Kind::Bool => (choice(vec!["true".to_owned(), "false".to_owned()]), false),
        Kind::Enum(values) => (choice(names(values)), false),
        Kind::Lifecycle(life) => (choice(names(&life.states)), false),
        Kind::Markdown => (Input::Area { rows: 10 }, false),
        Kind::List(_) | Kind::Map(_) | Kind::Set(_) | Kind::Any => (Input::Area { rows: 4 }, true),
        Kind::Binary => (Input::Area { rows: 3 }, true),
        Kind::Ulid | Kind::Uuid | Kind::Semver => (Input::Text, true),
        // Those with a picker get it with their value: see `times::picker`.
        Kind::Timestamp(_) | Kind::Month { .. } | Kind::String => (Input::Text, false),
    };
    Field { input, code, required, hint: hint(kind, reader), ..Field::text(name, name) }
}

fn zone_hint(reader: &Reader) -> String {
    format!("{} {}", reader.language.say("Time zone:", "시간대:"), times::zone(reader))
}

/// A hint on the format of values of this type, where it is not obvious.
fn hint(kind: &Kind, reader: &Reader) -> String {
    let language = reader.language;
    match kind {
        Kind::Timestamp(_) => zone_hint(reader),
        Kind::List(_) | Kind::Set(_) => {
            language.say("A list as JSON, such as [\"a\", \"b\"]", "JSON 목록, 예: [\"a\", \"b\"]").to_owned()
        }
        Kind::Map(_) => language.say("JSON, such as {\"a\": 1}", "JSON, 예: {\"a\": 1}").to_owned(),
        Kind::Any => language.say("Text, or any JSON", "글 또는 JSON").to_owned(),
        Kind::Binary => language.say("Bytes in base64", "base64로 쓴 바이트").to_owned(),
        Kind::Semver => format!("{} 1.4.0", language.say("A version, such as", "버전, 예:")),
        Kind::Markdown => language.say("Markdown", "마크다운").to_owned(),
        _ => String::new(),
    }
}

/// The form field of an editable attribute.
pub(super) fn of_attribute(attribute: &Attribute, reader: &Reader) -> Field {
    let language = reader.language;
    let filled = attribute.optional || attribute.default.is_some() || attribute.generated.is_some();
    let mut field = of_kind(&attribute.name, &attribute.kind, !filled, reader);
    if attribute.kind == Kind::String && attribute.rules.max_length.is_some_and(|most| most > LINE) {
        field.input = Input::Area { rows: 3 };
    }
    if attribute.expires {
        field.hint = zone_hint(reader);
    }
    let made = match attribute.generated {
        Some(Generated::Now) => language.say("Time of saving if empty.", "비우면 저장 시각이 들어갑니다."),
        Some(_) => language.say("Generated if empty.", "비우면 자동으로 만듭니다."),
        None => "",
    };
    let hints = [attribute.doc.in_language(language), &*field.hint, made];
    field.hint = hints.into_iter().filter(|hint| !hint.is_empty()).collect::<Vec<_>>().join(" ");
    if let Some(default) = &attribute.default {
        field.value = text_of(&attribute.kind, default);
    }
    field.label = titles::attribute(attribute, language);
    with_titles(field, attribute, language)
}

/// The form field of an attribute of a new record: of the states of a lifecycle those that a record can start in.
pub(super) fn of_new(attribute: &Attribute, reader: &Reader) -> Field {
    let mut field = of_attribute(attribute, reader);
    if let (Kind::Lifecycle(life), Input::Choice(choices)) = (&attribute.kind, &mut field.input) {
        choices.retain(|(value, _)| value.is_empty() || life.initial.iter().any(|state| **state == **value));
    }
    field
}

/// A field with the titles of its choices.
pub(super) fn with_titles(mut field: Field, attribute: &Attribute, language: Language) -> Field {
    if let Input::Choice(choices) = &mut field.input {
        for (value, title) in choices {
            match (&attribute.kind, &**value) {
                (Kind::Bool, "true") => *title = language.say("Yes", "예").to_owned(),
                (Kind::Bool, "false") => *title = language.say("No", "아니요").to_owned(),
                _ => {
                    if let Some(known) = attribute.value_title(value, language) {
                        *title = known.to_owned();
                    }
                }
            }
        }
    }
    field
}

/// The editable attributes.
pub(super) fn given(entity: &Entity) -> impl Iterator<Item = &Attribute> {
    entity.attributes.iter().map(|attribute| &**attribute).filter(|one| matches!(one.role, Role::Given))
}

/// Names and types of the editable attributes.
pub(super) fn kinds(entity: &Entity) -> impl Iterator<Item = (String, Typed<'_>)> {
    given(entity).map(|one| (one.name.to_string(), Typed::of(one)))
}

/// A value as the text of a field, which [`Kind::from_text`] reads back.
pub(super) fn text_of(kind: &Kind, value: &Value) -> String {
    match (kind, to_plain(value)) {
        // Text that would be parsed as JSON is quoted as JSON.
        (Kind::Any, serde_json::Value::String(text)) => {
            let is_json = serde_json::from_str::<serde_json::Value>(&text).is_ok();
            if is_json { serde_json::Value::from(text).to_string() } else { text }
        }
        (_, serde_json::Value::String(text)) => text,
        (Kind::List(_) | Kind::Map(_) | Kind::Any, json) => format!("{json:#}"),
        (_, json) => json.to_string(),
    }
}

/// The submitted values of these attributes. Empty fields are absent; line ends are normalised. If a text cannot be
/// converted, the problems of all fields are reported together with it.
///
/// `violations` are problems of the form that are known already.
pub(super) fn read<'a>(
    attributes: impl Iterator<Item = &'a Attribute>,
    sent: &Form,
    mut violations: Vec<Violation>,
) -> Result<Item, Error> {
    let attributes: Vec<&Attribute> = attributes.collect();
    let mut fields = Item::new();
    for attribute in &attributes {
        let Some(text) = sent.get(&attribute.name).map(|text| text.replace("\r\n", "\n")) else { continue };
        if text.is_empty() {
            continue;
        }
        match attribute.kind.from_text(&text) {
            Ok(value) => drop(fields.insert(attribute.name.clone(), value)),
            Err(problem) => violations.push(violation(&attribute.name, problem)),
        }
    }
    if violations.is_empty() {
        return Ok(fields);
    }
    for attribute in attributes.iter().filter(|one| sent.get(&one.name).is_some()) {
        if violations.iter().any(|one| *one.attribute == *attribute.name) {
            continue;
        }
        let filled = attribute.optional || attribute.default.is_some() || attribute.generated.is_some();
        let problem = match fields.get(&attribute.name) {
            Some(value) => check_value(attribute, value).err(),
            None if filled => None,
            None => Some(message!(messages::REQUIRED)),
        };
        violations.extend(problem.map(|problem| violation(&attribute.name, problem)));
    }
    Err(Error::fields(violations))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn field_texts_are_read_back() {
        let list = Value::L(vec![Value::from("a"), Value::from("b")]);
        for (kind, value) in [
            (Kind::String, Value::from("true")),
            (Kind::Any, Value::from("42")),
            (Kind::Any, Value::from("plain")),
            (Kind::Any, Value::from(42)),
            (Kind::Any, list.clone()),
            (Kind::List(Box::new(Kind::String)), list),
            (Kind::Bool, Value::Bool(false)),
            (Kind::Binary, Value::B(vec![0, 255])),
            (Kind::Integer, Value::from(-7)),
        ] {
            assert_eq!(kind.from_text(&text_of(&kind, &value)), Ok(value), "{kind:?}");
        }
    }
}
