//! One connection from its first byte to its last.

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
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use tokio::net::TcpStream;
use tokio::sync::watch;
use tower::ServiceExt as _;

use super::Listening;
use super::stall::Stalling;
use super::tls::Tls;
use crate::body;

/// What a connection needs to be served.
pub(super) struct Connection {
    pub(super) peer: SocketAddr,
    pub(super) router: Router,
    pub(super) settings: Listening,
    pub(super) running: Running,
    pub(super) stopping: watch::Receiver<bool>,
}

/// The most bytes that a connection of HTTP/1 keeps in memory, and so the longest head.
const BUFFER: usize = 64 * 1024;

/// How many requests are being answered, on all connections.
#[derive(Clone, Default)]
pub(super) struct Running(Arc<AtomicUsize>);

impl Running {
    pub(super) fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

/// What happens on one connection.
#[derive(Default)]
struct Activity {
    /// Requests since the beginning.
    begun: AtomicU64,
    /// Those that are not answered yet.
    open: AtomicUsize,
}

/// A request that is being answered; it ends with the last byte of its response.
struct Open {
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
    /// Serves it to its end. What goes wrong on the way is the client's doing and only worth a note.
    pub(super) async fn serve(mut self, stream: TcpStream, tls: Option<Tls>) {
        // Answers are sent whole: waiting for more to send with them only delays them.
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

    /// HTTP/1 or HTTP/2, whichever the client begins with.
    async fn speak<I: Read + Write + Unpin + Send + 'static>(mut self, io: I) {
        let patience = self.settings.header_read_timeout;
        let activity = Arc::new(Activity::default());
        let mut builder = Builder::new(TokioExecutor::new());
        builder.http1().timer(TokioTimer::new()).header_read_timeout(patience).max_buf_size(BUFFER);
        builder.http2().timer(TokioTimer::new()).keep_alive_interval(patience).max_concurrent_streams(128);
        let service = {
            let (router, running, activity) = (self.router.clone(), self.running.clone(), activity.clone());
            let peer = self.peer;
            service_fn(move |request| {
                let open = Open::new(running.clone(), activity.clone());
                answer(router.clone(), request, peer, open)
            })
        };
        let mut connection = pin!(builder.serve_connection(io, service));
        let mut leaving = false;
        loop {
            tokio::select! {
                // What has come is looked at before it counts as not having come.
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
                // HTTP/1 watches its heads by itself, but nobody watches the first bytes that tell
                // the version, or an HTTP/2 client that answers pings and asks for nothing.
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

/// Done when no request was open or began for as long as `patience`.
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
    open: Open,
) -> Result<Response<Body>, Infallible> {
    let mut request = request.map(Body::new);
    request.extensions_mut().insert(ConnectInfo(peer));
    let response = router.oneshot(request).await?;
    Ok(response.map(|body| body::holding(body, open)))
}
