//! The server compared with FastAPI and boto3 on DynamoDB Local: the same API, requests and number of connections. And the
//! start time and the idle memory of the server.

use std::path::Path;
use std::time::{Duration, Instant};

use hansang_core::{Store as _, compile};
use serde_json::Value as Json;

pub(crate) mod client;
pub(crate) mod peers;

use client::Connection;
use peers::Peer;

use crate::goal;
use crate::server::Server;

/// The duration of each measurement.
const MEASURED: Duration = Duration::from_secs(5);
const CONNECTIONS: u64 = 64;
const CUSTOMERS: u64 = 40;
/// The number of orders per page.
const PAGE: u64 = 50;
/// The number of items when the server starts.
const STORED: u64 = 100_000;
const STARTS: usize = 9;

#[derive(Clone, Copy)]
enum Work {
    Create,
    List,
}

/// The figures of one kind of work.
struct Figure {
    per_second: f64,
    p50: Duration,
    p99: Duration,
}

pub(crate) fn run() -> Result<(), String> {
    let runtime = tokio::runtime::Runtime::new().map_err(|error| error.to_string())?;
    let directory = tempfile::tempdir_in("target").map_err(|error| error.to_string())?;
    let at = |name: &str| directory.path().join(name);
    beside_fastapi(&runtime, &at("local"), &at("load"), &at("said"))?;
    start_up(&runtime, &at("stored"), &at("said"))
}

fn beside_fastapi(
    runtime: &tokio::runtime::Runtime,
    local: &Path,
    data: &Path,
    said: &Path,
) -> Result<(), String> {
    std::fs::create_dir(local).map_err(|error| error.to_string())?;
    let local = Server::dynamodb_local(local)?;
    runtime.block_on(make_table(&local))?;
    let fastapi = Server::fastapi(&local)?;
    let hansang = Server::hansang(data, said)?;
    let key = runtime.block_on(peers::token(hansang.port, said))?;
    let ours = Peer::hansang(hansang.port, &key);
    let theirs = Peer::fastapi(fastapi.port);
    for peer in [&ours, &theirs] {
        runtime.block_on(fill(peer))?;
    }
    let measure = |peer, work| runtime.block_on(measure(peer, work));
    eprintln!("creates…");
    let creates = [measure(&ours, Work::Create)?, measure(&theirs, Work::Create)?];
    eprintln!("lists…");
    let lists = [measure(&ours, Work::List)?, measure(&theirs, Work::List)?];
    let memory = [hansang.memory()?, fastapi.memory()? + local.memory()?];
    println!("| {CONNECTIONS} connections | Hansang | FastAPI, boto3, DynamoDB Local | ratio |");
    println!("|---|---|---|---|");
    for (name, [ours, theirs]) in [("creates", &creates), ("lists of 50", &lists)] {
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        let row = |what: &str, ours: f64, theirs: f64, ratio: f64| {
            println!("| {name}, {what} | {ours:.1} | {theirs:.1} | {ratio:.1} |");
        };
        row("a second", ours.per_second, theirs.per_second, ours.per_second / theirs.per_second);
        row("p50, ms", ms(ours.p50), ms(theirs.p50), ms(theirs.p50) / ms(ours.p50));
        row("p99, ms", ms(ours.p99), ms(theirs.p99), ms(theirs.p99) / ms(ours.p99));
    }
    let [ours, theirs] = memory.map(|bytes| bytes as f64 / 1e6);
    println!("| memory under load, MB | {ours:.0} | {theirs:.0} | {:.1} |\n", theirs / ours);
    goal("creates: at least 20 times FastAPI", creates[0].per_second >= 20.0 * creates[1].per_second);
    goal("lists: at least 20 times FastAPI", lists[0].per_second >= 20.0 * lists[1].per_second);
    Ok(())
}

/// Creates the table on DynamoDB Local.
async fn make_table(local: &Server) -> Result<(), String> {
    let text = std::fs::read("bench/http/orders.yaml").map_err(|error| error.to_string())?;
    let model = compile(&text).map_err(|problems| format!("bench/http/orders.yaml: {problems:?}"))?;
    let made = local.connect().await?.ensure_table(&model.table).await;
    made.map_err(|error| error.to_string())
}

/// Creates a page of orders for every customer.
async fn fill(peer: &Peer) -> Result<(), String> {
    let workers = (0..CUSTOMERS).map(|customer| {
        let peer = peer.clone();
        tokio::spawn(async move {
            let mut connection = Connection::open(peer.port).await?;
            for number in 0..PAGE {
                let answer = connection.send(&peer.create(customer, number)).await?;
                expect(answer.status, 201)?;
            }
            let page = connection.send(&peer.list(customer)).await?;
            expect(page.status, 200)?;
            let page: Json = serde_json::from_slice(&page.body).map_err(|error| error.to_string())?;
            let found = page["items"].as_array().map_or(0, Vec::len) as u64;
            if found == PAGE { Ok(()) } else { Err(format!("a page has {found} orders: {page}")) }
        })
    });
    all(workers).await.map(drop)
}

