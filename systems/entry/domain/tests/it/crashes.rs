//! A process dies in each of its calls in turn, before and after the call took effect. No entry is lost, and no seat is
//! given twice.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use hansang_entry::{Worker, submit, work};
use hansang_testkit::memory::{Memory, MemoryQueue};
use hansang_testkit::world::{self, Hazards, When, World};
use tokio::time::sleep;

use crate::checker::{Told, check};
use crate::grounds::{entry, first_come, lottery};
use crate::recorder::Recorder;

/// The server that users try first, the worker that is killed, and the processes that take over.
const SERVER: usize = 1;
const WORKER: usize = 2;
const OTHERS: [usize; 2] = [3, 4];

/// One run: four users enter an event with two seats, and a lottery with one winner.
async fn play(doom: Option<(usize, u64, When)>) -> (u64, Vec<String>) {
    let world = World::new(11, Hazards { index_lag: Duration::from_millis(300), ..Hazards::default() });
    let truth = Recorder::new();
    let queue = Arc::new(MemoryQueue::new(world.time(), 100));
    world.store(truth.clone(), Arc::new(Memory::new()));
    world.queue(queue.clone());
    let true_entry = entry(truth.clone(), queue, world.clock(0));
    world.process(0).store.ensure_table(true_entry.db.table()).await.unwrap();
    first_come(&true_entry, "first", 2, 5).await;
    lottery(&true_entry, "lots", 1, 5).await;
    if let Some((process, call, when)) = doom {
        world.kill_at(process, call, when);
    }
    let told = Arc::new(Mutex::new(Told::default()));
    start(&world, WORKER);
    for number in 0..4 {
        for event in ["first", "lots"] {
            enter(&world, &told, SERVER, event, number, 0);
            // A user without a response tries another server.
            enter(&world, &told, OTHERS[0], event, number, 2000);
        }
    }
    // The dead worker is replaced.
    sleep(Duration::from_secs(6)).await;
    start(&world, OTHERS[1]);
    let mut problems = Vec::new();
    for _ in 0..50 {
        sleep(Duration::from_secs(5)).await;
        let told = told.lock().unwrap().clone();
        problems = check(&true_entry, &told).await;
        if told.accepted.len() < 8 {
            problems.push(format!("only {} got a response", told.accepted.len()));
        }
        if problems.is_empty() {
            break;
        }
    }
    problems.extend(truth.problems());
    let counted = doom.map_or(WORKER, |(process, ..)| process);
    (world.calls(counted), problems)
}

fn start(world: &World, process: usize) {
    let handles = world.process(process);
    let entry = entry(handles.store, handles.queue, handles.clock);
    let worker = Worker { loops: 1, batch: 3, ..Worker::named(format!("worker-{process}")) };
    world.spawn(process, &worker.name.clone(), async move {
        work(&entry, &worker, std::future::pending()).await;
    });
}

fn enter(world: &World, told: &Arc<Mutex<Told>>, server: usize, event: &str, number: u64, after: u64) {
    let handles = world.process(server);
    let entry = entry(handles.store, handles.queue, handles.clock);
    let (event, user, told) = (event.to_owned(), format!("user-{number}"), told.clone());
    world.spawn(server, &user.clone(), async move {
        sleep(Duration::from_millis(after + number * 10)).await;
        match submit(&entry, &event, &user).await {
            Ok(submitted) => told.lock().unwrap().accepted.push(((event, user), submitted.request_id)),
            Err(error) => panic!("{user} cannot enter {event}: {error:?}"),
        }
    });
}

fn crash_in_every_call(process: usize, max: u64) {
    let (calls, problems) = world::run(async {
        let (worker_calls, problems) = play(None).await;
        let calls = if process == WORKER { worker_calls } else { 0 };
        (calls, problems)
    });
    assert!(problems.is_empty(), "without a crash: {problems:#?}");
    // Count the calls of a server in a run without a crash.
    let calls = if calls > 0 { calls } else { world::run(play(Some((process, u64::MAX, When::Before)))).0 };
    assert!(calls > 20, "only {calls} calls");
    for call in 0..calls.min(max) {
        for when in [When::Before, When::After] {
            let (_, problems) = world::run(play(Some((process, call, when))));
            assert!(problems.is_empty(), "died {when:?} call {call}: {problems:#?}");
        }
    }
}

/// Es1, Es3: the server dies at every step of accepting entries.
#[test]
fn a_server_may_die_in_any_call() {
    crash_in_every_call(SERVER, 200);
}

/// Es6: the worker dies at every step of deciding, sweeping, tending and drawing.
#[test]
fn a_worker_may_die_in_any_call() {
    crash_in_every_call(WORKER, 200);
}
