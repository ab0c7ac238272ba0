//! Reads responses of a server. `None` means that a response is not valid.

use std::sync::Arc;

use hansang_contracts::{
    CompatibilityRule, Contract, ContractCode, ContractError, ContractRef, Found, Header, Referrer,
    RuleScope, StatusChange, StatusChanged,
};
use hansang_core::value::json::item_from_plain;
use hansang_core::{Error, Item, Message};
use jiff::Timestamp;
use serde_json::Value as Json;

/// A member that is text.
pub(super) fn text(json: &Json, name: &str) -> Option<String> {
    json[name].as_str().map(str::to_owned)
}

/// A list of texts.
pub(super) fn texts(json: &Json) -> Option<Vec<String>> {
    json.as_array()?.iter().map(|one| one.as_str().map(str::to_owned)).collect()
}

/// The header of a version.
pub(super) fn header(json: &Json) -> Option<Header> {
    let status_changed = match (text(json, "statusChangedAt"), text(json, "statusChangedBy")) {
        (Some(at), Some(by)) => Some(StatusChanged { at: at.parse().ok()?, by }),
        _ => None,
    };
    let created_at = match text(json, "createdAt") {
        Some(at) => Some(at.parse::<Timestamp>().ok()?),
        None => None,
    };
    Some(Header {
        reference: reference(json)?,
        status: json["status"].as_str()?.parse().ok()?,
        checksum: text(json, "checksum")?,
        created_at,
        created_by: text(json, "createdBy"),
        status_changed,
    })
}

/// The compatibility rule that is set in this scope, if there is one.
pub(super) fn rule(json: &Json, scope: &RuleScope) -> Option<Option<CompatibilityRule>> {
    let mode = json["compatibility"].as_str()?.parse().ok()?;
    let rule = CompatibilityRule { mode, transitive: json["transitive"].as_bool()? };
    let here = match scope {
        RuleScope::All => "ALL",
        RuleScope::Kind(_) => "KIND",
        RuleScope::Contract(..) => "CONTRACT",
    };
    Some((json["setOn"] == here).then_some(rule))
}

/// A change of a status.
pub(super) fn change(json: &Json) -> Option<StatusChange> {
    let from = match text(json, "from") {
        Some(from) => Some(from.parse().ok()?),
        None => None,
    };
    Some(StatusChange {
        from,
        to: json["to"].as_str()?.parse().ok()?,
        at: json["at"].as_str()?.parse().ok()?,
        by: text(json, "by")?,
        reason: text(json, "reason"),
    })
}

/// The spec of the requested version; `None` for another version.
pub(super) fn spec(json: &Json, asked: &ContractRef) -> Option<Item> {
    let is_asked = reference(json)? == *asked;
    if is_asked { item_from_plain(&json["spec"]).ok() } else { None }
}

/// A version that refers to another.
pub(super) fn referrer(json: &Json) -> Option<Referrer> {
    Some(Referrer { from: reference(json)?, wanted: texts(&json["wanted"])? })
}

/// One entry of a walk. Verifies the checksum again.
pub(super) fn found(json: &Json) -> Option<Found> {
    let contract = match &json["error"] {
        Json::Null => {
            let header = header(&json["contract"])?;
            let spec = item_from_plain(&json["contract"]["spec"]).ok()?;
            Contract::checked(header, spec).map(Arc::new)
        }
        error => Err(why(error)?),
    };
    Some(Found { location: text(json, "place")?, contract })
}

fn why(json: &Json) -> Option<ContractError> {
    let reason = Message::raw(text(json, "reason")?);
    let reference = || json["reference"].as_str()?.parse::<ContractRef>().ok();
    Some(match ContractCode::from_text(json["code"].as_str()?) {
        Some(ContractCode::ContractCorrupted) => ContractError::Corrupted { reference: reference()?, reason },
        Some(ContractCode::ContractIntegrity) => ContractError::Integrity { reference: reference()?, reason },
        _ => ContractError::Refused(Error::invalid(ContractCode::ContractUnreadable, reason)),
    })
}

fn reference(json: &Json) -> Option<ContractRef> {
    let part = |name: &str| json[name].as_str();
    ContractRef::new(part("kind")?, part("id")?, part("version")?).ok()
}
