//! Differences between two versions of a model, and the migration that each of them needs.
//!
//! Descriptions and the order of the file are not compared: they change no stored item and no response.

use std::fmt;
use std::sync::Arc;

use crate::model::{Entity, Model};
use crate::value::Name;

mod attributes;
mod entities;
mod indexes;
mod keys;
mod kinds;
mod patterns;
mod render;
mod table;

pub use render::render;

/// One change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The location: `Post.title`, `index GSI1`, `pattern posts`, `table`.
    pub location: String,
    /// The difference, as a sentence.
    pub what: String,
    /// The migration it needs.
    pub need: Need,
}

/// The migration that a change needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Need {
    /// No work: the change is safe at once.
    Nothing,
    /// Stored items must be rewritten in place with the new model; a job can do this.
    Backfill {
        /// The entities whose items are rewritten.
        entities: Vec<Name>,
        /// The problem of the stored items until then.
        why: String,
    },
    /// Stored items may be invalid in the new model: a person has to check and decide.
    Check {
        /// The entities whose items are concerned.
        entities: Vec<Name>,
        /// The items to look for.
        why: String,
    },
    /// Callers of the API, the command line or the Rust code have to change with the model.
    Breaking {
        /// The change that callers see.
        why: String,
    },
    /// An index must be recreated: DynamoDB cannot change it in place.
    Reindex {
        /// The index.
        index: Name,
        /// The part of it that cannot be changed.
        why: String,
    },
    /// Items get a new key or a new table, so they have to be copied there and the old ones deleted.
    Rebuild {
        /// The entities whose items move.
        entities: Vec<Name>,
        /// The reason why the items cannot stay.
        why: String,
    },
}

/// The severity of a migration, in increasing order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// No work.
    Nothing,
    /// A job does it.
    Backfill,
    /// A person has to check stored items.
    Check,
    /// Callers have to change.
    Breaking,
    /// An index is unavailable while it is recreated.
    Reindex,
    /// Items move.
    Rebuild,
}

/// The differences between two versions of a model, by severity, then by location.
#[must_use]
pub fn diff(old: &Model, new: &Model) -> Vec<Difference> {
    let versions = Versions::new(old, new);
    let mut found = table::compare(&versions);
    found.extend(indexes::compare(&versions));
    found.extend(entities::compare(&versions));
    found.extend(patterns::compare(&versions));
    found.sort_by(|a, b| b.need.severity().cmp(&a.need.severity()).then_with(|| a.location.cmp(&b.location)));
    found
}

/// The highest severity of the differences, for an exit code.
#[must_use]
pub fn worst(differences: &[Difference]) -> Severity {
    differences.iter().map(|difference| difference.need.severity()).max().unwrap_or(Severity::Nothing)
}

impl Difference {
    fn new(location: impl Into<String>, what: impl Into<String>, need: Need) -> Self {
        Self { location: location.into(), what: what.into(), need }
    }
}

impl Need {
    /// The severity of the change.
    #[must_use]
    pub fn severity(&self) -> Severity {
        match self {
            Self::Nothing => Severity::Nothing,
            Self::Backfill { .. } => Severity::Backfill,
            Self::Check { .. } => Severity::Check,
            Self::Breaking { .. } => Severity::Breaking,
            Self::Reindex { .. } => Severity::Reindex,
            Self::Rebuild { .. } => Severity::Rebuild,
        }
    }

    fn backfill(entity: &Entity, why: impl Into<String>) -> Self {
        Self::Backfill { entities: vec![entity.name.clone()], why: why.into() }
    }

    fn check(entity: &Entity, why: impl Into<String>) -> Self {
        Self::Check { entities: vec![entity.name.clone()], why: why.into() }
    }

    fn breaking(why: impl Into<String>) -> Self {
        Self::Breaking { why: why.into() }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} {}", self.location, self.what, self.need)
    }
}

impl fmt::Display for Need {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("Nothing to do."),
            Self::Backfill { entities, why } => write!(f, "Backfill {}: {why}", entities.join(", ")),
            Self::Check { entities, why } => write!(f, "Check {}: {why}", entities.join(", ")),
            Self::Breaking { why } => write!(f, "Breaking: {why}"),
            Self::Reindex { index, why } => write!(f, "Reindex {index}: {why}"),
            Self::Rebuild { entities, why } => write!(f, "Rebuild {}: {why}", entities.join(", ")),
        }
    }
}

/// The two models, and which entity of the old one is which of the new one.
struct Versions<'m> {
    old: &'m Model,
    new: &'m Model,
    pairs: Vec<(&'m Arc<Entity>, &'m Arc<Entity>)>,
}

impl<'m> Versions<'m> {
    /// Pairs entities by name. One that is gone and one that is new with the very same keys are one
    /// that was renamed, for that is how the new model reads the stored items.
    fn new(old: &'m Model, new: &'m Model) -> Self {
        let pair = |entity: &'m Arc<Entity>| {
            let renamed = || {
                new.entities.iter().find(|other| {
                    old.entity(&other.name).is_none()
                        && keys::same_template(&entity.pk, &other.pk)
                        && keys::same_template(&entity.sk, &other.sk)
                })
            };
            new.entity(&entity.name).or_else(renamed).map(|other| (entity, other))
        };
        Self { old, new, pairs: old.entities.iter().filter_map(pair).collect() }
    }

    /// The name of an old entity in the new model.
    fn renamed(&self, name: &Name) -> Name {
        let pair = self.pairs.iter().find(|(old, _)| old.name == *name);
        pair.map_or_else(|| name.clone(), |(_, new)| new.name.clone())
    }

    /// The entities that have stored items and are still there, by their new names.
    fn kept(&self) -> Vec<Name> {
        self.pairs.iter().map(|(_, new)| new.name.clone()).collect()
    }
}

/// "`a`, `b` and `c`".
fn list<T: AsRef<str>>(words: &[T]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{}`", word.as_ref())).collect();
    match quoted.split_last() {
        None => "nothing".to_owned(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}
