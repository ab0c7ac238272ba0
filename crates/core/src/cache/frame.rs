//! The form of a cached value: a version byte, the stamp and JSON.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::time::Duration;

use bytes::Bytes;
use serde::Serialize;

/// The version of the form.
const VERSION: u8 = 1;

/// The bytes before the JSON: the version and the stamp.
const HEAD: usize = 1 + size_of::<u64>();

/// A value with its stamp, if it can be written as JSON.
pub(super) fn encode<T: Serialize>(number: u64, value: &T) -> Option<Bytes> {
    let mut framed = Vec::with_capacity(256);
    framed.push(VERSION);
    framed.extend_from_slice(&number.to_be_bytes());
    serde_json::to_writer(&mut framed, value).ok()?;
    Some(framed.into())
}

/// The stamp and the JSON of a cached value, if it has this form.
pub(super) fn decode(framed: &[u8]) -> Option<(u64, &[u8])> {
    let (head, content) = framed.split_at_checked(HEAD)?;
    let (version, number) = head.split_first()?;
    (*version == VERSION).then_some((u64::from_be_bytes(number.try_into().ok()?), content))
}

/// Shortens a lifetime by up to a tenth, so that values that were stored together do not expire together. The same
/// value always gets the same lifetime, which needs no randomness.
pub(super) fn spread(ttl: Duration, key: &str, number: u64) -> Duration {
    let mut hasher = DefaultHasher::new();
    (key, number).hash(&mut hasher);
    let part = u32::try_from(hasher.finish() % 1000).unwrap_or_default();
    ttl - (ttl / 10_000).saturating_mul(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_keep_their_stamp_and_value() {
        for number in [0, 1, u64::MAX] {
            let framed = encode(number, &["가", "b"]).unwrap();
            assert_eq!(decode(&framed), Some((number, "[\"가\",\"b\"]".as_bytes())));
        }
    }

    #[test]
    fn other_bytes_are_no_frame() {
        let framed = encode(7, &1).unwrap();
        for end in 0..HEAD {
            assert_eq!(decode(&framed[..end]), None);
        }
        let mut newer = framed.to_vec();
        newer[0] = 2;
        assert_eq!(decode(&newer), None);
    }

    /// D22
    #[test]
    fn lifetimes_are_spread_over_a_tenth() {
        let hour = Duration::from_secs(3600);
        let lifetimes: Vec<Duration> =
            (0..1000).map(|number| spread(hour, "query_projects", number)).collect();
        assert!(lifetimes.iter().all(|ttl| (Duration::from_secs(3240)..=hour).contains(ttl)));
        let (shortest, longest) = (lifetimes.iter().min().unwrap(), lifetimes.iter().max().unwrap());
        assert!(*longest - *shortest > Duration::from_secs(300), "{shortest:?} to {longest:?}");
        assert_eq!(spread(hour, "a", 1), spread(hour, "a", 1));
        assert_ne!(spread(hour, "a", 1), spread(hour, "b", 1));
    }
}
