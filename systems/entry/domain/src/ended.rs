//! Requests that a process has given their results lately: their messages need not be looked into any more.

use std::collections::HashSet;
use std::mem;
use std::sync::{Mutex, PoisonError};

/// How many are remembered at least, once there were as many. Twice as many take about ten megabytes.
const MANY: usize = 100_000;

/// An identifier of a request, as long as ULIDs are.
type Id = [u8; 26];

/// What was decided lately. A place that was given or refused is never taken back, so that whoever is known to have
/// ended has ended; of whoever is not known, the table tells.
#[derive(Default)]
pub(crate) struct Ended(Mutex<Lately>);

#[derive(Default)]
struct Lately {
    now: HashSet<Id>,
    before: HashSet<Id>,
}

impl Ended {
    /// Remembers requests whose results are written down, by their identifiers.
    pub(crate) fn note<'r>(&self, request_ids: impl Iterator<Item = &'r str>) {
        let mut lately = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lately.now.extend(request_ids.filter_map(id));
        if lately.now.len() >= MANY {
            lately.before = mem::take(&mut lately.now);
        }
    }

    /// Whether a request is known to have its result.
    pub(crate) fn has(&self, request_id: &str) -> bool {
        let lately = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        id(request_id).is_some_and(|id| lately.now.contains(&id) || lately.before.contains(&id))
    }
}

fn id(text: &str) -> Option<Id> {
    text.as_bytes().try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(number: usize) -> String {
        format!("01{number:024}")
    }

    #[test]
    fn who_ended_is_known_until_as_many_ended_twice_since() {
        let ended = Ended::default();
        let note = |numbers: std::ops::Range<usize>| {
            let names: Vec<String> = numbers.map(named).collect();
            ended.note(names.iter().map(String::as_str));
        };
        note(0..1);
        assert!(ended.has(&named(0)) && !ended.has(&named(1)));
        note(1..MANY);
        note(MANY..MANY + 1);
        assert!(ended.has(&named(0)) && ended.has(&named(MANY)));
        note(MANY + 1..2 * MANY);
        assert!(!ended.has(&named(0)) && ended.has(&named(MANY)));
    }

    #[test]
    fn what_is_no_identifier_has_not_ended() {
        let ended = Ended::default();
        ended.note(["short", &named(1)].into_iter());
        assert!(!ended.has("short") && !ended.has("") && ended.has(&named(1)));
    }
}
