//! The operations of a transaction, and their plans.

use super::{Db, Record, failure};
use crate::code::CoreCode;
use crate::error::Error;
use crate::message;
use crate::messages::stores;
use crate::model::{Entity, Model};
use crate::plan::{Action, Change, Guard, Path, Reason, Write};
use crate::value::{Item, Name, Value};
use crate::write::{self, Current, Moment, Planned, Update};

/// One part of a transaction. Guards are further conditions on the stored item, each with the reason to
/// report when it fails.
#[derive(Clone, Debug)]
pub enum Operation {
    /// A new item.
    Create {
        /// The entity.
        entity: Name,
        /// Its fields.
        fields: Item,
        /// Further conditions.
        guards: Vec<Guard>,
    },
    /// A whole item, new or as a replacement.
    Put {
        /// The entity.
        entity: Name,
        /// Its fields.
        fields: Item,
        /// The expected version, if there is one.
        expected_version: Option<i64>,
        /// Further conditions.
        guards: Vec<Guard>,
    },
    /// A change of parts of an item.
    Update {
        /// The entity.
        entity: Name,
        /// The changes.
        update: Update,
        /// Further conditions.
        guards: Vec<Guard>,
    },
    /// The removal of an item.
    Delete {
        /// The entity.
        entity: Name,
        /// The fields of its key.
        key: Item,
        /// The expected version, if there is one.
        expected_version: Option<i64>,
        /// Further conditions.
        guards: Vec<Guard>,
    },
    /// The move of an item to another key.
    Relocate {
        /// The entity.
        entity: Name,
        /// The fields of its key.
        key: Item,
        /// The fields that change.
        changes: Item,
        /// The expected version, if there is one.
        expected_version: Option<i64>,
        /// Further conditions on the item at its old key.
        guards: Vec<Guard>,
    },
    /// A check that the guards hold or, without guards, that the item exists.
    Check {
        /// The entity.
        entity: Name,
        /// The fields of its key.
        key: Item,
        /// The conditions.
        guards: Vec<Guard>,
    },
    /// A write that a system planned itself.
    Write(Write),
}

/// An operation that is ready to be executed.
pub(super) struct Prepared {
    pub(super) writes: Vec<Write>,
    pub(super) after: After,
    stale: Stale,
}

/// The item after the write, as far as it is known.
pub(super) enum After {
    /// There is no item, or the caller does not need it.
    Nothing,
    /// This record.
    Record(Record),
    /// The result of an update.
    Updated(Updated),
}

/// An update, with the item that was read before it.
pub(super) struct Updated {
    pub(super) stored: Option<Item>,
    pub(super) changes: Vec<(Path, Change)>,
    /// Whether the update is guarded by the version that was read.
    pub(super) exact: bool,
}

/// The failed conditions after which a new read may help.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stale {
    /// After no failure.
    Never,
    /// If the item changed.
    IfChanged,
    /// If the item was created, deleted or changed.
    IfOther,
}

impl Prepared {
    /// Decodes the record of a put before the write, if the caller needs it.
    fn see(mut self, model: &Model, seen: bool) -> Result<Self, Error> {
        if let (true, Some(Write { action: Action::Put(item), .. })) = (seen, self.writes.first()) {
            self.after = After::Record(Record::whole(model, item.clone())?);
        }
        Ok(self)
    }

    /// Whether a plan from a fresh read may succeed where this one failed.
    pub(super) fn is_stale(&self, reason: &Reason) -> bool {
        match reason {
            Reason::Changed { .. } => self.stale != Stale::Never,
            Reason::Exists { .. } | Reason::Missing { .. } => self.stale == Stale::IfOther,
            _ => false,
        }
    }
}

