//! The server compared with PocketBase, with FastAPI and boto3 on DynamoDB Local, and with a bare axum route: the same
//! requests and number of connections. And the start time and the idle memory of the server.

use std::path::Path;
use std::time::{Duration, Instant};

use hansang_core::{Store as _, compile};
use serde_json::Value as Json;

pub(crate) mod bare;
pub(crate) mod client;
pub(crate) mod load;
pub(crate) mod peers;
pub(crate) mod pocketbase;
mod table;

use client::Connection;
use load::{Figure, all};
use peers::Peer;

use crate::goal;
use crate::server::Server;

const CUSTOMERS: u64 = 40;
/// The number of orders per page.
const PAGE: u64 = 50;
/// The number of items when the server starts.
const STORED: u64 = 100_000;
const STARTS: usize = 9;

#[derive(Clone, Copy)]
enum Work {
    Create,
    Get,
    List,
}

/// A server with the orders that it has.
struct Filled {
    peer: Peer,
    orders: Vec<Json>,
}

/// The figures of one server; `None` for work that it does not do.
struct Measured {
    name: &'static str,
    creates: Option<Figure>,
    gets: Figure,
    lists: Figure,
    memory: u64,
}

/// Measures beside the peers, and the start of the server; with `near`, beside PocketBase and the bare route alone.
pub(crate) fn run(near: bool) -> Result<(), String> {
    let runtime = tokio::runtime::Runtime::new().map_err(|error| error.to_string())?;
    let directory = tempfile::tempdir_in("target").map_err(|error| error.to_string())?;
    let mut measured = beside_pocketbase(&runtime, directory.path())?;
    if near {
        return table::print(&measured);
    }
    measured.push(fastapi(&runtime, &directory.path().join("local"))?);
    table::print(&measured)?;
    start_up(&runtime, &directory.path().join("stored"), &directory.path().join("said"))
}

/// Measures Hansang, the bare route with Hansang's own responses, and PocketBase, each with the machine for itself.
fn beside_pocketbase(runtime: &tokio::runtime::Runtime, directory: &Path) -> Result<Vec<Measured>, String> {
    let at = |name: &str| directory.join(name);
    let hansang = Server::hansang(&at("load"), &at("said"))?;
    let key = runtime.block_on(peers::token(hansang.port, &at("said")))?;
    let filled = runtime.block_on(fill(Peer::hansang(hansang.port, &key)))?;
    runtime.block_on(save(&filled, [&at("one"), &at("many")]))?;
    let ours = measure_all(runtime, "Hansang", &filled, true, &[&hansang])?;
    drop(hansang);

    let bare = Server::bare(&at("one"), &at("many"))?;
    let filled = Filled { peer: Peer::bare(bare.port), orders: filled.orders };
    let limit = measure_all(runtime, "a bare route", &filled, false, &[&bare])?;
    drop(bare);

    let pocketbase = Server::pocketbase(&at("pocketbase"), pocketbase::LOGIN)?;
    let key = runtime.block_on(pocketbase::token(pocketbase.port))?;
    let filled = runtime.block_on(fill(Peer::pocketbase(pocketbase.port, &key)))?;
    let theirs = measure_all(runtime, "PocketBase", &filled, true, &[&pocketbase])?;
    Ok(vec![ours, limit, theirs])
}

fn fastapi(runtime: &tokio::runtime::Runtime, data: &Path) -> Result<Measured, String> {
    std::fs::create_dir(data).map_err(|error| error.to_string())?;
    let local = Server::dynamodb_local(data)?;
    runtime.block_on(make_table(&local))?;
    let fastapi = Server::fastapi(&local)?;
    let filled = runtime.block_on(fill(Peer::fastapi(fastapi.port)))?;
    measure_all(runtime, "FastAPI, boto3, DynamoDB Local", &filled, true, &[&fastapi, &local])
}

fn measure_all(
    runtime: &tokio::runtime::Runtime,
    name: &'static str,
    filled: &Filled,
    creates: bool,
    servers: &[&Server],
) -> Result<Measured, String> {
    eprintln!("{name}…");
    let measure = |work| runtime.block_on(measure(filled, work));
    Ok(Measured {
        name,
        gets: measure(Work::Get)?,
        lists: measure(Work::List)?,
        creates: creates.then(|| measure(Work::Create)).transpose()?,
        memory: servers.iter().map(|server| server.memory()).sum::<Result<_, _>>()?,
    })
}

/// Saves the bodies of a get and of a list, for the bare route.
async fn save(filled: &Filled, [one, many]: [&Path; 2]) -> Result<(), String> {
    let mut connection = Connection::open(filled.peer.port).await?;
    let requests = [(filled.peer.get(&filled.orders[0]), one), (filled.peer.list(0), many)];
    for (request, path) in requests {
        let answer = connection.send(&request).await?;
        expect(answer.status, 200)?;
        std::fs::write(path, answer.body).map_err(|error| error.to_string())?;
    }
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
async fn fill(peer: Peer) -> Result<Filled, String> {
    let workers = (0..CUSTOMERS).map(|customer| {
        let peer = peer.clone();
        tokio::spawn(async move {
            let mut connection = Connection::open(peer.port).await?;
            let mut orders = Vec::new();
            for number in 0..PAGE {
                let answer = connection.send(&peer.create(customer, number)).await?;
                expect(answer.status, peer.created)?;
                orders.push(serde_json::from_slice(&answer.body).map_err(|error| error.to_string())?);
            }
            let page = connection.send(&peer.list(customer)).await?;
            expect(page.status, 200)?;
            let page: Json = serde_json::from_slice(&page.body).map_err(|error| error.to_string())?;
            let found = page["items"].as_array().map_or(0, Vec::len) as u64;
            if found == PAGE { Ok(orders) } else { Err(format!("a page has {found} orders: {page}")) }
        })
    });
    let orders: Vec<Json> = all(workers).await?.concat();
    Ok(Filled { peer, orders })
}

/// Runs the work on every connection, with one request at a time on each.
async fn measure(filled: &Filled, work: Work) -> Result<Figure, String> {
    let peer = filled.peer.clone();
    // Reads are the same for every round: their text is made before the clock runs.
    let reads: Vec<String> = match work {
        Work::Create => {
            let create = move |number: u64| peer.create(CUSTOMERS + number % 1000, number);
            return load::writes(filled.peer.port, create, filled.peer.created).await;
        }
        Work::Get => filled.orders.iter().map(|order| peer.get(order)).collect(),
        Work::List => (0..CUSTOMERS).map(|customer| peer.list(customer)).collect(),
    };
    load::reads(peer.port, reads).await
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
