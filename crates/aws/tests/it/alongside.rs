//! `Db::alongside` on DynamoDB: a record and an entry of another table in one transaction.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use hansang_aws::DynamoDb;
use hansang_core::cursor::CursorKey;
use hansang_core::db::{Clock, GetOptions};
use hansang_core::plan::{Change, Path};
use hansang_core::value::json::item_from_plain;
use hansang_core::write::{Moment, Update};
use hansang_core::{CoreCode, Db, Item, Name, Record, Store, compile};
use serde_json::{Value as Json, json};

use crate::endpoints;

on_both!(a_record_and_its_entry_are_one_transaction);

const MODEL: &str = r#"
model: notes
table: { name: "Notes-{env}", key: { pk: PK, sk: SK } }
entities:
  Note:
    key: { PK: "NOTE#{id}", SK: META }
    version: version
    attributes: { id: string, title: string, count: { type: integer, default: 0 } }
    unique: { title: [title] }
"#;

fn fields(json: Json) -> Item {
    item_from_plain(&json).unwrap()
}

/// Notes in a table that no other test uses.
async fn notes(store: Arc<dyn Store>) -> Db {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let env = format!("alongside-{}", COUNT.fetch_add(1, Ordering::Relaxed));
    let now = jiff::Timestamp::from_second(1_800_000_000).unwrap();
    let clock = Clock::new(move || Moment { now, random: 7 });
    let model = Arc::new(compile(MODEL.as_bytes()).unwrap());
    let db = Db::new(model, Some(&env), store, clock, CursorKey::new(&[7; 32]));
    db.ensure_table().await.unwrap();
    db
}

fn note(id: &str, title: &str) -> Item {
    fields(json!({"id": id, "title": title}))
}

async fn read(db: &Db, id: &str) -> Option<Record> {
    let options = GetOptions { consistent: true, fields: None };
    db.get("Note", &fields(json!({"id": id})), &options).await.unwrap()
}

async fn a_record_and_its_entry_are_one_transaction(store: DynamoDb) {
    let store: Arc<dyn Store> = Arc::new(store);
    let (records, log) = (notes(store.clone()).await, notes(store).await);
    // The same keys in both tables.
    let logged = |id: &str| records.alongside(log.plan_create("Note", note(id, id)).unwrap());
    let created = logged("a").create("Note", note("a", "a")).await.unwrap();
    assert_eq!(read(&records, "a").await, Some(created));
    assert!(read(&log, "a").await.is_some());

    // Errors of the record are the same as without.
    for given in [note("a", "x"), note("b", "a"), fields(json!({"id": "b"}))] {
        let plain = records.create("Note", given.clone()).await.unwrap_err();
        assert_eq!(logged("b").create("Note", given).await.unwrap_err(), plain);
    }
    assert!(read(&log, "b").await.is_none());

    // Errors of the entry have their own code.
    let refused = logged("a").create("Note", note("b", "b")).await.unwrap_err();
    assert_eq!(refused.code, CoreCode::AlongsideRefused);
    assert!(read(&records, "b").await.is_none());

    let title = Path::from(&Name::from("count"));
    let update = Update {
        key: fields(json!({"id": "a"})),
        changes: vec![(title, Change::Add(2.into()))],
        expected_version: Some(1),
    };
    let updated = logged("b").update("Note", update.clone()).await.unwrap();
    assert_eq!(read(&records, "a").await, Some(updated));
    assert!(read(&log, "b").await.is_some());
    let stale = logged("c").update("Note", update).await.unwrap_err();
    assert_eq!(stale.code, "changed_meanwhile");
    logged("c").delete("Note", fields(json!({"id": "a"})), None).await.unwrap();
    assert!(read(&records, "a").await.is_none());
    assert!(read(&log, "c").await.is_some());
}
