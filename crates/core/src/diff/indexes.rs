//! Differences of the indexes: their existence, their keys and projections, and their items.

use std::sync::Arc;

use super::{Difference, Need, Versions, keys, list};
use crate::model::{Entity, EntityIndex, Index, KeySource, Model, Projection};
use crate::value::Name;

pub(super) fn compare(versions: &Versions<'_>) -> Vec<Difference> {
    let (old, new) = (versions.old, versions.new);
    let mut found = Vec::new();
    for index in &new.table.indexes {
        match position(old, &index.name) {
            None => found.push(added(versions, index)),
            Some(position) => {
                let before = &old.table.indexes[position];
                found.extend(remade(before, index));
                found.extend(
                    versions.pairs.iter().flat_map(|pair| membership(versions, before, index, *pair)),
                );
            }
        }
    }
    let gone = old.table.indexes.iter().filter(|index| position(new, &index.name).is_none());
    found.extend(gone.map(|index| removed(versions, index)));
    found
}

fn location(index: &Index) -> String {
    format!("index {}", index.name)
}

fn position(model: &Model, index: &str) -> Option<usize> {
    model.table.indexes.iter().position(|known| &*known.name == index)
}

fn entry<'e>(model: &Model, entity: &'e Entity, index: &str) -> Option<&'e EntityIndex> {
    entity.in_index(position(model, index)?)
}

/// The key attributes that exist only for the index, with their templates.
fn derived<'e>(model: &'e Model, entry: &'e EntityIndex) -> Vec<(&'e Name, &'e KeySource)> {
    let index = &model.table.indexes[entry.index];
    let keys = [(Some(&index.pk), Some(&entry.pk)), (index.sk.as_ref(), entry.sk.as_ref())];
    let keys = keys.into_iter().filter_map(|(name, source)| name.zip(source));
    keys.filter(|(_, source)| matches!(source, KeySource::Derived(_))).collect()
}

/// The derived key attributes of a new entry that stored items lack or have with another value.
fn lacking(versions: &Versions<'_>, new: &EntityIndex, old: &Entity) -> Vec<Name> {
    let stored: Vec<_> = old.indexes.iter().flat_map(|entry| derived(versions.old, entry)).collect();
    let has = |name: &Name, source: &KeySource| {
        stored.iter().any(|(known, before)| *known == name && keys::same_source(before, source))
    };
    let names = derived(versions.new, new).into_iter().filter(|(name, source)| !has(name, source));
    names.map(|(name, _)| name.clone()).collect()
}

fn added(versions: &Versions<'_>, index: &Index) -> Difference {
    let mut rewritten = Vec::new();
    let mut as_they_are = Vec::new();
    let mut missing = Vec::new();
    for (old, new) in &versions.pairs {
        let Some(entry) = entry(versions.new, new, &index.name) else { continue };
        let names = lacking(versions, entry, old);
        if names.is_empty() {
            as_they_are.push(new.name.clone());
        } else {
            rewritten.push(new.name.clone());
            missing.extend(names);
        }
    }
    missing.sort();
    missing.dedup();
    let (what, need) = if !rewritten.is_empty() {
        let why = format!("Stored items lack {} and are not found in it until then.", list(&missing));
        ("The index is new.", Need::Backfill { entities: rewritten, why })
    } else if !as_they_are.is_empty() {
        let why = "The store fills it from attributes that the items have; patterns on it miss items until \
                   that is done.";
        ("The index is new.", Need::Backfill { entities: as_they_are, why: why.to_owned() })
    } else {
        ("The index is new, and no stored item is in it.", Need::Nothing)
    };
    Difference::new(location(index), what, need)
}

fn removed(versions: &Versions<'_>, index: &Index) -> Difference {
    let mut carrying = Vec::new();
    let mut left = Vec::new();
    for (old, new) in &versions.pairs {
        let Some(entry) = entry(versions.old, old, &index.name) else { continue };
        let names = left_over(versions, entry, new);
        if !names.is_empty() {
            carrying.push(new.name.clone());
            left.extend(names);
        }
    }
    left.sort();
    left.dedup();
    let what = "The index is gone; no pattern reads it any more.";
    let need = if carrying.is_empty() {
        Need::Nothing
    } else {
        let why = format!("Stored items still carry {}, which the model no longer knows.", list(&left));
        Need::Backfill { entities: carrying, why }
    };
    Difference::new(location(index), what, need)
}

/// The derived key attributes of an old entry that the entity has no use for any more, neither as its
/// own nor as a key of some index.
fn left_over(versions: &Versions<'_>, old: &EntityIndex, entity: &Entity) -> Vec<Name> {
    let made: Vec<_> = entity.indexes.iter().flat_map(|entry| derived(versions.new, entry)).collect();
    let used = |name: &Name| entity.attribute(name).is_some() || made.iter().any(|(known, _)| *known == name);
    let names = derived(versions.old, old).into_iter().map(|(name, _)| name);
    names.filter(|name| !used(name)).cloned().collect()
}

