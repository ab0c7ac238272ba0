//! Contracts as JSON. Absent values are left out.

use hansang_contracts::{Contract, ContractError, ContractRef, Header, Headers, Status, StatusChange};
use hansang_core::value::json::item_to_plain;
use hansang_core::{Error, Message};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value as Json};

use super::cursor;

/// The name of a version in parts.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("x-entity" = "Contract"))]
pub(super) struct ShownReference {
    kind: String,
    id: String,
    version: String,
}

/// The immutable part of a version, without its spec.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("x-entity" = "Contract"))]
struct Immutable {
    #[serde(flatten)]
    reference: ShownReference,
    checksum: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    created_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    created_by: Option<String>,
}

/// A version without its spec.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("x-entity" = "Contract"))]
pub(super) struct ShownHeader {
    #[serde(flatten)]
    immutable: Immutable,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    status_changed_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status_changed_by: Option<String>,
}

/// A version without its spec, and warnings for its author.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("x-entity" = "Contract"))]
pub(super) struct HeaderWithWarnings {
    #[serde(flatten)]
    header: ShownHeader,
    warnings: Vec<String>,
}

/// The immutable part of a version.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("x-entity" = "Contract"))]
pub(super) struct ShownContract {
    #[serde(flatten)]
    immutable: Immutable,
    spec: Map<String, Json>,
}

/// A version with its spec.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("x-entity" = "Contract"))]
pub(super) struct WholeContract {
    #[serde(flatten)]
    header: ShownHeader,
    spec: Map<String, Json>,
}

/// A change of a version's status.
#[derive(Serialize, JsonSchema)]
pub(super) struct ShownChange {
    /// The status before; absent for a registration that needed a reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<&'static str>,
    to: &'static str,
    at: String,
    by: String,
    /// The reason for which the compatibility rule did not hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

impl From<&StatusChange> for ShownChange {
    fn from(change: &StatusChange) -> Self {
        Self {
            from: change.from.map(Status::name),
            to: change.to.name(),
            at: change.at.to_string(),
            by: change.by.clone(),
            reason: change.reason.clone(),
        }
    }
}

/// A complete list.
#[derive(Serialize, JsonSchema)]
pub(super) struct Items<T> {
    items: Vec<T>,
}

/// A page of a list.
#[derive(Serialize, JsonSchema)]
pub(super) struct Page<T> {
    items: Vec<T>,
    /// Send it as `cursor`; null at the end.
    next: Option<String>,
}

/// A page of versions, and the problems of those that cannot be read.
#[derive(Serialize, JsonSchema)]
pub(super) struct ListPage {
    #[serde(flatten)]
    page: Page<ShownHeader>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unreadable: Vec<Unreadable>,
}

#[derive(Serialize, JsonSchema)]
struct Unreadable {
    code: String,
    message: String,
}

impl ListPage {
    pub(super) fn of(page: Headers) -> Self {
        let unreadable = |error: ContractError| {
            let error = Error::from(error);
            Unreadable { code: error.code.as_str().to_owned(), message: error.message.to_string() }
        };
        Self {
            page: Page::of(&page.headers, page.next.as_deref()),
            unreadable: page.unreadable.into_iter().map(unreadable).collect(),
        }
    }
}

impl<T> Items<T> {
    pub(super) fn of(items: impl IntoIterator<Item = impl Into<T>>) -> Self {
        Self { items: items.into_iter().map(Into::into).collect() }
    }
}

impl<T> Page<T> {
    pub(super) fn of(items: impl IntoIterator<Item = impl Into<T>>, next: Option<&str>) -> Self {
        Self { items: items.into_iter().map(Into::into).collect(), next: next.map(cursor::closed) }
    }
}

impl HeaderWithWarnings {
    pub(super) fn of(header: &Header, warnings: &[Message]) -> Self {
        Self { header: header.into(), warnings: warnings.iter().map(ToString::to_string).collect() }
    }
}

impl From<&ContractRef> for ShownReference {
    fn from(reference: &ContractRef) -> Self {
        Self {
            kind: reference.kind.to_string(),
            id: reference.id.to_string(),
            version: reference.version.to_string(),
        }
    }
}

impl From<&Header> for Immutable {
    fn from(header: &Header) -> Self {
        Self {
            reference: (&header.reference).into(),
            checksum: header.checksum.clone(),
            created_at: header.created_at.map(|at| at.to_string()),
            created_by: header.created_by.clone(),
        }
    }
}

impl From<&Header> for ShownHeader {
    fn from(header: &Header) -> Self {
        let changed = header.status_changed.as_ref();
        Self {
            immutable: header.into(),
            status: header.status.name(),
            status_changed_at: changed.map(|changed| changed.at.to_string()),
            status_changed_by: changed.map(|changed| changed.by.clone()),
        }
    }
}

impl From<&Contract> for ShownContract {
    fn from(contract: &Contract) -> Self {
        Self { immutable: (&contract.header).into(), spec: shown_spec(contract) }
    }
}

impl From<&Contract> for WholeContract {
    fn from(contract: &Contract) -> Self {
        Self { header: (&contract.header).into(), spec: shown_spec(contract) }
    }
}

/// The spec as JSON.
pub(super) fn shown_spec(contract: &Contract) -> Map<String, Json> {
    match item_to_plain(&contract.spec) {
        Json::Object(members) => members,
        _ => Map::new(),
    }
}