/// Runs the work on every connection, with one request at a time on each.
async fn measure(peer: &Peer, work: Work) -> Result<Figure, String> {
    let start = Instant::now();
    let workers = (0..CONNECTIONS).map(|worker| {
        let peer = peer.clone();
        tokio::spawn(async move {
            let mut connection = Connection::open(peer.port).await?;
            let mut times = Vec::with_capacity(1 << 16);
            let mut number = worker;
            while start.elapsed() < MEASURED {
                let (request, status) = match work {
                    Work::Create => (peer.create(CUSTOMERS + number % 1000, number), 201),
                    Work::List => (peer.list(number % CUSTOMERS), 200),
                };
                let began = Instant::now();
                expect(connection.send(&request).await?.status, status)?;
                times.push(began.elapsed());
                number += CONNECTIONS;
            }
            Ok(times)
        })
    });
    let mut times = all(workers).await?.concat();
    let seconds = start.elapsed().as_secs_f64();
    times.sort_unstable();
    let at = |share: usize| times.get(times.len() * share / 100).copied().unwrap_or_default();
    Ok(Figure { per_second: times.len() as f64 / seconds, p50: at(50), p99: at(99) })
}

async fn all<T>(
    workers: impl Iterator<Item = tokio::task::JoinHandle<Result<T, String>>>,
) -> Result<Vec<T>, String> {
    let mut results = Vec::new();
    for worker in workers.collect::<Vec<_>>() {
        results.push(worker.await.map_err(|error| error.to_string())??);
    }
    Ok(results)
}

pub(crate) fn expect(status: u16, wanted: u16) -> Result<(), String> {
    if status == wanted { Ok(()) } else { Err(format!("answered {status} instead of {wanted}")) }
}

/// Measures the start time and the idle memory of the server.
fn start_up(runtime: &tokio::runtime::Runtime, data: &Path, said: &Path) -> Result<(), String> {
    eprintln!("{STORED} items…");
    store_items(runtime, data, said)?;
    let ready = || {
        let began = Instant::now();
        let server = Server::hansang(data, said)?;
        runtime.block_on(async {
            let mut connection = Connection::open(server.port).await?;
            expect(connection.send(&client::request("GET", "/health/ready", &[], "")).await?.status, 200)
        })?;
        Ok::<_, String>((server, began.elapsed()))
    };
    // The import is in the journal, so the first start replays the most.
    let (server, first) = ready()?;
    server.stop()?;
    let mut stopped = Vec::new();
    let mut memory = 0;
    for _ in 0..STARTS {
        let (server, time) = ready()?;
        std::thread::sleep(Duration::from_millis(500));
        memory = memory.max(server.memory()?);
        stopped.push(time);
        server.stop()?;
    }
    let mut killed = Vec::new();
    for _ in 0..STARTS {
        // Dropping it kills the process.
        killed.push(ready()?.1);
    }
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    let median = |times: &mut Vec<Duration>| {
        times.sort_unstable();
        ms(times[times.len() / 2])
    };
    let first = ms(first);
    let (stopped, killed, memory) = (median(&mut stopped), median(&mut killed), memory as f64 / 1e6);
    println!("\n| with {STORED} items | |\n|---|---|");
    println!("| ready after the import, once, ms | {first:.0} |");
    println!("| ready after it was stopped, median of {STARTS}, ms | {stopped:.0} |");
    println!("| ready after it was killed, median of {STARTS}, ms | {killed:.0} |");
    println!("| memory when idle, MB | {memory:.0} |\n");
    goal("ready within 100 ms on 100,000 items", [first, stopped, killed].iter().all(|time| *time <= 100.0));
    goal("idle memory under 50 MB", memory < 50.0);
    Ok(())
}

/// An order as a line of an import.
pub(crate) fn line(number: u64) -> String {
    let mut order = peers::order(number % 1000, number);
    order["$entity"] = "Order".into();
    order["orderId"] = uuid::Uuid::from_u128(u128::from(number)).to_string().into();
    format!("{order}\n")
}

/// Fills a data directory through the server itself, and stops it.
fn store_items(runtime: &tokio::runtime::Runtime, data: &Path, said: &Path) -> Result<(), String> {
    let server = Server::hansang(data, said)?;
    let lines: String = (0..STORED).map(line).collect();
    let answer = runtime.block_on(async {
        let peer = Peer::hansang(server.port, &peers::token(server.port, said).await?);
        Connection::open(server.port).await?.send(&peer.import(&lines)).await
    })?;
    let done: Json = serde_json::from_slice(&answer.body).map_err(|error| error.to_string())?;
    if done["stored"] != STORED {
        return Err(format!("not everything was stored: {done}"));
    }
    server.stop()
}
