//! Differences of types: whether stored values of the old type are valid in the new one.

use super::{Difference, Need, list};
use crate::kind::{Kind, Lifecycle, Members};
use crate::model::Entity;
use crate::value::Name;

/// The effect of a new type on the values of an old one.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Fit {
    /// The types are the same.
    Same,
    /// Every value is still one.
    Kept,
    /// Every value keeps its meaning in another form.
    Rewritten,
    /// Some values may not be any more.
    Doubtful,
    /// No value is: it is stored as another type.
    Converted,
}

/// The effect of the new type on the values of the old one.
pub(super) fn fit(old: &Kind, new: &Kind) -> Fit {
    match (old, new) {
        (old, new) if old == new => Fit::Same,
        (_, Kind::Any) | (Kind::Integer, Kind::Number) => Fit::Kept,
        (Kind::Timestamp(_), Kind::Timestamp(_)) | (Kind::Month { .. }, Kind::Month { .. }) => Fit::Rewritten,
        (Kind::List(old), Kind::List(new)) | (Kind::Map(old), Kind::Map(new)) => fit(old, new),
        (Kind::Any, _) => Fit::Doubtful,
        (old, new) if stored_as(old) != stored_as(new) => Fit::Converted,
        (_, Kind::String | Kind::Markdown) => Fit::Kept,
        (old, new) => match (old.choices(), new.choices()) {
            (Some(old), Some(new)) if old.iter().all(|choice| new.contains(choice)) => Fit::Kept,
            _ => Fit::Doubtful,
        },
    }
}

/// DynamoDB's type of the values.
fn stored_as(kind: &Kind) -> &'static str {
    match kind {
        Kind::Number | Kind::Integer => "N",
        Kind::Bool => "BOOL",
        Kind::Binary => "B",
        Kind::List(_) => "L",
        Kind::Map(_) => "M",
        Kind::Set(Members::Texts) => "SS",
        Kind::Set(Members::Numbers) => "NS",
        Kind::Set(Members::Binaries) => "BS",
        _ => "S",
    }
}

/// Differences of an attribute's type.
pub(super) fn compare(entity: &Entity, location: &str, old: &Kind, new: &Kind) -> Vec<Difference> {
    if let (Some(before), Some(now)) = (old.choices(), new.choices()) {
        let mut found = choices(entity, location, before, now);
        found.extend(lifecycle(location, old, new));
        return found;
    }
    let need = match fit(old, new) {
        Fit::Same => return Vec::new(),
        Fit::Kept => Need::Nothing,
        Fit::Rewritten => Need::backfill(entity, "Stored values are written in the old form until then."),
        Fit::Doubtful => Need::check(entity, format!("A stored value must be {new}.")),
        Fit::Converted => {
            Need::check(entity, "Every stored value has the old type and has to be converted first.")
        }
    };
    vec![Difference::new(location, format!("The type is now {new}; it was {old}."), need)]
}

fn choices(entity: &Entity, location: &str, old: &[Name], new: &[Name]) -> Vec<Difference> {
    let only = |these: &[Name], those: &[Name]| -> Vec<Name> {
        these.iter().filter(|choice| !those.contains(choice)).cloned().collect()
    };
    let (gone, added) = (only(old, new), only(new, old));
    let mut found = Vec::new();
    if !gone.is_empty() {
        let why = format!("A stored item may still have {}.", list(&gone));
        let what = format!("It can no longer be {}.", list(&gone));
        found.push(Difference::new(location, what, Need::check(entity, why)));
    }
    if !added.is_empty() {
        found.push(Difference::new(location, format!("It can now also be {}.", list(&added)), Need::Nothing));
    }
    found
}

fn lifecycle(location: &str, old: &Kind, new: &Kind) -> Vec<Difference> {
    match (old, new) {
        (Kind::Lifecycle(old), Kind::Lifecycle(new)) => {
            [moves(location, old, new), initial(location, old, new)].into_iter().flatten().flatten().collect()
        }
        (_, Kind::Lifecycle(_)) => vec![Difference::new(
            location,
            "It is now a lifecycle; it was a plain choice.",
            Need::breaking("A change that is not one of the transitions is rejected."),
        )],
        (Kind::Lifecycle(_), _) => {
            vec![Difference::new(location, "It is now a plain choice; it was a lifecycle.", Need::Nothing)]
        }
        _ => Vec::new(),
    }
}

/// Moves between states that both versions have; those of other states come and go with them.
fn moves(location: &str, old: &Lifecycle, new: &Lifecycle) -> [Option<Difference>; 2] {
    let both = |state: &Name| old.states.contains(state) && new.states.contains(state);
    let only = |these: &Lifecycle, those: &Lifecycle| -> Vec<String> {
        let moves = these.moves.iter().filter(|(from, to)| both(from) && both(to) && !those.allows(from, to));
        moves.map(|(from, to)| format!("{from} → {to}")).collect()
    };
    let (gone, added) = (only(old, new), only(new, old));
    [
        (!gone.is_empty()).then(|| {
            let need =
                Need::breaking("Callers that make such a transition are rejected, and items may be stuck.");
            Difference::new(location, format!("There is no transition {} any more.", list(&gone)), need)
        }),
        (!added.is_empty()).then(|| {
            Difference::new(location, format!("There is now the transition {}.", list(&added)), Need::Nothing)
        }),
    ]
}

fn initial(location: &str, old: &Lifecycle, new: &Lifecycle) -> [Option<Difference>; 2] {
    let gone: Vec<&Name> = old.initial.iter().filter(|state| !new.initial.contains(state)).collect();
    let added: Vec<&Name> = new.initial.iter().filter(|state| !old.initial.contains(state)).collect();
    [
        (!gone.is_empty()).then(|| {
            let need = Need::breaking("Callers that create an item in that state are refused.");
            Difference::new(location, format!("No item starts as {} any more.", list(&gone)), need)
        }),
        (!added.is_empty()).then(|| {
            Difference::new(location, format!("An item can now start as {}.", list(&added)), Need::Nothing)
        }),
    ]
}
