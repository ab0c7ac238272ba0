//! Tests of the DynamoDB store on two endpoints, and of the SQS queue.

#![allow(clippy::unwrap_used, reason = "a test that panics says where")]

/// Runs each test on both endpoints.
macro_rules! on_both {
    ($($name:ident),* $(,)?) => {
        mod dynoxide {
            $(#[tokio::test]
            async fn $name() {
                super::$name(super::endpoints::dynoxide().await).await;
            })*
        }
        mod dynamodb_local {
            $(#[tokio::test]
            async fn $name() {
                super::$name(super::endpoints::dynamodb_local().await).await;
            })*
        }
    };
}

mod alongside;
mod ambiguity;
mod basics;
mod batches;
mod conformance;
mod differential;
mod endpoints;
mod proxy;
mod refusals;
mod s3;
mod sqs;
mod tables;
mod throttling;

use std::sync::atomic::{AtomicU32, Ordering};

use hansang_core::model::{Index, Projection, Table};
use hansang_core::plan::{
    Action, Change, Comparison, Condition, Get, Guard, Guards, Key, Operand, Reason, Write,
};
use hansang_core::{Item, Name, Value};

/// A table that no other test uses.
fn table() -> Table {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let index = |name: &str, pk: &str, sk: Option<&str>| Index {
        name: name.into(),
        pk: pk.into(),
        pk_numeric: false,
        sk: sk.map(Name::from),
        sk_numeric: false,
        projection: Projection::All,
    };
    Table {
        name: format!("Test{}", COUNT.fetch_add(1, Ordering::Relaxed)),
        pk: "PK".into(),
        sk: "SK".into(),
        delimiter: '#',
        type_attribute: None,
        ttl: None,
        streams: false,
        recovery: false,
        tags: Vec::new(),
        indexes: vec![index("GSI1", "GSI1PK", Some("GSI1SK"))],
    }
}

fn key(pk: &str, sk: &str) -> Key {
    Key { pk: pk.to_owned(), sk: sk.to_owned() }
}

/// An item with this key and these attributes.
fn item<const N: usize>(pk: &str, sk: &str, attributes: [(&str, Value); N]) -> Item {
    let keys = [("PK", Value::from(pk)), ("SK", Value::from(sk))];
    keys.into_iter().chain(attributes).map(|(name, value)| (Name::from(name), value)).collect()
}

fn put(item: Item) -> Write {
    let part = |name: &str| item[name].as_str().unwrap().to_owned();
    let key = Key { pk: part("PK"), sk: part("SK") };
    Write { key, action: Action::Put(item), guards: Guards::default() }
}

fn get(key: Key) -> Get {
    Get { key, consistent: true, fields: None }
}

/// An update of attributes.
fn update(pk: &str, sk: &str, changes: Vec<(&str, Change)>) -> Write {
    let changes = changes.into_iter().map(|(name, change)| ((&Name::from(name)).into(), change)).collect();
    Write { key: key(pk, sk), action: Action::Update(changes), guards: Guards::default() }
}

fn guard(condition: Condition) -> Guard {
    Guard { condition, otherwise: Reason::Changed { entity: "Thing".into() } }
}

fn absent(name: &str) -> Guard {
    guard(Condition::Absent((&Name::from(name)).into()))
}

fn exists(name: &str) -> Guard {
    guard(Condition::Exists((&Name::from(name)).into()))
}

fn equal(name: &str, value: impl Into<Value>) -> Guard {
    let path = Operand::Path((&Name::from(name)).into());
    guard(Condition::Compare(path, Comparison::Equal, Operand::Value(value.into())))
}
