//! Converts records to JSON, in the same form for all responses.

use axum::Json as Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use hansang_core::db::{Listing, Stray};
use hansang_core::validate::Violation;
use hansang_core::value::json::{Plain, item_to_typed};
use hansang_core::{Item, Record};
use serde::Serialize;
use serde::ser::{SerializeMap as _, Serializer};
use serde_json::{Value as Json, json};

use hansang_http::input::{ENTITY, ITEM, PROBLEMS};

/// A record: its fields, the name of its entity, and the problems of its stored item if it has any.
#[derive(Clone, Copy)]
pub(crate) struct Members<'r> {
    pub(crate) entity: &'r str,
    pub(crate) fields: &'r Item,
    pub(crate) problems: &'r [Violation],
}

impl<'r> From<&'r Record> for Members<'r> {
    fn from(record: &'r Record) -> Self {
        Self { entity: &record.entity.name, fields: &record.fields, problems: &record.problems }
    }
}

impl Members<'_> {
    /// The record as a line of JSON.
    pub(crate) fn line(self) -> String {
        let mut line = serde_json::to_string(&self).unwrap_or_default();
        line.push('\n');
        line
    }
}

impl Serialize for Members<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_map(None)?;
        members.serialize_entry(ENTITY, self.entity)?;
        if !self.problems.is_empty() {
            members.serialize_entry(PROBLEMS, &problems(self.problems))?;
        }
        for (name, value) in self.fields {
            members.serialize_entry(&**name, &Plain(value))?;
        }
        members.end()
    }
}

/// A page. Items that fit no entity come last.
#[derive(Serialize)]
pub(crate) struct ShownPage<'l> {
    items: Vec<Shown<'l>>,
    next: Option<&'l str>,
    previous: Option<&'l str>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Shown<'l> {
    Record(Members<'l>),
    /// An item that fits no entity, as it is stored.
    Stray(Json),
}

impl<'l> From<&'l Listing> for ShownPage<'l> {
    fn from(listing: &'l Listing) -> Self {
        let records = listing.records.iter().map(|record| Shown::Record(record.into()));
        let strays = listing.strays.iter().map(|one| Shown::Stray(stray(one)));
        Self {
            items: records.chain(strays).collect(),
            next: listing.next.as_deref(),
            previous: listing.previous.as_deref(),
        }
    }
}

fn stray(stray: &Stray) -> Json {
    json!({ ITEM: item_to_typed(&stray.item), PROBLEMS: problems(&stray.problems) })
}

fn problems(found: &[Violation]) -> Json {
    let problem = |one: &Violation| json!({ "field": one.attribute, "message": one.problem.to_string() });
    found.iter().map(problem).collect()
}

/// A response with one record, and its version as a tag.
pub(crate) fn with_record(status: StatusCode, one: &Record) -> Response {
    let mut headers = HeaderMap::new();
    if let Some(tag) = one.version().and_then(|version| HeaderValue::try_from(format!("\"{version}\"")).ok())
    {
        headers.insert(header::ETAG, tag);
    }
    (status, headers, Body(Members::from(one))).into_response()
}
