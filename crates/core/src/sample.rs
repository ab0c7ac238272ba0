//! A sample item for an entity: always the same, and one that the model itself would write.

use jiff::Timestamp;

use crate::kind::{Kind, Members};
use crate::model::{Attribute, Entity, Model, Role, Rules};
use crate::number::Number;
use crate::plan::Action;
use crate::validate::check_value;
use crate::value::{Item, Name, Value};
use crate::write::{Moment, create};

/// The first second of 2026, and as good a chance as any.
const MOMENT: Moment =
    Moment { now: Timestamp::constant(1_767_225_600, 0), random: 0x4861_6e73_616e_6720_6f6e_6520_7461_626c };
/// The first second of 2100: a sample does not expire.
const FAR_FUTURE: i64 = 4_102_444_800;

/// A sample item, or nothing if a required value has a pattern that no simple text matches.
#[must_use]
pub fn item(model: &Model, entity: &Entity) -> Option<Item> {
    let given = |attribute: &&std::sync::Arc<Attribute>| {
        matches!(attribute.role, Role::Given) && attribute.generated.is_none() && attribute.default.is_none()
    };
    let mut fields = Item::new();
    for attribute in entity.attributes.iter().filter(given) {
        if let Some(value) = value(model, entity, attribute) {
            fields.insert(attribute.name.clone(), value);
        }
    }
    let owner = create(model, entity, fields, &MOMENT).ok()?.into_iter().next()?;
    match owner.action {
        Action::Put(item) => Some(item),
        _ => None,
    }
}

fn value(model: &Model, entity: &Entity, attribute: &Attribute) -> Option<Value> {
    let delimiter = model.table.delimiter;
    let in_key = entity.in_key(&attribute.name)
        || entity.indexes.iter().any(|entry| {
            entry.pk.uses(&attribute.name) || entry.sk.as_ref().is_some_and(|sk| sk.uses(&attribute.name))
        });
    let fits = |value: &Value| {
        let readable =
            !in_key || value.as_str().is_none_or(|text| !text.is_empty() && !text.contains(delimiter));
        readable && check_value(attribute, value).is_ok()
    };
    if model.table.ttl.as_ref().is_some_and(|ttl| ttl.attribute == attribute.name) {
        return Some(Value::from(FAR_FUTURE)).filter(fits);
    }
    candidates(attribute).into_iter().find(fits)
}

/// Values to try, the most descriptive first.
fn candidates(attribute: &Attribute) -> Vec<Value> {
    let (name, rules) = (&*attribute.name, &attribute.rules);
    match &attribute.kind {
        Kind::String | Kind::Markdown => texts(name, rules).into_iter().map(Value::from).collect(),
        Kind::Number | Kind::Integer => vec![number(rules)],
        Kind::Lifecycle(life) => life.initial.iter().map(|state| Value::from(&**state)).collect(),
        Kind::Binary => vec![Value::B(vec![b'h'; count(rules)])],
        Kind::List(element) => vec![Value::L(vec![simple(element); count(rules)])],
        Kind::Map(element) => {
            let keys = (1..=count(rules)).map(|number| Name::from(format!("key{number}")));
            vec![Value::M(keys.map(|key| (key, simple(element))).collect())]
        }
        Kind::Set(members) => vec![set(*members, count(rules))],
        other => vec![simple(other)],
    }
}

/// The number of elements or bytes: one, or the minimum of the rules.
fn count(rules: &Rules) -> usize {
    rules.min_length.unwrap_or(1).max(1).min(rules.max_length.unwrap_or(usize::MAX))
}

/// A value of a type that has no rules.
fn simple(kind: &Kind) -> Value {
    match kind {
        Kind::String | Kind::Markdown | Kind::Any => Value::from("sample"),
        Kind::Email => Value::from("name@example.com"),
        Kind::Url => Value::from("https://example.com/sample"),
        Kind::Number | Kind::Integer => Value::from(1),
        Kind::Bool => Value::from(true),
        Kind::Timestamp(precision) => Value::S(precision.format(MOMENT.now)),
        Kind::Month { separator } => Value::from(format!("2026{separator}01")),
        Kind::Ulid => Value::from("01KDVDPSG0000000000000SAMP"),
        Kind::Uuid => Value::from("3f2b8c1e-5a4d-4e6f-9b7a-0c1d2e3f4a5b"),
        Kind::Semver => Value::from("1.0.0"),
        Kind::Enum(choices) => Value::from(choices.first().map_or("", |choice| &**choice)),
        Kind::Lifecycle(life) => Value::from(life.initial.first().map_or("", |state| &**state)),
        Kind::List(element) => Value::L(vec![simple(element)]),
        Kind::Map(element) => Value::M(Item::from([(Name::from("key"), simple(element))])),
        Kind::Set(members) => set(*members, 1),
        Kind::Binary => Value::B(b"sample".to_vec()),
    }
}

fn number(rules: &Rules) -> Value {
    let one = Number::from(1);
    let least = rules.min.map_or(one, |min| min.max(one));
    Value::N(rules.max.map_or(least, |max| max.min(least)))
}

fn set(members: Members, count: usize) -> Value {
    let numbers = 1..=count;
    match members {
        Members::Texts => Value::Ss(numbers.map(|number| format!("sample{number}")).collect()),
        Members::Numbers => Value::Ns(numbers.map(|number| Number::from(number as i64)).collect()),
        Members::Binaries => {
            Value::Bs(numbers.map(|number| format!("sample{number}").into_bytes()).collect())
        }
    }
}

/// Candidates: the attribute's own name, then common forms, then runs of one character, which match most
/// patterns with a fixed alphabet and length.
fn texts(name: &str, rules: &Rules) -> Vec<String> {
    let plain: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
    let mut texts = vec![fitted(name, rules), fitted(&plain, rules)];
    let forms = [
        "sample",
        "SAMPLE",
        "ko",
        "ko-KR",
        "#3366cc",
        "010-1234-5678",
        "123-45-67890",
        "2026-01-01",
        "image/png",
    ];
    texts.extend(forms.map(str::to_owned));
    for length in 1..=64 {
        texts.extend(["a", "A", "0"].map(|character| character.repeat(length)));
    }
    texts
}

/// The text, repeated or cut to the length the rules ask for.
fn fitted(text: &str, rules: &Rules) -> String {
    let long_enough = rules.min_length.unwrap_or(0).max(text.chars().count());
    let length = long_enough.min(rules.max_length.unwrap_or(usize::MAX));
    text.chars().cycle().take(length).collect()
}
