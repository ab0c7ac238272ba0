//! The change feed: every change of a table with `streams`, in order, with the old and the new image.

use hansang_core::{Item, StoreError};
use jiff::Timestamp;

use crate::catalog::StoredTable;
use crate::codec::{self, Damaged};
use crate::engine::{Batch, Engine, Snapshot};
use crate::group::Changed;
use crate::seal::{self, Kind};
use std::ops::Bound;

/// One change of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Sequence number in the feed, from 1.
    pub sequence: u64,
    /// When it was committed.
    pub at: Timestamp,
    /// Item before the change, if it existed.
    pub old: Option<Item>,
    /// Item after the change, if it still exists.
    pub new: Option<Item>,
}

pub(crate) fn put(batch: &mut Batch, change: &Changed, sequence: u64, at: Timestamp) {
    let mut value = at.as_millisecond().to_be_bytes().to_vec();
    for image in [&change.old, &change.new] {
        let bytes = image.as_deref().map(codec::encode).unwrap_or_default();
        value.extend_from_slice(&(bytes.len() as u32).to_be_bytes());
        value.extend_from_slice(&bytes);
    }
    let key = sequence.to_be_bytes().to_vec();
    let record = seal::other(&key, &value);
    batch.put(&change.stored.feed, key, record);
}

/// Reads up to `limit` changes after sequence number `after`.
pub(crate) fn read(
    engine: &Engine,
    snapshot: &Snapshot,
    stored: &StoredTable,
    after: u64,
    limit: usize,
) -> Result<Vec<Change>, StoreError> {
    let range = (Bound::Excluded(after.to_be_bytes().to_vec()), Bound::Unbounded);
    let entries = snapshot.range(engine, &stored.feed, range, false).take(limit);
    entries
        .map(|entry| {
            entry.and_then(|(key, value)| decode(engine, &key, &value).map_err(|bad| engine.damaged(bad)))
        })
        .collect()
}

/// Sequence number of the last change, or zero.
pub(crate) fn last(engine: &Engine, stored: &StoredTable) -> Result<u64, StoreError> {
    let key = engine.snapshot().last_key(engine, &stored.feed)?;
    key.map_or(Ok(0), |key| sequence(&key).map_err(|bad| engine.damaged(bad)))
}

/// The last change before `time` among the oldest [`MAX_TRIMMED`]. Never the last change of the feed: its
/// number is where a restart continues.
pub(crate) fn last_before(
    engine: &Engine,
    snapshot: &Snapshot,
    stored: &StoredTable,
    time: Timestamp,
) -> Result<Option<u64>, StoreError> {
    let old = read(engine, snapshot, stored, 0, MAX_TRIMMED + 1)?;
    let followed = old.windows(2).map(|pair| &pair[0]);
    Ok(followed.take_while(|change| change.at < time).last().map(|change| change.sequence))
}

/// Maximum number of changes to remove at once.
const MAX_TRIMMED: usize = 1000;

/// Removes up to [`MAX_TRIMMED`] changes that end at `until`.
pub(crate) fn trim(batch: &mut Batch, stored: &StoredTable, until: u64) {
    for sequence in until.saturating_sub(MAX_TRIMMED as u64) + 1..=until {
        batch.remove(&stored.feed, sequence.to_be_bytes().to_vec());
    }
}

/// Decodes the sequence number of a key.
pub(crate) fn sequence(key: &[u8]) -> Result<u64, Damaged> {
    key.try_into().map(u64::from_be_bytes).map_err(|_| Damaged)
}

/// A stored change whose images are not decoded yet.
pub(crate) struct StoredChange<'b> {
    pub(crate) at: Timestamp,
    old: &'b [u8],
    new: &'b [u8],
}

impl<'b> StoredChange<'b> {
    pub(crate) fn open(engine: &Engine, key: &[u8], record: &'b [u8]) -> Result<Self, Damaged> {
        let value = engine.unseal(Kind::Other, key, record)?;
        let (millis, mut rest) = value.split_first_chunk::<8>().ok_or(Damaged)?;
        let at = Timestamp::from_millisecond(i64::from_be_bytes(*millis)).map_err(|_| Damaged)?;
        let mut image = || {
            let (length, more) = rest.split_first_chunk::<4>().ok_or(Damaged)?;
            let (bytes, more) = more.split_at_checked(u32::from_be_bytes(*length) as usize).ok_or(Damaged)?;
            rest = more;
            Ok(bytes)
        };
        let (old, new) = (image()?, image()?);
        Ok(Self { at, old, new })
    }

    /// Returns whether this is a change of the item with these key attributes. Both images have the same key,
    /// so one is decoded.
    pub(crate) fn is_of(&self, key: &Item) -> Result<bool, Damaged> {
        let image = if self.new.is_empty() { self.old } else { self.new };
        Ok(codec::decode(image, |name| key.contains_key(name))? == *key)
    }

    /// Decodes the old and the new image.
    pub(crate) fn images(&self) -> Result<(Option<Item>, Option<Item>), Damaged> {
        let image = |bytes: &[u8]| {
            if bytes.is_empty() { Ok(None) } else { codec::decode_whole(bytes).map(Some) }
        };
        Ok((image(self.old)?, image(self.new)?))
    }
}

fn decode(engine: &Engine, key: &[u8], record: &[u8]) -> Result<Change, Damaged> {
    let change = StoredChange::open(engine, key, record)?;
    let (old, new) = change.images()?;
    Ok(Change { sequence: sequence(key)?, at: change.at, old, new })
}
