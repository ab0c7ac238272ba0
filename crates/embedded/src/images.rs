//! Cache of recently written items, decoded. An item that changes once often changes again. Only the writer
//! uses it, so it is never stale.

use std::collections::HashMap;
use std::sync::Arc;

use hansang_core::Item;
use quick_cache::DefaultHashBuilder;

use crate::group::ItemKey;

/// Maximum encoded bytes of a generation. An item in memory takes about three times as much.
const MAX_GENERATION_BYTES: usize = 3 * 1024 * 1024;

type Generation = HashMap<ItemKey, Arc<Item>, DefaultHashBuilder>;

/// The current generation and the one before it.
#[derive(Default)]
pub(crate) struct Images {
    young: Generation,
    old: Generation,
    /// Encoded bytes of the current generation.
    bytes: usize,
}

impl Images {
    pub(crate) fn get(&self, key: &ItemKey) -> Option<&Arc<Item>> {
        self.young.get(key).or_else(|| self.old.get(key))
    }

    /// Inserts an item. Evicts items that were not written for a whole generation.
    pub(crate) fn keep(&mut self, key: ItemKey, item: Arc<Item>, bytes: usize) {
        self.bytes += key.1.len() + bytes;
        self.young.insert(key, item);
        if self.bytes > MAX_GENERATION_BYTES {
            self.old = std::mem::take(&mut self.young);
            self.bytes = 0;
        }
    }

    pub(crate) fn remove(&mut self, key: &ItemKey) {
        self.young.remove(key);
        self.old.remove(key);
    }
}

#[cfg(test)]
mod tests {
    use hansang_core::{Name, Value};

    use super::*;

    fn item(number: i64) -> Arc<Item> {
        Arc::new(Item::from([(Name::from("number"), Value::from(number))]))
    }

    #[test]
    fn the_last_image_is_found_and_old_ones_are_evicted() {
        let (at, other) = ((1, b"a".to_vec()), (1, b"b".to_vec()));
        let mut images = Images::default();
        images.keep(at.clone(), item(1), MAX_GENERATION_BYTES);
        images.keep(at.clone(), item(2), 0);
        assert_eq!(images.get(&at), Some(&item(2)));
        images.keep(other.clone(), item(3), MAX_GENERATION_BYTES);
        assert_eq!(images.get(&at), Some(&item(2)));
        images.keep(other.clone(), item(4), MAX_GENERATION_BYTES);
        assert_eq!((images.get(&at), images.get(&other)), (None, Some(&item(4))));
        assert_eq!(images.get(&(2, b"b".to_vec())), None);
    }

    #[test]
    fn a_removed_item_is_in_no_generation() {
        let at = (1, b"a".to_vec());
        let mut images = Images::default();
        images.keep(at.clone(), item(1), MAX_GENERATION_BYTES);
        images.keep(at.clone(), item(2), 0);
        images.remove(&at);
        assert_eq!(images.get(&at), None);
    }
}
