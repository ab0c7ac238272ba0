//! Kinds of contracts, known and unknown.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use hansang_core::validate::violation;
use hansang_core::{Error, message};

use crate::messages::specs;

/// A kind, such as `CHANGESET`. Unknown kinds can be registered too.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kind(Arc<str>);

/// The kinds whose specs are decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Known {
    /// The format of an entity's changes.
    ChangeSet,
    /// The joins of entities.
    JoinSpec,
    /// The keys of an inverted index.
    InvertedIndex,
    /// The slices, joins and indexes of an entity.
    RuleSet,
    /// The slices of a view.
    ViewDefinition,
    /// The fields of an entity.
    EntitySchema,
    /// The destination of results.
    SinkRule,
}

/// Every known kind with its spellings; the stored one comes first.
const SPELLINGS: [(Known, [&str; 3]); 7] = [
    (Known::ChangeSet, ["CHANGESET", "ChangeSetContract", "ChangeSet"]),
    (Known::JoinSpec, ["JOIN_SPEC", "JoinSpecContract", "JoinSpec"]),
    (Known::InvertedIndex, ["INVERTED_INDEX", "InvertedIndexContract", "InvertedIndex"]),
    (Known::RuleSet, ["RULESET", "RuleSetContract", "RuleSet"]),
    (Known::ViewDefinition, ["VIEW_DEFINITION", "ViewDefinitionContract", "ViewDefinition"]),
    (Known::EntitySchema, ["ENTITY_SCHEMA", "EntitySchemaContract", "EntitySchema"]),
    (Known::SinkRule, ["SINK_RULE", "SinkRuleContract", "SinkRule"]),
];

/// The maximum length of a kind.
const MAX_LENGTH: usize = 64;

impl Kind {
    /// The kind as it is stored.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The known kind, if it is one.
    #[must_use]
    pub fn known(&self) -> Option<Known> {
        SPELLINGS.iter().find(|(_, spellings)| spellings[0] == &*self.0).map(|(known, _)| *known)
    }
}

impl Known {
    /// All known kinds.
    pub fn all() -> impl Iterator<Item = Self> {
        SPELLINGS.iter().map(|(known, _)| *known)
    }

    /// The kind as it is stored.
    #[must_use]
    pub fn name(self) -> &'static str {
        let found = SPELLINGS.iter().find(|(known, _)| *known == self);
        found.map_or("", |(_, spellings)| spellings[0])
    }

    /// All spellings of all known kinds.
    pub fn spellings() -> impl Iterator<Item = &'static str> {
        SPELLINGS.iter().flat_map(|(_, spellings)| spellings).copied()
    }
}

impl From<Known> for Kind {
    fn from(known: Known) -> Self {
        Self(known.name().into())
    }
}

/// Accepts every spelling of the known kinds, and capitals for others.
impl FromStr for Kind {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        if let Some((known, _)) = SPELLINGS.iter().find(|(_, spellings)| spellings.contains(&text)) {
            return Ok((*known).into());
        }
        let fits = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
        let starts = text.starts_with(|first: char| first.is_ascii_uppercase());
        if starts && text.len() <= MAX_LENGTH && text.bytes().all(fits) {
            return Ok(Self(text.into()));
        }
        Err(Error::fields(vec![violation("kind", message!(specs::KIND))]))
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rs17
    #[test]
    fn known_kinds_have_several_spellings_and_one_name() {
        for (text, name) in [
            ("ChangeSetContract", "CHANGESET"),
            ("CHANGESET", "CHANGESET"),
            ("InvertedIndex", "INVERTED_INDEX"),
            ("VIEW_DEFINITION", "VIEW_DEFINITION"),
            ("SOMETHING_NEW_2", "SOMETHING_NEW_2"),
        ] {
            assert_eq!(text.parse::<Kind>().unwrap().as_str(), name, "{text}");
        }
        for text in ["", "changeset", "_A", "9A", "A#B", "A B", "Ä", "NewThing", &"A".repeat(65)] {
            assert_eq!(text.parse::<Kind>().unwrap_err().violations[0].attribute, "kind", "{text}");
        }
        assert_eq!("RULESET".parse::<Kind>().unwrap().known(), Some(Known::RuleSet));
        assert_eq!("OTHER".parse::<Kind>().unwrap().known(), None);
    }
}
