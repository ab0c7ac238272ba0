//! Calls of a process, with hazards.

use std::future::{Future, pending};
use std::sync::Arc;
use std::time::Duration;

use tokio::task::yield_now;
use tokio::time::sleep;

use super::ground::{Shared, State};
use super::{Event, Fault, When};

/// A process between two restarts.
#[derive(Clone)]
pub(super) struct Caller {
    pub(super) shared: Arc<Shared>,
    pub(super) process: usize,
    deaths: u64,
}

/// A call.
pub(super) struct Call {
    pub(super) method: &'static str,
    pub(super) about: String,
}

/// Makes the error of a refused call.
pub(super) type Refusal<E> = fn(&'static str, Fault) -> E;

/// Decision about one call.
pub(super) struct Decision {
    pub(super) call: u64,
    pub(super) fault: Option<Fault>,
    back: Duration,
    /// Delay of a late effect.
    late: Duration,
}

impl Caller {
    pub(super) fn new(shared: Arc<Shared>, process: usize) -> Self {
        let deaths = shared.state().process(process).deaths;
        Self { shared, process, deaths }
    }

    /// Makes a read call.
    pub(super) async fn read<T, E>(
        &self,
        call: Call,
        effect: impl Future<Output = Result<T, E>>,
        refusal: Refusal<E>,
    ) -> Result<T, E> {
        let method = call.method;
        let hazards = &self.shared.hazards;
        let possible = [(hazards.throttle, Fault::Throttle), (hazards.timeout_before, Fault::TimeoutBefore)];
        let decision = self.begin(call, &possible).await;
        let result = match decision.fault {
            Some(fault) => Err(refusal(method, fault)),
            None => {
                let result = effect.await;
                self.done(&decision);
                result
            }
        };
        self.end(&decision).await;
        result
    }

    /// Makes a write call.
    pub(super) async fn write<T: Send + 'static, E: Send + 'static>(
        &self,
        call: Call,
        conflict: f64,
        effect: impl Future<Output = Result<T, E>> + Send + 'static,
        refusal: Refusal<E>,
    ) -> Result<T, E> {
        let method = call.method;
        let hazards = &self.shared.hazards;
        let possible = [
            (hazards.throttle, Fault::Throttle),
            (conflict, Fault::Conflict),
            (hazards.timeout_before, Fault::TimeoutBefore),
            (hazards.timeout_after, Fault::TimeoutAfter),
            (hazards.timeout_late, Fault::TimeoutLate),
        ];
        let decision = self.begin(call, &possible).await;
        let result = match decision.fault {
            None => {
                let result = effect.await;
                self.done(&decision);
                result
            }
            Some(Fault::TimeoutAfter) => {
                let _lost = effect.await;
                self.done(&decision);
                Err(refusal(method, Fault::TimeoutAfter))
            }
            Some(fault) => {
                if fault == Fault::TimeoutLate {
                    self.later(&decision, effect);
                }
                Err(refusal(method, fault))
            }
        };
        self.end(&decision).await;
        result
    }

    /// Starts a call. Does not return if the process dies before it.
    pub(super) async fn begin(&self, Call { method, about }: Call, possible: &[(f64, Fault)]) -> Decision {
        self.alive().await;
        let (decision, there) = {
            let mut state = self.shared.state();
            let process_state = state.process(self.process);
            let call = process_state.calls;
            process_state.calls += 1;
            self.shared.record(&mut state, self.process, Event::Called { call, method, about });
            // Every call draws the same number of random values, so that an additional hazard does not change
            // the others.
            let chance = state.random.fraction();
            let [there, back, late] = [(); 3].map(|()| self.latency(&mut state));
            let stall = self.stall(&mut state);
            let fault = draw(chance, possible);
            for fault in stall.map(Fault::Stall).into_iter().chain(fault) {
                self.shared.record(&mut state, self.process, Event::Fault { call, fault });
            }
            (Decision { call, fault, back, late: back + late }, there + stall.unwrap_or_default())
        };
        self.die_if_scheduled(&decision, When::Before).await;
        pass(there).await;
        self.alive().await;
        decision
    }

    /// Ends a call. Does not return if the process dies after it.
    pub(super) async fn end(&self, decision: &Decision) {
        self.die_if_scheduled(decision, When::After).await;
        pass(decision.back).await;
        self.alive().await;
    }

    /// Executes an effect after the caller got a timeout.
    pub(super) fn later<T: Send + 'static>(
        &self,
        decision: &Decision,
        effect: impl Future<Output = T> + Send + 'static,
    ) {
        let (caller, call, late) = (self.clone(), decision.call, decision.late);
        // Not a task of the process: a sent request arrives even if the process dies.
        tokio::spawn(async move {
            pass(late).await;
            let _unheard = effect.await;
            caller.shared.record(&mut caller.shared.state(), caller.process, Event::Done { call });
        });
    }

    pub(super) fn done(&self, decision: &Decision) {
        let done = Event::Done { call: decision.call };
        self.shared.record(&mut self.shared.state(), self.process, done);
    }

    async fn die_if_scheduled(&self, decision: &Decision, when: When) {
        let doomed = self.shared.state().doomed.remove(&(self.process, decision.call, when));
        if doomed {
            self.shared.kill(self.process);
            pending().await
        }
    }

    /// Never returns for a dead process.
    async fn alive(&self) {
        let deaths = self.shared.state().process(self.process).deaths;
        if deaths != self.deaths {
            pending().await
        }
    }

    /// Duration of a stall, if any.
    fn stall(&self, state: &mut State) -> Option<Duration> {
        let (probability, max) = self.shared.hazards.stall;
        let [chance, how_long] = [(); 2].map(|()| state.random.fraction());
        (chance < probability).then(|| max.mul_f64(how_long))
    }

    fn latency(&self, state: &mut State) -> Duration {
        let (min, max) = self.shared.hazards.latency;
        min + max.saturating_sub(min).mul_f64(state.random.fraction())
    }
}

/// Draws a fault, if any.
pub(super) fn draw(mut chance: f64, possible: &[(f64, Fault)]) -> Option<Fault> {
    possible.iter().find_map(|(probability, fault)| {
        let happens = chance < *probability;
        chance -= probability;
        happens.then_some(*fault)
    })
}

/// Sleeps, or yields if the time is zero.
async fn pass(time: Duration) {
    if time.is_zero() {
        yield_now().await;
    } else {
        sleep(time).await;
    }
}
