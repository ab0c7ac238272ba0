//! Failed attempts to sign in, counted in memory: after a few of them one has to wait, longer each time.
//!
//! An attempt counts as failed from its beginning, and is taken back when it succeeds. So a thousand
//! guesses at the same moment are not a thousand first guesses.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hansang_core::{Error, message};
use jiff::Timestamp;

use crate::settings::ThrottleSettings;
use crate::{AccessCode, messages};

/// The most logins and addresses that are remembered.
const MOST_ENTRIES: usize = 100_000;

pub(super) struct Throttle {
    settings: ThrottleSettings,
    entries: Mutex<HashMap<Key, Failures>>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Key {
    Login(String),
    Address(IpAddr),
}

#[derive(Clone, Copy)]
struct Failures {
    count: u32,
    last: i64,
    /// The second before which nothing is tried.
    until: i64,
}

/// An attempt that was let through.
#[must_use = "an attempt counts as failed until it is settled"]
pub(super) struct Attempt(Vec<Key>);

impl Throttle {
    pub(super) fn new(settings: ThrottleSettings) -> Self {
        Self { settings, entries: Mutex::default() }
    }

    /// Lets an attempt through and counts it, or says how long to wait. One that has to wait is not
    /// counted: impatience alone does not make the wait longer.
    pub(super) fn begin(
        &self,
        login: Option<&str>,
        address: IpAddr,
        now: Timestamp,
    ) -> Result<Attempt, Error> {
        let now = now.as_second();
        let login = login.map(|login| Key::Login(login.to_owned()));
        let keys: Vec<Key> = login.into_iter().chain([Key::Address(network(address))]).collect();
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

    /// The attempt succeeded. The login starts anew; its address does not, or whoever has one account
    /// could guess the passwords of all others.
    pub(super) fn succeeded(&self, attempt: Attempt) {
        let mut entries = self.entries();
        for key in attempt.0 {
            match key {
                Key::Login(_) => drop(entries.remove(&key)),
                Key::Address(_) => self.take_back(&mut entries, &key),
            }
        }
    }

    /// The attempt was neither right nor wrong, because something else failed.
    pub(super) fn never_happened(&self, attempt: Attempt) {
        let mut entries = self.entries();
        attempt.0.iter().for_each(|key| self.take_back(&mut entries, key));
    }

    /// The login has a new password, so that earlier guesses say nothing.
    pub(super) fn forget(&self, login: &str) {
        self.entries().remove(&Key::Login(login.to_owned()));
    }

    fn take_back(&self, entries: &mut HashMap<Key, Failures>, key: &Key) {
        if let Some(failures) = entries.get_mut(key) {
            failures.count = failures.count.saturating_sub(1);
            failures.until = failures.last + self.wait_after(key, failures.count);
        }
    }

    /// How long to wait after this many failures.
    fn wait_after(&self, key: &Key, count: u32) -> i64 {
        let free = match key {
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

/// Forgets what is over when the memory is full, and if that does not help, what is over soonest.
fn make_room(entries: &mut HashMap<Key, Failures>, now: i64, settings: &ThrottleSettings) {
    if entries.len() < MOST_ENTRIES {
        return;
    }
    let forget_after = seconds(settings.forget_after);
    entries.retain(|_, failures| failures.until.max(failures.last.saturating_add(forget_after)) > now);
    if entries.len() >= MOST_ENTRIES {
        let mut ends: Vec<i64> = entries.values().map(|failures| failures.until).collect();
        let (_, median, _) = ends.select_nth_unstable(MOST_ENTRIES / 2);
        let median = *median;
        entries.retain(|_, failures| failures.until > median);
    }
}

/// Whoever has one address of version 6 has all that share its first 64 bits.
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
    Error::limited(AccessCode::TooManyAttempts, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn throttle() -> Throttle {
        Throttle::new(ThrottleSettings {
            free_per_login: 3,
            free_per_address: 5,
            first_wait: Duration::from_secs(2),
            longest_wait: Duration::from_secs(10),
            forget_after: Duration::from_secs(100),
        })
    }

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + second).unwrap()
    }

    fn address(last: u8) -> IpAddr {
        IpAddr::from([192, 0, 2, last])
    }

    fn fails(throttle: &Throttle, login: &str, from: u8, second: i64) -> Result<(), String> {
        let attempt = throttle.begin(Some(login), address(from), at(second));
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
            assert_eq!(fails(&throttle, "kim", 4, now), wait(&format!("{wait_now} seconds")));
            now += wait_now;
            assert_eq!(fails(&throttle, "kim", 4, now - 1), wait("1 second"));
            assert_eq!(fails(&throttle, "kim", u8::try_from(now).unwrap(), now), Ok(()));
        }
        // Others are not concerned.
        assert_eq!(fails(&throttle, "lee", 5, now), Ok(()));
        // After a while without failures everything is as before.
        assert_eq!(fails(&throttle, "kim", 6, now + 100), Ok(()));
        assert_eq!(fails(&throttle, "kim", 6, now + 100), Ok(()));
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
        let attempt = throttle.begin(Some("own"), address(1), at(0)).unwrap();
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
    fn what_never_happened_is_not_counted() {
        let throttle = throttle();
        for _ in 0..50 {
            let attempt = throttle.begin(Some("kim"), address(1), at(0)).unwrap();
            throttle.never_happened(attempt);
        }
    }

    #[test]
    fn a_network_of_version_six_counts_as_one() {
        let throttle = throttle();
        let begin = |text: &str| throttle.begin(None, text.parse().unwrap(), at(0)).map(drop);
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
    fn memory_has_a_limit() {
        let throttle = throttle();
        for from in [1, 2, 3] {
            assert_eq!(fails(&throttle, "kim", from, 0), Ok(()));
        }
        for number in 0..MOST_ENTRIES {
            let address = IpAddr::from(u32::try_from(number).unwrap().to_be_bytes());
            assert!(throttle.begin(None, address, at(0)).is_ok());
        }
        assert!(throttle.entries().len() <= MOST_ENTRIES);
        // Who has to wait is remembered longest.
        assert_eq!(fails(&throttle, "kim", 4, 0), wait("2 seconds"));
    }
}
