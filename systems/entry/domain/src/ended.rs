//! Recently decided requests of a process, whose messages are acknowledged without reading the table.

use std::collections::HashSet;
use std::mem;
use std::sync::{Mutex, PoisonError};

/// The minimum number of remembered requests. Twice as many take about ten megabytes.
const CAPACITY: usize = 100_000;

/// A request id: the bytes of a ULID.
type Id = [u8; 26];

/// A cache of decided requests. It is never stale, because a result is never taken back.
#[derive(Default)]
pub(crate) struct RecentlyDecided(Mutex<Generations>);

#[derive(Default)]
struct Generations {
    current: HashSet<Id>,
    previous: HashSet<Id>,
}

impl RecentlyDecided {
    /// Adds the ids of requests whose results are stored.
    pub(crate) fn insert<'r>(&self, request_ids: impl Iterator<Item = &'r str>) {
        let mut generations = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        generations.current.extend(request_ids.filter_map(id));
        if generations.current.len() >= CAPACITY {
            generations.previous = mem::take(&mut generations.current);
        }
    }

    /// Whether a request is known to be decided.
    pub(crate) fn contains(&self, request_id: &str) -> bool {
        let generations = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        id(request_id)
            .is_some_and(|id| generations.current.contains(&id) || generations.previous.contains(&id))
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
    fn requests_are_remembered_for_one_to_two_generations() {
        let recent = RecentlyDecided::default();
        let insert = |numbers: std::ops::Range<usize>| {
            let names: Vec<String> = numbers.map(named).collect();
            recent.insert(names.iter().map(String::as_str));
        };
        insert(0..1);
        assert!(recent.contains(&named(0)) && !recent.contains(&named(1)));
        insert(1..CAPACITY);
        insert(CAPACITY..CAPACITY + 1);
        assert!(recent.contains(&named(0)) && recent.contains(&named(CAPACITY)));
        insert(CAPACITY + 1..2 * CAPACITY);
        assert!(!recent.contains(&named(0)) && recent.contains(&named(CAPACITY)));
    }

    #[test]
    fn invalid_ids_are_not_remembered() {
        let recent = RecentlyDecided::default();
        recent.insert(["short", &named(1)].into_iter());
        assert!(!recent.contains("short") && !recent.contains("") && recent.contains(&named(1)));
    }
}
