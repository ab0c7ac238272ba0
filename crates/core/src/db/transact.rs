//! Writes: one operation, or a transaction of several.

use std::fmt;

use super::operation::{After, Prepared, Updated};
use super::{Db, Operation, Record, alongside, failure};
use crate::apply::apply;
use crate::code::CoreCode;
use crate::error::Error;
use crate::message;
use crate::messages::stores;
use crate::plan::{Action, Guards, Key, Reason, TableWrite};
use crate::store::StoreError;
use crate::value::Item;
use crate::write::{Moment, Update};

/// The maximum number of attempts when the item changes between the read and the write.
const ATTEMPTS: usize = 16;

/// The failure of a transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The position of the operation that failed, if one did.
    pub operation: Option<usize>,
    /// The reason.
    pub error: Error,
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        refusal.error
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl std::error::Error for Refusal {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

/// A successful attempt.
struct Done {
    prepared: Vec<Prepared>,
    /// The key of each operation.
    keys: Vec<Option<Key>>,
    /// The item after the only write.
    image: Option<Item>,
}

/// A failed attempt.
struct Failure {
    refusal: Refusal,
    /// Whether another attempt may succeed.
    again: bool,
}

impl Db {
    /// Creates an item. It never overwrites.
    ///
    /// # Errors
    /// Invalid fields, an existing item, or a unique value that is taken.
    pub async fn create(&self, entity: &str, fields: Item) -> Result<Record, Error> {
        self.write_one(Operation::Create { entity: entity.into(), fields, guards: Vec::new() }).await
    }

    /// Stores a whole item, new or as a replacement of the stored one with the expected version, if there is
    /// one.
    ///
    /// # Errors
    /// As [`Db::create`], and conflicts with the stored item.
    pub async fn put(
        &self,
        entity: &str,
        fields: Item,
        expected_version: Option<i64>,
    ) -> Result<Record, Error> {
        let entity = entity.into();
        self.write_one(Operation::Put { entity, fields, expected_version, guards: Vec::new() }).await
    }

    /// Changes parts of an item. It never creates one.
    ///
    /// # Errors
    /// Invalid changes, a missing item, or conflicts with the stored item.
    pub async fn update(&self, entity: &str, update: Update) -> Result<Record, Error> {
        self.write_one(Operation::Update { entity: entity.into(), update, guards: Vec::new() }).await
    }

    /// Removes an item.
    ///
    /// # Errors
    /// A missing item, or another version of it.
    pub async fn delete(&self, entity: &str, key: Item, expected_version: Option<i64>) -> Result<(), Error> {
        let entity = entity.into();
        let delete = Operation::Delete { entity, key, expected_version, guards: Vec::new() };
        self.transact(vec![delete]).await?;
        Ok(())
    }

    /// Moves an item to another key.
    ///
    /// # Errors
    /// A missing item, an existing item at the new key, or invalid fields.
    pub async fn relocate(
        &self,
        entity: &str,
        key: Item,
        changes: Item,
        expected_version: Option<i64>,
    ) -> Result<Record, Error> {
        let entity = entity.into();
        let guards = Vec::new();
        self.write_one(Operation::Relocate { entity, key, changes, expected_version, guards }).await
    }

    async fn write_one(&self, operation: Operation) -> Result<Record, Error> {
        let records = self.transact(vec![operation]).await?;
        records
            .into_iter()
            .next()
            .flatten()
            .ok_or_else(|| Error::unavailable(CoreCode::WrittenUnread, message!(stores::RESULT_UNREAD)))
    }

    /// Executes all of the operations or none. Returns the items afterwards, in the order of the operations;
    /// nothing for one that leaves no item, or whose item was deleted in the meantime.
    ///
    /// # Errors
    /// The operation that failed, and the reason. Nothing was written then, unless the code is
    /// `outcome_unknown`.
    pub async fn transact(&self, operations: Vec<Operation>) -> Result<Vec<Option<Record>>, Refusal> {
        let Done { prepared, keys, image } = self.until_done(&operations, true).await?;
        let mut records = Vec::with_capacity(prepared.len());
        for (one, key) in prepared.into_iter().zip(keys) {
            records.push(self.record_after(one.after, key, image.as_ref()).await);
        }
        Ok(records)
    }

    /// As [`Db::transact`], without the items afterwards: nothing is read back.
    ///
    /// # Errors
    /// As [`Db::transact`].
    pub async fn commit(&self, operations: Vec<Operation>) -> Result<(), Refusal> {
        self.until_done(&operations, false).await.map(drop)
    }

    /// `seen` tells whether the caller needs the items afterwards.
    async fn until_done(&self, operations: &[Operation], seen: bool) -> Result<Done, Refusal> {
        let mut attempts = 1;
        loop {
            match self.attempt(operations, seen).await {
                Ok(done) => return Ok(done),
                Err(failure) if failure.again && attempts < ATTEMPTS => attempts += 1,
                Err(failure) => return Err(failure.refusal),
            }
        }
    }

    async fn attempt(&self, operations: &[Operation], seen: bool) -> Result<Done, Failure> {
        let now = self.clock.moment().now;
        let mut prepared = Vec::with_capacity(operations.len());
        for (index, operation) in operations.iter().enumerate() {
            // One time for all operations, but new random bits for each: no two items may get the same id.
            let moment = Moment { now, ..self.clock.moment() };
            let refused = |error| final_failure(Some(index), error);
            prepared.push(self.prepare(operation, &moment, seen).await.map_err(refused)?);
        }
        let key = |one: &Prepared| one.writes.first().filter(|_| seen).map(|write| write.key.clone());
        let keys: Vec<Option<Key>> = prepared.iter().map(key).collect();
        let alongside = self.alongside.writes(|| changed_keys(&prepared));
        let alongside = alongside.map_err(|error| final_failure(None, error))?;
        let count = prepared.iter().map(|one| one.writes.len()).sum::<usize>() + alongside.len();
        let (mut writes, mut owners) = (Vec::with_capacity(count), Vec::with_capacity(count));
        for (index, one) in prepared.iter_mut().enumerate() {
            owners.extend(one.writes.iter().map(|_| index));
            let table = |write| TableWrite { table: self.table.clone(), write };
            writes.extend(std::mem::take(&mut one.writes).into_iter().map(table));
        }
        writes.extend(alongside);
        let guards: Vec<Guards> = writes.iter().map(|one| one.write.guards.clone()).collect();
        let image =
            self.execute(writes).await.map_err(|error| explain(error, &guards, &owners, &prepared))?;
        Ok(Done { prepared, keys, image })
    }

    /// A single write returns the item; several writes, or a check, are a transaction.
    async fn execute(&self, mut writes: Vec<TableWrite>) -> Result<Option<Item>, StoreError> {
        match writes.pop() {
            None => Ok(None),
            Some(TableWrite { table, write })
                if writes.is_empty() && !matches!(write.action, Action::Check) =>
            {
                self.store.write(&table, write).await
            }
            Some(last) => {
                writes.push(last);
                self.store.transact(writes).await.map(|()| None)
            }
        }
    }

    /// The record after an operation. The write has succeeded, so nothing that follows is an error: a failed read
    /// only leaves the record unknown, and an item that does not match the model is a record with problems.
    async fn record_after(&self, after: After, key: Option<Key>, image: Option<&Item>) -> Option<Record> {
        let updated = match after {
            After::Nothing => return None,
            After::Record(record) => return Some(record),
            After::Updated(updated) => updated,
        };
        let item = match (image, key) {
            (Some(image), _) => Some(image.clone()),
            (None, Some(key)) if !updated.exact => self.read_back(key).await.ok().flatten(),
            _ => None,
        };
        let item = item.or_else(|| computed(&updated))?;
        Record::whole(&self.model, item).ok()
    }
}

/// The keys of the items that are written, without those that are only checked.
fn changed_keys(prepared: &[Prepared]) -> Vec<Key> {
    let writes = prepared.iter().flat_map(|one| &one.writes);
    writes.filter(|write| !matches!(write.action, Action::Check)).map(|write| write.key.clone()).collect()
}

fn computed(updated: &Updated) -> Option<Item> {
    apply(updated.stored.as_ref()?, &updated.changes).ok()
}

fn final_failure(operation: Option<usize>, error: Error) -> Failure {
    Failure { refusal: Refusal { operation, error }, again: false }
}

/// The reason why the store did not write, and whether a new read may help. If one failed condition is
/// stale, others may be too, so another attempt comes first.
fn explain(error: StoreError, guards: &[Guards], owners: &[usize], prepared: &[Prepared]) -> Failure {
    let failed = match error {
        StoreError::Condition(failed) => failed,
        StoreError::Conflict => {
            return Failure { again: true, ..final_failure(None, failure::of_store(error)) };
        }
        other => return final_failure(None, failure::of_store(other)),
    };
    let mut first: Option<Failure> = None;
    for one in &failed {
        let index = owners.get(one.index).copied();
        let reason = failure::reason(guards, one);
        let stale = reason.zip(index).is_some_and(|(reason, index)| prepared[index].is_stale(reason));
        let failure = first.get_or_insert_with(|| {
            let error = match (reason.map(Reason::error), index) {
                (Some(error), Some(_)) => error,
                (Some(error), None) => alongside::refused(error),
                (None, _) => failure::unexplained(),
            };
            final_failure(index, error)
        });
        failure.again |= stale;
    }
    first.unwrap_or_else(|| final_failure(None, failure::unexplained()))
}
