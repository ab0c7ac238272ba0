//! What became of one item lately: the change feed, walked from its end.

use std::ops::Bound;

use hansang_core::plan::Key;
use hansang_core::store::{History, Past};
use hansang_core::{Item, StoreError, Value};
use jiff::Timestamp;

use crate::catalog::Shelf;
use crate::engine::{Engine, Snapshot};
use crate::feed::{self, Stored};
use crate::sweep::KEPT;

/// The most changes that are looked at. The feed is in the order of time: whoever asks for one item
/// reads those of all others too, and a busy table makes millions a day. So many take a few
/// hundredths of a second, and are more than a household or an office makes in a day.
const MOST_CHANGES: usize = 20_000;
/// The most bytes that are looked at, as a change may have two images of 400 KB.
const MOST_BYTES: usize = 64 * 1024 * 1024;
/// How many changes and bytes are looked at before others get their turn: reads happen on the
/// thread that asks for them, and this one takes longer than all others.
const CHANGES_AT_ONCE: usize = 500;
const BYTES_AT_ONCE: usize = 1024 * 1024;

/// Up to `limit` changes of an item, newest first, none older than a day. All of it is of one
/// moment.
pub(crate) async fn of(
    engine: &Engine,
    shelf: &Shelf,
    key: &Key,
    limit: usize,
    now: Timestamp,
) -> Result<History, StoreError> {
    let part = |name: &hansang_core::Name, text: &str| (name.clone(), Value::from(text));
    let key = Item::from([part(&shelf.table.pk, &key.pk), part(&shelf.table.sk, &key.sk)]);
    let snapshot = engine.snapshot();
    // A change that the sweep has yet to remove is not told: what is too old must not depend on when
    // it comes by.
    let mut walk = Walk { key, limit, since: now - KEPT, ..Walk::default() };
    while !walk.step(engine, &snapshot, shelf)? {
        tokio::task::yield_now().await;
    }
    Ok(walk.found)
}

#[derive(Default)]
struct Walk {
    /// The key attributes of the item.
    key: Item,
    limit: usize,
    since: Timestamp,
    /// The number of the last change that was looked at.
    before: Option<u64>,
    changes: usize,
    bytes: usize,
    found: History,
}

impl Walk {
    /// Looks at the next changes; gives whether that was the end of it.
    fn step(&mut self, engine: &Engine, snapshot: &Snapshot, shelf: &Shelf) -> Result<bool, StoreError> {
        let end =
            self.before.map_or(Bound::Unbounded, |number| Bound::Excluded(number.to_be_bytes().to_vec()));
        let (changes, bytes) = (self.changes + CHANGES_AT_ONCE, self.bytes + BYTES_AT_ONCE);
        for entry in snapshot.range(engine, &shelf.feed, (Bound::Unbounded, end), true) {
            let (number, value) = entry?;
            let damaged = |bad| engine.damaged(bad);
            let change = Stored::split(&value).map_err(damaged)?;
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
        self.found.changes.len() >= self.limit || self.changes >= MOST_CHANGES || self.bytes >= MOST_BYTES
    }
}
