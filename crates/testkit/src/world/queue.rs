//! The queue as a process reaches it.

use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use hansang_core::queue::{DeadLetter, Delivery, Depth, MAX_DELAY, Message, Receipt};
use hansang_core::store::Unavailable;
use hansang_core::{Queue, QueueError};

use super::caller::{Call, Caller, Turn, draw};
use super::{Event, Fault};

/// A queue at the other end of a wire.
pub(super) struct Distant {
    caller: Caller,
    queue: Arc<dyn Queue>,
}

impl Distant {
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
        // Nothing that is done to a queue meets another.
        self.caller.write(Call { method, about }, 0.0, effect, refused_write).await
    }

    /// What happens to each message on its way there: each is sent by itself.
    fn fates(&self, turn: &Turn, messages: &mut [Message]) -> Vec<Option<Fault>> {
        let Caller { ground, process, .. } = &self.caller;
        let hazards = &ground.hazards;
        let possible = [
            (hazards.throttle, Fault::Throttle),
            (hazards.timeout_before, Fault::TimeoutBefore),
            (hazards.timeout_after, Fault::TimeoutAfter),
            (hazards.timeout_late, Fault::TimeoutLate),
        ];
        let mut state = ground.state();
        let mut fate = |message: &mut Message| {
            let [chance, late, how_late] = [(); 3].map(|()| state.random.fraction());
            let fault = draw(chance, &possible);
            let delay = hazards.delay.1.mul_f64(how_late);
            let delayed = (late < hazards.delay.0).then_some(Fault::Delay(delay));
            if delayed.is_some() && message.delay <= MAX_DELAY {
                message.delay = MAX_DELAY.min(message.delay + delay);
            }
            for fault in fault.into_iter().chain(delayed) {
                ground.record(&mut state, *process, Event::Fault { call: turn.call, fault });
            }
            fault
        };
        messages.iter_mut().map(&mut fate).collect()
    }

    /// Copies of messages that are due, whoever received the message itself.
    fn copies(&self, most: usize) -> Vec<Delivery> {
        let age = self.caller.ground.age();
        let mut state = self.caller.ground.state();
        let mut copies = Vec::new();
        while copies.len() < most
            && let Some(first) = state.copies.first_entry().filter(|first| first.key().0 <= age)
        {
            copies.push(first.remove());
        }
        copies
    }

    /// Keeps copies of some of the messages, to be delivered later.
    fn copy(&self, turn: &Turn, deliveries: &[Delivery]) {
        let Caller { ground, process, .. } = &self.caller;
        let mut state = ground.state();
        for delivery in deliveries {
            let [chance, how_late] = [(); 2].map(|()| state.random.fraction());
            if chance < ground.hazards.duplicate {
                let late = ground.hazards.delay.1.mul_f64(how_late);
                let fault = Fault::Duplicate(late);
                ground.record(&mut state, *process, Event::Fault { call: turn.call, fault });
                state.copied += 1;
                let place = (ground.age() + late, state.copied);
                state.copies.insert(place, delivery.clone());
            }
        }
    }

    /// Brings what was received at once into another order, by chance.
    fn reorder(&self, turn: &Turn, deliveries: &mut [Delivery]) {
        let Caller { ground, process, .. } = &self.caller;
        let mut state = ground.state();
        if state.random.fraction() >= ground.hazards.delay.0 || deliveries.len() < 2 {
            return;
        }
        for place in (1..deliveries.len()).rev() {
            let other = (state.random.next() % (place as u64 + 1)) as usize;
            deliveries.swap(place, other);
        }
        ground.record(&mut state, *process, Event::Fault { call: turn.call, fault: Fault::Reorder });
    }
}

fn refused_write(method: &'static str, fault: Fault) -> QueueError {
    refused(method, fault, true)
}

fn refused(method: &'static str, fault: Fault, outcome_unknown: bool) -> QueueError {
    match fault {
        Fault::Throttle => QueueError::Throttled,
        _ => {
            let message = format!("`{method}` had no answer: this is a simulation");
            QueueError::Unavailable(Unavailable { message, outcome_unknown, source: None })
        }
    }
}

#[async_trait]
impl Queue for Distant {
    /// Made without hazards, as tables are.
    async fn ensure(&self) -> Result<(), QueueError> {
        self.queue.ensure().await
    }

    async fn send(&self, mut messages: Vec<Message>) -> Vec<Result<(), QueueError>> {
        let call = Call { method: "send", about: format!("{} messages", messages.len()) };
        let turn = self.caller.begin(call, &[]).await;
        let fates = self.fates(&turn, &mut messages);
        let (mut now, mut late) = (Vec::new(), Vec::new());
        for (message, fate) in messages.into_iter().zip(&fates) {
            match fate {
                None | Some(Fault::TimeoutAfter) => now.push(message),
                Some(Fault::TimeoutLate) => late.push(message),
                Some(_) => {}
            }
        }
        let mut answers = self.queue.send(now).await.into_iter();
        self.caller.done(&turn);
        if !late.is_empty() {
            let queue = self.queue.clone();
            self.caller.later(&turn, async move { queue.send(late).await });
        }
        let answer = |fate: Option<Fault>| match fate {
            None => answers.next().unwrap_or(Ok(())),
            Some(fault) => {
                if fault == Fault::TimeoutAfter {
                    answers.next();
                }
                Err(refused("send", fault, true))
            }
        };
        let answers = fates.into_iter().map(answer).collect();
        self.caller.end(&turn).await;
        answers
    }

    /// When the answer is lost, the messages stay hidden and nobody has them.
    async fn receive(
        &self,
        most: usize,
        wait: Duration,
        hidden: Duration,
    ) -> Result<Vec<Delivery>, QueueError> {
        let hazards = &self.caller.ground.hazards;
        let possible = [
            (hazards.throttle, Fault::Throttle),
            (hazards.timeout_before, Fault::TimeoutBefore),
            (hazards.timeout_after, Fault::TimeoutAfter),
        ];
        let call = Call { method: "receive", about: format!("up to {most}") };
        let turn = self.caller.begin(call, &possible).await;
        let answer = match turn.fault {
            Some(fault @ (Fault::Throttle | Fault::TimeoutBefore)) => Err(refused("receive", fault, false)),
            lost => {
                let mut found = self.copies(most);
                let wait = if found.is_empty() { wait } else { Duration::ZERO };
                let answer = self.queue.receive(most - found.len(), wait, hidden).await;
                self.caller.done(&turn);
                answer.and_then(|deliveries| {
                    self.copy(&turn, &deliveries);
                    found.extend(deliveries);
                    self.reorder(&turn, &mut found);
                    lost.map_or(Ok(found), |fault| Err(refused("receive", fault, true)))
                })
            }
        };
        self.caller.end(&turn).await;
        answer
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

    async fn dead(&self, most: usize) -> Result<Vec<DeadLetter>, QueueError> {
        self.read("dead", self.queue.dead(most)).await
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

impl fmt::Debug for Distant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Distant").field("queue", &self.queue).finish_non_exhaustive()
    }
}
