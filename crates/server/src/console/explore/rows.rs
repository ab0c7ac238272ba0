//! Lists and maps of simple values as rows of a form. Rows are added by a button and removed by clearing them, so both
//! work without scripts.

use hansang_core::kind::{Kind, Members};
use hansang_core::message::Language;
use hansang_core::model::Attribute;
use hansang_core::value::json::to_plain;
use serde_json::{Map, Value as Json};

use hansang_ui::form::{Field, Form};

/// The button that adds rows. No attribute can have this name.
pub(super) const MORE: &str = ".more";
/// The number of empty rows that the button adds.
const ADDED: usize = 4;

/// A field of a form, as rows where it is a list or a map of simple values.
pub(super) struct Entry {
    pub(super) field: Field,
    pub(super) rows: Option<Rows>,
}

/// The rows of a list or a map. The name of a row of a list is empty.
pub(super) struct Rows {
    pub(super) map: bool,
    pub(super) rows: Vec<(String, String)>,
}

/// Whether values of a type are entered in one line.
fn is_simple(kind: &Kind) -> bool {
    !matches!(kind, Kind::List(_) | Kind::Map(_) | Kind::Set(_) | Kind::Any | Kind::Binary | Kind::Markdown)
}

/// The type of the values in the rows of an attribute, if it has rows, and whether the rows have names.
fn row_kind(kind: &Kind) -> Option<(Kind, bool)> {
    match kind {
        Kind::List(element) if is_simple(element) => Some(((**element).clone(), false)),
        Kind::Map(element) if is_simple(element) => Some(((**element).clone(), true)),
        Kind::Set(Members::Texts) => Some((Kind::String, false)),
        Kind::Set(Members::Numbers) => Some((Kind::Number, false)),
        _ => None,
    }
}

/// A field with its rows, and with more empty ones if the button of this field was pressed.
pub(super) fn entry(attribute: &Attribute, mut field: Field, sent: &Form, language: Language) -> Entry {
    let Some((_, map)) = row_kind(&attribute.kind).filter(|_| !field.locked) else {
        return Entry { field, rows: None };
    };
    // A text that is no such list or map stays as it was typed.
    let Some(mut rows) = parse(&field.value, map) else { return Entry { field, rows: None } };
    let empty = if sent.text(MORE) == &*attribute.name { ADDED } else { 1 };
    rows.extend(std::iter::repeat_n((String::new(), String::new()), empty));
    field.hint = attribute.doc.in_language(language).to_owned();
    Entry { field, rows: Some(Rows { map, rows }) }
}

fn parse(text: &str, map: bool) -> Option<Vec<(String, String)>> {
    if text.trim().is_empty() {
        return Some(Vec::new());
    }
    let word = |json: Json| match json {
        Json::String(text) if !text.contains('\n') => Some(text),
        Json::Number(_) | Json::Bool(_) => Some(json.to_string()),
        _ => None,
    };
    match (serde_json::from_str(text).ok()?, map) {
        (Json::Array(list), false) => list.into_iter().map(|one| Some((String::new(), word(one)?))).collect(),
        (Json::Object(members), true) => {
            members.into_iter().map(|(name, one)| Some((name, word(one)?))).collect()
        }
        _ => None,
    }
}

/// The form with the rows of each attribute joined to one JSON text under its name.
pub(super) fn joined<'a>(attributes: impl Iterator<Item = &'a Attribute>, sent: &Form) -> Form {
    let mut form = form_urlencoded::Serializer::new(String::new());
    form.extend_pairs(sent.pairs());
    for attribute in attributes {
        let Some((kind, map)) = row_kind(&attribute.kind) else { continue };
        if sent.get(&format!("{}.rows", attribute.name)).is_none() {
            continue;
        }
        let all = |part: &str| -> Vec<&str> {
            let wanted = format!("{}.{part}", attribute.name);
            sent.pairs().filter(|(name, _)| *name == wanted).map(|(_, value)| value).collect()
        };
        let text = if map { members(&kind, &all("name"), &all("value")) } else { list(&kind, &all("value")) };
        form.append_pair(&attribute.name, &text);
    }
    Form::parse(form.finish().as_bytes())
}

fn value(kind: &Kind, text: &str) -> Json {
    kind.from_text(text).map_or_else(|_| Json::from(text), |value| to_plain(&value))
}

fn list(kind: &Kind, values: &[&str]) -> String {
    let values: Vec<Json> =
        values.iter().filter(|text| !text.is_empty()).map(|text| value(kind, text)).collect();
    if values.is_empty() { String::new() } else { format!("{:#}", Json::Array(values)) }
}

/// A repeated name makes the text a list of pairs, which is refused with everything that was typed.
fn members(kind: &Kind, names: &[&str], values: &[&str]) -> String {
    let pairs = || names.iter().zip(values).filter(|(name, text)| !name.is_empty() || !text.is_empty());
    let members: Map<String, Json> =
        pairs().map(|(name, text)| ((*name).to_owned(), value(kind, text))).collect();
    match members.len() {
        0 => String::new(),
        count if count == pairs().count() => format!("{:#}", Json::Object(members)),
        _ => Json::from_iter(pairs().map(|(name, text)| Json::from(vec![*name, *text]))).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_joined_and_split() {
        assert_eq!(list(&Kind::String, &["a", "", "b, c"]), "[\n  \"a\",\n  \"b, c\"\n]");
        assert_eq!(list(&Kind::Integer, &["7", "x"]), "[\n  7,\n  \"x\"\n]");
        assert_eq!(list(&Kind::String, &["", ""]), "");
        let text = members(&Kind::Integer, &["a", "", "b"], &["1", "", "2"]);
        let rows = vec![("a".to_owned(), "1".to_owned()), ("b".to_owned(), "2".to_owned())];
        assert_eq!(parse(&text, true), Some(rows));
        assert_eq!(members(&Kind::Integer, &["a", "a"], &["1", "2"]), "[[\"a\",\"1\"],[\"a\",\"2\"]]");
        assert_eq!(parse("[[1]]", false), None);
        assert_eq!(parse("", true), Some(Vec::new()));
    }
}
