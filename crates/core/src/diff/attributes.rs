//! Differences of the attributes of an entity.

use std::fmt::Display;

use super::kinds::{self, Fit};
use super::{Difference, Need, keys};
use crate::model::{Attribute, Entity, Role, Rules};
use crate::value::{Value, json};

pub(super) fn compare(old: &Entity, new: &Entity) -> Vec<Difference> {
    let mut found = Vec::new();
    for attribute in &new.attributes {
        match old.attribute(&attribute.name) {
            None => found.push(added(new, attribute)),
            Some(before) => found.extend(changed(new, before, attribute)),
        }
    }
    let gone = old.attributes.iter().filter(|attribute| new.attribute(&attribute.name).is_none());
    found.extend(gone.map(|attribute| removed(new, attribute)));
    found
}

fn location(entity: &Entity, attribute: &Attribute) -> String {
    format!("{}.{}", entity.name, attribute.name)
}

fn added(entity: &Entity, attribute: &Attribute) -> Difference {
    let (what, need) = match &attribute.role {
        Role::Given if !attribute.stored => {
            ("The attribute is new and stands in the key alone.", Need::Nothing)
        }
        Role::Given if attribute.optional => ("The attribute is new and optional.", Need::Nothing),
        Role::Given => ("The attribute is new and required.", required(entity, attribute)),
        Role::Created => (
            "The time of creation is new.",
            Need::check(entity, "When stored items were created is not known: decide what they get."),
        ),
        // An item that lacks it was never updated: that is how it is read.
        Role::Updated => ("The time of the last write is new.", Need::Nothing),
        Role::Type => ("Items now carry the name of their entity.", lacks_it(entity)),
        Role::Version => ("Writes are now counted.", lacks_it(entity)),
        Role::Derived(_) => ("The attribute is new and made from a template.", lacks_it(entity)),
    };
    Difference::new(location(entity, attribute), what, need)
}

fn lacks_it(entity: &Entity) -> Need {
    Need::backfill(entity, "Stored items lack it until then.")
}

/// The migration of stored items that may lack a required attribute.
fn required(entity: &Entity, attribute: &Attribute) -> Need {
    if let Some(default) = &attribute.default {
        return Need::backfill(entity, format!("Stored items that lack it get {}.", shown(default)));
    }
    if attribute.generated.is_some() {
        return Need::backfill(entity, "Stored items that lack it get a value made for each.");
    }
    let why = "Stored items may lack it and it has no default: decide what they get. Callers must give it.";
    Need::check(entity, why)
}

fn removed(entity: &Entity, attribute: &Attribute) -> Difference {
    let (what, need) = match attribute.role {
        _ if !attribute.stored => ("The attribute, which stood in the key alone, is gone.", Need::Nothing),
        Role::Given => {
            let why = "Stored items that still have it do not fit the model, and rewriting them loses its \
                       values. Callers that give it are refused.";
            ("The attribute is gone.", Need::check(entity, why))
        }
        _ => (
            "The attribute, which was written by the table, is gone.",
            Need::backfill(entity, "Stored items carry it until then, and do not fit the model."),
        ),
    };
    Difference::new(location(entity, attribute), what, need)
}

fn changed(entity: &Entity, old: &Attribute, new: &Attribute) -> Vec<Difference> {
    // It holds the name of the entity, which is compared with the entity.
    if let (Role::Type, Role::Type) = (&old.role, &new.role) {
        return Vec::new();
    }
    let location = location(entity, new);
    let mut found = kinds::compare(entity, &location, &old.kind, &new.kind);
    // Rules of values of another type cannot be compared.
    if kinds::fit(&old.kind, &new.kind) != Fit::Converted {
        found.extend(rules(entity, &location, &old.rules, &new.rules));
    }
    if who(&old.role) != who(&new.role) {
        found.extend(other_writer(entity, &location, old, new));
        return found;
    }
    let made_otherwise = match (&old.role, &new.role) {
        (Role::Derived(old), Role::Derived(new)) if !keys::same_template(old, new) => {
            let what = keys::became(&old.text, &new.text);
            let need = Need::backfill(entity, "Stored items have the old value until then.");
            Some(Difference::new(location.as_str(), what, need))
        }
        _ => None,
    };
    found.extend(made_otherwise);
    found.extend(presence(entity, &location, old, new));
    found.extend(default(&location, old, new));
    found.extend(generated(&location, old, new));
    found.extend(immutable(entity, &location, old, new));
    found
}

/// The writer of an attribute.
fn who(role: &Role) -> &'static str {
    match role {
        Role::Given => "the caller",
        Role::Type => "the table, as the entity's name",
        Role::Created => "the table, as the time of creation",
        Role::Updated => "the table, as the time of the last write",
        Role::Version => "the table, as a count of the writes",
        Role::Derived(_) => "the table, from a template",
    }
}

fn other_writer(entity: &Entity, location: &str, old: &Attribute, new: &Attribute) -> Vec<Difference> {
    let what = format!("It is now written by {}; it was written by {}.", who(&new.role), who(&old.role));
    let why = match new.role {
        Role::Given if new.optional => "Nobody else writes it from now on.",
        Role::Given => "Callers must give it from now on.",
        _ => "Callers that give it are refused.",
    };
    let mut found = vec![Difference::new(location, what, Need::breaking(why))];
    if let Role::Derived(_) | Role::Type | Role::Version = new.role {
        let need = Need::backfill(entity, "Stored items keep the value that was given until then.");
        found.push(Difference::new(location, "Stored values do not come from the table yet.", need));
    }
    found
}

