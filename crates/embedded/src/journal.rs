//! Reads the journals of the engine: finds damage before the engine opens them, and removes a commit that
//! failed.
//!
//! A journal is a sequence of batches: a start (item count and sequence number), items, and an end (checksum
//! of the items and four fixed bytes). Zeros follow up to the preallocated size. The engine drops everything
//! after the first batch that it cannot read, and does not check the starts. A crash can only tear the last
//! batch, which was never acknowledged: anything else is damage.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Read, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::Xxh3;

const START: u8 = 1;
const ITEM: u8 = 2;
const END: u8 = 3;
const CLEAR: u8 = 4;
/// Last bytes of a batch.
const MAGIC: [u8; 4] = [b'F', b'J', b'L', 3];
/// Length of the end of a batch: tag, checksum and [`MAGIC`].
const END_BYTES: usize = 13;
/// Unit in which a disk writes.
const SECTOR: u64 = 512;
/// Maximum difference of the sequence numbers of neighbouring batches. Flushes and compactions use a few.
const MAX_STEP: u64 = 1 << 24;
/// Maximum number of flipped bits in the end of a batch that is still taken for one.
const MAX_FLIPPED: u32 = 2;
const CHUNK: usize = 1 << 20;

/// Content of a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Journal {
    /// Number in the file name.
    pub(crate) number: u64,
    /// Position after the last batch.
    pub(crate) end: u64,
    /// Sequence number of the first batch.
    pub(crate) first: Option<u64>,
    /// Sequence number of the last batch.
    pub(crate) last: Option<u64>,
    /// State of the bytes after the last batch.
    pub(crate) tail: Tail,
}

/// Bytes after the last batch that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tail {
    /// Nothing but zeros.
    Empty,
    /// A batch that was not written to its end.
    Torn,
    /// A batch that was written and cannot be read, or batches in the wrong order.
    Damaged,
}

/// A batch: its sequence number and its length.
struct Batch {
    sequence: u64,
    length: u64,
}

/// Journals of an engine directory, oldest first.
pub(crate) fn list(directory: &Path) -> io::Result<Vec<(u64, PathBuf)>> {
    let mut journals = Vec::new();
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        let number = path.file_name().and_then(|name| name.to_str()?.strip_suffix(".jnl")?.parse().ok());
        journals.extend(number.map(|number| (number, path)));
    }
    journals.sort();
    Ok(journals)
}

/// Reads a journal to its end.
pub(crate) fn read(number: u64, path: &Path) -> io::Result<Journal> {
    let mut journal = Journal { number, end: 0, first: None, last: None, tail: Tail::Empty };
    let (mut file, disordered) = walk(path, |position, batch| {
        journal.end = position + batch.length;
        journal.first = journal.first.or(Some(batch.sequence));
        journal.last = Some(batch.sequence);
        true
    })?;
    journal.tail = if disordered {
        Tail::Damaged
    } else {
        file.seek(SeekFrom::Start(journal.end))?;
        tail(&rest(&mut file)?, journal.end)
    };
    Ok(journal)
}

/// Removes a torn batch from the end of a journal.
pub(crate) fn truncate(directory: &Path, journal: &Journal) -> io::Result<()> {
    set_length(&directory.join(format!("{}.jnl", journal.number)), journal.end)
}

fn set_length(path: &Path, length: u64) -> io::Result<()> {
    let file = OpenOptions::new().write(true).open(path)?;
    file.set_len(length)?;
    file.sync_all()
}

/// Truncates the newest journals before the first batch with this sequence number or a later one, and removes
/// a torn batch.
pub(crate) fn cut(directory: &Path, from: u64) -> io::Result<()> {
    // The engine may have begun a new journal after the commit failed.
    for (_, path) in list(directory)?.iter().rev().take(2) {
        let (mut end, mut found) = (0, false);
        let (mut file, _) = walk(path, |position, batch| {
            found = batch.sequence >= from;
            if !found {
                end = position + batch.length;
            }
            !found
        })?;
        if !found {
            file.seek(SeekFrom::Start(end))?;
            match tail(&rest(&mut file)?, end) {
                Tail::Empty => continue,
                Tail::Torn => {}
                Tail::Damaged => return Err(io::Error::other(format!("{} is damaged", path.display()))),
            }
        }
        set_length(path, end)?;
    }
    Ok(())
}

