//! Reads and maps the rows of steps.

use std::collections::{BTreeSet, HashMap};

use hansang_core::{Error, Value};

use super::finding::shortened;
use super::lookups::Lookups;
use super::map::{Mapped, map};
use super::parts::{Parts, Place};
use super::step::Done;
use super::{Finding, FindingKind, LegacyTable, Options, Row, sum};
use crate::Content;

/// The mapped rows of a step.
pub(super) struct MappedPart {
    pub(super) table: LegacyTable,
    pub(super) rows: Vec<Mapped>,
    /// The counts and findings of the other rows, and of the mapping.
    pub(super) done: Done,
    /// Where the next step begins.
    pub(super) next: Option<Place>,
}

/// Maps the parts of a source, each id once.
pub(super) struct Mapper<'c> {
    content: &'c Content,
    options: &'c Options,
    lookups: &'c Lookups,
    parts: Parts<'c>,
    /// The ids of a dry run, which leaves no records: eight bytes for each row.
    seen: BTreeSet<u64>,
}

impl<'c> Mapper<'c> {
    pub(super) fn new(
        content: &'c Content,
        options: &'c Options,
        lookups: &'c Lookups,
        parts: Parts<'c>,
    ) -> Self {
        Self { content, options, lookups, parts, seen: BTreeSet::new() }
    }

    pub(super) async fn next(&mut self) -> Result<Option<MappedPart>, Error> {
        let Some(part) = self.parts.next().await? else { return Ok(None) };
        let (mut rows, mut done) = (Vec::with_capacity(part.rows.len()), Done::default());
        let mut ids = HashMap::with_capacity(part.rows.len());
        for row in part.rows {
            let Some(row) = self.map(part.table, row, &mut done) else { continue };
            match ids.get(&row.id).map(|index: &usize| &rows[*index]) {
                None if self.options.dry_run
                    && !self.seen.insert(sum::word(&format!("{} {}", part.table, row.id))) =>
                {
                    done.lose(Finding::new(part.table, &row.id, FindingKind::Duplicate));
                }
                None => {
                    for name in &row.unknown {
                        *done.counts.unknown.entry(shortened(name)).or_default() += 1;
                    }
                    ids.insert(row.id.clone(), rows.len());
                    rows.push(row);
                }
                Some(Mapped { sum, .. }) if *sum == row.sum => done.counts.unchanged += 1,
                Some(_) => done.lose(Finding::new(part.table, &row.id, FindingKind::Duplicate)),
            }
        }
        Ok(Some(MappedPart { table: part.table, rows, done, next: part.next }))
    }

    /// Maps a row that is to be moved.
    fn map(&self, table: LegacyTable, row: Row, done: &mut Done) -> Option<Mapped> {
        done.counts.read += 1;
        let item = match row.item {
            Ok(item) => item,
            Err(reason) => {
                done.lose(Finding::new(table, &row.location, FindingKind::NotMapped).was(&reason));
                return None;
            }
        };
        let sum = sum::of(&item);
        done.sum = done.sum.wrapping_add(sum);
        match map(self.content.db.model(), table, &row.location, item, sum, self.lookups) {
            Err(finding) => done.lose(finding),
            Ok(row) if table == LegacyTable::Corp && !self.lookups.is_newest_corp(sum) => {
                done.counts.kept += 1;
                let finding = Finding::new(table, &row.id, FindingKind::Superseded);
                done.findings.push(finding.was(&super::legacy::shown(&Value::M(row.fields))));
            }
            Ok(row) => return Some(row),
        }
        None
    }
}
