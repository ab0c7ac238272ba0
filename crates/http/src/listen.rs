//! Accepts connections, limits them, and shuts them down.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::{JoinError, JoinSet};

use crate::limits::{Client, Shares};
use connection::{Connection, Running};

mod connection;
mod due;
mod stall;
mod tls;

pub use tls::Tls;

/// The settings of a listener.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listening {
    /// The timeout for the head of a request, and for an idle connection.
    pub header_read_timeout: Duration,
    /// The time for a TLS handshake.
    pub handshake_timeout: Duration,
    /// The timeout for progress of a write to the client.
    pub write_timeout: Duration,
    /// The maximum number of connections. Further ones wait in the accept queue of the system.
    pub max_connections: usize,
    /// The maximum number of connections per address; further ones are closed at once. `None` behind a proxy, which is
    /// the only address then.
    pub max_connections_of_address: Option<usize>,
    /// The grace period for running requests when the server stops.
    pub grace: Duration,
}

impl Default for Listening {
    /// Limits for a server on the internet.
    fn default() -> Self {
        Self {
            header_read_timeout: Duration::from_secs(15),
            handshake_timeout: Duration::from_secs(10),
            write_timeout: Duration::from_secs(30),
            max_connections: 10_000,
            max_connections_of_address: Some(256),
            grace: Duration::from_secs(25),
        }
    }
}

/// The end of serving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The requests that were still running after the grace period.
    pub cut_off: usize,
}

/// The pause after a failed accept, when the process has no file descriptor left.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Serves until `shutdown` completes and the requests that ran by then have been answered.
///
/// Every request carries `ConnectInfo<SocketAddr>` with the address of its client. Once `shutdown` completes, new
/// connections are refused; open ones may finish their requests.
pub async fn serve(
    listener: TcpListener,
    tls: Option<Tls>,
    router: Router,
    settings: Listening,
    shutdown: impl Future<Output = ()>,
) -> Ended {
    let permits = Arc::new(Semaphore::new(settings.max_connections.min(Semaphore::MAX_PERMITS)));
    let of_address = Shares::new(usize::MAX, settings.max_connections_of_address.unwrap_or(usize::MAX));
    let running = Running::default();
    let (stop, stopping) = watch::channel(false);
    let mut connections = JoinSet::new();
    let mut shutdown = std::pin::pin!(shutdown);
    loop {
        tokio::select! {
            biased;
            () = &mut shutdown => break,
            Some(ended) = connections.join_next() => report(ended),
            accepted = accept(&listener, &permits) => {
                let Some((stream, peer, permit)) = accepted else { continue };
                // Dropping the stream closes it.
                let Ok(share) = of_address.take(Some(Client::at(peer.ip())), 1) else { continue };
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
                    drop((permit, share));
                });
            }
        }
    }
    // New connections are refused from here on.
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

/// The next connection, once there is a permit for it; `None` after an error.
async fn accept(
    listener: &TcpListener,
    permits: &Arc<Semaphore>,
) -> Option<(TcpStream, SocketAddr, OwnedSemaphorePermit)> {
    let permit = permits.clone().acquire_owned().await.ok()?;
    match listener.accept().await {
        Ok((stream, peer)) => Some((stream, peer, permit)),
        Err(error) => {
            if !is_about_the_client(&error) {
                tracing::error!(%error, "no connection can be accepted at the moment");
                // Retrying at once fails until connections end.
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
            None
        }
    }
}

/// Whether an error only means that the client disconnected.
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
