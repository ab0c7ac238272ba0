//! Throttling of sign-in: failed attempts are counted in memory, and after a few of them each one doubles the wait.
//!
//! A login is counted by address, so that guesses from one address do not lock its owner out at another, and with a
//! higher limit for all addresses together. Known devices have a count of their own, which other clients cannot use up.
//!
//! An attempt counts as failed from its start and is taken back when it succeeds, so that concurrent guesses are all
//! counted.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hansang_core::{Error, RetryAfter, message};

use crate::settings::ThrottleSettings;
use crate::{AccessCode, messages};

/// The maximum number of counts.
const MAX_ENTRIES: usize = 100_000;

pub(super) struct Throttle {
    settings: ThrottleSettings,
    entries: Mutex<HashMap<Key, Failures>>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum Key {
    /// A login at one address.
    Pair(String, IpAddr),
    /// A login at all addresses.
    Login(String),
    /// An address, whatever the login.
    Address(IpAddr),
    /// The known devices of an account.
    Device(String),
}

impl Key {
    /// The counts of an attempt from an address; without a login, only that of the address.
    pub(super) fn of(login: Option<&str>, address: IpAddr) -> Vec<Self> {
        let address = network(address);
        let login = login.map(|login| [Self::Pair(login.to_owned(), address), Self::Login(login.to_owned())]);
        login.into_iter().flatten().chain([Self::Address(address)]).collect()
    }
}

#[derive(Clone, Copy)]
struct Failures {
    count: u32,
    last: i64,
    /// The second until which attempts are rejected.
    until: i64,
}

/// An admitted attempt.
#[must_use = "an attempt counts as failed until it is settled"]
pub(super) struct Attempt(Vec<Key>);

impl Throttle {
    pub(super) fn new(settings: ThrottleSettings) -> Self {
        Self { settings, entries: Mutex::default() }
    }

    /// Admits an attempt and counts it, or returns the time to wait. A rejected attempt is not counted, so that it does
    /// not lengthen the wait. `now` is of a monotonic clock.
    pub(super) fn begin(&self, keys: Vec<Key>, now: Duration) -> Result<Attempt, Error> {
        let now = seconds(now);
        let mut entries = self.entries();
        let until = |key: &Key| entries.get(key).map_or(now, |failures| failures.until);
        let wait = keys.iter().map(until).max().unwrap_or(now) - now;
        if wait > 0 {
            return Err(too_many(wait));
        }
        make_room(&mut entries, now, &self.settings);
        for key in &keys {
            let failures = entries.entry(key.clone()).or_insert(Failures { count: 0, last: now, until: now });
            if now >= failures.last.saturating_add(seconds(self.settings.forget_after)) {
                failures.count = 0;
            }
            failures.count = failures.count.saturating_add(1);
            failures.last = now;
            failures.until = now + self.wait_after(key, failures.count);
        }
        Ok(Attempt(keys))
    }

    /// Records a success. Resets the count of the login but not that of its address, because the owner of one account
    /// could guess the passwords of others.
    pub(super) fn succeeded(&self, attempt: Attempt) {
        let mut entries = self.entries();
        for key in attempt.0 {
            match key {
                Key::Pair(..) | Key::Login(_) | Key::Device(_) => drop(entries.remove(&key)),
                Key::Address(_) => self.take_back(&mut entries, &key),
            }
        }
    }

    /// Takes an attempt back that neither succeeded nor failed, because something else did.
    pub(super) fn never_happened(&self, attempt: Attempt) {
        let mut entries = self.entries();
        attempt.0.iter().for_each(|key| self.take_back(&mut entries, key));
    }

    /// Resets the counts of a login whose password changed.
    pub(super) fn forget(&self, login: &str) {
        self.entries()
            .retain(|key, _| !matches!(key, Key::Login(known) | Key::Pair(known, _) if known == login));
    }

