//! The history of a version: an item for each change of its status.

use hansang_core::db::Operation;
use hansang_core::{Item, Message, Record, Value};

use crate::messages::errors;
use crate::{ContractError, ContractRef, StatusChange};

/// The attributes of a change.
pub(super) const FIELDS: [&str; 8] = ["ofKind", "ofId", "ofVersion", "from", "to", "at", "by", "reason"];

/// The arguments of the pattern.
pub(super) fn of(spelling: &str, reference: &ContractRef) -> Item {
    Item::from([
        ("ofKind".into(), spelling.into()),
        ("ofId".into(), (&*reference.id).into()),
        ("ofVersion".into(), reference.version.to_string().into()),
    ])
}

/// The write of a change, for the transaction that makes it.
pub(super) fn create(spelling: &str, reference: &ContractRef, change: &StatusChange) -> Operation {
    let mut fields = of(spelling, reference);
    let mut set = |name: &str, value: Option<&str>| {
        if let Some(value) = value {
            fields.insert(name.into(), value.into());
        }
    };
    set("from", change.from.map(crate::Status::name));
    set("to", Some(change.to.name()));
    set("at", Some(&change.at.to_string()));
    set("by", Some(&change.by));
    set("reason", change.reason.as_deref());
    Operation::Create { entity: "Change".into(), fields, guards: Vec::new() }
}

/// Decodes a change.
pub(super) fn read(record: &Record) -> Result<StatusChange, ContractError> {
    let text = |name: &str| record.fields.get(name).and_then(Value::as_str);
    let read = || {
        Some(StatusChange {
            from: match text("from") {
                Some(from) => Some(from.parse().ok()?),
                None => None,
            },
            to: text("to")?.parse().ok()?,
            at: text("at")?.parse().ok()?,
            by: text("by")?.to_owned(),
            reason: text("reason").map(str::to_owned),
        })
    };
    read().ok_or_else(|| {
        let part = |name: &str| text(name).unwrap_or_default().to_owned();
        match ContractRef::new(&part("ofKind"), &part("ofId"), &part("ofVersion")) {
            Ok(reference) => {
                ContractError::Corrupted { reference, reason: Message::new(&errors::BAD_HISTORY, Vec::new()) }
            }
            Err(error) => error.into(),
        }
    })
}
