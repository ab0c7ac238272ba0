//! A burst of entries: each connection sends the entry of the next user, one at a time.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::task::JoinSet;

use crate::http::client::{Connection, request};
use crate::http::expect;

/// The number of persistent connections to each server.
pub(crate) const CONNECTIONS: usize = 256;
/// The status of an accepted entry.
const ACCEPTED: u16 = 202;

/// The result of a burst.
pub(crate) struct Burst {
    /// The time the first entry was sent.
    pub(crate) began: Instant,
    /// The number of accepted entries.
    pub(crate) accepted: usize,
    /// From the first entry sent to the last 202.
    pub(crate) accepting: Duration,
    pub(crate) p50: Duration,
    pub(crate) p99: Duration,
}

/// Sends an entry for each token to a path. After `most` no further entry is sent.
pub(crate) async fn burst(
    port: u16,
    path: &str,
    tokens: &Arc<[String]>,
    most: Duration,
) -> Result<Burst, String> {
    let mut connections = Vec::with_capacity(CONNECTIONS);
    for _ in 0..CONNECTIONS {
        connections.push(Connection::open(port).await?);
    }
    // The part that all requests share; the token and the end of the head follow.
    let head: Arc<str> = request("POST", path, &[], "").trim_end().into();
    let next = Arc::new(AtomicUsize::new(0));
    let began = Instant::now();
    let mut senders = JoinSet::new();
    for connection in connections {
        let (tokens, next) = (tokens.clone(), next.clone());
        senders.spawn(send(connection, head.clone(), tokens, next, began + most));
    }
    let mut times = Vec::with_capacity(tokens.len());
    while let Some(sent) = senders.join_next().await {
        times.extend(sent.map_err(|error| error.to_string())??);
    }
    let accepting = began.elapsed();
    times.sort_unstable();
    let at = |share: usize| times.get(times.len() * share / 100).copied().unwrap_or_default();
    Ok(Burst { began, accepted: times.len(), accepting, p50: at(50), p99: at(99) })
}

/// Sends one entry after the other until no user is left or the time is up. Returns the latencies.
async fn send(
    mut connection: Connection,
    head: Arc<str>,
    tokens: Arc<[String]>,
    next: Arc<AtomicUsize>,
    end: Instant,
) -> Result<Vec<Duration>, String> {
    let mut times = Vec::with_capacity(tokens.len() / CONNECTIONS * 2);
    let mut request = String::new();
    while Instant::now() < end {
        let Some(token) = tokens.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
        request.clear();
        request.extend([&*head, "\r\nauthorization: Bearer ", token, "\r\n\r\n"]);
        let sent = Instant::now();
        expect(connection.ask(&request).await?, ACCEPTED)?;
        times.push(sent.elapsed());
    }
    Ok(times)
}
