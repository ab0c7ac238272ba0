//! What DynamoDB says of a table, for people.

use hansang_core::StoreError;
use hansang_core::model::Table;

use crate::DynamoDb;

use super::{settings, stored};

/// A table as it is in DynamoDB.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// The state, such as `ACTIVE`.
    pub status: String,
    /// How many items it has. DynamoDB counts every six hours.
    pub item_count: u64,
    /// How many bytes they have. DynamoDB counts every six hours.
    pub size_bytes: u64,
    /// The indexes.
    pub indexes: Vec<IndexDescription>,
    /// The attribute by which items expire, if they do.
    pub ttl: Option<String>,
    /// Whether point-in-time recovery is on; absent if the endpoint does not know it.
    pub recovery: Option<bool>,
    /// What the stream shows, such as `NEW_AND_OLD_IMAGES`, if there is one.
    pub stream: Option<String>,
    /// The name of the table in all of AWS.
    pub arn: Option<String>,
}

/// An index as it is in DynamoDB.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexDescription {
    /// The name.
    pub name: String,
    /// The state, such as `CREATING`.
    pub status: String,
}

impl DynamoDb {
    /// The table as it is, or nothing if there is none.
    ///
    /// # Errors
    /// When DynamoDB cannot be reached or refuses to tell.
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
