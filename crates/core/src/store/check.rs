//! The rules of a table that need no stored item to be checked.

use crate::error::Error;
use crate::evaluate::order;
use crate::model::{Index, Table};
use crate::plan::{
    Action, Change, Comparison, Condition, Key, MAX_TRANSACTION, MAX_TRANSACTION_BYTES, Operand, Path, Write,
};
use crate::value::{Item, Name, Value, item_size};
use crate::write::{MAX_ITEM, MAX_PK, MAX_SK};

mod read;

pub use read::{index, query, scan};

/// The deepest that lists and maps may nest.
const MAX_DEPTH: usize = 32;

/// A key can stand in a table.
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
        Some(_) => Err(Error::invalid("wrong_key_type", format!("the key attribute `{name}` must be text"))),
        None => Err(Error::invalid("missing_key", format!("the key attribute `{name}` is missing"))),
    };
    let (pk, sk) = (part(&table.pk)?, part(&table.sk)?);
    text_key(&table.pk, pk, MAX_PK)?;
    text_key(&table.sk, sk, MAX_SK)?;
    Ok((pk, sk))
}

/// A whole item can be stored; gives its key.
///
/// # Errors
/// When a key is missing or wrong, the item is too large, or a value is not one a table can hold.
pub fn item(table: &Table, item: &Item) -> Result<Key, Error> {
    let ((pk, sk), _) = whole(table, item)?;
    Ok(Key { pk: pk.to_owned(), sk: sk.to_owned() })
}

/// As [`item`], without a copy of the key; gives the size too.
fn whole<'i>(table: &Table, item: &'i Item) -> Result<((&'i str, &'i str), usize), Error> {
    let key = key_texts(table, item)?;
    index_keys(table, |name| item.get(name))?;
    for (name, value) in item {
        stored_value(name, value, 1)?;
    }
    Ok((key, size(item)?))
}

/// An item that an update made can be stored.
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
        let message = format!(
            "the item would have {size} bytes; it may have {MAX_ITEM}: store what is large elsewhere"
        );
        return Err(Error::invalid("item_too_large", message));
    }
    Ok(size)
}

fn text_key(name: &Name, text: &str, most: usize) -> Result<(), Error> {
    if text.is_empty() {
        return Err(Error::invalid("empty_key", format!("the key attribute `{name}` is empty")));
    }
    if text.len() > most {
        let message = format!("the key attribute `{name}` has {} bytes; it may have {most}", text.len());
        return Err(Error::invalid("key_too_long", message));
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
            let kind = if numeric { "a number" } else { "text" };
            let message = format!("`{name}` is a key of the index `{}` and must be {kind}", index.name);
            Err(Error::invalid("wrong_key_type", message))
        }
    }
}

fn stored_value(name: &Name, value: &Value, depth: usize) -> Result<(), Error> {
    if depth > MAX_DEPTH {
        let message = format!("`{name}` nests more than {MAX_DEPTH} levels deep");
        return Err(Error::invalid("too_deep", message));
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
        return Err(Error::invalid("empty_set", format!("`{name}` has an empty set: leave it out instead")));
    }
    Ok(())
}

/// A write keeps the rules.
///
/// # Errors
/// When its key or item is wrong, it changes a key or the same path twice, or a condition cannot
/// be asked.
pub fn write(table: &Table, write: &Write) -> Result<(), Error> {
    write_size(table, write).map(drop)
}

/// As [`write()`]; gives the bytes of the item that it puts.
fn write_size(table: &Table, write: &Write) -> Result<usize, Error> {
    key(table, &write.key)?;
    for guard in &write.guards {
        condition(&guard.condition)?;
    }
    match &write.action {
        Action::Put(put) => {
            let (key, size) = whole(table, put)?;
            if key != (write.key.pk.as_str(), write.key.sk.as_str()) {
                return Err(Error::invalid("wrong_key", "the item has another key than the write"));
            }
            return Ok(size);
        }
        Action::Update(changes) => update(table, changes)?,
        Action::Delete | Action::Check => {}
    }
    Ok(0)
}

