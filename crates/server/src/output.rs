//! Records become JSON: the same shape wherever one is shown.

use axum::Json as Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use hansang_core::Record;
use hansang_core::db::Listing;
use hansang_core::value::json::to_plain;
use serde_json::{Map, Value as Json, json};

use hansang_http::input::ENTITY;

/// A record: its fields, and the name of its entity.
pub(crate) fn record(record: &Record) -> Json {
    let mut members = Map::with_capacity(record.fields.len() + 1);
    members.insert(ENTITY.to_owned(), Json::from(&*record.entity.name));
    members.extend(record.fields.iter().map(|(name, value)| (name.to_string(), to_plain(value))));
    Json::Object(members)
}

/// A page.
pub(crate) fn listing(listing: &Listing) -> Json {
    let items: Vec<Json> = listing.records.iter().map(record).collect();
    json!({ "items": items, "next": listing.next, "previous": listing.previous })
}

/// An answer with one record, and its version as a tag.
pub(crate) fn with_record(status: StatusCode, one: &Record) -> Response {
    let mut headers = HeaderMap::new();
    if let Some(tag) = one.version().and_then(|version| HeaderValue::try_from(format!("\"{version}\"")).ok())
    {
        headers.insert(header::ETAG, tag);
    }
    (status, headers, Body(record(one))).into_response()
}
