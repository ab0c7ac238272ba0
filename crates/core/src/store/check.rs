//! The rules of a table that need no stored item to be checked.

use crate::error::Error;
use crate::evaluate::order;
use crate::model::{Index, Table};
use crate::plan::{
    Action, Change, Comparison, Condition, Key, Operand, Path, Query, Scan, SortCondition, Write,
};
use crate::value::{Item, Name, Value, item_size};
use crate::write::{MAX_ITEM, MAX_PK, MAX_SK};

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
    let part = |name: &Name| match item.get(name) {
        Some(Value::S(text)) => Ok(text.clone()),
        Some(_) => Err(Error::invalid("wrong_key_type", format!("the key attribute `{name}` must be text"))),
        None => Err(Error::invalid("missing_key", format!("the key attribute `{name}` is missing"))),
    };
    let found = Key { pk: part(&table.pk)?, sk: part(&table.sk)? };
    key(table, &found)?;
    Ok(found)
}

/// A whole item can be stored; gives its key.
///
/// # Errors
/// When a key is missing or wrong, the item is too large, or a value is not one a table can hold.
pub fn item(table: &Table, item: &Item) -> Result<Key, Error> {
    let key = key_of(table, item)?;
    index_keys(table, item)?;
    for (name, value) in item {
        stored_value(name, value, 1)?;
    }
    size(item)?;
    Ok(key)
}

/// An item that an update made can be stored.
///
/// # Errors
/// When an index key is wrong or the item is too large.
pub fn updated(table: &Table, item: &Item) -> Result<(), Error> {
    index_keys(table, item)?;
    size(item)
}

