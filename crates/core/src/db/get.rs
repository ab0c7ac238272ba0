//! Reading items by their keys.

use std::collections::BTreeMap;

use super::{Db, Record, failure};
use crate::error::Error;
use crate::expiry;
use crate::message;
use crate::messages::fields;
use crate::model::Entity;
use crate::plan::{BatchGet, Get, Key};
use crate::validate::violation;
use crate::value::{Item, Name};
use crate::write;

/// The maximum number of keys of one batch in DynamoDB.
const MAX_BATCH: usize = 100;

/// Options of a get.
#[derive(Clone, Debug, Default)]
pub struct GetOptions {
    /// Whether the read is strongly consistent.
    pub consistent: bool,
    /// The fields to read, if not all; those of the key are always included.
    pub fields: Option<Vec<String>>,
}

impl Db {
    /// One item by the fields of its key.
    ///
    /// # Errors
    /// When a field of the key is missing or wrong.
    pub async fn get(&self, entity: &str, key: &Item, options: &GetOptions) -> Result<Option<Record>, Error> {
        let entity = self.entity(entity)?;
        let fields = self.attributes(entity, options)?;
        let get = Get { key: write::key(entity, key)?, consistent: options.consistent, fields };
        let item = self.read(&get, self.clock.moment().now).await?;
        item.map(|item| self.record(item, options)).transpose()
    }

    /// One item as it is stored, for a system that decodes its items itself. Strongly consistent.
    ///
    /// # Errors
    /// When a field of the key is missing or wrong.
    pub async fn stored(&self, entity: &str, key: &Item) -> Result<Option<Item>, Error> {
        let get = Get { key: write::key(self.entity(entity)?, key)?, consistent: true, fields: None };
        self.read(&get, self.clock.moment().now).await
    }

    /// Many items of one entity, in the order of the keys; nothing for a missing one.
    ///
    /// # Errors
    /// As [`Db::get`].
    pub async fn batch_get(
        &self,
        entity: &str,
        keys: &[Item],
        options: &GetOptions,
    ) -> Result<Vec<Option<Record>>, Error> {
        let entity = self.entity(entity)?;
        let fields = self.attributes(entity, options)?;
        let keys: Vec<Key> = keys.iter().map(|key| write::key(entity, key)).collect::<Result<_, _>>()?;
        let found = self.read_all(&keys, options.consistent, fields).await?;
        let record = |key: &Key| found.get(key).map(|item| self.record(item.clone(), options)).transpose();
        keys.iter().map(record).collect()
    }

    /// The stored items with these keys that have not expired. Keys may repeat.
    pub(super) async fn read_all(
        &self,
        keys: &[Key],
        consistent: bool,
        fields: Option<Vec<Name>>,
    ) -> Result<BTreeMap<Key, Item>, Error> {
        let now = self.clock.moment().now;
        let mut keys = keys.to_vec();
        keys.sort();
        keys.dedup();
        let mut found = BTreeMap::new();
        for chunk in keys.chunks(MAX_BATCH) {
            let gets = BatchGet { keys: chunk.to_vec(), consistent, fields: fields.clone() };
            let items = self.store.batch_get(&self.table, &gets).await.map_err(failure::of_store)?;
            for (key, item) in gets.keys.into_iter().zip(items) {
                let alive = item.filter(|item| !expiry::is_expired(&self.table, item, now));
                found.extend(alive.map(|item| (key, item)));
            }
        }
        Ok(found)
    }

    fn record(&self, item: Item, options: &GetOptions) -> Result<Record, Error> {
        let Some(wanted) = &options.fields else { return Record::whole(&self.model, item) };
        Record::some(&self.model, item, wanted)
    }

    /// The attributes to fetch: the wanted ones, the key and the expiry.
    fn attributes(&self, entity: &Entity, options: &GetOptions) -> Result<Option<Vec<Name>>, Error> {
        let Some(fields) = &options.fields else { return Ok(None) };
        let mut names = vec![self.table.pk.clone(), self.table.sk.clone()];
        names.extend(expiry::attribute(&self.table).cloned());
        let mut violations = Vec::new();
        for field in fields {
            match entity.attribute(field) {
                Some(attribute) if attribute.stored => names.push(attribute.name.clone()),
                Some(_) => {}
                None => violations.push(violation(field, message!(fields::UNKNOWN_ATTRIBUTE, &entity.name))),
            }
        }
        if !violations.is_empty() {
            return Err(Error::fields(violations));
        }
        names.sort();
        names.dedup();
        Ok(Some(names))
    }
}
