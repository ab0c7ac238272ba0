//! Just enough HCL to write Terraform configuration, laid out as `terraform fmt` does.

use std::fmt::Write as _;

use super::{comment_lines, unprintable};

/// The right side of an assignment.
pub(super) enum Value {
    /// Text with any content.
    Text(String),
    /// A raw expression.
    Raw(String),
    /// True or false.
    Flag(bool),
    /// A list.
    List(Vec<Value>),
    /// An object.
    Object(Vec<(String, Value)>),
}

/// A line, or a group of lines, of a body.
pub(super) enum Line {
    /// An empty line.
    Blank,
    /// A comment of one or more lines.
    Comment(String),
    /// A name and its value.
    Set(&'static str, Value),
    /// A block: its type, its labels, its body.
    Block(&'static str, Vec<String>, Vec<Line>),
}

/// A name and its value.
pub(super) fn set(name: &'static str, value: impl Into<Value>) -> Line {
    Line::Set(name, value.into())
}

/// A name and an expression.
pub(super) fn raw(name: &'static str, expression: impl Into<String>) -> Line {
    Line::Set(name, Value::Raw(expression.into()))
}

/// A block without labels.
pub(super) fn block(of_type: &'static str, body: Vec<Line>) -> Line {
    Line::Block(of_type, Vec::new(), body)
}

/// A block with labels.
pub(super) fn labelled(of_type: &'static str, labels: &[&str], body: Vec<Line>) -> Line {
    Line::Block(of_type, labels.iter().map(|label| (*label).to_owned()).collect(), body)
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

/// A whole file.
pub(super) fn document(lines: &[Line]) -> String {
    let mut out = String::new();
    write_body(lines, 0, &mut out);
    out
}

fn write_body(lines: &[Line], indent: usize, out: &mut String) {
    for (at, line) in lines.iter().enumerate() {
        match line {
            Line::Blank => out.push('\n'),
            Line::Comment(text) => {
                for line in comment_lines(text) {
                    let line = format!("{:indent$}# {line}", "");
                    let _ = writeln!(out, "{}", line.trim_end());
                }
            }
            Line::Set(name, value) => {
                let width = if is_short(value) { column(lines, at) } else { name.len() };
                let _ = writeln!(out, "{:indent$}{name:width$} = {}", "", expression(value, indent));
            }
            Line::Block(of_type, labels, body) => {
                let _ = write!(out, "{:indent$}{of_type}", "");
                for label in labels {
                    let _ = write!(out, " {}", quote(label));
                }
                out.push_str(" {\n");
                write_body(body, indent + 2, out);
                let _ = writeln!(out, "{:indent$}}}", "");
            }
        }
    }
}

/// The width of the names in the run of short assignments around `at`, whose `=` are aligned.
fn column(lines: &[Line], at: usize) -> usize {
    let width = |line: &Line| match line {
        Line::Set(name, value) if is_short(value) => Some(name.len()),
        _ => None,
    };
    let before = lines[..at].iter().rev().map_while(width);
    let after = lines[at..].iter().map_while(width);
    before.chain(after).max().unwrap_or(0)
}

/// Whether the value fits on one line.
fn is_short(value: &Value) -> bool {
    match value {
        Value::List(values) => values.is_empty(),
        Value::Object(entries) => entries.is_empty(),
        Value::Text(_) | Value::Raw(_) | Value::Flag(_) => true,
    }
}

fn expression(value: &Value, indent: usize) -> String {
    match value {
        Value::Text(text) => quote(text),
        Value::Raw(raw) => raw.clone(),
        Value::Flag(flag) => flag.to_string(),
        Value::List(values) if values.is_empty() => "[]".to_owned(),
        Value::List(values) => {
            let mut out = String::from("[\n");
            for value in values {
                let _ = writeln!(out, "{:width$}{},", "", expression(value, indent + 2), width = indent + 2);
            }
            let _ = write!(out, "{:indent$}]", "");
            out
        }
        Value::Object(entries) if entries.is_empty() => "{}".to_owned(),
        Value::Object(entries) => object(entries, indent),
    }
}

fn object(entries: &[(String, Value)], indent: usize) -> String {
    let keys: Vec<String> = entries.iter().map(|(key, _)| object_key(key)).collect();
    let width = keys.iter().map(|key| key.chars().count()).max().unwrap_or(0);
    let mut out = String::from("{\n");
    for (key, (_, value)) in keys.iter().zip(entries) {
        let inner = indent + 2;
        let _ = writeln!(out, "{:inner$}{key:width$} = {}", "", expression(value, inner));
    }
    let _ = write!(out, "{:indent$}}}", "");
    out
}

fn object_key(key: &str) -> String {
    let plain = key.starts_with(|c: char| c.is_ascii_alphabetic())
        && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    // These are values, and `for` starts an expression of its own.
    if plain && !["true", "false", "null", "for"].contains(&key) { key.to_owned() } else { quote(key) }
}

/// Text in quotes.
pub(super) fn quote(text: &str) -> String {
    format!("\"{}\"", escape(text))
}

/// Text between quotes; the start of an interpolation or directive is doubled.
pub(super) fn escape(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            c @ ('$' | '%') if rest.peek() == Some(&'{') => {
                quoted.push(c);
                quoted.push(c);
            }
            c if unprintable(c) => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted
}
