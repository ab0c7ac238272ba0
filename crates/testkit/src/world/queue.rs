//! The queue of a process, with hazards.

use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use hansang_core::queue::{DeadLetter, Delivery, Depth, MAX_DELAY, Message, Receipt};
use hansang_core::store::Unavailable;
use hansang_core::{Queue, QueueError};

use super::caller::{Call, Caller, Decision, draw};
use super::{Event, Fault};

/// A queue with hazards.
pub(super) struct SimulatedQueue {
    caller: Caller,
    queue: Arc<dyn Queue>,
}

impl SimulatedQueue {
    pub(super) fn new(caller: Caller, queue: Arc<dyn Queue>) -> Self {
        Self { caller, queue }
    }

    async fn read<T>(
        &self,
        method: &'static str,
        effect: impl Future<Output = Result<T, QueueError>>,
    ) -> Result<T, QueueError> {
        let call = Call { method, about: String::new() };
        self.caller.read(call, effect, |method, fault| refused(method, fault, false)).await
    }

    async fn write<T, F>(
        &self,
        method: &'static str,
        about: String,
        effect: impl FnOnce(Arc<dyn Queue>) -> F,
    ) -> Result<T, QueueError>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, QueueError>> + Send + 'static,
    {
        let effect = effect(self.queue.clone());
        // Queue calls never conflict.
        self.caller.write(Call { method, about }, 0.0, effect, refused_write).await
    }

    /// Draws a fault for each message, which are sent independently.
    fn faults(&self, decision: &Decision, messages: &mut [Message]) -> Vec<Option<Fault>> {
        let Caller { shared, process, .. } = &self.caller;
        let hazards = &shared.hazards;
        let possible = [
            (hazards.throttle, Fault::Throttle),
            (hazards.timeout_before, Fault::TimeoutBefore),
            (hazards.timeout_after, Fault::TimeoutAfter),
            (hazards.timeout_late, Fault::TimeoutLate),
        ];
        let mut state = shared.state();
        let mut fault = |message: &mut Message| {
            let [chance, late, how_late] = [(); 3].map(|()| state.random.fraction());
            let fault = draw(chance, &possible);
            let delay = hazards.delay.1.mul_f64(how_late);
            let delayed = (late < hazards.delay.0).then_some(Fault::Delay(delay));
            if delayed.is_some() && message.delay <= MAX_DELAY {
                message.delay = MAX_DELAY.min(message.delay + delay);
            }
            for fault in fault.into_iter().chain(delayed) {
                shared.record(&mut state, *process, Event::Fault { call: decision.call, fault });
            }
            fault
        };
        messages.iter_mut().map(&mut fault).collect()
    }

    /// Returns due duplicates, even of messages that another process received.
    fn copies(&self, limit: usize) -> Vec<Delivery> {
        let age = self.caller.shared.age();
        let mut state = self.caller.shared.state();
        let mut copies = Vec::new();
        while copies.len() < limit
            && let Some(first) = state.copies.first_entry().filter(|first| first.key().0 <= age)
        {
            copies.push(first.remove());
        }
        copies
    }

    /// Schedules duplicates of some messages.
    fn copy(&self, decision: &Decision, deliveries: &[Delivery]) {
        let Caller { shared, process, .. } = &self.caller;
        let mut state = shared.state();
        for delivery in deliveries {
            let [chance, how_late] = [(); 2].map(|()| state.random.fraction());
            if chance < shared.hazards.duplicate {
                let late = shared.hazards.delay.1.mul_f64(how_late);
                let fault = Fault::Duplicate(late);
                shared.record(&mut state, *process, Event::Fault { call: decision.call, fault });
                state.copied += 1;
                let due = (shared.age() + late, state.copied);
                state.copies.insert(due, delivery.clone());
            }
        }
    }

    /// Shuffles a received batch by chance.
    fn reorder(&self, decision: &Decision, deliveries: &mut [Delivery]) {
        let Caller { shared, process, .. } = &self.caller;
        let mut state = shared.state();
        if state.random.fraction() >= shared.hazards.delay.0 || deliveries.len() < 2 {
            return;
        }
        for last in (1..deliveries.len()).rev() {
            let other = (state.random.next() % (last as u64 + 1)) as usize;
            deliveries.swap(last, other);
        }
        shared.record(&mut state, *process, Event::Fault { call: decision.call, fault: Fault::Reorder });
    }
}

fn refused_write(method: &'static str, fault: Fault) -> QueueError {
    refused(method, fault, true)
}

