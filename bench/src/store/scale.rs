//! Read latency, memory and opening time with a hundred times as many items.

use std::fs::{self, File};
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hansang_embedded::{Embedded, Options};

use super::peers::{Peer, Port, done};
use super::{Work, measure, work};
use crate::server::memory;
use crate::{goal, nanos};

const FEW: u64 = 100_000;
pub(crate) const MANY: u64 = 10_000_000;
const AT_ONCE: u64 = 1000;

/// The figures for one number of items.
struct Size {
    items: u64,
    /// Whether the row cache was on, as it is by default.
    keeps: bool,
    get: f64,
    query: f64,
    memory: u64,
    opened: Duration,
}

pub(crate) fn run(many: u64) -> Result<(), String> {
    let runtime = tokio::runtime::Runtime::new().map_err(|error| error.to_string())?;
    let directory = tempfile::tempdir_in("target").map_err(|error| error.to_string())?;
    let few = grow(&runtime, directory.path(), 0, FEW, true)?;
    let unkept = grow(&runtime, directory.path(), FEW, FEW, false)?;
    let many = grow(&runtime, directory.path(), FEW, many, true)?;
    println!("| items | get, µs | query of 50, µs | memory, MB | opening, s |");
    println!("|---|---|---|---|---|");
    for size in [&few, &unkept, &many] {
        let kept = if size.keeps { "" } else { ", none of them kept in memory" };
        let (items, memory, opened) = (size.items, size.memory / 1_000_000, size.opened.as_secs_f64());
        println!(
            "| {items}{kept} | {:.1} | {:.0} | {memory} | {opened:.2} |",
            size.get * 1e6,
            size.query * 1e6
        );
    }
    println!(
        "\nOne thread, random keys. Memory is that of the whole process at its peak, filling included. To read 4 KB of the \
         files, which the system has in memory, takes {:.1} µs by itself.\n",
        bare_read(directory.path())? * 1e6
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

/// Measures a random read of 4 KB in the files of the store: the minimum for a get that is not cached.
fn bare_read(directory: &Path) -> Result<f64, String> {
    const BLOCK: u64 = 4096;
    let mut blocks: Vec<(File, u64)> = Vec::new();
    let mut folders = vec![directory.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).map_err(|error| error.to_string())? {
            let path = entry.map_err(|error| error.to_string())?.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let file = File::open(path).map_err(|error| error.to_string())?;
            let count = file.metadata().map_err(|error| error.to_string())?.len() / BLOCK;
            let before = blocks.last().map_or(0, |(_, until)| *until);
            blocks.push((file, before + count));
        }
    }
    let all = blocks.last().map_or(0, |(_, until)| *until);
    let mut buffer = [0; BLOCK as usize];
    let mut random = 0;
    let read = nanos(|_| {
        random = work::mix(random + 1);
        let wanted = random % all;
        let at = blocks.partition_point(|(_, until)| *until <= wanted);
        let first = at.checked_sub(1).map_or(0, |before| blocks[before].1);
        done(blocks[at].0.read_exact_at(&mut buffer, (wanted - first) * BLOCK));
        std::hint::black_box(buffer[0]);
    });
    Ok(read * 1e-9)
}

/// Fills the store up to `to` items, reopens the directory, and measures.
fn grow(
    runtime: &tokio::runtime::Runtime,
    directory: &Path,
    from: u64,
    to: u64,
    keeps: bool,
) -> Result<Size, String> {
    let mut options = Options::new(Arc::new(|| jiff::Timestamp::UNIX_EPOCH));
    if !keeps {
        options.row_bytes = 0;
    }
    let open = || Embedded::open(directory, options.clone());
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
    // The first round loads the working set into memory, as in a store in use.
    let _ = (cost(Work::Get), cost(Work::Query));
    let (get, query) = (cost(Work::Get), cost(Work::Query));
    Ok(Size { items: to, keeps, get, query, memory: memory("self", "VmHWM:")?, opened })
}
