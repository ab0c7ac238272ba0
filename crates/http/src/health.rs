//! Liveness and readiness of the process.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, Shared};
use hansang_core::{Error, Message, message};
use tokio::task::AbortHandle;
use tokio::time::Instant;

use crate::problem::{Problem, wrong_method};
use crate::{HttpCode, messages};

/// Checks the dependencies of the server.
pub type Probe = Arc<dyn Fn() -> BoxFuture<'static, Result<(), Error>> + Send + Sync>;

/// The time that a readiness check waits for the probe.
const PATIENCE: Duration = Duration::from_secs(2);
/// The time for which the result of a probe is cached: every client may ask, and a probe writes to the store.
const FRESH: Duration = Duration::from_secs(1);

/// Whether the server is shutting down. All clones share the state.
///
/// Call [`Self::begin`] on the signal, give balancers time to notice, and only then let [`crate::listen::serve`] stop,
/// because it refuses connections afterwards.
#[derive(Clone, Debug, Default)]
pub struct Draining(Arc<AtomicBool>);

impl Draining {
    /// Reports the server as not ready from now on.
    pub fn begin(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether shutdown began.
    #[must_use]
    pub fn began(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

#[derive(Clone)]
struct Health {
    probe: Probe,
    draining: Draining,
    last: Arc<Mutex<Option<Probed>>>,
}

/// A running or finished probe, shared by all waiting requests.
struct Probed {
    started: Instant,
    task: AbortHandle,
    result: Shared<BoxFuture<'static, Result<(), Error>>>,
}

impl Health {
    /// The result of the last probe if it is fresh or still running, otherwise that of a new one.
    ///
    /// A probe runs as its own task: one that hangs is neither repeated nor aborted.
    fn result(&self) -> Shared<BoxFuture<'static, Result<(), Error>>> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(probed) = &*last
            && (probed.started.elapsed() < FRESH || !probed.task.is_finished())
        {
            return probed.result.clone();
        }
        let running = tokio::spawn((self.probe)());
        let task = running.abort_handle();
        let result = async move {
            running.await.unwrap_or_else(|error| {
                let failed = Error::internal(HttpCode::NotReady, message!(messages::DEPENDENCY_FAILS));
                Err(failed.caused_by(error))
            })
        };
        let result = result.boxed().shared();
        *last = Some(Probed { started: Instant::now(), task, result: result.clone() });
        result
    }
}

/// Adds `/health/live` and `/health/ready`.
///
/// They bypass the limits, so that a balancer can always reach a busy server, but are counted in the metrics.
pub fn with_health(router: Router, probe: Probe, draining: Draining) -> Router {
    let health = Health { probe, draining, last: Arc::default() };
    let routes = Router::new()
        .route("/health/live", get(async || "alive\n"))
        .route("/health/ready", get(ready))
        .method_not_allowed_fallback(wrong_method)
        .with_state(health);
    router.merge(routes)
}

async fn ready(State(health): State<Health>) -> Response {
    if health.draining.began() {
        return Problem::try_again(HttpCode::Stopping, message!(messages::STOPPING)).into_response();
    }
    match tokio::time::timeout(PATIENCE, health.result()).await {
        Ok(Ok(())) => "ready\n".into_response(),
        Ok(Err(error)) => {
            // The cause is only logged: this path needs no identity.
            tracing::warn!(code = error.code.as_str(), message = %error, "not ready");
            not_ready(message!(messages::DEPENDENCY_FAILS)).into_response()
        }
        Err(_) => not_ready(message!(messages::DEPENDENCY_SLOW)).into_response(),
    }
}

fn not_ready(message: Message) -> Problem {
    Problem::try_again(HttpCode::NotReady, message)
}
