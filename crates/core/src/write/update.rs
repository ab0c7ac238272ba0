//! Partial updates: the changed fields, and every key that is derived from them.

use super::fields::{exact_value, is_stranger, now, own_fields};
use super::guards::{
    constraint_guards, exists_guard, pointers_expire, unchanged, version_guard, wrong_state,
};
use super::nested::{exact_change, kind_at};
use super::pointers::{
    check_lengths, expires_otherwise, give_back_pointer, hand_over_pointer, pointer_key, put_pointer,
};
use super::{Current, Moment, Planned, derived, exact_key_fields, read_first, render_key, unknown};
use crate::code::CoreCode;
use crate::error::Error;
use crate::kind::{Kind, Members};
use crate::message;
use crate::message::Message;
use crate::messages::{fields, writes};
use crate::model::{Attribute, Entity, EntityIndex, KeySource, Model, Role, Unique};
use crate::number::Number;
use crate::plan::{Action, Change, Condition, Guard, Operand, Path, Reason, Write};
use crate::validate::{Violation, violation};
use crate::value::{Item, Name, Value};

mod limits;

/// A partial update of one item.
#[derive(Clone, Debug, Default)]
pub struct Update {
    /// The fields of the key. Immutable fields may be given too: this saves a read where an index key is derived from
    /// them.
    pub key: Item,
    /// The changes, each path once.
    pub changes: Vec<(Path, Change)>,
    /// The version that must be stored, if the caller has read one.
    pub expected_version: Option<i64>,
}

/// Plans a partial update. It never creates the item.
///
/// Lifecycle moves, versions and limits on numbers become conditions. Index keys, templates and
/// unique constraints that a change touches are written along; where they need fields that are
/// not part of the update, the item is read first and the write is conditional on those fields.
///
/// Attributes that the update does not name stay as they are, also those that the model does not know. Such an
/// attribute can be removed if it is stored.
///
/// # Errors
/// Every change that breaks a rule.
pub fn update(
    model: &Model,
    entity: &Entity,
    mut update: Update,
    current: Current<'_>,
    moment: &Moment,
) -> Result<Planned, Error> {
    let mut key_fields = exact_key_fields(entity, &update.key)?;
    let key = render_key(entity, &key_fields)?;
    key_fields.extend(immutable_fields(entity, &update.key)?);
    let guards = vec![exists_guard(model, entity, moment)];
    let mut plan = Plan { model, entity, moment, changes: Vec::new(), guards };
    plan.guards.extend(version_guard(entity, update.expected_version)?);
    let is_unknown = |(path, change): &mut (Path, Change)| {
        *change == Change::Remove && path.inside.is_empty() && is_stranger(model, entity, &path.root)
    };
    let removed: Vec<(Path, Change)> = update.changes.extract_if(.., is_unknown).collect();
    let mut violations = Vec::new();
    if !removed.is_empty() {
        let stored = match current.unless_expired(model, moment) {
            Current::Unknown => return Ok(Planned::ReadFirst(read_first(key))),
            Current::Absent => return Err(Reason::Missing { entity: entity.name.clone() }.error()),
            Current::Item(stored) => stored,
        };
        for (path, change) in removed {
            if stored.contains_key(&path.root) {
                plan.changes.push((path, change));
            } else {
                violations.push(unknown(entity, &path.root));
            }
        }
    }
    plan.check_changes(update.changes, violations)?;
    plan.touch();
    let mut pointers = Vec::new();
    if plan.stands_alone() {
        // Nothing is derived from the changed fields.
    } else if plan.needs_rest(&key_fields) {
        let stored = match current.unless_expired(model, moment) {
            Current::Unknown => return Ok(Planned::ReadFirst(read_first(key))),
            Current::Absent => return Err(Reason::Missing { entity: entity.name.clone() }.error()),
            Current::Item(stored) => stored,
        };
        plan.count_from(stored);
        plan.derive(&key_fields, Some(stored))?;
        pointers = plan.pointers(stored, &key);
    } else {
        plan.derive(&key_fields, None)?;
    }
    let mut writes = vec![Write { key, action: Action::Update(plan.changes), guards: plan.guards.into() }];
    writes.extend(pointers);
    check_lengths(&writes)?;
    Ok(Planned::Ready(writes))
}

