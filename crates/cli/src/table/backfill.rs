//! `hansang table backfill`: gives stored items the index keys, templates, types and pointers that a changed model wants.
//!
//! Online: each write is conditional on what it was computed from, so an edit at the same time is never overwritten, and the
//! item is read and computed again. Repeated until a pass over the table finds nothing to do, then verified.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use hansang_command::{Failure, progress};
use hansang_core::plan::{Get, Key, Scan, TableWrite, Write as Change};
use hansang_core::store::check;
use hansang_core::value::json::{item_from_typed, item_to_typed};
use hansang_core::write::refresh::{drop_pointer, owner_of_pointer, pointers, refresh};
use hansang_core::{Db, Item, StoreError, docs};
use serde_json::{Value as Json, json};
use sha2::{Digest as _, Sha256};

use super::checkpoint::Checkpoint;
use super::export::PAGE;
use super::verify;

/// The number of writes at the same time.
const AT_ONCE: usize = 32;
/// The number of attempts for an item that others write.
const ATTEMPTS: u32 = 10;
/// The number of passes over a table to which others write items of the old model.
const PASSES: u32 = 5;

/// What a backfill is to do.
pub(super) struct Options<'o> {
    /// The only index to fill, if one is named.
    pub(super) index: Option<&'o str>,
    /// The maximum number of items that are written in a second.
    pub(super) rate: Option<u32>,
}

/// The counts of a backfill.
#[derive(Default)]
struct Counts {
    read: u64,
    written: u64,
}

pub(super) async fn run(db: &Db, options: &Options<'_>, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let table = db.table().name.clone();
    if let Some(index) = options.index
        && !db.table().indexes.iter().any(|known| *known.name == *index)
    {
        let known = db.table().indexes.iter().map(|index| &*index.name);
        return Err(crate::model::source::unknown("index", index, known));
    }
    db.ensure_table().await?;
    let checkpoint = Checkpoint::beside(Path::new(&table), "backfill");
    let mut work = Work {
        db,
        options,
        checkpoint,
        started: Instant::now(),
        counts: Counts::default(),
        taken: BTreeMap::new(),
    };
    let resumed = work.passes().await?;
    let (read, written) = (work.counts.read, work.counts.written);
    let before =
        if resumed > 0 { format!(" ({resumed} of them before it was cut off)") } else { String::new() };
    writeln!(out, "{written} of {read} items of {table} written{before}")?;
    for (key, problem) in &work.taken {
        writeln!(out, "{} / {}: {problem}", key.pk, key.sk)?;
    }
    let problems = verify::indexes_online(db, options.index, out).await? + work.taken.len() as u64;
    if problems > 0 {
        writeln!(out, "{problems} problems are left: repair the items and run the command again")?;
        return Ok(ExitCode::from(1));
    }
    writeln!(out, "verified: every item has what the model derives")?;
    Ok(ExitCode::SUCCESS)
}

struct Work<'w> {
    db: &'w Db,
    options: &'w Options<'w>,
    checkpoint: Checkpoint,
    started: Instant,
    counts: Counts,
    /// Items whose value another one has.
    taken: BTreeMap<Key, String>,
}

impl Work<'_> {
    /// Passes over the table until one writes nothing. Returns the number of items that were read before an interruption.
    async fn passes(&mut self) -> Result<u64, Failure> {
        let saved = self.checkpoint.load()?.filter(|saved| saved["of"] == self.fingerprint().as_str());
        let saved = saved.unwrap_or(Json::Null);
        let count = |name: &str| saved[name].as_u64().unwrap_or_default();
        let resumed = count("read");
        self.counts = Counts { read: resumed, written: count("written") };
        let mut start = item_from_typed(&saved["start"]).ok();
        for pass in 0..PASSES {
            let before = self.counts.written;
            let whole = start.is_none();
            self.pass(start.take(), pass == 0).await?;
            if whole && pass > 0 && self.counts.written == before {
                self.checkpoint.remove()?;
                return Ok(resumed);
            }
        }
        let text = "other programs still write items of the old model: stop them, then run the command again";
        Err(Failure::Message { text: text.to_owned(), code: 4 })
    }

    async fn pass(&mut self, start: Option<Item>, is_first: bool) -> Result<(), Failure> {
        let bar = progress::counting(if is_first { "backfilling" } else { "checking" });
        let mut scan = Scan { index: None, limit: PAGE, start, consistent: true };
        loop {
            let page = self.db.store().scan(self.db.table(), &scan).await?;
            if is_first {
                self.counts.read += page.items.len() as u64;
            }
            for chunk in page.items.chunks(AT_ONCE) {
                self.chunk(chunk).await?;
            }
            bar.inc(page.items.len() as u64);
            scan.start = page.next;
            let Some(next) = &scan.start else { break };
            if is_first {
                self.checkpoint.save(&json!({
                    "of": self.fingerprint(), "start": item_to_typed(next),
                    "read": self.counts.read, "written": self.counts.written,
                }))?;
            }
        }
        bar.finish_and_clear();
        Ok(())
    }

    async fn chunk(&mut self, items: &[Item]) -> Result<(), Failure> {
        let all = join_all(items.iter().map(|item| one(self.db, self.options, item))).await;
        let mut wrote = 0;
        for (item, result) in items.iter().zip(all) {
            match result? {
                Did::Nothing => {}
                Did::Wrote => wrote += 1,
                Did::Taken(problem) => {
                    self.taken.insert(check::key_of(self.db.table(), item)?, problem);
                }
            }
        }
        self.counts.written += wrote;
        self.slow_down().await;
        Ok(())
    }

    /// Waits until the writes so far are within the rate.
    async fn slow_down(&self) {
        if let Some(rate) = self.options.rate {
            let due = Duration::from_secs_f64(self.counts.written as f64 / f64::from(rate.max(1)));
            tokio::time::sleep(due.saturating_sub(self.started.elapsed())).await;
        }
    }

    /// The model and the work: progress of another model is not that of this one.
    fn fingerprint(&self) -> String {
        let model = docs::markdown(self.db.model());
        let of = format!("{} {:?} {model}", self.db.table().name, self.options.index);
        Sha256::digest(of.as_bytes()).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
    }
}

