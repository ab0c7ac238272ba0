//! A typical Python stack: FastAPI with boto3 on DynamoDB Local. It is so much slower that it gets a fixed time instead of
//! a fixed number of users.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use hansang_core::{Store as _, compile};
use hansang_entry::MODEL;
use serde_json::json;

use super::burst::burst;
use super::people::{AUDIENCE, ISSUER, People};
use super::redis::results;
use super::{EVENT, Figures};
use crate::http::client::{Connection, request};
use crate::http::expect;
use crate::server::Server;

/// The time during which users enter.
pub(super) const MEASURED: Duration = Duration::from_secs(20);
/// About a tenth of the users who enter in that time, so that most are rejected, as in the burst of the others.
const SEATS: usize = 100;

pub(super) fn measure(
    runtime: &tokio::runtime::Runtime,
    people: &People,
    directory: &Path,
) -> Result<Figures, String> {
    let data = directory.join("local");
    std::fs::create_dir(&data).map_err(|error| error.to_string())?;
    let keys = people.save(directory)?;
    let local = Server::dynamodb_local(&data)?;
    runtime.block_on(make_table(&local))?;
    let server = start(&local, &keys)?;
    runtime.block_on(async {
        make_event(server.port).await?;
        let path = format!("/events/{EVENT}/entries");
        let burst = burst(server.port, &path, &people.tokens, MEASURED).await?;
        results(server.port).await?.check(burst.accepted, SEATS)?;
        // The 202 is the decision.
        Ok(Figures { deciding: burst.accepting, burst })
    })
}

/// Creates the table of entry, as Hansang does on DynamoDB.
async fn make_table(local: &Server) -> Result<(), String> {
    let model = compile(MODEL.as_bytes()).map_err(|_| "models/entry.yaml does not compile")?;
    let made = local.connect().await?.ensure_table(&model.table).await;
    made.map_err(|error| error.to_string())
}

/// Starts one worker per core.
fn start(local: &Server, keys: &Path) -> Result<Server, String> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    Server::start(|port| {
        let mut command = Command::new(".tools/fastapi-entry/bin/python");
        command.args(["-m", "uvicorn", "app:app", "--app-dir", "bench/entry", "--log-level", "warning"]);
        command.args(["--port", &port.to_string(), "--workers", &cores.to_string()]);
        command.env("ENDPOINT", local.url()).env("AWS_DEFAULT_REGION", "us-east-1");
        command.env("AWS_ACCESS_KEY_ID", "bench").env("AWS_SECRET_ACCESS_KEY", "bench");
        command.env("KEYS", keys).env("ISSUER", ISSUER).env("AUDIENCE", AUDIENCE);
        command.stderr(Stdio::null());
        command
    })
}

async fn make_event(port: u16) -> Result<(), String> {
    let body = json!({ "seats": SEATS }).to_string();
    let wanted = request("PUT", &format!("/events/{EVENT}"), &[], &body);
    expect(Connection::open(port).await?.ask(&wanted).await?, 200)
}
