//! Cursors are opaque, signed, and valid for one query only.

use hansang_core::cursor::{self, CursorKey, Position, Question};
use hansang_core::plan::Step;
use hansang_core::read::{self, ReadOptions};
use hansang_core::{CoreCode, Item, Model};
use proptest::prelude::{ProptestConfig, any, prop_assert, prop_assert_eq, proptest};
use serde_json::json;

use crate::{fields, model};

const LOG: &str = r##"
model: log
table: { name: Log, key: { pk: PK, sk: SK } }
entities:
  Entry:
    key: { PK: "DAY#{day}", SK: "AT#{at:06}" }
    attributes: { day: { type: month }, at: integer }
patterns:
  entries: { entity: Entry, given: [day] }
  all: { entity: Entry, over: day, max: 12 }
"##;

fn key() -> CursorKey {
    CursorKey::new(&[7; 32])
}

fn question(arguments: &Item) -> Question<'_> {
    Question { model: "log", pattern: "entries", index: "", arguments, descending: false }
}

fn at(step: usize, sk: &str, backward: bool) -> Position {
    Position { step, key: Some(fields(json!({"PK": "DAY#2026-01", "SK": sk}))), backward }
}

#[test]
fn a_cursor_gives_its_position_back() {
    let arguments = fields(json!({"day": "2026-01"}));
    for position in
        [at(0, "AT#000001", false), at(3, "한상#1", true), Position { step: 9, key: None, backward: false }]
    {
        let text = cursor::encode(&key(), &question(&arguments), &position);
        assert!(text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)), "{text}");
        assert_eq!(cursor::decode(&key(), &question(&arguments), &text), Ok(position));
    }
}

#[test]
fn a_foreign_cursor_is_refused() {
    let arguments = fields(json!({"day": "2026-01"}));
    let text = cursor::encode(&key(), &question(&arguments), &at(0, "AT#000001", false));
    let other_arguments = fields(json!({"day": "2026-02"}));
    let questions = [
        question(&other_arguments),
        Question { pattern: "all", ..question(&arguments) },
        Question { model: "lag", ..question(&arguments) },
        Question { index: "GSI1", ..question(&arguments) },
        Question { descending: true, ..question(&arguments) },
    ];
    for question in questions {
        let error = cursor::decode(&key(), &question, &text).unwrap_err();
        assert_eq!(error.code, CoreCode::InvalidCursor);
        assert!(error.message.to_string().contains("start again without a cursor"));
    }
    assert!(cursor::decode(&CursorKey::new(b"another"), &question(&arguments), &text).is_err());
}

fn plan(
    model: &Model,
    pattern: &str,
    arguments: serde_json::Value,
    position: Option<Position>,
) -> hansang_core::plan::ReadPlan {
    let pattern = model.pattern(pattern).unwrap();
    let arguments = read::arguments(pattern, fields(arguments)).unwrap();
    match position {
        None => read::plan(model, pattern, &arguments, &ReadOptions::default()).unwrap(),
        Some(position) => {
            let question = read::question(model, pattern, &arguments, false);
            let text = cursor::encode(&key(), &question, &position);
            let position = Some(cursor::decode(&key(), &question, &text).unwrap());
            read::plan(model, pattern, &arguments, &ReadOptions { position, ..ReadOptions::default() })
                .unwrap()
        }
    }
}

/// The partition, the start and the direction of each query of a plan.
fn queries(plan: &hansang_core::plan::ReadPlan) -> Vec<(String, bool, bool)> {
    plan.steps
        .iter()
        .map(|step| match step {
            Step::Query(query) => {
                (query.pk.1.as_str().unwrap().to_owned(), query.start.is_some(), query.descending)
            }
            other => panic!("{other:?}"),
        })
        .collect()
}

#[test]
fn a_fan_out_goes_on_where_it_stood_in_both_directions() {
    let model = model(LOG);
    let arguments = json!({"from": "2026-01", "to": "2026-03"});
    let query = |day: &str, start, descending| (format!("DAY#{day}"), start, descending);
    let first = plan(&model, "all", arguments.clone(), None);
    assert_eq!(
        queries(&first),
        [query("2026-01", false, false), query("2026-02", false, false), query("2026-03", false, false)]
    );
    let next = plan(&model, "all", arguments.clone(), Some(at(1, "AT#000005", false)));
    assert_eq!((next.first_step, next.backward), (1, false));
    assert_eq!(queries(&next), [query("2026-02", true, false), query("2026-03", false, false)]);
    let before = plan(&model, "all", arguments, Some(at(1, "AT#000005", true)));
    assert_eq!((before.first_step, before.backward), (1, true));
    assert_eq!(queries(&before), [query("2026-02", true, true), query("2026-01", false, true)]);
}

#[test]
fn a_cursor_behind_the_last_step_is_refused() {
    let model = model(LOG);
    let pattern = model.pattern("entries").unwrap();
    let arguments = fields(json!({"day": "2026-01"}));
    let options = ReadOptions { position: Some(at(5, "AT#000001", false)), ..ReadOptions::default() };
    assert_eq!(read::plan(&model, pattern, &arguments, &options).unwrap_err().code, CoreCode::InvalidCursor);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_changed_cursor_is_refused(place in any::<usize>(), change in 1_u8..=255) {
        let arguments = fields(json!({"day": "2026-01"}));
        let text = cursor::encode(&key(), &question(&arguments), &at(0, "AT#000001", false));
        let mut bytes = text.clone().into_bytes();
        let place = place % bytes.len();
        bytes[place] = bytes[place].wrapping_add(change);
        let changed = String::from_utf8_lossy(&bytes).into_owned();
        prop_assert!(changed != text);
        prop_assert!(cursor::decode(&key(), &question(&arguments), &changed).is_err());
    }

    #[test]
    fn any_text_is_refused_without_a_panic(text in ".{0,300}") {
        let arguments = Item::new();
        prop_assert_eq!(cursor::decode(&key(), &question(&arguments), &text).unwrap_err().code, CoreCode::InvalidCursor);
    }
}
