//! Import: whole stored items, from a backup or another table.

use std::collections::BTreeSet;

use super::{Db, failure};
use crate::code::CoreCode;
use crate::error::Error;
use crate::identify::{Identity, check_item, identify};
use crate::message;
use crate::messages::items;
use crate::plan::Key;
use crate::store::check;
use crate::value::{Item, Name, Value};

/// The result of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// The number of stored items.
    pub stored: usize,
    /// The rejected items.
    pub refused: Vec<RefusedItem>,
}

/// An item that was not imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedItem {
    /// Its position in the input.
    pub index: usize,
    /// Its key, if it has one.
    pub key: Option<Key>,
    /// The reason.
    pub error: Error,
}

impl Db {
    /// Stores items as they are, keys included, and replaces existing ones. All are checked before the first
    /// one is stored, and only those that match the model are stored: others would never be found again.
    ///
    /// # Errors
    /// When the store fails. Some items may be stored then; a retry is safe.
    pub async fn import(&self, items: Vec<Item>) -> Result<Imported, Error> {
        let mut imported = Imported::default();
        let mut seen = BTreeSet::new();
        let mut accepted = Vec::with_capacity(items.len());
        for (index, item) in items.into_iter().enumerate() {
            match self.check_import(&item, &mut seen) {
                Ok(()) => accepted.push(item),
                Err(error) => {
                    let key = check::key_of(&self.table, &item).ok();
                    imported.refused.push(RefusedItem { index, key, error });
                }
            }
        }
        imported.stored = accepted.len();
        if !accepted.is_empty() {
            self.store.batch_put(&self.table, accepted).await.map_err(failure::of_store)?;
        }
        Ok(imported)
    }

    fn check_import(&self, item: &Item, seen: &mut BTreeSet<Key>) -> Result<(), Error> {
        let key = check::item(&self.table, item)?;
        check_item(&self.model, item).map_err(Error::fields)?;
        let text = |name: &Name| item.get(name).and_then(Value::as_str).unwrap_or_default();
        let (pk, sk) = (text(&self.table.pk), text(&self.table.sk));
        if let Some(Identity::Entity { entity, .. } | Identity::Pointer { entity, .. }) =
            identify(&self.model, pk, sk)
        {
            self.writable(&entity.name)?;
        }
        if !seen.insert(key) {
            return Err(Error::invalid(CoreCode::ImportedTwice, message!(items::IMPORTED_TWICE)));
        }
        Ok(())
    }
}
