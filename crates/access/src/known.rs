//! A cache of recently identified callers, so that a request does not read the store twice to check a token.
//!
//! A revocation made through this [`Access`](crate::Access) takes effect at once, one made by another process within
//! [`MAX_AGE`]. While the store is unavailable, an identity may still read for [`MAX_OUTAGE_AGE`], so that what other caches
//! have is served.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use jiff::{SignedDuration, Timestamp};
use quick_cache::sync::Cache;

use crate::identity::Identity;

/// The time that an identity is cached.
const MAX_AGE: SignedDuration = SignedDuration::from_secs(3);
/// The time that an identity may read while the store is unavailable.
const MAX_OUTAGE_AGE: SignedDuration = SignedDuration::from_mins(5);
/// The number of cached identities.
const MAX_ENTRIES: usize = 4096;

pub(crate) struct Known {
    entries: Cache<String, Arc<Entry>>,
    /// Grows with every revocation. An entry of an earlier epoch is stale.
    epoch: AtomicU64,
}

struct Entry {
    identity: Identity,
    since: Timestamp,
    /// The end of the session or token.
    end: Timestamp,
    epoch: u64,
}

impl Known {
    pub(crate) fn new() -> Self {
        Self { entries: Cache::new(MAX_ENTRIES), epoch: AtomicU64::new(0) }
    }

    /// Returns the cached identity for the hash of a secret.
    pub(crate) fn get(&self, hash: &str, now: Timestamp) -> Option<Identity> {
        self.not_older(hash, now, MAX_AGE)
    }

    /// Returns the cached identity for the hash of a secret, for a read while the store is unavailable.
    pub(crate) fn get_in_outage(&self, hash: &str, now: Timestamp) -> Option<Identity> {
        self.not_older(hash, now, MAX_OUTAGE_AGE)
    }

    fn not_older(&self, hash: &str, now: Timestamp, age: SignedDuration) -> Option<Identity> {
        let entry = self.entries.get(hash)?;
        let until = entry.since.saturating_add(age).unwrap_or(entry.since).min(entry.end);
        let fresh = entry.since <= now && now < until;
        (fresh && entry.epoch == self.epoch()).then(|| entry.identity.clone())
    }

    /// Returns the current epoch. Call it before reading the store.
    pub(crate) fn epoch(&self) -> u64 {
        self.epoch.load(Ordering::Acquire)
    }

    /// Caches an identity that was read in `epoch` and ends at `end`. A revocation since then makes the entry stale.
    pub(crate) fn insert(
        &self,
        hash: String,
        identity: &Identity,
        epoch: u64,
        now: Timestamp,
        end: Timestamp,
    ) {
        self.entries.insert(hash, Arc::new(Entry { identity: identity.clone(), since: now, end, epoch }));
    }

    /// Drops all entries when the returned value is dropped: after a write that may revoke something, whatever its
    /// outcome.
    pub(crate) fn clear_after(&self) -> ClearAfter<'_> {
        ClearAfter(self)
    }
}

pub(crate) struct ClearAfter<'k>(&'k Known);

impl Drop for ClearAfter<'_> {
    fn drop(&mut self) {
        self.0.epoch.fetch_add(1, Ordering::AcqRel);
    }
}
