//! Random entities as the text of a model file, and values for their attributes.

use std::fmt::Write as _;

use hansang_core::Value;
use hansang_core::kind::time::{Precision, month_text};
use hansang_core::kind::{Kind, text};
use proptest::prelude::*;

/// The types that can be part of a key, as in a model file, and their padding.
const TYPES: [(&str, &str); 14] = [
    ("string", ""),
    ("email", ""),
    ("url", ""),
    ("ulid", ""),
    ("uuid", ""),
    ("month", ""),
    ("{ type: month, separator: \".\" }", ""),
    ("timestamp", ""),
    ("{ type: timestamp, precision: millis }", ""),
    ("{ type: semver, sorts: text }", ""),
    ("{ enum: [A, B, AB] }", ""),
    ("{ enum: [C, \"0001\", 2025-01] }", ""),
    ("integer", ":04"),
    ("integer", ":06"),
];

/// One segment of a template: some text, and the number of the attribute after it.
type SegmentText = (String, Option<usize>);

/// An entity before it is text: the types of its attributes, and its two templates.
#[derive(Clone, Debug)]
pub(super) struct EntityText {
    types: Vec<usize>,
    pk: Vec<SegmentText>,
    sk: Vec<SegmentText>,
}

/// Entities with few texts and few types.
pub(super) fn entity_text() -> impl Strategy<Value = EntityText> {
    let template = prop::collection::vec(segment_text(), 1..4);
    (prop::collection::vec(0..TYPES.len(), 3), template.clone(), template)
        .prop_map(|(types, pk, sk)| EntityText { types, pk: not_empty(pk), sk: not_empty(sk) })
}

fn segment_text() -> impl Strategy<Value = SegmentText> + Clone {
    let literal = prop::sample::select(vec!["", "", "A", "B", "AB", "0", "가"]).prop_map(str::to_owned);
    (literal, prop::option::weighted(0.6, 0..3_usize))
}

/// Two entities that differ in one or two parts only, so that their keys almost, or really, collide.
pub(super) fn rivals() -> impl Strategy<Value = Vec<EntityText>> {
    let place = (any::<bool>(), any::<prop::sample::Index>());
    let edit = (place, segment_text(), prop::option::of((0..3_usize, 0..TYPES.len())));
    (entity_text(), prop::collection::vec(edit, 1..3)).prop_map(|(entity, edits)| {
        let mut rival = entity.clone();
        for ((in_pk, at), segment, kind) in edits {
            if let Some((field, kind)) = kind {
                rival.types[field] = kind;
                continue;
            }
            let template = if in_pk { &mut rival.pk } else { &mut rival.sk };
            let at = at.index(template.len());
            template[at] = segment;
        }
        rival.pk = not_empty(rival.pk);
        rival.sk = not_empty(rival.sk);
        vec![entity, rival]
    })
}

/// Adds a word to an empty template, which is invalid.
fn not_empty(mut segments: Vec<SegmentText>) -> Vec<SegmentText> {
    if let [(literal, None)] = segments.as_mut_slice()
        && literal.is_empty()
    {
        literal.push('X');
    }
    segments
}

/// The text of a model with these entities.
pub(super) fn model_text(entities: &[EntityText]) -> String {
    let mut text = "model: m\ntable: { name: Tab, key: { pk: PK, sk: SK } }\nentities:\n".to_owned();
    for (number, entity) in entities.iter().enumerate() {
        let template = |segments: &[SegmentText]| {
            let segment = |(literal, field): &SegmentText| match field {
                Some(field) => format!("{literal}{{f{field}{}}}", TYPES[entity.types[*field]].1),
                None => literal.clone(),
            };
            segments.iter().map(segment).collect::<Vec<_>>().join("#")
        };
        let _ = writeln!(text, "  E{number}:");
        let _ = writeln!(
            text,
            "    key: {{ PK: \"{}\", SK: \"{}\" }}",
            template(&entity.pk),
            template(&entity.sk)
        );
        let _ = writeln!(text, "    attributes:");
        for (field, kind) in entity.types.iter().enumerate() {
            let _ = writeln!(text, "      f{field}: {}", TYPES[*kind].0);
        }
    }
    text
}

/// A value of the type that can be part of a key. Texts often look like another type.
pub(super) fn value(kind: &Kind, seed: u64) -> Value {
    let text = match kind {
        Kind::String => {
            let like = [Kind::Ulid, Kind::Uuid, Kind::Month { separator: '-' }, Kind::Semver, Kind::Email];
            match seed % 12 {
                number @ 0..5 => return value(&like[number as usize], seed / 12),
                5 => "A".to_owned(),
                6 => "AB".to_owned(),
                7 => "META".to_owned(),
                8 => format!("{:04}", seed / 12 % 10_000),
                9 => "가나 다".to_owned(),
                10 => "{f0}%23".to_owned(),
                _ => format!("t{:x}", seed / 12),
            }
        }
        Kind::Email => format!("a{}@example.com", seed % 50),
        Kind::Url => format!("https://example.com/{}?q={}", seed % 50, seed % 7),
        Kind::Uuid => text::uuid(u128::from(seed) << 40 | u128::from(seed)),
        Kind::Semver => format!("{}.{}.0-rc.{}", seed % 20, seed % 11, seed % 3),
        Kind::Enum(choices) => choices[seed as usize % choices.len()].to_string(),
        Kind::Integer => return Value::from((seed % 10_000) as i64),
        ordered_kind => return ordered(ordered_kind, seed).1,
    };
    Value::from(text)
}

/// A value of an ordered type, and its rank.
pub(super) fn ordered(kind: &Kind, seed: u64) -> (u64, Value) {
    // From the year 0001 to the last time that `jiff` knows, in seconds since 1970.
    let (first, last) = (-62_135_596_800_i64, 253_402_207_199_i64);
    let second = first + (seed % (last - first) as u64) as i64;
    let time = |precision: Precision, millis: i64| {
        let at =
            jiff::Timestamp::from_millisecond(second * 1000 + millis).expect("a time within the calendar");
        Value::S(precision.format(at))
    };
    match kind {
        Kind::Timestamp(Precision::Seconds) => (second.abs_diff(first), time(Precision::Seconds, 0)),
        Kind::Timestamp(Precision::Millis) => {
            let millis = (seed >> 40) % 1000;
            (second.abs_diff(first) * 1000 + millis, time(Precision::Millis, millis as i64))
        }
        Kind::Month { separator } => {
            let month = (seed % (9999 * 12)) as u32;
            (u64::from(month), Value::from(month_text(month, *separator)))
        }
        Kind::Ulid => {
            // 48 bits of time and the same random part, so that time alone decides.
            let millis = seed >> 16;
            (millis, Value::from(text::ulid(millis, 7)))
        }
        Kind::Integer => {
            let number = seed % 1_000_000_000_000_000_000;
            (number, Value::from(number as i64))
        }
        _ => unreachable!("{kind} has no order here"),
    }
}
