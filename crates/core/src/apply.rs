//! Updates of items, with DynamoDB's rules.

use crate::code::CoreCode;
use crate::error::Error;
use crate::evaluate::at;
use crate::message;
use crate::messages::writes;
use crate::number::NumberError;
use crate::plan::{Change, Part, Path};
use crate::value::{Item, Value};

/// Applies `changes` to an item. Every change sees the item as it was before the first one.
///
/// # Errors
/// When a path does not exist, or the value there cannot be changed in this way.
pub fn apply(before: &Item, changes: &[(Path, Change)]) -> Result<Item, Error> {
    let mut after = before.clone();
    // Element numbers are those before the first change: removals come last, from the back, and appended
    // elements keep their order.
    let mut in_order: Vec<&(Path, Change)> = changes.iter().collect();
    in_order.sort_by(|(a, _), (b, _)| a.cmp(b));
    let mut gone = Vec::new();
    for (path, change) in in_order {
        let stored = at(Some(before), path);
        match changed(path, change, stored)? {
            Some(value) => set(&mut after, path, value)?,
            None if stored.is_some() => gone.push(path),
            None => leads_somewhere(before, path)?,
        }
    }
    for path in gone.into_iter().rev() {
        remove(&mut after, path)?;
    }
    Ok(after)
}

/// The value after a change; nothing when it is removed.
fn changed(path: &Path, change: &Change, stored: Option<&Value>) -> Result<Option<Value>, Error> {
    let value = match (change, stored) {
        (Change::Set(value), _) | (Change::SetIfAbsent(value), None) => value.clone(),
        (Change::SetIfAbsent(_), Some(stored)) => stored.clone(),
        (Change::Add(number), None) => Value::N(*number),
        (Change::Add(number), Some(Value::N(stored))) => {
            Value::N(stored.checked_add(*number).map_err(|problem| out_of_range(path, problem))?)
        }
        (Change::Append(more), None) => Value::L(more.clone()),
        (Change::Append(more), Some(Value::L(list))) => Value::L([&list[..], &more[..]].concat()),
        (Change::AddMembers(members), None) => members.clone(),
        (Change::AddMembers(members), Some(stored)) => match (stored, members) {
            (Value::Ss(a), Value::Ss(b)) => Value::Ss(a | b),
            (Value::Ns(a), Value::Ns(b)) => Value::Ns(a | b),
            (Value::Bs(a), Value::Bs(b)) => Value::Bs(a | b),
            _ => return Err(wrong_type(path)),
        },
        (Change::DeleteMembers(_), None) => return Ok(None),
        (Change::DeleteMembers(members), Some(stored)) => {
            let (left, empty) = match (stored, members) {
                (Value::Ss(a), Value::Ss(b)) => (Value::Ss(a - b), a.is_subset(b)),
                (Value::Ns(a), Value::Ns(b)) => (Value::Ns(a - b), a.is_subset(b)),
                (Value::Bs(a), Value::Bs(b)) => (Value::Bs(a - b), a.is_subset(b)),
                _ => return Err(wrong_type(path)),
            };
            return Ok((!empty).then_some(left));
        }
        (Change::Remove, _) => return Ok(None),
        (Change::Add(_) | Change::Append(_), Some(_)) => return Err(wrong_type(path)),
    };
    Ok(Some(value))
}

fn set(item: &mut Item, path: &Path, value: Value) -> Result<(), Error> {
    let Some((last, way)) = path.inside.split_last() else {
        item.insert(path.root.clone(), value);
        return Ok(());
    };
    match (last, parent(item, path, way)?) {
        (Part::Member(name), Value::M(map)) => drop(map.insert(name.clone(), value)),
        // An element number past the end appends.
        (Part::Element(index), Value::L(list)) => match list.get_mut(*index) {
            Some(element) => *element = value,
            None => list.push(value),
        },
        _ => return Err(no_such_path(path)),
    }
    Ok(())
}

fn remove(item: &mut Item, path: &Path) -> Result<(), Error> {
    let Some((last, way)) = path.inside.split_last() else {
        item.remove(&path.root);
        return Ok(());
    };
    match (last, parent(item, path, way)?) {
        (Part::Member(name), Value::M(map)) => drop(map.remove(name)),
        (Part::Element(index), Value::L(list)) => {
            if *index < list.len() {
                list.remove(*index);
            }
        }
        _ => return Err(no_such_path(path)),
    }
    Ok(())
}

/// Checks that the parent of a removed value exists; the value itself need not.
fn leads_somewhere(before: &Item, path: &Path) -> Result<(), Error> {
    let Some((last, way)) = path.inside.split_last() else { return Ok(()) };
    let holder = Path { root: path.root.clone(), inside: way.to_vec() };
    match (last, at(Some(before), &holder)) {
        (Part::Member(_), Some(Value::M(_))) | (Part::Element(_), Some(Value::L(_))) => Ok(()),
        _ => Err(no_such_path(path)),
    }
}

fn parent<'i>(item: &'i mut Item, path: &Path, way: &[Part]) -> Result<&'i mut Value, Error> {
    let mut value = item.get_mut(&path.root).ok_or_else(|| no_such_path(path))?;
    for part in way {
        let inner = match (part, value) {
            (Part::Member(name), Value::M(map)) => map.get_mut(name),
            (Part::Element(index), Value::L(list)) => list.get_mut(*index),
            _ => None,
        };
        value = inner.ok_or_else(|| no_such_path(path))?;
    }
    Ok(value)
}

fn no_such_path(path: &Path) -> Error {
    Error::invalid(CoreCode::NoSuchPath, message!(writes::NO_SUCH_PATH, path.to_string()))
}

fn wrong_type(path: &Path) -> Error {
    Error::invalid(CoreCode::WrongType, message!(writes::WRONG_TYPE, path.to_string()))
}

fn out_of_range(path: &Path, problem: NumberError) -> Error {
    let message = message!(writes::OUT_OF_RANGE, path.to_string(), problem.message());
    Error::invalid(CoreCode::NumberOutOfRange, message)
}
