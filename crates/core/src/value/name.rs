//! Names of attributes, entities, tables and indexes.

use std::collections::HashSet;
use std::sync::{LazyLock, PoisonError, RwLock};

/// The name of an attribute, an entity, a table or an index. Shared, so that planning clones no text; a [known] one, or
/// one [written in the program](crate::name), has no reference count, so that threads which use the same model do not
/// contend for it.
pub type Name = arcstr::ArcStr;

/// Names that live as long as the process: models are compiled again and again with the same few names.
static KNOWN: LazyLock<RwLock<HashSet<Name>>> = LazyLock::new(RwLock::default);
/// The maximum number of interned names; later ones are reference-counted.
const MAX_INTERNED: usize = 100_000;

/// Interns a name of a model.
#[must_use]
pub fn known(text: &str) -> Name {
    if let Some(name) = find(text) {
        return name;
    }
    let name = Name::from(text);
    let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
    if let Some(same) = known.get(text) {
        return same.clone();
    }
    if known.len() < MAX_INTERNED {
        name.leak();
        known.insert(name.clone());
    }
    name
}

/// The name of a stored attribute: the interned one, if a model has it.
#[must_use]
pub fn stored(text: &str) -> Name {
    find(text).unwrap_or_else(|| Name::from(text))
}

fn find(text: &str) -> Option<Name> {
    KNOWN.read().unwrap_or_else(PoisonError::into_inner).get(text).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_a_model_is_one_for_all_and_others_come_and_go() {
        let (one, other) = (known("a name"), known("a name"));
        assert!(Name::ptr_eq(&one, &other) && Name::is_static(&one));
        assert!(Name::ptr_eq(&one, &stored("a name")));
        assert!(!Name::is_static(&stored("what nobody declared")));
    }
}
