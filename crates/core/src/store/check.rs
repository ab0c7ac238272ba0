//! The rules of a table that need no stored item to be checked.

use crate::code::CoreCode;
use crate::error::Error;
use crate::evaluate::order;
use crate::message;
use crate::message::Message;
use crate::messages::{items, keys, kinds, reads, writes};
use crate::model::{Index, Table};
use crate::plan::{
    Action, Change, Comparison, Condition, Key, MAX_TRANSACTION, MAX_TRANSACTION_BYTES, Operand, Path, Write,
};
use crate::value::{Item, Name, Value, item_size};
use crate::write::{MAX_ITEM, MAX_PK, MAX_SK};

mod read;

pub use read::{index, query, scan};

/// The maximum nesting of lists and maps.
const MAX_DEPTH: usize = 32;

/// Checks a key.
///
/// # Errors
/// When a part is empty or too long.
pub fn key(table: &Table, key: &Key) -> Result<(), Error> {
    text_key(&table.pk, &key.pk, MAX_PK)?;
    text_key(&table.sk, &key.sk, MAX_SK)
}

/// The key of an item.
///
/// # Errors
/// When a part is missing, not text, empty or too long.
pub fn key_of(table: &Table, item: &Item) -> Result<Key, Error> {
    let (pk, sk) = key_texts(table, item)?;
    Ok(Key { pk: pk.to_owned(), sk: sk.to_owned() })
}

/// As [`key_of`], borrowed.
///
/// # Errors
/// As [`key_of`].
pub fn key_texts<'i>(table: &Table, item: &'i Item) -> Result<(&'i str, &'i str), Error> {
    let part = |name: &Name| match item.get(name) {
        Some(Value::S(text)) => Ok(text.as_str()),
        Some(_) => Err(Error::invalid(CoreCode::WrongKeyType, message!(keys::NOT_TEXT, name))),
        None => Err(Error::invalid(CoreCode::MissingKey, message!(keys::MISSING, name))),
    };
    let (pk, sk) = (part(&table.pk)?, part(&table.sk)?);
    text_key(&table.pk, pk, MAX_PK)?;
    text_key(&table.sk, sk, MAX_SK)?;
    Ok((pk, sk))
}

/// Checks a whole item, and returns its key.
///
/// # Errors
/// When a key is missing or wrong, the item is too large, or a value cannot be stored.
pub fn item(table: &Table, item: &Item) -> Result<Key, Error> {
    let ((pk, sk), _) = whole(table, item)?;
    Ok(Key { pk: pk.to_owned(), sk: sk.to_owned() })
}

/// As [`item`], without a copy of the key, and with the size.
fn whole<'i>(table: &Table, item: &'i Item) -> Result<((&'i str, &'i str), usize), Error> {
    let key = key_texts(table, item)?;
    index_keys(table, |name| item.get(name))?;
    for (name, value) in item {
        stored_value(name, value, 1)?;
    }
    Ok((key, size(item)?))
}

/// Checks an updated item.
///
/// # Errors
/// When an index key is wrong or the item is too large.
pub fn updated(table: &Table, item: &Item) -> Result<(), Error> {
    index_keys(table, |name| item.get(name))?;
    size(item).map(drop)
}

fn size(item: &Item) -> Result<usize, Error> {
    let size = item_size(item);
    if size > MAX_ITEM {
        let message = message!(items::TOO_LARGE, size, MAX_ITEM);
        return Err(Error::invalid(CoreCode::ItemTooLarge, message));
    }
    Ok(size)
}

fn text_key(name: &Name, text: &str, most: usize) -> Result<(), Error> {
    if text.is_empty() {
        return Err(Error::invalid(CoreCode::EmptyKey, message!(keys::EMPTY, name)));
    }
    if text.len() > most {
        let message = message!(keys::TOO_LONG, name, text.len(), most);
        return Err(Error::invalid(CoreCode::KeyTooLong, message));
    }
    Ok(())
}

/// An item may lack the keys of an index, but may not have wrong ones.
fn index_keys<'v>(table: &Table, value: impl Fn(&Name) -> Option<&'v Value>) -> Result<(), Error> {
    for index in &table.indexes {
        let parts =
            [(Some(&index.pk), index.pk_numeric, MAX_PK), (index.sk.as_ref(), index.sk_numeric, MAX_SK)];
        for (name, numeric, most) in parts {
            if let Some((name, value)) = name.and_then(|name| Some((name, value(name)?))) {
                index_key(index, name, value, numeric, most)?;
            }
        }
    }
    Ok(())
}