/// Whether keys or pointers are derived from the attribute, so that a partial update can only set or
/// remove it: the result of any other change is not known when they are written.
#[must_use]
pub fn feeds_key(model: &Model, entity: &Entity, name: &str) -> bool {
    let in_index = |source: &KeySource| matches!(source, KeySource::Derived(_)) && source.uses(name);
    entity.indexes.iter().any(|entry| in_index(&entry.pk) || entry.sk.as_ref().is_some_and(in_index))
        || entity
            .attributes
            .iter()
            .any(|one| matches!(&one.role, Role::Derived(template) if template.uses(name)))
        || entity.uniques.iter().any(|unique| unique.uses(name))
        || pointers_expire(model, entity, name)
}

struct Plan<'a> {
    model: &'a Model,
    entity: &'a Entity,
    moment: &'a Moment,
    changes: Vec<(Path, Change)>,
    guards: Vec<Guard>,
}

impl Plan<'_> {
    fn check_changes(
        &mut self,
        changes: Vec<(Path, Change)>,
        mut violations: Vec<Violation>,
    ) -> Result<(), Error> {
        for (path, change) in changes {
            let name = path.root.clone();
            if self.changes.iter().any(|(other, _)| path.overlaps(other)) {
                violations.push(violation(&name, message!(fields::CHANGED_TWICE)));
                continue;
            }
            match self.check_change(path, change) {
                Ok(checked) => self.changes.push(checked),
                Err(problem) => violations.push(violation(&name, problem)),
            }
        }
        if violations.is_empty() && self.changes.is_empty() {
            return Err(Error::invalid(CoreCode::NothingToChange, message!(writes::NOTHING_TO_CHANGE)));
        }
        if violations.is_empty() { Ok(()) } else { Err(Error::fields(violations)) }
    }

    fn check_change(&mut self, path: Path, change: Change) -> Result<(Path, Change), Message> {
        let entity = self.entity;
        let attribute =
            entity.attribute(&path.root).ok_or_else(|| message!(fields::UNKNOWN_ATTRIBUTE, &entity.name))?;
        if !matches!(attribute.role, Role::Given) {
            return Err(message!(fields::AUTOMATIC));
        }
        if entity.in_key(&attribute.name) {
            return Err(message!(fields::IN_KEY));
        }
        if attribute.immutable {
            self.guard_once(attribute, &change)?;
        }
        let plain = matches!(change, Change::Set(_) | Change::Remove);
        if !plain && feeds_key(self.model, entity, &attribute.name) {
            return Err(message!(fields::IN_INDEX));
        }
        if !path.inside.is_empty() {
            let change = exact_change(attribute, &path, change)?;
            if let (Change::Add(number), Kind::Integer) = (&change, kind_at(attribute, &path)?) {
                self.guard_inside(&path, *number)?;
            }
            return Ok((path, change));
        }
        let change = self.check_whole(attribute, change)?;
        Ok((path, change))
    }

    /// An immutable attribute can be set once: if it was left out at creation, or is missing although it is required.
    fn guard_once(&mut self, attribute: &Attribute, change: &Change) -> Result<(), Message> {
        let problem = message!(fields::IMMUTABLE);
        if !matches!(change, Change::Set(_)) {
            return Err(problem);
        }
        let otherwise = Reason::Rule { attribute: attribute.name.clone(), problem };
        self.guards.push(Guard { condition: Condition::Absent((&attribute.name).into()), otherwise });
        Ok(())
    }

    /// A change of a whole attribute: its type, its rules, and the conditions that keep them.
    fn check_whole(&mut self, attribute: &Attribute, change: Change) -> Result<Change, Message> {
        match change {
            Change::Set(value) => {
                let value = exact_value(attribute, value)?;
                if let (Kind::Lifecycle(life), Value::S(to)) = (&attribute.kind, &value) {
                    let before: Vec<Value> = life.before(to).map(|state| Value::from(&**state)).collect();
                    if before.is_empty() {
                        return Err(message!(fields::NO_WAY_BACK, to));
                    }
                    let condition = Condition::In(Operand::Path((&attribute.name).into()), before);
                    self.guards.push(Guard { condition, otherwise: wrong_state(self.entity, attribute, to) });
                }
                Ok(Change::Set(value))
            }
            Change::SetIfAbsent(value) if !matches!(attribute.kind, Kind::Lifecycle(_)) => {
                Ok(Change::SetIfAbsent(exact_value(attribute, value)?))
            }
            Change::Add(number) if attribute.kind.is_numeric() => {
                self.guard_sum(attribute, number)?;
                Ok(Change::Add(number))
            }
            Change::Append(values) => match &attribute.kind {
                Kind::List(element) => {
                    self.guard_length(attribute, values.len())?;
                    let values = values.into_iter().map(|value| element.coerce(value));
                    Ok(Change::Append(values.collect::<Result<_, _>>()?))
                }
                _ => Err(message!(fields::NOT_A_LIST)),
            },
            Change::AddMembers(value) if attribute.rules.max_length.is_none() => {
                Ok(Change::AddMembers(members(attribute, value)?))
            }
            Change::DeleteMembers(value) => {
                let lost = members(attribute, value)?;
                self.guard_loss(attribute, &lost);
                Ok(Change::DeleteMembers(lost))
            }
            Change::Remove if attribute.optional => Ok(Change::Remove),
            Change::Remove => Err(message!(fields::NOT_REMOVABLE)),
            _ => Err(message!(fields::UNFIT_CHANGE, attribute.kind.noun())),
        }
    }

    fn changes_root(&self, name: &str) -> bool {
        self.changes.iter().any(|(path, _)| &*path.root == name)
    }

    /// Whether no key, template or constraint uses a changed field.
    fn stands_alone(&self) -> bool {
        let entity = self.entity;
        let in_index = |name: &str| {
            let uses = |entry: &EntityIndex| {
                entry.pk.uses(name) || entry.sk.as_ref().is_some_and(|source| source.uses(name))
            };
            entity.indexes.iter().any(uses)
        };
        let in_template = |name: &str| {
            let mut attributes = entity.attributes.iter();
            attributes.any(|one| matches!(&one.role, Role::Derived(template) if template.uses(name)))
        };
        entity.uniques.is_empty()
            && self.changes.iter().all(|(path, _)| !in_index(&path.root) && !in_template(&path.root))
    }

    /// The unchanged fields of the keys that have to be derived again.
    fn other_fields(&self) -> Vec<Name> {
        let mut names = Vec::new();
        let mut collect = |fields: Vec<&Name>| {
            if fields.iter().any(|name| self.changes_root(name)) {
                names.extend(fields.into_iter().filter(|name| !self.changes_root(name)).cloned());
            }
        };
        for entry in &self.entity.indexes {
            // Indexes that share a key attribute belong together: it stays while one of them needs it.
            let together = self.entity.indexes.iter().filter(|other| self.share_key(entry, other));
            let sources = together.flat_map(|entry| [Some(&entry.pk), entry.sk.as_ref()]).flatten();
            let sources: Vec<&KeySource> = sources.collect();
            if sources.iter().any(|source| matches!(source, KeySource::Derived(_))) {
                collect(sources.iter().flat_map(|source| source_fields(source)).collect());
            }
        }
        for attribute in &self.entity.attributes {
            if let Role::Derived(template) = &attribute.role {
                collect(template.fields().map(|field| &field.attribute.name).collect());
            }
        }
        names
    }

    fn share_key(&self, a: &EntityIndex, b: &EntityIndex) -> bool {
        let names = |entry: &EntityIndex| {
            let index = &self.model.table.indexes[entry.index];
            [Some(index.pk.clone()), index.sk.clone()]
        };
        a.index == b.index
            || names(a).iter().flatten().any(|name| names(b).iter().flatten().any(|other| other == name))
    }

    /// Whether the stored item is needed to derive keys from the changes.
    fn needs_rest(&self, key: &Item) -> bool {
        self.other_fields().iter().any(|name| !key.contains_key(name))
            || self.entity.uniques.iter().any(|unique| self.touches(unique))
            || self.version_in_key().is_some()
    }

    /// The version, if a key is derived from it: then its next value must be known.
    fn version_in_key(&self) -> Option<&Name> {
        let version = self.entity.version()?;
        feeds_key(self.model, self.entity, &version.name).then_some(&version.name)
    }

    fn count_from(&mut self, stored: &Item) {
        let Some(name) = self.version_in_key().cloned() else { return };
        let before = stored.get(&name).and_then(Value::as_number).and_then(Number::to_i64).unwrap_or(0);
        for (path, change) in &mut self.changes {
            if path.root == name {
                *change = Change::Set(Value::from(before + 1));
            }
        }
        self.guards.push(unchanged(self.entity, &name, stored));
    }

    fn touches(&self, unique: &Unique) -> bool {
        unique.attributes().any(|field| self.changes_root(&field.name))
            || self.changes.iter().any(|(path, _)| pointers_expire(self.model, self.entity, &path.root))
    }

    /// Adds the derived attributes of the changes, and guards the fields that they were derived from.
    fn derive(&mut self, key: &Item, stored: Option<&Item>) -> Result<(), Error> {
        let rest = self.other_fields();
        let mut fields = stored.map(|stored| own_fields(self.model, self.entity, stored)).unwrap_or_default();
        fields.extend(key.iter().map(|(name, value)| (name.clone(), value.clone())));
        self.apply(&mut fields);
        for (name, value) in derived(self.model, self.entity, &fields)? {
            // Unchanged values are written too: the stored ones may change before the write.
            if self.affects(&name) {
                self.changes.push(((&name).into(), value.map_or(Change::Remove, Change::Set)));
            }
        }
        for name in rest.iter().filter(|name| !self.entity.in_key(name)) {
            let guard = unchanged(self.entity, name, stored.unwrap_or(key));
            if !self.guards.contains(&guard) {
                self.guards.push(guard);
            }
        }
        Ok(())
    }

    fn apply(&self, fields: &mut Item) {
        for (path, change) in self.changes.iter().filter(|(path, _)| path.inside.is_empty()) {
            match change {
                Change::Set(value) => {
                    fields.insert(path.root.clone(), value.clone());
                }
                Change::Remove => {
                    fields.remove(&path.root);
                }
                _ => {}
            }
        }
    }

    /// Whether a derived attribute uses a changed field.
    fn affects(&self, name: &Name) -> bool {
        let touched = |fields: Vec<&Name>| fields.iter().any(|field| self.changes_root(field));
        let by_index = self.entity.indexes.iter().any(|entry| {
            let index = &self.model.table.indexes[entry.index];
            let named = index.pk == *name || index.sk.as_ref() == Some(name);
            let sources = [Some(&entry.pk), entry.sk.as_ref()].into_iter().flatten();
            named && touched(sources.flat_map(source_fields).collect())
        });
        let by_template = self.entity.attribute(name).is_some_and(|attribute| match &attribute.role {
            Role::Derived(template) => {
                touched(template.fields().map(|field| &field.attribute.name).collect())
            }
            _ => false,
        });
        by_index || by_template
    }

    /// The pointers of the unique constraints that the changes touch.
    fn pointers(&mut self, stored: &Item, owner: &crate::plan::Key) -> Vec<Write> {
        let mut writes = Vec::new();
        let mut after = own_fields(self.model, self.entity, stored);
        self.apply(&mut after);
        let touched: Vec<_> = self.entity.uniques.iter().filter(|unique| self.touches(unique)).collect();
        for unique in touched {
            let old = pointer_key(self.model, self.entity, unique, stored);
            let new = pointer_key(self.model, self.entity, unique, &after);
            // Also for an unchanged value: the write must not restore a value that another item has by now.
            for guard in constraint_guards(self.model, self.entity, unique, stored) {
                if !self.guards.contains(&guard) {
                    self.guards.push(guard);
                }
            }
            let (model, entity) = (self.model, self.entity);
            if old == new {
                let later = old.filter(|_| expires_otherwise(model, entity, stored, &after));
                writes.extend(later.map(|key| hand_over_pointer(model, entity, key, owner, (owner, &after))));
                continue;
            }
            writes.extend(give_back_pointer(model, entity, unique, stored, owner));
            let taken = new.map(|key| put_pointer(model, entity, unique, key, (owner, &after), self.moment));
            writes.extend(taken);
        }
        writes
    }

    /// The time of the write, and the next version.
    fn touch(&mut self) {
        for attribute in &self.entity.attributes {
            let change = match attribute.role {
                Role::Updated => now(attribute, self.moment).map(Change::Set),
                Role::Version => Some(Change::Add(1.into())),
                _ => None,
            };
            self.changes.extend(change.map(|change| ((&attribute.name).into(), change)));
        }
    }
}

/// The known immutable fields beside the key.
fn immutable_fields(entity: &Entity, known: &Item) -> Result<Vec<(Name, Value)>, Error> {
    let mut fields = Vec::new();
    for (name, value) in known {
        let attribute = entity.attribute(name).filter(|one| one.immutable && !entity.in_key(name));
        let Some(attribute) = attribute else { continue };
        let value = exact_value(attribute, value.clone());
        let value = value.map_err(|problem| Error::fields(vec![violation(name, problem)]))?;
        fields.push((attribute.name.clone(), value));
    }
    Ok(fields)
}

fn source_fields(source: &KeySource) -> Vec<&Name> {
    match source {
        KeySource::Number(attribute) => vec![&attribute.name],
        KeySource::Derived(template) | KeySource::Own(template) => {
            template.fields().map(|field| &field.attribute.name).collect()
        }
    }
}

fn members(attribute: &Attribute, value: Value) -> Result<Value, Message> {
    match attribute.kind {
        Kind::Set(Members::Texts | Members::Numbers | Members::Binaries) => attribute.kind.coerce(value),
        _ => Err(message!(fields::NOT_A_SET)),
    }
}
