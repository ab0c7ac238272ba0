//! Clocks with jumps.

use std::sync::Arc;

use hansang_core::db::Clock;
use hansang_core::write::Moment;
use jiff::SignedDuration;

use super::Event;
use super::ground::Shared;
use crate::random::Random;

/// The clock of a process. It has its own random sequence, so that clock reads do not change other processes.
pub(super) fn of(shared: Arc<Shared>, process: usize) -> Clock {
    let mixed = Random::new(shared.seed ^ (process as u64 + 1).rotate_right(16)).next();
    Clock::new(move || {
        let mut state = shared.state();
        let (chance, jump) = shared.hazards.clock_jump;
        let random = state.process(process).chance.get_or_insert_with(|| Random::new(mixed));
        let (jumps, to) = (random.fraction() < chance, random.fraction() * 2.0 - 1.0);
        let bits = u128::from(random.next()) << 64 | u128::from(random.next());
        if jumps {
            let to = SignedDuration::from_secs_f64(jump.as_secs_f64() * to);
            state.process(process).offset = to;
            shared.record(&mut state, process, Event::Jumped { to });
        }
        let offset = state.process(process).offset;
        Moment { now: shared.time() + offset, random: bits }
    })
}