    fn take_back(&self, entries: &mut HashMap<Key, Failures>, key: &Key) {
        if let Some(failures) = entries.get_mut(key) {
            failures.count = failures.count.saturating_sub(1);
            failures.until = failures.last + self.wait_after(key, failures.count);
        }
    }

    /// The wait after this many failures.
    fn wait_after(&self, key: &Key, count: u32) -> i64 {
        let free = match key {
            Key::Pair(..) | Key::Device(_) => self.settings.free_per_pair,
            Key::Login(_) => self.settings.free_per_login,
            Key::Address(_) => self.settings.free_per_address,
        };
        let Some(beyond) = count.checked_sub(free.max(1)) else { return 0 };
        let wait = seconds(self.settings.first_wait).saturating_mul(1 << beyond.min(32));
        wait.min(seconds(self.settings.longest_wait))
    }

    fn entries(&self) -> MutexGuard<'_, HashMap<Key, Failures>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Evicts expired counts when the memory is full, and if it still is, those whose waits end first.
fn make_room(entries: &mut HashMap<Key, Failures>, now: i64, settings: &ThrottleSettings) {
    if entries.len() < MAX_ENTRIES {
        return;
    }
    let forget_after = seconds(settings.forget_after);
    entries.retain(|_, failures| failures.until.max(failures.last.saturating_add(forget_after)) > now);
    if entries.len() >= MAX_ENTRIES {
        let mut ends: Vec<i64> = entries.values().map(|failures| failures.until).collect();
        let (_, median, _) = ends.select_nth_unstable(MAX_ENTRIES / 2);
        let median = *median;
        entries.retain(|_, failures| failures.until > median);
    }
}

/// The first 64 bits of an IPv6 address, which usually have one owner.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
        address => address,
    }
}

fn seconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_secs()).unwrap_or(i64::MAX)
}

