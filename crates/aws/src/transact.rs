//! Transactions.

use aws_sdk_dynamodb::types::{
    ConditionCheck, Delete, Put, ReturnValuesOnConditionCheckFailure, TransactWriteItem, Update,
};
use hansang_core::StoreError;
use hansang_core::expression::Expressions;
use hansang_core::model::Table;
use hansang_core::plan::{Action, Condition, Write};
use hansang_core::store::check;

use crate::DynamoDb;
use crate::batch::unbuilt;
use crate::error::failure;
use crate::value::{item_to_sdk, key_to_sdk};
use crate::write::{checked_update, names, values};

pub(crate) async fn all(db: &DynamoDb, writes: &[(&Table, &Write)]) -> Result<(), StoreError> {
    check::transaction(writes.iter().copied())?;
    writes.iter().try_for_each(|(table, write)| checked_update(table, write))?;
    if writes.is_empty() {
        return Ok(());
    }
    let items: Vec<_> = writes.iter().map(|(table, write)| item(table, write)).collect::<Result<_, _>>()?;
    // A request token makes the transaction idempotent: all attempts share one and may be repeated.
    let request = db
        .client
        .transact_write_items()
        .set_transact_items(Some(items))
        .client_request_token(uuid::Uuid::new_v4().to_string());
    let tried = db
        .retries
        .run(true, || async {
            match request.clone().send().await {
                Ok(_) => Ok(()),
                Err(error) => Err(failure(&db.endpoint, error)),
            }
        })
        .await;
    tried.of_write(|error| matches!(error, StoreError::Condition(_) | StoreError::Invalid(_)))
}

fn item(table: &Table, write: &Write) -> Result<TransactWriteItem, StoreError> {
    let old = ReturnValuesOnConditionCheckFailure::AllOld;
    let mut expressions = Expressions::default();
    let condition = expressions.guards(write);
    let key = || Some(key_to_sdk(table, &write.key));
    let item = TransactWriteItem::builder();
    Ok(match &write.action {
        Action::Put(put) => {
            let put = Put::builder()
                .table_name(&table.name)
                .set_item(Some(item_to_sdk(put.clone())))
                .set_condition_expression(condition)
                .set_expression_attribute_names(names(&expressions))
                .set_expression_attribute_values(values(expressions))
                .return_values_on_condition_check_failure(old);
            item.put(put.build().map_err(unbuilt)?)
        }
        Action::Update(changes) => {
            let update = Update::builder()
                .table_name(&table.name)
                .set_key(key())
                .update_expression(expressions.update(changes))
                .set_condition_expression(condition)
                .set_expression_attribute_names(names(&expressions))
                .set_expression_attribute_values(values(expressions))
                .return_values_on_condition_check_failure(old);
            item.update(update.build().map_err(unbuilt)?)
        }
        Action::Delete => {
            let delete = Delete::builder()
                .table_name(&table.name)
                .set_key(key())
                .set_condition_expression(condition)
                .set_expression_attribute_names(names(&expressions))
                .set_expression_attribute_values(values(expressions))
                .return_values_on_condition_check_failure(old);
            item.delete(delete.build().map_err(unbuilt)?)
        }
        Action::Check => {
            // DynamoDB requires a condition: without guards, one that always holds.
            let always = || {
                let pk = || (&table.pk).into();
                expressions.condition(&Condition::Or(vec![Condition::Exists(pk()), Condition::Absent(pk())]))
            };
            let condition = condition.unwrap_or_else(always);
            let check = ConditionCheck::builder()
                .table_name(&table.name)
                .set_key(key())
                .condition_expression(condition)
                .set_expression_attribute_names(names(&expressions))
                .set_expression_attribute_values(values(expressions))
                .return_values_on_condition_check_failure(old);
            item.condition_check(check.build().map_err(unbuilt)?)
        }
    }
    .build())
}
