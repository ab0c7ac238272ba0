//! What can be switched on for a table at any time: stream, expiry, recovery, tags.
//!
//! Endpoints that run on one machine do not know all of these operations. What they do not know they
//! do not need, so it is left out there: see [`if_known`].

use std::error::Error as StdError;

use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::types::{
    PointInTimeRecoverySpecification, PointInTimeRecoveryStatus, TableDescription, Tag,
    TimeToLiveSpecification, TimeToLiveStatus,
};
use hansang_core::StoreError;
use hansang_core::model::Table;

use crate::DynamoDb;
use crate::batch::unbuilt;
use crate::error::{Failure, failure};

use super::{active, create, until};

/// The answer to an operation, or nothing if the endpoint does not know the operation.
fn if_known<T, E>(db: &DynamoDb, answer: Result<T, SdkError<E>>) -> Result<Option<T>, Failure>
where
    E: ProvideErrorMetadata + StdError + Send + Sync + 'static,
{
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(error) if error.code() == Some("UnknownOperationException") => Ok(None),
        Err(error) => Err(failure(&db.place, error)),
    }
}

/// Switches the stream on if the model wants one.
pub(super) async fn stream(db: &DynamoDb, table: &Table, found: &TableDescription) -> Result<(), StoreError> {
    if !table.streams || streams(found) {
        return Ok(());
    }
    let request = db.client.update_table().table_name(&table.name).stream_specification(create::stream()?);
    let tried = db.retries.run(true, || async {
        request.clone().send().await.map(drop).map_err(|error| failure(&db.place, error))
    });
    let switched = create::in_use_is_done(tried.await.result);
    // Another process, or an attempt whose answer was lost, may have been faster.
    if streams(&active(db, table).await?) { Ok(()) } else { switched }
}

fn streams(found: &TableDescription) -> bool {
    found.stream_specification().is_some_and(|stream| stream.stream_enabled())
}

/// The attribute by which items expire now.
pub(super) async fn expiry(db: &DynamoDb, table: &Table) -> Result<Option<String>, StoreError> {
    let request = db.client.describe_time_to_live().table_name(&table.name);
    let answer = db.retries.read(|| async { if_known(db, request.clone().send().await) }).await?;
    let expiry = answer.and_then(|answer| answer.time_to_live_description);
    Ok(expiry.and_then(|expiry| match expiry.time_to_live_status {
        Some(TimeToLiveStatus::Enabled | TimeToLiveStatus::Enabling) => expiry.attribute_name,
        _ => None,
    }))
}

/// Switches expiry on if the model wants it and it is off.
pub(super) async fn expire(db: &DynamoDb, table: &Table, now: Option<&str>) -> Result<(), StoreError> {
    let wanted = table.ttl.as_ref().filter(|ttl| ttl.enabled).map(|ttl| &*ttl.attribute);
    let Some(wanted) = wanted.filter(|_| now.is_none()) else { return Ok(()) };
    let specification =
        TimeToLiveSpecification::builder().attribute_name(wanted).enabled(true).build().map_err(unbuilt)?;
    let request =
        db.client.update_time_to_live().table_name(&table.name).time_to_live_specification(specification);
    let tried = db.retries.run(true, || async { if_known(db, request.clone().send().await) });
    match tried.await.result {
        // Another process, or an attempt whose answer was lost, may have been faster.
        Err(error) if expiry(db, table).await?.as_deref() != Some(wanted) => Err(error),
        _ => Ok(()),
    }
}

/// Switches point-in-time recovery on if the model wants it and it is off.
pub(super) async fn recovery(db: &DynamoDb, table: &Table) -> Result<(), StoreError> {
    if !table.recovery || recovers(db, table).await? != Some(false) {
        return Ok(());
    }
    let on = PointInTimeRecoverySpecification::builder()
        .point_in_time_recovery_enabled(true)
        .build()
        .map_err(unbuilt)?;
    let request = db
        .client
        .update_continuous_backups()
        .table_name(&table.name)
        .point_in_time_recovery_specification(on);
    let waiting = format!("backups of the table `{}` are not ready yet", table.name);
    until(db, &waiting, || async {
        let tried = db.retries.run(true, || async {
            match request.clone().send().await {
                // A new table has no backups for some time.
                Err(error) if error.code() == Some("ContinuousBackupsUnavailableException") => Ok(None),
                answer => if_known(db, answer).map(|_| Some(())),
            }
        });
        tried.await.result
    })
    .await
}

/// Whether point-in-time recovery is on; nothing if the endpoint does not know it.
pub(super) async fn recovers(db: &DynamoDb, table: &Table) -> Result<Option<bool>, StoreError> {
    let request = db.client.describe_continuous_backups().table_name(&table.name);
    let answer = db.retries.read(|| async { if_known(db, request.clone().send().await) }).await?;
    Ok(answer.map(|answer| {
        let recovery = answer
            .continuous_backups_description
            .and_then(|backups| backups.point_in_time_recovery_description)
            .and_then(|recovery| recovery.point_in_time_recovery_status);
        recovery == Some(PointInTimeRecoveryStatus::Enabled)
    }))
}

/// Gives the table the tags of the model that it lacks or has with another value. Others stay:
/// somebody else may keep them.
pub(super) async fn tags(db: &DynamoDb, table: &Table, found: &TableDescription) -> Result<(), StoreError> {
    let Some(arn) = found.table_arn().filter(|_| !table.tags.is_empty()) else { return Ok(()) };
    let mut wanted = create::tags(table)?;
    let mut next = None;
    loop {
        let request = db.client.list_tags_of_resource().resource_arn(arn).set_next_token(next);
        let answer = db.retries.read(|| async { if_known(db, request.clone().send().await) }).await?;
        let Some(answer) = answer else { return Ok(()) };
        let has: Vec<Tag> = answer.tags.unwrap_or_default();
        wanted.retain(|tag| !has.contains(tag));
        next = answer.next_token;
        if next.is_none() {
            break;
        }
    }
    if wanted.is_empty() {
        return Ok(());
    }
    let request = db.client.tag_resource().resource_arn(arn).set_tags(Some(wanted));
    let tried = db.retries.run(true, || async { if_known(db, request.clone().send().await) });
    create::in_use_is_done(tried.await.result.map(drop))
}
