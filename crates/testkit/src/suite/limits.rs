//! Size limits, to the byte.

use hansang_core::value::item_size;
use hansang_core::{Item, Store};

use crate::expect::{contents, read, refused, text, write};
use crate::fields;
use crate::plans::{append, bytes, item, key, on, put, query, query_index, set, sorted, update};
use crate::table::{BY_TEXT, fresh};
use hansang_core::plan::{Get, Query, SortCondition};

/// Maximum size of an item in bytes.
const MAX_ITEM_BYTES: usize = 400 * 1024;

/// An item of this size, filled with text.
fn sized(size: usize, fields: Item) -> Item {
    let mut thing = item("p", "s", fields);
    let rest = size - item_size(&thing) - "fill".len();
    thing.insert("fill".into(), "x".repeat(rest).into());
    assert_eq!(item_size(&thing), size);
    thing
}

/// An item of exactly 400 KB is stored.
pub async fn item_of_400_kb_is_stored(store: &dyn Store) {
    let table = fresh(store).await;
    let thing = sized(MAX_ITEM_BYTES, fields! {});
    write(store, &table, put(thing.clone())).await;
    assert!(read(store, &table, "p", "s").await == Some(thing), "the item comes back");
}

/// One more byte is refused, and the old item stays.
pub async fn item_of_a_byte_more_is_refused(store: &dyn Store) {
    let table = fresh(store).await;
    let small = item("p", "s", fields! { n: 1 });
    write(store, &table, put(small.clone())).await;
    refused(store.write(&table, put(sized(MAX_ITEM_BYTES + 1, fields! {}))).await, "item_too_large");
    refused(store.batch_put(&table, vec![sized(MAX_ITEM_BYTES + 1, fields! {})]).await, "item_too_large");
    refused(
        store.transact(on(&table, vec![put(sized(MAX_ITEM_BYTES + 1, fields! {}))])).await,
        "item_too_large",
    );
    assert_eq!(contents(store, &table).await, [small]);
}

/// Names count towards the size, and text counts in bytes.
pub async fn item_size_counts_names_and_bytes(store: &dyn Store) {
    let table = fresh(store).await;
    let name = "이름".repeat(1000);
    let mut wide = fields! { text: "한".repeat(100_000) };
    wide.insert(name.into(), bytes(&[0; 10_000]));
    write(store, &table, put(sized(MAX_ITEM_BYTES, wide.clone()))).await;
    refused(store.write(&table, put(sized(MAX_ITEM_BYTES + 1, wide))).await, "item_too_large");
    assert_eq!(item_size(&read(store, &table, "p", "s").await.unwrap()), MAX_ITEM_BYTES);
}

/// An update can fill an item up to 400 KB.
pub async fn item_grows_to_400_kb(store: &dyn Store) {
    let table = fresh(store).await;
    let full = sized(MAX_ITEM_BYTES, fields! {});
    write(store, &table, put(item("p", "s", fields! {}))).await;
    write(store, &table, update("p", "s", [set("fill", text(&full, "fill"))])).await;
    assert!(read(store, &table, "p", "s").await == Some(full), "the item is full");
}

/// An update cannot exceed 400 KB.
pub async fn item_grows_no_further(store: &dyn Store) {
    let table = fresh(store).await;
    let full = sized(MAX_ITEM_BYTES, fields! { n: 1 });
    write(store, &table, put(full.clone())).await;
    refused(store.write(&table, update("p", "s", [set("x", "y")])).await, "item_too_large");
    refused(store.write(&table, update("p", "s", [append("l", [1.into()])])).await, "item_too_large");
    refused(
        store.write(&table, update("p", "s", [set("fill", "y".repeat(MAX_ITEM_BYTES))])).await,
        "item_too_large",
    );
    assert!(read(store, &table, "p", "s").await == Some(full), "the item is unchanged");
}

/// Keys may have 2048 and 1024 bytes.
pub async fn long_keys_are_stored(store: &dyn Store) {
    let table = fresh(store).await;
    let (pk, sk) = ("p".repeat(2048), "s".repeat(1024));
    let thing = item(&pk, &sk, fields! { n: 1 });
    write(store, &table, put(thing.clone())).await;
    assert_eq!(read(store, &table, &pk, &sk).await, Some(thing.clone()));
    let found =
        store.query(&table, &sorted(query(&pk), "SK", SortCondition::Equal(sk.as_str().into()))).await;
    assert_eq!(found.unwrap().items, [thing]);
}

/// Keys are measured in bytes, not in characters.
pub async fn long_keys_are_measured_in_bytes(store: &dyn Store) {
    let table = fresh(store).await;
    let (pk, sk) = (format!("{}pp", "한".repeat(682)), format!("{}s", "한".repeat(341)));
    assert_eq!((pk.len(), sk.len()), (2048, 1024));
    write(store, &table, put(item(&pk, &sk, fields! {}))).await;
    assert!(read(store, &table, &pk, &sk).await.is_some());
    refused(store.write(&table, put(item(&"한".repeat(683), "s", fields! {}))).await, "key_too_long");
    refused(store.write(&table, put(item("p", &"한".repeat(342), fields! {}))).await, "key_too_long");
}

/// Longer keys are refused by every operation.
pub async fn longer_keys_are_refused(store: &dyn Store) {
    let table = fresh(store).await;
    let (pk, sk) = ("p".repeat(2049), "s".repeat(1025));
    for (pk, sk) in [(pk.as_str(), "s"), ("p", sk.as_str())] {
        refused(store.write(&table, put(item(pk, sk, fields! {}))).await, "key_too_long");
        refused(store.write(&table, update(pk, sk, [set("a", 1)])).await, "key_too_long");
        refused(store.write(&table, crate::plans::delete(pk, sk)).await, "key_too_long");
        let get = Get { key: key(pk, sk), consistent: true, fields: None };
        refused(store.get(&table, &get).await, "key_too_long");
    }
    refused(store.query(&table, &query(&pk)).await, "key_too_long");
    assert_eq!(contents(store, &table).await, []);
}

/// Index keys have the same limits.
pub async fn long_index_keys_are_stored(store: &dyn Store) {
    let table = fresh(store).await;
    let (tpk, tsk) = ("p".repeat(2048), "s".repeat(1024));
    let thing = item("p", "s", fields! { tpk: tpk.as_str(), tsk: tsk.as_str() });
    write(store, &table, put(thing.clone())).await;
    let found: Query = query_index(BY_TEXT, "tpk", &tpk);
    assert_eq!(store.query(&table, &found).await.unwrap().items, [thing]);
}

/// Longer index keys are refused by put and update.
pub async fn longer_index_keys_are_refused(store: &dyn Store) {
    let table = fresh(store).await;
    let thing = item("p", "s", fields! { tpk: "t", tsk: "s" });
    write(store, &table, put(thing.clone())).await;
    let (tpk, tsk) = ("p".repeat(2049), "s".repeat(1025));
    refused(store.write(&table, put(item("p", "s", fields! { tpk: tpk.as_str() }))).await, "key_too_long");
    refused(store.write(&table, update("p", "s", [set("tsk", tsk)])).await, "key_too_long");
    assert_eq!(contents(store, &table).await, [thing]);
}