fn too_many(wait: i64) -> Error {
    let message = match wait {
        1 => message!(messages::WAIT_ONE_SECOND),
        _ => message!(messages::WAIT_SECONDS, wait),
    };
    let wait = Duration::from_secs(wait.unsigned_abs());
    Error::limited(AccessCode::TooManyAttempts, message).caused_by(RetryAfter(wait))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn throttle() -> Throttle {
        Throttle::new(ThrottleSettings {
            free_per_pair: 2,
            free_per_login: 3,
            free_per_address: 5,
            first_wait: Duration::from_secs(2),
            longest_wait: Duration::from_secs(10),
            forget_after: Duration::from_secs(100),
        })
    }

    fn at(second: i64) -> Duration {
        Duration::from_secs(second.unsigned_abs())
    }

    fn address(last: u8) -> IpAddr {
        IpAddr::from([192, 0, 2, last])
    }

    fn fails(throttle: &Throttle, login: &str, from: u8, second: i64) -> Result<(), String> {
        let attempt = throttle.begin(Key::of(Some(login), address(from)), at(second));
        attempt.map(drop).map_err(|error| error.message.to_string())
    }

    fn wait(seconds: &str) -> Result<(), String> {
        Err(format!("too many attempts failed: wait {seconds}, then try again"))
    }

    #[test]
    fn the_wait_grows_with_each_failure_up_to_a_limit() {
        let throttle = throttle();
        for from in [1, 2, 3] {
            assert_eq!(fails(&throttle, "kim", from, 0), Ok(()));
        }
        let mut now = 0;
        for wait_now in [2, 4, 8, 10, 10] {
            assert_eq!(fails(&throttle, "kim", 99, now), wait(&format!("{wait_now} seconds")));
            now += wait_now;
            assert_eq!(fails(&throttle, "kim", 99, now - 1), wait("1 second"));
            assert_eq!(fails(&throttle, "kim", u8::try_from(now).unwrap(), now), Ok(()));
        }
        // Other logins are not affected.
        assert_eq!(fails(&throttle, "lee", 5, now), Ok(()));
        // Counts are reset after a time without failures.
        assert_eq!(fails(&throttle, "kim", 6, now + 100), Ok(()));
        assert_eq!(fails(&throttle, "kim", 6, now + 100), Ok(()));
    }

    /// Guesses at one address do not affect others, up to the limit of the login.
    #[test]
    fn a_login_is_counted_by_address() {
        let throttle = throttle();
        for _ in 0..2 {
            assert_eq!(fails(&throttle, "kim", 1, 0), Ok(()));
        }
        assert_eq!(fails(&throttle, "kim", 1, 0), wait("2 seconds"));
        assert_eq!(fails(&throttle, "kim", 2, 0), Ok(()));
        assert_eq!(fails(&throttle, "kim", 3, 0), wait("2 seconds"), "the limit of the login");
        let refused = throttle.begin(Key::of(Some("kim"), address(3)), at(0)).map(drop).unwrap_err();
        let wait = refused.source.unwrap().0.downcast_ref::<RetryAfter>().copied();
        assert_eq!(wait, Some(RetryAfter(Duration::from_secs(2))));
        assert!(throttle.begin(vec![Key::Device("01H".into())], at(0)).is_ok());
    }

    #[test]
    fn an_address_cannot_try_many_logins() {
        let throttle = throttle();
        for login in ["a", "b", "c", "d", "e"] {
            assert_eq!(fails(&throttle, login, 1, 0), Ok(()));
        }
        assert_eq!(fails(&throttle, "f", 1, 0), wait("2 seconds"));
        assert_eq!(fails(&throttle, "f", 2, 0), Ok(()));
    }

    #[test]
    fn success_frees_the_login_but_not_the_address() {
        let throttle = throttle();
        for login in ["a", "b", "c", "own"] {
            assert_eq!(fails(&throttle, login, 1, 0), Ok(()));
        }
        let attempt = throttle.begin(Key::of(Some("own"), address(1)), at(0)).unwrap();
        throttle.succeeded(attempt);
        assert_eq!(fails(&throttle, "d", 1, 0), Ok(()));
        assert_eq!(fails(&throttle, "e", 1, 0), wait("2 seconds"));
        for from in [2, 3, 4] {
            assert_eq!(fails(&throttle, "own", from, 0), Ok(()));
        }
        assert_eq!(fails(&throttle, "own", 5, 0), wait("2 seconds"));
        throttle.forget("own");
        assert_eq!(fails(&throttle, "own", 5, 0), Ok(()));
    }

    #[test]
    fn attempts_taken_back_are_not_counted() {
        let throttle = throttle();
        for _ in 0..50 {
            let attempt = throttle.begin(Key::of(Some("kim"), address(1)), at(0)).unwrap();
            throttle.never_happened(attempt);
        }
    }

    #[test]
    fn an_ipv6_network_counts_as_one() {
        let throttle = throttle();
        let begin = |text: &str| throttle.begin(Key::of(None, text.parse().unwrap()), at(0)).map(drop);
        for last in 1..=5 {
            assert!(begin(&format!("2001:db8::{last}")).is_ok());
        }
        assert!(begin("2001:db8::9").is_err());
        assert!(begin("2001:db8:0:1::1").is_ok());
        for _ in 0..5 {
            assert!(begin("::ffff:192.0.2.7").is_ok());
        }
        assert!(begin("192.0.2.7").is_err());
    }

    #[test]
    fn memory_is_bounded() {
        let throttle = throttle();
        for from in [1, 2, 3] {
            assert_eq!(fails(&throttle, "kim", from, 0), Ok(()));
        }
        for number in 0..MAX_ENTRIES {
            let address = IpAddr::from(u32::try_from(number).unwrap().to_be_bytes());
            assert!(throttle.begin(Key::of(None, address), at(0)).is_ok());
        }
        assert!(throttle.entries().len() <= MAX_ENTRIES);
        // A count with a wait is evicted last.
        assert_eq!(fails(&throttle, "kim", 4, 0), wait("2 seconds"));
    }
}
