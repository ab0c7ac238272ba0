//! Expiry, the same on every store: an item is gone from the second that its TTL attribute names,
//! whether or not the store has removed it yet.
//!
//! DynamoDB removes expired items hours late and shows them until then, so reads hide them and
//! writes treat them as absent.

use jiff::Timestamp;

use crate::model::{Entity, Table};
use crate::plan::{Comparison, Condition, Operand};
use crate::value::{Item, Name, Value};

/// The TTL attribute, if it is switched on.
#[must_use]
pub fn attribute(table: &Table) -> Option<&Name> {
    table.ttl.as_ref().filter(|ttl| ttl.enabled).map(|ttl| &ttl.attribute)
}

/// The TTL attribute, if it is switched on and items of this entity can have it.
#[must_use]
pub fn attribute_of<'t>(table: &'t Table, entity: &Entity) -> Option<&'t Name> {
    attribute(table).filter(|name| entity.attribute(name).is_some())
}

/// Whether the item has expired.
#[must_use]
pub fn is_expired(table: &Table, item: &Item, now: Timestamp) -> bool {
    let end = attribute(table).and_then(|name| item.get(name)).and_then(Value::as_number);
    end.is_some_and(|end| end <= now.as_second().into())
}

/// The condition that an item has expired.
#[must_use]
pub fn expired(attribute: &Name, now: Timestamp) -> Condition {
    compare(attribute, Comparison::AtMost, now)
}

/// The condition that an item has not expired.
#[must_use]
pub fn alive(attribute: &Name, now: Timestamp) -> Condition {
    Condition::Or(vec![Condition::Absent(attribute.into()), compare(attribute, Comparison::Greater, now)])
}

fn compare(attribute: &Name, comparison: Comparison, now: Timestamp) -> Condition {
    let now = Operand::Value(Value::from(now.as_second()));
    Condition::Compare(Operand::Path(attribute.into()), comparison, now)
}
