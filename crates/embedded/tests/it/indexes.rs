//! New indexes are filled from stored items.

use hansang_core::model::Ttl;
use hansang_core::plan::Scan;
use hansang_core::{Store as _, StoreError, Table, Value};
use hansang_embedded::Embedded;

use crate::{NOON, TestClock, everything, item, put, table};

fn bare() -> Table {
    Table { indexes: Vec::new(), ttl: None, streams: false, ..table::table() }
}

#[tokio::test]
async fn a_new_index_and_expiry_are_filled() {
    let directory = tempfile::tempdir().unwrap();
    let store = Embedded::open(directory.path(), TestClock::at(NOON).options()).unwrap();
    store.ensure_table(&bare()).await.unwrap();
    // More entries than one commit takes.
    for chunk in 0..5 {
        let one = |n: i64| {
            let more = [
                ("GSI1PK", Value::from("g")),
                ("GSI1SK", format!("{n:06}").into()),
                ("ttl", Value::from(NOON - n % 2 * 2 + 1)),
            ];
            item("p", &n.to_string(), &more)
        };
        store.batch_put(&bare(), (chunk * 5000..(chunk + 1) * 5000).map(one).collect()).await.unwrap();
    }
    let table = table::table();
    store.ensure_table(&table).await.unwrap();
    store.ensure_table(&table).await.unwrap();
    assert_eq!(store.verify(&table).unwrap(), []);
    let mut scan = Scan { index: Some("GSI1".into()), limit: 30_000, start: None, consistent: false };
    let mut count = 0;
    loop {
        let page = store.scan(&table, &scan).await.unwrap();
        count += page.items.len();
        scan.start = page.next;
        if scan.start.is_none() {
            break;
        }
    }
    assert_eq!(count, 25_000);
    assert_eq!(store.sweep().await.unwrap(), 12_500);
    assert_eq!(everything(&store, &table).await.len(), 12_500);
    // An index that the model no longer has stays and stays correct.
    store.ensure_table(&bare()).await.unwrap();
    store.write(&table, put("q", "1", &[("GSI1PK", "g".into()), ("GSI1SK", "x".into())])).await.unwrap();
    assert_eq!(store.verify(&table).unwrap(), []);
}

#[tokio::test]
async fn a_table_that_does_not_fit_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let store = Embedded::open(directory.path(), TestClock::at(NOON).options()).unwrap();
    store.ensure_table(&table::table()).await.unwrap();
    let mut other = Table { pk: "ID".into(), ..table::table() };
    other.indexes[0].sk = None;
    other.ttl = Some(Ttl { attribute: "expiresAt".into(), enabled: true });
    let Err(StoreError::Invalid(error)) = store.ensure_table(&other).await else { panic!("it fits") };
    assert_eq!(error.code, "table_does_not_fit");
    for part in [
        "its key is PK / SK, the model says ID / SK",
        "its index GSI1 is GSI1PK / GSI1SK, the model says GSI1PK",
        "expire by `ttl`, the model says `expiresAt`",
    ] {
        assert!(error.message.to_string().contains(part), "{}", error.message);
    }
    store.write(&table::table(), put("a", "1", &[])).await.unwrap();
}
