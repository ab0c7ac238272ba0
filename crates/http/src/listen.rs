//! The door: connections are accepted, bounded, kept from dawdling, and seen out at the end.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::{JoinError, JoinSet};

use connection::{Connection, Running};

mod connection;
mod stall;
mod tls;

pub use tls::Tls;

/// How a server listens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listening {
    /// How long a client may take to send the head of a request; also how long a connection may stay
    /// open without one.
    pub header_read_timeout: Duration,
    /// How long a TLS handshake may take.
    pub handshake_timeout: Duration,
    /// How long a client may take no byte of a response that waits for it.
    pub write_timeout: Duration,
    /// The most connections at once. One more waits in the queue of the system until another ends.
    pub max_connections: usize,
    /// How long requests that run at the end may go on.
    pub grace: Duration,
}

impl Default for Listening {
    /// Patient with people far away, not with those who hold connections open for sport.
    fn default() -> Self {
        Self {
            header_read_timeout: Duration::from_secs(15),
            handshake_timeout: Duration::from_secs(10),
            write_timeout: Duration::from_secs(30),
            max_connections: 10_000,
            grace: Duration::from_secs(25),
        }
    }
}

/// How serving came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Requests that were still running when the grace period was over.
    pub cut_off: usize,
}

/// How long to wait when the system has nothing left to accept a connection with.
const BREATHER: Duration = Duration::from_millis(100);

/// Serves until `shutdown` is done and the requests that ran by then have been answered.
///
/// Every request carries `ConnectInfo<SocketAddr>` with the address of its client. From the end of
/// `shutdown` on, new connections are refused; those that are open may finish what they began.
pub async fn serve(
    listener: TcpListener,
    tls: Option<Tls>,
    router: Router,
    settings: Listening,
    shutdown: impl Future<Output = ()>,
) -> Ended {
    let places = Arc::new(Semaphore::new(settings.max_connections.min(Semaphore::MAX_PERMITS)));
    let running = Running::default();
    let (stop, stopping) = watch::channel(false);
    let mut connections = JoinSet::new();
    let mut shutdown = std::pin::pin!(shutdown);
    loop {
        tokio::select! {
            biased;
            () = &mut shutdown => break,
            Some(ended) = connections.join_next() => report(ended),
            accepted = accept(&listener, &places) => {
                let Some((stream, peer, place)) = accepted else { continue };
                let connection = Connection {
                    peer,
                    router: router.clone(),
                    settings,
                    running: running.clone(),
                    stopping: stopping.clone(),
                };
                let tls = tls.clone();
                connections.spawn(async move {
                    connection.serve(stream, tls).await;
                    drop(place);
                });
            }
        }
    }
    // Nobody can connect from here on.
    drop(listener);
    stop.send_replace(true);
    let finished = tokio::time::timeout(settings.grace, async {
        while let Some(ended) = connections.join_next().await {
            report(ended);
        }
    });
    let cut_off = if finished.await.is_ok() { 0 } else { running.count() };
    if cut_off > 0 {
        tracing::warn!(cut_off, "requests were still running at the end of the grace period");
    }
    connections.shutdown().await;
    Ended { cut_off }
}

/// The next connection, once there is a place for it; nothing after an error.
async fn accept(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> Option<(TcpStream, SocketAddr, OwnedSemaphorePermit)> {
    let place = places.clone().acquire_owned().await.ok()?;
    match listener.accept().await {
        Ok((stream, peer)) => Some((stream, peer, place)),
        Err(error) => {
            if !is_about_the_client(&error) {
                tracing::error!(%error, "no connection can be accepted at the moment");
                // Trying again at once would fail again: what is missing comes back when
                // connections end.
                tokio::time::sleep(BREATHER).await;
            }
            None
        }
    }
}

/// Whether an error says only that the client is gone again.
fn is_about_the_client(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted)
}

fn report(ended: Result<(), JoinError>) {
    if let Err(error) = ended
        && error.is_panic()
    {
        tracing::error!(%error, "a connection panicked");
    }
}
