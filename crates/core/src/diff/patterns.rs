//! Differences of the access patterns, the part of a model that callers see.

use super::kinds::{Fit, fit};
use super::{Difference, Need, Versions, list};
use crate::model::{Entity, KeySource, Leg, Model, Pattern, Sort};
use crate::read::parameters;
use crate::template::Template;
use crate::value::Name;

pub(super) fn compare(versions: &Versions<'_>) -> Vec<Difference> {
    let (old, new) = (versions.old, versions.new);
    let mut found = Vec::new();
    let added = || new.patterns.iter().filter(|pattern| old.pattern(&pattern.name).is_none());
    let mut taken: Vec<&Name> = Vec::new();
    for pattern in &old.patterns {
        if let Some(now) = new.pattern(&pattern.name) {
            found.extend(changed(versions, pattern, now));
            continue;
        }
        let renamed =
            added().find(|now| !taken.contains(&&now.name) && same_question(versions, pattern, now));
        found.push(match renamed {
            Some(now) => {
                taken.push(&now.name);
                let what = format!("The pattern was called `{}`.", pattern.name);
                Difference::new(location(now), what, Need::breaking("Callers use the old name."))
            }
            None => Difference::new(
                location(pattern),
                "The pattern is gone.",
                Need::breaking("Callers of it are refused."),
            ),
        });
    }
    let new_ones = added().filter(|pattern| !taken.contains(&&pattern.name));
    found.extend(
        new_ones.map(|pattern| Difference::new(location(pattern), "The pattern is new.", Need::Nothing)),
    );
    found
}

fn location(pattern: &Pattern) -> String {
    format!("pattern {}", pattern.name)
}

/// Whether two patterns are the same but for their names.
fn same_question(versions: &Versions<'_>, old: &Pattern, new: &Pattern) -> bool {
    let arguments = |pattern: &Pattern| -> Vec<(String, bool)> {
        parameters(pattern).iter().map(|one| (one.name.to_owned(), one.required)).collect()
    };
    returned(versions, old) == returned_now(new)
        && arguments(old) == arguments(new)
        && index(versions.old, old) == index(versions.new, new)
        && old.descending == new.descending
        && one_item(old) == one_item(new)
        && fan_out(old, new).is_none()
}

fn index<'m>(model: &'m Model, pattern: &Pattern) -> Option<&'m Name> {
    pattern.index.map(|index| &model.table.indexes[index].name)
}

/// The entities of an old pattern by their new names.
fn returned(versions: &Versions<'_>, pattern: &Pattern) -> Vec<Name> {
    let mut names: Vec<Name> = pattern.entities.iter().map(|entity| versions.renamed(&entity.name)).collect();
    names.sort();
    names
}

fn returned_now(pattern: &Pattern) -> Vec<Name> {
    let mut names: Vec<Name> = pattern.entities.iter().map(|entity| entity.name.clone()).collect();
    names.sort();
    names
}

fn place_read(index: Option<&Name>) -> String {
    index.map_or_else(|| "the table".to_owned(), |index| format!("the index `{index}`"))
}

/// Whether the items come in the same order from wherever the two versions read them. Fixed text in
/// a sort key does not order the items of one entity.
fn same_order(versions: &Versions<'_>, old: &Pattern, new: &Pattern) -> bool {
    let returned = |entity: &Entity| new.entities.iter().any(|one| one.name == entity.name);
    versions
        .pairs
        .iter()
        .filter(|(_, now)| returned(now))
        .all(|(before, now)| sort_fields(old, before) == sort_fields(new, now))
}

/// The attributes that order the items of an entity, the first of them first.
fn sort_fields(pattern: &Pattern, entity: &Entity) -> Vec<Name> {
    let fields = |template: &Template| template.fields().map(|field| field.attribute.name.clone()).collect();
    let Some(index) = pattern.index else { return fields(&entity.sk) };
    match entity.in_index(index).and_then(|entry| entry.sk.as_ref()) {
        Some(KeySource::Derived(template) | KeySource::Own(template)) => fields(template),
        Some(KeySource::Number(attribute)) => vec![attribute.name.clone()],
        None => Vec::new(),
    }
}

/// Whether the pattern finds one item at most.
fn one_item(pattern: &Pattern) -> bool {
    pattern.over.is_none()
        && match pattern.legs.as_slice() {
            [Leg::Get { .. } | Leg::Lookup { .. }] => true,
            // Several items can share a key of an index.
            [Leg::Query { sort: Sort::Exact(_), .. }] => pattern.index.is_none(),
            _ => false,
        }
}

fn changed(versions: &Versions<'_>, old: &Pattern, new: &Pattern) -> Vec<Difference> {
    let mut found = arguments(old, new);
    found.extend(answer(versions, old, new));
    found.extend(options(old, new));
    found.extend(fan_out(old, new));
    found
}

