//! File descriptors: the limit is raised at the start and shared between connections and the store.
//!
//! A store that cannot open a file cannot write, so connections must never use the last descriptor.

use hansang_command::{Failure, say};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// A server with fewer descriptors is not started.
const MIN_LIMIT: u64 = 256;
/// The descriptors that the store wants: its engine caches up to 900 open files.
const STORE_FILES: u64 = 1024;

/// Raises the soft limit of open files to the hard one, and returns the limit in effect.
pub(super) fn raise_limit() -> Result<u64, Failure> {
    let before = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: before.maximum, maximum: before.maximum };
    // Systems differ in how high it may be; if it cannot be raised, the limit stays as it is.
    let limit = match setrlimit(Resource::Nofile, raised) {
        Ok(()) => raised.current,
        Err(_) => before.current,
    };
    let limit = limit.unwrap_or(u64::MAX);
    if limit < MIN_LIMIT {
        return Err(Failure::usage(format!(
            "the limit of open files is {limit}, and a server needs at least {MIN_LIMIT}: raise it with `ulimit -n` \
             or LimitNOFILE"
        )));
    }
    Ok(limit)
}

/// The number of connections that leave enough descriptors for the store, at most `wanted`.
pub(super) fn connections(limit: u64, wanted: usize) -> usize {
    let reserve = (limit / 4).max(STORE_FILES.min(limit / 2));
    let available = usize::try_from(limit - reserve).unwrap_or(usize::MAX);
    if wanted > available {
        say(&format!(
            "`max-connections` is lowered from {wanted} to {available}: the limit of open files is {limit}, and {reserve} \
             of them are for the store"
        ));
    }
    wanted.min(available)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_leave_files_for_the_store() {
        for (limit, expected) in [(256, 128), (1024, 512), (4096, 3072), (20_000, 10_000), (8_000, 6_000)] {
            assert_eq!(connections(limit, 10_000), expected, "{limit}");
        }
        assert_eq!(connections(u64::MAX, 100), 100);
    }
}