/// The writes of a transaction keep the rules, each by itself and all together.
///
/// Only items that are put count towards the 4 MB: the size of what is updated is known to the store.
///
/// # Errors
/// When there are more than 100, two of one item, or too many bytes, and as [`write()`].
pub fn transaction<'w>(writes: impl ExactSizeIterator<Item = (&'w Table, &'w Write)>) -> Result<(), Error> {
    let too_large = |message: String| Err(Error::invalid("transaction_too_large", message));
    let count = writes.len();
    if count > MAX_TRANSACTION {
        let message =
            format!("this needs {count} writes at once; a transaction has at most {MAX_TRANSACTION}");
        return too_large(message);
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
        let message = format!("a transaction writes an item once, but this writes `{pk}` / `{sk}` twice");
        return Err(Error::invalid("transaction_repeats_item", message));
    }
    if bytes > MAX_TRANSACTION_BYTES {
        let message = format!(
            "the items have {bytes} bytes together; a transaction has at most {MAX_TRANSACTION_BYTES}: write less at \
             once"
        );
        return too_large(message);
    }
    Ok(())
}

fn update(table: &Table, changes: &[(Path, Change)]) -> Result<(), Error> {
    if changes.is_empty() {
        return Err(Error::invalid("nothing_to_change", "name at least one field to change"));
    }
    for (position, (path, change)) in changes.iter().enumerate() {
        if path.root == table.pk || path.root == table.sk {
            let message = format!("`{}` is part of the key and can never change", path.root);
            return Err(Error::invalid("key_changed", message));
        }
        if changes[..position].iter().any(|(other, _)| path.overlaps(other)) {
            let message = format!("`{path}` is changed twice, or together with a part of it");
            return Err(Error::invalid("changed_twice", message));
        }
        if let Some((other, _)) = changes[..position].iter().find(|(other, _)| path.contradicts(other)) {
            let message = format!("`{other}` and `{path}` take the same value for a list and for a map");
            return Err(Error::invalid("contradicting_paths", message));
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
                    return Err(Error::invalid("wrong_type", format!("`{path}`: members come as a set")));
                }
                stored_value(&path.root, value, 1)?;
            }
            Change::Add(_) | Change::Remove => {}
        }
    }
    Ok(())
}

/// A condition can be asked.
///
/// # Errors
/// When the ends of a range are of two types or the wrong way round, values have no order or no
/// beginning, or a list of choices or conditions is empty.
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
            Err(Error::invalid("invalid_condition", "only text and bytes begin with something"))
        }
        Condition::In(_, values) if values.is_empty() || values.len() > 100 => {
            Err(Error::invalid("invalid_condition", "a list of choices has 1 to 100 values"))
        }
        Condition::In(_, values) => values.iter().try_for_each(comparable),
        Condition::Contains(_, part) => comparable(part),
        Condition::And(parts) | Condition::Or(parts) if parts.is_empty() => {
            Err(Error::invalid("invalid_condition", "`and` and `or` need at least one condition"))
        }
        Condition::And(parts) | Condition::Or(parts) => parts.iter().try_for_each(condition),
        Condition::Not(inner) => condition(inner),
        _ => Ok(()),
    }
}

/// Nothing stored can be or contain what cannot be stored.
fn comparable(value: &Value) -> Result<(), Error> {
    stored_value(&arcstr::literal!("value"), value, 1).map_err(|_| {
        Error::invalid("invalid_condition", "no item can have this value: an empty set, or too deep")
    })
}

fn has_order(comparison: Comparison) -> bool {
    !matches!(comparison, Comparison::Equal | Comparison::NotEqual)
}

fn ordered(operand: &Operand) -> Result<(), Error> {
    match operand {
        Operand::Value(value) if order(value, value).is_none() => Err(Error::invalid(
            "invalid_condition",
            "only text, numbers and bytes are more or less than others",
        )),
        _ => Ok(()),
    }
}

fn range(from: &Value, to: &Value) -> Result<(), Error> {
    match order(from, to) {
        Some(order) if order.is_le() => Ok(()),
        Some(_) => Err(Error::invalid("invalid_range", "the range runs backwards: swap its ends")),
        None => {
            Err(Error::invalid("invalid_range", "the ends of a range must both be text, numbers or bytes"))
        }
    }
}
