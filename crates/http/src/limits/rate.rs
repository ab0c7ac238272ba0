//! The rate of requests by address and by account.

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

/// The rate limit of one address or account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// The average number of requests a minute.
    pub per_minute: NonZeroU32,
    /// The maximum burst after a pause.
    pub burst: NonZeroU32,
}

/// Counts requests by client.
///
/// Its memory is bounded: clients without recent requests are evicted, and if more than 65,536 remain, new ones share
/// 1,024 counts until the flood is over.
#[derive(Debug)]
pub struct Limiter {
    counts: DefaultKeyedRateLimiter<u64>,
    clock: DefaultClock,
    /// Seeded at random, so that a client cannot choose whose count it shares.
    hash: RandomState,
    /// The number of checks since the last eviction.
    checks: AtomicUsize,
}

/// The maximum number of separate counts.
const MAX_COUNTS: usize = 65_536;
/// The number of counts that all further clients share.
const SHARED: u64 = 1_024;
/// The minimum number of checks between two evictions, because each visits all counts.
const SELDOM: usize = 1_024;

impl Limiter {
    /// Creates a limiter without counts.
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

    /// Counts a request of a client address. IPv6 addresses count by /64, because a client can choose any address in
    /// its network.
    ///
    /// # Errors
    /// A problem with the status 429 and the time to wait.
    pub fn address(&self, address: IpAddr) -> Result<(), Problem> {
        let who = self.hash.hash_one(Client::at(address));
        self.check(who, message!(messages::ADDRESS_LIMITED))
    }

    /// Counts a request of an account, after authentication.
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

    /// Evicts clients whose burst is full again, at most once for half as many checks as there are counts, so that the
    /// amortized cost of a check is constant. Half, because in a flood each check adds a count.
    fn forget(&self) {
        let checks = self.checks.fetch_add(1, Ordering::Relaxed);
        if checks >= SELDOM.max(self.counts.len() / 2) && self.checks.swap(0, Ordering::Relaxed) >= SELDOM {
            self.counts.retain_recent();
            self.counts.shrink_to_fit();
        }
    }
}

/// The part of an address that one client cannot change at will: an IPv4 address, or the first 64 bits of an IPv6
/// address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Client([u8; 8]);

impl Client {
    /// The client at an address.
    #[must_use]
    pub fn at(address: IpAddr) -> Self {
        let [high @ .., _, _, _, _, _, _, _, _] = match address.to_canonical() {
            // An unassigned IPv6 address; all differences are in the first half.
            IpAddr::V4(v4) => {
                let [a, b, c, d] = v4.octets();
                [0xff, 0xff, 0, 0, a, b, c, d, 0, 0, 0, 0, 0, 0, 0, 0]
            }
            IpAddr::V6(v6) => v6.octets(),
        };
        Self(high)
    }
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
    fn accounts_are_counted_separately() {
        let limiter = Limiter::new(rate(1, 1));
        assert!(limiter.account("a").is_ok());
        assert!(limiter.account("a").is_err());
        assert!(limiter.account("b").is_ok());
    }

    /// A flood of addresses whose counts last an hour cannot fill the memory.
    #[test]
    fn a_flood_shares_counts() {
        let limiter = Limiter::new(rate(1, 60));
        for address in 0..3 * MAX_COUNTS as u32 {
            let _ = limiter.address(Ipv4Addr::from_bits(address).into());
        }
        assert!(limiter.counts.len() <= MAX_COUNTS + SHARED as usize, "{}", limiter.counts.len());
    }

    /// Each of these has its full burst back after a microsecond.
    #[test]
    fn idle_clients_are_evicted() {
        let limiter = Limiter::new(rate(60_000_000, 1));
        for network in 0..20 * SELDOM as u128 {
            let _ = limiter.address(Ipv6Addr::from_bits(network << 64).into());
        }
        assert!(limiter.counts.len() <= 3 * SELDOM, "{}", limiter.counts.len());
    }
}
