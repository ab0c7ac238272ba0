//! The stores side by side: the embedded one, dynoxide in process, and the limit that no durable
//! store can beat.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use hansang_embedded::{Embedded, Options};

mod limit;
mod peers;
pub(crate) mod scale;
mod work;

use peers::{Dynoxide, Peer, Port, done};

/// How long each figure is measured.
const MEASURED: Duration = Duration::from_secs(3);
/// How many items there are when reads are measured.
const FILLED: u64 = 100_000;
/// Where the numbers of new items start, out of the way of those that are read.
const FRESH: u64 = 1 << 32;

/// What was measured of one kind of work.
#[derive(Clone, Copy)]
struct Figure {
    per_second: f64,
    p99: Duration,
}

#[derive(Clone, Copy)]
enum Work {
    Put,
    Decrement,
    Transact,
    Get,
    Query,
}

pub(crate) fn run() -> Result<(), String> {
    let runtime = tokio::runtime::Runtime::new().map_err(|error| error.to_string())?;
    let directory = tempfile::tempdir_in(".").map_err(|error| error.to_string())?;
    let at = |name: &str| {
        let path = directory.path().join(name);
        std::fs::create_dir_all(&path).map(|()| path).map_err(|error| error.to_string())
    };
    let embedded = Embedded::open(at("embedded")?, Options::new(Arc::new(jiff::Timestamp::now)));
    let embedded = embedded.map_err(|error| error.to_string())?;
    let file = at("dynoxide")?.join("bench.db");
    let all: Vec<(&str, Arc<dyn Peer>)> = vec![
        ("limit", Arc::new(limit::Limit::open(&at("limit")?))),
        ("embedded", Arc::new(runtime.block_on(Port::ready(Arc::new(embedded))))),
        ("dynoxide", Arc::new(Dynoxide::open(&file.display().to_string()))),
    ];
    let jobs = [
        ("put, 64 writers", Work::Put, 64),
        ("conditional decrement of one item, 64 writers", Work::Decrement, 64),
        ("transaction of three, 64 writers", Work::Transact, 64),
        ("get, 1 thread", Work::Get, 1),
        ("get, 4 threads", Work::Get, 4),
        ("query of 50, 1 thread", Work::Query, 1),
        ("query of 50, 4 threads", Work::Query, 4),
    ];
    for (name, peer) in &all {
        eprintln!("filling {name}…");
        let count = if peer.blocks() { 10_000 } else { FILLED };
        for from in (0..count).step_by(500) {
            runtime.block_on(peer.fill(from, from + 500));
        }
    }
    for (name, job, workers) in jobs {
        for (peer_name, peer) in &all {
            let filled = if peer.blocks() { 10_000 } else { FILLED };
            let figure = measure(&runtime, peer, job, workers, filled);
            println!("{name:50} {peer_name:10} {:>10.0} /s  p99 {:>8.2?}", figure.per_second, figure.p99);
        }
    }
    Ok(())
}

/// Lets `workers` do the work for a while, each with one operation at a time.
fn measure(
    runtime: &tokio::runtime::Runtime,
    peer: &Arc<dyn Peer>,
    job: Work,
    workers: usize,
    filled: u64,
) -> Figure {
    static NEXT: AtomicU64 = AtomicU64::new(FRESH);
    let start = Instant::now();
    let worker = |seed: u64| {
        let peer = peer.clone();
        async move {
            let mut times = Vec::with_capacity(1 << 16);
            let mut random = seed;
            while start.elapsed() < MEASURED {
                random = work::mix(random.wrapping_add(0x9e37_79b9_7f4a_7c15));
                let began = Instant::now();
                match job {
                    Work::Put => peer.put(NEXT.fetch_add(1, Ordering::Relaxed)).await,
                    Work::Decrement => peer.decrement().await,
                    Work::Transact => peer.transact(NEXT.fetch_add(1, Ordering::Relaxed)).await,
                    Work::Get => peer.get(random % filled).await,
                    Work::Query => {
                        let found = peer.query(random % (filled / work::PARTITION)).await;
                        assert_eq!(found as u64, work::PARTITION);
                    }
                }
                times.push(began.elapsed());
            }
            times
        }
    };
    let reads = matches!(job, Work::Get | Work::Query);
    let mut times: Vec<Duration> = if reads || peer.blocks() {
        let handle = runtime.handle();
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..workers as u64)
                .map(|seed| {
                    scope.spawn({
                        let worker = worker(seed);
                        move || handle.block_on(worker)
                    })
                })
                .collect();
            threads
                .into_iter()
                .flat_map(|thread| done(thread.join().map_err(|_| "a worker failed")))
                .collect()
        })
    } else {
        runtime.block_on(async {
            let tasks: Vec<_> = (0..workers as u64).map(|seed| tokio::spawn(worker(seed))).collect();
            let mut all = Vec::new();
            for task in tasks {
                all.extend(done(task.await));
            }
            all
        })
    };
    let seconds = start.elapsed().as_secs_f64();
    times.sort_unstable();
    let p99 = times.get(times.len() * 99 / 100).copied().unwrap_or_default();
    Figure { per_second: times.len() as f64 / seconds, p99 }
}
