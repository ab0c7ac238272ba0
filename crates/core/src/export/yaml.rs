//! Just enough YAML to write templates that people read: block maps and lists, short tags, comments, and
//! quotes around texts that a parser of any YAML version could misread.

use std::fmt::Write as _;

use super::{comment_lines, unprintable};

/// A value.
pub(super) enum Yaml {
    /// Text, for every parser.
    Text(String),
    /// True or false.
    Flag(bool),
    /// A value with a short tag such as `!Ref`, on one line.
    Call(&'static str, Box<Yaml>),
    /// A list.
    List(Vec<Yaml>),
    /// A map.
    Map(Vec<Entry>),
}

/// A line, or a group of lines, of a map.
pub(super) enum Entry {
    /// An empty line.
    Blank,
    /// A comment of one or more lines.
    Comment(String),
    /// A key and its value.
    Pair(String, Yaml),
}

/// A key and its value.
pub(super) fn pair(key: &str, value: impl Into<Yaml>) -> Entry {
    Entry::Pair(key.to_owned(), value.into())
}

/// A comment; each line of `text` becomes one.
pub(super) fn comment(text: impl Into<String>) -> Entry {
    Entry::Comment(text.into())
}

/// A value with a short tag.
pub(super) fn call(tag: &'static str, value: impl Into<Yaml>) -> Yaml {
    Yaml::Call(tag, Box::new(value.into()))
}

impl From<&str> for Yaml {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Yaml {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<bool> for Yaml {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl From<Vec<Yaml>> for Yaml {
    fn from(values: Vec<Yaml>) -> Self {
        Self::List(values)
    }
}

impl From<Vec<Entry>> for Yaml {
    fn from(entries: Vec<Entry>) -> Self {
        Self::Map(entries)
    }
}

/// A whole file.
pub(super) fn document(entries: &[Entry]) -> String {
    let mut out = String::new();
    write_map(entries, 0, &mut out);
    out
}

fn write_map(entries: &[Entry], indent: usize, out: &mut String) {
    for entry in entries {
        match entry {
            Entry::Blank => out.push('\n'),
            Entry::Comment(text) => {
                for line in comment_lines(text) {
                    let line = format!("{:indent$}# {line}", "");
                    let _ = writeln!(out, "{}", line.trim_end());
                }
            }
            Entry::Pair(key, value) => {
                let _ = write!(out, "{:indent$}{}:", "", scalar(key));
                write_value(value, indent, out);
            }
        }
    }
}

/// Writes the value of a key.
fn write_value(value: &Yaml, indent: usize, out: &mut String) {
    match value {
        Yaml::Map(entries) if !entries.is_empty() => {
            out.push('\n');
            write_map(entries, indent + 2, out);
        }
        Yaml::List(values) if !values.is_empty() => {
            out.push('\n');
            for value in values {
                write_element(value, indent + 2, out);
            }
        }
        short => {
            let _ = writeln!(out, " {}", inline(short));
        }
    }
}

fn write_element(value: &Yaml, indent: usize, out: &mut String) {
    let _ = write!(out, "{:indent$}-", "");
    if let Yaml::Map(entries) = value {
        let mut lines = String::new();
        write_map(entries, indent + 2, &mut lines);
        let _ = write!(out, " {}", lines.trim_start());
    } else {
        let _ = writeln!(out, " {}", inline(value));
    }
}

/// A value in one line.
fn inline(value: &Yaml) -> String {
    match value {
        Yaml::Text(text) => scalar(text),
        Yaml::Flag(flag) => flag.to_string(),
        Yaml::Call(tag, value) => format!("{tag} {}", inline(value)),
        Yaml::List(values) => format!("[{}]", values.iter().map(inline).collect::<Vec<_>>().join(", ")),
        Yaml::Map(entries) => {
            let pairs = entries.iter().filter_map(|entry| match entry {
                Entry::Pair(key, value) => Some(format!("{}: {}", scalar(key), inline(value))),
                Entry::Blank | Entry::Comment(_) => None,
            });
            format!("{{{}}}", pairs.collect::<Vec<_>>().join(", "))
        }
    }
}

/// Text, quoted unless every parser reads it as a plain string.
fn scalar(text: &str) -> String {
    if is_plain(text) { text.to_owned() } else { quote(text) }
}

/// YAML 1.1 has many spellings of true and false, and `N` is one of them.
fn is_plain(text: &str) -> bool {
    const WORDS: [&str; 9] = ["true", "false", "yes", "no", "on", "off", "y", "n", "null"];
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "_-./:".contains(c))
        && !text.ends_with(':')
        && !WORDS.contains(&text.to_ascii_lowercase().as_str())
}

fn quote(text: &str) -> String {
    let mut quoted = String::from('"');
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            c if unprintable(c) => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, proptest};

    use super::*;
    use crate::yaml::{Content, read};

    fn reads_back(text: &str) {
        let file = document(&[
            comment(text),
            pair("key", text),
            pair("list", vec![Yaml::from(text), Yaml::from(vec![pair("inner", text)])]),
            pair("flow", call("!Not", vec![Yaml::from("a")])),
        ]);
        let file = file.replace("!Not ", "");
        let mut problems = Vec::new();
        let root = read(file.as_bytes(), &mut problems).unwrap_or_else(|| panic!("{file}\n{problems:?}"));
        assert!(problems.is_empty(), "{file}\n{problems:?}");
        let Content::Map(entries) = &root.content else { panic!("{file}") };
        let scalar = |content: &Content| match content {
            Content::Scalar { text, .. } => text.clone(),
            other => panic!("{other:?}"),
        };
        assert_eq!(scalar(&entries[0].1.content), text, "{file}");
        let Content::List(elements) = &entries[1].1.content else { panic!("{file}") };
        assert_eq!(scalar(&elements[0].content), text, "{file}");
        let Content::Map(inner) = &elements[1].content else { panic!("{file}") };
        assert_eq!(scalar(&inner[0].1.content), text, "{file}");
    }

    #[test]
    fn nasty_texts_read_back() {
        for text in [
            "",
            " ",
            "N",
            "no",
            "Off",
            "null",
            "~",
            "1e3",
            "0x1",
            "2010-09-09",
            "12:30",
            "a: b",
            "a #b",
            "- a",
            "a:",
            "AWS::DynamoDB::Table",
            "\"'",
            "\\",
            "${x}",
            "%{x}",
            "{env}",
            "[a]",
            "!Ref",
            "&a",
            "*a",
            "a\nb",
            "a\r\nb",
            "\u{85}",
            "\u{2028}x: y",
            "\u{0}\u{7}\u{7f}",
            "\u{feff}",
            "한상 🍚",
            "---",
            "...",
            "? a",
            "|",
            ">",
            "@",
            "`",
            "=",
        ] {
            reads_back(text);
        }
    }

    proptest! {
        #[test]
        fn any_text_reads_back(text in any::<String>()) {
            reads_back(&text);
        }
    }
}
