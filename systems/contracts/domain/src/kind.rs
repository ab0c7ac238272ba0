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
    /// The form of the values in an index.
    IndexValueCanonicalizer,
}

/// Every known kind with the name under which it is stored, and its letters without case and separators.
const NAMES: [(Known, &str, &str); 8] = [
    (Known::ChangeSet, "CHANGESET", "changeset"),
    (Known::JoinSpec, "JOIN_SPEC", "joinspec"),
    (Known::InvertedIndex, "INVERTED_INDEX", "invertedindex"),
    (Known::RuleSet, "RULESET", "ruleset"),
    (Known::ViewDefinition, "VIEW_DEFINITION", "viewdefinition"),
    (Known::EntitySchema, "ENTITY_SCHEMA", "entityschema"),
    (Known::SinkRule, "SINK_RULE", "sinkrule"),
    (Known::IndexValueCanonicalizer, "INDEX_VALUE_CANONICALIZER", "indexvaluecanonicalizer"),
];

/// The maximum length of a kind in capitals.
const MAX_LENGTH: usize = 64;
/// The maximum length of a kind in another spelling, which becomes longer in capitals.
const MAX_MIXED_LENGTH: usize = 32;

impl Kind {
    /// The kind as it is stored.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The known kind, if it is one.
    #[must_use]
    pub fn known(&self) -> Option<Known> {
        NAMES.iter().find(|(_, name, _)| *name == &*self.0).map(|(known, ..)| *known)
    }
}

impl Known {
    /// All known kinds.
    pub fn all() -> impl Iterator<Item = Self> {
        NAMES.iter().map(|(known, ..)| *known)
    }

    /// The kind as it is stored.
    #[must_use]
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(known, ..)| *known == self).map_or("", |(_, name, _)| name)
    }

    /// The known kind of a spelling: case, `_`, `-` and a trailing `contract` do not matter.
    pub(crate) fn of_spelling(text: &str) -> Option<Self> {
        let letters: String =
            text.chars().filter(|letter| !['_', '-'].contains(letter)).collect::<String>().to_lowercase();
        let mut stem = letters.as_str();
        while let Some(rest) = stem.strip_suffix("contract") {
            stem = rest;
        }
        NAMES.iter().find(|(.., letters)| *letters == stem).map(|(known, ..)| *known)
    }
}

impl From<Known> for Kind {
    fn from(known: Known) -> Self {
        Self(known.name().into())
    }
}

/// Accepts every spelling of the known kinds. Others become capitals with `_` between words, without `CONTRACT` at the end.
impl FromStr for Kind {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let wrong = || Error::fields(vec![violation("kind", message!(specs::KIND))]);
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        if !text.starts_with(|first: char| first.is_ascii_alphabetic()) || !text.bytes().all(fits) {
            return Err(wrong());
        }
        let in_capitals = !text.contains(|letter: char| letter.is_ascii_lowercase() || letter == '-');
        if text.len() > if in_capitals { MAX_LENGTH } else { MAX_MIXED_LENGTH } {
            return Err(wrong());
        }
        if let Some(known) = Known::of_spelling(text) {
            return Ok(known.into());
        }
        let capitals = if in_capitals { text.to_owned() } else { in_words(text) };
        let mut name = capitals.as_str();
        while let Some(rest) = name.strip_suffix("_CONTRACT") {
            name = rest;
        }
        Ok(Self(name.into()))
    }
}

/// Writes `NewThing` and `new-thing` as `NEW_THING`.
fn in_words(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let mut words = String::with_capacity(2 * text.len());
    for (at, letter) in letters.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| letters[before]);
        let ends_capitals = || {
            let next = letters.get(at + 1);
            before.is_some_and(|before| before.is_ascii_uppercase())
                && next.is_some_and(char::is_ascii_lowercase)
        };
        let after_small = before.is_some_and(|before| before.is_ascii_lowercase() || before.is_ascii_digit());
        if letter.is_ascii_uppercase() && (after_small || ends_capitals()) {
            words.push('_');
        }
        words.push(if *letter == '-' { '_' } else { letter.to_ascii_uppercase() });
    }
    words
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{ProptestConfig, prop_assert_eq, proptest};

    use super::*;

    /// Rs17
    #[test]
    fn known_kinds_have_many_spellings_and_one_name() {
        for (text, name) in [
            ("ChangeSetContract", "CHANGESET"),
            ("CHANGESET", "CHANGESET"),
            ("changeset", "CHANGESET"),
            ("CHANGE_SET_CONTRACT", "CHANGESET"),
            ("change-set", "CHANGESET"),
            ("InvertedIndex", "INVERTED_INDEX"),
            ("VIEW_DEFINITION", "VIEW_DEFINITION"),
            ("SINKRULE", "SINK_RULE"),
            ("RULE_SET", "RULESET"),
            ("Ruleset", "RULESET"),
            ("IndexValueCanonicalizerContract", "INDEX_VALUE_CANONICALIZER"),
            ("INDEX_VALUE_CANONICALIZER", "INDEX_VALUE_CANONICALIZER"),
        ] {
            assert_eq!(text.parse::<Kind>().unwrap().as_str(), name, "{text}");
        }
        assert_eq!("RULESET".parse::<Kind>().unwrap().known(), Some(Known::RuleSet));
        assert_eq!("OTHER".parse::<Kind>().unwrap().known(), None);
    }

    /// Rs17
    #[test]
    fn unknown_kinds_become_capitals() {
        for (text, name) in [
            ("SOMETHING_NEW_2", "SOMETHING_NEW_2"),
            ("SomethingNew", "SOMETHING_NEW"),
            ("SomethingNewContract", "SOMETHING_NEW"),
            ("SOMETHING_NEW_CONTRACT", "SOMETHING_NEW"),
            ("something-new", "SOMETHING_NEW"),
            ("HTTPServer2Rule", "HTTP_SERVER2_RULE"),
            ("Contract", "CONTRACT"),
            ("CONTRACT", "CONTRACT"),
            ("A_", "A_"),
        ] {
            assert_eq!(text.parse::<Kind>().unwrap().as_str(), name, "{text}");
        }
        let (long, mixed) = ("A".repeat(65), "Ab".repeat(17));
        for text in ["", "_A", "9A", "A#B", "A B", "Ä", "A.B", &long, &mixed] {
            assert_eq!(text.parse::<Kind>().unwrap_err().violations[0].attribute, "kind", "{text}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// A name has one spelling in the store.
        #[test]
        fn a_name_parses_to_itself(text in "[A-Za-z][A-Za-z0-9_-]{0,31}(Contract|_CONTRACT){0,2}") {
            if let Ok(kind) = text.parse::<Kind>() {
                prop_assert_eq!(kind.as_str().parse::<Kind>().unwrap(), kind.clone());
                prop_assert_eq!(kind.as_str().contains(|letter: char| letter.is_lowercase()), false);
            }
        }
    }
}