/// Changes that DynamoDB cannot make to an existing index.
fn remade(old: &Index, new: &Index) -> Option<Difference> {
    let key = |index: &Index| {
        let part = |name: &Name, numeric: bool| format!("{name}{}", if numeric { " (number)" } else { "" });
        let sk = index.sk.as_ref().map(|sk| part(sk, index.sk_numeric));
        [Some(part(&index.pk, index.pk_numeric)), sk].into_iter().flatten().collect::<Vec<_>>()
    };
    let mut whats = Vec::new();
    if key(old) != key(new) {
        whats.push(format!("The key is now {}; it was {}.", list(&key(new)), list(&key(old))));
    }
    if !same_projection(&old.projection, &new.projection) {
        let (now, before) = (projection(&new.projection), projection(&old.projection));
        whats.push(format!("It now carries {now}; it was {before}."));
    }
    if whats.is_empty() {
        return None;
    }
    let why = "An index is never changed in place. Add one under a new name, let it fill, move the patterns, \
               then remove this one.";
    let need = Need::Reindex { index: new.name.clone(), why: why.to_owned() };
    Some(Difference::new(location(new), whats.join(" "), need))
}

fn same_projection(old: &Projection, new: &Projection) -> bool {
    let sorted = |names: &[Name]| {
        let mut names = names.to_vec();
        names.sort();
        names
    };
    match (old, new) {
        (Projection::Include(old), Projection::Include(new)) => sorted(old) == sorted(new),
        _ => old == new,
    }
}

fn projection(projection: &Projection) -> String {
    match projection {
        Projection::All => "all attributes".to_owned(),
        Projection::Keys => "the keys only".to_owned(),
        Projection::Include(names) => format!("the keys and {}", list(names)),
    }
}

/// Whether items of an entity enter the index, leave it, or move in it.
fn membership(
    versions: &Versions<'_>,
    old_index: &Index,
    index: &Index,
    (old, new): (&Arc<Entity>, &Arc<Entity>),
) -> Vec<Difference> {
    let before = entry(versions.old, old, &index.name);
    let now = entry(versions.new, new, &index.name);
    match (before, now) {
        (None, Some(now)) => {
            let lacking = lacking(versions, now, old);
            let what = format!("Items of {} are now in it.", new.name);
            let why = format!("Stored items lack {} and are not found in it until then.", list(&lacking));
            let need = if lacking.is_empty() { Need::Nothing } else { Need::backfill(new, why) };
            vec![Difference::new(location(index), what, need)]
        }
        (Some(before), None) => {
            let left = left_over(versions, before, new);
            let what = format!("Items of {} are no longer in it.", new.name);
            let why = format!("Stored items still carry {} and are found in it until then.", list(&left));
            let need = if left.is_empty() { Need::Nothing } else { Need::backfill(new, why) };
            vec![Difference::new(location(index), what, need)]
        }
        (Some(before), Some(now)) if old_index.pk == index.pk && old_index.sk == index.sk => {
            rekeyed(index, before, now, new)
        }
        (Some(before), Some(now)) => {
            let (lacking, left) = (lacking(versions, now, old), left_over(versions, before, new));
            if lacking.is_empty() && left.is_empty() {
                return Vec::new();
            }
            let what = format!("Items of {} have other keys in it.", new.name);
            let why =
                format!("Stored items lack {} and still carry {} until then.", list(&lacking), list(&left));
            vec![Difference::new(location(index), what, Need::backfill(new, why))]
        }
        (None, None) => Vec::new(),
    }
}

/// Keys with another template. A key that is an attribute of its own is compared as an attribute.
fn rekeyed(index: &Index, before: &EntityIndex, now: &EntityIndex, entity: &Entity) -> Vec<Difference> {
    let sks = index.sk.as_ref().zip(before.sk.as_ref().zip(now.sk.as_ref()));
    let keys = [Some((&index.pk, (&before.pk, &now.pk))), sks];
    let own = |source: &KeySource| !matches!(source, KeySource::Derived(_));
    keys.into_iter()
        .flatten()
        .filter(|(_, (before, now))| !(keys::same_source(before, now) || own(before) && own(now)))
        .map(|(name, (before, now))| {
            let what = keys::became(&keys::text(before), &keys::text(now));
            let why = format!("Stored items have the old key in `{}` until then.", index.name);
            Difference::new(format!("{}.{name}", entity.name), what, Need::backfill(entity, why))
        })
        .collect()
}
