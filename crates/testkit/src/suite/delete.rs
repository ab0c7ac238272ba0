//! Removing items.

use hansang_core::Store;

use crate::expect::{contents, failed_on, read, write};
use crate::fields;
use crate::plans::{delete, equal, exists, item, put, set, update, when};
use crate::table::fresh;

/// A deletion removes one item only.
pub async fn removes_the_item(store: &dyn Store) {
    let table = fresh(store).await;
    let stays = item("p", "stays", fields! { n: 1 });
    write(store, &table, put(stays.clone())).await;
    write(store, &table, put(item("p", "goes", fields! { n: 2 }))).await;
    write(store, &table, delete("p", "goes")).await;
    assert_eq!(contents(store, &table).await, [stays]);
}

/// A deletion returns the removed item.
pub async fn returns_the_removed_item(store: &dyn Store) {
    let table = fresh(store).await;
    let thing = item("p", "s", fields! { a: 1, b: "two" });
    write(store, &table, put(thing.clone())).await;
    assert_eq!(write(store, &table, delete("p", "s")).await, Some(thing));
}

/// Deleting a missing item is no error and returns nothing.
pub async fn of_nothing_is_nothing(store: &dyn Store) {
    let table = fresh(store).await;
    assert_eq!(write(store, &table, delete("p", "s")).await, None);
    write(store, &table, put(item("p", "s", fields! {}))).await;
    write(store, &table, delete("p", "s")).await;
    assert_eq!(write(store, &table, delete("p", "s")).await, None);
}

/// A guarded deletion happens when its guard holds.
pub async fn happens_when_its_guard_holds(store: &dyn Store) {
    let table = fresh(store).await;
    let thing = item("p", "s", fields! { version: 3 });
    write(store, &table, put(thing.clone())).await;
    assert_eq!(write(store, &table, when(delete("p", "s"), equal("version", 3))).await, Some(thing));
    assert_eq!(read(store, &table, "p", "s").await, None);
}

/// A failed guard keeps the item and reports it.
pub async fn does_nothing_when_its_guard_fails(store: &dyn Store) {
    let table = fresh(store).await;
    let thing = item("p", "s", fields! { version: 3 });
    write(store, &table, put(thing.clone())).await;
    failed_on(store.write(&table, when(delete("p", "s"), equal("version", 2))).await, Some(&thing));
    assert_eq!(read(store, &table, "p", "s").await, Some(thing));
}

/// A deletion that requires an item fails if it is missing.
pub async fn can_require_an_item(store: &dyn Store) {
    let table = fresh(store).await;
    failed_on(store.write(&table, when(delete("p", "s"), exists("PK"))).await, None);
}

/// A recreated item has nothing of the deleted one.
pub async fn leaves_nothing_for_the_next(store: &dyn Store) {
    let table = fresh(store).await;
    write(store, &table, put(item("p", "s", fields! { old: 1, tpk: "t", tsk: "s" }))).await;
    write(store, &table, delete("p", "s")).await;
    write(store, &table, update("p", "s", [set("new", 1)])).await;
    assert_eq!(contents(store, &table).await, [item("p", "s", fields! { new: 1 })]);
}
