//! Every method of the port, on both endpoints.

use hansang_aws::DynamoDb;
use hansang_core::plan::{Action, BatchGet, Change, Condition, Guards, Query, Scan, SortCondition, Write};
use hansang_core::{Item, Name, Store, StoreError, Value};
use hansang_testkit::plans::on;

use crate::{absent, endpoints, exists, get, item, key, put, table, update};

on_both! {
    puts_and_gets,
    failed_conditions_show_what_was_found,
    updates_and_deletes_give_back_items,
    queries_pages_on_table_and_index,
    transacts_all_or_nothing,
    gets_and_puts_batches,
}

fn query(pk: (&str, &str)) -> Query {
    Query {
        index: None,
        pk: (pk.0.into(), Value::from(pk.1)),
        sort: None,
        descending: false,
        limit: 100,
        start: None,
        consistent: false,
        fields: None,
        filter: None,
    }
}

async fn puts_and_gets(db: DynamoDb) {
    let table = table();
    db.ensure_table(&table).await.unwrap();
    let number = "12345678901234567890123456789012345678".parse().unwrap();
    let whole = item(
        "a",
        "1",
        [
            ("number", Value::N(number)),
            ("bytes", Value::B(vec![0, 255])),
            ("truth", true.into()),
            ("null", Value::Null),
            ("list", Value::L(vec!["x".into(), Value::M(Item::from([("m".into(), 1.into())]))])),
            ("texts", Value::Ss(["b".to_owned(), "a".to_owned()].into())),
            ("numbers", Value::Ns([2.into(), 1.into()].into())),
            ("blobs", Value::Bs([vec![1], vec![2]].into())),
        ],
    );
    assert_eq!(db.write(&table, put(whole.clone())).await.unwrap(), None);
    assert_eq!(db.get(&table, &get(key("a", "1"))).await.unwrap(), Some(whole));
    assert_eq!(db.get(&table, &get(key("a", "2"))).await.unwrap(), None);
    let mut some = get(key("a", "1"));
    some.fields = Some(vec!["truth".into(), "truth".into()]);
    assert_eq!(db.get(&table, &some).await.unwrap(), Some(Item::from([("truth".into(), true.into())])));
    some.fields = Some(vec![]);
    assert_eq!(db.get(&table, &some).await.unwrap(), Some(Item::new()));
}

async fn failed_conditions_show_what_was_found(db: DynamoDb) {
    let table = table();
    db.ensure_table(&table).await.unwrap();
    let stored = item("a", "1", [("n", 1.into())]);
    db.write(&table, put(stored.clone())).await.unwrap();

    let mut again = put(item("a", "1", [("n", 2.into())]));
    again.guards.push(absent("PK"));
    let error = db.write(&table, again).await.unwrap_err();
    let StoreError::Condition(failed) = error else { panic!("{error:?}") };
    assert_eq!((failed[0].index, failed[0].item.as_ref()), (0, Some(&stored)));

    let mut missing = update("a", "2", vec![("n", Change::Add(1.into()))]);
    missing.guards.push(exists("PK"));
    let error = db.write(&table, missing).await.unwrap_err();
    let StoreError::Condition(failed) = error else { panic!("{error:?}") };
    assert_eq!(failed[0].item, None);

    let check = Write { key: key("a", "1"), action: Action::Check, guards: vec![absent("n")].into() };
    let error = db.write(&table, check.clone()).await.unwrap_err();
    let StoreError::Condition(failed) = error else { panic!("{error:?}") };
    assert_eq!(failed[0].item, Some(stored));
    let holds = Write { guards: vec![absent("other")].into(), ..check };
    assert_eq!(db.write(&table, holds.clone()).await.unwrap(), None);
    for sk in ["1", "2"] {
        let nothing = Write { key: key("a", sk), guards: Guards::default(), ..holds.clone() };
        assert_eq!(db.write(&table, nothing).await.unwrap(), None);
    }
}

