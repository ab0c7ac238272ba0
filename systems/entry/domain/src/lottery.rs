//! A draw that anyone can repeat.
//!
//! The SHA-256 of a secret seed is published before the event opens. After the cut-off the list of entries is fixed. Each
//! entry gets a ticket, the HMAC-SHA256 of the event id and the request id with the seed as key, and the lowest tickets
//! win. The seed is published with the result, so that anyone with the list can repeat the draw.

use hansang_core::message::{Message, Phrase};
use hmac::{Hmac, KeyInit as _, Mac as _};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::messages;

pub(crate) mod draw;

pub use draw::{DrawFigures, draw_now, figures, proof};

/// The data needed to repeat a draw.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(extend("x-entity" = "Event"))]
pub struct Proof {
    /// The id of the event.
    pub event_id: String,
    /// The SHA-256 of the seed, as it was published before the event opened.
    pub seed_hash: String,
    /// The seed: 64 hexadecimal digits.
    pub seed: String,
    /// The time the list of entries was fixed.
    #[schemars(extend("format" = "date-time"))]
    pub drawn_at: String,
    /// The number of winners to draw.
    pub winners: u64,
    /// The SHA-256 of the entries, each followed by a line feed.
    pub entries_hash: String,
    /// The ids of the requests that took part, sorted.
    pub entries: Vec<String>,
    /// The ids of the winning requests, lowest ticket first.
    pub winning: Vec<String>,
}

/// Repeats the draw. Returns the problems found; none if the draw is correct.
#[must_use]
pub fn verify(proof: &Proof) -> Vec<Message> {
    let mut problems = Vec::new();
    let mut hold = |holds: bool, problem: &'static Phrase| {
        if !holds {
            problems.push(Message::new(problem, Vec::new()));
        }
    };
    let seed = seed_bytes(&proof.seed);
    hold(seed.is_some(), &messages::SEED_FORMAT);
    hold(hash_of_seed(&proof.seed) == proof.seed_hash, &messages::SEED_MISMATCH);
    let sorted = proof.entries.windows(2).all(|pair| pair[0] < pair[1]);
    hold(sorted, &messages::ENTRIES_ORDER);
    hold(hash_of_entries(&proof.entries) == proof.entries_hash, &messages::ENTRIES_MISMATCH);
    let again = winning(&proof.event_id, &proof.seed, &proof.entries, proof.winners);
    hold(again == proof.winning, &messages::WINNERS_MISMATCH);
    problems
}

/// The ids of the winners, lowest ticket first.
#[must_use]
pub fn winning(event_id: &str, seed: &str, entries: &[String], winners: u64) -> Vec<String> {
    let mut tickets: Vec<([u8; 32], &String)> =
        entries.iter().map(|id| (ticket(event_id, seed, id), id)).collect();
    tickets.sort_unstable();
    let most = usize::try_from(winners).unwrap_or(usize::MAX);
    tickets.into_iter().take(most).map(|(_, id)| id.clone()).collect()
}

/// The ticket of one entry.
#[must_use]
pub fn ticket(event_id: &str, seed: &str, request_id: &str) -> [u8; 32] {
    let key = seed_bytes(seed).unwrap_or_default();
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&key) else { return [0; 32] };
    mac.update(event_id.as_bytes());
    mac.update(b"\n");
    mac.update(request_id.as_bytes());
    mac.finalize().into_bytes().into()
}

/// The hash of a seed, as it is published.
#[must_use]
pub fn hash_of_seed(seed: &str) -> String {
    hash(&seed_bytes(seed).unwrap_or_default())
}

/// The hash of a list of entries.
#[must_use]
pub fn hash_of_entries(entries: &[String]) -> String {
    let mut hash = Sha256::new();
    for id in entries {
        hash.update(id.as_bytes());
        hash.update(b"\n");
    }
    hex(&hash.finalize())
}

fn seed_bytes(seed: &str) -> Option<Vec<u8>> {
    let digits = seed.as_bytes();
    let nibble = |digit: u8| char::from(digit).to_digit(16).and_then(|number| u8::try_from(number).ok());
    let bytes: Option<Vec<u8>> =
        digits.chunks(2).map(|pair| Some(nibble(pair[0])? << 4 | nibble(*pair.get(1)?)?)).collect();
    bytes.filter(|bytes| bytes.len() == 32)
}

/// The SHA-256 of bytes, in hexadecimal digits.
pub(crate) fn hash(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(entries: usize, winners: u64) -> Proof {
        let entries: Vec<String> = (0..entries).map(|number| format!("01J{number:023}")).collect();
        let seed = "ab".repeat(32);
        Proof {
            event_id: "e1".into(),
            seed_hash: hash_of_seed(&seed),
            drawn_at: "2030-01-01T00:00:00.000Z".into(),
            winners,
            entries_hash: hash_of_entries(&entries),
            winning: winning("e1", &seed, &entries, winners),
            seed,
            entries,
        }
    }

    #[test]
    fn a_draw_can_be_repeated_and_a_changed_one_is_found_out() {
        let proof = drawn(100, 7);
        assert_eq!(verify(&proof), Vec::<Message>::new());
        assert_eq!(proof.winning.len(), 7);
        for change in [
            |proof: &mut Proof| proof.winning.swap(0, 1),
            |proof: &mut Proof| proof.winners = 6,
            |proof: &mut Proof| proof.event_id = "e2".into(),
            |proof: &mut Proof| proof.seed.replace_range(..2, "00"),
            |proof: &mut Proof| proof.seed.truncate(10),
            |proof: &mut Proof| drop(proof.entries.pop()),
            |proof: &mut Proof| proof.entries.swap(3, 4),
            |proof: &mut Proof| {
                // A winner who did not take part.
                proof.winning[0] = "01J_NOBODY".into();
            },
        ] {
            let mut changed = proof.clone();
            change(&mut changed);
            assert_ne!(verify(&changed), Vec::<Message>::new(), "{changed:?}");
        }
    }

    #[test]
    fn winners_are_limited_by_the_number_of_entries() {
        assert_eq!(drawn(5, 9).winning.len(), 5);
        assert_eq!(drawn(5, 0).winning.len(), 0);
        assert_eq!(verify(&drawn(0, 3)), Vec::<Message>::new());
    }

    /// The expected value was computed with Python's `hmac`.
    #[test]
    fn a_ticket_is_what_the_documentation_says() {
        let ticket = ticket("e1", &"ab".repeat(32), "01J00000000000000000000000");
        assert_eq!(hex(&ticket), "de18d4025e89a2ec8ba353b6676e057654e0d798128aefbb8841b5abbf17122f");
    }

    /// Among many draws of one winner out of ten, each entry wins about a tenth.
    #[test]
    fn every_entry_has_the_same_chance() {
        let entries: Vec<String> = (0..10).map(|number| format!("01J{number:023}")).collect();
        let mut wins = [0; 10];
        for draw in 0..5000_u32 {
            let seed = format!("{draw:064x}");
            let winner = &winning("e", &seed, &entries, 1)[0];
            wins[entries.iter().position(|id| id == winner).unwrap()] += 1;
        }
        assert!(wins.iter().all(|count| (400..600).contains(count)), "{wins:?}");
    }
}
