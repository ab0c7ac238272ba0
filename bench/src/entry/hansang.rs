//! `hansang serve` with the embedded store in a new directory and the worker in the same process.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use super::burst::burst;
use super::people::{AUDIENCE, ISSUER, People};
use super::{EVENT, Figures, Results, SETTLE, TOO_LONG};
use crate::http::client::{Connection, request};
use crate::http::{expect, peers};
use crate::server::Server;

/// The polling interval for the number of decisions, which is one get of one item.
const GLANCE: Duration = Duration::from_millis(20);
/// The maximum page size.
const PAGE: usize = 1000;

/// The credentials of an operator.
struct Operator {
    port: u16,
    authorization: String,
}

pub(super) fn measure(
    runtime: &tokio::runtime::Runtime,
    people: &People,
    seats: usize,
    directory: &Path,
) -> Result<Figures, String> {
    let said = directory.join("said");
    let keys = runtime.block_on(people.publish())?;
    let server = start(&directory.join("hansang"), &said, &keys)?;
    runtime.block_on(async {
        let token = peers::token(server.port, &said).await?;
        let operator = Operator { port: server.port, authorization: format!("Bearer {token}") };
        operator.make_event(seats).await?;
        operator.warm_up(people).await?;
        let path = format!("/api/entry/events/{EVENT}/entries");
        let burst = burst(server.port, &path, &people.tokens, TOO_LONG).await?;
        let deciding = operator.all_decided(burst.accepted, burst.began).await?;
        operator.check(burst.accepted, seats).await?;
        Ok(Figures { deciding, burst })
    })
}

/// Starts the server that was built with this program.
fn start(data: &Path, said: &Path, keys: &str) -> Result<Server, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?.with_file_name("hansang");
    let said = File::create(said).map_err(|error| error.to_string())?;
    Server::start(|port| {
        let mut command = Command::new(&program);
        command.args(["serve", "--listen", &format!("127.0.0.1:{port}"), "--data"]).arg(data);
        command.args(["--oidc-issuer", ISSUER, "--oidc-audience", AUDIENCE, "--oidc-jwks", keys]);
        // All users share one address.
        command.args(["--rate-address", "1000000", "--rate-account", "1000000", "--max-requests", "1024"]);
        command.args(["--max-connections-address", "1024"]);
        // The peers do not log requests either.
        command.args(["--log-level", "warn"]);
        command.stderr(said.try_clone().map_or_else(|_| Stdio::null(), Stdio::from));
        command
    })
}

impl Operator {
    /// Sends a request on a new connection, because the server closes idle ones.
    async fn call(&self, method: &str, path: &str, body: &str, wanted: u16) -> Result<Json, String> {
        let headers = [("authorization", self.authorization.as_str())];
        let mut connection = Connection::open(self.port).await?;
        let answer = connection.send(&request(method, path, &headers, body)).await?;
        let text = String::from_utf8_lossy(&answer.body);
        expect(answer.status, wanted).map_err(|problem| format!("{path} {problem}: {text}"))?;
        serde_json::from_str(&text).map_err(|error| format!("{path}: {error}"))
    }

    async fn make_event(&self, seats: usize) -> Result<(), String> {
        #[allow(clippy::disallowed_methods, reason = "the server uses the real time")]
        let hours = |number: i64| jiff::Timestamp::now() + jiff::SignedDuration::from_hours(number);
        let event = json!({
            "eventId": EVENT, "title": "A rush", "eventType": "FIRST_COME", "capacityTotal": seats,
            "opensAt": format!("{:.3}", hours(-1)), "closesAt": format!("{:.3}", hours(6)),
            "settleSeconds": SETTLE.as_secs(),
        });
        self.call("POST", "/api/entry/events", &event.to_string(), 201).await.map(drop)
    }

    /// Makes the server fetch the provider's keys.
    async fn warm_up(&self, people: &People) -> Result<(), String> {
        let token = people.tokens.first().ok_or("there are no users")?;
        let user = Self { port: self.port, authorization: format!("Bearer {token}") };
        user.call("GET", &format!("/api/entry/events/{EVENT}"), "", 200).await.map(drop)
    }

    /// Waits until all entries are decided, and returns the time since the first entry. Reads the counters of the event's
    /// lease: the board would also count waiting requests one by one, which slows the server down.
    async fn all_decided(&self, accepted: usize, began: Instant) -> Result<Duration, String> {
        let path = format!("/api/entry/patterns/lease?eventId={EVENT}");
        loop {
            let page = self.call("GET", &path, "", 200).await?;
            let decided = count(&page["items"][0], &["succeeded", "rejected", "failed"]);
            if decided >= accepted as u64 {
                return Ok(began.elapsed());
            }
            if began.elapsed() > TOO_LONG {
                return Err(format!("only {decided} of {accepted} are decided: {page}"));
            }
            tokio::time::sleep(GLANCE).await;
        }
    }

    /// Checks the results on the board and in the requests themselves.
    async fn check(&self, accepted: usize, seats: usize) -> Result<(), String> {
        let board = self.call("GET", &format!("/api/entry/events/{EVENT}/board"), "", 200).await?;
        let waiting = count(&board, &["received", "queued", "processing", "failed"]);
        let winners = count(&board, &["succeeded"]);
        Results { winners, rejected: count(&board, &["rejected"]), others: waiting }
            .check(accepted, seats)?;
        self.results().await?.check(accepted, seats)
    }

    /// Reads the result of every request.
    async fn results(&self) -> Result<Results, String> {
        let mut results = Results::default();
        let first = format!("/api/entry/patterns/requestsOfEvent?eventId={EVENT}&limit={PAGE}&fields=status");
        let mut path = first.clone();
        loop {
            let page = self.call("GET", &path, "", 200).await?;
            let items = page["items"].as_array().ok_or_else(|| format!("not a page: {page}"))?;
            items.iter().for_each(|item| results.add(item["status"].as_str().unwrap_or_default()));
            match page["next"].as_str() {
                Some(next) => path = format!("{first}&cursor={next}"),
                None => return Ok(results),
            }
        }
    }
}

/// The sum of these members.
fn count(json: &Json, names: &[&str]) -> u64 {
    names.iter().map(|name| json[name].as_u64().unwrap_or_default()).sum()
}