fn index_key(index: &Index, name: &Name, value: &Value, numeric: bool, most: usize) -> Result<(), Error> {
    match value {
        Value::N(_) if numeric => Ok(()),
        Value::S(text) if !numeric => text_key(name, text, most),
        _ => {
            let kind = if numeric { message!(kinds::NUMBER) } else { message!(kinds::TEXT) };
            let message = message!(keys::WRONG_INDEX_TYPE, name, &index.name, kind);
            Err(Error::invalid(CoreCode::WrongKeyType, message))
        }
    }
}

fn stored_value(name: &Name, value: &Value, depth: usize) -> Result<(), Error> {
    if depth > MAX_DEPTH {
        let message = message!(items::TOO_DEEP, name, MAX_DEPTH);
        return Err(Error::invalid(CoreCode::TooDeep, message));
    }
    let empty = match value {
        Value::L(list) => {
            list.iter().try_for_each(|value| stored_value(name, value, depth + 1))?;
            false
        }
        Value::M(map) => {
            map.values().try_for_each(|value| stored_value(name, value, depth + 1))?;
            false
        }
        Value::Ss(texts) => texts.is_empty(),
        Value::Ns(numbers) => numbers.is_empty(),
        Value::Bs(blobs) => blobs.is_empty(),
        _ => false,
    };
    if empty {
        return Err(Error::invalid(CoreCode::EmptySet, message!(items::EMPTY_SET, name)));
    }
    Ok(())
}

/// Checks a write.
///
/// # Errors
/// When its key or item is wrong, it changes a key or the same path twice, or a condition is invalid.
pub fn write(table: &Table, write: &Write) -> Result<(), Error> {
    write_size(table, write).map(drop)
}

/// As [`write()`], and returns the bytes of the item that it puts, or those that it sets in one.
fn write_size(table: &Table, write: &Write) -> Result<usize, Error> {
    key(table, &write.key)?;
    for guard in &write.guards {
        condition(&guard.condition)?;
    }
    match &write.action {
        Action::Put(put) => {
            let (key, size) = whole(table, put)?;
            if key != (write.key.pk.as_str(), write.key.sk.as_str()) {
                return Err(Error::invalid(CoreCode::WrongKey, message!(keys::OTHER_KEY)));
            }
            return Ok(size);
        }
        Action::Update(changes) => {
            update(table, changes)?;
            return Ok(changes.iter().map(|(path, change)| path.root.len() + set_size(change)).sum());
        }
        Action::Delete | Action::Check => {}
    }
    Ok(0)
}

/// The bytes that a change adds to an item at least.
fn set_size(change: &Change) -> usize {
    match change {
        Change::Set(value) => value.size(),
        Change::Append(values) => values.iter().map(Value::size).sum(),
        _ => 0,
    }
}

/// Checks the writes of a transaction, each by itself and all together.
///
/// The attributes that an update leaves unchanged do not count towards the 4 MB: only the store knows their size.
///
/// # Errors
/// When there are more than 100, two of one item, or too many bytes, and as [`write()`].
pub fn transaction<'w>(writes: impl ExactSizeIterator<Item = (&'w Table, &'w Write)>) -> Result<(), Error> {
    let too_large = |message: Message| Err(Error::invalid(CoreCode::TransactionTooLarge, message));
    let count = writes.len();
    if count > MAX_TRANSACTION {
        return too_large(message!(writes::TOO_MANY_WRITES, count, MAX_TRANSACTION));
    }
    let (mut items, mut bytes) = (Vec::with_capacity(count), 0);
    for (table, write) in writes {
        bytes += write_size(table, write)?;
        items.push((&write.key, table.name.as_str()));
    }
    // By key first: most transactions have one table, whose name would be compared each time.
    items.sort_unstable();
    if let Some(pair) = items.windows(2).find(|pair| pair[0] == pair[1]) {
        let (Key { pk, sk }, _) = pair[0];
        let message = message!(writes::ITEM_REPEATED, pk, sk);
        return Err(Error::invalid(CoreCode::TransactionRepeatsItem, message));
    }
    if bytes > MAX_TRANSACTION_BYTES {
        return too_large(message!(writes::TOO_MANY_BYTES, bytes, MAX_TRANSACTION_BYTES));
    }
    Ok(())
}

