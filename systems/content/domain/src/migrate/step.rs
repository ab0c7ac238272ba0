//! A step: the rows of a page become items, or findings.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::future::join_all;
use hansang_core::db::Operation;
use hansang_core::plan::{Action, Write};
use hansang_core::value::item_size;
use hansang_core::{Error, ErrorKind, Item, Value};

use super::finding::shortened;
use super::lookups::Lookups;
use super::map::{Mapped, map};
use super::plan::Mark;
use super::run::Run;
use super::slugs::Free;
use super::state::State;
use super::{Counts, Finding, FindingKind, LegacyTable, Options, Row, ensure, plan, slugs, state, sum};
use crate::Content;

/// The maximum number of writes, and of their bytes, that are one transaction.
const MAX_WRITES: usize = 96;
const MAX_BYTES: usize = 3 * 1024 * 1024;
/// The maximum number of unknown attributes that a report names.
const MAX_UNKNOWN: usize = 100;
/// The number of attempts while the store is busy or others write.
pub(super) const ATTEMPTS: u32 = 12;

/// The work on the pages of a run.
pub(super) struct Step<'c> {
    content: &'c Content,
    options: &'c Options,
    lookups: Lookups,
    /// The ids of a dry run, which leaves no records: eight bytes for each row.
    seen: BTreeSet<u64>,
}

/// The result of a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Done {
    counts: Counts,
    sums: Vec<Item>,
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
        for row in &self.sums {
            total.sum = sum::add(&total.sum, row);
        }
    }
}

impl<'c> Step<'c> {
    pub(super) fn new(content: &'c Content, options: &'c Options, lookups: Lookups) -> Self {
        Self { content, options, lookups, seen: BTreeSet::new() }
    }

    /// Moves the rows of a page. Repeated while the store is busy or an item changes under it.
    pub(super) async fn work(
        &mut self,
        run: &Run,
        table: LegacyTable,
        rows: Vec<Row>,
    ) -> Result<Done, Error> {
        let mut begun = Done::default();
        let mapped = self.map(table, rows, &mut begun);
        let mut attempt = 1;
        loop {
            let mut done = begun.clone();
            match self.attempt(run, &mapped, &mut done).await {
                Ok(()) => return Ok(done),
                Err(error) if attempt < ATTEMPTS && is_passing(&error) => (self.options.pause)(attempt).await,
                Err(error) => return Err(error),
            }
            attempt += 1;
        }
    }

    /// Maps rows, each id once.
    fn map(&mut self, table: LegacyTable, rows: Vec<Row>, done: &mut Done) -> Vec<Mapped> {
        let mut mapped: Vec<Mapped> = Vec::with_capacity(rows.len());
        for Row { location, item } in rows {
            done.counts.read += 1;
            let item = match item {
                Ok(item) => item,
                Err(reason) => {
                    done.lose(Finding::new(table, &location, FindingKind::NotMapped).was(&reason));
                    continue;
                }
            };
            done.sums.push(item.clone());
            match map(self.content.db.model(), table, &location, item, &self.lookups) {
                Err(finding) => done.lose(finding),
                Ok(row) if table == LegacyTable::Corp && !self.lookups.is_newest_corp(&row.sum) => {
                    done.counts.kept += 1;
                    let finding = Finding::new(table, &row.id, FindingKind::Superseded);
                    done.findings.push(finding.was(&super::legacy::shown(&Value::M(row.fields))));
                }
                Ok(row) => {
                    let same = mapped.iter().find(|other| other.id == row.id);
                    let word = sum::word(&format!("{table} {}", row.id));
                    match same {
                        Some(other) if other.sum == row.sum => done.counts.unchanged += 1,
                        Some(_) => done.lose(Finding::new(table, &row.id, FindingKind::Duplicate)),
                        None if self.options.dry_run && !self.seen.insert(word) => {
                            done.lose(Finding::new(table, &row.id, FindingKind::Duplicate));
                        }
                        None => {
                            for name in &row.unknown {
                                *done.counts.unknown.entry(shortened(name)).or_default() += 1;
                            }
                            mapped.push(row);
                        }
                    }
                }
            }
        }
        mapped
    }

    async fn attempt(&mut self, run: &Run, rows: &[Mapped], done: &mut Done) -> Result<(), Error> {
        let content = self.content;
        let states = state::read(content, rows).await?;
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
            let of_source = sum::word(&format!("{} {}", LegacyTable::Categories, one.id));
            let is_new = !self.seen.contains(&of_source) && self.seen.insert(sum::word(&format!("{one:?}")));
            !self.options.dry_run || is_new
        };
        done.findings.extend(invented.into_iter().filter(first));
        let needs = |(row, fate): &(&Mapped, &Fate)| match fate {
            Fate::Create => has_slug(row),
            Fate::Update(state) => needs_slug(row, state),
            _ => false,
        };
        let slugged: Vec<&Mapped> = rows.iter().zip(&fates).filter(needs).map(|(row, _)| row).collect();
        let mut free = Free::read(content, &slugged).await?;
        let mut writes = Vec::new();
        for (row, fate) in rows.iter().zip(fates) {
            let operations = self.operations(row, fate, mark, &mut free, done)?;
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
        free: &mut Free,
        done: &mut Done,
    ) -> Result<Vec<Operation>, Error> {
        let finding = |kind| Finding::new(row.table, &row.id, kind);
        let (planned, slug) = match fate {
            Fate::Create => {
                let slug = if has_slug(row) { free.claim(row) } else { None };
                let named = slug.as_ref().map(|(slug, _)| slug.clone());
                (plan::create(self.content, row, slug, mark), named)
            }
            Fate::Update(state) => {
                let claimed = if needs_slug(row, &state) { free.claim(row) } else { None };
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
    fn lose(&mut self, finding: Finding) {
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
        groups.last_mut().into_iter().for_each(|group| group.extend_from_slice(&row));
    }
    let all = join_all(groups.into_iter().map(|group| content.db.commit(group))).await;
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
