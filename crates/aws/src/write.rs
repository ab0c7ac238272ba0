//! Single conditional writes.

use std::collections::HashMap;

use aws_sdk_dynamodb::operation::delete_item::builders::DeleteItemFluentBuilder;
use aws_sdk_dynamodb::operation::put_item::builders::PutItemFluentBuilder;
use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use aws_sdk_dynamodb::types::{ReturnValue, ReturnValuesOnConditionCheckFailure};
use hansang_core::expression::Expressions;
use hansang_core::model::Table;
use hansang_core::plan::{Action, Change, Get, Key, Write};
use hansang_core::store::check;
use hansang_core::{Error, Item, StoreError};

use crate::error::{Failure, failure};
use crate::ours::{self, Origin};
use crate::retry::{Tried, unknown};
use crate::value::{Attributes, item_from_sdk, item_to_sdk, key_to_sdk, to_sdk};
use crate::{DynamoDb, read, transact};

pub(crate) async fn one(db: &DynamoDb, table: &Table, write: Write) -> Result<Option<Item>, StoreError> {
    check::write(table, &write)?;
    checked_update(table, &write)?;
    let request = match request(db, table, &write) {
        Some(request) => request,
        // DynamoDB has no single condition check: send a transaction.
        None => return transact::all(db, &[(table, &write)]).await.map(|()| None),
    };
    let tried = db.retries.run(ours::repeatable(&write), || request.send(&db.endpoint)).await;
    match tried {
        Tried { result: Err(StoreError::Condition(failed)), unsure } => {
            let item = match failed.into_iter().next().and_then(|failed| failed.item) {
                Some(item) => Some(item),
                None => found(db, table, &write.key)
                    .await
                    .map_err(|error| if unsure { unknown(error) } else { error })?,
            };
            if unsure && let Origin::Ours(result) = ours::judge(&write, item.as_ref()) {
                return Ok(result);
            }
            Err(StoreError::condition(item))
        }
        tried => tried.of_write(|_| false),
    }
}

/// Checks index keys that an update sets. They are invalid for any stored item, and not every endpoint checks
/// them.
pub(crate) fn checked_update(table: &Table, write: &Write) -> Result<(), Error> {
    let Action::Update(changes) = &write.action else { return Ok(()) };
    let set = changes.iter().filter_map(|(path, change)| match change {
        Change::Set(value) if path.inside.is_empty() => Some((path.root.clone(), value.clone())),
        _ => None,
    });
    check::updated(table, &set.collect())
}

/// Reads the current item. Endpoints before 2023 send no item with a failed condition, and no endpoint does
/// if it is missing.
async fn found(db: &DynamoDb, table: &Table, key: &Key) -> Result<Option<Item>, StoreError> {
    read::get(db, table, &Get { key: key.clone(), consistent: true, fields: None }).await
}

enum Request {
    Put(PutItemFluentBuilder),
    Update(UpdateItemFluentBuilder),
    Delete(DeleteItemFluentBuilder),
}

fn request(db: &DynamoDb, table: &Table, write: &Write) -> Option<Request> {
    let old = ReturnValuesOnConditionCheckFailure::AllOld;
    let mut expressions = Expressions::default();
    let condition = expressions.guards(write);
    let key = || Some(key_to_sdk(table, &write.key));
    Some(match &write.action {
        Action::Put(item) => Request::Put(
            db.client
                .put_item()
                .table_name(&table.name)
                .set_item(Some(item_to_sdk(item.clone())))
                .set_condition_expression(condition)
                .set_expression_attribute_names(names(&expressions))
                .set_expression_attribute_values(values(expressions))
                .return_values_on_condition_check_failure(old),
        ),
        Action::Update(changes) => Request::Update(
            db.client
                .update_item()
                .table_name(&table.name)
                .set_key(key())
                .update_expression(expressions.update(changes))
                .set_condition_expression(condition)
                .set_expression_attribute_names(names(&expressions))
                .set_expression_attribute_values(values(expressions))
                .return_values(ReturnValue::AllNew)
                .return_values_on_condition_check_failure(old),
        ),
        Action::Delete => Request::Delete(
            db.client
                .delete_item()
                .table_name(&table.name)
                .set_key(key())
                .set_condition_expression(condition)
                .set_expression_attribute_names(names(&expressions))
                .set_expression_attribute_values(values(expressions))
                .return_values(ReturnValue::AllOld)
                .return_values_on_condition_check_failure(old),
        ),
        Action::Check => return None,
    })
}

impl Request {
    async fn send(&self, endpoint: &str) -> Result<Option<Item>, Failure> {
        let attributes = match self {
            Self::Put(put) => {
                put.clone().send().await.map(|_| None).map_err(|error| failure(endpoint, error))?
            }
            Self::Update(update) => update
                .clone()
                .send()
                .await
                .map(|done| done.attributes)
                .map_err(|error| failure(endpoint, error))?,
            Self::Delete(delete) => delete
                .clone()
                .send()
                .await
                .map(|done| done.attributes)
                .map_err(|error| failure(endpoint, error))?,
        };
        Ok(attributes.filter(|item| !item.is_empty()).map(item_from_sdk).transpose()?)
    }
}

/// Attribute name aliases, or `None`: DynamoDB refuses an empty map.
pub(crate) fn names(expressions: &Expressions) -> Option<HashMap<String, String>> {
    let names = expressions.names.iter().map(|(alias, name)| (alias.clone(), name.to_string()));
    (!expressions.names.is_empty()).then(|| names.collect())
}

/// Value aliases, or `None`.
pub(crate) fn values(expressions: Expressions) -> Option<Attributes> {
    let values = expressions.values;
    (!values.is_empty()).then(|| values.into_iter().map(|(alias, value)| (alias, to_sdk(value))).collect())
}
