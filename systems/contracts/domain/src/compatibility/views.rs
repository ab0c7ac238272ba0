//! Changes of a view's slices.

use std::collections::BTreeSet;

use hansang_core::{Value, message};

use super::rules::Side;
use super::{Breaks, Bump, Changes, specs};
use crate::messages::changes as changed;

/// Compares required slices. A newly required slice can make a view fail; one that is no longer required may be missing from
/// views that always had it.
pub(super) fn judge_required(path: &str, old: Side<'_>, new: Side<'_>, changes: &mut Changes) {
    let (Some(was), Some(is)) = (texts(old.1), texts(new.1)) else {
        return specs::fixed(path, old.1, new.1, changes);
    };
    let optional = texts(specs::at(new.0, "optionalSlices")).unwrap_or_default();
    for slice in is.difference(&was) {
        changes.breaks(Breaks::Writers, path, message!(changed::LISTS_REQUIRED, *slice));
    }
    for slice in was.difference(&is) {
        let what = match optional.contains(slice) {
            true => message!(changed::OPTIONAL_SLICE, *slice),
            false => message!(changed::REMOVED_SLICE, *slice),
        };
        changes.breaks(Breaks::Readers, path, what);
    }
}

/// Compares optional slices, except those that were or are required.
pub(super) fn judge_optional(path: &str, old: Side<'_>, new: Side<'_>, changes: &mut Changes) {
    let (Some(was), Some(is)) = (texts(old.1), texts(new.1)) else {
        return specs::fixed(path, old.1, new.1, changes);
    };
    let (was_required, is_required) = (required(old), required(new));
    for slice in was.difference(&is).filter(|slice| !is_required.contains(*slice)) {
        changes.breaks(Breaks::Readers, path, message!(changed::REMOVED_SLICE, *slice));
    }
    for slice in is.difference(&was).filter(|slice| !was_required.contains(*slice)) {
        changes.tell(Bump::Minor, path, message!(changed::ALSO_LISTS, *slice));
    }
}

fn required<'s>(side: Side<'s>) -> BTreeSet<&'s str> {
    texts(specs::at(side.0, "requiredSlices")).unwrap_or_default()
}

/// A list of texts as a set; missing counts as empty.
pub(super) fn texts(value: Option<&Value>) -> Option<BTreeSet<&str>> {
    match value {
        None => Some(BTreeSet::new()),
        Some(Value::L(values)) => values.iter().map(Value::as_str).collect(),
        Some(_) => None,
    }
}