fn size(item: &Item) -> Result<(), Error> {
    let size = item_size(item);
    if size > MAX_ITEM {
        let message = format!(
            "the item would have {size} bytes; it may have {MAX_ITEM}: store what is large elsewhere"
        );
        return Err(Error::invalid("item_too_large", message));
    }
    Ok(())
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
fn index_keys(table: &Table, item: &Item) -> Result<(), Error> {
    for index in &table.indexes {
        let parts =
            [(Some(&index.pk), index.pk_numeric, MAX_PK), (index.sk.as_ref(), index.sk_numeric, MAX_SK)];
        for (name, numeric, most) in parts {
            if let Some((name, value)) = name.and_then(|name| item.get_key_value(name)) {
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
    key(table, &write.key)?;
    for guard in &write.guards {
        condition(&guard.condition)?;
    }
    match &write.action {
        Action::Put(put) => {
            if item(table, put)? != write.key {
                return Err(Error::invalid("wrong_key", "the item has another key than the write"));
            }
        }
        Action::Update(changes) => update(table, changes)?,
        Action::Delete | Action::Check => {}
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
                    index_keys(table, &Item::from([(path.root.clone(), value.clone())]))?;
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
    stored_value(&"value".into(), value, 1).map_err(|_| {
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

/// A filter asks for what an index carries, and for no key: that is what the query itself is for.
fn filter(table: &Table, index: Option<&Index>, filter: &Condition) -> Result<(), Error> {
    condition(filter)?;
    let keys = match index {
        Some(index) => [Some(&index.pk), index.sk.as_ref()],
        None => [Some(&table.pk), Some(&table.sk)],
    };
    attributes(filter, &mut |name| {
        if keys.contains(&Some(name)) {
            let message = format!("`{name}` is a key here: ask for it in the query, not in its filter");
            return Err(Error::invalid("filter_on_key", message));
        }
        carried(table, index, name)
    })
}

/// An index gives only what it carries.
fn carried(table: &Table, index: Option<&Index>, name: &Name) -> Result<(), Error> {
    let Some(index) = index.filter(|index| !index.carries(table, name)) else { return Ok(()) };
    let message = format!("the index `{}` does not carry `{name}`: read it from the table", index.name);
    Err(Error::invalid("not_in_index", message))
}

/// Visits every attribute that a condition asks for.
fn attributes(asked: &Condition, visit: &mut dyn FnMut(&Name) -> Result<(), Error>) -> Result<(), Error> {
    let operand = |operand: &Operand, visit: &mut dyn FnMut(&Name) -> Result<(), Error>| match operand {
        Operand::Path(path) | Operand::Size(path) => visit(&path.root),
        Operand::Value(_) => Ok(()),
    };
    match asked {
        Condition::Exists(path)
        | Condition::Absent(path)
        | Condition::BeginsWith(path, _)
        | Condition::Contains(path, _) => visit(&path.root),
        Condition::Compare(left, _, right) => {
            operand(left, visit)?;
            operand(right, visit)
        }
        Condition::Between(value, ..) | Condition::In(value, _) => operand(value, visit),
        Condition::And(parts) | Condition::Or(parts) => {
            parts.iter().try_for_each(|part| attributes(part, visit))
        }
        Condition::Not(inner) => attributes(inner, visit),
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

/// The index of this name.
///
/// # Errors
/// When the table has none.
pub fn index<'t>(table: &'t Table, name: &str) -> Result<&'t Index, Error> {
    table.indexes.iter().find(|index| &*index.name == name).ok_or_else(|| {
        let known: Vec<&str> = table.indexes.iter().map(|index| &*index.name).collect();
        let known =
            if known.is_empty() { "it has none".to_owned() } else { format!("it has {}", known.join(", ")) };
        Error::invalid("unknown_index", format!("the table `{}` has no index `{name}`: {known}", table.name))
    })
}

/// A query keeps the rules; gives the index it reads.
///
/// # Errors
/// When there is no such index, a strong read or what it does not carry is asked of one, a key
/// attribute or value does not belong there, a filter asks for a key, or the limit is zero.
pub fn query<'t>(table: &'t Table, query: &Query) -> Result<Option<&'t Index>, Error> {
    let index = readable_index(table, query.index.as_deref(), query.consistent)?;
    let (pk, sk) = match index {
        Some(index) => ((&index.pk, index.pk_numeric), index.sk.as_ref().map(|sk| (sk, index.sk_numeric))),
        None => ((&table.pk, false), Some((&table.sk, false))),
    };
    query_key(pk, &query.pk.0, [&query.pk.1], MAX_PK)?;
    if let Some((name, condition)) = &query.sort {
        let Some(sk) = sk else {
            return Err(Error::invalid("wrong_key", format!("what is queried has no sort key `{name}`")));
        };
        let prefix;
        match condition {
            SortCondition::BeginsWith(text) if sk.1 => {
                let message = format!("`{name}` is a number and cannot begin with `{text}`");
                return Err(Error::invalid("wrong_key_type", message));
            }
            SortCondition::BeginsWith(text) => {
                prefix = Value::S(text.clone());
                query_key(sk, name, [&prefix], MAX_SK)?;
            }
            SortCondition::Equal(value) | SortCondition::AtLeast(value) | SortCondition::AtMost(value) => {
                query_key(sk, name, [value], MAX_SK)?;
            }
            SortCondition::Between(from, to) => {
                query_key(sk, name, [from, to], MAX_SK)?;
                range(from, to)?;
            }
        }
    }
    limit(query.limit)?;
    if let Some(filter) = &query.filter {
        self::filter(table, index, filter)?;
    }
    query.fields.iter().flatten().try_for_each(|name| carried(table, index, name))?;
    start(table, index, query.start.as_ref())?;
    Ok(index)
}

/// A scan keeps the rules; gives the index it reads.
///
/// # Errors
/// As [`query`].
pub fn scan<'t>(table: &'t Table, scan: &Scan) -> Result<Option<&'t Index>, Error> {
    let index = readable_index(table, scan.index.as_deref(), scan.consistent)?;
    limit(scan.limit)?;
    start(table, index, scan.start.as_ref())?;
    Ok(index)
}

fn readable_index<'t>(
    table: &'t Table,
    name: Option<&str>,
    consistent: bool,
) -> Result<Option<&'t Index>, Error> {
    let found = name.map(|name| index(table, name)).transpose()?;
    if let (true, Some(index)) = (consistent, found) {
        let message = format!("the index `{}` has no strongly consistent reads: ask without", index.name);
        return Err(Error::invalid("no_strong_read_on_index", message));
    }
    Ok(found)
}

fn limit(limit: u32) -> Result<(), Error> {
    if limit == 0 {
        return Err(Error::invalid("invalid_page_size", "a page has at least one item"));
    }
    Ok(())
}

fn query_key<const N: usize>(
    (expected, numeric): (&Name, bool),
    name: &Name,
    values: [&Value; N],
    most: usize,
) -> Result<(), Error> {
    if name != expected {
        return Err(Error::invalid("wrong_key", format!("the key here is `{expected}`, not `{name}`")));
    }
    for value in values {
        match value {
            Value::N(_) if numeric => {}
            Value::S(text) if !numeric => text_key(name, text, most)?,
            _ => {
                let kind = if numeric { "a number" } else { "text" };
                return Err(Error::invalid("wrong_key_type", format!("the key `{name}` must be {kind}")));
            }
        }
    }
    Ok(())
}

/// Where a page starts is a whole key of the table and, on an index, of the index.
fn start(table: &Table, index: Option<&Index>, start: Option<&Item>) -> Result<(), Error> {
    let Some(start) = start else { return Ok(()) };
    key_of(table, start)?;
    let Some(index) = index else { return Ok(()) };
    for name in [Some(&index.pk), index.sk.as_ref()].into_iter().flatten() {
        if !start.contains_key(name) {
            return Err(Error::invalid("missing_key", format!("the start of the page lacks `{name}`")));
        }
    }
    index_keys(table, start)
}
