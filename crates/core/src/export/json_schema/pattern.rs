//! Regular expressions for formatted texts, in the syntax that JSON Schema shares with JavaScript: no
//! flags, no classes beyond plain ranges, and no needless escapes.

use crate::kind::Kind;
use crate::kind::time::Precision;
use crate::template::{Field, Template};

/// Control characters, inside a class.
const CONTROL: &str = r"\u0000-\u001f\u007f-\u009f";

/// The whole key that a template renders.
pub(super) fn of_template(template: &Template) -> String {
    let segments: Vec<String> = template
        .segments
        .iter()
        .map(|segment| {
            let field = segment.field.as_ref().map(|field| of_field(field, template.delimiter));
            format!("{}{}", literal(&segment.literal), field.unwrap_or_default())
        })
        .collect();
    format!("^{}$", segments.join(&literal(&template.delimiter.to_string())))
}

fn of_field(field: &Field, delimiter: char) -> String {
    let kind = &field.attribute.kind;
    match field.pad {
        Some(pad) => format!("[0-9]{{{pad}}}"),
        None if kind.is_free_text() => free_text(delimiter),
        None => match kind.choices() {
            Some(choices) => {
                let choices: Vec<String> = choices.iter().map(|choice| literal(choice)).collect();
                format!("(?:{})", choices.join("|"))
            }
            None => of_kind(kind).unwrap_or_else(|| free_text(delimiter)),
        },
    }
}

/// Text that can be part of a key.
pub(super) fn free_text(delimiter: char) -> String {
    let escape = if r"\]^-[".contains(delimiter) { r"\" } else { "" };
    format!("[^{escape}{delimiter}{CONTROL}]+")
}

/// The format of a type's texts, without anchors; nothing for types without a format.
pub(super) fn of_kind(kind: &Kind) -> Option<String> {
    Some(match kind {
        Kind::Email => {
            let part = format!(r#"[^\s{CONTROL}@,;<>"()]{{1,64}}"#);
            let label = format!(r#"[^\s{CONTROL}@,;<>"().]+"#);
            format!(r"{part}@{label}(?:\.{label})+")
        }
        Kind::Url => format!(r"(?:https?|s3)://[^\s{CONTROL}/?#][^\s{CONTROL}]*"),
        Kind::Timestamp(precision) => timestamp(*precision),
        Kind::Month { separator } => {
            format!("[0-9]{{4}}{}(?:0[1-9]|1[0-2])", literal(&separator.to_string()))
        }
        Kind::Ulid => "[0-7][0-9A-HJKMNP-TV-Z]{25}".to_owned(),
        Kind::Uuid => "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}".to_owned(),
        Kind::Semver => semver(),
        _ => return None,
    })
}

/// Months have their lengths; whether a year has a 29 February is beyond a regular expression.
fn timestamp(precision: Precision) -> String {
    let date = "[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])\
                |(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|[12][0-9]))";
    let fraction = match precision {
        Precision::Seconds => "",
        Precision::Millis => r"\.[0-9]{3}",
    };
    format!("{date}T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]{fraction}Z")
}

fn semver() -> String {
    let number = "(?:0|[1-9][0-9]{0,18})";
    let before = "(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)";
    let build = "[0-9A-Za-z-]+";
    format!(r"{number}\.{number}\.{number}(?:-{before}(?:\.{before})*)?(?:\+{build}(?:\.{build})*)?")
}

/// Literal text.
fn literal(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if r"\^$.*+?()[]{}|".contains(character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}
