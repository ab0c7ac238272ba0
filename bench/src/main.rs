//! Compares Hansang with its peers in one run on one machine. Figures are the best of several rounds; compare ratios, not
//! absolute times.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a table on standard output is the product")]

use std::process::ExitCode;
use std::time::Instant;

mod console;
mod content;
mod contracts;
mod documents;
mod entry;
mod http;
mod ledger;
mod memory;
mod model;
mod server;
mod store;

/// The benchmark allocates millions of blocks and items: with ten million items a query took about half, and a get two
/// thirds, of the time with the system allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let result = match std::env::args().nth(1).as_deref() {
        None | Some("model") => model::run(),
        Some("store") => {
            let more = |position| std::env::args().nth(position).unwrap_or_default();
            store::run(more(2) == "near", &more(3))
        }
        Some("scale") => {
            let many = std::env::args().nth(2).and_then(|many| many.parse().ok());
            store::scale::run(many.unwrap_or(store::scale::MANY))
        }
        Some("http") => http::run(std::env::args().nth(2).as_deref() == Some("near")),
        Some("memory") => memory::run(std::env::args().nth(2).as_deref()),
        Some("console") => console::run(),
        Some("contracts") => contracts::run(),
        Some("content") => content::run(std::env::args().nth(2).as_deref()),
        Some("documents") => documents::run(),
        Some("ledger") => ledger::run(),
        Some("entry") => entry::run(
            std::env::args().nth(2).as_deref(),
            std::env::args().nth(3).as_deref() == Some("alone"),
        ),
        // Not benchmarks, but programs that `documents`, `http` and `entry` start.
        Some("documents-pdf") => documents::pdf::print(&std::env::args().skip(2).collect::<Vec<_>>()),
        Some("http-bare-peer") => http::bare::run(&std::env::args().skip(2).collect::<Vec<_>>()),
        Some("entry-redis-peer") => entry::peer::run(std::env::args().skip(2).collect()),
        Some(other) => Err(format!(
            "there is no benchmark `{other}`; there are model, store, scale, http, memory, console, contracts, entry, \
             ledger, content and documents"
        )),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("bench: {problem}");
            ExitCode::FAILURE
        }
    }
}

/// Returns the nanoseconds per operation: the best of several rounds, after a warm-up.
fn nanos(mut operation: impl FnMut(usize)) -> f64 {
    const COUNT: usize = 100_000;
    (0..COUNT / 5).for_each(&mut operation);
    (0..7)
        .map(|_| {
            let start = Instant::now();
            (0..COUNT).for_each(&mut operation);
            start.elapsed().as_nanos() as f64 / COUNT as f64
        })
        .fold(f64::INFINITY, f64::min)
}

/// Prints whether a goal was reached.
pub(crate) fn goal(text: &str, reached: bool) {
    println!("{}: {text}", if reached { "reached" } else { "NOT reached" });
}
