//! The rules of reads that need no stored item to be checked.

use super::{condition, index_keys, key_of, range, text_key};
use crate::code::CoreCode;
use crate::error::Error;
use crate::message;
use crate::message::Argument;
use crate::messages::{keys, kinds, reads};
use crate::model::{Index, Table};
use crate::plan::{Condition, Operand, Query, Scan, SortCondition};
use crate::value::{Item, Name, Value};
use crate::write::{MAX_PK, MAX_SK};

/// The index of this name.
///
/// # Errors
/// When the table has no such index.
pub fn index<'t>(table: &'t Table, name: &str) -> Result<&'t Index, Error> {
    table.indexes.iter().find(|index| &*index.name == name).ok_or_else(|| {
        let message = match &table.indexes[..] {
            [] => message!(keys::NO_INDEXES, &table.name, name),
            indexes => {
                let known = Argument::list(indexes.iter().map(|index| &index.name));
                message!(keys::UNKNOWN_INDEX, &table.name, name, known)
            }
        };
        Error::invalid(CoreCode::UnknownIndex, message)
    })
}

/// Checks a query, and returns the index it reads.
///
/// # Errors
/// When there is no such index, an index is read strongly or for an attribute that it does not have, a key
/// attribute or value is wrong, a filter uses a key, or the limit is zero.
pub fn query<'t>(table: &'t Table, query: &Query) -> Result<Option<&'t Index>, Error> {
    let index = readable_index(table, query.index.as_deref(), query.consistent)?;
    let (pk, sk) = match index {
        Some(index) => ((&index.pk, index.pk_numeric), index.sk.as_ref().map(|sk| (sk, index.sk_numeric))),
        None => ((&table.pk, false), Some((&table.sk, false))),
    };
    query_key(pk, &query.pk.0, [&query.pk.1], MAX_PK)?;
    if let Some((name, condition)) = &query.sort {
        let Some(sk) = sk else {
            return Err(Error::invalid(CoreCode::WrongKey, message!(keys::NO_SORT_KEY, name)));
        };
        let prefix;
        match condition {
            SortCondition::BeginsWith(text) if sk.1 => {
                let message = message!(reads::PREFIX_OF_NUMBER, name, text);
                return Err(Error::invalid(CoreCode::WrongKeyType, message));
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

/// Checks a scan, and returns the index it reads.
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
        let message = message!(reads::INDEX_NOT_STRONG, &index.name);
        return Err(Error::invalid(CoreCode::NoStrongReadOnIndex, message));
    }
    Ok(found)
}

fn limit(limit: u32) -> Result<(), Error> {
    if limit == 0 {
        return Err(Error::invalid(CoreCode::InvalidPageSize, message!(reads::PAGE_EMPTY)));
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
        return Err(Error::invalid(CoreCode::WrongKey, message!(keys::WRONG_KEY, expected, name)));
    }
    for value in values {
        match value {
            Value::N(_) if numeric => {}
            Value::S(text) if !numeric => text_key(name, text, most)?,
            _ => {
                let kind = if numeric { message!(kinds::NUMBER) } else { message!(kinds::TEXT) };
                return Err(Error::invalid(CoreCode::WrongKeyType, message!(keys::WRONG_TYPE, name, kind)));
            }
        }
    }
    Ok(())
}

/// Checks the start of a page: a whole key of the table and, on an index, of the index.
fn start(table: &Table, index: Option<&Index>, start: Option<&Item>) -> Result<(), Error> {
    let Some(start) = start else { return Ok(()) };
    key_of(table, start)?;
    let Some(index) = index else { return Ok(()) };
    for name in [Some(&index.pk), index.sk.as_ref()].into_iter().flatten() {
        if !start.contains_key(name) {
            return Err(Error::invalid(CoreCode::MissingKey, message!(reads::START_INCOMPLETE, name)));
        }
    }
    index_keys(table, |name| start.get(name))
}

/// Checks a filter: it uses attributes of the index, and no keys.
fn filter(table: &Table, index: Option<&Index>, filter: &Condition) -> Result<(), Error> {
    condition(filter)?;
    let keys = match index {
        Some(index) => [Some(&index.pk), index.sk.as_ref()],
        None => [Some(&table.pk), Some(&table.sk)],
    };
    attributes(filter, &mut |name| {
        if keys.contains(&Some(name)) {
            let message = message!(reads::FILTER_ON_KEY, name);
            return Err(Error::invalid(CoreCode::FilterOnKey, message));
        }
        carried(table, index, name)
    })
}

/// Checks that an attribute is in the index.
fn carried(table: &Table, index: Option<&Index>, name: &Name) -> Result<(), Error> {
    let Some(index) = index.filter(|index| !index.carries(table, name)) else { return Ok(()) };
    let message = message!(keys::NOT_IN_INDEX, &index.name, name);
    Err(Error::invalid(CoreCode::NotInIndex, message))
}

/// Visits every attribute of a condition.
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
