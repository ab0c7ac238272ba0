//! Reading one item.

use hansang_core::plan::Get;
use hansang_core::{Name, Store};

use crate::expect::{read, write};
use crate::fields;
use crate::plans::{get, item, list, map, put};
use crate::table::fresh;

/// A missing item is no error.
pub async fn gives_nothing_for_a_missing_item(store: &dyn Store) {
    let table = fresh(store).await;
    assert_eq!(read(store, &table, "p", "s").await, None);
    write(store, &table, put(item("p", "s", fields! {}))).await;
    assert_eq!(read(store, &table, "p", "t").await, None);
    assert_eq!(read(store, &table, "q", "s").await, None);
}

/// A strong read sees every acknowledged write.
pub async fn sees_the_last_write(store: &dyn Store) {
    let table = fresh(store).await;
    for count in 0..10_i64 {
        let thing = item("p", "s", fields! { count: count });
        write(store, &table, put(thing.clone())).await;
        assert_eq!(read(store, &table, "p", "s").await, Some(thing));
    }
}

/// A weak read works too.
pub async fn reads_without_strong_consistency(store: &dyn Store) {
    let table = fresh(store).await;
    let thing = item("p", "s", fields! { n: 1 });
    write(store, &table, put(thing.clone())).await;
    let weak = Get { consistent: false, ..get("p", "s") };
    assert_eq!(store.get(&table, &weak).await.unwrap(), Some(thing));
}

/// Only the requested fields are returned.
pub async fn gives_only_the_fields_asked_for(store: &dyn Store) {
    let table = fresh(store).await;
    write(store, &table, put(item("p", "s", fields! { a: 1, b: 2, c: 3 }))).await;
    let some = Get { fields: Some(vec!["c".into(), "a".into(), "missing".into()]), ..get("p", "s") };
    assert_eq!(store.get(&table, &some).await.unwrap(), Some(fields! { a: 1, c: 3 }));
}

/// Key attributes are returned only if requested.
pub async fn gives_keys_as_fields(store: &dyn Store) {
    let table = fresh(store).await;
    write(store, &table, put(item("p", "s", fields! { a: 1 }))).await;
    let keys = Get { fields: Some(vec!["PK".into(), "SK".into()]), ..get("p", "s") };
    assert_eq!(store.get(&table, &keys).await.unwrap(), Some(item("p", "s", fields! {})));
}

/// An item without the requested fields is empty, not missing.
pub async fn tells_an_item_without_the_fields_from_a_missing_one(store: &dyn Store) {
    let table = fresh(store).await;
    write(store, &table, put(item("p", "s", fields! { a: 1 }))).await;
    let none = Get { fields: Some(vec!["missing".into()]), ..get("p", "s") };
    assert_eq!(store.get(&table, &none).await.unwrap(), Some(fields! {}));
    let nowhere = Get { fields: Some(vec!["missing".into()]), ..get("p", "t") };
    assert_eq!(store.get(&table, &nowhere).await.unwrap(), None);
}

/// A field is returned whole.
pub async fn gives_fields_whole(store: &dyn Store) {
    let table = fresh(store).await;
    let nested = map(fields! { list: list([1.into(), map(fields! { deep: true })]) });
    write(store, &table, put(item("p", "s", fields! { nested: nested.clone(), other: 1 }))).await;
    let some = Get { fields: Some(vec!["nested".into()]), ..get("p", "s") };
    assert_eq!(store.get(&table, &some).await.unwrap(), Some(fields! { nested: nested }));
}

/// A field is a name, not a path: dots are part of it.
pub async fn takes_a_field_as_a_name(store: &dyn Store) {
    let table = fresh(store).await;
    let mut thing = item("p", "s", fields! { a: map(fields! { b: 1 }) });
    thing.insert("a.b".into(), 2.into());
    write(store, &table, put(thing)).await;
    let some = Get { fields: Some(vec![Name::from("a.b")]), ..get("p", "s") };
    let found = store.get(&table, &some).await.unwrap().unwrap();
    assert_eq!(found.into_iter().collect::<Vec<_>>(), [("a.b".into(), 2.into())]);
}

/// Keys differ in case.
pub async fn tells_cases_apart(store: &dyn Store) {
    let table = fresh(store).await;
    write(store, &table, put(item("p", "s", fields! {}))).await;
    assert_eq!(read(store, &table, "P", "s").await, None);
    assert_eq!(read(store, &table, "p", "S").await, None);
}

/// Keys with similar but different characters are different keys.
pub async fn tells_composed_from_decomposed(store: &dyn Store) {
    let table = fresh(store).await;
    let composed = item("\u{e9}", "\u{d55c}", fields! { n: 1 });
    write(store, &table, put(composed.clone())).await;
    assert_eq!(read(store, &table, "e\u{301}", "\u{d55c}").await, None);
    assert_eq!(read(store, &table, "\u{e9}", "\u{1112}\u{1161}\u{11ab}").await, None);
    assert_eq!(read(store, &table, "\u{e9}", "\u{d55c}").await, Some(composed));
}
