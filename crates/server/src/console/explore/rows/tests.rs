//! Rows of forms.

use hansang_core::message::Language;
use hansang_core::model::Model;
use hansang_ui::time;

use super::*;

const MODEL: &str = "
model: m
table: { name: Table, key: { pk: PK, sk: SK } }
entities:
  One:
    key: { PK: \"O#{id}\", SK: O }
    attributes:
      id: string
      words: { list: string, optional: true }
      numbers: { map: integer, optional: true }
      flags: { map: bool, optional: true }
      times: { list: timestamp, optional: true }
      codes: { map: { list: string }, optional: true }
      rates: { list: { map: number }, optional: true }
";

fn reader() -> Reader {
    Reader { zone: time::zone("Asia/Seoul").unwrap(), now: None, language: Language::English }
}

fn model() -> Model {
    hansang_core::compile(MODEL.as_bytes()).unwrap()
}

fn attribute<'m>(model: &'m Model, name: &str) -> &'m Attribute {
    model.entity("One").unwrap().attribute(name).unwrap()
}

/// The JSON text of the rows that a form sends.
fn sent(name: &str, fields: &[(&str, &str)]) -> String {
    let (model, mut form) = (model(), form_urlencoded::Serializer::new(String::new()));
    form.append_pair(&format!("{name}.rows"), "yes").extend_pairs(fields);
    let form = Form::parse(form.finish().as_bytes());
    let text = joined([attribute(&model, name)].into_iter(), &form, &reader()).text(name).to_owned();
    serde_json::from_str::<Json>(&text).map_or(text, |json| json.to_string())
}

/// The rows of a text: names and values, groups with their names.
fn shown(name: &str, text: &str, more: &str) -> Option<Rows> {
    let model = model();
    let field = Field { value: text.to_owned(), ..Field::text(name, name) };
    let form = Form::of(vec![(MORE.to_owned(), more.to_owned())]);
    entry(attribute(&model, name), field, &form, &reader()).rows
}

fn texts(rows: &[Row]) -> Vec<(&str, &str)> {
    rows.iter().map(|row| (&*row.name, &*row.value.value)).collect()
}

#[test]
fn rows_are_joined_and_split() {
    let word = "words.value";
    assert_eq!(sent("words", &[(word, "a"), (word, ""), (word, "b, c")]), r#"["a","b, c"]"#);
    assert_eq!(sent("words", &[(word, ""), (word, "")]), "");
    let number = |name, value| [("numbers.name", name), ("numbers.value", value)];
    let two = [number("a", "1"), number("", ""), number("b", "x")].concat();
    assert_eq!(sent("numbers", &two), r#"{"a":1,"b":"x"}"#);
    let twice = [number("a", "1"), number("a", "2")].concat();
    assert_eq!(sent("numbers", &twice), r#"[["a",1],["a",2]]"#);
    let rows = shown("numbers", r#"{"a":1,"b":2}"#, "").unwrap();
    assert_eq!((rows.map, texts(&rows.rows)), (true, vec![("a", "1"), ("b", "2"), ("", "")]));
    assert_eq!(shown("words", "", "words").unwrap().rows.len(), ADDED);
    assert!(shown("words", "[[1]]", "").is_none() && shown("words", "{broken", "").is_none());
}

#[test]
fn values_have_fields_of_their_kind() {
    let flags = shown("flags", r#"{"open":true}"#, "").unwrap();
    let Input::Choice(choices) = &flags.rows[0].value.input else { panic!("{:?}", flags.rows[0].value) };
    assert!(choices.contains(&("true".to_owned(), "Yes".to_owned())), "{choices:?}");
    assert_eq!(sent("flags", &[("flags.name", "open"), ("flags.value", "false")]), r#"{"open":false}"#);
    let times = shown("times", r#"["2026-11-17T20:30:00Z"]"#, "").unwrap();
    let first = &times.rows[0].value;
    assert_eq!((&*first.value, first.input_type()), ("2026-11-18T05:30", "datetime-local"));
    assert_eq!(sent("times", &[("times.value", "2026-11-18T05:30")]), r#"["2026-11-17T20:30:00Z"]"#);
}

#[test]
fn lists_in_maps_are_groups_of_rows() {
    let rows = shown("codes", r#"{"income":["pay","bonus"],"none":[]}"#, "codes.0").unwrap();
    let names: Vec<_> = rows.groups.iter().map(|group| (&*group.prefix, &*group.name)).collect();
    assert_eq!(names, [("codes.0", "income"), ("codes.1", "none"), ("codes.2", "")]);
    assert_eq!(rows.groups[0].rows.len(), 2 + ADDED);
    assert_eq!(texts(&rows.groups[1].rows), [("", "")]);
    let form = [
        ("codes.group", "codes.0"),
        ("codes.0.key", "income"),
        ("codes.0.value", "pay"),
        ("codes.0.value", ""),
        ("codes.group", "codes.1"),
        ("codes.1.key", "none"),
        ("codes.1.value", ""),
        ("codes.group", "codes.2"),
        ("codes.2.key", ""),
        ("codes.2.value", ""),
    ];
    assert_eq!(sent("codes", &form), r#"{"income":["pay"],"none":[]}"#);
    assert_eq!(sent("codes", &form[7..]), "");
    let rates = [
        ("rates.group", "rates.0"),
        ("rates.0.name", "a"),
        ("rates.0.value", "1.5"),
        ("rates.group", "rates.1"),
    ];
    assert_eq!(sent("rates", &rates), r#"[{"a":1.5}]"#);
    assert_eq!(
        texts(&shown("rates", r#"[{"a":1.5}]"#, "").unwrap().groups[0].rows),
        [("a", "1.5"), ("", "")]
    );
}
