//! Settings that can be changed at any time: stream, expiry, recovery, tags.
//!
//! Local endpoints lack some of these operations. Unsupported ones are skipped: see [`if_known`].

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

/// Returns the response, or `None` if the endpoint does not support the operation.
fn if_known<T, E>(db: &DynamoDb, response: Result<T, SdkError<E>>) -> Result<Option<T>, Failure>
where
    E: ProvideErrorMetadata + StdError + Send + Sync + 'static,
{
    match response {
        Ok(response) => Ok(Some(response)),
        Err(error) if error.code() == Some("UnknownOperationException") => Ok(None),
        Err(error) => Err(failure(&db.endpoint, error)),
    }
}

/// Enables the stream if the model has one.
pub(super) async fn stream(db: &DynamoDb, table: &Table, found: &TableDescription) -> Result<(), StoreError> {
    if !table.streams || streams(found) {
        return Ok(());
    }
    let request = db.client.update_table().table_name(&table.name).stream_specification(create::stream()?);
    let tried = db.retries.run(true, || async {
        request.clone().send().await.map(drop).map_err(|error| failure(&db.endpoint, error))
    });
    let switched = create::in_use_is_done(tried.await.result);
    // Another process, or an attempt whose response was lost, may have enabled it.
    if streams(&active(db, table).await?) { Ok(()) } else { switched }
}

fn streams(found: &TableDescription) -> bool {
    found.stream_specification().is_some_and(|stream| stream.stream_enabled())
}

/// Current TTL attribute.
pub(super) async fn expiry(db: &DynamoDb, table: &Table) -> Result<Option<String>, StoreError> {
    let request = db.client.describe_time_to_live().table_name(&table.name);
    let response = db.retries.read(|| async { if_known(db, request.clone().send().await) }).await?;
    let expiry = response.and_then(|response| response.time_to_live_description);
    Ok(expiry.and_then(|expiry| match expiry.time_to_live_status {
        Some(TimeToLiveStatus::Enabled | TimeToLiveStatus::Enabling) => expiry.attribute_name,
        _ => None,
    }))
}

/// Enables expiry if the model has it and it is off.
pub(super) async fn expire(db: &DynamoDb, table: &Table, now: Option<&str>) -> Result<(), StoreError> {
    let wanted = table.ttl.as_ref().filter(|ttl| ttl.enabled).map(|ttl| &*ttl.attribute);
    let Some(wanted) = wanted.filter(|_| now.is_none()) else { return Ok(()) };
    let specification =
        TimeToLiveSpecification::builder().attribute_name(wanted).enabled(true).build().map_err(unbuilt)?;
    let request =
        db.client.update_time_to_live().table_name(&table.name).time_to_live_specification(specification);
    let tried = db.retries.run(true, || async { if_known(db, request.clone().send().await) });
    match tried.await.result {
        // Another process, or an attempt whose response was lost, may have enabled it.
        Err(error) if expiry(db, table).await?.as_deref() != Some(wanted) => Err(error),
        _ => Ok(()),
    }
}

/// Enables point-in-time recovery if the model has it and it is off.
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
                response => if_known(db, response).map(|_| Some(())),
            }
        });
        tried.await.result
    })
    .await
}

/// Returns whether point-in-time recovery is on, or `None` if the endpoint does not support it.
pub(super) async fn recovers(db: &DynamoDb, table: &Table) -> Result<Option<bool>, StoreError> {
    let request = db.client.describe_continuous_backups().table_name(&table.name);
    let response = db.retries.read(|| async { if_known(db, request.clone().send().await) }).await?;
    Ok(response.map(|response| {
        let recovery = response
            .continuous_backups_description
            .and_then(|backups| backups.point_in_time_recovery_description)
            .and_then(|recovery| recovery.point_in_time_recovery_status);
        recovery == Some(PointInTimeRecoveryStatus::Enabled)
    }))
}

/// Adds or updates the tags of the model. Other tags stay.
pub(super) async fn tags(db: &DynamoDb, table: &Table, found: &TableDescription) -> Result<(), StoreError> {
    let Some(arn) = found.table_arn().filter(|_| !table.tags.is_empty()) else { return Ok(()) };
    let mut wanted = create::tags(table)?;
    let mut next = None;
    loop {
        let request = db.client.list_tags_of_resource().resource_arn(arn).set_next_token(next);
        let response = db.retries.read(|| async { if_known(db, request.clone().send().await) }).await?;
        let Some(response) = response else { return Ok(()) };
        let has: Vec<Tag> = response.tags.unwrap_or_default();
        wanted.retain(|tag| !has.contains(tag));
        next = response.next_token;
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
