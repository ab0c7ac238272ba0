//! The change feed: every change of a table that asks for it, in order, with both images.

use hansang_core::{Item, StoreError};
use jiff::Timestamp;

use crate::catalog::Shelf;
use crate::codec::{self, Damaged};
use crate::engine::{Batch, Engine, Snapshot};
use crate::group::Changed;
use std::ops::Bound;

/// One change of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its place in the feed; the first is 1.
    pub sequence: u64,
    /// When it was made.
    pub at: Timestamp,
    /// The item before, if there was one.
    pub old: Option<Item>,
    /// The item after, if there still is one.
    pub new: Option<Item>,
}

pub(crate) fn put(batch: &mut Batch, change: &Changed, sequence: u64, at: Timestamp) {
    let mut value = at.as_millisecond().to_be_bytes().to_vec();
    for image in [&change.old, &change.new] {
        let bytes = image.as_deref().map(codec::encode).unwrap_or_default();
        value.extend_from_slice(&(bytes.len() as u32).to_be_bytes());
        value.extend_from_slice(&bytes);
    }
    batch.put(&change.shelf.feed, sequence.to_be_bytes().to_vec(), value);
}

/// Up to `limit` changes behind `after`.
pub(crate) fn read(
    engine: &Engine,
    snapshot: &Snapshot,
    shelf: &Shelf,
    after: u64,
    limit: usize,
) -> Result<Vec<Change>, StoreError> {
    let range = (Bound::Excluded(after.to_be_bytes().to_vec()), Bound::Unbounded);
    let entries = snapshot.range(engine, &shelf.feed, range, false).take(limit);
    entries
        .map(|entry| entry.and_then(|(key, value)| decode(&key, &value).map_err(|bad| engine.damaged(bad))))
        .collect()
}

/// The number of the last change, or zero.
pub(crate) fn last(engine: &Engine, shelf: &Shelf) -> Result<u64, StoreError> {
    let key = engine.snapshot().last_key(engine, &shelf.feed)?;
    key.map_or(Ok(0), |key| sequence(&key).map_err(|bad| engine.damaged(bad)))
}

/// The last change before a time, among the first thousand. The very last change of a feed is never
/// meant: its number is where the next one goes on, also after a restart.
pub(crate) fn last_before(
    engine: &Engine,
    snapshot: &Snapshot,
    shelf: &Shelf,
    time: Timestamp,
) -> Result<Option<u64>, StoreError> {
    let old = read(engine, snapshot, shelf, 0, TRIMMED + 1)?;
    let followed = old.windows(2).map(|pair| &pair[0]);
    Ok(followed.take_while(|change| change.at < time).last().map(|change| change.sequence))
}

/// The most changes that are removed at once.
const TRIMMED: usize = 1000;

/// Removes the oldest changes up to `until`, at most as many as are looked for at once.
pub(crate) fn trim(batch: &mut Batch, shelf: &Shelf, until: u64) {
    for sequence in until.saturating_sub(TRIMMED as u64) + 1..=until {
        batch.remove(&shelf.feed, sequence.to_be_bytes().to_vec());
    }
}

/// The number of a change, from its key.
pub(crate) fn sequence(key: &[u8]) -> Result<u64, Damaged> {
    key.try_into().map(u64::from_be_bytes).map_err(|_| Damaged)
}

/// A change as it is stored, its images not read yet.
pub(crate) struct Stored<'b> {
    pub(crate) at: Timestamp,
    old: &'b [u8],
    new: &'b [u8],
}

impl<'b> Stored<'b> {
    pub(crate) fn split(value: &'b [u8]) -> Result<Self, Damaged> {
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

    /// Whether it is a change of the item with these key attributes. Both images have the same key,
    /// so one of them is enough to tell.
    pub(crate) fn is_of(&self, key: &Item) -> Result<bool, Damaged> {
        let image = if self.new.is_empty() { self.old } else { self.new };
        Ok(codec::decode(image, |name| key.contains_key(name))? == *key)
    }

    /// The item before and the item after.
    pub(crate) fn images(&self) -> Result<(Option<Item>, Option<Item>), Damaged> {
        let image = |bytes: &[u8]| {
            if bytes.is_empty() { Ok(None) } else { codec::decode_whole(bytes).map(Some) }
        };
        Ok((image(self.old)?, image(self.new)?))
    }
}

fn decode(key: &[u8], value: &[u8]) -> Result<Change, Damaged> {
    let stored = Stored::split(value)?;
    let (old, new) = stored.images()?;
    Ok(Change { sequence: sequence(key)?, at: stored.at, old, new })
}
