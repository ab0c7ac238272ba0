//! Lagging indexes: a second store that follows the first one item by item, each with its own delay.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hansang_core::model::Table;
use hansang_core::plan::{Action, Get, Guards, Key, Write};
use hansang_core::{Item, Store, StoreError};

/// A store and its lagging copy.
///
/// The copy shows images of an item in order and may skip some. It is updated when it is read.
pub(super) struct Lagging {
    pub(super) store: Arc<dyn Store>,
    pub(super) view: Arc<dyn Store>,
    waiting: Mutex<Waiting>,
    /// Serialises image numbers.
    in_order: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct Waiting {
    last: u64,
    /// Images by due time and number.
    images: BTreeMap<(Duration, u64), Image>,
    /// Number of the current image of each item.
    shown: BTreeMap<(String, Key), u64>,
}

/// Image of an item after a write.
struct Image {
    table: Arc<Table>,
    key: Key,
    item: Option<Item>,
}

impl Lagging {
    pub(super) fn new(store: Arc<dyn Store>, view: Arc<dyn Store>) -> Self {
        Self { store, view, waiting: Mutex::default(), in_order: tokio::sync::Mutex::default() }
    }

    /// Schedules the current image of an item.
    pub(super) async fn wrote(&self, table: &Arc<Table>, key: Key, shown_at: Duration) {
        let _in_order = self.in_order.lock().await;
        let get = Get { key, consistent: true, fields: None };
        // An unreadable item was not written either.
        let Ok(item) = self.store.get(table, &get).await else { return };
        let mut waiting = self.waiting();
        waiting.last += 1;
        let number = waiting.last;
        waiting.images.insert((shown_at, number), Image { table: table.clone(), key: get.key, item });
    }

    /// Returns the copy as of this age of the world.
    pub(super) async fn view(&self, age: Duration) -> Result<&dyn Store, StoreError> {
        let _in_order = self.in_order.lock().await;
        while let Some(Image { table, key, item }) = self.next(age) {
            let action = item.map_or(Action::Delete, Action::Put);
            self.view.write(&table, Write { key, action, guards: Guards::default() }).await?;
        }
        Ok(&*self.view)
    }

    /// Returns the next due image that is newer than the current one.
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
