//! Writes whose response was lost: which may be sent again, and whether a found item is their result.

use hansang_core::plan::{Action, Change, Comparison, Condition, Operand, Part, Path, Write};
use hansang_core::{Item, Value, apply, evaluate};

/// Origin of the item that a retried write found when its guards failed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// An earlier attempt of this write. With the item that the write returns.
    Ours(Option<Item>),
    /// Another write.
    Another,
}

/// Returns whether a write may be sent again although it may have been done: it is idempotent, or its guards
/// prevent a second effect.
pub(crate) fn repeatable(write: &Write) -> bool {
    match &write.action {
        Action::Put(_) | Action::Delete | Action::Check => true,
        Action::Update(changes) => {
            changes.iter().all(|(path, change)| idempotent(path, change) || kept_once(write, path, change))
        }
    }
}

/// Idempotent changes. Changes of list elements are not: after a removal or an append, the position has
/// another element.
fn idempotent(path: &Path, change: &Change) -> bool {
    let counts = matches!(change, Change::Add(_) | Change::Append(_));
    !counts && !matches!(path.inside.last(), Some(Part::Element(_)))
}

/// The guards require the value that the change replaces, so they fail the second time. Not for removed
/// elements: the next element may have the same value.
fn kept_once(write: &Write, path: &Path, change: &Change) -> bool {
    matches!(change, Change::Add(_) | Change::Append(_) | Change::Set(_)) && pinned(write, path).is_some()
}

/// Value that a guard requires at a path.
fn pinned<'w>(write: &'w Write, path: &Path) -> Option<&'w Value> {
    write.guards.iter().find_map(|guard| demanded(&guard.condition, path))
}

fn demanded<'c>(condition: &'c Condition, path: &Path) -> Option<&'c Value> {
    match condition {
        Condition::Compare(Operand::Path(at), Comparison::Equal, Operand::Value(value))
        | Condition::Compare(Operand::Value(value), Comparison::Equal, Operand::Path(at))
            if at == path =>
        {
            Some(value)
        }
        Condition::And(all) => all.iter().find_map(|one| demanded(one, path)),
        _ => None,
    }
}

/// Decides whether `found`, for which the guards of a retried write failed, is the result of an earlier
/// attempt.
pub(crate) fn judge(write: &Write, found: Option<&Item>) -> Origin {
    match (&write.action, found) {
        (Action::Put(item), Some(found)) if item == found => Origin::Ours(None),
        (Action::Delete, None) => Origin::Ours(None),
        (Action::Update(changes), Some(found)) if shows(write, changes, found) => {
            Origin::Ours(Some(found.clone()))
        }
        _ => Origin::Another,
    }
}

/// Returns whether an item has every change: idempotent ones would change nothing, and counts were applied
/// once to the value that the guards require.
fn shows(write: &Write, changes: &[(Path, Change)], found: &Item) -> bool {
    let (repeated, counted): (Vec<_>, Vec<_>) =
        changes.iter().cloned().partition(|(path, change)| idempotent(path, change));
    let unchanged = apply(found, &repeated).is_ok_and(|after| after == *found);
    unchanged && counted.iter().all(|(path, change)| once(write, path, change, found))
}

fn once(write: &Write, path: &Path, change: &Change, found: &Item) -> bool {
    let Some(before) = pinned(write, path) else { return false };
    let after = match (change, before) {
        (Change::Add(more), Value::N(before)) => before.checked_add(*more).ok().map(Value::N),
        (Change::Append(more), Value::L(before)) => Some(Value::L([&before[..], &more[..]].concat())),
        (Change::Set(value), _) => Some(value.clone()),
        _ => None,
    };
    after.is_some() && after.as_ref() == evaluate::at(Some(found), path)
}
