//! The repair of stored items after the model has changed: index keys, templates, the type and pointers follow from the other
//! attributes again. No other attribute is touched.

use super::Moment;
use super::derive::derived;
use super::fields::stored_key;
use super::guards::{changed, exists_guard, unchanged};
use super::pointers::{pointer_key, put_pointer};
use crate::identify::{Identity, entity_of, fields_of, identify};
use crate::model::{Entity, KeySource, Model, Role};
use crate::plan::{Action, Change, Condition, Guard, Key, Path, Write};
use crate::unique::{self, OWNER_PK, OWNER_SK};
use crate::value::{Item, Name, Value};

/// The write that gives an item the attributes that follow from its others, or nothing if it has them: all of them, or the
/// keys of one index. It changes nothing if the item has been edited since it was read.
///
/// An item that no entity can have, or whose fields fit into no key, is left as it is: verification names it.
#[must_use]
pub fn refresh(model: &Model, item: &Item, index: Option<&str>, moment: &Moment) -> Option<Write> {
    let (entity, in_key) = entity_of(model, item).ok()?;
    let fields = fields_of(model, entity, item, in_key);
    let expected = expected(model, entity, &fields, index)?;
    let changes: Vec<(Path, Change)> = expected
        .iter()
        .filter(|(name, value)| item.get(name) != value.as_ref())
        .map(|(name, value)| (name.into(), value.clone().map_or(Change::Remove, Change::Set)))
        .collect();
    if changes.is_empty() {
        return None;
    }
    let mut guards = vec![exists_guard(model, entity, moment)];
    let names = sources(entity).into_iter().chain(expected.iter().map(|(name, _)| name.clone()));
    for name in names.filter(|name| !entity.in_key(name)) {
        let guard = unchanged(entity, &name, item);
        if !guards.contains(&guard) {
            guards.push(guard);
        }
    }
    Some(Write { key: stored_key(model, item).ok()?, action: Action::Update(changes), guards: guards.into() })
}

/// The pointers of the unique values of an item, each with the check that the item still has the value. A pointer that is
/// there already belongs to this item, or to another one with the same value.
#[must_use]
pub fn pointers(model: &Model, item: &Item, moment: &Moment) -> Vec<[Write; 2]> {
    let Ok((entity, in_key)) = entity_of(model, item) else { return Vec::new() };
    let fields = fields_of(model, entity, item, in_key);
    let Ok(key) = stored_key(model, item) else { return Vec::new() };
    let mut pairs = Vec::new();
    for one in &entity.uniques {
        let Some(pointer) = pointer_key(model, entity, one, &fields) else { continue };
        let put = put_pointer(model, entity, one, pointer, (&key, item), moment);
        let mut guards = vec![exists_guard(model, entity, moment)];
        let names = one.attributes().map(|attribute| &attribute.name).filter(|name| !entity.in_key(name));
        guards.extend(names.map(|name| unchanged(entity, name, item)));
        pairs.push([put, Write { key: key.clone(), action: Action::Check, guards: guards.into() }]);
    }
    pairs
}

/// The key of the owner of a pointer, for an item that has the shape of one, whether or not the model has its constraint.
#[must_use]
pub fn owner_of_pointer(model: &Model, item: &Item) -> Option<Key> {
    let text = |name: &Name| item.get(name).and_then(Value::as_str).map(str::to_owned);
    let (pk, sk) = (text(&model.table.pk)?, text(&model.table.sk)?);
    let is_entity = matches!(identify(model, &pk, &sk), Some(Identity::Entity { .. }));
    let has_shape = sk == unique::PREFIX && pk.split(model.table.delimiter).next() == Some(unique::PREFIX);
    (has_shape && !is_entity).then_some(Key { pk: text(&OWNER_PK)?, sk: text(&OWNER_SK)? })
}

/// The writes that remove a pointer whose owner does not have its value, or nothing if the owner has it. They change nothing
/// if the owner has been edited since it was read.
#[must_use]
pub fn drop_pointer(
    model: &Model,
    pointer: &Item,
    owner: Option<&Item>,
    moment: &Moment,
) -> Option<Vec<Write>> {
    let own = stored_key(model, pointer).ok()?;
    let owner_key = owner_of_pointer(model, pointer)?;
    let has = |item: &Item| pointers(model, item, moment).iter().any(|[put, _]| put.key == own);
    if owner.is_some_and(has) {
        return None;
    }
    let same = |name: &Name| Condition::unchanged(name, pointer.get(name));
    let changed = || match owner.and_then(|item| entity_of(model, item).ok()) {
        Some((entity, _)) => changed(entity),
        None => crate::plan::Reason::Changed { entity: "Pointer".into() },
    };
    let condition = Condition::And(vec![same(&OWNER_PK), same(&OWNER_SK)]);
    let delete = Write {
        key: own,
        action: Action::Delete,
        guards: vec![Guard { condition, otherwise: changed() }].into(),
    };
    let condition = match owner {
        None => Condition::Absent((&model.table.pk).into()),
        Some(item) => {
            let names = item.keys().filter(|name| **name != model.table.pk && **name != model.table.sk);
            let mut all: Vec<Condition> =
                names.map(|name| Condition::unchanged(name, item.get(name))).collect();
            all.push(Condition::Exists((&model.table.pk).into()));
            Condition::And(all)
        }
    };
    let check = Write {
        key: owner_key,
        action: Action::Check,
        guards: vec![Guard { condition, otherwise: changed() }].into(),
    };
    Some(vec![delete, check])
}

