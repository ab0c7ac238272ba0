//! The peers: each does the same work through its own API.

use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;
use dynoxide::actions::{
    create_table::CreateTableRequest, get_item::GetItemRequest, put_item::PutItemRequest,
    query::QueryRequest, transact_write_items::TransactWriteItemsRequest, update_item::UpdateItemRequest,
};
use dynoxide::types::AttributeValue;
use hansang_core::Store;
use hansang_core::plan::TableWrite;
use serde_json::json;

use super::work;

/// A store that does the work. A failed operation ends the benchmark.
#[async_trait]
pub(crate) trait Peer: Send + Sync {
    /// Whether an operation blocks its thread, so that concurrent operations need threads.
    fn blocks(&self) -> bool {
        false
    }
    /// Whether it supports transactions.
    fn transacts(&self) -> bool {
        true
    }
    async fn put(&self, number: u64);
    async fn decrement(&self);
    async fn transact(&self, number: u64);
    async fn get(&self, number: u64);
    async fn query(&self, partition: u64) -> usize;
    /// Prepares items by the hundred.
    async fn fill(&self, from: u64, to: u64);
}

/// A store behind Hansang's port.
pub(crate) struct Port {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) transacts: bool,
}

impl Port {
    pub(crate) async fn ready(store: Arc<dyn Store>) -> Self {
        done(store.ensure_table(&work::TABLE).await);
        done(store.batch_put(&work::TABLE, vec![work::stock_item()]).await);
        Self { store, transacts: true }
    }
}

#[async_trait]
impl Peer for Port {
    fn transacts(&self) -> bool {
        self.transacts
    }

    async fn put(&self, number: u64) {
        done(self.store.write(&work::TABLE, work::put(number)).await);
    }

    async fn decrement(&self) {
        done(self.store.write(&work::TABLE, work::decrement()).await);
    }

    async fn transact(&self, number: u64) {
        done(self.store.transact(TableWrite::all(&work::TABLE, work::transaction(number))).await);
    }

    async fn get(&self, number: u64) {
        let item = done(self.store.get(&work::TABLE, &work::get(number)).await);
        assert_eq!(item.map(|item| item.len()), Some(12));
    }

    async fn query(&self, partition: u64) -> usize {
        done(self.store.query(&work::TABLE, &work::query(partition)).await).items.len()
    }

    async fn fill(&self, from: u64, to: u64) {
        done(self.store.batch_put(&work::TABLE, (from..to).map(work::item).collect()).await);
    }
}

/// dynoxide in-process, through its own request types.
pub(crate) struct Dynoxide(dynoxide::Database);

impl Dynoxide {
    pub(crate) fn open(file: &str) -> Self {
        let database = done(dynoxide::Database::new(file));
        let key = |name: &str, kind: &str| json!({"AttributeName": name, "KeyType": kind});
        let index = |name: &str| {
            let keys = [key(&format!("{name}PK"), "HASH"), key(&format!("{name}SK"), "RANGE")];
            json!({"IndexName": name, "KeySchema": keys, "Projection": {"ProjectionType": "ALL"}})
        };
        let names = ["PK", "SK", "GSI1PK", "GSI1SK", "GSI2PK", "GSI2SK"];
        let request: CreateTableRequest = done(serde_json::from_value(json!({
            "TableName": "Bench", "BillingMode": "PAY_PER_REQUEST",
            "KeySchema": [key("PK", "HASH"), key("SK", "RANGE")],
            "AttributeDefinitions": names.map(|name| json!({"AttributeName": name, "AttributeType": "S"})),
            "GlobalSecondaryIndexes": [index("GSI1"), index("GSI2")],
        })));
        done(database.create_table(request));
        let stock = [("PK", text("STOCK")), ("SK", text("META")), ("amount", number(1_000_000_000_000))];
        let item = stock.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        done(database.put_item(PutItemRequest {
            table_name: "Bench".to_owned(),
            item,
            ..Default::default()
        }));
        Self(database)
    }
}

