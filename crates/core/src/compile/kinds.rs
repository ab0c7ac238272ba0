//! Attribute types as the file writes them: `string`, `{ list: string }`, `{ enum: [A, B] }`.

use std::collections::HashSet;

use super::reader::{self, Problems};
use super::{language, suggest};
use crate::diagnostic::{Code, Span, short};
use crate::kind::time::Precision;
use crate::kind::{Kind, Lifecycle, Members};
use crate::value::Name;
use crate::yaml::{Content, Node};

/// The most members an enum may have.
pub(super) const MAX_CHOICES: usize = 500;
/// The most states a lifecycle may have.
pub(super) const MAX_STATES: usize = 100;

/// A type that is one word.
pub(super) fn word(word: &str, span: Span, precision: Precision, problems: &mut Problems) -> Option<Kind> {
    Some(match word {
        "string" => Kind::String,
        "number" => Kind::Number,
        "integer" => Kind::Integer,
        "bool" => Kind::Bool,
        "timestamp" => Kind::Timestamp(precision),
        "month" => Kind::Month { separator: '-' },
        "ulid" => Kind::Ulid,
        "uuid" => Kind::Uuid,
        "semver" => Kind::Semver,
        "binary" => Kind::Binary,
        "markdown" => Kind::Markdown,
        "email" => Kind::Email,
        "url" => Kind::Url,
        "list" => Kind::List(Box::new(Kind::Any)),
        "map" => Kind::Map(Box::new(Kind::Any)),
        "any" => Kind::Any,
        _ => {
            let help = match (word, suggest::word(word, language::TYPES)) {
                ("enum", _) => "write `{ enum: [A, B] }`, without `type`".to_owned(),
                ("lifecycle", _) => "write `{ lifecycle: { NEW: [DONE] } }`, without `type`".to_owned(),
                ("set", _) => "write `{ set: string }`, without `type`".to_owned(),
                _ if word.ends_with("[]") => format!("write `{{ list: {} }}`", word.trim_end_matches("[]")),
                (_, Some(near)) => format!("did you mean `{near}`?"),
                _ => format!(
                    "the types are {}, and `{{ enum: … }}`, `{{ lifecycle: … }}`, `{{ set: … }}`",
                    suggest::list(language::TYPES)
                ),
            };
            problems.report(Code::UnknownType, span, format!("there is no type `{}`", short(word)), help);
            return None;
        }
    })
}

/// A type that is written as `name: …`, where the name is one of the fields for types.
pub(super) fn member(name: &str, node: &Node, precision: Precision, problems: &mut Problems) -> Option<Kind> {
    match name {
        "enum" => choices(node, problems).map(Kind::Enum),
        "lifecycle" => lifecycle(node, problems).map(Kind::Lifecycle),
        "list" => element(node, precision, problems).map(|kind| Kind::List(Box::new(kind))),
        "map" => element(node, precision, problems).map(|kind| Kind::Map(Box::new(kind))),
        "set" => match reader::choice(node, "set", language::SETS, problems)? {
            "string" => Some(Kind::Set(Members::Texts)),
            "number" => Some(Kind::Set(Members::Numbers)),
            _ => Some(Kind::Set(Members::Binaries)),
        },
        _ => word(reader::text(node, problems)?, node.span, precision, problems),
    }
}

/// A type inside another: the elements of a list or map.
fn element(node: &Node, precision: Precision, problems: &mut Problems) -> Option<Kind> {
    let Content::Map(entries) = &node.content else {
        return word(reader::text(node, problems)?, node.span, precision, problems);
    };
    let (span, message) = match entries.as_slice() {
        [(key, _)] if key.text == "lifecycle" => {
            let message = "a lifecycle is for an attribute of its own: moves inside a list are not watched";
            problems.report(Code::BadLifecycle, key.span, message, "write `{ enum: [A, B] }`");
            return None;
        }
        [(key, inner)] if ["type", "enum", "list", "map", "set"].contains(&key.text.as_str()) => {
            return member(&key.text, inner, precision, problems);
        }
        [(key, _)] => (key.span, format!("`{}` is not a type", short(&key.text))),
        _ => (node.span, "the type of an element is one word or has one field".to_owned()),
    };
    let help =
        "write a type such as `string`, `{ enum: [A, B] }` or `{ list: string }`; rules are for attributes";
    problems.report(Code::WrongShape, span, message, help);
    None
}

fn choices(node: &Node, problems: &mut Problems) -> Option<Vec<Name>> {
    let texts = reader::texts(node, MAX_CHOICES, problems)?;
    if texts.is_empty() {
        let message = "an enum without a member accepts nothing";
        problems.report(Code::BadRule, node.span, message, "write `{ enum: [A, B] }`");
        return None;
    }
    Some(texts.iter().map(|(text, _)| Name::from(*text)).collect())
}

fn lifecycle(node: &Node, problems: &mut Problems) -> Option<Lifecycle> {
    let before = problems.list.len();
    let help = "write `{ lifecycle: { NEW: [DONE] } }`: each state with those that can follow it";
    let Content::Map(entries) = &node.content else {
        let message = "a lifecycle is a map from each state to those that can follow it";
        problems.report(Code::WrongShape, node.span, message, help);
        return None;
    };
    let Some((first, _)) = entries.first() else {
        problems.report(Code::BadLifecycle, node.span, "a lifecycle has at least one state", help);
        return None;
    };
    let initial = vec![Name::from(first.text.as_str())];
    let mut life = Lifecycle { states: Vec::new(), initial, moves: Vec::new() };
    let mut seen: HashSet<&str> = HashSet::new();
    let mut named: Vec<(&str, Span)> = entries.iter().map(|(key, _)| (key.text.as_str(), key.span)).collect();
    for (key, targets) in entries.iter().take(MAX_STATES) {
        for (target, span) in reader::texts(targets, MAX_STATES, problems).unwrap_or_default() {
            named.push((target, span));
            life.moves.push((Name::from(key.text.as_str()), Name::from(target)));
        }
    }
    for (state, span) in named {
        if !seen.insert(state) {
            continue;
        }
        if seen.len() > MAX_STATES {
            let message =
                format!("a lifecycle may have {MAX_STATES} states, and `{}` is one more", short(state));
            problems.report(
                Code::TooMany,
                span,
                message,
                "keep what varies freely in an attribute of its own",
            );
            break;
        }
        life.states.push(Name::from(state));
    }
    (problems.list.len() == before).then_some(life)
}