/// Changes of the result and its source.
fn answer(versions: &Versions<'_>, old: &Pattern, new: &Pattern) -> Vec<Difference> {
    let mut found = Vec::new();
    let mut add = |what: String, need: Need| found.push(Difference::new(location(new), what, need));
    let (before, now) = (returned(versions, old), returned_now(new));
    if before != now {
        let what = format!("It returns {}; it was {}.", list(&now), list(&before));
        add(what, Need::breaking("Callers get other items."));
    }
    if one_item(old) != one_item(new) {
        let (now, before) = if one_item(new) { ("one item", "a page") } else { ("a page", "one item") };
        add(format!("It gives {now}; it was {before}."), Need::breaking("Callers get another shape."));
    }
    let (before, now) = (index(versions.old, old), index(versions.new, new));
    if before != now {
        let what = format!("It reads {}; it was {}.", place_read(now), place_read(before));
        add(what, Need::Nothing);
    }
    if !one_item(old) && !one_item(new) && !same_order(versions, old, new) {
        let need = Need::breaking("Callers get another order, and cursors given out before do not fit.");
        add("Items come in the order of another sort key.".to_owned(), need);
    }
    found
}

/// Changes of options and their defaults.
fn options(old: &Pattern, new: &Pattern) -> Vec<Difference> {
    let mut found = Vec::new();
    let mut add = |what: String, need: Need| found.push(Difference::new(location(new), what, need));
    if old.descending != new.descending {
        let word = |descending| if descending { "descending" } else { "ascending" };
        let what = format!("The order is now {}; it was {}.", word(new.descending), word(old.descending));
        add(what, Need::breaking("Callers get the other end first."));
    }
    match (old.consistent, new.consistent) {
        (true, false) => add(
            "Reads are now eventually consistent.".to_owned(),
            Need::breaking("Callers may not see what was just written."),
        ),
        (false, true) => {
            add("Reads are now strongly consistent, at twice the cost.".to_owned(), Need::Nothing);
        }
        _ => {}
    }
    if old.page != new.page && !one_item(new) {
        add(format!("A page now has {} items; it was {}.", new.page, old.page), Need::Nothing);
    }
    found
}

fn fan_out(old: &Pattern, new: &Pattern) -> Option<Difference> {
    let over = |pattern: &Pattern| pattern.over.as_ref().map(|over| over.attribute.name.clone());
    if over(old) != over(new) {
        let word = |over: Option<Name>| over.map_or("nothing".to_owned(), |name| format!("`{name}`"));
        let what = format!("It fans out over {}; it was {}.", word(over(new)), word(over(old)));
        return Some(Difference::new(location(new), what, Need::breaking("Callers get other items.")));
    }
    let (before, now) = (old.over.as_ref()?, new.over.as_ref()?);
    // The values of a closed list are all read, however many there are.
    if before.max == now.max || now.attribute.kind.choices().is_some() {
        return None;
    }
    let what = format!("It fans out over at most {} values; it was {}.", now.max, before.max);
    let fewer = Need::breaking("Callers that ask for more are refused.");
    Some(Difference::new(location(new), what, if now.max < before.max { fewer } else { Need::Nothing }))
}

fn arguments(old: &Pattern, new: &Pattern) -> Vec<Difference> {
    let (before, now) = (parameters(old), parameters(new));
    let mut found = Vec::new();
    let mut add = |what: String, need: Need| found.push(Difference::new(location(new), what, need));
    for argument in &now {
        let name = argument.name;
        match before.iter().find(|known| known.name == name) {
            None if argument.required => add(
                format!("It must now be given `{name}`."),
                Need::breaking("Callers that leave it out are refused."),
            ),
            None => add(format!("It can now be given `{name}`."), Need::Nothing),
            Some(known) => {
                if argument.required && !known.required {
                    let need = Need::breaking("Callers that leave it out are refused.");
                    add(format!("`{name}` must now be given; it was optional."), need);
                } else if known.required && !argument.required {
                    add(format!("`{name}` need not be given any more."), Need::Nothing);
                }
                // Another spelling of the same value is accepted and rewritten.
                if let Fit::Doubtful | Fit::Converted = fit(known.kind, argument.kind) {
                    let what = format!("`{name}` is now {}; it was {}.", argument.kind, known.kind);
                    add(what, Need::breaking("Callers that give anything else are refused."));
                }
            }
        }
    }
    for argument in before.iter().filter(|known| !now.iter().any(|argument| argument.name == known.name)) {
        let what = format!("It is no longer given `{}`.", argument.name);
        add(what, Need::breaking("Callers that give it are refused."));
    }
    found
}
