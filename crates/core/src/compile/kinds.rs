//! Attribute types as the file writes them: `string`, `{ list: string }`, `{ enum: [A, B] }`.

use super::problems::Problems;
use super::reader;
use super::{language, lifecycles, suggest};
use crate::diagnostic::{Code, Span, short};
use crate::kind::time::Precision;
use crate::kind::{Kind, Members};
use crate::value::{Name, known};
use crate::yaml::{Content, Node};

const MAX_CHOICES: usize = 500;

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
        "lifecycle" => lifecycles::read(node, problems).map(Kind::Lifecycle),
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
            let message =
                "a lifecycle is for an attribute of its own: transitions inside a list are not checked";
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
    Some(texts.iter().map(|(text, _)| known(text)).collect())
}
