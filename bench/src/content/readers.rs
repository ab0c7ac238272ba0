//! A thousand readers at the same time, each with a connection of its own.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use super::peers::Peer;
use crate::goal;
use crate::http::client::Connection;
use crate::http::expect;
use crate::http::load::all;

const READERS: usize = 1000;
/// The number of pages that each of them reads.
const EACH: usize = 40;

pub(super) async fn measure(peer: &Peer) -> Result<(), String> {
    let reads: Arc<[String]> = peer.reads().into_iter().flatten().flatten().collect();
    let errors = Arc::new(AtomicU64::new(0));
    let start = Instant::now();
    let workers = (0..READERS).map(|reader| {
        let (reads, errors, port) = (reads.clone(), errors.clone(), peer.port);
        tokio::spawn(async move {
            if let Err(problem) = read(port, &reads, reader).await {
                eprintln!("reader {reader}: {problem}");
                errors.fetch_add(1, Ordering::Relaxed);
            }
            Ok(())
        })
    });
    all(workers).await?;
    let seconds = start.elapsed().as_secs_f64();
    let errors = errors.load(Ordering::Relaxed);
    println!("| {READERS} readers at once | |\n|---|---|");
    println!("| pages a second | {:.0} |", (READERS * EACH) as f64 / seconds);
    println!("| readers with an error | {errors} |\n");
    goal("1,000 readers at once without an error", errors == 0);
    println!();
    Ok(())
}

async fn read(port: u16, reads: &[String], reader: usize) -> Result<(), String> {
    let mut connection = Connection::open(port).await?;
    for number in 0..EACH {
        expect(connection.ask(&reads[(reader + number * 7) % reads.len()]).await?, 200)?;
    }
    Ok(())
}