fn text(text: &str) -> AttributeValue {
    AttributeValue::S(text.to_owned())
}

fn number(number: u64) -> AttributeValue {
    AttributeValue::N(number.to_string())
}

fn attributes(number_of_item: u64) -> HashMap<String, AttributeValue> {
    let value = |value: Result<String, u64>| value.map_or_else(number, AttributeValue::S);
    work::attributes(number_of_item).into_iter().map(|(name, one)| (name.to_owned(), value(one))).collect()
}

fn key(key: hansang_core::plan::Key) -> HashMap<String, AttributeValue> {
    HashMap::from([
        ("PK".to_owned(), AttributeValue::S(key.pk)),
        ("SK".to_owned(), AttributeValue::S(key.sk)),
    ])
}

#[async_trait]
impl Peer for Dynoxide {
    fn blocks(&self) -> bool {
        true
    }

    async fn put(&self, number: u64) {
        let item = attributes(number);
        done(self.0.put_item(PutItemRequest { table_name: "Bench".to_owned(), item, ..Default::default() }));
    }

    async fn decrement(&self) {
        let values = HashMap::from([(":one".to_owned(), number(1)), (":none".to_owned(), number(0))]);
        done(self.0.update_item(UpdateItemRequest {
            table_name: "Bench".to_owned(),
            key: key(work::stock()),
            update_expression: Some("SET amount = amount - :one".to_owned()),
            condition_expression: Some("amount > :none".to_owned()),
            expression_attribute_values: Some(values),
            return_values: Some("ALL_NEW".to_owned()),
            ..Default::default()
        }));
    }

    async fn transact(&self, number_of_item: u64) {
        use dynoxide::actions::transact_write_items::{TransactPut, TransactUpdate, TransactWriteItem};
        let put = |number: u64, condition: Option<&str>| TransactWriteItem {
            put: Some(TransactPut {
                table_name: "Bench".to_owned(),
                item: attributes(number),
                condition_expression: condition.map(str::to_owned),
                ..Default::default()
            }),
            ..Default::default()
        };
        let counter = TransactWriteItem {
            update: Some(TransactUpdate {
                table_name: "Bench".to_owned(),
                key: key(work::counter(number_of_item % 64)),
                update_expression: "ADD amount :one".to_owned(),
                expression_attribute_values: Some(HashMap::from([(":one".to_owned(), number(1))])),
                ..Default::default()
            }),
            ..Default::default()
        };
        let guarded = put(2 * number_of_item + 1, Some("attribute_not_exists(PK)"));
        done(self.0.transact_write_items(TransactWriteItemsRequest {
            transact_items: vec![put(2 * number_of_item, None), guarded, counter],
            ..Default::default()
        }));
    }

    async fn get(&self, number: u64) {
        let found = done(self.0.get_item(GetItemRequest {
            table_name: "Bench".to_owned(),
            key: key(work::key(number)),
            consistent_read: Some(true),
            ..Default::default()
        }));
        assert_eq!(found.item.map(|item| item.len()), Some(12));
    }

    async fn query(&self, partition: u64) -> usize {
        let values = [(":pk", AttributeValue::S(work::partition(partition))), (":sk", text("ORDER#"))];
        let found = done(self.0.query(QueryRequest {
            table_name: "Bench".to_owned(),
            key_condition_expression: Some("PK = :pk AND begins_with(SK, :sk)".to_owned()),
            expression_attribute_values: Some(values.map(|(name, value)| (name.to_owned(), value)).into()),
            scan_index_forward: true,
            limit: Some(work::PARTITION as usize),
            consistent_read: Some(true),
            ..Default::default()
        }));
        found.items.map_or(0, |items| items.len())
    }

    async fn fill(&self, from: u64, to: u64) {
        for number in from..to {
            self.put(number).await;
        }
    }
}

/// Unwraps a result, because a benchmark of failures measures nothing.
pub(crate) fn done<T, E: std::fmt::Debug>(result: Result<T, E>) -> T {
    result.unwrap_or_else(|error| panic!("an operation of the benchmark failed: {error:?}"))
}
