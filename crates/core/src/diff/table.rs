//! Differences of the model as a whole and of its table.

use super::{Difference, Need, Versions, keys, list};
use crate::model::{Entity, Ttl};
use crate::value::Name;

pub(super) fn compare(versions: &Versions<'_>) -> Vec<Difference> {
    let mut found = whole(versions);
    found.extend(item_location(versions));
    found.extend(delimiter(versions));
    found.extend(time_to_live(versions));
    found.extend(settings(versions));
    found
}

fn whole(Versions { old, new, .. }: &Versions<'_>) -> Vec<Difference> {
    let mut found = Vec::new();
    if old.name != new.name {
        let what = format!("The model is now called `{}`; it was `{}`.", new.name, old.name);
        found.push(Difference::new(
            "model",
            what,
            Need::breaking("Commands and addresses carry the model's name."),
        ));
    }
    if old.version != new.version {
        let what = format!("The version is now {}; it was {}.", new.version, old.version);
        found.push(Difference::new("model", what, Need::Nothing));
    }
    found
}

/// The table's name and keys: a change of one of them is a new table.
fn item_location(versions: &Versions<'_>) -> Vec<Difference> {
    let (old, new) = (&versions.old.table, &versions.new.table);
    let changes: [(&str, &str, &str, &str); 3] = [
        ("table", "table", &old.name, &new.name),
        ("table key", "partition key attribute", &old.pk, &new.pk),
        ("table key", "sort key attribute", &old.sk, &new.sk),
    ];
    let changed = changes.iter().filter(|(_, _, old, new)| old != new);
    changed
        .map(|(location, thing, old, new)| {
            let what = format!("The {thing} is now `{new}`; it was `{old}`.");
            let why = "DynamoDB renames neither tables nor keys: this is a new table, and every item has to be \
                       copied into it.";
            Difference::new(*location, what, Need::Rebuild { entities: versions.kept(), why: why.to_owned() })
        })
        .collect()
}

fn delimiter(versions: &Versions<'_>) -> Option<Difference> {
    let (old, new) = (versions.old.table.delimiter, versions.new.table.delimiter);
    if old == new {
        return None;
    }
    let what = format!("The delimiter is now `{new}`; it was `{old}`.");
    let pairs = || versions.pairs.iter();
    let moved: Vec<Name> = pairs()
        .filter(|(old, new)| {
            !keys::same_template(&old.pk, &new.pk)
                || !keys::same_template(&old.sk, &new.sk)
                || !old.uniques.is_empty()
        })
        .map(|(_, new)| new.name.clone())
        .collect();
    let free = |entity: &Entity| {
        entity.pk.fields().chain(entity.sk.fields()).any(|field| field.attribute.kind.is_free_text())
    };
    let doubtful: Vec<Name> = pairs().filter(|(_, new)| free(new)).map(|(_, new)| new.name.clone()).collect();
    let need = if !moved.is_empty() {
        let why = "The delimiter is part of their keys and of the pointers that keep values unique.";
        Need::Rebuild { entities: moved, why: why.to_owned() }
    } else if !doubtful.is_empty() {
        let why =
            format!("A text in a stored key may contain `{new}`, and then the key cannot be read back.");
        Need::Check { entities: doubtful, why }
    } else {
        Need::Nothing
    };
    Some(Difference::new("table", what, need))
}

fn time_to_live(versions: &Versions<'_>) -> Option<Difference> {
    let (old, new) = (&versions.old.table.ttl, &versions.new.table.ttl);
    let active = |ttl: &Option<Ttl>| ttl.as_ref().filter(|ttl| ttl.enabled).map(|ttl| ttl.attribute.clone());
    let (what, need) = match (active(old), active(new)) {
        (before, Some(now)) if before.as_ref() != Some(&now) => {
            let what = match before {
                Some(before) => format!("Items now expire by `{now}`; it was `{before}`."),
                None => format!("Items now expire by `{now}`; before, none did."),
            };
            let expiring = versions.pairs.iter().filter(|(_, new)| new.attribute(&now).is_some());
            let entities: Vec<Name> = expiring.map(|(_, new)| new.name.clone()).collect();
            let why = format!("Stored items whose `{now}` lies in the past are deleted.");
            (what, if entities.is_empty() { Need::Nothing } else { Need::Check { entities, why } })
        }
        (Some(before), None) => (format!("Items no longer expire; they did by `{before}`."), Need::Nothing),
        _ => return None,
    };
    Some(Difference::new("table", what, need))
}

fn settings(versions: &Versions<'_>) -> Vec<Difference> {
    let (old, new) = (&versions.old.table, &versions.new.table);
    let mut found = Vec::new();
    let mut add = |what: String, need: Need| found.push(Difference::new("table", what, need));
    match (old.streams, new.streams) {
        (false, true) => add("A change feed is kept from now on.".to_owned(), Need::Nothing),
        (true, false) => add(
            "No change feed is kept any more.".to_owned(),
            Need::breaking("Whoever reads the change feed sees nothing more."),
        ),
        _ => {}
    }
    if old.recovery != new.recovery {
        let state = if new.recovery { "on" } else { "off" };
        add(format!("Point-in-time recovery is now {state}."), Need::Nothing);
    }
    if old.tags != new.tags {
        let tags: Vec<String> = new.tags.iter().map(|(name, value)| format!("{name}={value}")).collect();
        add(format!("The tags are now {}.", list(&tags)), Need::Nothing);
    }
    found
}
