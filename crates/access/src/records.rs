//! Stored items as structs, and helpers to read and write them.

use std::collections::BTreeMap;
use std::fmt;

use hansang_core::db::{Ask, Operation, TypedListing};
use hansang_core::plan::{Change, Condition, Guard, Path, Reason};
use hansang_core::validate::Violation;
use hansang_core::value::json;
use hansang_core::write::Update;
use hansang_core::{CoreCode, Db, Error, Item, Message, Name, Record, Value, message};
use jiff::Timestamp;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use crate::{AccessCode, Paging, messages};

/// An account as it is stored.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct StoredAccount {
    pub(super) account_id: String,
    pub(super) login: String,
    pub(super) name: String,
    pub(super) password_hash: String,
    pub(super) grants: BTreeMap<String, String>,
    pub(super) disabled: bool,
    pub(super) generation: i64,
    #[serde(default)]
    pub(super) token_generation: i64,
    pub(super) time_zone: Option<String>,
    pub(super) version: i64,
    pub(super) created_at: String,
    pub(super) updated_at: String,
}

impl fmt::Debug for StoredAccount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoredAccount").field("account_id", &self.account_id).finish_non_exhaustive()
    }
}

/// A session as it is stored.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct StoredSession {
    pub(super) secret_hash: String,
    pub(super) session_id: String,
    pub(super) account_id: String,
    pub(super) generation: i64,
    pub(super) csrf: String,
    pub(super) ends_at: String,
    pub(super) ttl: i64,
}

/// A token as it is stored.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct StoredToken {
    pub(super) secret_hash: String,
    pub(super) token_id: String,
    pub(super) account_id: String,
    #[serde(default)]
    pub(super) generation: i64,
    pub(super) name: String,
    pub(super) grants: BTreeMap<String, String>,
    pub(super) last_used_on: Option<String>,
    pub(super) created_at: String,
    pub(super) ttl: i64,
}

/// Reads the item of a pattern that finds at most one, with strong consistency.
pub(super) async fn one<T: DeserializeOwned>(
    db: &Db,
    pattern: &str,
    given: Json,
) -> Result<Option<T>, Error> {
    let ask = Ask { consistent: Some(true), ..Ask::default() };
    let listing = db.query(pattern, item(&given)?, ask).await?;
    listing.records.first().map(|record| record.sound(db.model())?.typed()).transpose()
}

/// Reads a page of a pattern. Skips, logs and counts unreadable items.
pub(super) async fn page<T: DeserializeOwned>(
    db: &Db,
    pattern: &str,
    given: Json,
    paging: Paging,
) -> Result<TypedListing<T>, Error> {
    let ask = Ask { limit: paging.limit, cursor: paging.cursor, ..Ask::default() };
    let listing = db.query(pattern, item(&given)?, ask).await?;
    let decoded = |record: &Record| record.sound(db.model())?.typed();
    let (items, unreadable) = readable(pattern, listing.records.iter().map(decoded));
    Ok(TypedListing { items, unreadable, next: listing.next, previous: listing.previous })
}

/// Splits into readable items and the number of unreadable ones.
fn readable<T>(what: &str, all: impl Iterator<Item = Result<T, Error>>) -> (Vec<T>, usize) {
    let (mut items, mut unreadable) = (Vec::new(), 0);
    for item in all {
        match item {
            Ok(item) => items.push(item),
            Err(error) => {
                unreadable += 1;
                tracing::error!(%error, pattern = what, "an item that cannot be read is left out of a list");
            }
        }
    }
    (items, unreadable)
}

/// Converts every entry of a page. Skips, logs and counts those that fail.
pub(super) fn map_page<T, U>(page: TypedListing<T>, each: impl Fn(T) -> Result<U, Error>) -> TypedListing<U> {
    let (items, unreadable) = readable("map", page.items.into_iter().map(each));
    let unreadable = page.unreadable + unreadable;
    TypedListing { items, unreadable, next: page.next, previous: page.previous }
}

/// Fields written as JSON.
pub(super) fn item(json: &Json) -> Result<Item, Error> {
    json::item_from_plain(json).map_err(|problem| Error::invalid(CoreCode::InvalidFields, problem))
}

/// A new item.
pub(super) fn create(entity: &str, fields: &Json) -> Result<Operation, Error> {
    Ok(Operation::Create { entity: entity.into(), fields: item(fields)?, guards: Vec::new() })
}

/// An update that sets fields and increments counters.
pub(super) fn update(key: &Json, set: &Json, grow: &[(&str, i64)]) -> Result<Update, Error> {
    let sets = item(set)?.into_iter().map(|(name, value)| (Path::from(&name), Change::Set(value)));
    let grows = grow.iter().map(|(name, by)| (Path::from(&Name::from(*name)), Change::Add((*by).into())));
    Ok(Update { key: item(key)?, changes: sets.chain(grows).collect(), expected_version: None })
}

/// A guard that a field still has the value that was read.
pub(super) fn still(field: &str, value: impl Into<Value>, otherwise: Error) -> Guard {
    let condition = Condition::unchanged(&Name::from(field), Some(&value.into()));
    Guard { condition, otherwise: Reason::Other(otherwise) }
}

/// An error about one field. The problem follows the field's name in the sentence.
pub(super) fn wrong(field: &str, problem: Message) -> Error {
    Error::fields(vec![Violation { attribute: field.to_owned(), problem }])
}

/// A stored time.
pub(super) fn time(text: &str) -> Result<Timestamp, Error> {
    text.parse().map_err(|_| unreadable())
}

/// A stored second.
pub(super) fn second(second: i64) -> Result<Timestamp, Error> {
    Timestamp::from_second(second).map_err(|_| unreadable())
}

/// The day of a time in UTC, as it is stored.
pub(super) fn day(now: Timestamp) -> String {
    jiff::tz::TimeZone::UTC.to_datetime(now).date().to_string()
}

fn unreadable() -> Error {
    Error::internal(AccessCode::UnreadableTime, message!(messages::UNREADABLE_TIME))
}