impl Db {
    /// Plans an operation, with a read first if it needs one. `seen` tells whether the caller needs the item
    /// afterwards.
    pub(super) async fn prepare(
        &self,
        operation: &Operation,
        moment: &Moment,
        seen: bool,
    ) -> Result<Prepared, Error> {
        match operation {
            Operation::Create { entity, fields, guards } => {
                let writes = write::create(&self.model, self.writable(entity)?, fields.clone(), moment)?;
                put_of(writes, 0, guards, Stale::Never).see(&self.model, seen)
            }
            Operation::Put { entity, fields, expected_version, guards } => {
                let put = self.prepare_put(entity, fields, *expected_version, guards, moment).await?;
                put.see(&self.model, seen)
            }
            Operation::Update { entity, update, guards } => {
                self.prepare_update(entity, update, guards, moment, seen).await
            }
            Operation::Delete { entity, key, expected_version, guards } => {
                let entity = self.writable(entity)?;
                let plan = |current: Current<'_>| {
                    write::delete(&self.model, entity, key, current, *expected_version, moment)
                };
                let (mut writes, stored) = self.read_and_plan(plan, moment).await?;
                guard(&mut writes, 0, guards);
                let stale = stale_if(stored.is_some() && expected_version.is_none(), Stale::IfChanged);
                Ok(Prepared { writes, after: After::Nothing, stale })
            }
            Operation::Relocate { entity, key, changes, expected_version, guards } => {
                let entity = self.writable(entity)?;
                let stored = self.read_stored(entity, key, moment).await?;
                write::check_version(entity, &stored, *expected_version)?;
                let writes = write::relocate(&self.model, entity, &stored, changes.clone(), moment)?;
                // The guards belong to the stored item, which the second write deletes.
                let stale = stale_if(expected_version.is_none(), Stale::IfChanged);
                put_of(writes, 1, guards, stale).see(&self.model, seen)
            }
            Operation::Check { entity, key, guards } => {
                let check = write::check(&self.model, self.entity(entity)?, key, guards.clone(), moment)?;
                Ok(Prepared { writes: vec![check], after: After::Nothing, stale: Stale::Never })
            }
            Operation::Write(write) => {
                Ok(Prepared { writes: vec![write.clone()], after: After::Nothing, stale: Stale::Never })
            }
        }
    }

    async fn prepare_put(
        &self,
        entity: &str,
        fields: &Item,
        expected_version: Option<i64>,
        guards: &[Guard],
        moment: &Moment,
    ) -> Result<Prepared, Error> {
        let entity = self.writable(entity)?;
        let plan = |current: Current<'_>| {
            match (current, expected_version) {
                (Current::Item(stored), _) => write::check_version(entity, stored, expected_version)?,
                (Current::Absent, Some(_)) => return Err(missing(entity)),
                _ => {}
            }
            write::put(&self.model, entity, fields.clone(), current, moment)
        };
        let (writes, _) = self.read_and_plan(plan, moment).await?;
        Ok(put_of(writes, 0, guards, stale_if(expected_version.is_none(), Stale::IfOther)))
    }

    async fn prepare_update(
        &self,
        entity: &str,
        update: &Update,
        guards: &[Guard],
        moment: &Moment,
        seen: bool,
    ) -> Result<Prepared, Error> {
        let entity = self.writable(entity)?;
        let plan = |current: Current<'_>| write::update(&self.model, entity, update.clone(), current, moment);
        let (mut writes, stored) = self.read_and_plan(plan, moment).await?;
        guard(&mut writes, 0, guards);
        let expected = update.expected_version.map(Value::from);
        let stale = stale_if(stored.is_some() && expected.is_none(), Stale::IfChanged);
        let changes = match writes.first().map(|write| &write.action) {
            Some(Action::Update(changes)) if seen => changes.clone(),
            _ => return Ok(Prepared { writes, after: After::Nothing, stale }),
        };
        let version = entity.version().zip(stored.as_ref());
        let version = version.and_then(|(version, stored)| stored.get(&version.name));
        let exact = expected.is_some() && expected.as_ref() == version;
        Ok(Prepared { writes, after: After::Updated(Updated { stored, changes, exact }), stale })
    }

    /// Plans, and plans again with the stored item if planning asks for it.
    async fn read_and_plan(
        &self,
        plan: impl Fn(Current<'_>) -> Result<Planned, Error>,
        moment: &Moment,
    ) -> Result<(Vec<Write>, Option<Item>), Error> {
        let get = match plan(Current::Unknown)? {
            Planned::Ready(writes) => return Ok((writes, None)),
            Planned::ReadFirst(get) => get,
        };
        let stored = self.read(&get, moment.now).await?;
        match plan(stored.as_ref().map_or(Current::Absent, Current::Item))? {
            Planned::Ready(writes) => Ok((writes, stored)),
            Planned::ReadFirst(_) => {
                Err(Error::internal(CoreCode::ReadsAgain, message!(stores::READS_AGAIN)))
            }
        }
    }

    async fn read_stored(&self, entity: &Entity, key: &Item, moment: &Moment) -> Result<Item, Error> {
        let get = crate::plan::Get { key: write::key(entity, key)?, consistent: true, fields: None };
        self.read(&get, moment.now).await?.ok_or_else(|| missing(entity))
    }

    /// The item as it is stored now, expired or not.
    pub(super) async fn read_back(&self, key: crate::plan::Key) -> Result<Option<Item>, Error> {
        let get = crate::plan::Get { key, consistent: true, fields: None };
        self.store.get(&self.table, &get).await.map_err(failure::of_store)
    }
}

/// A plan whose first write puts a whole item. The guards go to the write at `index`.
fn put_of(mut writes: Vec<Write>, index: usize, guards: &[Guard], stale: Stale) -> Prepared {
    guard(&mut writes, index, guards);
    Prepared { writes, after: After::Nothing, stale }
}

fn guard(writes: &mut [Write], index: usize, guards: &[Guard]) {
    if let Some(write) = writes.get_mut(index) {
        write.guards.extend(guards.iter().cloned());
    }
}

fn stale_if(condition: bool, stale: Stale) -> Stale {
    if condition { stale } else { Stale::Never }
}

fn missing(entity: &Entity) -> Error {
    Reason::Missing { entity: entity.name.clone() }.error()
}
