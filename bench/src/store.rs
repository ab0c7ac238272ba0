//! The stores side by side: the embedded one, dynoxide in process, the limit that no durable store
//! can beat, and two servers that speak DynamoDB, through one client.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use hansang_embedded::{Embedded, Options};

mod limit;
mod peers;
pub(crate) mod scale;
mod work;

use peers::{Dynoxide, Peer, Port, done};

use crate::goal;
use crate::server::Server;

/// How long each figure is measured.
const MEASURED: Duration = Duration::from_secs(3);
/// How many items there are when reads are measured.
const FILLED: u64 = 100_000;
/// Where the numbers of new items start, out of the way of those that are read.
const FRESH: u64 = 1 << 32;

/// What was measured of one kind of work.
#[derive(Clone, Copy, Default)]
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
    let directory = tempfile::tempdir_in("target").map_err(|error| error.to_string())?;
    let at = |name: &str| {
        let path = directory.path().join(name);
        std::fs::create_dir_all(&path).map(|()| path).map_err(|error| error.to_string())
    };
    let embedded = Embedded::open(at("embedded")?, Options::new(Arc::new(|| jiff::Timestamp::UNIX_EPOCH)));
    let embedded = embedded.map_err(|error| error.to_string())?;
    let file = at("dynoxide")?.join("bench.db");
    let local = Server::dynamodb_local(&at("local")?)?;
    let dynalite = Server::dynalite(&at("dynalite")?)?;
    let ready = |server: &Server| {
        let store = runtime.block_on(server.connect())?;
        Ok::<_, String>(runtime.block_on(Port::ready(Arc::new(store))))
    };
    let peers: Vec<Arc<dyn Peer>> = vec![
        Arc::new(runtime.block_on(Port::ready(Arc::new(embedded)))),
        Arc::new(Dynoxide::open(&file.display().to_string())),
        Arc::new(limit::Limit::open(&at("limit")?)),
        Arc::new(ready(&local)?),
        Arc::new(Port { transacts: false, ..ready(&dynalite)? }),
    ];
    let filled: Vec<u64> = peers.iter().map(|peer| fill(&runtime, &**peer)).collect();
    let mut rows = Vec::new();
    for (name, job, workers) in JOBS {
        eprintln!("{name}…");
        let figure = |(peer, filled): (&Arc<dyn Peer>, &u64)| {
            let can = peer.transacts() || !matches!(job, Work::Transact);
            if can { measure(&runtime, peer, job, workers, *filled) } else { Figure::default() }
        };
        rows.push((name, peers.iter().zip(&filled).map(figure).collect::<Vec<_>>()));
    }
    print(&rows);
    Ok(())
}

/// The work, and how many do it at once.
const JOBS: [(&str, Work, usize); 7] = [
    ("put, 64 writers", Work::Put, 64),
    ("conditional decrement of one item, 64 writers", Work::Decrement, 64),
    ("transaction of three, 64 writers", Work::Transact, 64),
    ("get, 1 thread", Work::Get, 1),
    ("get, 4 threads", Work::Get, 4),
    ("query of 50, 1 thread", Work::Query, 1),
    ("query of 50, 4 threads", Work::Query, 4),
];

/// How many times dynoxide each must be, and how much of the limit.
const GOALS: [(f64, f64); 7] =
    [(10.0, 0.7), (16.0, 0.7), (11.0, 0.7), (5.0, 0.6), (12.0, 0.6), (4.0, 0.6), (7.0, 0.6)];

/// Prepares items: as many as the peer takes in a quarter of a minute, and at most as many as others.
fn fill(runtime: &tokio::runtime::Runtime, peer: &dyn Peer) -> u64 {
    const AT_ONCE: u64 = 500;
    let start = Instant::now();
    let mut count = 0;
    while count < FILLED && start.elapsed() < Duration::from_secs(15) {
        runtime.block_on(peer.fill(count, count + AT_ONCE));
        count += AT_ONCE;
    }
    count
}

fn print(rows: &[(&str, Vec<Figure>)]) {
    println!(
        "| operations a second | embedded | dynoxide | the limit | DynamoDB Local, HTTP | dynalite, HTTP | × dynoxide | of the limit |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for (name, figures) in rows {
        let rates: Vec<f64> = figures.iter().map(|figure| figure.per_second).collect();
        let cells: Vec<String> = rates
            .iter()
            .map(|rate| if *rate > 0.0 { format!("{rate:.0}") } else { "cannot".to_owned() })
            .collect();
        println!(
            "| {name} | {} | {:.1} | {:.2} |",
            cells.join(" | "),
            rates[0] / rates[1],
            rates[0] / rates[2]
        );
    }
    let p99s: Vec<String> =
        rows[0].1.iter().map(|figure| format!("{:.1}", figure.p99.as_secs_f64() * 1e3)).collect();
    let p99 = |peer: usize| rows[0].1[peer].p99.as_secs_f64();
    println!(
        "| p99 of a put, 64 writers, ms | {} | {:.1} | {:.2} |",
        p99s.join(" | "),
        p99(1) / p99(0),
        p99(2) / p99(0)
    );
    println!();
    for ((name, figures), (times, share)) in rows.iter().zip(GOALS) {
        let rate = |peer: usize| figures[peer].per_second;
        goal(&format!("{name}: at least {times} times dynoxide"), rate(0) >= times * rate(1));
        goal(&format!("{name}: at least {share} of the limit"), rate(0) >= share * rate(2));
    }
    goal("p99 of a put: at least 20 times lower than dynoxide", p99(1) >= 20.0 * p99(0));
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
