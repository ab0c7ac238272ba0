//! Writes whose answer was lost: which may be sent again, and whether what is found is their doing.

use hansang_core::plan::{Action, Change, Comparison, Condition, Operand, Part, Path, Write};
use hansang_core::{Item, Value, apply, evaluate};

/// Who wrote what a retried write found when its guards no longer held.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// This write, in an attempt whose answer was lost. With what the write gives back.
    Ours(Option<Item>),
    /// Somebody else.
    Another,
}

/// Whether a write may be sent again although it may have taken effect: doing it twice is doing it
/// once, or its guards keep it from being done twice.
pub(crate) fn repeatable(write: &Write) -> bool {
    match &write.action {
        Action::Put(_) | Action::Delete | Action::Check => true,
        Action::Update(changes) => {
            changes.iter().all(|(path, change)| idempotent(path, change) || kept_once(write, path, change))
        }
    }
}

/// A second time changes nothing. An element of a list is another one after the first time: what
/// was behind it has moved up, and what was set behind the end is set behind the new end.
fn idempotent(path: &Path, change: &Change) -> bool {
    let counts = matches!(change, Change::Add(_) | Change::Append(_));
    !counts && !matches!(path.inside.last(), Some(Part::Element(_)))
}

/// The guards demand the value that the change makes another of, so they fail the second time. What
/// removes an element is not kept from it: the next element may have the same value.
fn kept_once(write: &Write, path: &Path, change: &Change) -> bool {
    matches!(change, Change::Add(_) | Change::Append(_) | Change::Set(_)) && pinned(write, path).is_some()
}

/// The value that a guard demands at a path.
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

/// Whether `found`, which the guards of a retried write did not fit, is what an attempt of the same
/// write left behind.
pub(crate) fn judge(write: &Write, found: Option<&Item>) -> Verdict {
    match (&write.action, found) {
        (Action::Put(item), Some(found)) if item == found => Verdict::Ours(None),
        (Action::Delete, None) => Verdict::Ours(None),
        (Action::Update(changes), Some(found)) if shows(write, changes, found) => {
            Verdict::Ours(Some(found.clone()))
        }
        _ => Verdict::Another,
    }
}

/// Whether an item shows every change: what can be repeated would change nothing, and what counts
/// has counted once from the value that the guards demanded.
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
