//! The state of rows here: their records, and the items that they became.

use hansang_core::plan::{BatchGet, Key};
use hansang_core::{CoreCode, Error, Item, StoreError, Value, message, name, unique, write};

use super::map::Mapped;
use crate::{Content, ContentCode, messages};

/// The record of a row and the item here.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub(super) record: Option<Item>,
    pub(super) target: Option<Item>,
}

/// The items to read of rows that have no record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unrecorded {
    /// None: the rows are taken for new, and the store refuses an item that exists.
    New,
    /// Those that they may have become.
    Read,
}

/// The states of rows.
pub(super) async fn read(
    content: &Content,
    rows: &[Mapped],
    unrecorded: Unrecorded,
) -> Result<Vec<State>, Error> {
    let records = rows.iter().map(|row| record_key(content, row)).collect::<Result<_, _>>()?;
    let records = batch(content, records).await?;
    let is_read = |record: &Option<Item>| record.is_some() || unrecorded == Unrecorded::Read;
    let wanted = rows.iter().zip(&records).filter(|(_, record)| is_read(record)).map(|(row, _)| row);
    let mut targets = targets(content, &wanted.collect::<Vec<_>>()).await?.into_iter();
    let state = |record| {
        let target = if is_read(&record) { targets.next().flatten() } else { None };
        State { record, target }
    };
    Ok(records.into_iter().map(state).collect())
}

/// The items that rows became. A post is found by its pointer: it may have been moved to another category.
async fn targets(content: &Content, rows: &[&Mapped]) -> Result<Vec<Option<Item>>, Error> {
    let model = content.db.model();
    let mut keys = Vec::with_capacity(rows.len());
    let mut pointers = Vec::new();
    for row in rows {
        let entity = content.db.entity(row.entity)?;
        keys.push(write::key(entity, &row.fields)?);
        let by_id = entity.uniques.iter().find(|one| &*one.name == "id");
        pointers.extend(
            by_id.and_then(|one| unique::pointer_pk(entity, one, model.table.delimiter, &row.fields)),
        );
    }
    if pointers.len() == rows.len() {
        let pointers = pointers.into_iter().map(|pk| Key { pk, sk: unique::PREFIX.to_owned() });
        for (key, pointer) in keys.iter_mut().zip(batch(content, pointers.collect()).await?) {
            let text =
                |pointer: &Item, name: &str| pointer.get(name).and_then(Value::as_str).map(str::to_owned);
            let owner = pointer.and_then(|pointer| {
                Some(Key { pk: text(&pointer, &unique::OWNER_PK)?, sk: text(&pointer, &unique::OWNER_SK)? })
            });
            *key = owner.unwrap_or_else(|| key.clone());
        }
    }
    batch(content, keys).await
}

pub(super) fn record_key(content: &Content, row: &Mapped) -> Result<Key, Error> {
    let fields =
        Item::from([(name!("source"), row.table.name().into()), (name!("id"), row.id.as_str().into())]);
    write::key(content.db.entity("MigratedItem")?, &fields)
}

/// Items by their keys, with strong reads. A key may be there twice.
pub(super) async fn batch(content: &Content, keys: Vec<Key>) -> Result<Vec<Option<Item>>, Error> {
    if keys.is_empty() {
        return Ok(Vec::new());
    }
    let mut each = keys.clone();
    each.sort();
    each.dedup();
    let gets = BatchGet { keys: each.clone(), consistent: true, fields: None };
    let found = content.db.store().batch_get(content.db.table(), &gets).await.map_err(of_store)?;
    let of = |key: &Key| found[each.binary_search(key).unwrap_or_default()].clone();
    Ok(keys.iter().map(of).collect())
}

/// The error of a store for the caller.
pub(super) fn of_store(error: StoreError) -> Error {
    match error {
        StoreError::Invalid(error) => error,
        StoreError::Throttled | StoreError::Conflict | StoreError::Condition(_) => {
            Error::unavailable(CoreCode::Throttled, message!(messages::BUSY)).caused_by(error)
        }
        StoreError::Unavailable(_) => {
            Error::unavailable(ContentCode::SourceUnavailable, message!(messages::SOURCE_UNAVAILABLE))
                .caused_by(error)
        }
    }
}
