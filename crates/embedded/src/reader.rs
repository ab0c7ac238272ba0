//! Reads from snapshots. Readers and the writer never wait for each other.

use std::ops::Bound;

use hansang_core::evaluate::holds;
use hansang_core::model::{Index, Projection};
use hansang_core::plan::{BatchGet, Get, Key, Query, Scan};
use hansang_core::store::check;
use hansang_core::{Item, Name, Page, StoreError};

use crate::catalog::StoredTable;
use crate::engine::{Bytes, Engine, Snapshot};
use crate::rows::{RowKey, Rows, Since};
use crate::seal::Kind;
use crate::{codec, keys};

/// Maximum size of a page in bytes.
const MAX_PAGE_BYTES: usize = 1024 * 1024;

/// A table in a snapshot.
pub(crate) struct Reader<'r> {
    pub(crate) engine: &'r Engine,
    pub(crate) snapshot: &'r Snapshot,
    pub(crate) stored: &'r StoredTable,
    /// Row cache, with the state from before the snapshot.
    pub(crate) rows: Option<(&'r Rows, Since)>,
}

impl Reader<'_> {
    pub(crate) fn get(&self, get: &Get) -> Result<Option<Item>, StoreError> {
        self.item(&get.key, get.fields.as_deref())
    }

    pub(crate) fn batch_get(&self, gets: &BatchGet) -> Result<Vec<Option<Item>>, StoreError> {
        gets.keys.iter().map(|key| self.item(key, gets.fields.as_deref())).collect()
    }

    fn item(&self, key: &Key, fields: Option<&[Name]>) -> Result<Option<Item>, StoreError> {
        check::key(&self.stored.table, key)?;
        let key = keys::of_item(key);
        let bytes = self.row(&key)?;
        bytes.map(|bytes| self.decode(&key, &bytes, |name| wanted(fields, name))).transpose()
    }

    pub(crate) fn query(&self, query: &Query) -> Result<Page, StoreError> {
        check::query(&self.stored.table, query)?;
        let index = query.index.as_deref().map(|name| self.stored.index(name)).transpose()?;
        let mut range = keys::of_query(query, index);
        if let Some(start) = &query.start {
            range = keys::behind(range, self.start_key(start, index)?, query.descending);
        }
        let mut page = self.page(index, range, query.descending, query.limit, |item| {
            query.filter.as_ref().is_none_or(|filter| holds(filter, Some(item)))
        })?;
        if let Some(fields) = &query.fields {
            page.items.iter_mut().for_each(|item| item.retain(|name, _| fields.contains(name)));
        }
        Ok(page)
    }

    pub(crate) fn scan(&self, scan: &Scan) -> Result<Page, StoreError> {
        check::scan(&self.stored.table, scan)?;
        let index = scan.index.as_deref().map(|name| self.stored.index(name)).transpose()?;
        let mut range = match index {
            Some((slot, _)) => keys::slot(slot),
            None => (Bound::Unbounded, Bound::Unbounded),
        };
        if let Some(start) = &scan.start {
            range = keys::behind(range, self.start_key(start, index)?, false);
        }
        self.page(index, range, false, scan.limit, |_| true)
    }

    /// Encodes the key that a page starts after.
    fn start_key(&self, start: &Item, index: Option<(u8, &Index)>) -> Result<Vec<u8>, StoreError> {
        let key = keys::of_item(&check::key_of(&self.stored.table, start)?);
        Ok(match index {
            Some((slot, index)) => keys::of_entry(slot, index, start, &key).unwrap_or(key),
            None => key,
        })
    }

    fn page(
        &self,
        index: Option<(u8, &Index)>,
        range: keys::Range,
        descending: bool,
        limit: u32,
        keep: impl Fn(&Item) -> bool,
    ) -> Result<Page, StoreError> {
        let space = if index.is_some() { &self.stored.entries } else { &self.stored.items };
        let projected = index.and_then(|(_, index)| self.projected(index));
        let mut page = Page::default();
        let (mut read, mut size) = (0, 0);
        for entry in self.snapshot.range(self.engine, space, range, descending) {
            let (key, value) = entry?;
            let (key, bytes) = match index {
                Some((_, index)) => self.behind_entry(index, &key)?,
                None => (&*key, value),
            };
            let item = self.decode(key, &bytes, |name| wanted(projected.as_deref(), name))?;
            read += 1;
            size += bytes.len();
            let full = read >= limit || size >= MAX_PAGE_BYTES;
            if full {
                page.next = Some(self.key_attributes(&item, index));
            }
            if keep(&item) {
                page.items.push(item);
            }
            if full {
                break;
            }
        }
        Ok(page)
    }

    /// Reads the item of an index entry, with its key.
    fn behind_entry<'e>(&self, index: &Index, entry: &'e [u8]) -> Result<(&'e [u8], Bytes), StoreError> {
        let damaged = || self.engine.damaged(codec::Damaged);
        let key = keys::item_of_entry(index, entry).ok_or_else(damaged)?;
        Ok((key, self.row(key)?.ok_or_else(damaged)?))
    }

    /// Reads the encoded item of a key.
    fn row(&self, key: &[u8]) -> Result<Option<Bytes>, StoreError> {
        let row_key = RowKey(self.stored.number, key);
        if let Some(bytes) = self.rows.and_then(|(rows, since)| rows.get(row_key, since)) {
            return Ok(Some(bytes));
        }
        let bytes = self.snapshot.get(self.engine, &self.stored.items, key)?;
        if let (Some(bytes), Some((rows, since))) = (&bytes, self.rows) {
            rows.keep(row_key, since, bytes);
        }
        Ok(bytes)
    }

    fn key_attributes(&self, item: &Item, index: Option<(u8, &Index)>) -> Item {
        let table = &self.stored.table;
        let of_index = index.map(|(_, index)| [Some(&index.pk), index.sk.as_ref()]);
        let names = [&table.pk, &table.sk].into_iter().chain(of_index.into_iter().flatten().flatten());
        names
            .filter_map(|name| item.get_key_value(name))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect()
    }

    /// Attributes of the projection of an index, or `None` for all.
    fn projected(&self, index: &Index) -> Option<Vec<Name>> {
        let table = &self.stored.table;
        let mut names = vec![table.pk.clone(), table.sk.clone(), index.pk.clone()];
        names.extend(index.sk.clone());
        match &index.projection {
            Projection::All => return None,
            Projection::Keys => {}
            Projection::Include(more) => names.extend(more.iter().cloned()),
        }
        Some(names)
    }

    fn decode(&self, key: &[u8], record: &[u8], wanted: impl Fn(&str) -> bool) -> Result<Item, StoreError> {
        let item = self.engine.unseal(Kind::Item, key, record).and_then(|bytes| codec::decode(bytes, wanted));
        item.map_err(|damaged| self.engine.damaged(damaged))
    }
}

fn wanted(fields: Option<&[Name]>, name: &str) -> bool {
    fields.is_none_or(|fields| fields.iter().any(|field| **field == *name))
}
