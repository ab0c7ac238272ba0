//! Tables: made, and brought up to the model.

use aws_sdk_dynamodb::types::{IndexStatus, TableDescription, TableStatus};
use hansang_core::model::{Index, Table};
use hansang_core::{Error, StoreError};

use crate::DynamoDb;
use crate::error::failure;

mod create;
mod describe;
mod fit;
mod settings;

pub use describe::{Description, IndexDescription};

/// How often a table is looked at while it is not ready. With pauses of up to 2 seconds these are
/// about ten minutes, in which DynamoDB makes any table and fills a middling index.
const LOOKS: u32 = 600;

/// The table as the model has it: made, or brought up to it. Doing it again changes nothing, and
/// others may do it at the same time.
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

/// What DynamoDB says of the table, or nothing if there is none.
async fn stored(db: &DynamoDb, table: &Table) -> Result<Option<TableDescription>, StoreError> {
    let request = db.client.describe_table().table_name(&table.name);
    let answer = db
        .retries
        .read(|| async {
            request.clone().send().await.map(|output| output.table).map_err(|error| failure(&db.place, error))
        })
        .await;
    match answer {
        Err(StoreError::Invalid(error)) if error.code == "unknown_table" => Ok(None),
        other => other,
    }
}

/// Waits until the table and its indexes can be used and changed.
async fn active(db: &DynamoDb, table: &Table) -> Result<TableDescription, StoreError> {
    let waiting = format!("the table `{}` is not ready yet", table.name);
    until(db, &waiting, || async {
        // What was just made is not seen at once everywhere.
        let Some(found) = stored(db, table).await? else { return Ok(None) };
        let indexes = found.global_secondary_indexes();
        let ready = found.table_status() == Some(&TableStatus::Active)
            && indexes.iter().all(|index| index.index_status() == Some(&IndexStatus::Active));
        Ok(ready.then_some(found))
    })
    .await
}

/// Asks until there is an answer.
async fn until<T, F>(db: &DynamoDb, waiting: &str, ask: impl Fn() -> F) -> Result<T, StoreError>
where
    F: Future<Output = Result<Option<T>, StoreError>>,
{
    for look in 1..=LOOKS {
        if let Some(answer) = ask().await? {
            return Ok(answer);
        }
        db.retries.pause(look).await;
    }
    Err(StoreError::unavailable(format!("{waiting}: it goes on by itself, do this again later")))
}

/// A table that was made otherwise cannot be changed into what the model needs, and must not be
/// used as if it could.
fn fits(table: &Table, found: &TableDescription, expiry: Option<&str>) -> Result<(), StoreError> {
    let differences = fit::differences(table, found, expiry);
    if differences.is_empty() {
        return Ok(());
    }
    let message = format!(
        "the table `{}` does not fit the model: {}. Change the model, or give it another table",
        table.name,
        differences.join("; ")
    );
    Err(Error::invalid("table_does_not_fit", message).into())
}

/// Adds an index and waits until it is filled. DynamoDB takes one at a time, so while somebody else
/// adds another it has to be asked again.
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
            // Whoever else added it may have had another model.
            (Some(_), _) => fits(table, &found, None).map(Some),
            (None, Ok(()) | Err(StoreError::Throttled)) => Ok(None),
            (None, Err(error)) => Err(error),
        }
    })
    .await
}
