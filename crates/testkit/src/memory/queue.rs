//! A queue in memory.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use hansang_core::queue::{
    DeadLetter, Delivery, Depth, Message, Receipt, TOO_OFTEN, check, check_count, check_time, reason,
};
use hansang_core::{Queue, QueueError};
use jiff::Timestamp;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

/// A queue in memory.
///
/// Time is a function; only waiting uses tokio timers. If both are virtual, waiting takes no real time.
pub struct MemoryQueue {
    now: Arc<dyn Fn() -> Timestamp + Send + Sync>,
    state: Mutex<State>,
    /// Notified when a message becomes visible early.
    shown: Notify,
}

struct State {
    max_attempts: u32,
    /// Last number of a message or delivery.
    last: u64,
    messages: BTreeMap<u64, StoredMessage>,
    /// Messages by the time when they become visible.
    due: BTreeSet<(Timestamp, u64)>,
    /// Messages after their last delivery, by the time when they become dead letters.
    spent: BTreeSet<(Timestamp, u64)>,
    dead: BTreeMap<u64, DeadLetter>,
}

struct StoredMessage {
    body: String,
    sent: Timestamp,
    /// The time from which it can be received.
    visible: Timestamp,
    attempts: u32,
    /// Number of the latest delivery.
    delivery: u64,
}

impl MemoryQueue {
    /// Creates an empty queue. A message that was delivered `max_attempts` times without acknowledgement
    /// becomes a dead letter.
    #[must_use]
    pub fn new(now: Arc<dyn Fn() -> Timestamp + Send + Sync>, max_attempts: u32) -> Self {
        let state = State {
            max_attempts,
            last: 0,
            messages: BTreeMap::new(),
            due: BTreeSet::new(),
            spent: BTreeSet::new(),
            dead: BTreeMap::new(),
        };
        Self { now, state: Mutex::new(state), shown: Notify::new() }
    }

    /// Returns the state after expired messages were buried, and the time.
    fn state(&self) -> (MutexGuard<'_, State>, Timestamp) {
        let now = (self.now)();
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.give_up(now);
        (state, now)
    }
}

impl State {
    fn next(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    fn keep(&mut self, number: u64, body: String, now: Timestamp, delay: Duration) {
        let kept = StoredMessage { body, sent: now, visible: now, attempts: 0, delivery: 0 };
        self.messages.insert(number, kept);
        self.hide(number, later(now, delay));
    }

    fn take_out(&mut self, number: u64) -> Option<StoredMessage> {
        let kept = self.messages.remove(&number)?;
        self.due.remove(&(kept.visible, number));
        self.spent.remove(&(kept.visible, number));
        Some(kept)
    }

    fn hide(&mut self, number: u64, until: Timestamp) {
        let Some(mut kept) = self.take_out(number) else { return };
        kept.visible = until;
        let order = if kept.attempts < self.max_attempts { &mut self.due } else { &mut self.spent };
        order.insert((until, number));
        self.messages.insert(number, kept);
    }

    fn bury(&mut self, number: u64, reason: Option<String>, now: Timestamp) {
        if let Some(kept) = self.take_out(number) {
            let letter = DeadLetter { id: number.to_string(), body: kept.body, reason, since: Some(now) };
            self.dead.insert(number, letter);
        }
    }

    /// Buries messages that would become visible after their last delivery.
    fn give_up(&mut self, now: Timestamp) {
        while let Some((_, number)) = self.spent.first().copied().filter(|(visible, _)| *visible <= now) {
            self.bury(number, Some(TOO_OFTEN.to_owned()), now);
        }
    }

    fn deliver(&mut self, limit: usize, now: Timestamp, hidden: Duration) -> Vec<Delivery> {
        let visible = self.due.range(..=(now, u64::MAX)).take(limit).map(|(_, number)| *number);
        let numbers: Vec<u64> = visible.collect();
        let mut deliveries = Vec::with_capacity(numbers.len());
        for number in numbers {
            let delivery = self.next();
            if let Some(kept) = self.messages.get_mut(&number) {
                kept.attempts += 1;
                kept.delivery = delivery;
                deliveries.push(Delivery {
                    id: number.to_string(),
                    receipt: Receipt(format!("{number}-{delivery}").into()),
                    body: kept.body.clone(),
                    attempts: kept.attempts,
                });
            }
            self.hide(number, later(now, hidden));
        }
        deliveries
    }

    /// Returns the message of a receipt, unless it is gone or was delivered again.
    fn held(&self, receipt: &Receipt) -> Option<u64> {
        let (number, delivery) = receipt.0.split_once('-')?;
        let number = number.parse().ok()?;
        let kept = self.messages.get(&number)?;
        (kept.delivery.to_string() == delivery).then_some(number)
    }
}

#[async_trait]
impl Queue for MemoryQueue {
    async fn ensure(&self) -> Result<(), QueueError> {
        Ok(())
    }

