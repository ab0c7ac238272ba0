//! Checksums of records, end to end: made of key and content before a record is given to the engine, and
//! compared whenever it is read.
//!
//! A sealed record is a marker, four bytes of checksum, and the content. The markers differ from the first
//! byte of every record of format 1, which had no checksums.

use hansang_core::Item;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use crate::codec::{self, Damaged};

/// Kind of a record, which decides its marker.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    /// Items begin with the number of their attributes, which is at least two.
    Item = 1,
    /// Changes and messages begin with a time, definitions with a brace or a zero, states with 0 or 1.
    Other = 2,
}

/// Length of marker and checksum.
const HEAD: usize = 5;

/// Encodes and seals an item.
pub(crate) fn item(key: &[u8], item: &Item) -> Vec<u8> {
    let mut record = Vec::with_capacity(512);
    record.extend([0; HEAD]);
    codec::encode_into(item, &mut record);
    fill(Kind::Item, key, &mut record);
    record
}

/// Seals content of another kind.
pub(crate) fn other(key: &[u8], content: &[u8]) -> Vec<u8> {
    let mut record = Vec::with_capacity(HEAD + content.len());
    record.extend([0; HEAD]);
    record.extend_from_slice(content);
    fill(Kind::Other, key, &mut record);
    record
}

/// Returns the content of a record. `unsealed` says whether records of format 1 are accepted.
pub(crate) fn open<'r>(
    kind: Kind,
    key: &[u8],
    record: &'r [u8],
    unsealed: bool,
) -> Result<&'r [u8], Damaged> {
    match record.split_first_chunk::<HEAD>() {
        Some((&[marker, a, b, c, d], content)) if marker == kind as u8 => {
            if checksum(key, content) == [a, b, c, d] { Ok(content) } else { Err(Damaged) }
        }
        _ if unsealed => Ok(record),
        _ => Err(Damaged),
    }
}

fn fill(kind: Kind, key: &[u8], record: &mut [u8]) {
    if let Some((head, content)) = record.split_first_chunk_mut::<HEAD>() {
        let [a, b, c, d] = checksum(key, content);
        *head = [kind as u8, a, b, c, d];
    }
}

fn checksum(key: &[u8], content: &[u8]) -> [u8; 4] {
    (xxh3_64_with_seed(content, xxh3_64(key)) as u32).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use hansang_core::{Name, Value};

    use super::*;

    #[test]
    fn every_flip_of_a_sealed_record_is_found() {
        let one = Item::from([(Name::from("PK"), Value::from("a")), (Name::from("SK"), Value::from("b"))]);
        for (kind, record) in [(Kind::Item, item(b"key", &one)), (Kind::Other, other(b"key", b"content"))] {
            assert!(open(kind, b"key", &record, false).is_ok());
            assert!(open(kind, b"kez", &record, false).is_err());
            for bit in 0..record.len() * 8 {
                let mut flipped = record.clone();
                flipped[bit / 8] ^= 1 << (bit % 8);
                assert!(open(kind, b"key", &flipped, false).is_err(), "bit {bit}");
            }
        }
    }

    #[test]
    fn records_of_format_1_are_read_where_they_may_be() {
        let one = Item::from([(Name::from("PK"), Value::from("a")), (Name::from("SK"), Value::from("b"))]);
        let old = codec::encode(&one);
        assert_eq!(open(Kind::Item, b"key", &old, true).unwrap(), old);
        assert!(open(Kind::Item, b"key", &old, false).is_err());
    }
}