/// Whether an item has the attribute: required or not, stored or only in the key.
fn presence(entity: &Entity, location: &str, old: &Attribute, new: &Attribute) -> Vec<Difference> {
    let mut found = Vec::new();
    match (old.optional, new.optional) {
        (true, false) => {
            found.push(Difference::new(
                location,
                "It is now required; it was optional.",
                required(entity, new),
            ));
        }
        (false, true) => {
            found.push(Difference::new(location, "It is now optional; it was required.", Need::Nothing));
        }
        _ => {}
    }
    match (old.stored, new.stored) {
        (false, true) => {
            let what = "It is now stored as an attribute; it was in the key alone.";
            found.push(Difference::new(location, what, lacks_it(entity)));
        }
        (true, false) => {
            let what = "It is now in the key alone; it was stored as an attribute too.";
            found.push(Difference::new(location, what, Need::Nothing));
        }
        _ => {}
    }
    found
}

/// Whether a write without the attribute is invalid now and was valid before.
fn must_be_given(old: &Attribute, new: &Attribute) -> bool {
    let may_lack = |attribute: &Attribute| {
        attribute.optional || attribute.default.is_some() || attribute.generated.is_some()
    };
    // From optional to required is reported as another difference.
    may_lack(old) && !may_lack(new) && !old.optional
}

fn default(location: &str, old: &Attribute, new: &Attribute) -> Option<Difference> {
    let what = match (&old.default, &new.default) {
        (old, new) if old == new => return None,
        (Some(old), Some(new)) => format!("The default is now {}; it was {}.", shown(new), shown(old)),
        (_, Some(new)) => format!("The default is now {}; there was none.", shown(new)),
        (Some(old), None) => format!("There is no default any more; it was {}.", shown(old)),
        (None, None) => return None,
    };
    let breaking = must_be_given(old, new) && old.default.is_some();
    let need =
        if breaking { Need::breaking("Callers that leave it out are refused.") } else { Need::Nothing };
    Some(Difference::new(location, what, need))
}

fn generated(location: &str, old: &Attribute, new: &Attribute) -> Option<Difference> {
    if old.generated == new.generated {
        return None;
    }
    let what = match new.generated {
        Some(_) => "How a value is made when none is given is new.",
        None => "No value is made any more when none is given.",
    };
    let breaking = must_be_given(old, new) && new.generated.is_none();
    let need =
        if breaking { Need::breaking("Callers that leave it out are refused.") } else { Need::Nothing };
    Some(Difference::new(location, what, need))
}

fn immutable(entity: &Entity, location: &str, old: &Attribute, new: &Attribute) -> Option<Difference> {
    // A field of the key could not change before either.
    if entity.in_key(&new.name) {
        return None;
    }
    match (old.immutable, new.immutable) {
        (false, true) => Some(Difference::new(
            location,
            "It can no longer change once it is written.",
            Need::breaking("Callers that change it are refused."),
        )),
        (true, false) => Some(Difference::new(location, "It can change from now on.", Need::Nothing)),
        _ => None,
    }
}

fn rules(entity: &Entity, location: &str, old: &Rules, new: &Rules) -> Vec<Difference> {
    let rule = |(what, tighter): (String, bool)| {
        let why = "A stored value may break the rule.";
        Difference::new(location, what, if tighter { Need::check(entity, why) } else { Need::Nothing })
    };
    let mut found = Vec::new();
    found.extend(bound("smallest number", old.min, new.min, |old, new| new > old).map(rule));
    found.extend(bound("largest number", old.max, new.max, |old, new| new < old).map(rule));
    // A minimum of zero is no rule.
    let least = |rules: &Rules| rules.min_length.filter(|least| *least > 0);
    found.extend(bound("least length", least(old), least(new), |old, new| new > old).map(rule));
    found.extend(bound("greatest length", old.max_length, new.max_length, |old, new| new < old).map(rule));
    let quoted = |rules: &Rules| rules.pattern_text.as_ref().map(|pattern| format!("`{pattern}`"));
    // Patterns are not compared for strictness: every change of one needs a check.
    found.extend(bound("pattern", quoted(old), quoted(new), |_, _| true).map(rule));
    found
}

/// The change of a rule, and whether it is stricter now.
fn bound<T: Display + PartialEq>(
    rule: &str,
    old: Option<T>,
    new: Option<T>,
    tighter: impl Fn(&T, &T) -> bool,
) -> Option<(String, bool)> {
    match (old, new) {
        (old, new) if old == new => None,
        (Some(old), Some(new)) => {
            Some((format!("The {rule} is now {new}; it was {old}."), tighter(&old, &new)))
        }
        (None, Some(new)) => Some((format!("The {rule} is now {new}; there was none."), true)),
        (Some(old), None) => Some((format!("There is no {rule} any more; it was {old}."), false)),
        (None, None) => None,
    }
}

fn shown(value: &Value) -> String {
    format!("`{}`", json::to_plain(value))
}
