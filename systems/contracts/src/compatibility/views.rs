//! The slices of views.

use hansang_core::Value;

use super::rules::Side;
use super::{Bump, Changes, specs};

/// A slice that is required can keep a view from being made that could be made before. One that is required
/// no longer may be missing from views that always had it.
pub(super) fn judge_required(path: &str, old: Side<'_>, new: Side<'_>, changes: &mut Changes) {
    let (Some(was), Some(is)) = (texts(old.1), texts(new.1)) else {
        return specs::fixed(path, old.1, new.1, changes);
    };
    let optional = texts(specs::at(new.0, "optionalSlices")).unwrap_or_default();
    for slice in is.iter().filter(|slice| !was.contains(slice)) {
        changes.tell(Bump::Major, path, &format!("lists `{slice}`, which was not required before"));
    }
    for slice in was.iter().filter(|slice| !is.contains(slice)) {
        let what = if optional.contains(slice) { "is optional now" } else { "is not in the view any more" };
        changes.tell(Bump::Major, path, &format!("does not list `{slice}`, which {what}"));
    }
}

/// What was or is required is judged there.
pub(super) fn judge_optional(path: &str, old: Side<'_>, new: Side<'_>, changes: &mut Changes) {
    let (Some(was), Some(is)) = (texts(old.1), texts(new.1)) else {
        return specs::fixed(path, old.1, new.1, changes);
    };
    let required = |side: Side<'_>, slice: &str| {
        texts(specs::at(side.0, "requiredSlices")).is_some_and(|slices| slices.contains(&slice))
    };
    for slice in was.iter().filter(|slice| !is.contains(slice) && !required(new, slice)) {
        changes.tell(
            Bump::Major,
            path,
            &format!("does not list `{slice}`, which is not in the view any more"),
        );
    }
    for slice in is.iter().filter(|slice| !was.contains(slice) && !required(old, slice)) {
        changes.tell(Bump::Minor, path, &format!("lists `{slice}` too"));
    }
}

/// A list of texts; one that is left out is empty.
pub(super) fn texts(value: Option<&Value>) -> Option<Vec<&str>> {
    match value {
        None => Some(Vec::new()),
        Some(Value::L(values)) => values.iter().map(Value::as_str).collect(),
        Some(_) => None,
    }
}
