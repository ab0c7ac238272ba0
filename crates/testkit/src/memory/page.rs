//! Pages of items, up to a limit or 1 MB.

use std::sync::Arc;

use hansang_core::evaluate::holds;
use hansang_core::model::{Index, Projection, Table};
use hansang_core::plan::{Query, Scan};
use hansang_core::store::check;
use hansang_core::{Item, Name, Page, StoreError};

use super::entry_key::{EntryKey, Range, of_entry, of_item};
use super::table::{MemoryTable, Order, Row};

/// Maximum size of a page in bytes.
const MAX_PAGE_BYTES: usize = 1024 * 1024;

impl MemoryTable {
    pub(super) fn query(&self, query: &Query) -> Result<Page, StoreError> {
        let index = check::query(&self.table, query)?;
        let mut range = Range::of_query(query);
        if let Some(start) = &query.start {
            range = range.behind(self.place(start, index)?, query.descending);
        }
        let carried = index.and_then(|index| carried(&self.table, index));
        let fields = query.fields.as_deref().or(carried.as_deref());
        let Some(bounds) = range.bounds() else { return Ok(Page::default()) };
        let rows = self.order(index).range(bounds).map(|(_, row)| row);
        let keep = |item: &Item| query.filter.as_ref().is_none_or(|filter| holds(filter, Some(item)));
        Ok(if query.descending {
            self.page(index, rows.rev(), query.limit, keep, fields)
        } else {
            self.page(index, rows, query.limit, keep, fields)
        })
    }

    pub(super) fn scan(&self, scan: &Scan) -> Result<Page, StoreError> {
        let index = check::scan(&self.table, scan)?;
        let mut range = Range::all();
        if let Some(start) = &scan.start {
            range = range.behind(self.place(start, index)?, false);
        }
        let carried = index.and_then(|index| carried(&self.table, index));
        let Some(bounds) = range.bounds() else { return Ok(Page::default()) };
        let rows = self.order(index).range(bounds).map(|(_, row)| row);
        Ok(self.page(index, rows, scan.limit, |_| true, carried.as_deref()))
    }

    fn order(&self, index: Option<&Index>) -> &Order {
        let position =
            index.and_then(|index| self.table.indexes.iter().position(|one| one.name == index.name));
        position.map_or(&self.items, |position| &self.indexes[position])
    }

    /// Key that a page starts after.
    fn place(&self, start: &Item, index: Option<&Index>) -> Result<EntryKey, StoreError> {
        let place = of_item(&check::key_of(&self.table, start)?);
        Ok(index.and_then(|index| of_entry(index, start, &place)).unwrap_or(place))
    }

    fn page<'r>(
        &self,
        index: Option<&Index>,
        rows: impl Iterator<Item = &'r Arc<Row>>,
        limit: u32,
        keep: impl Fn(&Item) -> bool,
        fields: Option<&[Name]>,
    ) -> Page {
        let mut page = Page::default();
        let (mut read, mut size) = (0, 0);
        for row in rows {
            read += 1;
            size += row.size();
            if keep(&row.item) {
                page.items.push(pick(&row.item, fields));
            }
            if read >= limit || size >= MAX_PAGE_BYTES {
                page.next = Some(pick(&row.item, Some(&keys(&self.table, index))));
                break;
            }
        }
        page
    }
}

/// Selects attributes of an item.
pub(super) fn pick(item: &Item, fields: Option<&[Name]>) -> Item {
    match fields {
        None => item.clone(),
        Some(fields) => {
            let wanted = item.iter().filter(|(name, _)| fields.contains(name));
            wanted.map(|(name, value)| (name.clone(), value.clone())).collect()
        }
    }
}

/// Key attributes of a table and, on an index, of the index.
fn keys(table: &Table, index: Option<&Index>) -> Vec<Name> {
    let of_index = index.into_iter().flat_map(|index| [Some(&index.pk), index.sk.as_ref()]).flatten();
    [&table.pk, &table.sk].into_iter().chain(of_index).cloned().collect()
}

/// Attributes of the projection of an index, or `None` for all.
fn carried(table: &Table, index: &Index) -> Option<Vec<Name>> {
    let more: &[Name] = match &index.projection {
        Projection::All => return None,
        Projection::Keys => &[],
        Projection::Include(more) => more,
    };
    Some(keys(table, Some(index)).into_iter().chain(more.iter().cloned()).collect())
}
