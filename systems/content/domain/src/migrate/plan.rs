//! The writes of a row: its item, its lists and slug, and its record.

use hansang_core::db::Operation;
use hansang_core::plan::{Action, Change, Condition, Guard, Path, Reason, Write};
use hansang_core::store::check;
use hansang_core::value::from_item;
use hansang_core::write::{self, Moment};
use hansang_core::{Error, Item, Value, message, name};

use super::LegacyTable;
use super::map::Mapped;
use super::state::{State, record_key};
use super::sum::{self, VOLATILE};
use crate::live::{Live, relist, time};
use crate::purge::{drop_purge, plan_purge};
use crate::{Content, ContentCode, Post, messages};

/// The run and step that write.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark<'r> {
    pub(super) migration: &'r str,
    pub(super) step: i64,
}

/// The writes of a new row.
pub(super) fn create(
    content: &Content,
    row: &Mapped,
    slug: Option<(String, bool)>,
    mark: Mark<'_>,
) -> Result<Vec<Operation>, Error> {
    let writes = item(content, row, slug.as_ref().map(|(slug, _)| slug.as_str()))?;
    let new = put_of(&writes).cloned().unwrap_or_default();
    check::item(content.db.table(), &new)?;
    let mut operations: Vec<Operation> = writes.into_iter().map(Operation::Write).collect();
    if row.table == LegacyTable::Posts {
        let post = post(&new)?;
        operations.extend(created(relist(content, None, Live::of(&post).as_ref())?));
        let reserved = slug.filter(|(_, owned)| !owned && post.is_published());
        operations.extend(reserved.map(|(slug, _)| crate::slugs::reserve(&slug, &row.id)));
    }
    operations.extend(created(row.purge_at.map(|at| plan_purge(&row.id, at)).into_iter().collect()));
    let fields = record(row, &new, "created", mark);
    let entity = content.db.entity("MigratedItem")?;
    let record = write::create(content.db.model(), entity, fields, &content.db.clock().moment())?;
    operations.extend(record.into_iter().map(Operation::Write));
    Ok(operations)
}

/// The writes of a row that has changed since it was moved, if its item is as it was moved. A slug stays, so that links do;
/// a post that is published only now gets one.
pub(super) fn update(
    content: &Content,
    row: &Mapped,
    State { record, target }: &State,
    claimed: Option<(String, bool)>,
    mark: Mark<'_>,
) -> Result<Vec<Operation>, Error> {
    let (Some(record_before), Some(old)) = (record, target) else { return Err(changed()) };
    let slug = old.get("slug").and_then(Value::as_str).or(claimed.as_ref().map(|(slug, _)| slug.as_str()));
    let mut writes = item(content, row, slug)?;
    let mut new = put_of(&writes).cloned().unwrap_or_default();
    let posts = name!("posts");
    new.extend(old.get(&posts).map(|count| (posts, count.clone())));
    check::item(content.db.table(), &new)?;
    let table = content.db.table();
    let (before, after) = (check::key_of(table, old)?, check::key_of(table, &new)?);
    let as_read = unchanged(content, row, old)?;
    let mut operations = Vec::new();
    if before == after {
        let changes = changes(old, &new, content);
        let action = if changes.is_empty() { Action::Check } else { Action::Update(changes) };
        operations.push(Write { key: before, action, guards: vec![as_read].into() });
    } else {
        // A post in another category has another key; its pointer changes its owner.
        operations.push(Write { key: before.clone(), action: Action::Delete, guards: vec![as_read].into() });
        for (index, write) in writes.drain(..).enumerate() {
            let owner =
                Condition::unchanged(&hansang_core::unique::OWNER_PK, Some(&Value::from(before.pk.as_str())));
            let guard = Guard { condition: owner, otherwise: Reason::Other(changed()) };
            let guards = if index == 0 { write.guards } else { vec![guard].into() };
            operations.push(Write { guards, ..write });
        }
        operations.extend(moved_counts(content, old, &new)?);
    }
    let mut operations: Vec<Operation> = operations.into_iter().map(Operation::Write).collect();
    if row.table == LegacyTable::Posts {
        let (before, after) = (post(old)?, post(&new)?);
        let reserved = claimed.filter(|(_, owned)| !owned && old.get("slug").is_none());
        operations.extend(reserved.map(|(slug, _)| crate::slugs::reserve(&slug, &row.id)));
        operations.extend(relist(content, Live::of(&before).as_ref(), Live::of(&after).as_ref())?);
    }
    let planned = old.get("purgeAt").and_then(Value::as_str).and_then(|at| at.parse().ok());
    if row.table == LegacyTable::Inquiries && planned != row.purge_at {
        operations.extend(row.purge_at.map(|at| plan_purge(&row.id, at)));
        operations.extend(planned.map(|at| drop_purge(content, &row.id, at)).transpose()?);
    }
    operations.push(Operation::Write(rewrite_record(content, row, &new, record_before, mark)?));
    Ok(operations)
}

/// Puts the checksum of a duplicate into the record, so that it is never taken for a change of the row.
pub(super) fn reject(content: &Content, row: &Mapped) -> Result<Operation, Error> {
    let others = Value::Ss([row.sum.as_str().into()].into_iter().collect());
    let changes = vec![((&name!("others")).into(), Change::AddMembers(others))];
    let guards = vec![exists(content)].into();
    Ok(Operation::Write(Write { key: record_key(content, row)?, action: Action::Update(changes), guards }))
}

