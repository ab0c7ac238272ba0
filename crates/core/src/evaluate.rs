//! Conditions on items, with DynamoDB's rules.

use std::cmp::Ordering;

use crate::plan::{Comparison, Condition, Operand, Part, Path};
use crate::value::{Item, Value};

/// Whether a condition holds for an item; without an item every path is absent.
#[must_use]
pub fn holds(condition: &Condition, item: Option<&Item>) -> bool {
    match condition {
        Condition::Exists(path) => at(item, path).is_some(),
        Condition::Absent(path) => at(item, path).is_none(),
        Condition::Compare(left, comparison, right) => compare(left, *comparison, right, item),
        Condition::Between(operand, from, to) => with_value(operand, item, |value| {
            is(order(value, from), Comparison::AtLeast) && is(order(value, to), Comparison::AtMost)
        }),
        Condition::In(operand, values) => with_value(operand, item, |value| values.contains(value)),
        Condition::BeginsWith(path, prefix) => at(item, path).is_some_and(|value| begins_with(value, prefix)),
        Condition::Contains(path, part) => at(item, path).is_some_and(|value| contains(value, part)),
        Condition::And(all) => all.iter().all(|one| holds(one, item)),
        Condition::Or(any) => any.iter().any(|one| holds(one, item)),
        Condition::Not(inner) => !holds(inner, item),
    }
}

/// The value at a path, if there is one.
#[must_use]
pub fn at<'i>(item: Option<&'i Item>, path: &Path) -> Option<&'i Value> {
    let mut value = item?.get(&path.root)?;
    for part in &path.inside {
        value = match (part, value) {
            (Part::Member(name), Value::M(map)) => map.get(name)?,
            (Part::Element(index), Value::L(list)) => list.get(*index)?,
            _ => return None,
        };
    }
    Some(value)
}

fn compare(left: &Operand, comparison: Comparison, right: &Operand, item: Option<&Item>) -> bool {
    let (mut left_size, mut right_size) = (None, None);
    match (value_of(left, item, &mut left_size), value_of(right, item, &mut right_size)) {
        (Some(left), Some(right)) => match comparison {
            Comparison::Equal => left == right,
            Comparison::NotEqual => left != right,
            ordered => is(order(left, right), ordered),
        },
        // An absent value is unequal to everything, even to another absent value, and has no order.
        _ => comparison == Comparison::NotEqual,
    }
}

fn with_value(operand: &Operand, item: Option<&Item>, test: impl Fn(&Value) -> bool) -> bool {
    value_of(operand, item, &mut None).is_some_and(test)
}

/// The value of an operand. A size is stored in `size`, to be borrowed like the others.
fn value_of<'v>(
    operand: &'v Operand,
    item: Option<&'v Item>,
    size: &'v mut Option<Value>,
) -> Option<&'v Value> {
    match operand {
        Operand::Path(path) => at(item, path),
        Operand::Value(value) => Some(value),
        Operand::Size(path) => {
            *size = at(item, path).and_then(self::size);
            size.as_ref()
        }
    }
}

/// The `size()` of a value; numbers, booleans and null have none.
fn size(value: &Value) -> Option<Value> {
    let size = match value {
        // DynamoDB Local and dynoxide both count UTF-16 code units.
        Value::S(text) => text.encode_utf16().count(),
        Value::B(bytes) => bytes.len(),
        Value::L(list) => list.len(),
        Value::M(map) => map.len(),
        Value::Ss(texts) => texts.len(),
        Value::Ns(numbers) => numbers.len(),
        Value::Bs(blobs) => blobs.len(),
        Value::N(_) | Value::Bool(_) | Value::Null => return None,
    };
    i64::try_from(size).ok().map(Value::from)
}

/// Compares two values of one type that has an order.
#[must_use]
pub fn order(left: &Value, right: &Value) -> Option<Ordering> {
    match (left, right) {
        (Value::S(left), Value::S(right)) => Some(left.cmp(right)),
        (Value::N(left), Value::N(right)) => Some(left.cmp(right)),
        (Value::B(left), Value::B(right)) => Some(left.cmp(right)),
        _ => None,
    }
}

fn is(order: Option<Ordering>, comparison: Comparison) -> bool {
    order.is_some_and(|order| match comparison {
        Comparison::Equal => order.is_eq(),
        Comparison::NotEqual => order.is_ne(),
        Comparison::Less => order.is_lt(),
        Comparison::AtMost => order.is_le(),
        Comparison::Greater => order.is_gt(),
        Comparison::AtLeast => order.is_ge(),
    })
}

fn begins_with(value: &Value, prefix: &Value) -> bool {
    match (value, prefix) {
        (Value::S(text), Value::S(prefix)) => text.starts_with(&**prefix),
        (Value::B(bytes), Value::B(prefix)) => bytes.starts_with(prefix),
        _ => false,
    }
}

fn contains(value: &Value, part: &Value) -> bool {
    match (value, part) {
        (Value::S(text), Value::S(part)) => text.contains(&**part),
        (Value::B(bytes), Value::B(part)) => {
            part.is_empty() || bytes.windows(part.len()).any(|window| window == part)
        }
        (Value::Ss(texts), Value::S(text)) => texts.contains(text.as_str()),
        (Value::Ns(numbers), Value::N(number)) => numbers.contains(number),
        (Value::Bs(blobs), Value::B(blob)) => blobs.contains(blob),
        (Value::L(list), part) => list.contains(part),
        _ => false,
    }
}
