//! Writing: one operation, or several that happen together or not at all.

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

/// How often a plan is made anew because the item changed between the read and the write.
const ATTEMPTS: usize = 16;

/// Why a transaction did not happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The place of the operation that is to blame, if one is.
    pub operation: Option<usize>,
    /// What is wrong.
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

/// An attempt that was done.
struct Done {
    prepared: Vec<Prepared>,
    /// The item of each operation.
    keys: Vec<Option<Key>>,
    /// What became of the item, where there was only one.
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
    /// Every field that breaks a rule; that there is such an item; that a unique value is taken.
    pub async fn create(&self, entity: &str, fields: Item) -> Result<Record, Error> {
        self.write_one(Operation::Create { entity: entity.into(), fields, guards: Vec::new() }).await
    }

    /// Stores a whole item, new or in place of the stored one, whose version must be the expected
    /// one if the caller expects one.
    ///
    /// # Errors
    /// As [`Db::create`], and what the stored item does not allow.
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
    /// Every change that breaks a rule; that there is no such item; what the stored one does not
    /// allow.
    pub async fn update(&self, entity: &str, update: Update) -> Result<Record, Error> {
        self.write_one(Operation::Update { entity: entity.into(), update, guards: Vec::new() }).await
    }

    /// Removes an item.
    ///
    /// # Errors
    /// That there is no such item, or another version of it.
    pub async fn delete(&self, entity: &str, key: Item, expected_version: Option<i64>) -> Result<(), Error> {
        let entity = entity.into();
        let delete = Operation::Delete { entity, key, expected_version, guards: Vec::new() };
        self.transact(vec![delete]).await?;
        Ok(())
    }

    /// Moves an item to another key, with everything it has.
    ///
    /// # Errors
    /// That there is no such item or one at the new key already, and every field that breaks a rule.
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

    /// Does all of the operations or none. Gives the items afterwards, in the order of the
    /// operations; nothing for one that leaves none, or whose item went away in the meantime.
    ///
    /// # Errors
    /// Which operation is refused, and why. Nothing was written then, unless the code is
    /// `outcome_unknown`.
    pub async fn transact(&self, operations: Vec<Operation>) -> Result<Vec<Option<Record>>, Refusal> {
        let Done { prepared, keys, image } = self.until_done(&operations, true).await?;
        let mut records = Vec::with_capacity(prepared.len());
        for (place, (one, key)) in prepared.into_iter().zip(keys).enumerate() {
            let record = self.record_after(one.after, key, image.as_ref()).await;
            records.push(record.map_err(|error| Refusal { operation: Some(place), error })?);
        }
        Ok(records)
    }

    /// As [`Db::transact`], for whoever does not need to see the items afterwards: nothing is read back.
    ///
    /// # Errors
    /// As [`Db::transact`].
    pub async fn commit(&self, operations: Vec<Operation>) -> Result<(), Refusal> {
        self.until_done(&operations, false).await.map(drop)
    }

    /// `seen` tells whether somebody wants to see the items afterwards.
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
        for (place, operation) in operations.iter().enumerate() {
            // One time for all, but random bits for each: no two items may get the same identifier.
            let moment = Moment { now, ..self.clock.moment() };
            let refused = |error| final_failure(Some(place), error);
            prepared.push(self.prepare(operation, &moment, seen).await.map_err(refused)?);
        }
        let key = |one: &Prepared| one.writes.first().filter(|_| seen).map(|write| write.key.clone());
        let keys: Vec<Option<Key>> = prepared.iter().map(key).collect();
        let count = prepared.iter().map(|one| one.writes.len()).sum::<usize>() + self.alongside.len();
        let (mut writes, mut owners) = (Vec::with_capacity(count), Vec::with_capacity(count));
        for (place, one) in prepared.iter_mut().enumerate() {
            owners.extend(one.writes.iter().map(|_| place));
            let table = |write| TableWrite { table: self.table.clone(), write };
            writes.extend(std::mem::take(&mut one.writes).into_iter().map(table));
        }
        writes.extend(self.alongside.iter().cloned());
        let guards: Vec<Guards> = writes.iter().map(|one| one.write.guards.clone()).collect();
        let image =
            self.execute(writes).await.map_err(|error| explain(error, &guards, &owners, &prepared))?;
        Ok(Done { prepared, keys, image })
    }

    /// One write by itself gives the item it made; several are a transaction, and so is a check.
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

    /// What an operation left. The write is done, so that nothing which fails here undoes it: a
    /// read that fails leaves the record unknown.
    async fn record_after(
        &self,
        after: After,
        key: Option<Key>,
        image: Option<&Item>,
    ) -> Result<Option<Record>, Error> {
        let updated = match after {
            After::Nothing => return Ok(None),
            After::Record(record) => return Ok(Some(record)),
            After::Updated(updated) => updated,
        };
        let item = match (image, key) {
            (Some(image), _) => Some(image.clone()),
            (None, Some(key)) if !updated.exact => self.read_back(key).await.ok().flatten(),
            _ => None,
        };
        let item = item.or_else(|| computed(&updated));
        let record = item.map(|item| Record::whole(&self.model, item)).transpose();
        record.map_err(|error| Error { message: message!(stores::BUT, &error.message), ..error })
    }
}

fn computed(updated: &Updated) -> Option<Item> {
    apply(updated.stored.as_ref()?, &updated.changes).ok()
}

fn final_failure(operation: Option<usize>, error: Error) -> Failure {
    Failure { refusal: Refusal { operation, error }, again: false }
}

/// Why the store did not write, and whether a fresh read may help. Where one failed condition is
/// only stale, others may be too, so another attempt comes before any answer.
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
        let place = owners.get(one.index).copied();
        let reason = failure::reason(guards, one);
        let stale = reason.zip(place).is_some_and(|(reason, place)| prepared[place].is_stale(reason));
        let answer = first.get_or_insert_with(|| {
            let error = match (reason.map(Reason::error), place) {
                (Some(error), Some(_)) => error,
                (Some(error), None) => alongside::refused(error),
                (None, _) => failure::unexplained(),
            };
            final_failure(place, error)
        });
        answer.again |= stale;
    }
    first.unwrap_or_else(|| final_failure(None, failure::unexplained()))
}
