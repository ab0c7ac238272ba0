//! Creates tables and applies the model to existing ones.

use aws_sdk_dynamodb::types::{IndexStatus, TableDescription, TableStatus};
use hansang_core::model::{Index, Table};
use hansang_core::{CoreCode, Error, StoreError, message};

use crate::error::failure;
use crate::{DynamoDb, messages};

mod create;
mod describe;
mod fit;
mod settings;

pub use describe::{Description, IndexDescription};

/// Maximum number of polls until a table is ready. With pauses of up to 2 seconds, about ten minutes, enough
/// to fill a medium index.
const MAX_POLLS: u32 = 600;

/// Creates the table or extends it to the model. Idempotent and safe to run concurrently.
pub(crate) async fn ensure(db: &DynamoDb, table: &Table) -> Result<(), StoreError> {
    if stored(db, table).await?.is_none() {
        create::table(db, table).await?;
    }
    let found = active(db, table).await?;
    let expiry = settings::expiry(db, table).await?;
    fits(table, &found, expiry.as_deref())?;
    for index in &table.indexes {
        if fit::index(&found, &index.name).is_none() {
            add(db, table, index, &found).await?;
        }
    }
    settings::stream(db, table, &found).await?;
    settings::expire(db, table, expiry.as_deref()).await?;
    settings::recovery(db, table).await?;
    settings::tags(db, table, &found).await
}

/// Describes the table, or returns `None` if it does not exist.
async fn stored(db: &DynamoDb, table: &Table) -> Result<Option<TableDescription>, StoreError> {
    let request = db.client.describe_table().table_name(&table.name);
    let response = db
        .retries
        .read(|| async {
            request
                .clone()
                .send()
                .await
                .map(|output| output.table)
                .map_err(|error| failure(&db.endpoint, error))
        })
        .await;
    match response {
        Err(StoreError::Invalid(error)) if error.code == CoreCode::UnknownTable => Ok(None),
        other => other,
    }
}

/// Waits until the table and its indexes are active.
async fn active(db: &DynamoDb, table: &Table) -> Result<TableDescription, StoreError> {
    let waiting = format!("the table `{}` is not ready yet", table.name);
    until(db, &waiting, || async {
        // A new table is not visible everywhere at once.
        let Some(found) = stored(db, table).await? else { return Ok(None) };
        let indexes = found.global_secondary_indexes();
        let ready = found.table_status() == Some(&TableStatus::Active)
            && indexes.iter().all(|index| index.index_status() == Some(&IndexStatus::Active));
        Ok(ready.then_some(found))
    })
    .await
}

/// Retries until the service responds.
async fn until<T, F>(db: &DynamoDb, waiting: &str, ask: impl Fn() -> F) -> Result<T, StoreError>
where
    F: Future<Output = Result<Option<T>, StoreError>>,
{
    for look in 1..=MAX_POLLS {
        if let Some(response) = ask().await? {
            return Ok(response);
        }
        db.retries.pause(look).await;
    }
    Err(StoreError::unavailable(format!("{waiting}: it goes on by itself, do this again later")))
}

/// Refuses a table that cannot be changed to match the model.
fn fits(table: &Table, found: &TableDescription, expiry: Option<&str>) -> Result<(), StoreError> {
    let differences = fit::differences(table, found, expiry);
    if differences.is_empty() {
        return Ok(());
    }
    let message = message!(messages::DOES_NOT_FIT, &table.name, differences.join("; "));
    Err(Error::invalid(CoreCode::TableDoesNotFit, message).into())
}

/// Adds an index and waits until it is filled. DynamoDB adds one index at a time, so this retries while
/// another one is added.
async fn add(
    db: &DynamoDb,
    table: &Table,
    index: &Index,
    found: &TableDescription,
) -> Result<(), StoreError> {
    let waiting = format!("the index `{}` cannot be added while the table changes", index.name);
    until(db, &waiting, || async {
        let added = create::index(db, table, index, found).await;
        let found = active(db, table).await?;
        match (fit::index(&found, &index.name), added) {
            // Another process may have added it from another model.
            (Some(_), _) => fits(table, &found, None).map(Some),
            (None, Ok(()) | Err(StoreError::Throttled)) => Ok(None),
            (None, Err(error)) => Err(error),
        }
    })
    .await
}
