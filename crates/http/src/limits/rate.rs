//! How often somebody may ask.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher as _;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::http::StatusCode;
use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::problem::Problem;
use crate::{HttpCode, messages};
use hansang_core::{Message, message};

/// How often one address or account may ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// How many requests a minute, on average.
    pub per_minute: NonZeroU32,
    /// How many at once, after a pause.
    pub burst: NonZeroU32,
}

/// Counts requests by who makes them.
///
/// What it remembers is bounded: those who have not asked for a while are forgotten, and if more
/// than 65,536 remain, they share 1,024 counts until the flood is over.
#[derive(Debug)]
pub struct Limiter {
    counts: DefaultKeyedRateLimiter<u64>,
    clock: DefaultClock,
    /// Seeded by chance, so that nobody can choose whom to share a count with.
    hash: RandomState,
    /// Checks since the last time when old counts were forgotten.
    checks: AtomicUsize,
}

/// The most that is remembered apart.
const MAX_COUNTS: usize = 65_536;
/// The counts that are shared beyond.
const SHARED: u64 = 1_024;
/// Forgetting walks through everything: it has to be worth the while.
const SELDOM: usize = 1_024;

impl Limiter {
    /// Nobody has asked yet.
    #[must_use]
    pub fn new(rate: Rate) -> Self {
        let quota = Quota::per_minute(rate.per_minute).allow_burst(rate.burst);
        Self {
            counts: RateLimiter::keyed(quota),
            clock: DefaultClock::default(),
            hash: RandomState::new(),
            checks: AtomicUsize::new(0),
        }
    }

    /// Counts a request of a client address. An IPv6 client has a whole /64 to choose addresses
    /// from, so that counts as one.
    ///
    /// # Errors
    /// A problem with the status 429 and the time to wait.
    pub fn address(&self, address: IpAddr) -> Result<(), Problem> {
        let who = self.hash.hash_one(network(address));
        self.check(who, message!(messages::ADDRESS_LIMITED))
    }

    /// Counts a request of an account, after it was recognised.
    ///
    /// # Errors
    /// A problem with the status 429 and the time to wait.
    pub fn account(&self, account: &str) -> Result<(), Problem> {
        let who = self.hash.hash_one(account);
        self.check(who, message!(messages::ACCOUNT_LIMITED))
    }

    fn check(&self, who: u64, message: Message) -> Result<(), Problem> {
        self.forget();
        let who = if self.counts.len() < MAX_COUNTS { who } else { who % SHARED };
        self.counts.check_key(&who).map_err(|until| Problem {
            retry_after: Some(until.wait_time_from(self.clock.now())),
            ..Problem::new(StatusCode::TOO_MANY_REQUESTS, HttpCode::TooManyRequests, message)
        })
    }

    /// Forgets those who could make a full burst again, at most once for half as many checks as there
    /// are counts: a check costs the same however many there are. Half, since in a flood each check
    /// makes a count, and checks would never catch up with what is left of the time before.
    fn forget(&self) {
        let checks = self.checks.fetch_add(1, Ordering::Relaxed);
        if checks >= SELDOM.max(self.counts.len() / 2) && self.checks.swap(0, Ordering::Relaxed) >= SELDOM {
            self.counts.retain_recent();
            self.counts.shrink_to_fit();
        }
    }
}

/// The part of an address that one client cannot change at will.
fn network(address: IpAddr) -> [u8; 8] {
    let [high @ .., _, _, _, _, _, _, _, _] = match address.to_canonical() {
        // As an IPv6 address that nobody has, with all that differs in the first half.
        IpAddr::V4(v4) => {
            let [a, b, c, d] = v4.octets();
            [0xff, 0xff, 0, 0, a, b, c, d, 0, 0, 0, 0, 0, 0, 0, 0]
        }
        IpAddr::V6(v6) => v6.octets(),
    };
    high
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, Ipv6Addr};

    use super::*;

    fn rate(per_minute: u32, burst: u32) -> Rate {
        Rate { per_minute: per_minute.try_into().unwrap(), burst: burst.try_into().unwrap() }
    }

    #[test]
    fn ipv6_counts_by_64_bits() {
        let limiter = Limiter::new(rate(1, 2));
        let ask = |text: &str| limiter.address(text.parse().unwrap()).is_ok();
        assert!(ask("2001:db8:1:2::1"));
        assert!(ask("2001:db8:1:2:ffff::1"));
        assert!(!ask("2001:db8:1:2::3"));
        assert!(ask("2001:db8:1:3::1"));
    }

    #[test]
    fn ipv4_counts_by_address_however_it_is_written() {
        let limiter = Limiter::new(rate(1, 1));
        let ask = |text: &str| limiter.address(text.parse().unwrap());
        assert!(ask("192.0.2.1").is_ok());
        let refused = ask("::ffff:192.0.2.1").unwrap_err();
        assert_eq!((refused.status.as_u16(), refused.code.as_str()), (429, "too_many_requests"));
        assert!(refused.retry_after.is_some());
        assert!(ask("192.0.2.2").is_ok());
        assert!(ask("::1").is_ok(), "the network of zeros is not that of an IPv4 address");
    }

    #[test]
    fn accounts_are_apart() {
        let limiter = Limiter::new(rate(1, 1));
        assert!(limiter.account("a").is_ok());
        assert!(limiter.account("a").is_err());
        assert!(limiter.account("b").is_ok());
    }

    /// A flood of addresses that keep their counts for an hour cannot fill the memory.
    #[test]
    fn a_flood_shares_counts() {
        let limiter = Limiter::new(rate(1, 60));
        for address in 0..3 * MAX_COUNTS as u32 {
            let _ = limiter.address(Ipv4Addr::from_bits(address).into());
        }
        assert!(limiter.counts.len() <= MAX_COUNTS + SHARED as usize, "{}", limiter.counts.len());
    }

    /// Each of these has its full burst back after a thousandth of a millisecond.
    #[test]
    fn who_was_quiet_is_forgotten() {
        let limiter = Limiter::new(rate(60_000_000, 1));
        for network in 0..20 * SELDOM as u128 {
            let _ = limiter.address(Ipv6Addr::from_bits(network << 64).into());
        }
        assert!(limiter.counts.len() <= 3 * SELDOM, "{}", limiter.counts.len());
    }
}