/// Adds to the count of posts of a category that exists. Its time of change stays.
pub(super) fn count(content: &Content, category: &str, by: i64) -> Result<Write, Error> {
    let fields = Item::from([(name!("id"), Value::from(category))]);
    let key = write::key(content.db.entity("Category")?, &fields)?;
    let action = Action::Update(vec![((&name!("posts")).into(), Change::Add(by.into()))]);
    Ok(Write { key, action, guards: vec![exists(content)].into() })
}

/// The planned item of a row and its pointers, with the times of the row.
pub(super) fn item(content: &Content, row: &Mapped, slug: Option<&str>) -> Result<Vec<Write>, Error> {
    let mut fields = row.fields.clone();
    fields.extend(slug.map(|slug| (name!("slug"), Value::from(slug))));
    let moment = Moment { now: row.created, random: 0 };
    let mut writes = write::create(content.db.model(), content.db.entity(row.entity)?, fields, &moment)?;
    if let Some(Write { action: Action::Put(item), .. }) = writes.first_mut() {
        item.insert(name!("UpdatedAt"), time(row.updated).into());
        item.extend(row.status.map(|status| (name!("status"), status.name().into())));
    }
    Ok(writes)
}

pub(super) fn put_of(writes: &[Write]) -> Option<&Item> {
    match writes.first().map(|write| &write.action) {
        Some(Action::Put(item)) => Some(item),
        _ => None,
    }
}

fn post(item: &Item) -> Result<Post, Error> {
    let id = item.get("id").and_then(Value::as_str).unwrap_or_default().to_owned();
    from_item(item)
        .map_err(|_| Error::corrupt(ContentCode::PostDamaged, message!(messages::POST_DAMAGED, id)))
}

/// Positions of a new post: nothing has to be read before they are put.
fn created(operations: Vec<Operation>) -> Vec<Operation> {
    let create = |operation| match operation {
        Operation::Put { entity, fields, guards, .. } => Operation::Create { entity, fields, guards },
        other => other,
    };
    operations.into_iter().map(create).collect()
}

fn moved_counts(content: &Content, old: &Item, new: &Item) -> Result<Vec<Write>, Error> {
    let of = |item: &Item| item.get("categoryId").and_then(Value::as_str).unwrap_or_default().to_owned();
    Ok(vec![count(content, &of(old), -1)?, count(content, &of(new), 1)?])
}

fn changes(old: &Item, new: &Item, content: &Content) -> Vec<(Path, Change)> {
    let table = content.db.table();
    let differs = |name: &&hansang_core::Name| **name != table.pk && **name != table.sk;
    let set = new.iter().filter(|(name, value)| old.get(name) != Some(value));
    let set = set.map(|(name, value)| (name.into(), Change::Set(value.clone())));
    let gone = old.keys().filter(differs).filter(|name| !new.contains_key(name));
    set.chain(gone.map(|name| (name.into(), Change::Remove))).collect()
}

fn record(row: &Mapped, new: &Item, outcome: &str, mark: Mark<'_>) -> Item {
    Item::from([
        (name!("source"), row.table.name().into()),
        (name!("id"), row.id.as_str().into()),
        (name!("sum"), row.sum.as_str().into()),
        (name!("stored"), sum::stored(new).into()),
        (name!("outcome"), outcome.into()),
        (name!("migrationId"), mark.migration.into()),
        (name!("step"), mark.step.into()),
    ])
}

fn rewrite_record(
    content: &Content,
    row: &Mapped,
    new: &Item,
    before: &Item,
    mark: Mark<'_>,
) -> Result<Write, Error> {
    let mut fields = record(row, new, "updated", mark);
    fields.retain(|name, _| !matches!(&**name, "source" | "id"));
    fields.insert(name!("UpdatedAt"), time(content.now()).into());
    let set = fields.into_iter().map(|(name, value)| ((&name).into(), Change::Set(value))).collect();
    let sum = name!("sum");
    let condition = Condition::unchanged(&sum, before.get(&sum));
    let guards = vec![Guard { condition, otherwise: Reason::Other(changed()) }].into();
    Ok(Write { key: record_key(content, row)?, action: Action::Update(set), guards })
}

/// The guard that no attribute has been edited since the item was read.
fn unchanged(content: &Content, row: &Mapped, old: &Item) -> Result<Guard, Error> {
    let entity = content.db.entity(row.entity)?;
    let names = entity.attributes.iter().map(|attribute| &attribute.name);
    let names = names.filter(|name| !VOLATILE.contains(&&***name) && !entity.in_key(name));
    let conditions = names.map(|name| Condition::unchanged(name, old.get(name))).collect();
    Ok(Guard { condition: Condition::And(conditions), otherwise: Reason::Other(changed()) })
}

fn exists(content: &Content) -> Guard {
    let condition = Condition::Exists((&content.db.table().pk).into());
    Guard { condition, otherwise: Reason::Other(changed()) }
}

/// The item changed between reading and writing: the step is planned again.
pub(super) fn changed() -> Error {
    Error::conflict(ContentCode::Busy, message!(messages::BUSY))
}
