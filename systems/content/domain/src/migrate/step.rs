//! A step: mapped rows become items, or findings.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::stream::{self, StreamExt as _};
use hansang_core::db::Operation;
use hansang_core::plan::{Action, Write};
use hansang_core::value::item_size;
use hansang_core::{Error, ErrorKind, Item, Value};

use super::lookups::Lookups;
use super::map::Mapped;
use super::mapper::MappedPart;
use super::plan::Mark;
use super::run::Run;
use super::slugs::Claims;
use super::state::{State, Unrecorded};
use super::{Counts, Finding, FindingKind, LegacyTable, Options, ensure, plan, slugs, state, sum};
use crate::Content;

/// The maximum number of writes, and of their bytes, that are one transaction.
const MAX_WRITES: usize = 96;
const MAX_BYTES: usize = 3 * 1024 * 1024;
/// The number of transactions at the same time.
const PARALLEL: usize = 32;
/// The maximum number of unknown attributes that a report names.
const MAX_UNKNOWN: usize = 100;
/// The number of attempts while the store is busy or others write.
pub(super) const ATTEMPTS: u32 = 12;

/// The work on the parts of a run.
pub(super) struct Step<'c> {
    content: &'c Content,
    options: &'c Options,
    lookups: &'c Lookups,
    /// The findings of a dry run that are told once.
    told: BTreeSet<u64>,
}

/// The result of a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Done {
    pub(super) counts: Counts,
    /// The sum of the checksums of its rows.
    pub(super) sum: u128,
    pub(super) findings: Vec<Finding>,
    /// The number of new posts of each category.
    pub(super) posts: BTreeMap<String, i64>,
}

/// What becomes of a row.
enum Fate {
    Create,
    Update(State),
    /// This step wrote it before it was cut off.
    Again {
        updated: bool,
        target: Option<Item>,
    },
    Unchanged,
    Kept(FindingKind),
    Lost(FindingKind),
    /// A second row with the id of another one.
    Rejected,
}

impl Done {
    /// The number of its rows.
    pub(super) fn read(&self) -> u64 {
        self.counts.read
    }

    /// Adds the step to the counts of its table.
    pub(super) fn count(&self, total: &mut Counts) {
        let Counts { read, created, updated, unchanged, kept, unmapped, unknown, .. } = &self.counts;
        total.read += read;
        total.created += created;
        total.updated += updated;
        total.unchanged += unchanged;
        total.kept += kept;
        total.unmapped += unmapped;
        for (name, rows) in unknown {
            let is_listed = total.unknown.len() < MAX_UNKNOWN || total.unknown.contains_key(name);
            let name = if is_listed { name.as_str() } else { "…" };
            *total.unknown.entry(name.to_owned()).or_default() += rows;
        }
        total.sum = sum::add(&total.sum, self.sum);
    }
}

impl<'c> Step<'c> {
    pub(super) fn new(content: &'c Content, options: &'c Options, lookups: &'c Lookups) -> Self {
        Self { content, options, lookups, told: BTreeSet::new() }
    }

    /// Moves the rows of a part. Repeated while the store is busy or an item changes under it.
    pub(super) async fn work(&mut self, run: &Run, part: &MappedPart) -> Result<Done, Error> {
        // The store refuses nothing in a dry run, which writes nothing.
        let mut unrecorded = if self.options.dry_run { Unrecorded::Read } else { Unrecorded::New };
        let mut attempt = 1;
        loop {
            let mut done = part.done.clone();
            match self.attempt(run, &part.rows, unrecorded, &mut done).await {
                Ok(()) => return Ok(done),
                Err(error) if attempt < ATTEMPTS && is_passing(&error) => (self.options.pause)(attempt).await,
                Err(error) => return Err(error),
            }
            attempt += 1;
            unrecorded = Unrecorded::Read;
        }
    }

