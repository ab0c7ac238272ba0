//! A broken rule has the same code on every store.

use hansang_aws::DynamoDb;
use hansang_core::plan::{Action, BatchGet, Change, Guards, Part, Path, Query, Scan, Write};
use hansang_core::{Store, StoreError, Value};
use hansang_testkit::plans::on;

use crate::proxy::Proxy;
use crate::{endpoints, get, item, key, put, table, update};

on_both! {
    a_change_that_does_not_fit_the_stored_item_is_refused,
    a_transaction_that_does_not_fit_is_refused,
    an_unknown_table_is_refused_with_help,
}

fn code(error: StoreError) -> &'static str {
    match error {
        StoreError::Invalid(error) => error.code.as_str(),
        other => panic!("{other:?}"),
    }
}

fn at(path: Path, change: Change) -> Write {
    Write { key: key("a", "1"), action: Action::Update(vec![(path, change)]), guards: Guards::default() }
}

fn inside(root: &str, part: Part) -> Path {
    Path { root: root.into(), inside: vec![part] }
}

/// Updates that do not fit the item of [`a_change_that_does_not_fit_the_stored_item_is_refused`], with their
/// codes.
fn misfits() -> Vec<(Write, &'static str)> {
    let one = |name: &str, change| update("a", "1", vec![(name, change)]);
    let member = |name: &str| Part::Member(name.into());
    let number = |text: &str| Change::Add(text.parse().unwrap());
    vec![
        (at(inside("none", member("x")), Change::Set(1.into())), "no_such_path"),
        (at(inside("text", member("x")), Change::Set(1.into())), "no_such_path"),
        (at(inside("text", Part::Element(0)), Change::Set(1.into())), "no_such_path"),
        (at(inside("none", member("x")), Change::Remove), "no_such_path"),
        (one("text", number("1")), "wrong_type"),
        (one("text", Change::Append(vec![1.into()])), "wrong_type"),
        (one("text", Change::AddMembers(Value::Ss(["x".to_owned()].into()))), "wrong_type"),
        (one("texts", Change::AddMembers(Value::Ns([1.into()].into()))), "wrong_type"),
        (one("texts", Change::DeleteMembers(Value::Ns([1.into()].into()))), "wrong_type"),
        (one("huge", number("9E125")), "number_out_of_range"),
        (one("huge", number("1")), "number_out_of_range"),
        (one("large", Change::Set("x".repeat(300_000).into())), "item_too_large"),
        (one("GSI1PK", Change::Set(1.into())), "wrong_key_type"),
        (one("GSI1PK", Change::Set("".into())), "empty_key"),
        (one("GSI1PK", Change::Set("x".repeat(2049).into())), "key_too_long"),
        (one("GSI1SK", Change::Set("x".repeat(1025).into())), "key_too_long"),
    ]
}

async fn a_change_that_does_not_fit_the_stored_item_is_refused(db: DynamoDb) {
    let table = table();
    db.ensure_table(&table).await.unwrap();
    let stored = item(
        "a",
        "1",
        [
            ("text", "x".into()),
            ("texts", Value::Ss(["x".to_owned()].into())),
            ("huge", Value::N("9E125".parse().unwrap())),
            ("big", "x".repeat(300_000).into()),
        ],
    );
    db.write(&table, put(stored.clone())).await.unwrap();
    let mut wrong = Vec::new();
    for (write, expected) in misfits() {
        let shown = format!("{:.100}", format!("{:?}", write.action));
        match db.write(&table, write).await {
            Err(StoreError::Invalid(error)) if error.code == expected => {}
            other => wrong.push(format!("{expected}: {shown} {:.300}", format!("{other:?}"))),
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(db.get(&table, &get(key("a", "1"))).await.unwrap(), Some(stored));
}

async fn a_transaction_that_does_not_fit_is_refused(db: DynamoDb) {
    let table = table();
    db.ensure_table(&table).await.unwrap();
    db.write(&table, put(item("a", "1", [("text", "x".into())]))).await.unwrap();
    let writes = vec![put(item("a", "2", [])), update("a", "1", vec![("text", Change::Add(1.into()))])];
    assert_eq!(code(db.transact(on(&table, writes)).await.unwrap_err()), "wrong_type");
    assert_eq!(db.get(&table, &get(key("a", "2"))).await.unwrap(), None);
}

async fn an_unknown_table_is_refused_with_help(db: DynamoDb) {
    let table = table();
    let error = db.get(&table, &get(key("a", "1"))).await.unwrap_err();
    assert!(error.to_string().contains("hansang table create"), "{error}");
    assert_eq!(code(error), "unknown_table");
    assert_eq!(code(db.write(&table, put(item("a", "1", []))).await.unwrap_err()), "unknown_table");
    assert_eq!(
        code(db.transact(on(&table, vec![put(item("a", "1", []))])).await.unwrap_err()),
        "unknown_table"
    );
    assert_eq!(code(db.batch_put(&table, vec![item("a", "1", [])]).await.unwrap_err()), "unknown_table");
    assert_eq!(db.describe(&table).await.unwrap(), None);
}

#[tokio::test]
async fn invalid_requests_are_not_sent() {
    let proxy = Proxy::start().await;
    let (db, table) = (proxy.store().await, table());
    let empty = key("a", "");
    let query = Query {
        index: Some("none".into()),
        pk: ("PK".into(), "a".into()),
        sort: None,
        descending: false,
        limit: 1,
        start: None,
        consistent: false,
        fields: None,
        filter: None,
    };
    let scan = Scan { index: Some("GSI1".into()), limit: 1, start: None, consistent: true };
    let gets = BatchGet { keys: vec![empty.clone()], consistent: false, fields: None };
    let twice = vec![put(item("a", "1", [])); 2];
    let large = item("a", "1", [("text", "x".repeat(500_000).into())]);
    assert_eq!(code(db.get(&table, &get(empty)).await.unwrap_err()), "empty_key");
    assert_eq!(code(db.batch_get(&table, &gets).await.unwrap_err()), "empty_key");
    assert_eq!(code(db.query(&table, &query).await.unwrap_err()), "unknown_index");
    assert_eq!(code(db.scan(&table, &scan).await.unwrap_err()), "no_strong_read_on_index");
    assert_eq!(code(db.write(&table, put(large.clone())).await.unwrap_err()), "item_too_large");
    assert_eq!(code(db.batch_put(&table, vec![large]).await.unwrap_err()), "item_too_large");
    assert_eq!(code(db.transact(on(&table, twice)).await.unwrap_err()), "transaction_repeats_item");
    assert_eq!(proxy.seen().len(), 0);
}
