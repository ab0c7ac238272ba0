//! Indexes that lag: a second store that follows the first one item by item, each after a time of its own.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hansang_core::model::Table;
use hansang_core::plan::{Action, Get, Guards, Key, Write};
use hansang_core::{Item, Store, StoreError};

/// A store, and one that follows it.
///
/// The view shows every image of an item for a while, as an index does, but never one again that is older than
/// what it has shown. It is brought up to date when it is read: nobody can see the difference.
pub(super) struct Lagging {
    pub(super) store: Arc<dyn Store>,
    pub(super) view: Arc<dyn Store>,
    waiting: Mutex<Waiting>,
    /// One at a time, so that images have numbers in the order in which they came to be.
    in_order: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct Waiting {
    last: u64,
    /// By when they are shown, and by number.
    images: BTreeMap<(Duration, u64), Image>,
    /// The number of the image that is shown.
    shown: BTreeMap<(String, Key), u64>,
}

/// An item as it was after a write.
struct Image {
    table: Arc<Table>,
    key: Key,
    item: Option<Item>,
}

impl Lagging {
    pub(super) fn new(store: Arc<dyn Store>, view: Arc<dyn Store>) -> Self {
        Self { store, view, waiting: Mutex::default(), in_order: tokio::sync::Mutex::default() }
    }

    /// Remembers an item as it is now, to be shown later.
    pub(super) async fn wrote(&self, table: &Arc<Table>, key: Key, shown_at: Duration) {
        let _in_order = self.in_order.lock().await;
        let get = Get { key, consistent: true, fields: None };
        // What cannot be read was not written either.
        let Ok(item) = self.store.get(table, &get).await else { return };
        let mut waiting = self.waiting();
        waiting.last += 1;
        let number = waiting.last;
        waiting.images.insert((shown_at, number), Image { table: table.clone(), key: get.key, item });
    }

    /// The view as it is at this age of the world.
    pub(super) async fn view(&self, age: Duration) -> Result<&dyn Store, StoreError> {
        let _in_order = self.in_order.lock().await;
        while let Some(Image { table, key, item }) = self.next(age) {
            let action = item.map_or(Action::Delete, Action::Put);
            self.view.write(&table, Write { key, action, guards: Guards::default() }).await?;
        }
        Ok(&*self.view)
    }

    /// The next image that is to be shown and is not older than the one that is.
    fn next(&self, age: Duration) -> Option<Image> {
        let mut waiting = self.waiting();
        loop {
            let first = waiting.images.first_entry().filter(|first| first.key().0 <= age)?;
            let ((_, number), image) = first.remove_entry();
            let shown = waiting.shown.entry((image.table.name.clone(), image.key.clone())).or_default();
            if *shown < number {
                *shown = number;
                return Some(image);
            }
        }
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