    async fn send(&self, messages: Vec<Message>) -> Vec<Result<(), QueueError>> {
        let too_many = check_count(messages.len());
        let (mut state, now) = self.state();
        let send = |message: Message| {
            too_many.clone()?;
            check(&message)?;
            let number = state.next();
            state.keep(number, message.body, now, message.delay);
            Ok(())
        };
        let answers = messages.into_iter().map(send).collect();
        self.shown.notify_waiters();
        answers
    }

    async fn receive(
        &self,
        limit: usize,
        wait: Duration,
        hidden: Duration,
    ) -> Result<Vec<Delivery>, QueueError> {
        check_count(limit)?;
        check_time(wait)?;
        check_time(hidden)?;
        if limit == 0 {
            return Ok(Vec::new());
        }
        let deadline = Instant::now() + wait;
        loop {
            // Registered first, so that no notification is missed.
            let mut shown = pin!(self.shown.notified());
            shown.as_mut().enable();
            let next = {
                let (mut state, now) = self.state();
                let deliveries = state.deliver(limit, now, hidden);
                if !deliveries.is_empty() || Instant::now() >= deadline {
                    return Ok(deliveries);
                }
                state.due.first().map(|(visible, _)| wait_until(*visible, now))
            };
            tokio::select! {
                biased;
                () = shown => {}
                () = sleep_until(next.map_or(deadline, |next| deadline.min(next))) => {}
            }
        }
    }

    async fn acknowledge(&self, receipts: &[Receipt]) -> Result<(), QueueError> {
        check_count(receipts.len())?;
        let (mut state, _) = self.state();
        for receipt in receipts {
            if let Some(number) = state.held(receipt) {
                state.take_out(number);
            }
        }
        Ok(())
    }

    async fn hide(&self, receipts: &[(Receipt, Duration)]) -> Result<(), QueueError> {
        check_count(receipts.len())?;
        receipts.iter().try_for_each(|(_, hidden)| check_time(*hidden))?;
        let (mut state, now) = self.state();
        for (receipt, hidden) in receipts {
            if let Some(number) = state.held(receipt) {
                state.hide(number, later(now, *hidden));
            }
        }
        self.shown.notify_waiters();
        Ok(())
    }

    async fn bury(&self, delivery: &Delivery, reason: &str) -> Result<(), QueueError> {
        let (mut state, now) = self.state();
        if let Some(number) = state.held(&delivery.receipt) {
            state.bury(number, self::reason(reason), now);
        }
        Ok(())
    }

    async fn dead(&self, limit: usize) -> Result<Vec<DeadLetter>, QueueError> {
        check_count(limit)?;
        Ok(self.state().0.dead.values().take(limit).cloned().collect())
    }

    async fn revive(&self, ids: &[String]) -> Result<usize, QueueError> {
        check_count(ids.len())?;
        let (mut state, now) = self.state();
        let mut revived = 0;
        for id in ids {
            let letter = id.parse().ok().and_then(|number| Some((number, state.dead.remove(&number)?)));
            if let Some((number, letter)) = letter {
                state.keep(number, letter.body, now, Duration::ZERO);
                revived += 1;
            }
        }
        self.shown.notify_waiters();
        Ok(revived)
    }

    async fn depth(&self) -> Result<Depth, QueueError> {
        let (state, now) = self.state();
        let visible = state.due.range(..=(now, u64::MAX)).count();
        Ok(Depth {
            visible: visible as u64,
            hidden: (state.messages.len() - visible) as u64,
            dead: state.dead.len() as u64,
            oldest: state.messages.values().map(|kept| kept.sent).min(),
        })
    }
}

impl fmt::Debug for MemoryQueue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryQueue").finish_non_exhaustive()
    }
}

fn later(now: Timestamp, by: Duration) -> Timestamp {
    now.checked_add(by).unwrap_or(Timestamp::MAX)
}

/// Converts a time to a tokio instant.
fn wait_until(then: Timestamp, now: Timestamp) -> Instant {
    Instant::now() + Duration::try_from(then.duration_since(now)).unwrap_or_default()
}