/// Calls `each` with the position of every batch until it returns false or a batch cannot be read. Returns
/// the file, and whether a batch had a wrong sequence number.
fn walk(path: &Path, mut each: impl FnMut(u64, &Batch) -> bool) -> io::Result<(File, bool)> {
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let (mut position, mut last, mut buffer) = (0, None, Vec::new());
    let mut disordered = false;
    while let Some(batch) = batch(&mut reader, length - position, &mut buffer)? {
        disordered = last.is_some_and(|last| !follows(last, batch.sequence));
        if disordered || !each(position, &batch) {
            break;
        }
        last = Some(batch.sequence);
        position += batch.length;
    }
    Ok((reader.into_inner(), disordered))
}

/// Returns whether a batch may have this sequence number if the one before it has `last`.
pub(crate) fn follows(last: u64, next: u64) -> bool {
    next > last && next - last <= MAX_STEP
}

/// Reads a batch from the front of `left` bytes, or returns `None` if they do not begin with one.
fn batch(input: &mut impl Read, left: u64, buffer: &mut Vec<u8>) -> io::Result<Option<Batch>> {
    let mut input = Input { input, left, taken: 0, buffer };
    let Some([START]) = input.take()? else { return Ok(None) };
    let Some(count) = input.take()?.map(u32::from_le_bytes) else { return Ok(None) };
    let Some(sequence) = input.take()?.map(u64::from_le_bytes) else { return Ok(None) };
    let mut hash = Xxh3::new();
    for _ in 0..count {
        let Some(tag) = input.take::<1>()? else { return Ok(None) };
        hash.update(&tag);
        match tag {
            [ITEM] => {
                let Some(head) = input.take::<20>()? else { return Ok(None) };
                hash.update(&head);
                let key = u16::from_le_bytes([head[10], head[11]]);
                let value = u32::from_le_bytes([head[16], head[17], head[18], head[19]]);
                let known = head[0] <= 2 && head[1] <= 1;
                if !known || !input.hash(u64::from(key) + u64::from(value), &mut hash)? {
                    return Ok(None);
                }
            }
            [CLEAR] => {
                let Some(keyspace) = input.take::<8>()? else { return Ok(None) };
                hash.update(&keyspace);
            }
            _ => return Ok(None),
        }
    }
    let Some(end) = input.take::<END_BYTES>()? else { return Ok(None) };
    let holds = end[0] == END && end[1..9] == hash.digest().to_le_bytes() && end[9..] == MAGIC;
    Ok(holds.then_some(Batch { sequence, length: input.taken }))
}

/// Reads a limited number of bytes.
struct Input<'i, R> {
    input: &'i mut R,
    left: u64,
    taken: u64,
    buffer: &'i mut Vec<u8>,
}

impl<R: Read> Input<'_, R> {
    /// Reads `N` bytes, or nothing if fewer are left.
    fn take<const N: usize>(&mut self) -> io::Result<Option<[u8; N]>> {
        if !self.count(N as u64) {
            return Ok(None);
        }
        let mut bytes = [0; N];
        self.input.read_exact(&mut bytes)?;
        Ok(Some(bytes))
    }

    /// Adds bytes to a checksum. Returns false if fewer are left.
    fn hash(&mut self, length: u64, hash: &mut Xxh3) -> io::Result<bool> {
        if !self.count(length) {
            return Ok(false);
        }
        self.buffer.clear();
        let read = self.input.by_ref().take(length).read_to_end(self.buffer)?;
        hash.update(self.buffer);
        Ok(read as u64 == length)
    }

    fn count(&mut self, length: u64) -> bool {
        let enough = length <= self.left;
        if enough {
            self.left -= length;
            self.taken += length;
        }
        enough
    }
}

/// Reads the rest of a file without the zeros at its end.
fn rest(file: &mut File) -> io::Result<Vec<u8>> {
    let zeros = vec![0; CHUNK];
    let mut chunk = Vec::with_capacity(CHUNK);
    let (mut rest, mut skipped) = (Vec::new(), 0);
    loop {
        chunk.clear();
        if file.by_ref().take(CHUNK as u64).read_to_end(&mut chunk)? == 0 {
            break;
        }
        if chunk[..] == zeros[..chunk.len()] {
            skipped += chunk.len();
        } else {
            rest.resize(rest.len() + skipped, 0);
            skipped = 0;
            rest.extend_from_slice(&chunk);
        }
    }
    let end = rest.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    rest.truncate(end);
    Ok(rest)
}

