//! Tests of the simulated world.

mod deaths;
mod hazards;
mod queue;
mod view;

use std::sync::Arc;
use std::time::Duration;

use hansang_core::queue::Message;
use hansang_core::{Queue, Store, Table};
use hansang_testkit::differential::{operations, same};
use hansang_testkit::fields;
use hansang_testkit::memory::{Memory, MemoryQueue};
use hansang_testkit::plans::{add, item, on, put, query_index, update};
use hansang_testkit::table::{BY_TEXT, described};
use hansang_testkit::world::{Event, Fault, Hazards, Process, Step, World, run};

const MILLI: Duration = Duration::from_millis(1);
const SECOND: Duration = Duration::from_secs(1);

/// A world with a table and a queue, and the wrapped store and queue.
struct Scene {
    world: World,
    store: Arc<dyn Store>,
    queue: Arc<dyn Queue>,
    table: Table,
}

/// Must be called inside of a simulation.
async fn scene(seed: u64, hazards: Hazards) -> Scene {
    let world = World::new(seed, hazards);
    let store: Arc<dyn Store> = Arc::new(Memory::new());
    let queue: Arc<dyn Queue> = Arc::new(MemoryQueue::new(world.time(), 5));
    // A fixed name: the trace must not depend on the order of tests.
    let table = Table { name: "table".to_owned(), ..described() };
    world.store(store.clone(), Arc::new(Memory::new())).ensure_table(&table).await.unwrap();
    world.queue(queue.clone()).ensure().await.unwrap();
    Scene { world, store, queue, table }
}

/// All hazards.
fn rough() -> Hazards {
    Hazards {
        latency: (MILLI, 20 * MILLI),
        stall: (0.05, 5 * SECOND),
        throttle: 0.05,
        conflict: 0.05,
        timeout_before: 0.05,
        timeout_after: 0.05,
        timeout_late: 0.05,
        index_lag: SECOND,
        duplicate: 0.1,
        delay: (0.2, 2 * SECOND),
        clock_jump: (0.1, 3 * SECOND),
    }
}

/// A process that makes various calls and ignores the results.
async fn bustle(Process { number, store, queue, clock }: Process, table: Table) {
    for n in 0..12_i64 {
        let sk = format!("{number}-{n}");
        let row = item("p", &sk, fields! { tpk: "t", tsk: sk.as_str(), at: clock.moment().now.to_string() });
        let _ = store.write(&table, put(row)).await;
        let _ = store.transact(on(&table, vec![update("p", "sum", [add("n", "1")])])).await;
        let _ = store.query(&table, &query_index(BY_TEXT, "tpk", "t")).await;
        let _ = queue.send(vec![Message::new(sk.as_str()), Message::new("more")]).await;
        for delivery in queue.receive(3, SECOND, SECOND).await.unwrap_or_default() {
            let _ = queue.acknowledge(&[delivery.receipt]).await;
        }
    }
}

fn trace_of(seed: u64) -> Vec<Step> {
    run(async {
        let Scene { world, table, .. } = scene(seed, rough()).await;
        let parts: Vec<_> = (1..=3)
            .map(|number| world.spawn(number, "bustle", bustle(world.process(number), table.clone())))
            .collect();
        tokio::time::sleep(SECOND / 2).await;
        world.kill(2);
        let restarted = world.spawn(2, "bustle again", bustle(world.process(2), table));
        for part in parts.into_iter().chain([restarted]) {
            part.ended().await;
        }
        world.trace()
    })
}

#[test]
fn a_seed_repeats_its_world() {
    let first = trace_of(7);
    assert_eq!(first, trace_of(7));
    assert_ne!(first, trace_of(8));
}

#[test]
fn every_hazard_happens() {
    let trace = trace_of(1);
    let faults: Vec<Fault> = trace
        .iter()
        .filter_map(|step| match step.event {
            Event::Fault { fault, .. } => Some(fault),
            _ => None,
        })
        .collect();
    let plain =
        [Fault::Throttle, Fault::Conflict, Fault::TimeoutBefore, Fault::TimeoutAfter, Fault::TimeoutLate];
    for fault in plain.into_iter().chain([Fault::Reorder]) {
        assert!(faults.contains(&fault), "{fault:?} is not in {faults:?}");
    }
    assert!(faults.iter().any(|fault| matches!(fault, Fault::Duplicate(_))));
    assert!(faults.iter().any(|fault| matches!(fault, Fault::Delay(_))));
    assert!(trace.iter().any(|step| matches!(step.event, Event::Jumped { .. })));
    assert!(trace.iter().any(|step| step.event == Event::Killed { name: "bustle".to_owned() }));
    assert!(trace.is_sorted_by_key(|step| step.at), "steps are in the order of time");
    let calls = trace.iter().filter(|step| matches!(step.event, Event::Called { .. })).count();
    let done = trace.iter().filter(|step| matches!(step.event, Event::Done { .. })).count();
    assert!(0 < done && done < calls, "{done} of {calls} calls took effect");
}

#[test]
fn without_hazards_it_is_the_store_beneath() {
    run(async {
        let Scene { world, .. } = scene(1, Hazards::default()).await;
        let (distant, other) = (world.process(1).store, Memory::new());
        let mut runner = proptest::test_runner::TestRunner::deterministic();
        for _ in 0..8 {
            use proptest::strategy::{Strategy as _, ValueTree as _};
            let operations = operations().new_tree(&mut runner).unwrap().current();
            same(&*distant, &other, &operations).await.unwrap();
        }
        assert!(!world.trace().iter().any(|step| matches!(step.event, Event::Fault { .. })));
    });
}
