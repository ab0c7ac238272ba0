//! Batch reads and writes, with retries of unprocessed entries.

use std::collections::BTreeMap;

use aws_sdk_dynamodb::types::{KeysAndAttributes, PutRequest, WriteRequest};
use hansang_core::expression::Expressions;
use hansang_core::model::Table;
use hansang_core::plan::{BatchGet, Key};
use hansang_core::store::check;
use hansang_core::value::item_size;
use hansang_core::{Item, StoreError};

use crate::DynamoDb;
use crate::error::{Failure, failure};
use crate::read::{asked, only};
use crate::value::{item_from_sdk, item_to_sdk, key_to_sdk};
use crate::write::names;

/// Maximum number of keys per request.
const MAX_KEYS: usize = 100;

/// Maximum number of items per request.
const MAX_ITEMS: usize = 25;

/// Maximum size of a request, counted as item sizes. A request may have 16 MB of JSON, and small attributes
/// take ten times their item size there.
const MAX_BYTES: usize = 1 << 20;

pub(crate) async fn get(
    db: &DynamoDb,
    table: &Table,
    gets: &BatchGet,
) -> Result<Vec<Option<Item>>, StoreError> {
    gets.keys.iter().try_for_each(|key| check::key(table, key))?;
    let mut found: BTreeMap<Key, Option<Item>> = gets.keys.iter().map(|key| (key.clone(), None)).collect();
    let mut waiting: Vec<Key> = found.keys().cloned().collect();
    let mut fruitless = 0;
    while !waiting.is_empty() {
        let chunk = waiting.split_off(waiting.len().saturating_sub(MAX_KEYS));
        let (items, left) = some(db, table, gets, &chunk).await?;
        for (key, item) in items {
            found.insert(key, Some(only(item, gets.fields.as_deref())));
        }
        if !left.is_empty() {
            fruitless = wait(db, fruitless, left.len() < chunk.len()).await?;
            waiting.extend(left);
        }
    }
    Ok(gets.keys.iter().map(|key| found.get(key).cloned().flatten()).collect())
}

/// Counts requests without progress and pauses. Gives up after too many.
async fn wait(db: &DynamoDb, fruitless: u32, progress: bool) -> Result<u32, StoreError> {
    let fruitless = if progress { 0 } else { fruitless + 1 };
    if fruitless >= db.retries.attempts {
        return Err(StoreError::Throttled);
    }
    db.retries.pause(fruitless.max(1)).await;
    Ok(fruitless)
}

type Found = (Vec<(Key, Item)>, Vec<Key>);

async fn some(db: &DynamoDb, table: &Table, gets: &BatchGet, keys: &[Key]) -> Result<Found, StoreError> {
    let mut expressions = Expressions::default();
    // Responses are unordered: items are matched by key.
    let projection = gets.fields.as_ref().map(|fields| {
        let keys = [table.pk.clone(), table.sk.clone()];
        expressions.projection(&asked(table, &[&fields[..], &keys[..]].concat()))
    });
    let wanted = KeysAndAttributes::builder()
        .set_keys(Some(keys.iter().map(|key| key_to_sdk(table, key)).collect()))
        .consistent_read(gets.consistent)
        .set_projection_expression(projection)
        .set_expression_attribute_names(names(&expressions))
        .build()
        .map_err(unbuilt)?;
    let request = db.client.batch_get_item().request_items(&table.name, wanted);
    db.retries
        .read(|| async {
            let output = request.clone().send().await.map_err(|error| failure(&db.endpoint, error))?;
            let items = output.responses.into_iter().flatten().flat_map(|(_, items)| items);
            let items = items
                .map(|item| {
                    let item = item_from_sdk(item)?;
                    Ok((check::key_of(table, &item)?, item))
                })
                .collect::<Result<_, Failure>>()?;
            let left = output.unprocessed_keys.into_iter().flatten().flat_map(|(_, left)| left.keys);
            let left = left
                .map(|key| Ok(check::key_of(table, &item_from_sdk(key)?)?))
                .collect::<Result<_, Failure>>()?;
            Ok((items, left))
        })
        .await
}

pub(crate) async fn put(db: &DynamoDb, table: &Table, items: Vec<Item>) -> Result<(), StoreError> {
    // DynamoDB refuses two items of one key in a request. Only the last one is kept, as in sequential writes.
    let mut last = BTreeMap::new();
    for item in items {
        last.insert(check::item(table, &item)?, item);
    }
    let mut waiting: Vec<(Key, Item)> = last.into_iter().collect();
    let mut fruitless = 0;
    while !waiting.is_empty() {
        let mut chunk = waiting.split_off(waiting.len() - fitting(&waiting));
        let left = store(db, table, &chunk).await?;
        if !left.is_empty() {
            fruitless = wait(db, fruitless, left.len() < chunk.len()).await?;
            chunk.retain(|(key, _)| left.contains(key));
            waiting.append(&mut chunk);
        }
    }
    Ok(())
}

/// Number of items at the end that fit into a request, at least one.
fn fitting(waiting: &[(Key, Item)]) -> usize {
    let mut bytes = 0;
    let fits = |(_, item): &&(Key, Item)| {
        bytes += item_size(item);
        bytes <= MAX_BYTES
    };
    waiting.iter().rev().take(MAX_ITEMS).take_while(fits).count().max(1)
}

/// Returns the items that are not stored yet. A put is idempotent, so every error can be retried.
async fn store(db: &DynamoDb, table: &Table, items: &[(Key, Item)]) -> Result<Vec<Key>, StoreError> {
    let mut puts = Vec::with_capacity(items.len());
    for (_, item) in items {
        let put = PutRequest::builder().set_item(Some(item_to_sdk(item.clone()))).build().map_err(unbuilt)?;
        puts.push(WriteRequest::builder().put_request(put).build());
    }
    let request = db.client.batch_write_item().request_items(&table.name, puts);
    let tried = db
        .retries
        .run(true, || async {
            let output = request.clone().send().await.map_err(|error| failure(&db.endpoint, error))?;
            let left = output.unprocessed_items.into_iter().flatten().flat_map(|(_, left)| left);
            left.filter_map(|left| left.put_request)
                .map(|put| Ok(check::key_of(table, &item_from_sdk(put.item)?)?))
                .collect::<Result<_, Failure>>()
        })
        .await;
    tried.of_write(|_| false)
}

/// The error for a request that the SDK could not build because a required field is missing.
pub(crate) fn unbuilt(error: aws_sdk_dynamodb::error::BuildError) -> StoreError {
    StoreError::unavailable(format!("a request could not be made, which is a mistake in Hansang: {error}"))
}
