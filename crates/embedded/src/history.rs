//! The history of one item: walks the change feed backwards.

use std::ops::Bound;

use hansang_core::plan::Key;
use hansang_core::store::{History, Past};
use hansang_core::{Item, StoreError, Value};
use jiff::Timestamp;

use crate::catalog::StoredTable;
use crate::engine::{Engine, Snapshot};
use crate::feed::{self, StoredChange};
use crate::sweep::RETENTION;

/// Maximum number of changes to read. The feed is ordered by time, so the history of one item reads the
/// changes of all items. 20,000 take a few hundredths of a second.
const MAX_CHANGES: usize = 20_000;
/// Maximum number of bytes to read: a change may have two images of 400 KB.
const MAX_BYTES: usize = 64 * 1024 * 1024;
/// Changes and bytes per step. The task yields between steps, because a walk takes longer than any other
/// read.
const CHANGES_PER_STEP: usize = 500;
const BYTES_PER_STEP: usize = 1024 * 1024;

/// Returns up to `limit` changes of an item, newest first, of the last 24 hours. Reads from one snapshot.
pub(crate) async fn of(
    engine: &Engine,
    stored: &StoredTable,
    key: &Key,
    limit: usize,
    now: Timestamp,
) -> Result<History, StoreError> {
    let part = |name: &hansang_core::Name, text: &str| (name.clone(), Value::from(text));
    let key = Item::from([part(&stored.table.pk, &key.pk), part(&stored.table.sk, &key.sk)]);
    let snapshot = engine.snapshot();
    // Changes that are too old but not swept yet are left out.
    let mut walk = Walk { key, limit, since: now - RETENTION, ..Walk::default() };
    while !walk.step(engine, &snapshot, stored)? {
        tokio::task::yield_now().await;
    }
    Ok(walk.found)
}

#[derive(Default)]
struct Walk {
    /// Key attributes of the item.
    key: Item,
    limit: usize,
    since: Timestamp,
    /// Sequence number of the last change that was read.
    before: Option<u64>,
    changes: usize,
    bytes: usize,
    found: History,
}

impl Walk {
    /// Reads the next changes. Returns whether the walk has ended.
    fn step(
        &mut self,
        engine: &Engine,
        snapshot: &Snapshot,
        stored: &StoredTable,
    ) -> Result<bool, StoreError> {
        let end =
            self.before.map_or(Bound::Unbounded, |number| Bound::Excluded(number.to_be_bytes().to_vec()));
        let (changes, bytes) = (self.changes + CHANGES_PER_STEP, self.bytes + BYTES_PER_STEP);
        for entry in snapshot.range(engine, &stored.feed, (Bound::Unbounded, end), true) {
            let (number, value) = entry?;
            let damaged = |bad| engine.damaged(bad);
            let change = StoredChange::open(engine, &number, &value).map_err(damaged)?;
            if change.at < self.since {
                break;
            }
            if self.is_full() {
                return Ok(true);
            }
            if self.changes >= changes || self.bytes >= bytes {
                return Ok(false);
            }
            self.before = Some(feed::sequence(&number).map_err(damaged)?);
            self.changes += 1;
            self.bytes += value.len();
            if change.is_of(&self.key).map_err(damaged)? {
                let (old, new) = change.images().map_err(damaged)?;
                self.found.changes.push(Past { at: change.at, old, new });
            }
        }
        self.found.whole = true;
        Ok(true)
    }

    fn is_full(&self) -> bool {
        self.found.changes.len() >= self.limit || self.changes >= MAX_CHANGES || self.bytes >= MAX_BYTES
    }
}