    async fn attempt(
        &mut self,
        run: &Run,
        rows: &[Mapped],
        unrecorded: Unrecorded,
        done: &mut Done,
    ) -> Result<(), Error> {
        let content = self.content;
        let states = state::read(content, rows, unrecorded).await?;
        let mark = run.mark();
        let fates: Vec<Fate> = rows.iter().zip(states).map(|(row, state)| fate(row, state, mark)).collect();
        let written = |fate: &Fate| matches!(fate, Fate::Create | Fate::Update(_) | Fate::Again { .. });
        let of = |wanted: &dyn Fn(&Fate) -> bool| -> Vec<&Mapped> {
            rows.iter().zip(&fates).filter(|(_, fate)| wanted(fate)).map(|(row, _)| row).collect()
        };
        let invented =
            ensure::ensure(content, &of(&written), (!self.options.dry_run).then_some(mark)).await?;
        // A dry run creates nothing, and tells each once all the same.
        let first = |one: &Finding| {
            !self.options.dry_run
                || !self.lookups.has_category(&one.id) && self.told.insert(sum::word(&format!("{one:?}")))
        };
        done.findings.extend(invented.into_iter().filter(first));
        let needs = |(row, fate): &(&Mapped, &Fate)| match fate {
            Fate::Create => has_slug(row),
            Fate::Update(state) => needs_slug(row, state),
            _ => false,
        };
        let slugged: Vec<&Mapped> = rows.iter().zip(&fates).filter(needs).map(|(row, _)| row).collect();
        let mut claims = Claims::of(content, &slugged).await?;
        let mut writes = Vec::new();
        for (row, fate) in rows.iter().zip(fates) {
            let operations = self.operations(row, fate, mark, &mut claims, done)?;
            writes.push(operations);
        }
        if self.options.dry_run { Ok(()) } else { commit(content, writes).await }
    }

    /// The writes of a row, and what they count as.
    fn operations(
        &self,
        row: &Mapped,
        fate: Fate,
        mark: Mark<'_>,
        claims: &mut Claims,
        done: &mut Done,
    ) -> Result<Vec<Operation>, Error> {
        let finding = |kind| Finding::new(row.table, &row.id, kind);
        let (planned, slug) = match fate {
            Fate::Create => {
                let slug = claims.take(row);
                let named = slug.as_ref().map(|(slug, _)| slug.clone());
                (plan::create(self.content, row, slug, mark), named)
            }
            Fate::Update(state) => {
                let claimed = claims.take(row);
                let slug =
                    state.target.as_ref().and_then(|target| target.get("slug")?.as_str()).map(str::to_owned);
                let slug = slug.or_else(|| claimed.as_ref().map(|(slug, _)| slug.clone()));
                (plan::update(self.content, row, &state, claimed, mark), slug)
            }
            Fate::Again { updated, target } => {
                let text = |name: &str| target.as_ref()?.get(name)?.as_str().map(str::to_owned);
                done.settle(row, updated, text("slug"));
                return Ok(Vec::new());
            }
            Fate::Unchanged => {
                done.counts.unchanged += 1;
                return Ok(Vec::new());
            }
            Fate::Kept(kind) => {
                done.counts.kept += 1;
                done.findings.push(finding(kind));
                return Ok(Vec::new());
            }
            Fate::Lost(kind) => {
                done.lose(finding(kind));
                return Ok(Vec::new());
            }
            Fate::Rejected => {
                done.lose(finding(FindingKind::Duplicate));
                return Ok(vec![plan::reject(self.content, row)?]);
            }
        };
        match planned {
            Ok(operations) => {
                let updated =
                    operations.iter().any(|one| matches!(one, Operation::Write(write) if !is_put(write)));
                done.settle(row, updated, slug);
                Ok(operations)
            }
            // The item would be too large, or breaks another rule of the store.
            Err(error) if error.kind == ErrorKind::Invalid => {
                done.lose(finding(FindingKind::NotMapped).was(&error.message.to_string()));
                Ok(Vec::new())
            }
            Err(error) => Err(error),
        }
    }
}

impl Done {
    pub(super) fn lose(&mut self, finding: Finding) {
        self.counts.unmapped += 1;
        self.findings.push(finding);
    }

