//! Items that were written lately, as they are now. What is changed once is often changed again: it is then not read
//! from the engine and put together from its bytes a second time. Only the one writer has them, so none is ever stale.

use std::collections::HashMap;
use std::sync::Arc;

use hansang_core::Item;
use quick_cache::DefaultHashBuilder;

use crate::group::At;

/// The most bytes of the items of one generation, as they are stored; in memory an item takes about three times that.
const GENERATION: usize = 3 * 1024 * 1024;

type Generation = HashMap<At, Arc<Item>, DefaultHashBuilder>;

/// The items of this generation and of the one before it.
#[derive(Default)]
pub(crate) struct Images {
    young: Generation,
    old: Generation,
    /// The bytes of what was kept in this generation.
    bytes: usize,
}

impl Images {
    pub(crate) fn get(&self, at: &At) -> Option<&Arc<Item>> {
        self.young.get(at).or_else(|| self.old.get(at))
    }

    /// Keeps an item, and forgets those that were not written for a whole generation.
    pub(crate) fn keep(&mut self, at: At, item: Arc<Item>, bytes: usize) {
        self.bytes += at.1.len() + bytes;
        self.young.insert(at, item);
        if self.bytes > GENERATION {
            self.old = std::mem::take(&mut self.young);
            self.bytes = 0;
        }
    }

    pub(crate) fn remove(&mut self, at: &At) {
        self.young.remove(at);
        self.old.remove(at);
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
    fn what_was_written_last_is_found_and_what_is_old_is_forgotten() {
        let (at, other) = ((1, b"a".to_vec()), (1, b"b".to_vec()));
        let mut images = Images::default();
        images.keep(at.clone(), item(1), GENERATION);
        images.keep(at.clone(), item(2), 0);
        assert_eq!(images.get(&at), Some(&item(2)));
        images.keep(other.clone(), item(3), GENERATION);
        assert_eq!(images.get(&at), Some(&item(2)));
        images.keep(other.clone(), item(4), GENERATION);
        assert_eq!((images.get(&at), images.get(&other)), (None, Some(&item(4))));
        assert_eq!(images.get(&(2, b"b".to_vec())), None);
    }

    #[test]
    fn what_is_gone_is_in_no_generation() {
        let at = (1, b"a".to_vec());
        let mut images = Images::default();
        images.keep(at.clone(), item(1), GENERATION);
        images.keep(at.clone(), item(2), 0);
        images.remove(&at);
        assert_eq!(images.get(&at), None);
    }
}
