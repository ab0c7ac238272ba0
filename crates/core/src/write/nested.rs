//! Changes inside of attributes: new elements must have the type that the model gives them.

use crate::kind::Kind;
use crate::message;
use crate::message::Message;
use crate::messages::fields;
use crate::model::Attribute;
use crate::plan::{Change, Part, Path};

/// The change with exact values for the type at `path`.
///
/// # Errors
/// When the attribute has no such path, or the change does not fit the type there.
pub(super) fn exact_change(attribute: &Attribute, path: &Path, change: Change) -> Result<Change, Message> {
    let kind = kind_at(attribute, path)?;
    let rules = &attribute.rules;
    if path.inside.len() == 1 && (rules.min_length.is_some() || rules.max_length.is_some()) {
        return Err(message!(fields::LIMITED_LENGTH));
    }
    let inside = |problem: Message| message!(fields::AT_PATH, path.to_string(), problem);
    match (change, kind) {
        (change @ Change::Remove, _) | (change, Kind::Any) => Ok(change),
        (Change::Set(value), kind) => Ok(Change::Set(kind.coerce(value).map_err(inside)?)),
        (Change::SetIfAbsent(value), kind) => Ok(Change::SetIfAbsent(kind.coerce(value).map_err(inside)?)),
        (Change::Append(values), Kind::List(element)) => {
            let values = values.into_iter().map(|value| element.coerce(value).map_err(inside));
            Ok(Change::Append(values.collect::<Result<_, _>>()?))
        }
        (Change::AddMembers(value), Kind::Set(_)) => {
            Ok(Change::AddMembers(kind.coerce(value).map_err(inside)?))
        }
        (Change::DeleteMembers(value), Kind::Set(_)) => {
            Ok(Change::DeleteMembers(kind.coerce(value).map_err(inside)?))
        }
        (Change::Add(number), Kind::Number) => Ok(Change::Add(number)),
        (Change::Add(number), Kind::Integer) if number.to_i64().is_some() => Ok(Change::Add(number)),
        (_, kind) => Err(inside(message!(fields::UNFIT_CHANGE, kind.noun()))),
    }
}

/// The type at `path`.
///
/// # Errors
/// When the attribute has no such path.
pub(super) fn kind_at<'a>(attribute: &'a Attribute, path: &Path) -> Result<&'a Kind, Message> {
    let mut kind = &attribute.kind;
    for part in &path.inside {
        kind = match (kind, part) {
            (Kind::Map(element), Part::Member(_)) | (Kind::List(element), Part::Element(_)) => element,
            (Kind::Any, _) => &Kind::Any,
            (Kind::Map(_), _) => return Err(message!(fields::IS_A_MAP)),
            (Kind::List(_), _) => return Err(message!(fields::IS_A_LIST)),
            _ => return Err(message!(fields::NO_PARTS)),
        };
    }
    Ok(kind)
}
