//! The rows of a source in parts, each small enough for one step.
//!
//! Where a part ends depends on the source alone, so that a step which is repeated has the same rows.

use std::collections::BTreeSet;

use hansang_core::Error;

use super::map::CATEGORY;
use super::{LegacyTable, Row, Rows, Source, in_order};

/// The maximum number of categories of a part: a step writes their counts of posts in one transaction.
const MAX_CATEGORIES: usize = 80;

/// Where a step begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) table: LegacyTable,
    /// The position of a page, or the first one.
    pub(super) position: Option<String>,
    /// The number of its rows that are done.
    pub(super) done: usize,
}

impl Place {
    /// The start of the first table.
    pub(super) fn first(source: &dyn Source) -> Option<Self> {
        let table = *in_order(source).first()?;
        Some(Self { table, position: None, done: 0 })
    }
}

/// The rows of a step.
pub(super) struct Part {
    pub(super) table: LegacyTable,
    pub(super) rows: Vec<Row>,
    /// Where the next one begins; nowhere after the last one.
    pub(super) next: Option<Place>,
}

/// Reads a source part by part.
pub(super) struct Parts<'s> {
    source: &'s mut dyn Source,
    tables: Vec<LegacyTable>,
    next: Option<Place>,
    /// The rest of the page at that place.
    rest: Option<Rows>,
}

impl<'s> Parts<'s> {
    pub(super) fn new(source: &'s mut dyn Source, from: Option<Place>) -> Self {
        let tables = in_order(&*source);
        Self { source, tables, next: from, rest: None }
    }

    pub(super) async fn next(&mut self) -> Result<Option<Part>, Error> {
        let Some(place) = self.next.take() else { return Ok(None) };
        let mut page = match self.rest.take() {
            Some(rest) => rest,
            None => {
                let mut page = self.source.read(place.table, place.position.as_deref()).await?;
                page.rows.drain(..place.done.min(page.rows.len()));
                page
            }
        };
        let rest = page.rows.split_off(fitting(&page.rows));
        let next = if rest.is_empty() {
            self.after(place.table, page.next)
        } else {
            self.rest = Some(Rows { rows: rest, next: page.next });
            Some(Place { done: place.done + page.rows.len(), ..place.clone() })
        };
        self.next.clone_from(&next);
        Ok(Some(Part { table: place.table, rows: page.rows, next }))
    }

    fn after(&self, table: LegacyTable, position: Option<String>) -> Option<Place> {
        if position.is_some() {
            return Some(Place { table, position, done: 0 });
        }
        let following = self.tables.iter().skip_while(|one| **one != table).nth(1);
        following.map(|table| Place { table: *table, position: None, done: 0 })
    }
}

/// The number of rows, from the first one, that name at most [`MAX_CATEGORIES`].
fn fitting(rows: &[Row]) -> usize {
    if rows.len() <= MAX_CATEGORIES {
        return rows.len();
    }
    let mut categories = BTreeSet::new();
    let exceeds = |row: &Row| {
        let item = row.item.as_ref().ok();
        let named = item.and_then(|item| CATEGORY.iter().find_map(|name| item.get(name)));
        categories.insert(named.map(|value| format!("{value:?}")));
        categories.len() > MAX_CATEGORIES
    };
    rows.iter().position(exceeds).unwrap_or(rows.len())
}
