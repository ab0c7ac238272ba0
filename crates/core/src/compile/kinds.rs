//! Attribute types as the file writes them: `string`, `{ list: string }`, `{ enum: [A, B] }`.

use super::reader::{self, Problems};
use crate::diagnostic::{Code, Span};
use crate::kind::time::Precision;
use crate::kind::{Kind, Lifecycle, Members};
use crate::value::Name;
use crate::yaml::{Content, Key, Node};

/// Every type that is one word.
pub(crate) const WORDS: &[&str] = &[
    "string",
    "number",
    "integer",
    "bool",
    "timestamp",
    "month",
    "ulid",
    "uuid",
    "semver",
    "binary",
    "markdown",
    "email",
    "url",
    "list",
    "map",
    "any",
];

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
            let help = match (word, reader::suggest(word, WORDS.iter().copied())) {
                ("enum" | "lifecycle" | "set", _) => format!("write `{{ {word}: … }}` with its members"),
                ("int" | "long", _) => "did you mean `integer`?".to_owned(),
                ("float" | "double" | "decimal", _) => "did you mean `number`?".to_owned(),
                ("text" | "str", _) => "did you mean `string`?".to_owned(),
                ("date" | "datetime" | "time", _) => "did you mean `timestamp`?".to_owned(),
                ("boolean", _) => "did you mean `bool`?".to_owned(),
                (_, Some(near)) => format!("did you mean `{near}`?"),
                _ => format!(
                    "the types are {}, and {{ enum }}, {{ lifecycle }}, {{ set }}",
                    reader::list(WORDS)
                ),
            };
            problems.report(Code::UnknownType, span, format!("there is no type `{word}`"), help);
            return None;
        }
    })
}

/// A type inside another: the elements of a list or map.
pub(super) fn element(node: &Node, precision: Precision, problems: &mut Problems) -> Option<Kind> {
    match &node.content {
        Content::Map(entries) => match entries.as_slice() {
            [(key, inner)] => member(key, inner, precision, problems)?,
            _ => {
                let help = "write a type such as `string` or `{ list: string }`";
                problems.report(
                    Code::WrongShape,
                    node.span,
                    "an element's type has exactly one member",
                    help,
                );
                None
            }
        },
        _ => word(reader::text(node, problems)?, node.span, precision, problems),
    }
}

/// A type that is written as `name: …`; the outer option says whether `key` is such a name.
#[allow(clippy::option_option, reason = "not a type name at all, and a type that is wrong, are two answers")]
pub(super) fn member(
    key: &Key,
    node: &Node,
    precision: Precision,
    problems: &mut Problems,
) -> Option<Option<Kind>> {
    Some(match key.text.as_str() {
        "type" => reader::text(node, problems).and_then(|text| word(text, node.span, precision, problems)),
        "enum" => choices(node, problems).map(Kind::Enum),
        "lifecycle" => lifecycle(node, problems).map(Kind::Lifecycle),
        "list" => element(node, precision, problems).map(|kind| Kind::List(Box::new(kind))),
        "map" => element(node, precision, problems).map(|kind| Kind::Map(Box::new(kind))),
        "set" => match reader::choice(node, &["string", "number", "binary"], problems) {
            Some("string") => Some(Kind::Set(Members::Texts)),
            Some("number") => Some(Kind::Set(Members::Numbers)),
            Some(_) => Some(Kind::Set(Members::Binaries)),
            None => None,
        },
        _ => return None,
    })
}

fn choices(node: &Node, problems: &mut Problems) -> Option<Vec<Name>> {
    let texts = reader::texts(node, problems);
    let mut choices: Vec<Name> = Vec::with_capacity(texts.len());
    for (text, span) in &texts {
        if choices.iter().any(|choice| **choice == **text) {
            problems.report(
                Code::DuplicateKey,
                *span,
                format!("`{text}` stands twice"),
                "keep one of the two",
            );
        } else {
            choices.push(Name::from(*text));
        }
    }
    if choices.is_empty() {
        problems.report(
            Code::BadRule,
            node.span,
            "an enum without a member accepts nothing",
            "write `{ enum: [A, B] }`",
        );
        return None;
    }
    Some(choices)
}

fn lifecycle(node: &Node, problems: &mut Problems) -> Option<Lifecycle> {
    let entries = reader::map(node, "a lifecycle", problems)?;
    let Some((first, _)) = entries.first() else {
        let help = "write `{ lifecycle: { NEW: [DONE] } }`: each state with those that can follow it";
        problems.report(Code::BadLifecycle, node.span, "a lifecycle has at least one state", help);
        return None;
    };
    let mut life =
        Lifecycle { states: Vec::new(), initial: vec![Name::from(first.text.as_str())], moves: Vec::new() };
    let add = |life: &mut Lifecycle, state: &str| {
        if !life.states.iter().any(|known| **known == *state) {
            life.states.push(Name::from(state));
        }
    };
    for (key, _) in entries {
        add(&mut life, &key.text);
    }
    for (key, targets) in entries {
        for (target, span) in reader::texts(targets, problems) {
            if life.allows(&key.text, target) {
                problems.report(
                    Code::BadLifecycle,
                    span,
                    format!("`{target}` stands twice behind `{}`", key.text),
                    "keep one of the two",
                );
            }
            add(&mut life, target);
            life.moves.push((Name::from(key.text.as_str()), Name::from(target)));
        }
    }
    Some(life)
}