fn refused(method: &'static str, fault: Fault, outcome_unknown: bool) -> QueueError {
    match fault {
        Fault::Throttle => QueueError::Throttled,
        _ => {
            let message = format!("`{method}` had no response: this is a simulation");
            QueueError::Unavailable(Unavailable { message, outcome_unknown, source: None })
        }
    }
}

#[async_trait]
impl Queue for SimulatedQueue {
    /// Without hazards, as tables.
    async fn ensure(&self) -> Result<(), QueueError> {
        self.queue.ensure().await
    }

    async fn send(&self, mut messages: Vec<Message>) -> Vec<Result<(), QueueError>> {
        let call = Call { method: "send", about: format!("{} messages", messages.len()) };
        let decision = self.caller.begin(call, &[]).await;
        let faults = self.faults(&decision, &mut messages);
        let (mut now, mut late) = (Vec::new(), Vec::new());
        for (message, fault) in messages.into_iter().zip(&faults) {
            match fault {
                None | Some(Fault::TimeoutAfter) => now.push(message),
                Some(Fault::TimeoutLate) => late.push(message),
                Some(_) => {}
            }
        }
        let mut results = self.queue.send(now).await.into_iter();
        self.caller.done(&decision);
        if !late.is_empty() {
            let queue = self.queue.clone();
            self.caller.later(&decision, async move { queue.send(late).await });
        }
        let result = |fault: Option<Fault>| match fault {
            None => results.next().unwrap_or(Ok(())),
            Some(fault) => {
                if fault == Fault::TimeoutAfter {
                    results.next();
                }
                Err(refused("send", fault, true))
            }
        };
        let results = faults.into_iter().map(result).collect();
        self.caller.end(&decision).await;
        results
    }

    /// If the response is lost, the messages stay hidden.
    async fn receive(
        &self,
        limit: usize,
        wait: Duration,
        hidden: Duration,
    ) -> Result<Vec<Delivery>, QueueError> {
        let hazards = &self.caller.shared.hazards;
        let possible = [
            (hazards.throttle, Fault::Throttle),
            (hazards.timeout_before, Fault::TimeoutBefore),
            (hazards.timeout_after, Fault::TimeoutAfter),
        ];
        let call = Call { method: "receive", about: format!("up to {limit}") };
        let decision = self.caller.begin(call, &possible).await;
        let result = match decision.fault {
            Some(fault @ (Fault::Throttle | Fault::TimeoutBefore)) => Err(refused("receive", fault, false)),
            lost => {
                let mut found = self.copies(limit);
                let wait = if found.is_empty() { wait } else { Duration::ZERO };
                let result = self.queue.receive(limit - found.len(), wait, hidden).await;
                self.caller.done(&decision);
                result.and_then(|deliveries| {
                    self.copy(&decision, &deliveries);
                    found.extend(deliveries);
                    self.reorder(&decision, &mut found);
                    lost.map_or(Ok(found), |fault| Err(refused("receive", fault, true)))
                })
            }
        };
        self.caller.end(&decision).await;
        result
    }

    async fn acknowledge(&self, receipts: &[Receipt]) -> Result<(), QueueError> {
        let receipts = receipts.to_vec();
        let about = format!("{} messages", receipts.len());
        let effect = |queue: Arc<dyn Queue>| async move { queue.acknowledge(&receipts).await };
        self.write("acknowledge", about, effect).await
    }

    async fn hide(&self, receipts: &[(Receipt, Duration)]) -> Result<(), QueueError> {
        let receipts = receipts.to_vec();
        let about = format!("{} messages", receipts.len());
        let effect = |queue: Arc<dyn Queue>| async move { queue.hide(&receipts).await };
        self.write("hide", about, effect).await
    }

    async fn bury(&self, delivery: &Delivery, reason: &str) -> Result<(), QueueError> {
        let (delivery, reason) = (delivery.clone(), reason.to_owned());
        let about = delivery.id.clone();
        let effect = |queue: Arc<dyn Queue>| async move { queue.bury(&delivery, &reason).await };
        self.write("bury", about, effect).await
    }

    async fn dead(&self, limit: usize) -> Result<Vec<DeadLetter>, QueueError> {
        self.read("dead", self.queue.dead(limit)).await
    }

    async fn revive(&self, ids: &[String]) -> Result<usize, QueueError> {
        let ids = ids.to_vec();
        let about = ids.join(", ");
        let effect = |queue: Arc<dyn Queue>| async move { queue.revive(&ids).await };
        self.write("revive", about, effect).await
    }

    async fn depth(&self) -> Result<Depth, QueueError> {
        self.read("depth", self.queue.depth()).await
    }
}

impl fmt::Debug for SimulatedQueue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Distant").field("queue", &self.queue).finish_non_exhaustive()
    }
}
