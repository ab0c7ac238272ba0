//! The overview page over HTTP.

use std::path::Path;
use std::time::Instant;

use crate::http::client::{Connection, request};
use crate::http::{expect, peers};
use crate::server::Server;

/// The number of requests.
const TIMES: usize = 500;

pub(super) async fn measure(data: &Path, directory: &Path) -> Result<(), String> {
    let said = directory.join("said");
    let server = Server::hansang_with(&[], data, &said)?;
    let token = peers::token(server.port, &said).await?;
    let mut connection = Connection::open(server.port).await?;
    let bearer = format!("Bearer {token}");
    println!("| page, one client | p50, ms | p99, ms | size, KB |\n|---|---|---|---|");
    for path in
        ["/console/ledger?month=2025.12", "/console/ledger/sheet/living?month=2025.12", "/console/ledger/add"]
    {
        let (mut times, mut size) = (Vec::with_capacity(TIMES), 0);
        for _ in 0..TIMES {
            let start = Instant::now();
            let answer = connection.send(&request("GET", path, &[("authorization", &bearer)], "")).await?;
            times.push(start.elapsed());
            expect(answer.status, 200)?;
            size = answer.body.len();
        }
        times.sort_unstable();
        let ms = |rank: usize| times[rank].as_secs_f64() * 1e3;
        println!(
            "| {path} | {:.1} | {:.1} | {:.0} |",
            ms(TIMES / 2),
            ms(TIMES * 99 / 100),
            size as f64 / 1e3
        );
    }
    server.stop()
}
