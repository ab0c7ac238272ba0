//! Values of every type round-trip.

use hansang_core::{Item, Store, Value};

use crate::expect::{query_all, read, refused, write};
use crate::fields;
use crate::plans::{
    batch_get, blobs, bytes, counts, item, key, list, map, number, numbers, put, query, scan, set, texts,
    update,
};
use crate::table::fresh;

/// Stores the values by put, update and batch, and reads them in every way.
async fn comes_back(store: &dyn Store, values: Item) {
    let table = fresh(store).await;
    let thing = item("p", "s", values.clone());
    write(store, &table, put(thing.clone())).await;
    assert_eq!(read(store, &table, "p", "s").await, Some(thing.clone()), "get");
    assert_eq!(query_all(store, &table, &query("p")).await, std::slice::from_ref(&thing), "query");
    assert_eq!(store.scan(&table, &scan()).await.unwrap().items, std::slice::from_ref(&thing), "scan");
    let found = store.batch_get(&table, &batch_get(vec![key("p", "s")])).await.unwrap();
    assert_eq!(found, [Some(thing)], "batch get");
    for (name, value) in &values {
        let one = Item::from([(name.clone(), value.clone())]);
        let updated = write(store, &table, update("p", "u", [set("only", value.clone())])).await;
        assert_eq!(updated, Some(item("p", "u", fields! { only: value.clone() })), "update");
        store.batch_put(&table, vec![item("p", "b", one.clone())]).await.unwrap();
        assert_eq!(read(store, &table, "p", "b").await, Some(item("p", "b", one)), "batch put");
    }
}

/// Text of every script, and control characters.
pub async fn texts_come_back(store: &dyn Store) {
    comes_back(
        store,
        fields! { a: "한상", b: "😀\u{10ffff}", c: "\u{0}\u{1}\n\r\t\"\\/", d: "\u{feff}é e\u{301}" },
    )
    .await;
}

/// Empty text is a value.
pub async fn empty_text_comes_back(store: &dyn Store) {
    comes_back(store, fields! { a: "", l: list(["".into()]), m: map(fields! { a: "" }) }).await;
}

/// Bytes of every value.
pub async fn bytes_come_back(store: &dyn Store) {
    let all: Vec<u8> = (0..=255).collect();
    comes_back(store, fields! { a: Value::B(all), b: bytes(b"\x00") }).await;
}

/// Empty bytes are a value.
pub async fn empty_bytes_come_back(store: &dyn Store) {
    comes_back(store, fields! { a: bytes(b""), l: list([bytes(b"")]) }).await;
}

/// True, false and null.
pub async fn truths_and_null_come_back(store: &dyn Store) {
    comes_back(
        store,
        fields! { yes: true, no: false, null: Value::Null, l: list([Value::Null, true.into()]) },
    )
    .await;
}

/// Empty lists and maps are values.
pub async fn empty_lists_and_maps_come_back(store: &dyn Store) {
    comes_back(store, fields! { l: list([]), m: map(fields! {}), n: list([list([]), map(fields! {})]) })
        .await;
}

/// A list keeps values of several types in order, with duplicates.
pub async fn lists_come_back(store: &dyn Store) {
    let mixed = list([3.into(), "a".into(), 1.into(), 1.into(), Value::Null, bytes(b"x"), texts(&["t"])]);
    comes_back(store, fields! { l: mixed }).await;
}

/// Maps keep values of every type under any name.
pub async fn maps_come_back(store: &dyn Store) {
    let mut odd = fields! { a: 1, b: numbers(&["1"]), c: map(fields! { d: "e" }) };
    for name in ["a.b", "a b", "한", "#", "0", "name"] {
        odd.insert(name.into(), name.into());
    }
    comes_back(store, fields! { m: map(odd) }).await;
}

/// Sets of texts, numbers and bytes.
pub async fn sets_come_back(store: &dyn Store) {
    let values = fields! {
        ss: texts(&["b", "a", "한"]), ns: numbers(&["3", "-1", "2.5", "1E100"]), bs: blobs(&[b"\xff", b"\x00"]),
        inside: map(fields! { s: texts(&["x"]) }), listed: list([numbers(&["1"])])
    };
    comes_back(store, values).await;
}

/// A set of texts may have the empty text.
pub async fn sets_with_an_empty_member_come_back(store: &dyn Store) {
    comes_back(store, fields! { ss: texts(&["", "a"]), bs: blobs(&[b"", b"a"]) }).await;
}

/// Text, number and boolean are distinct.
pub async fn types_are_kept(store: &dyn Store) {
    comes_back(
        store,
        fields! { a: "1", b: 1, c: true, d: "true", e: counts(&[1]), f: numbers(&["1"]), g: bytes(b"1") },
    )
    .await;
}

fn nested(levels: usize, innermost: Value) -> Value {
    (0..levels).fold(
        innermost,
        |value, level| {
            if level % 2 == 0 { list([value]) } else { map(fields! { a: value }) }
        },
    )
}

/// Values nest 32 levels deep.
pub async fn deep_values_come_back(store: &dyn Store) {
    comes_back(store, fields! { deep: nested(31, number("1")) }).await;
}

/// One more level is refused.
pub async fn deeper_values_are_refused(store: &dyn Store) {
    let table = fresh(store).await;
    let deeper = nested(32, number("1"));
    refused(store.write(&table, put(item("p", "s", fields! { deep: deeper.clone() }))).await, "too_deep");
    refused(store.write(&table, update("p", "s", [set("deep", deeper)])).await, "too_deep");
    assert_eq!(read(store, &table, "p", "s").await, None);
}

/// An item can have many attributes.
pub async fn many_attributes_come_back(store: &dyn Store) {
    let table = fresh(store).await;
    let many: Item = (0..1000_i64).map(|n| (format!("attribute{n}").into(), n.into())).collect();
    let thing = item("p", "s", many);
    write(store, &table, put(thing.clone())).await;
    assert_eq!(read(store, &table, "p", "s").await, Some(thing));
}
