//! Migration from the tables of the old system: posts, categories, company rows and inquiries.
//!
//! Old items are dirtier than new ones may be, and all of them come over. Mapping is pure: the same rows give the same items.
//! What could not be kept as it was is a [`Finding`], and so is a row that cannot be mapped at all.
//!
//! Each row that was moved leaves a [`MigratedItem`](self) with two checksums: of the row, so that the next run moves only
//! what has changed, and of the item as it was stored, so that an edit made here is never overwritten. A run works in steps
//! of many rows. They are written first, each with its record; then one transaction adds the counts of posts and moves the
//! position, so a run that was cut off repeats at most one step, and finds its own records there.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use futures_util::future::{BoxFuture, join};
use hansang_core::{Error, Item, names};
use jiff::SignedDuration;
use serde::{Deserialize, Serialize};

use crate::Content;

mod ensure;
mod finding;
mod format;
mod legacy;
mod lookups;
mod map;
mod mapper;
mod parts;
mod plan;
mod run;
mod slugs;
mod state;
mod step;
mod sum;
mod tables;
mod verify;

pub use finding::{Finding, FindingKind};
pub use tables::LegacyTables;
pub use verify::{Verified, verify};

names! {
    /// A table of the old system, in the order of the migration.
    pub enum LegacyTable {
        /// {categoryId, name, slug, description, order, createdAt, updatedAt}
        Categories = "categories",
        /// {corpMetaId, address, corpNum, ceo, email, hp, …}: the newest row counts.
        Corp = "corp",
        /// {postId, category, title, content, thumbnailUrl, author, createdAt, updatedAt}
        Posts = "posts",
        /// {inquiryId, name, email, company, title, referral, subject, message, status, …}
        Inquiries = "inquiries",
    }
}

/// The rows of a page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows {
    /// The rows.
    pub rows: Vec<Row>,
    /// The position of the next page, if there is one.
    pub next: Option<String>,
}

/// A row of an old table.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Where it is, for a person who looks for it: a file and a line, or nothing.
    pub location: String,
    /// The item, or the reason that it cannot be read.
    pub item: Result<Item, String>,
}

/// The maximum number of rows of a page.
pub const PAGE: usize = 1000;

/// The old tables, which are only read.
#[async_trait]
pub trait Source: Send {
    /// The name, the same for each run on the same tables.
    fn name(&self) -> String;

    /// The tables that are there.
    fn tables(&self) -> Vec<LegacyTable>;

    /// The page after a position, or the first one: at most [`PAGE`] rows.
    async fn read(&mut self, table: LegacyTable, after: Option<&str>) -> Result<Rows, Error>;
}

/// Waits before the n-th repetition. The domain has no clock that waits.
pub type Pause = Arc<dyn Fn(u32) -> BoxFuture<'static, ()> + Send + Sync>;

/// Options of a migration.
#[derive(Clone)]
pub struct Options {
    /// Checks everything and writes nothing.
    pub dry_run: bool,
    /// How long an inquiry is kept after it came in; without one it is never deleted.
    pub retention: Option<SignedDuration>,
    /// The pause before a repetition.
    pub pause: Pause,
    /// Is told the number of rows that were read.
    pub progress: Arc<dyn Fn(u64) + Send + Sync>,
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options").field("dry_run", &self.dry_run).finish_non_exhaustive()
    }
}

/// The rows of a table by what became of them. `read` is the sum of the others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// All rows.
    pub read: u64,
    /// Rows whose items are new here.
    pub created: u64,
    /// Rows that had changed, and their items with them.
    pub updated: u64,
    /// Rows that are as they were at the last run.
    pub unchanged: u64,
    /// Rows that were left alone, because their items were edited or deleted here, or a newer row counts.
    pub kept: u64,
    /// Rows that could not be moved.
    pub unmapped: u64,
    /// The checksum of all rows, whatever their order.
    pub sum: String,
    /// The attributes that no item has and whose values are kept in `legacy`, with the numbers of their rows. Behind the first
    /// hundred names, the others are counted as `…`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub unknown: BTreeMap<String, u64>,
}

/// The result of a migration.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The id of its record in the table; none for a dry run.
    pub migration: Option<String>,
    /// The source.
    pub from: String,
    /// The version of the schema.
    pub schema_version: String,
    /// Whether it went on where another process was cut off.
    pub resumed: bool,
    /// The counts of each table.
    pub tables: BTreeMap<LegacyTable, Counts>,
}

impl Report {
    /// Whether every row was moved or left alone for a reason.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.tables.values().all(|counts| counts.unmapped == 0)
    }
}

/// Migrates the tables of a source. `found` is told everything that could not be kept as it was, once the run is complete.
///
/// # Errors
/// When a store or the source fails; the next call goes on where this one stopped.
pub async fn migrate(
    content: &Content,
    source: &mut dyn Source,
    options: &Options,
    found: &mut (dyn FnMut(&Finding) + Send),
) -> Result<Report, Error> {
    let mut run = if options.dry_run {
        run::Run::dry(content, &*source)
    } else {
        run::Run::begin(content, &*source, options).await?
    };
    let lookups = lookups::Lookups::load(content, source, options).await?;
    let mut read: u64 = run.report.tables.values().map(|counts| counts.read).sum();
    let mut step = step::Step::new(content, options, &lookups);
    let parts = parts::Parts::new(source, run.place.clone());
    let mut mapper = mapper::Mapper::new(content, options, &lookups, parts);
    let mut next = mapper.next().await?;
    while let Some(part) = next {
        let work = async {
            let done = step.work(&run, &part).await?;
            done.count(run.report.tables.entry(part.table).or_default());
            run.place.clone_from(&part.next);
            if options.dry_run {
                done.findings.iter().for_each(&mut *found);
            } else {
                run.advance(content, options, &done).await?;
            }
            read += done.read();
            (options.progress)(read);
            Ok::<(), Error>(())
        };
        // The next rows are read while these are written.
        let (worked, mapped) = join(work, mapper.next()).await;
        worked?;
        next = mapped?;
    }
    if !options.dry_run {
        run.end(content, options).await?;
        run.findings(content, found).await?;
    }
    Ok(run.report)
}

/// The tables of a source in the order of the migration: posts need their categories.
fn in_order(source: &dyn Source) -> Vec<LegacyTable> {
    let there = source.tables();
    LegacyTable::ALL.into_iter().filter(|table| there.contains(table)).collect()
}
