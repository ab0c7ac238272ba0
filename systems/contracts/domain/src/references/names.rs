//! The meaning of member names: whether a member is a reference, and to which kind.

use crate::Known;

/// The meaning of a member name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Meaning {
    /// The kind, if it follows from the name.
    pub(super) kind: Option<Known>,
    /// Whether the member can only be a reference. Other members end in `Ref` too, such as `maxTargetsPerRef`; they are
    /// references only if their value looks like one.
    pub(super) certain: bool,
}

/// The words for kinds.
const WORDS: [(&str, Known); 8] = [
    ("ChangeSet", Known::ChangeSet),
    ("JoinSpec", Known::JoinSpec),
    ("InvertedIndex", Known::InvertedIndex),
    ("RuleSet", Known::RuleSet),
    ("ViewDefinition", Known::ViewDefinition),
    ("EntitySchema", Known::EntitySchema),
    ("SinkRule", Known::SinkRule),
    ("IndexValueCanonicalizer", Known::IndexValueCanonicalizer),
];

/// Short words, which can be the end of another name: `shardIndexRef` may be a number.
const SHORT: [(&str, Known); 6] = [
    ("Join", Known::JoinSpec),
    ("Index", Known::InvertedIndex),
    ("View", Known::ViewDefinition),
    ("Schema", Known::EntitySchema),
    ("Sink", Known::SinkRule),
    ("Canonicalizer", Known::IndexValueCanonicalizer),
];

/// The meaning of a member name, if it can be a reference. The kind of a `contractRef` follows from the enclosing member.
pub(super) fn meaning(member: &str, inside: Option<&str>, of: Option<Known>) -> Option<Meaning> {
    let stem = stem(member)?;
    if stem.eq_ignore_ascii_case("contract") {
        return Some(Meaning { kind: inside.and_then(|name| kind_of_list(name, of)), certain: true });
    }
    let (kind, certain) = kind_by_words(stem).unzip();
    Some(Meaning { kind, certain: certain.unwrap_or_default() })
}

/// Whether a member with this name can be a reference.
pub(crate) fn names_contracts(member: &str) -> bool {
    stem(member).is_some()
}

fn stem(member: &str) -> Option<&str> {
    member.strip_suffix("Refs").or_else(|| member.strip_suffix("Ref"))
}

/// The kind of the contracts in a member with this name, including `joins` and `indexes` of a rule set.
pub(super) fn kind_of_list(name: &str, of: Option<Known>) -> Option<Known> {
    match (name, of) {
        ("joins", Some(Known::RuleSet)) => Some(Known::JoinSpec),
        ("indexes", Some(Known::RuleSet)) => Some(Known::InvertedIndex),
        _ => kind_by_words(name).map(|(kind, _)| kind),
    }
}

/// The kind that a name ends with, and whether it is certain.
fn kind_by_words(name: &str) -> Option<(Known, bool)> {
    let is = |word: &str| name.eq_ignore_ascii_case(word);
    // A capital starts a word: `previewRef` is not a view.
    let ends = |word: &str| name.ends_with(word);
    if let Some(known) = Known::of_spelling(name) {
        return Some((known, true));
    }
    let long = WORDS.iter().find(|(word, _)| is(word) || ends(word)).map(|(_, kind)| (*kind, true));
    let short =
        || SHORT.iter().find(|(word, _)| is(word) || ends(word)).map(|(word, kind)| (*kind, is(word)));
    long.or_else(short)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_of_a_name_determines_the_kind() {
        let rules = Some(Known::RuleSet);
        for (member, inside, of, expected) in [
            ("ruleSetRef", None, None, Some((Some(Known::RuleSet), true))),
            ("rulesetRef", None, None, Some((Some(Known::RuleSet), true))),
            ("rule_setRef", None, None, Some((Some(Known::RuleSet), true))),
            ("canonicalizerRef", None, None, Some((Some(Known::IndexValueCanonicalizer), true))),
            ("valueCanonicalizerRef", None, None, Some((Some(Known::IndexValueCanonicalizer), false))),
            ("producedByRuleSetRef", None, None, Some((Some(Known::RuleSet), true))),
            ("joinSpecRefs", None, None, Some((Some(Known::JoinSpec), true))),
            ("schemaRef", None, None, Some((Some(Known::EntitySchema), true))),
            ("entitySchemaRef", None, None, Some((Some(Known::EntitySchema), true))),
            ("viewRef", None, None, Some((Some(Known::ViewDefinition), true))),
            ("sourceViewRef", None, None, Some((Some(Known::ViewDefinition), false))),
            ("previewRef", None, None, Some((None, false))),
            ("maxTargetsPerRef", None, None, Some((None, false))),
            ("contractRef", Some("invertedIndex"), None, Some((Some(Known::InvertedIndex), true))),
            ("contractRef", Some("joins"), rules, Some((Some(Known::JoinSpec), true))),
            ("contractRef", Some("joins"), None, Some((None, true))),
            ("contractRefs", Some("indexes"), rules, Some((Some(Known::InvertedIndex), true))),
            ("contractRef", None, rules, Some((None, true))),
            ("reference", None, None, None),
            ("ref", None, None, None),
            ("href", None, None, None),
        ] {
            let expected = expected.map(|(kind, certain)| Meaning { kind, certain });
            assert_eq!(meaning(member, inside, of), expected, "{member} in {inside:?}");
        }
    }
}