/// The attributes that follow from others, with their values: absent ones must be removed.
fn expected(
    model: &Model,
    entity: &Entity,
    fields: &Item,
    index: Option<&str>,
) -> Option<Vec<(Name, Option<Value>)>> {
    let mut all: Vec<(Name, Option<Value>)> = derived(model, entity, fields).ok()?.into_iter().collect();
    let keys = |wanted: &dyn Fn(&str) -> bool| -> Vec<Name> {
        let indexes = model.table.indexes.iter().filter(|one| wanted(&one.name));
        indexes.flat_map(|one| [Some(&one.pk), one.sk.as_ref()]).flatten().cloned().collect()
    };
    // The key of an index that the entity is not in would put the item there.
    for name in keys(&|_| true) {
        if entity.attribute(&name).is_none() && !all.iter().any(|(known, _)| *known == name) {
            all.push((name, None));
        }
    }
    match index {
        Some(index) => {
            let of_index = keys(&|name| name == index);
            all.retain(|(name, _)| of_index.contains(name));
        }
        None => {
            let of_type = entity.attributes.iter().find(|attribute| matches!(attribute.role, Role::Type));
            all.extend(of_type.map(|one| (one.name.clone(), Some(Value::from(&*entity.name)))));
        }
    }
    Some(all)
}

/// The fields that keys and templates are made of.
fn sources(entity: &Entity) -> Vec<Name> {
    let of_indexes = entity.indexes.iter().flat_map(|entry| [Some(&entry.pk), entry.sk.as_ref()]).flatten();
    let of_indexes = of_indexes.filter_map(|source| match source {
        KeySource::Derived(template) => Some(template),
        KeySource::Own(_) | KeySource::Number(_) => None,
    });
    let of_attributes = entity.attributes.iter().filter_map(|attribute| match &attribute.role {
        Role::Derived(template) => Some(template),
        _ => None,
    });
    let templates = of_indexes.chain(of_attributes);
    templates.flat_map(|template| template.fields().map(|field| field.attribute.name.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::apply::apply;
    use crate::evaluate::holds;
    use crate::identify::check_item;

    const MODEL: &str = r#"
model: jobs
table:
  name: Jobs
  key: { pk: PK, sk: SK }
  type: Type
  indexes:
    GSI1: { pk: GSI1PK, sk: GSI1SK }
    GSI2: { pk: GSI2PK, sk: GSI2SK }
entities:
  Job:
    key: { PK: "JOB#{id}", SK: META }
    unique: { code: [code] }
    index:
      GSI1: { GSI1PK: "USER#{user}", GSI1SK: "AT#{queued}" }
    attributes: { id: string, user: string, queued: string?, code: string? }
"#;

    fn item(texts: &[(&str, &str)]) -> Item {
        texts.iter().map(|(name, text)| (Name::from(*name), Value::from(*text))).collect()
    }

    fn moment() -> Moment {
        Moment { now: jiff::Timestamp::UNIX_EPOCH, random: 1 }
    }

    /// C32
    #[test]
    fn a_refreshed_item_is_as_the_model_writes_it() {
        let model = crate::compile(MODEL.as_bytes()).unwrap();
        let old = item(&[
            ("PK", "JOB#1"),
            ("SK", "META"),
            ("id", "1"),
            ("user", "u"),
            ("queued", "9"),
            ("GSI2PK", "x"),
        ]);
        let write = refresh(&model, &old, None, &moment()).unwrap();
        let Action::Update(changes) = &write.action else { panic!("{write:?}") };
        let new = apply(&old, changes).unwrap_or_else(|error| panic!("{error:?}"));
        assert_eq!(check_item(&model, &new), Ok(()));
        assert_eq!(refresh(&model, &new, None, &moment()), None);
        // One index alone.
        let write = refresh(&model, &old, Some("GSI1"), &moment()).unwrap();
        let Action::Update(changes) = &write.action else { panic!("{write:?}") };
        let names: Vec<&str> = changes.iter().map(|(path, _)| &*path.root).collect();
        assert_eq!(names, ["GSI1PK", "GSI1SK"]);
        // An edit of a source, or of the key itself, stops the write; another edit does not.
        for (name, stops) in [("queued", true), ("user", true), ("GSI1PK", true), ("code", false)] {
            let mut edited = old.clone();
            edited.insert(name.into(), "edited".into());
            let passes = write.guards.iter().all(|guard| holds(&guard.condition, Some(&edited)));
            assert_eq!(passes, !stops, "{name}");
        }
    }

    #[test]
    fn a_pointer_without_a_value_is_dropped() {
        let model = crate::compile(MODEL.as_bytes()).unwrap();
        let owner = item(&[("PK", "JOB#1"), ("SK", "META"), ("id", "1"), ("user", "u"), ("code", "a")]);
        let pointer = |code: &str| {
            let pk = format!("UNIQUE#Job#code#{code}");
            item(&[("PK", &pk), ("SK", "UNIQUE"), ("ownerPK", "JOB#1"), ("ownerSK", "META")])
        };
        assert_eq!(drop_pointer(&model, &pointer("a"), Some(&owner), &moment()), None);
        assert_eq!(drop_pointer(&model, &pointer("b"), Some(&owner), &moment()).unwrap().len(), 2);
        assert_eq!(drop_pointer(&model, &pointer("a"), None, &moment()).unwrap().len(), 2);
        assert_eq!(owner_of_pointer(&model, &owner), None);
        assert_eq!(pointers(&model, &owner, &moment()).len(), 1);
    }
}
