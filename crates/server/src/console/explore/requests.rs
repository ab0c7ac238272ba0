//! The requests of a page, as details for those who ask, and as commands that repeat them.

use hansang_core::Pattern;
use hansang_core::read::parameters;
use hansang_http::input::argument_name;
use hansang_ui::form::Form;

use super::System;
use super::recorded::Read;

/// The requests behind a page.
pub(super) struct Requests {
    pub(super) reads: Vec<Shown>,
    pub(super) units: String,
    /// The same read through the API.
    pub(super) curl: String,
}

/// A read on a page.
pub(super) struct Shown {
    /// The id of the command in the page, for the button that copies it.
    pub(super) id: String,
    pub(super) operation: &'static str,
    pub(super) body: String,
    pub(super) items: String,
    pub(super) units: String,
    /// The same request on the command line of AWS.
    pub(super) aws: String,
}

/// Recorded reads as a page shows them. `path` is the API's path of the same read.
pub(super) fn of(reads: &[Read], path: &str) -> Requests {
    let one = |(at, read): (usize, &Read)| Shown {
        id: format!("aws-{}", at + 1),
        operation: read.request.operation,
        body: format!("{:#}", read.request.body),
        items: read.items.len().to_string(),
        units: units(read.half_units),
        aws: format!(
            "aws dynamodb {} --cli-input-json {}",
            kebab(read.request.operation),
            quoted(&read.request.body.to_string())
        ),
    };
    Requests {
        reads: reads.iter().enumerate().map(one).collect(),
        units: units(reads.iter().map(|read| read.half_units).sum()),
        curl: format!("curl -H \"Authorization: Bearer $TOKEN\" \"$SERVER\"{}", quoted(path)),
    }
}

/// The API's path of a pattern with the submitted arguments.
pub(super) fn pattern_path(system: &System, pattern: &Pattern, sent: &Form) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    for parameter in parameters(pattern) {
        let name = argument_name(parameter.name);
        if !sent.text(&name).is_empty() {
            query.append_pair(&name, sent.text(&name));
        }
    }
    for name in ["order", "limit"].into_iter().filter(|name| !sent.text(name).is_empty()) {
        query.append_pair(name, sent.text(name));
    }
    let query = query.finish();
    let path = format!("/api/{}/patterns/{}", system.name(), pattern.name);
    if query.is_empty() { path } else { format!("{path}?{query}") }
}

/// A text in single quotes, as shells read it.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// `BatchGetItem` as `batch-get-item`.
fn kebab(operation: &str) -> String {
    let mut words = String::new();
    for letter in operation.chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push('-');
        }
        words.extend(letter.to_lowercase());
    }
    words
}

/// Half units as a number.
pub(super) fn units(halves: u64) -> String {
    if halves.is_multiple_of(2) { (halves / 2).to_string() } else { format!("{}.5", halves / 2) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_quoted() {
        assert_eq!(kebab("BatchGetItem"), "batch-get-item");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!((units(3), units(4)), ("1.5".to_owned(), "2".to_owned()));
    }
}
