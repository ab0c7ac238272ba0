//! Everybody enters at once: each connection sends the entry of whoever is next, one at a time.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::task::JoinSet;

use crate::http::client::{Connection, request};
use crate::http::expect;

/// How many connections stay open and send, to every server alike.
pub(crate) const CONNECTIONS: usize = 256;
/// What every server answers to an entry that it took.
const TAKEN: u16 = 202;

/// What came of a burst.
pub(crate) struct Burst {
    /// When the first entry was sent.
    pub(crate) began: Instant,
    /// How many entries were taken.
    pub(crate) taken: usize,
    /// From the first entry that was sent to the last 202.
    pub(crate) accepting: Duration,
    pub(crate) p50: Duration,
    pub(crate) p99: Duration,
}

/// Sends an entry of each of these people to a path. After `most` nobody else begins.
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
    // All that is the same in every request; the token and the end of the head follow.
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
    Ok(Burst { began, taken: times.len(), accepting, p50: at(50), p99: at(99) })
}

/// Sends one entry after the other until nobody is left or it is time to stop. Gives how long each took.
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
        expect(connection.ask(&request).await?, TAKEN)?;
        times.push(sent.elapsed());
    }
    Ok(times)
}
