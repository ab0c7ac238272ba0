use hansang_core::plan::{Action, Get, Key, Write};
use hansang_core::{Item, Name, Store, Value};
use hansang_embedded::{Embedded, Options};
use std::sync::Arc;

#[tokio::test]
async fn smoke() {
    let dir = tempfile::tempdir().unwrap();
    let now: hansang_embedded::Now = Arc::new(|| jiff::Timestamp::from_second(1_800_000_000).unwrap());
    let model = hansang_core::compile(include_bytes!("../../../../models/content.yaml")).unwrap();
    let table = model.table.in_env(None);
    for round in 0..2 {
        let store = Embedded::open(dir.path(), Options::new(now.clone())).unwrap();
        store.ensure_table(&table).await.unwrap();
        let key = Key { pk: format!("A{round}"), sk: "b".to_owned() };
        let item =
            Item::from([(Name::from("PK"), Value::from(&*key.pk)), (Name::from("SK"), Value::from("b"))]);
        store
            .write(&table, Write { key: key.clone(), action: Action::Put(item.clone()), guards: vec![] })
            .await
            .unwrap();
        let get = Get { key: Key { pk: "A0".into(), ..key }, consistent: true, fields: None };
        assert!(store.get(&table, &get).await.unwrap().is_some());
    }
}
