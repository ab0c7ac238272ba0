//! Differences of the entities: which there are, their keys and their unique constraints.

use std::sync::Arc;

use super::{Difference, Need, Versions, attributes, keys, list};
use crate::model::{Attribute, Entity, Role, Unique};
use crate::value::Name;

pub(super) fn compare(versions: &Versions<'_>) -> Vec<Difference> {
    let mut found = Vec::new();
    for entity in &versions.new.entities {
        match versions.pairs.iter().find(|(_, new)| new.name == entity.name) {
            None => found.push(Difference::new(&*entity.name, "The entity is new.", Need::Nothing)),
            Some((old, new)) => {
                found.extend(renamed(old, new));
                found.extend(table_keys(versions, old, new));
                found.extend(uniques(versions, old, new));
                found.extend(attributes::compare(old, new));
            }
        }
    }
    let gone = |entity: &&Arc<Entity>| !versions.pairs.iter().any(|(old, _)| old.name == entity.name);
    found.extend(versions.old.entities.iter().filter(gone).flat_map(|entity| removed(entity)));
    found
}

fn removed(entity: &Entity) -> [Difference; 2] {
    let why = "Its stored items belong to no entity of the new model: export and delete them, or keep it.";
    [
        Difference::new(&*entity.name, "The entity is gone.", Need::check(entity, why)),
        Difference::new(
            &*entity.name,
            "The operations of the entity are gone.",
            Need::breaking("Callers of its operations are refused."),
        ),
    ]
}

fn renamed(old: &Entity, new: &Entity) -> Vec<Difference> {
    if old.name == new.name {
        return Vec::new();
    }
    let what = format!("The entity was called {}: it has the same keys.", old.name);
    let need = Need::breaking("Callers use the old name.");
    let mut found = vec![Difference::new(&*new.name, what, need)];
    if let Some(attribute) = new.with_role(|role| matches!(role, Role::Type)) {
        let why = format!("Stored items still say `{}`.", old.name);
        let what = format!("It is now `{}`; it was `{}`.", new.name, old.name);
        let location = format!("{}.{}", new.name, attribute.name);
        found.push(Difference::new(location, what, Need::backfill(new, why)));
    }
    found
}

fn table_keys(versions: &Versions<'_>, old: &Entity, new: &Entity) -> Vec<Difference> {
    let table = &versions.new.table;
    [(&table.pk, &old.pk, &new.pk), (&table.sk, &old.sk, &new.sk)]
        .into_iter()
        .filter(|(_, old, new)| !keys::same_template(old, new))
        .map(|(name, old, now)| {
            let mut why = "An item cannot change its key: each has to be written under the new one, and the \
                           old one deleted."
                .to_owned();
            if !new.uniques.is_empty() {
                why.push_str(" So have the pointers that keep its values unique, for they name its key.");
            }
            let need = Need::Rebuild { entities: vec![new.name.clone()], why };
            Difference::new(format!("{}.{name}", new.name), keys::became(&old.text, &now.text), need)
        })
        .collect()
}

fn uniques(versions: &Versions<'_>, old: &Entity, new: &Entity) -> Vec<Difference> {
    let location = |name: &Name| format!("{} unique {name}", new.name);
    let mut found = Vec::new();
    for constraint in &new.uniques {
        let difference = match old.unique(&constraint.name) {
            None => Some((
                format!("{} must now be unique.", fields(constraint)),
                "Pointers have to be written for stored items, which finds those that share a value.",
            )),
            Some(before) if !same_fields(before, constraint) => Some((
                format!("What must be unique is now {}; it was {}.", fields(constraint), fields(before)),
                "Pointers have to be written anew and the old ones deleted; this finds shared values.",
            )),
            // The pointer's key names the entity. With another delimiter the entity is rebuilt.
            Some(_)
                if old.name != new.name && versions.old.table.delimiter == versions.new.table.delimiter =>
            {
                Some((
                    format!("The pointers are now those of {}; they were of {}.", new.name, old.name),
                    "Pointers have to be written anew and the old ones deleted.",
                ))
            }
            Some(_) => None,
        };
        found.extend(
            difference.map(|(what, why)| {
                Difference::new(location(&constraint.name), what, Need::backfill(new, why))
            }),
        );
    }
    for constraint in old.uniques.iter().filter(|constraint| new.unique(&constraint.name).is_none()) {
        let what = format!("{} need not be unique any more.", fields(constraint));
        let need = Need::backfill(new, "The pointers have to be deleted: no entity of the model has them.");
        found.push(Difference::new(location(&constraint.name), what, need));
    }
    found
}

fn fields(constraint: &Unique) -> String {
    let names = |attributes: &[Arc<Attribute>]| -> Vec<Name> {
        attributes.iter().map(|attribute| attribute.name.clone()).collect()
    };
    let fields = list(&names(&constraint.fields));
    if constraint.within.is_empty() {
        fields
    } else {
        format!("{fields} within {}", list(&names(&constraint.within)))
    }
}

/// Whether the pointers of both versions have the same keys.
fn same_fields(old: &Unique, new: &Unique) -> bool {
    let all = |unique: &Unique| unique.within.iter().chain(&unique.fields).cloned().collect::<Vec<_>>();
    let (old_all, new_all) = (all(old), all(new));
    old_all.len() == new_all.len()
        && old.within.len() == new.within.len()
        && old_all.iter().zip(&new_all).all(|(old, new)| keys::same_value(old, new))
}