/// Tells a torn batch from a damaged one. `position` is where these bytes are in the file.
fn tail(bytes: &[u8], position: u64) -> Tail {
    if bytes.is_empty() {
        return Tail::Empty;
    }
    let mut buffer = Vec::new();
    let is_batch = |(at, _): (usize, &u8)| {
        batch(&mut &bytes[at..], (bytes.len() - at) as u64, &mut buffer).ok().flatten().is_some()
    };
    let mut starts = bytes.iter().enumerate().skip(1).filter(|(_, byte)| **byte == START);
    if starts.any(is_batch) || (has_end(bytes) && !has_hole(bytes, position)) {
        return Tail::Damaged;
    }
    Tail::Torn
}

/// Returns whether the bytes end like a batch, up to a few flipped bits.
fn has_end(bytes: &[u8]) -> bool {
    let Some(end) = bytes.last_chunk::<END_BYTES>() else { return false };
    let flipped = |one: u8, other: u8| (one ^ other).count_ones();
    let magic: u32 = end[9..].iter().zip(MAGIC).map(|(one, other)| flipped(*one, other)).sum();
    flipped(end[0], END) + magic <= MAX_FLIPPED
}

/// Returns whether a sector was never written: a disk may write those of one batch in any order.
fn has_hole(bytes: &[u8], position: u64) -> bool {
    let first = ((SECTOR - position % SECTOR) as usize).min(bytes.len());
    let (head, others) = bytes.split_at(first);
    let zero = |sector: &[u8]| sector.iter().all(|byte| *byte == 0);
    zero(head) || others.chunks(SECTOR as usize).any(zero)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(sequence: u64, values: &[&[u8]]) -> Vec<u8> {
        let mut out = vec![START];
        out.extend((values.len() as u32).to_le_bytes());
        out.extend(sequence.to_le_bytes());
        let mut items = Vec::new();
        for value in values {
            let length = (value.len() as u32).to_le_bytes();
            items.extend([ITEM, 0, 0]);
            items.extend(7_u64.to_le_bytes());
            items.extend(3_u16.to_le_bytes());
            items.extend(length);
            items.extend(length);
            items.extend(b"key");
            items.extend(*value);
        }
        let mut hash = Xxh3::new();
        hash.update(&items);
        out.extend(items);
        out.push(END);
        out.extend(hash.digest().to_le_bytes());
        out.extend(MAGIC);
        out
    }

    fn read_bytes(bytes: &[u8]) -> Journal {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("0.jnl");
        fs::write(&path, bytes).unwrap();
        read(0, &path).unwrap()
    }

    fn three() -> (Vec<u8>, usize) {
        let (one, two) = (encoded(1, &[b"first", b"second"]), encoded(2, &[b"third"]));
        let before = one.len() + two.len();
        ([one, two, encoded(5, &[&[9; 2000]])].concat(), before)
    }

    #[test]
    fn a_whole_journal_is_read_with_and_without_zeros_behind_it() {
        let (bytes, _) = three();
        let whole =
            Journal { number: 0, end: bytes.len() as u64, first: Some(1), last: Some(5), tail: Tail::Empty };
        assert_eq!(read_bytes(&bytes), whole);
        assert_eq!(read_bytes(&[bytes, vec![0; 3_000_000]].concat()), whole);
        assert_eq!(read_bytes(&[]).last, None);
    }

    #[test]
    fn every_flip_in_a_whole_batch_is_damage() {
        let (bytes, _) = three();
        for position in 0..bytes.len() {
            for bit in 0..8 {
                let mut flipped = bytes.clone();
                flipped[position] ^= 1 << bit;
                let journal = read_bytes(&flipped);
                // The sequence numbers of the first and the last batch may be greater or smaller by chance: no
                // item is lost by that.
                let whole = journal.end == bytes.len() as u64 && journal.last >= Some(3);
                assert!(journal.tail == Tail::Damaged || whole, "bit {bit} of byte {position}: {journal:?}");
            }
        }
    }

    #[test]
    fn a_torn_last_batch_is_torn() {
        let (bytes, before) = three();
        for end in before + 1..bytes.len() - 4 {
            let journal = read_bytes(&[&bytes[..end], &[0; 600]].concat());
            assert_eq!((journal.end, journal.tail), (before as u64, Tail::Torn), "{end}");
        }
        let mut holed = bytes;
        holed[1024..1536].fill(0);
        assert_eq!(read_bytes(&holed).tail, Tail::Torn);
    }

    #[test]
    fn a_failed_commit_is_cut_off() {
        let directory = tempfile::tempdir().unwrap();
        let (bytes, before) = three();
        let path = directory.path().join("3.jnl");
        for written in [bytes.len(), bytes.len() - 7] {
            fs::write(&path, &bytes[..written]).unwrap();
            cut(directory.path(), 3).unwrap();
            assert_eq!(fs::read(&path).unwrap(), bytes[..before]);
        }
    }
}
