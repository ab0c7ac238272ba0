//! The rules of reads that need no stored item to be checked.

use super::{condition, index_keys, key_of, range, text_key};
use crate::error::Error;
use crate::model::{Index, Table};
use crate::plan::{Condition, Operand, Query, Scan, SortCondition};
use crate::value::{Item, Name, Value};
use crate::write::{MAX_PK, MAX_SK};

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
                prefix = Value::from(text.clone());
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
    index_keys(table, |name| start.get(name))
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
