//! Clocks that jump.

use std::sync::Arc;

use hansang_core::db::Clock;
use hansang_core::write::Moment;
use jiff::SignedDuration;

use super::Event;
use super::ground::Ground;
use crate::random::Random;

/// The clock of a process. Its chance is its own, so that how often a process looks at it changes nothing for the
/// others.
pub(super) fn of(ground: Arc<Ground>, process: usize) -> Clock {
    let mixed = Random::new(ground.seed ^ (process as u64 + 1).rotate_right(16)).next();
    Clock::new(move || {
        let mut state = ground.state();
        let (chance, jump) = ground.hazards.clock_jump;
        let random = state.process(process).chance.get_or_insert_with(|| Random::new(mixed));
        let (jumps, to) = (random.fraction() < chance, random.fraction() * 2.0 - 1.0);
        let bits = u128::from(random.next()) << 64 | u128::from(random.next());
        if jumps {
            let to = SignedDuration::from_secs_f64(jump.as_secs_f64() * to);
            state.process(process).offset = to;
            ground.record(&mut state, process, Event::Jumped { to });
        }
        let offset = state.process(process).offset;
        Moment { now: ground.time() + offset, random: bits }
    })
}
