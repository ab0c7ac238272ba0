//! Reads of one item or a page.

use hansang_core::expression::Expressions;
use hansang_core::model::Table;
use hansang_core::plan::{Get, Query, Scan};
use hansang_core::store::check;
use hansang_core::{Item, Name, Page, StoreError};

use crate::DynamoDb;
use crate::error::{Failure, failure};
use crate::value::{Attributes, item_from_sdk, item_to_sdk, key_to_sdk};
use crate::write::{names, values};

pub(crate) async fn get(db: &DynamoDb, table: &Table, get: &Get) -> Result<Option<Item>, StoreError> {
    check::key(table, &get.key)?;
    let mut expressions = Expressions::default();
    let projection = get.fields.as_ref().map(|fields| expressions.projection(&asked(table, fields)));
    let request = db
        .client
        .get_item()
        .table_name(&table.name)
        .set_key(Some(key_to_sdk(table, &get.key)))
        .consistent_read(get.consistent)
        .set_projection_expression(projection)
        .set_expression_attribute_names(names(&expressions));
    let item = db
        .retries
        .read(|| async {
            match request.clone().send().await {
                Ok(output) => Ok(output.item.map(item_from_sdk).transpose()?),
                Err(error) => Err(failure(&db.endpoint, error)),
            }
        })
        .await?;
    Ok(item.map(|item| only(item, get.fields.as_deref())))
}

pub(crate) async fn query(db: &DynamoDb, table: &Table, query: &Query) -> Result<Page, StoreError> {
    check::query(table, query)?;
    let mut expressions = Expressions::default();
    let key = expressions.key_condition(query);
    let filter = query.filter.as_ref().map(|filter| expressions.condition(filter));
    let projection = query.fields.as_ref().map(|fields| expressions.projection(&asked(table, fields)));
    let request = db
        .client
        .query()
        .table_name(&table.name)
        .set_index_name(query.index.as_deref().map(str::to_owned))
        .key_condition_expression(key)
        .set_filter_expression(filter)
        .set_projection_expression(projection)
        .set_expression_attribute_names(names(&expressions))
        .set_expression_attribute_values(values(expressions))
        .scan_index_forward(!query.descending)
        .limit(i32::try_from(query.limit).unwrap_or(i32::MAX))
        .consistent_read(query.consistent)
        .set_exclusive_start_key(query.start.clone().map(item_to_sdk));
    let mut page = db
        .retries
        .read(|| async {
            match request.clone().send().await {
                Ok(output) => page(output.items, output.last_evaluated_key),
                Err(error) => Err(failure(&db.endpoint, error)),
            }
        })
        .await?;
    page.items = page.items.into_iter().map(|item| only(item, query.fields.as_deref())).collect();
    Ok(page)
}

pub(crate) async fn scan(db: &DynamoDb, table: &Table, scan: &Scan) -> Result<Page, StoreError> {
    check::scan(table, scan)?;
    let request = db
        .client
        .scan()
        .table_name(&table.name)
        .set_index_name(scan.index.as_deref().map(str::to_owned))
        .limit(i32::try_from(scan.limit).unwrap_or(i32::MAX))
        .consistent_read(scan.consistent)
        .set_exclusive_start_key(scan.start.clone().map(item_to_sdk));
    db.retries
        .read(|| async {
            match request.clone().send().await {
                Ok(output) => page(output.items, output.last_evaluated_key),
                Err(error) => Err(failure(&db.endpoint, error)),
            }
        })
        .await
}

fn page(items: Option<Vec<Attributes>>, next: Option<Attributes>) -> Result<Page, Failure> {
    let items = items.unwrap_or_default().into_iter().map(item_from_sdk).collect::<Result<_, _>>()?;
    let next = next.filter(|key| !key.is_empty()).map(item_from_sdk).transpose()?;
    Ok(Page { items, next })
}

/// Attributes to request. DynamoDB refuses duplicates and an empty list.
pub(crate) fn asked(table: &Table, fields: &[Name]) -> Vec<Name> {
    let mut fields = fields.to_vec();
    if fields.is_empty() {
        fields.push(table.pk.clone());
    }
    fields.sort();
    fields.dedup();
    fields
}

/// Removes attributes that were requested only for technical reasons.
pub(crate) fn only(mut item: Item, fields: Option<&[Name]>) -> Item {
    if let Some(fields) = fields {
        item.retain(|name, _| fields.contains(name));
    }
    item
}
