//! Converts contracts to items and back.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use hansang_core::message::Join;
use hansang_core::validate::Violation;
use hansang_core::{CoreCode, Error, Item, Message, Name, Record, Value, message};
use jiff::Timestamp;
use serde::Deserialize;

use crate::checksum::checksum;
use crate::messages::errors;
use crate::references::Reference;
use crate::register::invalid_spec;
use crate::registry::{NewContract, Referrer};
use crate::{Contract, ContractCode, ContractError, ContractRef, Header, Kind, StatusChanged};

/// The entity of a version.
pub(super) const CONTRACT: &str = "Contract";

/// The attributes of a header.
pub(super) const HEADER: [&str; 9] = [
    "kind",
    "id",
    "version",
    "status",
    "statusChangedAt",
    "statusChangedBy",
    "checksum",
    "createdAt",
    "createdBy",
];

/// The key of a version.
pub(super) fn key(reference: &ContractRef) -> Item {
    key_under(reference.kind.as_str(), reference)
}

/// The key of a version that is stored under this spelling of its kind.
pub(super) fn key_under(spelling: &str, reference: &ContractRef) -> Item {
    static NAMES: LazyLock<[Name; 3]> = LazyLock::new(|| ["kind", "id", "version"].map(Name::from));
    let [kind, id, version] = &*NAMES;
    Item::from([
        (kind.clone(), spelling.into()),
        (id.clone(), (&*reference.id).into()),
        (version.clone(), reference.version.to_string().into()),
    ])
}

/// The item of a new version.
pub(super) fn of_new(new: &NewContract) -> Result<Item, Error> {
    let checksum = checksum(&new.spec).map_err(invalid_spec)?;
    let mut fields = key(&new.reference);
    fields.insert("status".into(), new.status.name().into());
    fields.insert("spec".into(), Value::M(new.spec.clone()));
    fields.insert("checksum".into(), checksum.into());
    fields.insert("createdBy".into(), new.created_by.as_str().into());
    Ok(fields)
}

/// The references of a version, one item per contract.
pub(super) fn of_references(from: &ContractRef, found: &[Reference]) -> Vec<Item> {
    let mut targets: BTreeMap<(&Kind, &str), Vec<Value>> = BTreeMap::new();
    for reference in found {
        let wanted = targets.entry((&reference.kind, &reference.id)).or_default();
        let text = Value::from(reference.wanted.to_string());
        if !wanted.contains(&text) {
            wanted.push(text);
        }
    }
    let item = |((kind, id), wanted): ((&Kind, &str), Vec<Value>)| {
        Item::from([
            ("toKind".into(), kind.as_str().into()),
            ("toId".into(), id.into()),
            ("fromKind".into(), from.kind.as_str().into()),
            ("fromId".into(), (&*from.id).into()),
            ("fromVersion".into(), from.version.to_string().into()),
            ("wanted".into(), Value::L(wanted)),
        ])
    };
    targets.into_iter().map(item).collect()
}

/// Decodes a version that is stored under a spelling of its kind, then verifies its checksum.
pub(super) fn contract(
    reference: &ContractRef,
    spelling: &str,
    mut item: Item,
) -> Result<Contract, ContractError> {
    let corrupted = |phrase| ContractError::Corrupted {
        reference: reference.clone(),
        reason: Message::new(phrase, Vec::new()),
    };
    let header = header_of(reference, &item)?;
    let text = |name: &str| item.get(name).and_then(Value::as_str);
    let (kind, id) = (text("kind"), text("id"));
    let version = text("version").and_then(|text| text.parse().ok());
    if (kind, id, version.as_ref()) != (Some(spelling), Some(&*reference.id), Some(&reference.version)) {
        return Err(corrupted(&errors::OTHER_NAME));
    }
    if header.created_at.is_none() || header.created_by.is_none() {
        return Err(corrupted(&errors::NO_AUTHOR));
    }
    match item.remove("spec") {
        // Before its kind was known, its members did not matter.
        Some(Value::M(spec)) if spelling != reference.kind.as_str() => Contract::unchanged(header, spec),
        Some(Value::M(spec)) => Contract::checked(header, spec),
        _ => Err(corrupted(&errors::NO_SPEC)),
    }
}

/// Decodes the header of a version.
pub(super) fn header(record: &Record) -> Result<Header, ContractError> {
    let text = |name: &str| record.text(name).unwrap_or_default();
    header_of(&ContractRef::new(text("kind"), text("id"), text("version"))?, &record.fields)
}

fn header_of(reference: &ContractRef, fields: &Item) -> Result<Header, ContractError> {
    let text = |name: &str| fields.get(name).and_then(Value::as_str);
    let corrupted = |phrase| ContractError::Corrupted {
        reference: reference.clone(),
        reason: Message::new(phrase, Vec::new()),
    };
    let time = |name: &str| {
        let parse = |text: &str| text.parse::<Timestamp>().map_err(|_| corrupted(&errors::BAD_TIME));
        text(name).map(parse).transpose()
    };
    let status = text("status").unwrap_or_default().parse().map_err(|_| corrupted(&errors::NO_STATUS))?;
    let changed = (time("statusChangedAt")?, text("statusChangedBy"));
    Ok(Header {
        reference: reference.clone(),
        status,
        checksum: text("checksum").unwrap_or_default().to_owned(),
        created_at: time("createdAt")?,
        created_by: text("createdBy").map(str::to_owned),
        status_changed: match changed {
            (Some(at), Some(by)) => Some(StatusChanged { at, by: by.to_owned() }),
            _ => None,
        },
    })
}

/// The item of a reference.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoredReference {
    from_kind: String,
    from_id: String,
    from_version: String,
    #[serde(default)]
    wanted: Vec<String>,
}

/// Decodes a referrer.
pub(super) fn referrer(record: &Record) -> Result<Referrer, ContractError> {
    let StoredReference { from_kind, from_id, from_version, wanted } = record.typed()?;
    Ok(Referrer { from: ContractRef::new(&from_kind, &from_id, &from_version)?, wanted })
}

/// The error of a version that does not match the model.
pub(super) fn unreadable(reference: &ContractRef, error: Error) -> ContractError {
    if error.code != CoreCode::NotOfThisModel {
        return error.into();
    }
    let reason = Message::join(Join::Semicolon, error.violations.iter().map(Violation::message));
    ContractError::Corrupted { reference: reference.clone(), reason }
}

/// The error of a list with an item that does not match the model; no item is skipped silently.
pub(super) fn unlistable(error: Error) -> ContractError {
    if error.code != CoreCode::NotOfThisModel {
        return error.into();
    }
    let message = message!(errors::LIST_UNREADABLE);
    ContractError::Refused(Error::conflict(ContractCode::ContractUnreadable, message))
}
