//! Markdown that no content can break.

use crate::kind::{Kind, Members};
use crate::value::{Value, json};
use crate::words::Words;

/// A code span. Its fence is longer than any run of backticks inside.
pub(super) fn code(text: &str) -> String {
    if text.is_empty() {
        return "`\"\"`".to_owned();
    }
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    // A space at the edge would be trimmed, and a backtick would join the fence.
    let edge = |c: char| c == '`' || c == ' ';
    let blank = text.trim().is_empty();
    let pad = if !blank && (text.starts_with(edge) || text.ends_with(edge)) { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// Code spans with commas between them.
pub(super) fn codes<T: AsRef<str>>(texts: &[T]) -> String {
    let spans: Vec<String> = texts.iter().map(|text| code(text.as_ref())).collect();
    spans.join(", ")
}

/// The `doc` text as a paragraph; empty if there is no text.
pub(super) fn paragraph(doc: &str) -> String {
    let doc = doc.trim();
    if doc.is_empty() { String::new() } else { format!("{doc}\n\n") }
}

/// A table. A line break in a cell stays one, and a column that is empty in every row is left out.
pub(super) fn table(header: &[&str], rows: Vec<Vec<String>>) -> String {
    let shown: Vec<usize> =
        (0..header.len()).filter(|column| rows.iter().any(|row| !row[*column].is_empty())).collect();
    if shown.is_empty() {
        return String::new();
    }
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut text = line(shown.iter().map(|column| header[*column].to_owned()).collect());
    text.push_str(&line(shown.iter().map(|_| "---".to_owned()).collect()));
    for row in &rows {
        text.push_str(&line(shown.iter().map(|column| cell(&row[*column])).collect()));
    }
    text.push('\n');
    text
}

/// A pipe ends a cell even inside a code span, and a line break ends the table.
fn cell(text: &str) -> String {
    let lines: Vec<&str> = text.trim().lines().map(str::trim).collect();
    lines.join("<br>").replace('|', "\\|")
}

/// The type in a few words.
pub(super) fn kind(kind: &Kind) -> String {
    match kind {
        Kind::String => "text".to_owned(),
        Kind::Markdown => "Markdown".to_owned(),
        Kind::Email => "e-mail address".to_owned(),
        Kind::Url => "address (https, http or s3)".to_owned(),
        Kind::Number => "number".to_owned(),
        Kind::Integer => "whole number".to_owned(),
        Kind::Bool => "true or false".to_owned(),
        Kind::Timestamp(precision) => format!("time, as {}", code(precision.example())),
        Kind::Month { separator } => format!("month, as {}", code(&format!("2025{separator}01"))),
        Kind::Ulid => "ULID".to_owned(),
        Kind::Uuid => "UUID".to_owned(),
        Kind::Semver => "semantic version".to_owned(),
        Kind::Enum(choices) => format!("one of {}", codes(choices)),
        Kind::Lifecycle(life) => format!("state: {}", codes(&life.states)),
        Kind::List(element) => format!("list of: {}", self::kind(element)),
        Kind::Map(element) => format!("map from text to: {}", self::kind(element)),
        Kind::Set(Members::Texts) => "set of texts".to_owned(),
        Kind::Set(Members::Numbers) => "set of numbers".to_owned(),
        Kind::Set(Members::Binaries) => "set of binaries".to_owned(),
        Kind::Binary => "binary".to_owned(),
        Kind::Any => "anything".to_owned(),
    }
}

/// A value as code: text as it is, the rest as JSON.
pub(super) fn value(value: &Value) -> String {
    match value.as_str() {
        Some(text) => code(text),
        None => code(&json::to_plain(value).to_string()),
    }
}
/// A title in all its languages, such as `Post · 글`. Like a `doc`, it is taken as Markdown.
pub(super) fn titles(words: &Words) -> String {
    let mut texts: Vec<&str> = Vec::new();
    for (_, text) in words.iter().filter(|(_, text)| !text.is_empty()) {
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts.join(" · ")
}
