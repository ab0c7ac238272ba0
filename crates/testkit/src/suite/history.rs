//! History of one item. A store may keep none and say so.

use hansang_core::model::Table;
use hansang_core::store::History;
use hansang_core::{Item, Store};

use crate::expect::{store_all, write};
use crate::fields;
use crate::plans::{add, delete, item, key, on, put, update};
use crate::table::{described, made};

async fn streaming(store: &dyn Store) -> Table {
    made(store, Table { streams: true, ..described() }).await
}

/// Images of each change.
fn images(history: History) -> Vec<(Option<Item>, Option<Item>)> {
    history.changes.into_iter().map(|change| (change.old, change.new)).collect()
}

/// Changes of one item, newest first, with old and new image.
pub async fn tells_the_changes_of_one_item(store: &dyn Store) {
    let table = streaming(store).await;
    let thing = |sk: &str, n: i64| item("p", sk, fields! { n: n });
    store_all(store, &table, [thing("a", 1), thing("b", 1)]).await;
    write(store, &table, update("p", "a", [add("n", "1")])).await;
    let writes = vec![delete("p", "a"), put(thing("b", 2))];
    store.transact(on(&table, writes)).await.unwrap();
    store_all(store, &table, [thing("a", 3)]).await;
    let Some(history) = store.history(&table, &key("p", "a"), 100).await.unwrap() else { return };
    assert!(history.whole, "a handful of changes is looked through");
    assert!(history.changes.windows(2).all(|pair| pair[0].at >= pair[1].at), "newest first");
    let (one, two, three) = (thing("a", 1), thing("a", 2), thing("a", 3));
    assert_eq!(
        images(history),
        [(None, Some(three)), (Some(two.clone()), None), (Some(one.clone()), Some(two)), (None, Some(one))]
    );
}

/// A limit cuts older changes, and the result says so.
pub async fn keeps_its_limit(store: &dyn Store) {
    let table = streaming(store).await;
    let thing = |n: i64| item("p", "s", fields! { n: n });
    store_all(store, &table, [thing(1), thing(2), thing(3)]).await;
    let Some(history) = store.history(&table, &key("p", "s"), 1).await.unwrap() else { return };
    assert!(!history.whole);
    assert_eq!(images(history), [(Some(thing(2)), Some(thing(3)))]);
}

/// An item that never existed has an empty history, unlike a store without history.
pub async fn of_nothing_is_empty(store: &dyn Store) {
    let table = streaming(store).await;
    store_all(store, &table, [item("p", "s", fields! {})]).await;
    let Some(history) = store.history(&table, &key("p", "other"), 100).await.unwrap() else { return };
    assert_eq!(history, History { changes: Vec::new(), whole: true });
}

/// A table without streams has no history.
pub async fn is_not_kept_without_streams(store: &dyn Store) {
    let table = made(store, described()).await;
    store_all(store, &table, [item("p", "s", fields! {})]).await;
    assert_eq!(store.history(&table, &key("p", "s"), 100).await.unwrap(), None);
}
