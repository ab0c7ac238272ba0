//! Permits that all clients share, with a maximum per client.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A number of permits, and the maximum per client.
#[derive(Debug)]
pub struct Shares<K> {
    max: usize,
    max_each: usize,
    held: Mutex<Held<K>>,
}

#[derive(Debug)]
struct Held<K> {
    total: usize,
    each: HashMap<K, usize>,
}

/// The reason for a rejection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exhausted {
    /// All permits are taken.
    All,
    /// This client holds its maximum.
    Client,
}

impl<K: Clone + Eq + Hash> Shares<K> {
    /// Creates `max` permits, with `max_each` per client.
    #[must_use]
    pub fn new(max: usize, max_each: usize) -> Arc<Self> {
        Arc::new(Self { max, max_each, held: Mutex::new(Held { total: 0, each: HashMap::new() }) })
    }

    /// Takes permits. Without a client only the total is limited.
    ///
    /// # Errors
    /// There are not enough permits.
    pub fn take(self: &Arc<Self>, client: Option<K>, count: usize) -> Result<Share<K>, Exhausted> {
        let mut share = Share { shares: self.clone(), client, count: 0 };
        share.grow(count)?;
        Ok(share)
    }

    fn held(&self) -> MutexGuard<'_, Held<K>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Permits that are released on drop.
#[derive(Debug)]
pub struct Share<K: Clone + Eq + Hash> {
    shares: Arc<Shares<K>>,
    client: Option<K>,
    count: usize,
}

impl<K: Clone + Eq + Hash> Share<K> {
    /// Takes more permits. After an error it holds as many as before.
    ///
    /// # Errors
    /// There are not enough permits.
    pub fn grow(&mut self, by: usize) -> Result<(), Exhausted> {
        let mut held = self.shares.held();
        let total = held.total.saturating_add(by);
        if total > self.shares.max {
            return Err(Exhausted::All);
        }
        if let Some(client) = &self.client {
            let each = held.each.get(client).copied().unwrap_or_default().saturating_add(by);
            if each > self.shares.max_each {
                return Err(Exhausted::Client);
            }
            if each > 0 {
                held.each.insert(client.clone(), each);
            }
        }
        held.total = total;
        self.count += by;
        Ok(())
    }
}

impl<K: Clone + Eq + Hash> Drop for Share<K> {
    fn drop(&mut self) {
        let mut held = self.shares.held();
        held.total -= self.count;
        let Some(client) = &self.client else { return };
        // A client without permits is removed, so that the map has at most as many entries as permits.
        match held.each.get_mut(client) {
            Some(each) if *each > self.count => *each -= self.count,
            Some(_) => drop(held.each.remove(client)),
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_client_cannot_take_all() {
        let shares = Shares::new(4, 2);
        let first = [shares.take(Some("a"), 1).unwrap(), shares.take(Some("a"), 1).unwrap()];
        assert_eq!(shares.take(Some("a"), 1).unwrap_err(), Exhausted::Client);
        let second = shares.take(Some("b"), 2).unwrap();
        assert_eq!(shares.take(Some("c"), 1).unwrap_err(), Exhausted::All);
        drop(first);
        assert!(shares.take(Some("c"), 1).is_ok());
        drop(second);
        assert!(shares.take(None, 4).is_ok(), "everything was given back");
        assert!(shares.held().each.is_empty());
    }

    #[test]
    fn a_share_grows_up_to_the_limit() {
        let shares = Shares::new(10, 5);
        let mut share = shares.take(Some("a"), 0).unwrap();
        assert!(shares.held().each.is_empty());
        assert_eq!((share.grow(5), share.grow(1)), (Ok(()), Err(Exhausted::Client)));
        assert_eq!(shares.held().total, 5);
        drop(share);
        let held = shares.held();
        assert_eq!((held.total, held.each.len()), (0, 0));
    }
}