async fn updates_and_deletes_give_back_items(db: DynamoDb) {
    let table = table();
    db.ensure_table(&table).await.unwrap();
    let changes = vec![("n", Change::Add(2.into())), ("name", Change::Set("x".into()))];
    let after = db.write(&table, update("a", "1", changes)).await.unwrap();
    let expected = item("a", "1", [("n", 2.into()), ("name", "x".into())]);
    assert_eq!(after, Some(expected.clone()));
    let delete = Write { key: key("a", "1"), action: Action::Delete, guards: Guards::default() };
    assert_eq!(db.write(&table, delete.clone()).await.unwrap(), Some(expected));
    assert_eq!(db.write(&table, delete).await.unwrap(), None);
}

async fn queries_pages_on_table_and_index(db: DynamoDb) {
    let table = table();
    db.ensure_table(&table).await.unwrap();
    for number in 0..5 {
        let mut one = item("a", &number.to_string(), [("n", number.into())]);
        if number % 2 == 0 {
            one.insert("GSI1PK".into(), "even".into());
            one.insert("GSI1SK".into(), format!("s{number}").into());
        }
        db.write(&table, put(one)).await.unwrap();
    }
    let sorts = |page: &[Item]| -> Vec<String> {
        page.iter().map(|item| item["SK"].as_str().unwrap().to_owned()).collect()
    };
    let first = db.query(&table, &Query { limit: 2, ..query(("PK", "a")) }).await.unwrap();
    assert_eq!(sorts(&first.items), ["0", "1"]);
    let rest = Query { start: first.next, ..query(("PK", "a")) };
    let rest = db.query(&table, &rest).await.unwrap();
    assert_eq!((sorts(&rest.items), rest.next), (vec!["2".into(), "3".into(), "4".into()], None));

    let on_index = Query {
        index: Some("GSI1".into()),
        sort: Some(("GSI1SK".into(), SortCondition::BeginsWith("s".to_owned()))),
        descending: true,
        filter: Some(Condition::Exists((&Name::from("n")).into())),
        fields: Some(vec!["SK".into()]),
        ..query(("GSI1PK", "even"))
    };
    assert_eq!(sorts(&db.query(&table, &on_index).await.unwrap().items), ["4", "2", "0"]);

    let scan = Scan { index: Some("GSI1".into()), limit: 100, start: None, consistent: false };
    assert_eq!(db.scan(&table, &scan).await.unwrap().items.len(), 3);
}

async fn transacts_all_or_nothing(db: DynamoDb) {
    let table = table();
    db.ensure_table(&table).await.unwrap();
    db.transact(on(&table, vec![])).await.unwrap();
    let writes = vec![put(item("a", "1", [])), update("a", "2", vec![("n", Change::Add(1.into()))])];
    db.transact(on(&table, writes.clone())).await.unwrap();
    let mut create = put(item("a", "1", [("n", 1.into())]));
    create.guards.push(absent("PK"));
    let mut other = put(item("a", "3", []));
    other.guards.push(absent("PK"));
    let mut changed = update("a", "2", vec![("n", Change::Add(1.into()))]);
    changed.guards.push(absent("n"));
    let error = db.transact(on(&table, vec![create, other, changed])).await.unwrap_err();
    let StoreError::Condition(failed) = error else { panic!("{error:?}") };
    let found: Vec<_> = failed.iter().map(|one| (one.index, one.item.clone())).collect();
    assert_eq!(found, [(0, Some(item("a", "1", []))), (2, Some(item("a", "2", [("n", 1.into())])))]);
    assert_eq!(db.get(&table, &get(key("a", "3"))).await.unwrap(), None);
}

async fn gets_and_puts_batches(db: DynamoDb) {
    let table = table();
    db.ensure_table(&table).await.unwrap();
    let mut items: Vec<Item> =
        (0..130).map(|n| item("a", &n.to_string(), [("n", i64::from(n).into())])).collect();
    items.insert(0, item("a", "7", [("n", 1000.into())]));
    db.batch_put(&table, items).await.unwrap();
    let mut keys: Vec<_> = (0..130).rev().map(|n| key("a", &n.to_string())).collect();
    keys.push(key("a", "none"));
    keys.push(key("a", "7"));
    let gets = BatchGet { keys, consistent: true, fields: Some(vec!["n".into()]) };
    let found = db.batch_get(&table, &gets).await.unwrap();
    let n = |n: i64| Some(Item::from([("n".into(), n.into())]));
    let mut expected: Vec<_> = (0..130).rev().map(n).collect();
    expected.extend([None, n(7)]);
    assert_eq!(found, expected);
}