fn update(table: &Table, changes: &[(Path, Change)]) -> Result<(), Error> {
    if changes.is_empty() {
        return Err(Error::invalid(CoreCode::NothingToChange, message!(writes::NOTHING_TO_CHANGE)));
    }
    for (position, (path, change)) in changes.iter().enumerate() {
        if path.root == table.pk || path.root == table.sk {
            let message = message!(keys::FIXED, &path.root);
            return Err(Error::invalid(CoreCode::KeyChanged, message));
        }
        if changes[..position].iter().any(|(other, _)| path.overlaps(other)) {
            let message = message!(writes::CHANGED_TWICE, path.to_string());
            return Err(Error::invalid(CoreCode::ChangedTwice, message));
        }
        if let Some((other, _)) = changes[..position].iter().find(|(other, _)| path.contradicts(other)) {
            let message = message!(writes::CONTRADICTING_PATHS, other.to_string(), path.to_string());
            return Err(Error::invalid(CoreCode::ContradictingPaths, message));
        }
        match change {
            Change::Set(value) | Change::SetIfAbsent(value) => {
                stored_value(&path.root, value, 1)?;
                if path.inside.is_empty() {
                    index_keys(table, |name| (path.root == *name).then_some(value))?;
                }
            }
            Change::Append(values) => {
                values.iter().try_for_each(|value| stored_value(&path.root, value, 2))?;
            }
            Change::AddMembers(value) | Change::DeleteMembers(value) => {
                if !matches!(value, Value::Ss(_) | Value::Ns(_) | Value::Bs(_)) {
                    return Err(Error::invalid(
                        CoreCode::WrongType,
                        message!(writes::MEMBERS_NOT_A_SET, path.to_string()),
                    ));
                }
                stored_value(&path.root, value, 1)?;
            }
            Change::Add(_) | Change::Remove => {}
        }
    }
    Ok(())
}

/// Checks a condition.
///
/// # Errors
/// When the ends of a range have two types or are reversed, values have no order or no prefix, or a list
/// of choices or conditions is empty.
pub fn condition(asked: &Condition) -> Result<(), Error> {
    match asked {
        Condition::Between(_, from, to) => range(from, to),
        Condition::Compare(left, comparison, right) => {
            for operand in [left, right] {
                if let Operand::Value(value) = operand {
                    comparable(value)?;
                }
                if has_order(*comparison) {
                    ordered(operand)?;
                }
            }
            Ok(())
        }
        Condition::BeginsWith(_, prefix) if !matches!(prefix, Value::S(_) | Value::B(_)) => {
            Err(Error::invalid(CoreCode::InvalidCondition, message!(reads::PREFIX_TYPE)))
        }
        Condition::In(_, values) if values.is_empty() || values.len() > 100 => {
            Err(Error::invalid(CoreCode::InvalidCondition, message!(reads::CHOICE_COUNT)))
        }
        Condition::In(_, values) => values.iter().try_for_each(comparable),
        Condition::Contains(_, part) => comparable(part),
        Condition::And(parts) | Condition::Or(parts) if parts.is_empty() => {
            Err(Error::invalid(CoreCode::InvalidCondition, message!(reads::NO_CONDITION)))
        }
        Condition::And(parts) | Condition::Or(parts) => parts.iter().try_for_each(condition),
        Condition::Not(inner) => condition(inner),
        _ => Ok(()),
    }
}

/// Rejects comparisons with values that cannot be stored.
fn comparable(value: &Value) -> Result<(), Error> {
    stored_value(&arcstr::literal!("value"), value, 1)
        .map_err(|_| Error::invalid(CoreCode::InvalidCondition, message!(reads::IMPOSSIBLE_VALUE)))
}

fn has_order(comparison: Comparison) -> bool {
    !matches!(comparison, Comparison::Equal | Comparison::NotEqual)
}

fn ordered(operand: &Operand) -> Result<(), Error> {
    match operand {
        Operand::Value(value) if order(value, value).is_none() => {
            Err(Error::invalid(CoreCode::InvalidCondition, message!(reads::NOT_ORDERED)))
        }
        _ => Ok(()),
    }
}

fn range(from: &Value, to: &Value) -> Result<(), Error> {
    match order(from, to) {
        Some(order) if order.is_le() => Ok(()),
        Some(_) => Err(Error::invalid(CoreCode::InvalidRange, message!(reads::RANGE_BACKWARDS))),
        None => Err(Error::invalid(CoreCode::InvalidRange, message!(reads::RANGE_TYPES))),
    }
}
