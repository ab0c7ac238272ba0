//! Changes of references.

use hansang_core::{Message, Value, message};

use super::{Breaks, Bump, Changes, specs};
use crate::body::location::Location;
use crate::messages::changes as changed;
use crate::references::{Reference, names_contracts, read_reference};
use crate::{Difference, Known, Wanted};

/// A reference to another contract is breaking. Another version of the same contract is not: its compatibility was checked
/// when it was registered.
pub(super) fn judge(
    path: &str,
    kind: Known,
    old: Option<&Value>,
    new: Option<&Value>,
    changes: &mut Changes,
) {
    match (old, new) {
        (None, None) => {}
        (None, Some(_)) => changes.tell(Bump::Minor, path, message!(changed::ADDED)),
        (Some(_), None) => changes.breaks(Breaks::Readers, path, message!(changed::REMOVED)),
        (Some(was), Some(is)) => match (named(was, kind), named(is, kind)) {
            (Some(was), Some(is)) => judge_names(path, &was, &is, changes),
            _ => specs::fixed(path, old, new, changes),
        },
    }
}

fn judge_names(path: &str, old: &Reference, new: &Reference, changes: &mut Changes) {
    if (&old.kind, &old.id) != (&new.kind, &new.id) {
        changes.tell(Bump::Major, path, message!(changed::OTHER_CONTRACT, new.to_string(), old.to_string()));
    } else if old.wanted != new.wanted {
        changes.tell(Bump::Minor, path, versions(&old.wanted, &new.wanted));
    }
}

/// Reads a reference, if the value is one.
pub(super) fn named(value: &Value, kind: Known) -> Option<Reference> {
    read_reference(value, Some(kind), &Location::Spec).ok()
}

/// If a difference only changes the version of a reference, returns the pointer to the reference and the change in words.
pub(super) fn other_version(difference: &Difference) -> Option<(&str, Message)> {
    let (Some(Value::S(old)), Some(Value::S(new))) = (&difference.old, &difference.new) else { return None };
    let path = difference.path.as_str();
    if let Some(name) = path.strip_suffix("/version").filter(|name| is_name(name)) {
        let (old, new): (Wanted, Wanted) = (old.parse().ok()?, new.parse().ok()?);
        return Some((name, versions(&old, &new)));
    }
    // Both are read with the same default kind, which does not matter for the comparison.
    let named = |text: &str| read_reference(&text.into(), Some(Known::ChangeSet), &Location::Spec).ok();
    let (old, new) = (named(old).filter(|_| is_name(path))?, named(new)?);
    let same = (&old.kind, &old.id) == (&new.kind, &new.id);
    same.then(|| (path, versions(&old.wanted, &new.wanted)))
}

/// Whether a pointer leads to a reference, or to an element of a list of references.
fn is_name(pointer: &str) -> bool {
    let is_position = |step: &&str| !step.is_empty() && step.bytes().all(|byte| byte.is_ascii_digit());
    pointer.rsplit('/').find(|step| !is_position(step)).is_some_and(names_contracts)
}

fn versions(old: &Wanted, new: &Wanted) -> Message {
    message!(changed::OTHER_VERSION, new.to_string(), old.to_string())
}
