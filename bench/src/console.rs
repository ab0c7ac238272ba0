//! Response times of console pages with 1,000 and with 1,000,000 items, one client.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::goal;
use crate::http::client::{Connection, request};
use crate::http::peers::{self, Peer};
use crate::http::{expect, line};
use crate::server::Server;

/// The numbers of items.
const SIZES: [u64; 2] = [1_000, 1_000_000];
/// The number of items per import request.
const TOGETHER: u64 = 50_000;
/// The number of requests per page.
const TIMES: usize = 200;
/// The number of the page in the middle.
const FURTHER: usize = 20;

/// The names of the pages in the table.
const NAMES: [&str; 4] =
    ["the first page", "a page in the middle", "a record", "looking for what is not there, 2,000 records"];

pub(crate) fn run() -> Result<(), String> {
    let runtime = tokio::runtime::Runtime::new().map_err(|error| error.to_string())?;
    let directory = tempfile::tempdir_in("target").map_err(|error| error.to_string())?;
    let (data, said) = (directory.path().join("data"), directory.path().join("said"));
    runtime.block_on(measure(&data, &said))
}

async fn measure(data: &Path, said: &Path) -> Result<(), String> {
    let server = Server::hansang(data, said)?;
    let token = peers::token(server.port, said).await?;
    let peer = Peer::hansang(server.port, &token);
    let mut connection = Connection::open(server.port).await?;
    let mut stored = 0;
    let mut table: Vec<[Duration; 4]> = Vec::new();
    for size in SIZES {
        eprintln!("{size} items…");
        while stored < size {
            let end = size.min(stored + TOGETHER);
            let lines: String = (stored..end).map(line).collect();
            expect(connection.send(&peer.import(&lines)).await?.status, 200)?;
            stored = end;
        }
        let pages = pages(&mut connection, &token).await?;
        let mut medians = [Duration::ZERO; 4];
        for (path, median) in pages.iter().zip(&mut medians) {
            *median = open(&mut connection, &token, path).await?;
        }
        table.push(medians);
    }
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    println!(
        "| a page of the console, ms | {} items | {} items | ratio |\n|---|---|---|---|",
        SIZES[0], SIZES[1]
    );
    for (row, name) in NAMES.iter().enumerate() {
        let [few, many] = [ms(table[0][row]), ms(table[1][row])];
        println!("| {name} | {few:.1} | {many:.1} | {:.1} |", many / few);
    }
    println!();
    let fluid = |median: &Duration| *median < Duration::from_millis(100);
    goal("with a million items every page comes within 100 ms", table[1].iter().all(fluid));
    Ok(())
}

/// The URLs of the measured pages. All items are in one partition of the index.
async fn pages(connection: &mut Connection, token: &str) -> Result<[String; 4], String> {
    let first = "/console/systems/orders/patterns/ordersByStatus?status=PAID&limit=50".to_owned();
    let mut middle = first.clone();
    let mut text = String::new();
    for _ in 0..FURTHER {
        text = page(connection, token, &middle).await?;
        let next = text.split("rel=\"next\" href=\"").nth(1).and_then(|rest| rest.split('"').next());
        // Stops at the last page.
        let Some(next) = next else { break };
        middle = next.replace("&#38;", "&");
    }
    let record = text.split("<th scope=\"row\"><a href=\"").nth(1).and_then(|rest| rest.split('"').next());
    let record = record.ok_or("a page without records")?.replace("&#38;", "&");
    let search = format!("{first}&search=nowhere");
    Ok([first, middle, record, search])
}

async fn page(connection: &mut Connection, token: &str, path: &str) -> Result<String, String> {
    let bearer = format!("Bearer {token}");
    let answer = connection.send(&request("GET", path, &[("authorization", &bearer)], "")).await?;
    expect(answer.status, 200)?;
    String::from_utf8(answer.body).map_err(|error| error.to_string())
}

/// Returns the median response time of a page.
async fn open(connection: &mut Connection, token: &str, path: &str) -> Result<Duration, String> {
    let mut times = Vec::with_capacity(TIMES);
    for _ in 0..TIMES {
        let began = Instant::now();
        page(connection, token, path).await?;
        times.push(began.elapsed());
    }
    times.sort_unstable();
    Ok(times[TIMES / 2])
}
