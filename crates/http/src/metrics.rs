//! The metrics of the server since its start.
//!
//! The registry is not global: a test, or a second server in the same process, has its own counts.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Instant;

use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::Response;
use jiff::Timestamp;

use crate::HttpCode;
use crate::problem::Refused;
use crate::{body, trace};
use histogram::Histogram;

mod histogram;
mod metered;
mod operation;
mod render;
mod units;

pub use metered::Metered;

use operation::Operation;

/// A metric of a system, read at each scrape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figure {
    /// The name, which starts with `hansang_<system>_`.
    pub name: &'static str,
    /// The type.
    pub kind: FigureKind,
    /// One sentence on what it counts.
    pub help: &'static str,
    /// The value.
    pub value: u64,
}

/// The type of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FigureKind {
    /// Only grows.
    Counter,
    /// Goes up and down.
    Gauge,
}

/// The metrics. All clones share them.
#[derive(Clone, Debug)]
pub struct Metrics(Arc<Registry>);

#[derive(Debug)]
struct Registry {
    started: Timestamp,
    routes: Family<(&'static str, String), Route>,
    operations: Family<(String, String), Operation>,
    in_flight: AtomicI64,
    shed: AtomicU64,
    rate_limited: AtomicU64,
}

/// The requests of one route and method.
#[derive(Debug, Default)]
struct Route {
    /// By the first digit of their status.
    by_class: [AtomicU64; 5],
    latency: Histogram,
}

/// Metrics of the same type, by label.
#[derive(Debug)]
struct Family<K, V>(RwLock<BTreeMap<K, Arc<V>>>);

/// The maximum number of labels. Routes and models are finite, so only a bug reaches this; memory stays bounded then.
const MAX_OPERATIONS: usize = 4_096;
/// The label of everything beyond the limit.
const OTHER: &str = "other";

impl<K: Ord + Clone, V: Default> Family<K, V> {
    fn get(&self, key: K, other: impl FnOnce() -> K) -> Arc<V> {
        if let Some(found) = self.read().get(&key) {
            return found.clone();
        }
        let mut all = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let key = if all.len() < MAX_OPERATIONS || all.contains_key(&key) { key } else { other() };
        all.entry(key).or_default().clone()
    }

    fn read(&self) -> std::sync::RwLockReadGuard<'_, BTreeMap<K, Arc<V>>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn all(&self) -> Vec<(K, Arc<V>)> {
        self.read().iter().map(|(key, value)| (key.clone(), value.clone())).collect()
    }
}

impl Metrics {
    /// Creates a registry without counts.
    #[must_use]
    pub fn new(started: Timestamp) -> Self {
        Self(Arc::new(Registry {
            started,
            routes: Family(RwLock::default()),
            operations: Family(RwLock::default()),
            in_flight: AtomicI64::new(0),
            shed: AtomicU64::new(0),
            rate_limited: AtomicU64::new(0),
        }))
    }

    fn route(&self, method: &'static str, route: &str) -> Arc<Route> {
        self.0.routes.get((method, route.to_owned()), || ("OTHER", OTHER.to_owned()))
    }

    fn operation(&self, system: &str, operation: &str) -> Arc<Operation> {
        let other = || (OTHER.to_owned(), OTHER.to_owned());
        self.0.operations.get((system.to_owned(), operation.to_owned()), other)
    }
}

/// A request in progress.
struct InFlight(Metrics);

impl InFlight {
    fn new(metrics: &Metrics) -> Self {
        metrics.0.in_flight.fetch_add(1, Ordering::Relaxed);
        Self(metrics.clone())
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.0.in_flight.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Counts and times one request, by method and declared path.
pub async fn count<F: Future<Output = Response>>(
    metrics: &Metrics,
    request: Request,
    next: impl FnOnce(Request) -> F,
) -> Response {
    let start = Instant::now();
    let in_flight = InFlight::new(metrics);
    let route = metrics.route(trace::method_name(request.method()), trace::route_name(&request));
    let response = next(request).await;
    route.latency.record(start.elapsed());
    let class = usize::from(response.status().as_u16() / 100).clamp(1, 5) - 1;
    route.by_class[class].fetch_add(1, Ordering::Relaxed);
    if response.status() == StatusCode::TOO_MANY_REQUESTS {
        metrics.0.rate_limited.fetch_add(1, Ordering::Relaxed);
    }
    if response.extensions().get::<Refused>().is_some_and(|refused| refused.0 == HttpCode::Overloaded) {
        metrics.0.shed.fetch_add(1, Ordering::Relaxed);
    }
    response.map(|body| body::holding(body, in_flight))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_beyond_the_limit_share_one() {
        let metrics = Metrics::new(Timestamp::UNIX_EPOCH);
        for number in 0..2 * MAX_OPERATIONS {
            metrics.operation("content", &number.to_string());
        }
        assert_eq!(metrics.0.operations.read().len(), MAX_OPERATIONS + 1);
        let other = metrics.operation("content", "one more");
        assert!(Arc::ptr_eq(&other, &metrics.operation(OTHER, OTHER)));
        assert!(!Arc::ptr_eq(&other, &metrics.operation("content", "7")));
    }
}