    fn settle(&mut self, row: &Mapped, updated: bool, slug: Option<String>) {
        if updated {
            self.counts.updated += 1;
        } else {
            self.counts.created += 1;
            let category = row.category.as_ref().filter(|_| row.table == LegacyTable::Posts);
            if let Some((category, _)) = category {
                *self.posts.entry(category.clone()).or_default() += 1;
            }
        }
        self.findings.extend(row.findings.iter().cloned());
        self.findings.extend(slugs::finding(row, slug.as_deref()));
    }
}

fn is_put(write: &Write) -> bool {
    matches!(write.action, Action::Put(_))
}

/// Categories have a slug, and published posts.
fn has_slug(row: &Mapped) -> bool {
    match row.table {
        LegacyTable::Categories => true,
        LegacyTable::Posts => row.fields.contains_key("publishAt"),
        _ => false,
    }
}

/// Whether a published post has none yet.
fn needs_slug(row: &Mapped, state: &State) -> bool {
    has_slug(row) && state.target.as_ref().is_some_and(|target| !target.contains_key("slug"))
}

fn fate(row: &Mapped, state: State, mark: Mark<'_>) -> Fate {
    let Some(record) = &state.record else {
        return if state.target.is_some() { Fate::Lost(FindingKind::TakenHere) } else { Fate::Create };
    };
    let text = |name: &str| record.get(name).and_then(Value::as_str).unwrap_or_default();
    let here = text("migrationId") == mark.migration;
    let step = record.get("step").and_then(Value::as_number).and_then(hansang_core::number::Number::to_i64);
    let this_step = here && step == Some(mark.step);
    if matches!(record.get("others"), Some(Value::Ss(others)) if others.iter().any(|one| **one == *row.sum)) {
        return Fate::Lost(FindingKind::Duplicate);
    }
    if text("sum") == row.sum {
        let updated = text("outcome") == "updated";
        return if this_step { Fate::Again { updated, target: state.target } } else { Fate::Unchanged };
    }
    if here && !this_step {
        return Fate::Rejected;
    }
    match &state.target {
        None => Fate::Kept(FindingKind::DeletedHere),
        Some(target) if sum::stored(target) != text("stored") => Fate::Kept(FindingKind::EditedHere),
        Some(_) => Fate::Update(state),
    }
}

/// Commits the writes of rows, those of one row together, in transactions that run at the same time.
async fn commit(content: &Content, rows: Vec<Vec<Operation>>) -> Result<(), Error> {
    let mut groups: Vec<Vec<Operation>> = Vec::new();
    let (mut writes, mut bytes) = (0, 0);
    for row in rows.into_iter().filter(|row| !row.is_empty()) {
        let size: usize = row.iter().map(size).sum();
        // A row that changes what is there may share the counts of its category with others: it goes alone.
        let alone = row.iter().any(|one| matches!(one, Operation::Write(write) if !is_put(write)));
        if groups.is_empty() || alone || writes + row.len() > MAX_WRITES || bytes + size > MAX_BYTES {
            groups.push(Vec::new());
            (writes, bytes) = (0, 0);
        }
        writes += if alone { MAX_WRITES } else { row.len() };
        bytes += size;
        if let Some(group) = groups.last_mut() {
            group.extend(row);
        }
    }
    let commits: Vec<_> = groups.into_iter().map(|group| content.db.commit(group)).collect();
    let all: Vec<_> = stream::iter(commits).buffer_unordered(PARALLEL).collect().await;
    all.into_iter().collect::<Result<(), _>>().map_err(Error::from)
}

fn size(operation: &Operation) -> usize {
    match operation {
        Operation::Write(Write { action: Action::Put(item), .. }) => item_size(item),
        _ => 500,
    }
}

/// Whether another attempt, from fresh reads, may succeed.
pub(super) fn is_passing(error: &Error) -> bool {
    use ErrorKind::{Conflict, Limited, NotFound, Precondition, Unavailable};
    matches!(error.kind, Conflict | Limited | NotFound | Precondition | Unavailable)
}
