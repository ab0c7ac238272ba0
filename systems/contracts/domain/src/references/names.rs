//! What the name of a member tells: whether it names a contract, and of which kind.

use crate::Known;

/// What a member is taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Meaning {
    /// The kind, if the name tells.
    pub(super) kind: Option<Known>,
    /// Whether the member can be nothing else than the name of a contract. Many things end in `Ref`, such
    /// as `maxTargetsPerRef`, and only what looks like a contract is taken for one there.
    pub(super) certain: bool,
}

/// The words by which kinds go.
const WORDS: [(&str, Known); 7] = [
    ("ChangeSet", Known::ChangeSet),
    ("JoinSpec", Known::JoinSpec),
    ("InvertedIndex", Known::InvertedIndex),
    ("RuleSet", Known::RuleSet),
    ("ViewDefinition", Known::ViewDefinition),
    ("EntitySchema", Known::EntitySchema),
    ("SinkRule", Known::SinkRule),
];

/// Shorter words, which can be the end of another: `shardIndexRef` may be a number.
const SHORT: [(&str, Known); 5] = [
    ("Join", Known::JoinSpec),
    ("Index", Known::InvertedIndex),
    ("View", Known::ViewDefinition),
    ("Schema", Known::EntitySchema),
    ("Sink", Known::SinkRule),
];

/// What a member with this name is, if it can name contracts. For a `contractRef`, what it stands in tells
/// the kind.
pub(super) fn meaning(member: &str, inside: Option<&str>, of: Option<Known>) -> Option<Meaning> {
    let stem = stem(member)?;
    if stem.eq_ignore_ascii_case("contract") {
        return Some(Meaning { kind: inside.and_then(|name| kind_of_list(name, of)), certain: true });
    }
    let (kind, certain) = kind_by_words(stem).unzip();
    Some(Meaning { kind, certain: certain.unwrap_or_default() })
}

/// Whether a member with this name can name contracts.
pub(crate) fn names_contracts(member: &str) -> bool {
    stem(member).is_some()
}

fn stem(member: &str) -> Option<&str> {
    member.strip_suffix("Refs").or_else(|| member.strip_suffix("Ref"))
}

/// The kind of the contracts in a member with this name: in a rule set, `joins` and `indexes` too.
pub(super) fn kind_of_list(name: &str, of: Option<Known>) -> Option<Known> {
    match (name, of) {
        ("joins", Some(Known::RuleSet)) => Some(Known::JoinSpec),
        ("indexes", Some(Known::RuleSet)) => Some(Known::InvertedIndex),
        _ => kind_by_words(name).map(|(kind, _)| kind),
    }
}

/// The kind that a name ends with, and whether there is no doubt about it.
fn kind_by_words(name: &str) -> Option<(Known, bool)> {
    let is = |word: &str| name.eq_ignore_ascii_case(word);
    // A capital begins a word: `previewRef` is no view.
    let ends = |word: &str| name.ends_with(word);
    let long = WORDS.iter().find(|(word, _)| is(word) || ends(word)).map(|(_, kind)| (*kind, true));
    let short =
        || SHORT.iter().find(|(word, _)| is(word) || ends(word)).map(|(word, kind)| (*kind, is(word)));
    long.or_else(short)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_tells_the_kind_by_its_last_word() {
        let rules = Some(Known::RuleSet);
        for (member, inside, of, expected) in [
            ("ruleSetRef", None, None, Some((Some(Known::RuleSet), true))),
            ("rulesetRef", None, None, Some((Some(Known::RuleSet), true))),
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
