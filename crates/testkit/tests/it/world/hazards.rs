//! Hazards of calls and clocks.

use std::sync::Arc;
use std::time::Duration;

use hansang_core::store::Unavailable;
use hansang_core::{Store, StoreError};
use hansang_testkit::expect::read;
use hansang_testkit::fields;
use hansang_testkit::plans::{get, item, put};
use hansang_testkit::world::{Event, Fault, Hazards, run};
use jiff::{SignedDuration, Timestamp};
use tokio::time::Instant;

use super::{MILLI, SECOND, Scene, scene};

/// Result of a write, and whether it is done by then and a second later.
async fn write_under(hazards: Hazards) -> (Result<(), StoreError>, bool, bool) {
    let hazards = Hazards { latency: (MILLI, 10 * MILLI), ..hazards };
    let Scene { world, store, table, .. } = scene(1, hazards).await;
    let answer = world.process(1).store.write(&table, put(item("p", "s", fields! {}))).await;
    let done = read(&*store, &table, "p", "s").await.is_some();
    tokio::time::sleep(SECOND).await;
    (answer.map(drop), done, read(&*store, &table, "p", "s").await.is_some())
}

fn is_unknown<T>(answer: &Result<T, StoreError>) -> bool {
    matches!(answer, Err(StoreError::Unavailable(Unavailable { outcome_unknown: true, .. })))
}

#[test]
fn a_refused_call_is_not_done() {
    run(async {
        let (answer, done, later) = write_under(Hazards { throttle: 1.0, ..Hazards::default() }).await;
        assert!(matches!(answer, Err(StoreError::Throttled)) && !done && !later, "{answer:?}");
        let (answer, done, later) = write_under(Hazards { conflict: 1.0, ..Hazards::default() }).await;
        assert!(matches!(answer, Err(StoreError::Conflict)) && !done && !later, "{answer:?}");
    });
}

/// A caller cannot tell the three timeouts apart.
#[test]
fn a_timed_out_write_is_done_never_at_once_or_late() {
    run(async {
        let (answer, done, later) = write_under(Hazards { timeout_before: 1.0, ..Hazards::default() }).await;
        assert!(is_unknown(&answer) && !done && !later, "{answer:?}");
        let (answer, done, later) = write_under(Hazards { timeout_after: 1.0, ..Hazards::default() }).await;
        assert!(is_unknown(&answer) && done && later, "{answer:?}");
        let (answer, done, later) = write_under(Hazards { timeout_late: 1.0, ..Hazards::default() }).await;
        assert!(is_unknown(&answer) && !done && later, "{answer:?}");
    });
}

#[test]
fn a_stalled_process_continues() {
    run(async {
        let most = 30 * SECOND;
        let Scene { world, table, .. } = scene(3, Hazards { stall: (1.0, most), ..Hazards::default() }).await;
        let began = Instant::now();
        world.process(1).store.write(&table, put(item("p", "s", fields! {}))).await.unwrap();
        let stalled = world.trace().into_iter().find_map(|step| match step.event {
            Event::Fault { fault: Fault::Stall(time), .. } if step.process == 1 => Some(time),
            _ => None,
        });
        let stalled = stalled.unwrap();
        assert!(stalled <= most && began.elapsed() >= stalled, "{stalled:?}");
    });
}

#[test]
fn a_read_has_no_unknown_outcome_and_no_conflict() {
    run(async {
        let hazards = Hazards { conflict: 1.0, timeout_after: 1.0, timeout_late: 1.0, ..Hazards::default() };
        let Scene { world, table, .. } = scene(1, hazards).await;
        assert_eq!(world.process(1).store.get(&table, &get("p", "s")).await.unwrap(), None);
        let Scene { world, table, .. } = scene(1, Hazards { timeout_before: 1.0, ..hazards }).await;
        let answer = world.process(1).store.get(&table, &get("p", "s")).await;
        assert!(answer.is_err() && !is_unknown(&answer), "{answer:?}");
    });
}

