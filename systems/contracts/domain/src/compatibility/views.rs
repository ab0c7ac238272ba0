//! Changes of a view's slices.

use std::collections::BTreeSet;

use hansang_core::Value;

use super::rules::Side;
use super::{Bump, Changes, specs};

/// Compares required slices. A newly required slice can make a view fail; one that is no longer required may be missing from
/// views that always had it.
pub(super) fn judge_required(path: &str, old: Side<'_>, new: Side<'_>, changes: &mut Changes) {
    let (Some(was), Some(is)) = (texts(old.1), texts(new.1)) else {
        return specs::fixed(path, old.1, new.1, changes);
    };
    let optional = texts(specs::at(new.0, "optionalSlices")).unwrap_or_default();
    for slice in is.difference(&was) {
        changes.tell(Bump::Major, path, &format!("lists `{slice}`, which was not required before"));
    }
    for slice in was.difference(&is) {
        let what = if optional.contains(slice) { "is optional now" } else { "is not in the view any more" };
        changes.tell(Bump::Major, path, &format!("does not list `{slice}`, which {what}"));
    }
}

/// Compares optional slices, except those that were or are required.
pub(super) fn judge_optional(path: &str, old: Side<'_>, new: Side<'_>, changes: &mut Changes) {
    let (Some(was), Some(is)) = (texts(old.1), texts(new.1)) else {
        return specs::fixed(path, old.1, new.1, changes);
    };
    let (was_required, is_required) = (required(old), required(new));
    for slice in was.difference(&is).filter(|slice| !is_required.contains(*slice)) {
        let what = format!("does not list `{slice}`, which is not in the view any more");
        changes.tell(Bump::Major, path, &what);
    }
    for slice in is.difference(&was).filter(|slice| !was_required.contains(*slice)) {
        changes.tell(Bump::Minor, path, &format!("lists `{slice}` too"));
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
