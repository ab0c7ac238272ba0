//! Sort keys of patterns over entities with different sort keys.

use hansang_core::compile;
use hansang_core::model::{Leg, Sort};

/// The prefix that a pattern over two entities of one partition reads, or nothing for all of it.
fn prefix(first: &str, second: &str, given: &str) -> Option<String> {
    let text = format!(
        "model: m
table: {{ name: Tab, key: {{ pk: PK, sk: SK }} }}
entities:
  A: {{ key: {{ PK: \"P#{{p}}\", SK: \"{first}\" }}, attributes: {{ p: ulid, q: ulid, n: integer }} }}
  B: {{ key: {{ PK: \"P#{{p}}\", SK: \"{second}\" }}, attributes: {{ p: ulid, q: ulid, n: integer }} }}
patterns:
  both: {{ entities: [A, B], given: [{given}] }}
"
    );
    let model = compile(text.as_bytes()).unwrap_or_else(|problems| panic!("{text}\n{problems:#?}"));
    let [Leg::Query { sort, .. }] = model.patterns[0].legs.as_slice() else { panic!("not one query") };
    match sort {
        Sort::All => None,
        Sort::Prefix { template, known } => {
            let fields = [("p", "PP"), ("q", "QQ")].map(|(name, value)| (name.into(), value.into()));
            let kinds = hansang_core::Item::from(fields);
            let literal: Vec<String> = template.segments[..=*known]
                .iter()
                .enumerate()
                .map(|(at, segment)| match &segment.field {
                    Some(field) if at < *known => {
                        format!("{}{}", segment.literal, kinds[&field.attribute.name].as_str().unwrap_or("?"))
                    }
                    _ => segment.literal.clone(),
                })
                .collect();
            Some(literal.join("#"))
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn entities_that_start_alike_are_read_by_what_they_share() {
    assert_eq!(prefix("X#{q}#A", "X#{q}#B", "p"), Some("X#".into()));
    assert_eq!(prefix("X#{q}#A", "X#{q}#B", "p, q"), Some("X#QQ#".into()));
    assert_eq!(prefix("A#{q}", "B#{q}", "p"), None);
    assert_eq!(prefix("{q}#A", "{q}#B", "p"), None);
}

/// A prefix with a delimiter at its end would miss the key that ends before it.
#[test]
fn a_sort_key_that_is_the_start_of_another_is_not_missed() {
    assert_eq!(prefix("META", "META#{q}", "p"), Some("META".into()));
    assert_eq!(prefix("X#META", "X#META#{q}", "p"), Some("X#META".into()));
    assert_eq!(prefix("X#{q}", "X#{q}#LOG", "p, q"), Some("X#".into()));
    assert_eq!(prefix("{q}", "{q}#LOG", "p, q"), None);
}

/// The same number, padded to two widths, is two texts.
#[test]
fn padding_is_part_of_what_is_shared() {
    assert_eq!(prefix("A#{n:04}#X", "A#{n:04}#Y", "p"), Some("A#".into()));
}