#[test]
fn a_call_takes_its_time_there_and_back() {
    run(async {
        let latency = (5 * MILLI, 50 * MILLI);
        let Scene { world, table, .. } = scene(3, Hazards { latency, ..Hazards::default() }).await;
        let distant = world.process(1).store;
        let mut times = Vec::new();
        for _ in 0..50 {
            let start = Instant::now();
            distant.get(&table, &get("p", "s")).await.unwrap();
            times.push(start.elapsed());
        }
        // Timers have millisecond precision and are never early.
        assert!(times.iter().all(|time| (10 * MILLI..=102 * MILLI).contains(time)), "{times:?}");
        assert!(times.iter().max() > times.iter().min());

        let start = Instant::now();
        distant.write(&table, put(item("p", "s", fields! {}))).await.unwrap();
        let steps = world.trace();
        let [.., called, done] = &steps[..] else { panic!("{steps:?}") };
        let (there, all) = (done.at - called.at, start.elapsed());
        assert!(5 * MILLI <= there && there + 5 * MILLI <= all, "done after {there:?} of {all:?}");
    });
}

fn beginning() -> Timestamp {
    "2030-01-01T00:00:00Z".parse().unwrap()
}

#[test]
fn a_clock_without_jumps_is_true() {
    run(async {
        let Scene { world, .. } = scene(1, Hazards::default()).await;
        let clock = world.clock(1);
        assert_eq!(clock.moment().now, beginning());
        tokio::time::sleep(90 * SECOND).await;
        assert_eq!(
            (clock.moment().now, (world.time())()),
            (beginning() + 90 * SECOND, beginning() + 90 * SECOND)
        );
        assert_ne!(clock.moment().random, clock.moment().random);
        assert_ne!(clock.moment().random, world.clock(2).moment().random);
        let bits = [clock.moment().random, world.process(1).clock.moment().random];
        world.kill(1);
        assert!(
            !bits.contains(&world.process(1).clock.moment().random),
            "a restarted process gets new random bits"
        );
        assert_ne!(bits[0], bits[1], "tasks of a process get different random bits");
    });
}

#[test]
fn a_clock_jumps_both_ways_and_never_too_far() {
    run(async {
        let most = 5 * SECOND;
        let Scene { world, .. } = scene(2, Hazards { clock_jump: (0.2, most), ..Hazards::default() }).await;
        let (clock, other, time) = (world.clock(1), world.clock(2), world.time());
        let mut offsets = Vec::new();
        for _ in 0..400 {
            tokio::time::sleep(10 * MILLI).await;
            offsets.push(clock.moment().now.duration_since(time()));
            let _ = other.moment();
        }
        let most = SignedDuration::try_from(most).unwrap();
        assert!(offsets.iter().all(|offset| offset.abs() <= most), "{offsets:?}");
        assert!(
            offsets.iter().any(|offset| *offset > most / 2)
                && offsets.iter().any(|offset| *offset < -most / 2)
        );
        let jumps = |process| {
            let of = |step: &hansang_testkit::world::Step| {
                step.process == process && matches!(step.event, Event::Jumped { .. })
            };
            world.trace().iter().filter(|step| of(step)).count()
        };
        assert!((40..160).contains(&jumps(1)), "{} jumps", jumps(1));
        assert_ne!(clock.moment().now, other.moment().now, "each process has a clock of its own");
        let changes = offsets.windows(2).filter(|pair| pair[0] != pair[1]).count();
        assert!(changes <= jumps(1), "between jumps it goes on as time does");
    });
}

/// A handle belongs to one process, which counts its calls.
#[test]
fn calls_are_counted_by_process() {
    run(async {
        let Scene { world, table, .. } = scene(1, Hazards::default()).await;
        let (one, two): (Arc<dyn Store>, _) = (world.process(1).store, world.process(2));
        for _ in 0..3 {
            one.get(&table, &get("p", "s")).await.unwrap();
        }
        two.queue.receive(1, Duration::ZERO, SECOND).await.unwrap();
        assert_eq!([0, 1, 2].map(|process| world.calls(process)), [0, 3, 1]);
    });
}
