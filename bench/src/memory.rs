//! The memory of the server under a long mixed load: it must reach a plateau.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value as Json;

use crate::goal;
use crate::http::client::Connection;
use crate::http::expect;
use crate::http::peers::{self, Peer};
use crate::server::Server;

const MINUTES: u64 = 10;
/// The number of samples.
const SAMPLES: u32 = 20;
const CONNECTIONS: u64 = 32;
const CUSTOMERS: u64 = 2000;
/// The growth of the last quarter over the one before it that still counts as a plateau.
const MAX_GROWTH: f64 = 1.1;

/// Runs creates, gets, lists, updates and deletes for this number of minutes, and samples the memory.
pub(crate) fn run(minutes: Option<&str>) -> Result<(), String> {
    let minutes = minutes.map_or(Ok(MINUTES), str::parse).map_err(|_| "bench/run memory [minutes]")?;
    let runtime = tokio::runtime::Runtime::new().map_err(|error| error.to_string())?;
    let directory = tempfile::tempdir_in("target").map_err(|error| error.to_string())?;
    let said = directory.path().join("said");
    let server = Server::hansang(&directory.path().join("data"), &said)?;
    let key = runtime.block_on(peers::token(server.port, &said))?;
    let peer = Peer::hansang(server.port, &key);
    let time = Duration::from_secs(minutes * 60);
    let (end, requests) = (Instant::now() + time, Arc::new(AtomicU64::new(0)));
    let workers: Vec<_> = (0..CONNECTIONS)
        .map(|worker| runtime.spawn(load(peer.clone(), worker, end, requests.clone())))
        .collect();
    println!("| minutes | requests | memory, MB |\n|---|---|---|");
    let mut samples = Vec::new();
    for sample in 1..=SAMPLES {
        std::thread::sleep(
            (end - time * (SAMPLES - sample) / SAMPLES).saturating_duration_since(Instant::now()),
        );
        let memory = server.memory()? as f64 / 1e6;
        let passed = minutes as f64 * f64::from(sample) / f64::from(SAMPLES);
        println!("| {passed:.1} | {} | {memory:.0} |", requests.load(Ordering::Relaxed));
        samples.push(memory);
    }
    for worker in workers {
        runtime.block_on(worker).map_err(|error| error.to_string())??;
    }
    let quarter = samples.len() / 4;
    let mean = |from: usize| samples[from..from + quarter].iter().sum::<f64>() / quarter as f64;
    let (before, last) = (mean(2 * quarter), mean(3 * quarter));
    println!("\nthird quarter {before:.0} MB, last quarter {last:.0} MB");
    goal("memory: a plateau", last <= before * MAX_GROWTH);
    Ok(())
}

async fn load(peer: Peer, worker: u64, end: Instant, requests: Arc<AtomicU64>) -> Result<(), String> {
    let mut connection = Connection::open(peer.port).await?;
    let mut number = worker;
    while Instant::now() < end {
        let customer = number % CUSTOMERS;
        let made = connection.send(&peer.create(customer, number)).await?;
        expect(made.status, 201)?;
        let order: Json = serde_json::from_slice(&made.body).map_err(|error| error.to_string())?;
        expect(connection.ask(&peer.get(&order)).await?, 200)?;
        expect(connection.ask(&peer.update(&order, number)).await?, 200)?;
        expect(connection.ask(&peer.list(customer)).await?, 200)?;
        // Every other order stays.
        if (number / CONNECTIONS).is_multiple_of(2) {
            expect(connection.ask(&peer.delete(&order)).await?, 204)?;
        }
        requests.fetch_add(4 + (number / CONNECTIONS + 1) % 2, Ordering::Relaxed);
        number += CONNECTIONS;
    }
    Ok(())
}
