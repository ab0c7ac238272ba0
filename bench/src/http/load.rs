//! Requests on many connections, one at a time on each.

use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::client::Connection;
use super::expect;

/// The duration of each measurement.
const MEASURED: Duration = Duration::from_secs(5);
pub(crate) const CONNECTIONS: u64 = 64;

/// The figures of one kind of work.
#[derive(Clone, Copy)]
pub(crate) struct Figure {
    pub(crate) per_second: f64,
    pub(crate) p50: Duration,
    pub(crate) p99: Duration,
}

/// Sends these requests in turn, each of which is answered with 200.
pub(crate) async fn reads(port: u16, reads: Vec<String>) -> Result<Figure, String> {
    let reads: Arc<[String]> = reads.into();
    run(port, move |connection, number| {
        let reads = reads.clone();
        Box::pin(async move {
            let request = &reads[number as usize % reads.len()];
            let began = Instant::now();
            expect(connection.ask(request).await?, 200)?;
            Ok(began.elapsed())
        })
    })
    .await
}

/// Sends a new request each time.
pub(crate) async fn writes(
    port: u16,
    request: impl Fn(u64) -> String + Clone + Send + Sync + 'static,
    status: u16,
) -> Result<Figure, String> {
    run(port, move |connection, number| {
        let request = request(number);
        Box::pin(async move {
            let began = Instant::now();
            expect(connection.ask(&request).await?, status)?;
            Ok(began.elapsed())
        })
    })
    .await
}

type Sent<'c> = std::pin::Pin<Box<dyn Future<Output = Result<Duration, String>> + Send + 'c>>;

async fn run<F>(port: u16, send: F) -> Result<Figure, String>
where
    F: for<'c> Fn(&'c mut Connection, u64) -> Sent<'c> + Clone + Send + Sync + 'static,
{
    let start = Instant::now();
    let workers = (0..CONNECTIONS).map(|worker| {
        let send = send.clone();
        tokio::spawn(async move {
            let mut connection = Connection::open(port).await?;
            let mut times = Vec::with_capacity(1 << 16);
            let mut number = worker;
            while start.elapsed() < MEASURED {
                times.push(send(&mut connection, number).await?);
                number += CONNECTIONS;
            }
            Ok(times)
        })
    });
    let mut times = all(workers).await?.concat();
    let seconds = start.elapsed().as_secs_f64();
    times.sort_unstable();
    let at = |share: usize| times.get(times.len() * share / 100).copied().unwrap_or_default();
    Ok(Figure { per_second: times.len() as f64 / seconds, p50: at(50), p99: at(99) })
}

/// The results of all tasks, or the first error.
pub(crate) async fn all<T>(
    workers: impl Iterator<Item = tokio::task::JoinHandle<Result<T, String>>>,
) -> Result<Vec<T>, String> {
    let mut results = Vec::new();
    for worker in workers.collect::<Vec<_>>() {
        results.push(worker.await.map_err(|error| error.to_string())??);
    }
    Ok(results)
}
