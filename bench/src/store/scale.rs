//! Whether reads stay fast, memory small and opening quick when there is a hundred times as much.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hansang_embedded::{Embedded, Options};

use super::peers::{Peer, Port};
use super::{Work, measure};
use crate::goal;
use crate::server::memory;

const FEW: u64 = 100_000;
pub(crate) const MANY: u64 = 10_000_000;
const AT_ONCE: u64 = 1000;

/// What was measured with so many items.
struct Size {
    items: u64,
    get: f64,
    query: f64,
    memory: u64,
    opened: Duration,
}

pub(crate) fn run(many: u64) -> Result<(), String> {
    let runtime = tokio::runtime::Runtime::new().map_err(|error| error.to_string())?;
    let directory = tempfile::tempdir_in("target").map_err(|error| error.to_string())?;
    let few = grow(&runtime, directory.path(), 0, FEW)?;
    let many = grow(&runtime, directory.path(), FEW, many)?;
    println!("| items | get, µs | query of 50, µs | memory, MB | opening, s |");
    println!("|---|---|---|---|---|");
    for size in [&few, &many] {
        let (items, memory, opened) = (size.items, size.memory / 1_000_000, size.opened.as_secs_f64());
        println!("| {items} | {:.1} | {:.0} | {memory} | {opened:.2} |", size.get * 1e6, size.query * 1e6);
    }
    println!(
        "\nOne thread, random keys. Memory is that of the whole process at its peak, filling included.\n"
    );
    goal("get with 10 million items costs at most 1.5 times that with 100,000", many.get <= 1.5 * few.get);
    goal(
        "query with 10 million items costs at most 1.5 times that with 100,000",
        many.query <= 1.5 * few.query,
    );
    goal("memory stays under 512 MB", many.memory < 512_000_000);
    goal("opening takes under 2 s", many.opened < Duration::from_secs(2));
    Ok(())
}

/// Fills up to `to` items, opens the directory anew, and measures.
fn grow(runtime: &tokio::runtime::Runtime, directory: &Path, from: u64, to: u64) -> Result<Size, String> {
    let open = || Embedded::open(directory, Options::new(Arc::new(|| jiff::Timestamp::UNIX_EPOCH)));
    let store = open().map_err(|error| error.to_string())?;
    let peer = runtime.block_on(Port::ready(Arc::new(store)));
    let began = Instant::now();
    for start in (from..to).step_by(AT_ONCE as usize) {
        runtime.block_on(peer.fill(start, start + AT_ONCE));
        if start % (AT_ONCE * 100) == 0 {
            let rate = (start - from) as f64 / began.elapsed().as_secs_f64();
            eprint!("\r{start} of {to} items, {rate:.0} a second ");
        }
    }
    eprintln!();
    drop(peer);
    let began = Instant::now();
    let store = open().map_err(|error| error.to_string())?;
    let opened = began.elapsed();
    let peer: Arc<dyn Peer> = Arc::new(Port { store: Arc::new(store), transacts: true });
    let cost = |job| measure(runtime, &peer, job, 1, to).cost();
    // The first round brings the working set into memory, as it is in a store that is in use.
    let _ = (cost(Work::Get), cost(Work::Query));
    let (get, query) = (cost(Work::Get), cost(Work::Query));
    Ok(Size { items: to, get, query, memory: memory("self", "VmHWM:")?, opened })
}
