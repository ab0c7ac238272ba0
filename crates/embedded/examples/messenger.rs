//! Sends, receives and acknowledges messages until it is killed, and prints each step. Used by the kill test:
//! `messenger DIRECTORY ROUND TASKS`.
//!
//! Prints `sent` after a message was accepted, `takes` before it is acknowledged and `done` after that.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a program for a test"
)]

use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;

use hansang_core::Queue;
use hansang_core::queue::{Delivery, Message, Receipt};
use hansang_embedded::{Embedded, EmbeddedQueue, Options, QueueSettings};

const HOUR: Duration = Duration::from_secs(60 * 60);

/// One write call, so that a line is never cut.
fn print<'b>(word: &str, bodies: impl Iterator<Item = &'b str>) {
    let lines: String = bodies.map(|body| format!("{word} {body}\n")).collect();
    std::io::stdout().lock().write_all(lines.as_bytes()).unwrap();
}

async fn work(queue: Arc<EmbeddedQueue>, round: String, task: usize) {
    for step in 0_usize.. {
        let bodies: Vec<String> = (0..=step % 4).map(|one| format!("{round}/{task}/{step}/{one}")).collect();
        let messages = bodies.iter().map(Message::new).collect();
        assert!(queue.send(messages).await.iter().all(Result::is_ok));
        print("sent", bodies.iter().map(String::as_str));
        let taken: Vec<Delivery> = queue.receive(2, Duration::ZERO, HOUR).await.unwrap();
        let receipts: Vec<Receipt> = taken.iter().map(|delivery| delivery.receipt.clone()).collect();
        print("takes", taken.iter().map(|delivery| delivery.body.as_str()));
        queue.acknowledge(&receipts).await.unwrap();
        print("done", taken.iter().map(|delivery| delivery.body.as_str()));
    }
}

#[tokio::main]
async fn main() {
    let mut arguments = std::env::args().skip(1);
    // Without arguments, as `cargo test --examples` runs it, there is nothing to do.
    let Some(directory) = arguments.next() else { return };
    let round = arguments.next().unwrap();
    let tasks: usize = arguments.next().unwrap().parse().unwrap();
    let store = Embedded::open(directory, Options::new(Arc::new(jiff::Timestamp::now))).unwrap();
    let queue = store.queue("messages", QueueSettings { max_attempts: 1000 });
    queue.ensure().await.unwrap();
    println!("open");
    let tasks: Vec<_> =
        (0..tasks).map(|task| tokio::spawn(work(queue.clone(), round.clone(), task))).collect();
    for task in tasks {
        task.await.unwrap();
    }
}
