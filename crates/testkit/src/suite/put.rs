//! Puts of whole items.

use hansang_core::Store;

use crate::expect::{contents, failed_on, read, write};
use crate::fields;
use crate::plans::{absent, equal, exists, item, put, when};
use crate::table::fresh;

/// A put item can be read.
pub async fn stores_an_item(store: &dyn Store) {
    let table = fresh(store).await;
    let thing = item("p", "s", fields! { name: "한상", count: 1, open: true });
    write(store, &table, put(thing.clone())).await;
    assert_eq!(read(store, &table, "p", "s").await, Some(thing));
}

/// A put replaces the whole item.
pub async fn replaces_the_whole_item(store: &dyn Store) {
    let table = fresh(store).await;
    write(store, &table, put(item("p", "s", fields! { old: 1, shared: 1 }))).await;
    let second = item("p", "s", fields! { shared: 2 });
    write(store, &table, put(second.clone())).await;
    assert_eq!(contents(store, &table).await, [second]);
}

/// A put returns nothing, also if it replaces an item.
pub async fn returns_nothing(store: &dyn Store) {
    let table = fresh(store).await;
    for count in [1, 2] {
        assert_eq!(write(store, &table, put(item("p", "s", fields! { count: count }))).await, None);
    }
}

/// Sort keys separate items of a partition.
pub async fn keeps_sort_keys_apart(store: &dyn Store) {
    let table = fresh(store).await;
    let (a, b) = (item("p", "a", fields! { n: 1 }), item("p", "b", fields! { n: 2 }));
    write(store, &table, put(a.clone())).await;
    write(store, &table, put(b.clone())).await;
    assert_eq!(contents(store, &table).await, [a, b]);
}

/// Partitions separate items of a sort key.
pub async fn keeps_partitions_apart(store: &dyn Store) {
    let table = fresh(store).await;
    let (a, b) = (item("a", "s", fields! { n: 1 }), item("b", "s", fields! { n: 2 }));
    write(store, &table, put(a.clone())).await;
    write(store, &table, put(b.clone())).await;
    assert_eq!(contents(store, &table).await, [a, b]);
}

/// The boundary of the key parts matters: `ab`/`c` is not `a`/`bc`.
pub async fn keeps_the_parts_of_a_key_apart(store: &dyn Store) {
    let table = fresh(store).await;
    let (a, b) = (item("a", "bc", fields! { n: 1 }), item("ab", "c", fields! { n: 2 }));
    write(store, &table, put(a.clone())).await;
    write(store, &table, put(b.clone())).await;
    assert_eq!(contents(store, &table).await, [a, b]);
}

/// One key in two tables is two items.
pub async fn keeps_tables_apart(store: &dyn Store) {
    let (first, second) = (fresh(store).await, fresh(store).await);
    write(store, &first, put(item("p", "s", fields! { n: 1 }))).await;
    assert_eq!(read(store, &second, "p", "s").await, None);
    assert_eq!(contents(store, &second).await, []);
}

/// A put that requires absence succeeds once.
pub async fn creates_once(store: &dyn Store) {
    let table = fresh(store).await;
    let first = item("p", "s", fields! { n: 1 });
    write(store, &table, when(put(first.clone()), absent("PK"))).await;
    let again = store.write(&table, when(put(item("p", "s", fields! { n: 2 })), absent("PK"))).await;
    failed_on(again, Some(&first));
    assert_eq!(read(store, &table, "p", "s").await, Some(first));
}

/// A put that requires an item does not create one and reports none.
pub async fn replaces_only_an_existing_item(store: &dyn Store) {
    let table = fresh(store).await;
    let thing = item("p", "s", fields! { n: 1 });
    failed_on(store.write(&table, when(put(thing.clone()), exists("PK"))).await, None);
    assert_eq!(contents(store, &table).await, []);
}

/// A guard is evaluated on the stored item, not on the new one.
pub async fn asks_its_guard_of_the_stored_item(store: &dyn Store) {
    let table = fresh(store).await;
    let first = item("p", "s", fields! { version: 1 });
    write(store, &table, put(first.clone())).await;
    let second = item("p", "s", fields! { version: 2 });
    failed_on(store.write(&table, when(put(second.clone()), equal("version", 2))).await, Some(&first));
    write(store, &table, when(put(second.clone()), equal("version", 1))).await;
    assert_eq!(read(store, &table, "p", "s").await, Some(second));
}

/// Several guards must all hold.
pub async fn needs_all_of_its_guards(store: &dyn Store) {
    let table = fresh(store).await;
    let first = item("p", "s", fields! { a: 1, b: 1 });
    write(store, &table, put(first.clone())).await;
    let second = item("p", "s", fields! { a: 2, b: 2 });
    let one_fails = when(when(put(second.clone()), equal("a", 1)), equal("b", 2));
    failed_on(store.write(&table, one_fails).await, Some(&first));
    write(store, &table, when(when(put(second.clone()), equal("a", 1)), equal("b", 1))).await;
    assert_eq!(read(store, &table, "p", "s").await, Some(second));
}

/// An item may consist of its key alone.
pub async fn stores_a_key_alone(store: &dyn Store) {
    let table = fresh(store).await;
    let thing = item("p", "s", fields! {});
    write(store, &table, put(thing.clone())).await;
    assert_eq!(read(store, &table, "p", "s").await, Some(thing));
}

/// Attributes may have any name: reserved words, spaces, dots, brackets, other scripts.
pub async fn takes_attributes_of_any_name(store: &dyn Store) {
    let table = fresh(store).await;
    let mut thing = item("p", "s", fields! {});
    let names = ["name", "Type", "a b", "a.b", "a[0]", "#a", ":a", "이름", "-", "size", "\"", "$", "a\nb"];
    for (number, name) in names.into_iter().enumerate() {
        thing.insert(name.into(), (number as i64).into());
    }
    write(store, &table, put(thing.clone())).await;
    assert_eq!(read(store, &table, "p", "s").await, Some(thing));
}
