//! Whether the process lives, and whether it should be sent requests.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use futures_util::future::BoxFuture;
use hansang_core::{Error, Message, message};
use tokio::sync::Semaphore;

use crate::problem::{Problem, wrong_method};
use crate::{HttpCode, messages};

/// Checks the dependencies of the server.
pub type Probe = Arc<dyn Fn() -> BoxFuture<'static, Result<(), Error>> + Send + Sync>;

/// The time that a probe has.
const PATIENCE: Duration = Duration::from_secs(2);

/// Whether the server is about to stop. All clones say the same.
///
/// Call [`Self::begin`] when the signal comes, give balancers the time they need to notice, and only
/// then let [`crate::listen::serve`] stop: afterwards nobody can connect to ask.
#[derive(Clone, Debug, Default)]
pub struct Draining(Arc<AtomicBool>);

impl Draining {
    /// From now on the server is not ready.
    pub fn begin(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it began.
    #[must_use]
    pub fn began(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

#[derive(Clone)]
struct Health {
    probe: Probe,
    draining: Draining,
    /// Anybody may ask, but only one at a time makes the store work.
    turn: Arc<Semaphore>,
}

/// Adds `/health/live` and `/health/ready`.
///
/// They are outside of the limits, so that a balancer can always ask a busy server, and inside of the metrics.
pub fn with_health(router: Router, probe: Probe, draining: Draining) -> Router {
    let health = Health { probe, draining, turn: Arc::new(Semaphore::new(1)) };
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
    let probe = async {
        let _turn = health.turn.acquire().await;
        (health.probe)().await
    };
    match tokio::time::timeout(PATIENCE, probe).await {
        Ok(Ok(())) => "ready\n".into_response(),
        Ok(Err(error)) => {
            // The cause is for the operator: this path needs no identity.
            tracing::warn!(code = error.code.as_str(), message = %error, "not ready");
            not_ready(message!(messages::DEPENDENCY_FAILS)).into_response()
        }
        Err(_) => not_ready(message!(messages::DEPENDENCY_SLOW)).into_response(),
    }
}

fn not_ready(message: Message) -> Problem {
    Problem::try_again(HttpCode::NotReady, message)
}
