//! The documents: the list of projects without a cache, in process and in Valkey; segments written and listed; the text of
//! a PDF file beside the programs that others use; search.

#![allow(clippy::disallowed_methods, reason = "the stores use the real time")]

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hansang_core::cache::Cached;
use hansang_core::cursor::CursorKey;
use hansang_core::db::Clock;
use hansang_core::write::Moment;
use hansang_core::{Db, Store, compile};
use hansang_documents::{Documents, MODEL};
use hansang_embedded::Directory;
use jiff::Timestamp;

mod lists;
pub(crate) mod pdf;
mod search;
mod segments;

pub(crate) fn run() -> Result<(), String> {
    let runtime = tokio::runtime::Runtime::new().map_err(|error| error.to_string())?;
    let directory = tempfile::tempdir_in("target").map_err(|error| error.to_string())?;
    runtime.block_on(lists::measure(directory.path()))?;
    runtime.block_on(segments::measure(directory.path()))?;
    pdf::measure(directory.path())?;
    runtime.block_on(search::measure(directory.path()))
}

async fn open(store: Arc<dyn Store>, cached: Cached, files: &Path) -> Result<Documents, String> {
    let model = compile(MODEL.as_bytes()).map_err(|_| "models/documents.yaml does not compile")?;
    let clock = Clock::new(|| Moment { now: Timestamp::now(), random: rand::random() });
    let db = Db::new(Arc::new(model), None, store, clock, CursorKey::new(&[7; 32]));
    db.ensure_table().await.map_err(failed)?;
    Ok(Documents::new(db, cached, Arc::new(Directory::new(files))))
}

fn failed(error: hansang_core::Error) -> String {
    error.to_string()
}

/// The median and the 99th percentile in milliseconds of a number of calls.
async fn timed<T>(
    times: usize,
    mut call: impl AsyncFnMut(usize) -> Result<T, String>,
) -> Result<(f64, f64), String> {
    let mut all = Vec::with_capacity(times);
    for number in 0..times {
        let start = Instant::now();
        call(number).await?;
        all.push(start.elapsed());
    }
    all.sort_unstable();
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    Ok((ms(all[times / 2]), ms(all[times * 99 / 100])))
}
