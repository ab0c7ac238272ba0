//! The same on Redis: one script enters and decides, behind the same axum with the same token verification. Every result is
//! on disk before the response, as with Hansang.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value as Json;

use super::burst::burst;
use super::people::People;
use super::{EVENT, Figures, Results, TOO_LONG};
use crate::http::client::{Connection, request};
use crate::http::expect;
use crate::server::Server;

pub(super) fn measure(
    runtime: &tokio::runtime::Runtime,
    people: &People,
    seats: usize,
    directory: &Path,
) -> Result<Figures, String> {
    let data = directory.join("redis");
    std::fs::create_dir(&data).map_err(|error| error.to_string())?;
    let keys = people.save(directory)?;
    let redis = start(&data)?;
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let server = Server::start(|port| {
        let mut command = Command::new(&program);
        command.args(["entry-redis-peer", &port.to_string(), &redis.port.to_string()]);
        command.arg(&keys).arg(seats.to_string());
        command
    })?;
    runtime.block_on(async {
        let path = format!("/events/{EVENT}/entries");
        let burst = burst(server.port, &path, &people.tokens, TOO_LONG).await?;
        results(server.port).await?.check(burst.accepted, seats)?;
        // The 202 is the decision.
        Ok(Figures { deciding: burst.accepting, burst })
    })
}

/// Starts Valkey if it is installed, otherwise Redis, with a sync before every reply.
fn start(data: &Path) -> Result<Server, String> {
    let is_there = |name: &str| Command::new(name).arg("--version").stdout(Stdio::null()).status().is_ok();
    let program = if is_there("redis-server") { "redis-server" } else { "valkey-server" };
    Server::start(|port| {
        let mut command = Command::new(program);
        command.args(["--bind", "127.0.0.1", "--port", &port.to_string(), "--dir"]).arg(data);
        command.args(["--appendonly", "yes", "--appendfsync", "always", "--save", ""]);
        command
    })
}

/// Reads the results that the server of a peer counted.
pub(super) async fn results(port: u16) -> Result<Results, String> {
    let asked = request("GET", &format!("/events/{EVENT}/results"), &[], "");
    let answer = Connection::open(port).await?.send(&asked).await?;
    expect(answer.status, 200)?;
    let json: Json = serde_json::from_slice(&answer.body).map_err(|error| error.to_string())?;
    let count = |name: &str| json[name].as_u64().unwrap_or_default();
    Ok(Results { winners: count("SUCCEEDED"), rejected: count("REJECTED"), others: count("others") })
}
