//! A process on its way to the store or the queue and back.

use std::future::{Future, pending};
use std::sync::Arc;
use std::time::Duration;

use tokio::task::yield_now;
use tokio::time::sleep;

use super::ground::{Ground, State};
use super::{Event, Fault, When};

/// A process that calls, in one of its lives.
#[derive(Clone)]
pub(super) struct Caller {
    pub(super) ground: Arc<Ground>,
    pub(super) process: usize,
    deaths: u64,
}

/// What is called.
pub(super) struct Call {
    pub(super) method: &'static str,
    pub(super) about: String,
}

/// What a refused call says, in the words of whatever was called.
pub(super) type Refusal<E> = fn(&'static str, Fault) -> E;

/// What was decided for one call.
pub(super) struct Turn {
    pub(super) call: u64,
    pub(super) fault: Option<Fault>,
    back: Duration,
    /// When a call takes effect that takes it late, from when it should have.
    late: Duration,
}

impl Caller {
    pub(super) fn new(ground: Arc<Ground>, process: usize) -> Self {
        let deaths = ground.state().process(process).deaths;
        Self { ground, process, deaths }
    }

    /// A call that changes nothing.
    pub(super) async fn read<T, E>(
        &self,
        call: Call,
        effect: impl Future<Output = Result<T, E>>,
        refusal: Refusal<E>,
    ) -> Result<T, E> {
        let method = call.method;
        let hazards = &self.ground.hazards;
        let possible = [(hazards.throttle, Fault::Throttle), (hazards.timeout_before, Fault::TimeoutBefore)];
        let turn = self.begin(call, &possible).await;
        let answer = match turn.fault {
            Some(fault) => Err(refusal(method, fault)),
            None => {
                let answer = effect.await;
                self.done(&turn);
                answer
            }
        };
        self.end(&turn).await;
        answer
    }

    /// A call that changes something.
    pub(super) async fn write<T: Send + 'static, E: Send + 'static>(
        &self,
        call: Call,
        conflict: f64,
        effect: impl Future<Output = Result<T, E>> + Send + 'static,
        refusal: Refusal<E>,
    ) -> Result<T, E> {
        let method = call.method;
        let hazards = &self.ground.hazards;
        let possible = [
            (hazards.throttle, Fault::Throttle),
            (conflict, Fault::Conflict),
            (hazards.timeout_before, Fault::TimeoutBefore),
            (hazards.timeout_after, Fault::TimeoutAfter),
            (hazards.timeout_late, Fault::TimeoutLate),
        ];
        let turn = self.begin(call, &possible).await;
        let answer = match turn.fault {
            None => {
                let answer = effect.await;
                self.done(&turn);
                answer
            }
            Some(Fault::TimeoutAfter) => {
                let _lost = effect.await;
                self.done(&turn);
                Err(refusal(method, Fault::TimeoutAfter))
            }
            Some(fault) => {
                if fault == Fault::TimeoutLate {
                    self.later(&turn, effect);
                }
                Err(refusal(method, fault))
            }
        };
        self.end(&turn).await;
        answer
    }

    /// Sets out: whoever is to die before the call goes no further.
    pub(super) async fn begin(&self, Call { method, about }: Call, possible: &[(f64, Fault)]) -> Turn {
        self.alive().await;
        let (turn, there) = {
            let mut state = self.ground.state();
            let life = state.process(self.process);
            let call = life.calls;
            life.calls += 1;
            self.ground.record(&mut state, self.process, Event::Called { call, method, about });
            // Every call draws the same number of times, so that one more hazard does not change the others.
            let chance = state.random.fraction();
            let [there, back, late] = [(); 3].map(|()| self.latency(&mut state));
            let stall = self.stall(&mut state);
            let fault = draw(chance, possible);
            for fault in stall.map(Fault::Stall).into_iter().chain(fault) {
                self.ground.record(&mut state, self.process, Event::Fault { call, fault });
            }
            (Turn { call, fault, back, late: back + late }, there + stall.unwrap_or_default())
        };
        self.die_if_doomed(&turn, When::Before).await;
        pass(there).await;
        self.alive().await;
        turn
    }

    /// Comes back: whoever is to die after the call does not hear of it.
    pub(super) async fn end(&self, turn: &Turn) {
        self.die_if_doomed(turn, When::After).await;
        pass(turn.back).await;
        self.alive().await;
    }

    /// Has something done after the caller was told that there is no answer.
    pub(super) fn later<T: Send + 'static>(
        &self,
        turn: &Turn,
        effect: impl Future<Output = T> + Send + 'static,
    ) {
        let (caller, call, late) = (self.clone(), turn.call, turn.late);
        // Not a part of the process: what is on its way arrives, whoever has died meanwhile.
        tokio::spawn(async move {
            pass(late).await;
            let _unheard = effect.await;
            caller.ground.record(&mut caller.ground.state(), caller.process, Event::Done { call });
        });
    }

    pub(super) fn done(&self, turn: &Turn) {
        let done = Event::Done { call: turn.call };
        self.ground.record(&mut self.ground.state(), self.process, done);
    }

    async fn die_if_doomed(&self, turn: &Turn, when: When) {
        let doomed = self.ground.state().doomed.remove(&(self.process, turn.call, when));
        if doomed {
            self.ground.kill(self.process);
            pending().await
        }
    }

    /// The dead do nothing, not even what they had started elsewhere.
    async fn alive(&self) {
        let deaths = self.ground.state().process(self.process).deaths;
        if deaths != self.deaths {
            pending().await
        }
    }

    /// How long the process stands still, if it does.
    fn stall(&self, state: &mut State) -> Option<Duration> {
        let (likely, most) = self.ground.hazards.stall;
        let [chance, how_long] = [(); 2].map(|()| state.random.fraction());
        (chance < likely).then(|| most.mul_f64(how_long))
    }

    fn latency(&self, state: &mut State) -> Duration {
        let (least, most) = self.ground.hazards.latency;
        least + most.saturating_sub(least).mul_f64(state.random.fraction())
    }
}

/// What happens, if anything.
pub(super) fn draw(mut chance: f64, possible: &[(f64, Fault)]) -> Option<Fault> {
    possible.iter().find_map(|(likely, fault)| {
        let happens = chance < *likely;
        chance -= likely;
        happens.then_some(*fault)
    })
}

/// Lets time pass, and others go first even if there is none.
async fn pass(time: Duration) {
    if time.is_zero() {
        yield_now().await;
    } else {
        sleep(time).await;
    }
}
