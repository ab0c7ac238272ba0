//! Names of contracts.

use hansang_core::Value;

use super::{Bump, Changes, specs};
use crate::Known;
use crate::body::place::Place;
use crate::references::{Reference, read_reference};

/// Another contract is another thing; another version of it was checked against the one before when it was
/// registered.
pub(super) fn judge(
    path: &str,
    kind: Known,
    old: Option<&Value>,
    new: Option<&Value>,
    changes: &mut Changes,
) {
    match (old, new) {
        (None, None) => {}
        (None, Some(_)) => changes.tell(Bump::Minor, path, "was added"),
        (Some(_), None) => changes.tell(Bump::Major, path, "was removed"),
        (Some(was), Some(is)) => match (named(was, kind), named(is, kind)) {
            (Some(was), Some(is)) => judge_names(path, &was, &is, changes),
            _ => specs::fixed(path, old, new, changes),
        },
    }
}

fn judge_names(path: &str, old: &Reference, new: &Reference, changes: &mut Changes) {
    if (&old.kind, &old.id) != (&new.kind, &new.id) {
        changes.tell(Bump::Major, path, &format!("names {new} instead of {old}"));
    } else if old.wanted != new.wanted {
        let what = format!("names the version {} instead of {}", new.wanted, old.wanted);
        changes.tell(Bump::Minor, path, &what);
    }
}

/// The contract that is named, if it is a name at all.
pub(super) fn named(value: &Value, kind: Known) -> Option<Reference> {
    read_reference(value, Some(kind), &Place::Spec).ok()
}
