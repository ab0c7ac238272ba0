//! Contracts as items, and back.

use std::collections::BTreeMap;

use hansang_core::{Error, Item, Name, Record, Value};
use jiff::Timestamp;

use crate::checksum::checksum;
use crate::references::Reference;
use crate::registry::{NewContract, Referrer};
use crate::{Contract, ContractError, ContractRef, Header, Kind, StatusChanged};

/// The entity.
pub(super) const CONTRACT: &str = "Contract";

/// What a header is made of.
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

/// The fields of a version's key.
pub(super) fn key(reference: &ContractRef) -> Item {
    Item::from([
        ("kind".into(), reference.kind.as_str().into()),
        ("id".into(), (&*reference.id).into()),
        ("version".into(), reference.version.to_string().into()),
    ])
}

/// The fields of a new version.
pub(super) fn of_new(new: &NewContract) -> Result<Item, Error> {
    let checksum = checksum(&new.spec).map_err(|problem| Error::invalid("invalid_spec", problem))?;
    let mut fields = key(&new.reference);
    fields.insert("status".into(), new.status.name().into());
    fields.insert("spec".into(), Value::M(new.spec.clone()));
    fields.insert("checksum".into(), checksum.into());
    fields.insert("createdBy".into(), new.created_by.as_str().into());
    Ok(fields)
}

/// What a version names, an item for each contract.
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

/// A version from its fields: decoded, then its checksum checked.
pub(super) fn contract(mut fields: Item) -> Result<Contract, ContractError> {
    let header = header_of(&fields)?;
    match fields.remove("spec") {
        Some(Value::M(spec)) => Contract::checked(header, spec),
        _ => {
            let reason = "it has no spec".to_owned();
            Err(ContractError::Corrupted { reference: header.reference, reason })
        }
    }
}

/// What is known of a version that was read.
pub(super) fn header(record: &Record) -> Result<Header, ContractError> {
    header_of(&record.fields)
}

/// The model has checked that required fields are there and are what they should be.
fn header_of(fields: &Item) -> Result<Header, ContractError> {
    let text = |name: &str| fields.get(name).and_then(Value::as_str);
    let needed = |name: &str| text(name).unwrap_or_default();
    let reference = ContractRef::new(needed("kind"), needed("id"), needed("version"))?;
    let corrupted =
        |reason: &str| ContractError::Corrupted { reference: reference.clone(), reason: reason.to_owned() };
    let time = |name: &str| {
        let parse = |text: &str| text.parse::<Timestamp>().map_err(|_| corrupted("a time in it is none"));
        text(name).map(parse).transpose()
    };
    let status = needed("status").parse().map_err(|_| corrupted("it has no status"))?;
    let changed = (time("statusChangedAt")?, text("statusChangedBy"));
    Ok(Header {
        status,
        checksum: needed("checksum").to_owned(),
        created_at: time("createdAt")?,
        created_by: text("createdBy").map(str::to_owned),
        status_changed: match changed {
            (Some(at), Some(by)) => Some(StatusChanged { at, by: by.to_owned() }),
            _ => None,
        },
        reference,
    })
}

/// A version that names another, as it was read.
pub(super) fn referrer(record: &Record) -> Result<Referrer, ContractError> {
    let text = |name: &str| record.text(name).unwrap_or_default();
    let from = ContractRef::new(text("fromKind"), text("fromId"), text("fromVersion"))?;
    let wanted = match record.fields.get("wanted") {
        Some(Value::L(wanted)) => wanted.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    };
    Ok(Referrer { from, wanted })
}

/// Why one version could not be read. What is stored but is not of the model is corrupted; a checksum
/// that is missing or is none cannot vouch for anything.
pub(super) fn unreadable(reference: &ContractRef, error: Error) -> ContractError {
    if error.code != NOT_OF_MODEL {
        return error.into();
    }
    let reference = reference.clone();
    let names: Vec<Name> = error.violations.iter().map(|one| one.attribute.as_str().into()).collect();
    let reason = error.violations.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
    if !names.is_empty() && names.iter().all(|name| &**name == "checksum") {
        ContractError::Integrity { reference, reason }
    } else {
        ContractError::Corrupted { reference, reason }
    }
}

/// Why a list could not be read: one item that is not of the model spoils it, and nothing is left out
/// silently.
pub(super) fn unlistable(error: Error) -> ContractError {
    if error.code != NOT_OF_MODEL {
        return error.into();
    }
    let message = "a contract in this list cannot be read: `hansang contracts verify` tells which";
    ContractError::Refused(Error::conflict("contract_unreadable", message))
}

/// What [`hansang_core::Db`] says of an item that its model does not describe.
pub(super) const NOT_OF_MODEL: &str = "not_of_this_model";
