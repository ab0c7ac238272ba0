//! Compares stores: the embedded one, dynoxide in-process, the limit of a durable store, and two DynamoDB-compatible
//! servers through one client.

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

/// The duration of each measurement in a round.
const MEASURED: Duration = Duration::from_secs(1);
/// The number of rounds, in which the stores take turns; the median rate counts. The speed of a shared disk varies, so
/// measurements one after the other could not be compared.
const ROUNDS: usize = 5;
/// The number of items when reads are measured.
const FILLED: u64 = 100_000;
/// The first number of new items, above those that are read.
const FRESH: u64 = 1 << 32;

/// The figures of one kind of work.
#[derive(Clone, Copy, Default)]
struct Figure {
    per_second: f64,
    p99: Duration,
}

/// The rounds of one kind of work.
#[derive(Clone, Default)]
struct Taken {
    rates: Vec<f64>,
    times: Vec<Duration>,
}

impl Taken {
    fn add(&mut self, round: Round) {
        self.rates.push(round.times.len() as f64 / round.seconds);
        self.times.extend(round.times);
    }

    fn figure(mut self) -> Figure {
        self.rates.sort_unstable_by(f64::total_cmp);
        self.times.sort_unstable();
        let per_second = self.rates.get(self.rates.len() / 2).copied().unwrap_or_default();
        let p99 = self.times.get(self.times.len() * 99 / 100).copied().unwrap_or_default();
        Figure { per_second, p99 }
    }
}

/// One round: the latency of each operation, and the total time.
struct Round {
    times: Vec<Duration>,
    seconds: f64,
}

impl Round {
    /// The cost of one operation.
    fn cost(&self) -> f64 {
        self.seconds / self.times.len() as f64
    }
}

#[derive(Clone, Copy)]
enum Work {
    Put,
    Decrement,
    Transact,
    Get,
    Query,
}

/// With `near`, without the two servers, which take most of the time; with `only`, just the jobs whose names start with it.
pub(crate) fn run(near: bool, only: &str) -> Result<(), String> {
    let runtime = tokio::runtime::Runtime::new().map_err(|error| error.to_string())?;
    let directory = tempfile::tempdir_in("target").map_err(|error| error.to_string())?;
    let at = |name: &str| {
        let path = directory.path().join(name);
        std::fs::create_dir_all(&path).map(|()| path).map_err(|error| error.to_string())
    };
    let embedded = Embedded::open(at("embedded")?, Options::new(Arc::new(|| jiff::Timestamp::UNIX_EPOCH)));
    let embedded = embedded.map_err(|error| error.to_string())?;
    let file = at("dynoxide")?.join("bench.db");
    let ready = |server: &Server| {
        let store = runtime.block_on(server.connect())?;
        Ok::<_, String>(runtime.block_on(Port::ready(Arc::new(store))))
    };
    let mut peers: Vec<Arc<dyn Peer>> = vec![
        Arc::new(runtime.block_on(Port::ready(Arc::new(embedded)))),
        Arc::new(Dynoxide::open(&file.display().to_string())),
        Arc::new(limit::Limit::open(&at("limit")?)),
    ];
    let mut servers = Vec::new();
    if !near {
        servers = vec![Server::dynamodb_local(&at("local")?)?, Server::dynalite(&at("dynalite")?)?];
        peers.push(Arc::new(ready(&servers[0])?));
        peers.push(Arc::new(Port { transacts: false, ..ready(&servers[1])? }));
    }
    let filled: Vec<u64> = peers.iter().map(|peer| fill(&runtime, &**peer)).collect();
    let mut rows = Vec::new();
    for (name, job, workers) in JOBS.into_iter().filter(|(name, ..)| name.starts_with(only)) {
        eprintln!("{name}…");
        let mut taken = vec![Taken::default(); peers.len()];
        for _ in 0..ROUNDS {
            for ((peer, filled), taken) in peers.iter().zip(&filled).zip(&mut taken) {
                if peer.transacts() || !matches!(job, Work::Transact) {
                    taken.add(measure(&runtime, peer, job, workers, *filled));
                }
            }
        }
        rows.push((name, taken.into_iter().map(Taken::figure).collect::<Vec<_>>()));
    }
    print(&rows);
    drop(servers);
    Ok(())
}

/// The work, and the number of concurrent workers.
const JOBS: [(&str, Work, usize); 7] = [
    ("put, 64 writers", Work::Put, 64),
    ("conditional decrement of one item, 64 writers", Work::Decrement, 64),
    ("transaction of three, 64 writers", Work::Transact, 64),
    ("get, 1 thread", Work::Get, 1),
    ("get, 4 threads", Work::Get, 4),
    ("query of 50, 1 thread", Work::Query, 1),
    ("query of 50, 4 threads", Work::Query, 4),
];

/// The goals: the factor over dynoxide, and the share of the limit.
const GOALS: [(&str, f64, f64); 7] = [
    ("put, 64 writers", 10.0, 0.7),
    ("conditional decrement of one item, 64 writers", 16.0, 0.7),
    ("transaction of three, 64 writers", 11.0, 0.7),
    ("get, 1 thread", 5.0, 0.6),
    ("get, 4 threads", 12.0, 0.6),
    ("query of 50, 1 thread", 4.0, 0.6),
    ("query of 50, 4 threads", 7.0, 0.6),
];

/// Prepares items: as many as the peer accepts in 15 seconds, and at most as many as the others.
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
        let p99s: Vec<f64> = figures.iter().map(|figure| figure.p99.as_secs_f64() * 1e3).collect();
        let cells: Vec<String> = p99s.iter().map(|p99| format!("{p99:.2}")).collect();
        println!(
            "| … p99, ms | {} | {:.1} | {:.2} |",
            cells.join(" | "),
            p99s[1] / p99s[0],
            p99s[2] / p99s[0]
        );
    }
    println!();
    for (name, figures) in rows {
        let Some((_, times, share)) = GOALS.iter().find(|(goal, ..)| goal == name) else { continue };
        let rate = |peer: usize| figures[peer].per_second;
        goal(&format!("{name}: at least {times} times dynoxide"), rate(0) >= *times * rate(1));
        goal(&format!("{name}: at least {share} of the limit"), rate(0) >= *share * rate(2));
    }
    if let Some((_, figures)) = rows.first().filter(|(name, _)| *name == JOBS[0].0) {
        let lower = figures[1].p99.as_secs_f64() / figures[0].p99.as_secs_f64();
        goal("p99 of a put: at least 20 times lower than dynoxide", lower >= 20.0);
    }
}

/// Runs the work on `workers` workers, each with one operation at a time.
fn measure(
    runtime: &tokio::runtime::Runtime,
    peer: &Arc<dyn Peer>,
    job: Work,
    workers: usize,
    filled: u64,
) -> Round {
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
    let times: Vec<Duration> = if reads || peer.blocks() {
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
    Round { times, seconds: start.elapsed().as_secs_f64() }
}
