//! Creates, extends and refuses tables.

use aws_sdk_dynamodb::types::{
    AttributeDefinition, KeySchemaElement, KeyType, ProvisionedThroughput, ScalarAttributeType,
};
use hansang_aws::DynamoDb;
use hansang_core::model::{Index, Projection, Table, Ttl};
use hansang_core::plan::Query;
use hansang_core::{Store, StoreError};

use crate::{endpoints, item, put, table};

on_both! {
    a_table_is_made_with_everything_and_again,
    many_may_make_it_at_once,
    a_table_of_fixed_throughput_gets_its_indexes_too,
    missing_parts_are_added,
    a_table_that_does_not_fit_is_refused_with_every_difference,
}

fn full() -> Table {
    let mut table = table();
    table.ttl = Some(Ttl { attribute: "ttl".into(), enabled: true });
    table.streams = true;
    table.recovery = true;
    table.tags = vec![("team".to_owned(), "hansang".to_owned())];
    table.indexes.push(Index {
        name: "ByAge".into(),
        pk: "GSI1PK".into(),
        pk_numeric: false,
        sk: Some("age".into()),
        sk_numeric: true,
        projection: Projection::Include(vec!["name".into(), "more".into()]),
    });
    table.indexes.push(Index {
        name: "Keys".into(),
        pk: "SK".into(),
        pk_numeric: false,
        sk: None,
        sk_numeric: false,
        projection: Projection::Keys,
    });
    table
}

/// The same table with only its key.
fn bare(full: &Table) -> Table {
    let (tags, indexes) = (Vec::new(), Vec::new());
    Table { ttl: None, streams: false, recovery: false, tags, indexes, ..full.clone() }
}

async fn a_table_is_made_with_everything_and_again(db: DynamoDb) {
    let table = full();
    for _ in 0..2 {
        db.ensure_table(&table).await.unwrap();
        let found = db.describe(&table).await.unwrap().unwrap();
        assert_eq!(found.status, "ACTIVE");
        assert_eq!(found.ttl.as_deref(), Some("ttl"));
        assert_eq!(found.stream.as_deref(), Some("NEW_AND_OLD_IMAGES"));
        assert_ne!(found.recovery, Some(false));
        let mut indexes: Vec<_> = found.indexes.iter().map(|one| (&*one.name, &*one.status)).collect();
        indexes.sort_unstable();
        assert_eq!(indexes, [("ByAge", "ACTIVE"), ("GSI1", "ACTIVE"), ("Keys", "ACTIVE")]);
    }
}

async fn many_may_make_it_at_once(db: DynamoDb) {
    let table = full();
    let (a, b, c) = tokio::join!(db.ensure_table(&table), db.ensure_table(&table), db.ensure_table(&table));
    a.and(b).and(c).unwrap();
}

/// Not on DynamoDB Local: it accepts two new indexes at once and may fill one forever. DynamoDB refuses a
/// second change while one is in progress.
#[tokio::test]
async fn many_may_bring_it_up_at_once() {
    let (db, full) = (endpoints::dynoxide().await, full());
    db.ensure_table(&bare(&full)).await.unwrap();
    let mut turned = full.clone();
    turned.indexes.reverse();
    let (a, b, c) = tokio::join!(db.ensure_table(&full), db.ensure_table(&turned), db.ensure_table(&full));
    a.and(b).and(c).unwrap();
    assert_eq!(db.describe(&full).await.unwrap().unwrap().indexes.len(), 3);
}

async fn a_table_of_fixed_throughput_gets_its_indexes_too(db: DynamoDb) {
    let full = full();
    let element = |name: &str, kind| KeySchemaElement::builder().attribute_name(name).key_type(kind).build();
    let text = |name: &str| {
        AttributeDefinition::builder().attribute_name(name).attribute_type(ScalarAttributeType::S).build()
    };
    let throughput =
        ProvisionedThroughput::builder().read_capacity_units(5).write_capacity_units(6).build().unwrap();
    db.client()
        .create_table()
        .table_name(&full.name)
        .key_schema(element("PK", KeyType::Hash).unwrap())
        .key_schema(element("SK", KeyType::Range).unwrap())
        .attribute_definitions(text("PK").unwrap())
        .attribute_definitions(text("SK").unwrap())
        .provisioned_throughput(throughput)
        .send()
        .await
        .unwrap();
    db.ensure_table(&full).await.unwrap();
    assert_eq!(db.describe(&full).await.unwrap().unwrap().indexes.len(), 3);
}

async fn missing_parts_are_added(db: DynamoDb) {
    let full = full();
    let bare = bare(&full);
    db.ensure_table(&bare).await.unwrap();
    let stored = item("a", "1", [("GSI1PK", "x".into()), ("GSI1SK", "y".into()), ("age", 7.into())]);
    db.write(&bare, put(stored)).await.unwrap();
    db.ensure_table(&full).await.unwrap();
    let found = db.describe(&full).await.unwrap().unwrap();
    assert_eq!(found.indexes.len(), 3);
    assert_eq!(found.ttl.as_deref(), Some("ttl"));
    assert_eq!(found.stream.as_deref(), Some("NEW_AND_OLD_IMAGES"));
    let query = Query {
        index: Some("ByAge".into()),
        pk: ("GSI1PK".into(), "x".into()),
        sort: None,
        descending: false,
        limit: 10,
        start: None,
        consistent: false,
        fields: None,
        filter: None,
    };
    assert_eq!(db.query(&full, &query).await.unwrap().items.len(), 1);
    // A model that needs less can use the same table.
    db.ensure_table(&bare).await.unwrap();
}

async fn a_table_that_does_not_fit_is_refused_with_every_difference(db: DynamoDb) {
    let table = full();
    db.ensure_table(&table).await.unwrap();
    let mut other = table.clone();
    other.sk = "Sort".into();
    other.ttl = Some(Ttl { attribute: "expires".into(), enabled: true });
    other.indexes[0].projection = Projection::Keys;
    other.indexes[1].sk_numeric = false;
    other.indexes[2].sk = Some("age".into());
    other.indexes.push(Index { name: "New".into(), pk: "age".into(), ..table.indexes[0].clone() });
    let error = db.ensure_table(&other).await.unwrap_err();
    let StoreError::Invalid(error) = error else { panic!("{error:?}") };
    assert_eq!(error.code, "table_does_not_fit");
    for part in [
        "its key is `PK` (text) and `SK` (text), not `PK` (text) and `Sort` (text)",
        "the index `GSI1` carries all attributes, not only keys",
        "the key of the index `ByAge` is `GSI1PK` (text) and `age` (a number), not `GSI1PK` (text) and `age` (text)",
        "the key of the index `Keys` is `SK` (text), not `SK` (text) and `age` (text)",
        "the key of the index `New` needs `age` as text, but it is a number",
        "items expire by `ttl`, not by `expires`",
    ] {
        assert!(error.message.to_string().contains(part), "{part}\n{}", error.message);
    }
    assert_eq!(db.describe(&table).await.unwrap().unwrap().indexes.len(), 3);
}
