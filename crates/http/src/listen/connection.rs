//! Serves one connection.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{Request, Response};
use hyper::body::Incoming;
use hyper::rt::{Read, Write};
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use tokio::net::TcpStream;
use tokio::sync::watch;
use tower::ServiceExt as _;

use super::Listening;
use super::due::{Due, Pace, StreamExecutor, paced};
use super::stall::Stalling;
use super::tls::Tls;
use crate::limits::Deadline;

/// The shared parts that serve a connection.
pub(super) struct Connection {
    pub(super) peer: SocketAddr,
    pub(super) router: Router,
    pub(super) settings: Listening,
    pub(super) running: Running,
    pub(super) stopping: watch::Receiver<bool>,
}

/// The buffer of an HTTP/1 connection in bytes, and so the maximum size of a head.
const MAX_BUFFER: usize = 64 * 1024;
/// The maximum number of concurrent HTTP/2 streams per connection. Browsers open more connections or wait; a proxy has
/// many connections.
const MAX_H2_STREAMS: u32 = 32;

/// The number of requests in progress, on all connections.
#[derive(Clone, Default)]
pub(super) struct Running(Arc<AtomicUsize>);

impl Running {
    pub(super) fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

/// The requests of one connection.
#[derive(Default)]
struct Activity {
    /// The total number of requests.
    begun: AtomicU64,
    /// The number of requests in progress.
    open: AtomicUsize,
}

/// A request in progress; it ends with the last byte of its response.
pub(super) struct Open {
    running: Running,
    activity: Arc<Activity>,
}

impl Open {
    fn new(running: Running, activity: Arc<Activity>) -> Self {
        running.0.fetch_add(1, Ordering::Relaxed);
        activity.open.fetch_add(1, Ordering::Relaxed);
        activity.begun.fetch_add(1, Ordering::Relaxed);
        Self { running, activity }
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.running.0.fetch_sub(1, Ordering::Relaxed);
        self.activity.open.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Connection {
    /// Serves the connection to its end. Errors are the client's and are logged for debugging only.
    pub(super) async fn serve(mut self, stream: TcpStream, tls: Option<Tls>) {
        // Responses are written whole, so Nagle's algorithm would only delay them.
        let _ = stream.set_nodelay(true);
        let stream = Stalling::new(stream, self.settings.write_timeout);
        let Some(tls) = tls else { return self.speak(TokioIo::new(stream)).await };
        let handshake = tokio::time::timeout(self.settings.handshake_timeout, tls.accept(stream));
        let accepted = tokio::select! {
            accepted = handshake => accepted,
            _ = self.stopping.wait_for(|stopping| *stopping) => return,
        };
        match accepted {
            Ok(Ok(stream)) => self.speak(TokioIo::new(stream)).await,
            Ok(Err(error)) => tracing::debug!(peer = %self.peer, %error, "a TLS handshake failed"),
            Err(_) => tracing::debug!(peer = %self.peer, "a TLS handshake took too long"),
        }
    }

    /// Serves HTTP/1 or HTTP/2, by the first bytes of the client.
    async fn speak<I: Read + Write + Unpin + Send + 'static>(mut self, io: I) {
        let patience = self.settings.header_read_timeout;
        let activity = Arc::new(Activity::default());
        // The time limit of the response that an HTTP/1 connection sends; an HTTP/2 stream has its own.
        let due = Due::default();
        let mut builder = Builder::new(StreamExecutor);
        builder.http1().timer(TokioTimer::new()).header_read_timeout(patience).max_buf_size(MAX_BUFFER);
        builder.http2().timer(TokioTimer::new()).keep_alive_interval(patience);
        builder.http2().max_concurrent_streams(MAX_H2_STREAMS);
        let service = {
            let (router, running, activity) = (self.router.clone(), self.running.clone(), activity.clone());
            let (peer, due, write_timeout) = (self.peer, due.clone(), self.settings.write_timeout);
            service_fn(move |request| {
                let open = Open::new(running.clone(), activity.clone());
                let (router, due) = (router.clone(), due.clone());
                async move {
                    let response = answer(router, request, peer).await?;
                    Ok::<_, Infallible>(limited(response, due, write_timeout, open))
                }
            })
        };
        let mut connection = pin!(builder.serve_connection(io, service));
        let mut overdue = pin!(due.over());
        let mut leaving = false;
        loop {
            tokio::select! {
                // Received bytes are handled before an expired timer.
                biased;
                ended = connection.as_mut() => {
                    if let Err(error) = ended {
                        tracing::debug!(peer = %self.peer, error = &*error, "a connection broke");
                    }
                    return;
                }
                _ = self.stopping.wait_for(|stopping| *stopping), if !leaving => {
                    leaving = true;
                    connection.as_mut().graceful_shutdown();
                }
                () = &mut overdue => {
                    tracing::debug!(peer = %self.peer, "a client did not take its response; the connection is closed");
                    return;
                }
                // hyper has a timeout for an HTTP/1 head, but not for the first bytes that tell the version, and not
                // for an HTTP/2 client that answers pings and sends no request.
                () = idle(&activity, patience) => {
                    if leaving {
                        return;
                    }
                    leaving = true;
                    connection.as_mut().graceful_shutdown();
                }
            }
        }
    }
}

/// Completes when the connection was idle for `patience`.
async fn idle(activity: &Activity, patience: Duration) {
    let mut seen = activity.begun.load(Ordering::Relaxed);
    loop {
        tokio::time::sleep(patience).await;
        let begun = activity.begun.load(Ordering::Relaxed);
        if begun == seen && activity.open.load(Ordering::Relaxed) == 0 {
            return;
        }
        seen = begun;
    }
}

async fn answer(
    router: Router,
    request: Request<Incoming>,
    peer: SocketAddr,
) -> Result<Response<Body>, Infallible> {
    let mut request = request.map(Body::new);
    request.extensions_mut().insert(ConnectInfo(peer));
    router.oneshot(request).await
}

/// The response with a time limit for the client.
fn limited(response: Response<Body>, due: Due, write_timeout: Duration, open: Open) -> Response<Body> {
    let stream = Due::of_stream();
    let pace = match (response.extensions().get::<Deadline>(), &stream) {
        (Some(deadline), _) => Pace::Until(deadline.0),
        (None, Some(_)) => Pace::Parts(write_timeout),
        (None, None) => Pace::Socket,
    };
    response.map(|body| paced(body, stream.unwrap_or(due), pace, open))
}
