//! Describes a table for people.

use hansang_core::StoreError;
use hansang_core::model::Table;

use crate::DynamoDb;

use super::{settings, stored};

/// A table in DynamoDB.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// Status, such as `ACTIVE`.
    pub status: String,
    /// Number of items, which DynamoDB updates every six hours.
    pub item_count: u64,
    /// Size in bytes, which DynamoDB updates every six hours.
    pub size_bytes: u64,
    /// Indexes.
    pub indexes: Vec<IndexDescription>,
    /// TTL attribute, if items expire.
    pub ttl: Option<String>,
    /// Whether point-in-time recovery is on; absent if the endpoint does not support it.
    pub recovery: Option<bool>,
    /// Stream view, such as `NEW_AND_OLD_IMAGES`, if there is a stream.
    pub stream: Option<String>,
    /// ARN of the table.
    pub arn: Option<String>,
}

/// An index in DynamoDB.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexDescription {
    /// Name.
    pub name: String,
    /// Status, such as `CREATING`.
    pub status: String,
}

impl DynamoDb {
    /// Returns the table, or `None` if it does not exist.
    ///
    /// # Errors
    /// When DynamoDB cannot be reached or refuses the request.
    pub async fn describe(&self, table: &Table) -> Result<Option<Description>, StoreError> {
        let Some(found) = stored(self, table).await? else { return Ok(None) };
        let unknown = "UNKNOWN";
        let indexes = found.global_secondary_indexes().iter().map(|index| IndexDescription {
            name: index.index_name().unwrap_or(unknown).to_owned(),
            status: index.index_status().map_or(unknown, |status| status.as_str()).to_owned(),
        });
        let count =
            |count: Option<i64>| count.and_then(|count| u64::try_from(count).ok()).unwrap_or_default();
        let stream = found.stream_specification().filter(|stream| stream.stream_enabled());
        Ok(Some(Description {
            status: found.table_status().map_or(unknown, |status| status.as_str()).to_owned(),
            item_count: count(found.item_count()),
            size_bytes: count(found.table_size_bytes()),
            indexes: indexes.collect(),
            ttl: settings::expiry(self, table).await?,
            recovery: settings::recovers(self, table).await?,
            stream: stream
                .map(|stream| stream.stream_view_type().map_or(unknown, |view| view.as_str()).to_owned()),
            arn: found.table_arn().map(str::to_owned),
        }))
    }
}