/// The effect on one item.
enum Did {
    Nothing,
    Wrote,
    /// A unique value belongs to another item.
    Taken(String),
}

/// Writes what an item lacks. After a write of another program the item is read and computed again.
async fn one(db: &Db, options: &Options<'_>, item: &Item) -> Result<Did, Failure> {
    let mut item = item.clone();
    for attempt in 1..=ATTEMPTS {
        let result = step(db, options, &item).await;
        let error = match result {
            Ok(did) => return Ok(did),
            Err(error) => error,
        };
        let changed = matches!(error, StoreError::Condition(_) | StoreError::Conflict);
        if !(changed || matches!(error, StoreError::Throttled)) || attempt == ATTEMPTS {
            return Err(error.into());
        }
        tokio::time::sleep(Duration::from_millis(5 << attempt.min(8))).await;
        let key = check::key_of(db.table(), &item)?;
        match db.store().get(db.table(), &Get { key, consistent: true, fields: None }).await? {
            Some(fresh) => item = fresh,
            None => return Ok(Did::Nothing),
        }
    }
    Ok(Did::Nothing)
}

async fn step(db: &Db, options: &Options<'_>, item: &Item) -> Result<Did, StoreError> {
    let (model, table, moment) = (db.model(), db.table(), db.clock().moment());
    let mut wrote = false;
    if let Some(write) = refresh(model, item, options.index, &moment) {
        db.store().write(table, write).await?;
        wrote = true;
    }
    if options.index.is_some() {
        return Ok(if wrote { Did::Wrote } else { Did::Nothing });
    }
    if let Some(key) = owner_of_pointer(model, item) {
        let owner = db.store().get(table, &Get { key, consistent: true, fields: None }).await?;
        if let Some(writes) = drop_pointer(model, item, owner.as_ref(), &moment) {
            db.store().transact(TableWrite::all(table, writes)).await?;
            wrote = true;
        }
        return Ok(if wrote { Did::Wrote } else { Did::Nothing });
    }
    let own = check::key_of(table, item)?;
    for [put, check] in pointers(model, item, &moment) {
        match missing(db, &put, &own).await? {
            Pointer::Own => {}
            Pointer::Other(owner) => {
                return Ok(Did::Taken(format!("{} / {} has the same unique value", owner.pk, owner.sk)));
            }
            Pointer::Missing => {
                db.store().transact(TableWrite::all(table, [put, check])).await?;
                wrote = true;
            }
        }
    }
    Ok(if wrote { Did::Wrote } else { Did::Nothing })
}

enum Pointer {
    Own,
    Other(Key),
    Missing,
}

async fn missing(db: &Db, put: &Change, own: &Key) -> Result<Pointer, StoreError> {
    let get = Get { key: put.key.clone(), consistent: true, fields: None };
    let found = db.store().get(db.table(), &get).await?;
    let owner = found.as_ref().and_then(|item| owner_of_pointer(db.model(), item));
    let Some(owner) = owner else { return Ok(Pointer::Missing) };
    if owner == *own {
        return Ok(Pointer::Own);
    }
    // The pointer of an item that has lost the value is dropped when the pass comes to it.
    let get = Get { key: owner.clone(), consistent: true, fields: None };
    let holder = db.store().get(db.table(), &get).await?;
    let moment = db.clock().moment();
    let stale = found.and_then(|item| drop_pointer(db.model(), &item, holder.as_ref(), &moment));
    match stale {
        Some(writes) => {
            db.store().transact(TableWrite::all(db.table(), writes)).await.map(|()| Pointer::Missing)
        }
        None => Ok(Pointer::Other(owner)),
    }
}
