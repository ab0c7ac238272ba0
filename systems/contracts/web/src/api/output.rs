//! Contracts become JSON.

use hansang_contracts::{Contract, ContractRef, Header};
use hansang_core::Message;
use hansang_core::value::json::item_to_plain;
use serde_json::{Value as Json, json};

use super::cursor;

/// What is known of a version.
pub(super) fn header(header: &Header) -> Json {
    let mut json = lasting(header);
    json["status"] = header.status.name().into();
    if let Some(changed) = &header.status_changed {
        json["statusChangedAt"] = changed.at.to_string().into();
        json["statusChangedBy"] = changed.by.as_str().into();
    }
    json
}

/// What is known of a version, and what its author should know.
pub(super) fn header_with_warnings(known: &Header, warnings: &[Message]) -> Json {
    let mut json = header(known);
    json["warnings"] = warnings.iter().map(ToString::to_string).collect();
    json
}

/// What of a version never changes.
pub(super) fn contract(contract: &Contract) -> Json {
    let mut json = lasting(&contract.header);
    json["spec"] = item_to_plain(&contract.spec);
    json
}

/// All of a version.
pub(super) fn whole(contract: &Contract) -> Json {
    let mut json = header(&contract.header);
    json["spec"] = item_to_plain(&contract.spec);
    json
}

/// A list, which is whole.
pub(super) fn items(items: Vec<Json>) -> Json {
    json!({ "items": items })
}

/// A page of a list.
pub(super) fn page(items: Vec<Json>, next: Option<&str>) -> Json {
    json!({ "items": items, "next": next.map(cursor::closed) })
}

/// The name of a version in parts.
pub(super) fn reference(reference: &ContractRef) -> Json {
    json!({
        "kind": reference.kind.as_str(),
        "id": &*reference.id,
        "version": reference.version.to_string(),
    })
}

fn lasting(header: &Header) -> Json {
    let mut json = reference(&header.reference);
    json["checksum"] = header.checksum.as_str().into();
    if let Some(at) = header.created_at {
        json["createdAt"] = at.to_string().into();
    }
    if let Some(by) = &header.created_by {
        json["createdBy"] = by.as_str().into();
    }
    json
}
