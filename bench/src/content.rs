//! The public site and the API of content compared with PocketBase, Wagtail, and FastAPI with boto3 on DynamoDB Local; a
//! thousand readers at once; and a migration of a million rows compared with an import of as many items.

use std::path::Path;

use crate::goal;
use crate::http::load::{self, Figure};
use crate::server::Server;

mod migration;
mod peers;
mod readers;

use peers::Peer;

/// The number of posts of each server.
pub(crate) const POSTS: usize = 200;
/// The number of posts of a list.
const PAGE: usize = 12;

/// The figures of one server; `None` for what it does not have.
struct Measured {
    name: &'static str,
    /// Post page, list page, post of the API, list of the API.
    figures: [Option<Figure>; 4],
}

const WORK: [&str; 4] = ["post page", "list page", "post of the API", "list of the API"];

/// Measures reading and a migration; with `near`, reading from Hansang and PocketBase; with a number, a migration of so many
/// rows.
pub(crate) fn run(what: Option<&str>) -> Result<(), String> {
    let near = what == Some("near");
    let rows = what.filter(|_| !near).map(str::parse).transpose();
    let rows = rows.map_err(|_| "bench/run content [near | rows]")?;
    if let Some(rows) = rows {
        let directory = tempfile::tempdir_in("target").map_err(|error| error.to_string())?;
        return migration::measure(directory.path(), rows);
    }
    let runtime = tokio::runtime::Runtime::new().map_err(|error| error.to_string())?;
    let directory = tempfile::tempdir_in("target").map_err(|error| error.to_string())?;
    print(&reading(&runtime, directory.path(), near)?);
    if near {
        return Ok(());
    }
    migration::measure(directory.path(), migration::ROWS)
}

/// Measures the servers one after the other.
fn reading(runtime: &tokio::runtime::Runtime, directory: &Path, near: bool) -> Result<Vec<Measured>, String> {
    let said = directory.join("said");
    let server =
        Server::hansang_with(&["--max-connections-address", "4000"], &directory.join("site"), &said)?;
    let peer = runtime.block_on(Peer::hansang(server.port, &said))?;
    let mut measured = vec![measure(runtime, "Hansang", &peer)?];
    runtime.block_on(readers::measure(&peer))?;
    server.stop()?;
    let server = Server::pocketbase(&directory.join("pocketbase"), peers::LOGIN)?;
    measured.push(measure(runtime, "PocketBase", &runtime.block_on(Peer::pocketbase(server.port))?)?);
    drop(server);
    if near {
        return Ok(measured);
    }
    let server = peers::wagtail(directory)?;
    measured.push(measure(runtime, "Wagtail", &Peer::wagtail(server.port))?);
    drop(server);
    let data = directory.join("dynamodb");
    std::fs::create_dir(&data).map_err(|error| error.to_string())?;
    let local = Server::dynamodb_local(&data)?;
    let server = peers::fastapi(&local)?;
    measured.push(measure(runtime, "FastAPI, boto3, DynamoDB Local", &Peer::fastapi(server.port))?);
    Ok(measured)
}

fn measure(runtime: &tokio::runtime::Runtime, name: &'static str, peer: &Peer) -> Result<Measured, String> {
    eprintln!("{name}…");
    let mut figures = [None; 4];
    for (figure, reads) in figures.iter_mut().zip(peer.reads()) {
        if let Some(reads) = reads {
            *figure = Some(runtime.block_on(load::reads(peer.port, reads))?);
        }
    }
    Ok(Measured { name, figures })
}

/// Prints a column for each server, the first of which is ours.
fn print(all: &[Measured]) {
    let [ours, peers @ ..] = all else { return };
    let names: String = all.iter().map(|one| format!(" {} |", one.name)).collect();
    let ratios: String = peers.iter().map(|one| format!(" × {} |", one.name)).collect();
    println!("| {} connections, a second |{names}{ratios}", load::CONNECTIONS);
    println!("|---|{}", "---|".repeat(all.len() + peers.len()));
    // PocketBase and FastAPI have no list page, or none at all: their API is beside our page too.
    let beside = |one: &Measured, work: usize| one.figures[work].or(one.figures[work % 2 + 2]);
    for (work, name) in WORK.iter().enumerate() {
        let cell =
            |value: Option<f64>| value.map_or_else(|| " |".to_owned(), |value| format!(" {value:.1} |"));
        let own = |one: &Measured| one.figures[work].map(|figure| figure.per_second);
        let ratio = |one: &Measured| Some(ours.figures[work]?.per_second / beside(one, work)?.per_second);
        let shown: String = all.iter().map(|one| cell(own(one))).collect();
        let ratios: String = peers.iter().map(|one| cell(ratio(one))).collect();
        println!("| {name} |{shown}{ratios}");
        let p99 = |one: &Measured| one.figures[work].map(|figure| figure.p99.as_secs_f64() * 1e3);
        let shown: String = all.iter().map(|one| cell(p99(one))).collect();
        println!("| … p99, ms |{shown}{}", " |".repeat(peers.len()));
    }
    println!();
    for peer in peers {
        let (least, works) = match peer.name {
            "PocketBase" => (3.0, 0..4),
            "Wagtail" => (20.0, 0..2),
            _ => (20.0, 0..4),
        };
        for work in works {
            let (Some(a), Some(b)) = (ours.figures[work], beside(peer, work)) else { continue };
            let text = format!("{}: at least {least} times {}", WORK[work], peer.name);
            goal(&text, a.per_second >= least * b.per_second);
        }
    }
    println!();
}
