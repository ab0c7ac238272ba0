//! Lost responses: nothing is done twice, and no write conflicts with itself.

use hansang_aws::DynamoDb;
use hansang_core::model::Table;
use hansang_core::plan::{Action, Change, Comparison, Condition, Operand, Part, Path, Write};
use hansang_core::store::Unavailable;
use hansang_core::{Item, Store, StoreError, Value};
use hansang_testkit::plans::on;

use crate::proxy::{Fault, Proxy};
use crate::{absent, equal, exists, get, guard, item, key, put, table, update};

async fn start() -> (Proxy, DynamoDb, Table) {
    let proxy = Proxy::start().await;
    let (db, table) = (proxy.store().await, table());
    db.ensure_table(&table).await.unwrap();
    (proxy, db, table)
}

async fn stored(db: &DynamoDb, table: &Table) -> Option<Item> {
    db.get(table, &get(key("a", "1"))).await.unwrap()
}

fn unavailable(error: StoreError) -> Unavailable {
    match error {
        StoreError::Unavailable(unavailable) => unavailable,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_create_with_a_lost_response_is_done() {
    let (proxy, db, table) = start().await;
    let mut create = put(item("a", "1", [("n", 1.into())]));
    create.guards.push(absent("PK"));
    proxy.inject([Fault::LoseResponse]);
    assert_eq!(db.write(&table, create).await.unwrap(), None);
    assert_eq!(proxy.seen().len(), 2);
    assert_eq!(stored(&db, &table).await, Some(item("a", "1", [("n", 1.into())])));
}

#[tokio::test]
async fn a_create_that_timed_out_is_done() {
    let (proxy, db, table) = start().await;
    let mut create = put(item("a", "1", [("n", 1.into())]));
    create.guards.push(absent("PK"));
    proxy.inject([Fault::Hang]);
    assert_eq!(db.write(&table, create).await.unwrap(), None);
    assert_eq!(proxy.seen().len(), 2);
}

#[tokio::test]
async fn a_create_that_lost_against_another_is_a_conflict() {
    let (proxy, db, table) = start().await;
    let others = item("a", "1", [("n", 2.into())]);
    db.write(&table, put(others.clone())).await.unwrap();
    let mut create = put(item("a", "1", [("n", 1.into())]));
    create.guards.push(absent("PK"));
    proxy.inject([Fault::LoseRequest]);
    let error = db.write(&table, create).await.unwrap_err();
    let StoreError::Condition(failed) = error else { panic!("{error:?}") };
    assert_eq!(failed[0].item, Some(others));
}

#[tokio::test]
async fn a_versioned_update_with_a_lost_response_is_done_once() {
    for fault in [Fault::LoseResponse, Fault::LoseRequest, Fault::error(500, "InternalServerError")] {
        let (proxy, db, table) = start().await;
        db.write(&table, put(item("a", "1", [("version", 1.into())]))).await.unwrap();
        let changes = vec![("name", Change::Set("x".into())), ("version", Change::Add(1.into()))];
        let mut change = update("a", "1", changes);
        change.guards.push(equal("version", 1));
        proxy.inject([fault]);
        let expected = item("a", "1", [("name", "x".into()), ("version", 2.into())]);
        assert_eq!(db.write(&table, change).await.unwrap(), Some(expected.clone()));
        assert_eq!(stored(&db, &table).await, Some(expected));
    }
}

#[tokio::test]
async fn a_versioned_update_that_lost_against_another_is_a_conflict() {
    let (proxy, db, table) = start().await;
    let others = item("a", "1", [("name", "y".into()), ("version", 2.into())]);
    db.write(&table, put(others.clone())).await.unwrap();
    let changes = vec![("name", Change::Set("x".into())), ("version", Change::Add(1.into()))];
    let mut change = update("a", "1", changes);
    change.guards.push(equal("version", 1));
    proxy.inject([Fault::LoseRequest]);
    let error = db.write(&table, change).await.unwrap_err();
    let StoreError::Condition(failed) = error else { panic!("{error:?}") };
    assert_eq!(failed[0].item, Some(others));
}

#[tokio::test]
async fn a_state_change_with_a_lost_response_is_ours() {
    let (proxy, db, table) = start().await;
    db.write(&table, put(item("a", "1", [("status", "OPEN".into())]))).await.unwrap();
    let changes = vec![("status", Change::Set("CLOSED".into())), ("by", Change::SetIfAbsent("me".into()))];
    let mut close = update("a", "1", changes);
    close.guards.push(equal("status", "OPEN"));
    proxy.inject([Fault::LoseResponse]);
    let expected = item("a", "1", [("status", "CLOSED".into()), ("by", "me".into())]);
    assert_eq!(db.write(&table, close).await.unwrap(), Some(expected));
}

#[tokio::test]
async fn an_append_to_a_known_list_is_done_once() {
    let (proxy, db, table) = start().await;
    let list = |texts: &[&str]| Value::L(texts.iter().map(|text| Value::from(*text)).collect());
    db.write(&table, put(item("a", "1", [("list", list(&["x"]))]))).await.unwrap();
    let mut append = update("a", "1", vec![("list", Change::Append(vec!["y".into()]))]);
    append.guards.push(equal("list", list(&["x"])));
    proxy.inject([Fault::LoseResponse]);
    let expected = item("a", "1", [("list", list(&["x", "y"]))]);
    assert_eq!(db.write(&table, append).await.unwrap(), Some(expected));
}

#[tokio::test]
async fn counting_is_not_sent_again_once_it_may_have_counted() {
    for (fault, count) in [(Fault::LoseResponse, Some(1)), (Fault::LoseRequest, None)] {
        let (proxy, db, table) = start().await;
        proxy.inject([fault]);
        let add = update("a", "1", vec![("n", Change::Add(1.into()))]);
        let error = unavailable(db.write(&table, add).await.unwrap_err());
        assert!(error.outcome_unknown);
        assert!(error.source.is_some());
        assert!(error.message.to_string().contains("read before you try again"), "{}", error.message);
        assert_eq!(proxy.seen().len(), 1);
        let found = stored(&db, &table).await.map(|item| item["n"].clone());
        assert_eq!(found, count.map(Value::from));
    }
}

#[tokio::test]
async fn an_element_is_not_removed_twice() {
    let (proxy, db, table) = start().await;
    let list = Value::L(vec!["x".into(), "y".into(), "z".into()]);
    db.write(&table, put(item("a", "1", [("list", list)]))).await.unwrap();
    let path = Path { root: "list".into(), inside: vec![Part::Element(0)] };
    let action = Action::Update(vec![(path, Change::Remove)]);
    proxy.inject([Fault::LoseResponse]);
    let write = Write { key: key("a", "1"), action, guards: vec![exists("PK")].into() };
    assert!(unavailable(db.write(&table, write).await.unwrap_err()).outcome_unknown);
    let left = Value::L(vec!["y".into(), "z".into()]);
    assert_eq!(stored(&db, &table).await, Some(item("a", "1", [("list", left)])));
}

#[tokio::test]
async fn an_element_is_not_removed_twice_though_a_guard_names_it() {
    let (proxy, db, table) = start().await;
    let list = |count| Value::L(vec!["x".into(); count]);
    db.write(&table, put(item("a", "1", [("list", list(3))]))).await.unwrap();
    let path = Path { root: "list".into(), inside: vec![Part::Element(0)] };
    let same = Condition::Compare(Operand::Path(path.clone()), Comparison::Equal, Operand::Value("x".into()));
    let action = Action::Update(vec![(path, Change::Remove)]);
    proxy.inject([Fault::LoseResponse]);
    let write = Write { key: key("a", "1"), action, guards: vec![guard(same)].into() };
    assert!(unavailable(db.write(&table, write).await.unwrap_err()).outcome_unknown);
    assert_eq!(stored(&db, &table).await, Some(item("a", "1", [("list", list(2))])));
}

#[tokio::test]
async fn a_transaction_of_counts_is_done_once_under_one_token() {
    let (proxy, db, table) = start().await;
    let writes = ["1", "2"].map(|sk| update("a", sk, vec![("n", Change::Add(1.into()))]));
    proxy.inject([Fault::LoseResponse, Fault::LoseResponse]);
    db.transact(on(&table, writes.to_vec())).await.unwrap();
    let seen = proxy.seen();
    assert_eq!(seen.len(), 3);
    assert!(seen.iter().all(|body| body["ClientRequestToken"] == seen[0]["ClientRequestToken"]));
    assert!(seen[0]["ClientRequestToken"].is_string());
    assert_eq!(stored(&db, &table).await, Some(item("a", "1", [("n", 1.into())])));
}

#[tokio::test]
async fn a_deletion_with_a_lost_response_is_done() {
    let (proxy, db, table) = start().await;
    db.write(&table, put(item("a", "1", []))).await.unwrap();
    proxy.inject([Fault::LoseResponse]);
    let delete = Write { key: key("a", "1"), action: Action::Delete, guards: vec![exists("PK")].into() };
    assert_eq!(db.write(&table, delete).await.unwrap(), None);
    assert_eq!(stored(&db, &table).await, None);
}

#[tokio::test]
async fn a_write_of_unknown_outcome_says_so_and_is_tried_a_bounded_number_of_times() {
    let (proxy, db, table) = start().await;
    let lost = vec![Fault::LoseRequest; 9];
    let then_throttled =
        [vec![Fault::LoseResponse], vec![Fault::error(400, "ProvisionedThroughputExceededException"); 9]]
            .concat();
    for script in [lost, then_throttled] {
        proxy.inject(script.clone());
        let error = unavailable(db.write(&table, put(item("a", "1", []))).await.unwrap_err());
        assert!(error.outcome_unknown);
        assert_eq!(proxy.seen().len(), 4);
        proxy.inject(script.clone());
        let error = unavailable(db.transact(on(&table, vec![put(item("a", "1", []))])).await.unwrap_err());
        assert!(error.outcome_unknown);
        assert_eq!(proxy.seen().len(), 4);
        proxy.inject(script);
        let error = unavailable(db.batch_put(&table, vec![item("a", "1", [])]).await.unwrap_err());
        assert!(error.outcome_unknown);
        assert_eq!(proxy.seen().len(), 4);
    }
}

#[tokio::test]
async fn a_read_is_tried_again_and_never_has_an_unknown_outcome() {
    let (proxy, db, table) = start().await;
    db.write(&table, put(item("a", "1", []))).await.unwrap();
    proxy.inject([Fault::LoseResponse, Fault::LoseRequest, Fault::error(500, "InternalServerError")]);
    assert_eq!(stored(&db, &table).await, Some(item("a", "1", [])));
    proxy.inject(vec![Fault::LoseRequest; 9]);
    let error = unavailable(db.get(&table, &get(key("a", "1"))).await.unwrap_err());
    assert!(!error.outcome_unknown);
    assert_eq!(proxy.seen().len(), 4);
}
