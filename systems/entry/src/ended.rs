//! Requests that a process has given their results lately: their messages need not be looked into any more.

use std::collections::HashSet;
use std::mem;
use std::sync::{Mutex, PoisonError};

use crate::Request;

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
    /// Remembers requests whose results are written down.
    pub(crate) fn note(&self, requests: &[Request]) {
        let mut lately = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lately.now.extend(requests.iter().filter_map(|request| id(&request.id)));
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
