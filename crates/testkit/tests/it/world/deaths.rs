//! Deaths of processes.

use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use hansang_core::Table;
use hansang_core::queue::Message;
use hansang_testkit::expect::{contents, sort_keys};
use hansang_testkit::fields;
use hansang_testkit::plans::{item, put};
use hansang_testkit::world::{Event, Hazards, Process, When, run};

use super::{MILLI, SECOND, Scene, scene};

/// Writes four items, and sends a message after the second.
async fn work(process: Process, table: Table) {
    for n in 0..4 {
        if n == 2 {
            process.queue.send(vec![Message::new("half of it is done")]).await.remove(0).unwrap();
        }
        process.store.write(&table, put(item("p", &n.to_string(), fields! {}))).await.unwrap();
    }
}

fn slow() -> Hazards {
    Hazards { latency: (MILLI, 10 * MILLI), ..Hazards::default() }
}

/// Death at every call: exactly the calls before it took effect.
#[test]
fn a_process_dies_before_or_after_each_of_its_calls() {
    let dies_at = |call: u64, when: When| {
        run(async move {
            let Scene { world, store, queue, table } = scene(1, slow()).await;
            world.kill_at(1, call, when);
            let part = world.spawn(1, "work", work(world.process(1), table.clone()));
            let ended = part.ended().await.is_some();
            assert_eq!(world.calls(1), if ended { 5 } else { call + 1 });
            let killed =
                world.trace().into_iter().any(|step| step.event == Event::Killed { name: "work".into() });
            assert_eq!(killed, !ended);
            (ended, contents(&*store, &table).await.len(), queue.depth().await.unwrap().visible)
        })
    };
    let (before, after) = (|call| dies_at(call, When::Before), |call| dies_at(call, When::After));
    assert_eq!(
        [0, 1, 2, 3, 4, 5].map(before),
        [(false, 0, 0), (false, 1, 0), (false, 2, 0), (false, 2, 1), (false, 3, 1), (true, 4, 1),]
    );
    assert_eq!(
        [0, 1, 2, 3, 4, 5].map(after),
        [(false, 1, 0), (false, 2, 0), (false, 2, 1), (false, 3, 1), (false, 4, 1), (true, 4, 1),]
    );
}

/// All tasks of a process die at once, also spawned ones; other processes and the restarted one live.
#[test]
fn all_tasks_of_a_process_die() {
    run(async {
        let Scene { world, store, table, .. } = scene(2, slow()).await;
        let writes = |process: Process, name: &'static str, table: Table| async move {
            for n in 0.. {
                process
                    .store
                    .write(&table, put(item("p", &format!("{name} {n:03}"), fields! {})))
                    .await
                    .unwrap();
            }
        };
        let hidden = {
            let (process, table) = (world.process(1), table.clone());
            async move {
                tokio::spawn(writes(process, "unknown", table));
                pending::<()>().await
            }
        };
        let parts = [
            world.spawn(1, "a", writes(world.process(1), "a", table.clone())),
            world.spawn(1, "hidden", hidden),
        ];
        let other = world.spawn(2, "other", writes(world.process(2), "other", table.clone()));
        tokio::time::sleep(SECOND).await;
        world.kill(1);
        let last = sort_keys(&contents(&*store, &table).await);
        assert!(
            ["a", "unknown", "other"].iter().all(|name| last.iter().any(|key| key.starts_with(name))),
            "{last:?}"
        );
        let again = world.spawn(1, "again", writes(world.process(1), "again", table.clone()));
        tokio::time::sleep(SECOND).await;
        let new: Vec<String> = sort_keys(&contents(&*store, &table).await)
            .into_iter()
            .filter(|key| !last.contains(key))
            .collect();
        assert!(
            new.iter().any(|key| key.starts_with("other")) && new.iter().any(|key| key.starts_with("again"))
        );
        assert!(new.iter().all(|key| key.starts_with("other") || key.starts_with("again")), "{new:?}");
        assert!(parts.iter().all(|part| part.is_ended()) && !other.is_ended() && !again.is_ended());
    });
}

/// Records that it is dropped.
struct Held(Arc<AtomicBool>);

impl Drop for Held {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

#[test]
fn a_killed_task_is_dropped_and_never_runs_again() {
    run(async {
        let Scene { world, .. } = scene(1, Hazards::default()).await;
        let [dropped, reached] = [(); 2].map(|()| Arc::new(AtomicBool::new(false)));
        let part = world.spawn(1, "sleeper", {
            let (held, reached) = (Held(dropped.clone()), reached.clone());
            async move {
                tokio::time::sleep(SECOND).await;
                reached.store(true, Ordering::SeqCst);
                drop(held);
            }
        });
        tokio::time::sleep(SECOND / 2).await;
        assert!(!dropped.load(Ordering::SeqCst));
        part.kill();
        assert_eq!(part.ended().await, None);
        assert!(dropped.load(Ordering::SeqCst));
        tokio::time::sleep(SECOND).await;
        assert!(!reached.load(Ordering::SeqCst));
    });
}

#[test]
#[should_panic(expected = "its own panic")]
fn a_panic_is_propagated() {
    run(async {
        let Scene { world, .. } = scene(1, Hazards::default()).await;
        world.spawn(1, "part", async { panic!("its own panic") }).ended().await
    });
}
