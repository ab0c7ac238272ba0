//! Changes of entity fields.

use std::collections::BTreeMap;

use hansang_core::{Item, Value, message};

use super::rules::PROSE;
use super::{Breaks, Bump, Changes, specs};
use crate::messages::changes as changed;

/// Compares fields by name. Entities have writers and readers: a newly required field breaks old writers, and a field that
/// is no longer required breaks old readers.
pub(super) fn judge(path: &str, old: Option<&Value>, new: Option<&Value>, changes: &mut Changes) {
    let (Some(was), Some(is)) = (named(old), named(new)) else {
        return specs::unknown(path, old, new, changes);
    };
    for (name, field) in &was {
        let field_path = format!("{path}[{name}]");
        match is.get(name) {
            None => changes.breaks(Breaks::Readers, &field_path, message!(changed::REMOVED)),
            Some(now) => judge_field(&field_path, field, now, changes),
        }
    }
    for (name, field) in is.iter().filter(|(name, _)| !was.contains_key(*name)) {
        let field_path = format!("{path}[{name}]");
        if required(field) {
            changes.breaks(Breaks::Writers, &field_path, message!(changed::ADDED_REQUIRED));
        } else {
            changes.tell(Bump::Minor, &field_path, message!(changed::ADDED));
        }
    }
}

fn judge_field(field_path: &str, old: &Item, new: &Item, changes: &mut Changes) {
    match (specs::text_at(old, "type"), specs::text_at(new, "type")) {
        (Some(was), Some(is)) if was != is => {
            changes.tell(Bump::Major, &format!("{field_path}.type"), message!(changed::OTHER_TYPE, is, was));
        }
        (Some(_), Some(_)) => {}
        _ => specs::fixed(&format!("{field_path}.type"), old.get("type"), new.get("type"), changes),
    }
    match (required(old), required(new)) {
        (false, true) => changes.breaks(Breaks::Writers, field_path, message!(changed::NOW_REQUIRED)),
        (true, false) => changes.breaks(Breaks::Readers, field_path, message!(changed::NOW_OPTIONAL)),
        _ => {}
    }
    for name in PROSE.iter().filter(|name| specs::at(old, name) != specs::at(new, name)) {
        changes.tell(Bump::Patch, &format!("{field_path}.{name}"), message!(changed::CHANGED));
    }
    let rest = |field: &Item| {
        let mut rest = field.clone();
        rest.retain(|name, value| {
            *value != Value::Null
                && !["name", "type", "required"].contains(&&**name)
                && !PROSE.contains(&&**name)
        });
        rest
    };
    specs::unknown_members(field_path, &rest(old), &rest(new), changes);
}

fn required(field: &Item) -> bool {
    matches!(field.get("required"), Some(Value::Bool(true)))
}

/// The fields by name, if all names are different.
fn named(list: Option<&Value>) -> Option<BTreeMap<&str, &Item>> {
    let fields = match list {
        None => &[],
        Some(Value::L(fields)) => fields.as_slice(),
        Some(_) => return None,
    };
    let all: BTreeMap<&str, &Item> = fields.iter().map(named_field).collect::<Option<_>>()?;
    (all.len() == fields.len()).then_some(all)
}

fn named_field(field: &Value) -> Option<(&str, &Item)> {
    match field {
        Value::M(map) => Some((specs::text_at(map, "name")?, map)),
        _ => None,
    }
}
