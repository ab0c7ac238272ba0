//! Row cache: recently read items, encoded. A hit saves the search in the engine.
//!
//! An entry is never older than the last commit. Commits are numbered. Before a commit, its items are removed
//! from the cache and the stripe of each key records its number. A reader may use an entry if the stripe
//! records no commit later than the last one that was done when the reader took its snapshot.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use quick_cache::sync::Cache;
use quick_cache::{DefaultHashBuilder, Equivalent, Weighter};

use crate::engine::Bytes;

/// Number of stripes: a commit of a hundred items invalidates few other keys.
const STRIPES: usize = 4096;
/// Memory of an entry beside its bytes.
const ENTRY_OVERHEAD: usize = 96;
/// Typical item size, to estimate the capacity.
const TYPICAL_ITEM_BYTES: u64 = 512;

pub(crate) struct Rows {
    cache: Cache<OwnedRowKey, Bytes, Weight>,
    stripes: Vec<Stripe>,
    hasher: DefaultHashBuilder,
    /// Number of the last finished commit.
    done: AtomicU64,
}

/// A group of keys that share a commit number.
#[derive(Default)]
struct Stripe {
    /// Number of the last commit that changed one of the keys.
    last: AtomicU64,
    /// Held to insert or remove an entry. Reads do not need it.
    lock: Mutex<()>,
}

/// Number of the last commit that was done at some moment.
#[derive(Clone, Copy)]
pub(crate) struct Since(u64);

/// Key of a cached item: table number and item key.
#[derive(PartialEq, Eq, Hash)]
struct OwnedRowKey(u32, Box<[u8]>);

/// Borrowed [`OwnedRowKey`].
#[derive(Clone, Copy, Hash)]
pub(crate) struct RowKey<'k>(pub(crate) u32, pub(crate) &'k [u8]);

impl Equivalent<OwnedRowKey> for RowKey<'_> {
    fn equivalent(&self, key: &OwnedRowKey) -> bool {
        self.0 == key.0 && *self.1 == *key.1
    }
}

#[derive(Clone)]
struct Weight;

impl Weighter<OwnedRowKey, Bytes> for Weight {
    fn weight(&self, key: &OwnedRowKey, bytes: &Bytes) -> u64 {
        (key.1.len() + bytes.len() + ENTRY_OVERHEAD) as u64
    }
}

impl Rows {
    pub(crate) fn new(bytes: u64) -> Self {
        Self {
            cache: Cache::with_weighter((bytes / TYPICAL_ITEM_BYTES) as usize, bytes, Weight),
            stripes: (0..STRIPES).map(|_| Stripe::default()).collect(),
            hasher: DefaultHashBuilder::default(),
            done: AtomicU64::new(0),
        }
    }

    /// Returns the state that a reader must take before its snapshot.
    pub(crate) fn since(&self) -> Since {
        Since(self.done.load(Ordering::Acquire))
    }

    /// Returns the cached item if it is the one of the reader's snapshot.
    pub(crate) fn get(&self, key: RowKey<'_>, since: Since) -> Option<Bytes> {
        let bytes = self.cache.get(&key)?;
        // Check the stripe after the lookup: a commit records its number before it removes the entry.
        (self.stripe(key).last.load(Ordering::Acquire) <= since.0).then_some(bytes)
    }

    /// Inserts an item that was read from a snapshot.
    pub(crate) fn keep(&self, key: RowKey<'_>, since: Since, bytes: &[u8]) {
        let stripe = self.stripe(key);
        let _guard = stripe.lock();
        if stripe.last.load(Ordering::Acquire) <= since.0 {
            // Copies the bytes, which are part of a whole block.
            self.cache.insert(OwnedRowKey(key.0, key.1.into()), Bytes::new(bytes));
        }
    }

    /// Removes items that are about to change. The writer calls this before every commit.
    pub(crate) fn begin<'k>(&self, keys: impl Iterator<Item = RowKey<'k>>) {
        let number = self.done.load(Ordering::Acquire) + 1;
        for key in keys {
            let stripe = self.stripe(key);
            let _guard = stripe.lock();
            stripe.last.store(number, Ordering::Release);
            self.cache.remove(&key);
        }
    }

    /// Marks the commit of [`Rows::begin`] as done.
    pub(crate) fn end(&self) {
        self.done.fetch_add(1, Ordering::AcqRel);
    }

    /// Removes everything, while no reader uses the cache.
    pub(crate) fn clear(&self) {
        self.cache.clear();
    }

    fn stripe(&self, key: RowKey<'_>) -> &Stripe {
        &self.stripes[self.hasher.hash_one(key) as usize % STRIPES]
    }
}

impl Stripe {
    fn lock(&self) -> MutexGuard<'_, ()> {
        self.lock.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
