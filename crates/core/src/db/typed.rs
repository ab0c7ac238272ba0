//! The same methods for typed structs instead of dynamic fields.

use std::marker::PhantomData;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Ask, Db, GetOptions, Record};
use crate::code::CoreCode;
use crate::error::{Error, Source};
use crate::message;
use crate::messages::{items, reads};
use crate::model::Entity;
use crate::value::{self, Item, from_item};
use crate::write::{Update, drop_own};

/// A Rust type of the items of one entity.
///
/// Its members are called as the attributes are. An attribute that is optional in the model is an
/// `Option`, and `None` is left out of the item. Sets are lists, binary is base64 text, and a
/// [`crate::number::Number`] keeps every digit of a decimal.
pub trait Typed: Serialize + DeserializeOwned {
    /// The name of the entity.
    const ENTITY: &'static str;
}

/// The items of one entity as values of `T`: see [`Db::of`].
#[derive(Clone, Copy, Debug)]
pub struct Of<'d, T> {
    db: &'d Db,
    of: PhantomData<fn() -> T>,
}

/// A page of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypedListing<T> {
    /// The values.
    pub items: Vec<T>,
    /// The number of stored items of the page that are no values of `T`.
    pub unreadable: usize,
    /// The cursor of the next page, if there is one.
    pub next: Option<String>,
    /// The cursor of the page before this one, if there is one.
    pub previous: Option<String>,
}

impl Db {
    /// The same verbs for values of `T`. Keys and arguments can be any struct, map or JSON object.
    #[must_use]
    pub fn of<T: Typed>(&self) -> Of<'_, T> {
        Of { db: self, of: PhantomData }
    }
}

impl<T: Typed> Of<'_, T> {
    /// As [`Db::create`]. Fields that Hansang writes (times, version, type) are ignored in the value.
    ///
    /// # Errors
    /// As [`Db::create`].
    pub async fn create(&self, value: &T) -> Result<T, Error> {
        self.db.create(T::ENTITY, self.fields(value)?).await?.typed()
    }

    /// As [`Db::put`].
    ///
    /// # Errors
    /// As [`Db::put`].
    pub async fn put(&self, value: &T, expected_version: Option<i64>) -> Result<T, Error> {
        self.db.put(T::ENTITY, self.fields(value)?, expected_version).await?.typed()
    }

    /// As [`Db::get`], always the whole item.
    ///
    /// # Errors
    /// As [`Db::get`].
    pub async fn get(&self, key: &(impl Serialize + Sync), consistent: bool) -> Result<Option<T>, Error> {
        let options = GetOptions { consistent, fields: None };
        let record = self.db.get(T::ENTITY, &to_item(key)?, &options).await?;
        record.map(|record| record.typed()).transpose()
    }

    /// As [`Db::batch_get`], always whole items.
    ///
    /// # Errors
    /// As [`Db::batch_get`].
    pub async fn batch_get(
        &self,
        keys: &[impl Serialize + Sync],
        consistent: bool,
    ) -> Result<Vec<Option<T>>, Error> {
        let options = GetOptions { consistent, fields: None };
        let keys: Vec<Item> = keys.iter().map(to_item).collect::<Result<_, _>>()?;
        let records = self.db.batch_get(T::ENTITY, &keys, &options).await?;
        records.into_iter().map(|record| record.map(|record| record.typed()).transpose()).collect()
    }

    /// As [`Db::update`].
    ///
    /// # Errors
    /// As [`Db::update`].
    pub async fn update(&self, update: Update) -> Result<T, Error> {
        self.db.update(T::ENTITY, update).await?.typed()
    }

    /// As [`Db::delete`].
    ///
    /// # Errors
    /// As [`Db::delete`].
    pub async fn delete(
        &self,
        key: &(impl Serialize + Sync),
        expected_version: Option<i64>,
    ) -> Result<(), Error> {
        self.db.delete(T::ENTITY, to_item(key)?, expected_version).await
    }

    /// As [`Db::relocate`].
    ///
    /// # Errors
    /// As [`Db::relocate`].
    pub async fn relocate(
        &self,
        key: &(impl Serialize + Sync),
        changes: &(impl Serialize + Sync),
        expected_version: Option<i64>,
    ) -> Result<T, Error> {
        let (key, changes) = (to_item(key)?, to_item(changes)?);
        self.db.relocate(T::ENTITY, key, changes, expected_version).await?.typed()
    }

    /// As [`Db::query`], for a pattern that returns this entity alone. Items that are no values of `T` are counted
    /// and left out.
    ///
    /// # Errors
    /// As [`Db::query`], and when the pattern returns other entities too.
    pub async fn query(
        &self,
        pattern: &str,
        arguments: &(impl Serialize + Sync),
        ask: Ask,
    ) -> Result<TypedListing<T>, Error> {
        let entities = &self.db.pattern(pattern)?.entities;
        if let Some(other) = entities.iter().find(|entity| &*entity.name != T::ENTITY) {
            let message = message!(reads::OTHER_ENTITY, pattern, &other.name);
            return Err(Error::invalid(CoreCode::OtherEntity, message));
        }
        let listing = self.db.query(pattern, to_item(arguments)?, ask).await?;
        let items: Vec<T> = listing.records.iter().filter_map(|record| record.typed().ok()).collect();
        let unreadable = listing.records.len() - items.len() + listing.strays.len();
        Ok(TypedListing { items, unreadable, next: listing.next, previous: listing.previous })
    }

    /// The fields of a value without those that Hansang writes.
    fn fields(&self, value: &T) -> Result<Item, Error> {
        let entity: &Entity = self.db.entity(T::ENTITY)?;
        let mut fields = to_item(value)?;
        drop_own(entity, &mut fields);
        Ok(fields)
    }
}

impl Record {
    /// The fields as a value of a type of the caller's own.
    ///
    /// # Errors
    /// When the type does not fit them.
    pub fn typed<T: DeserializeOwned>(&self) -> Result<T, Error> {
        from_item(&self.fields).map_err(|error| {
            let message = message!(items::NOT_OF_TYPE, &self.entity.name);
            let source = Some(Source(Arc::new(error)));
            Error { source, ..Error::internal(CoreCode::NotOfThisType, message) }
        })
    }
}

fn to_item(value: &impl Serialize) -> Result<Item, Error> {
    value::to_item(value).map_err(|problem| Error::invalid(CoreCode::InvalidFields, problem))
}
