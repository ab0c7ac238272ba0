//! Items that were read lately, as bytes: a hot item is found without a search in the engine.
//!
//! What is kept here is never older than what is committed. Commits are numbered. Before one starts,
//! its items are taken out, and the stripe of each key remembers its number. So, as long as a stripe
//! remembers no later commit than the last one that was done when a reader took its snapshot, the
//! snapshot and what is kept here agree, and the one may be used for the other.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use quick_cache::sync::Cache;
use quick_cache::{DefaultHashBuilder, Equivalent, Weighter};

use crate::engine::Bytes;

/// Keys share stripes: so many that a commit of a hundred items leaves almost all alone.
const STRIPES: usize = 4096;
/// What an item takes beside its bytes: its place in the cache, and two allocations.
const OVERHEAD: usize = 96;
/// The size of an item, for a first guess at how many there will be.
const USUAL: u64 = 512;

pub(crate) struct Rows {
    cache: Cache<Row, Bytes, Weight>,
    stripes: Vec<Stripe>,
    hasher: DefaultHashBuilder,
    /// The last commit that was done.
    done: AtomicU64,
}

/// Keys that are told apart no further.
#[derive(Default)]
struct Stripe {
    /// The last commit that changed an item of them.
    last: AtomicU64,
    /// Whoever keeps or forgets an item has this; whoever reads one does not need it.
    turn: Mutex<()>,
}

/// The last commit that was done at some moment.
#[derive(Clone, Copy)]
pub(crate) struct Since(u64);

/// The key of an item, with the number of its table.
#[derive(PartialEq, Eq, Hash)]
struct Row(u32, Box<[u8]>);

/// The same, borrowed.
#[derive(Clone, Copy, Hash)]
pub(crate) struct Place<'k>(pub(crate) u32, pub(crate) &'k [u8]);

impl Equivalent<Row> for Place<'_> {
    fn equivalent(&self, row: &Row) -> bool {
        self.0 == row.0 && *self.1 == *row.1
    }
}

#[derive(Clone)]
struct Weight;

impl Weighter<Row, Bytes> for Weight {
    fn weight(&self, row: &Row, bytes: &Bytes) -> u64 {
        (row.1.len() + bytes.len() + OVERHEAD) as u64
    }
}

impl Rows {
    pub(crate) fn new(bytes: u64) -> Self {
        Self {
            cache: Cache::with_weighter((bytes / USUAL) as usize, bytes, Weight),
            stripes: (0..STRIPES).map(|_| Stripe::default()).collect(),
            hasher: DefaultHashBuilder::default(),
            done: AtomicU64::new(0),
        }
    }

    /// What a reader has to know from before it takes its snapshot.
    pub(crate) fn since(&self) -> Since {
        Since(self.done.load(Ordering::Acquire))
    }

    /// An item as a snapshot has it, if it is kept here.
    pub(crate) fn get(&self, place: Place<'_>, since: Since) -> Option<Bytes> {
        let bytes = self.cache.get(&place)?;
        // In this order: before a commit takes an item out, it leaves its number.
        (self.stripe(place).last.load(Ordering::Acquire) <= since.0).then_some(bytes)
    }

    /// Keeps an item that was read from a snapshot.
    pub(crate) fn keep(&self, place: Place<'_>, since: Since, bytes: &[u8]) {
        let stripe = self.stripe(place);
        let _turn = stripe.turn();
        if stripe.last.load(Ordering::Acquire) <= since.0 {
            // A copy: the bytes that the engine gives are a part of a whole block.
            self.cache.insert(Row(place.0, place.1.into()), Bytes::new(bytes));
        }
    }

    /// Forgets items that are about to change. The one writer calls this before every commit.
    pub(crate) fn begin<'k>(&self, places: impl Iterator<Item = Place<'k>>) {
        let number = self.done.load(Ordering::Acquire) + 1;
        for place in places {
            let stripe = self.stripe(place);
            let _turn = stripe.turn();
            stripe.last.store(number, Ordering::Release);
            self.cache.remove(&place);
        }
    }

    /// The commit that was begun is over.
    pub(crate) fn end(&self) {
        self.done.fetch_add(1, Ordering::AcqRel);
    }

    fn stripe(&self, place: Place<'_>) -> &Stripe {
        &self.stripes[self.hasher.hash_one(place) as usize % STRIPES]
    }
}

impl Stripe {
    fn turn(&self) -> MutexGuard<'_, ()> {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
