//! Reading the tree: shapes, names and choices, each refused with what would be right.

use crate::diagnostic::{Code, Diagnostic, Span};
use crate::value::Name;
use crate::yaml::{Content, Key, Node};

/// The problems found so far.
#[derive(Default)]
pub(crate) struct Problems {
    pub(crate) list: Vec<Diagnostic>,
}

impl Problems {
    pub(crate) fn report(
        &mut self,
        code: Code,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.list.push(Diagnostic { code, span, message: message.into(), help: help.into() });
    }

    pub(crate) fn sorted(mut self) -> Vec<Diagnostic> {
        self.list.sort_by(|a, b| (a.span, a.code).cmp(&(b.span, b.code)));
        self.list.dedup();
        self.list
    }
}

/// The fields of a map whose names are known.
pub(crate) struct Fields<'n> {
    pub(crate) span: Span,
    what: &'n str,
    entries: &'n [(Key, Node)],
}

impl<'n> Fields<'n> {
    /// Reads a map, and reports the fields that are not among `allowed`.
    pub(crate) fn read(
        node: &'n Node,
        what: &'n str,
        allowed: &[&str],
        problems: &mut Problems,
    ) -> Option<Self> {
        let entries = map(node, what, problems)?;
        for (key, _) in entries.iter().filter(|(key, _)| !allowed.contains(&key.text.as_str())) {
            let help = match suggest(&key.text, allowed.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("{what} can have {}", list(allowed)),
            };
            let message = format!("`{}` is not a field of {what}", key.text);
            problems.report(Code::UnknownField, key.span, message, help);
        }
        Some(Self { span: node.span, what, entries })
    }

    pub(crate) fn get(&self, name: &str) -> Option<&'n Node> {
        self.entries.iter().find(|(key, _)| key.text == name).map(|(_, node)| node)
    }

    pub(crate) fn key(&self, name: &str) -> Option<&'n Key> {
        self.entries.iter().find(|(key, _)| key.text == name).map(|(key, _)| key)
    }

    pub(crate) fn require(&self, name: &str, help: &str, problems: &mut Problems) -> Option<&'n Node> {
        let found = self.get(name);
        if found.is_none() {
            problems.report(Code::MissingField, self.span, format!("{} has no `{name}`", self.what), help);
        }
        found
    }

    pub(crate) fn text(&self, name: &str, problems: &mut Problems) -> Option<&'n str> {
        text(self.get(name)?, problems)
    }

    pub(crate) fn flag(&self, name: &str, problems: &mut Problems) -> bool {
        self.get(name).and_then(|node| flag(node, problems)).unwrap_or(false)
    }

    pub(crate) fn doc(&self, problems: &mut Problems) -> String {
        self.text("doc", problems).unwrap_or_default().to_owned()
    }
}

pub(crate) fn map<'n>(node: &'n Node, what: &str, problems: &mut Problems) -> Option<&'n [(Key, Node)]> {
    match &node.content {
        Content::Map(entries) => Some(entries),
        _ => wrong_shape(node, &format!("{what} must be a map of names and values"), problems),
    }
}

pub(crate) fn text<'n>(node: &'n Node, problems: &mut Problems) -> Option<&'n str> {
    match &node.content {
        Content::Scalar { text, quoted } if *quoted || !text.is_empty() => Some(text),
        _ => wrong_shape(node, "this must be text", problems),
    }
}

pub(crate) fn flag(node: &Node, problems: &mut Problems) -> Option<bool> {
    match &node.content {
        Content::Scalar { text, quoted: false } if text == "true" => Some(true),
        Content::Scalar { text, quoted: false } if text == "false" => Some(false),
        _ => wrong_shape(node, "this must be `true` or `false`", problems),
    }
}

pub(crate) fn whole(node: &Node, problems: &mut Problems) -> Option<usize> {
    match &node.content {
        Content::Scalar { text, quoted: false } if text.parse::<u32>().is_ok() => text.parse().ok(),
        _ => wrong_shape(node, "this must be a whole number, zero or more", problems),
    }
}

pub(crate) fn items<'n>(node: &'n Node, problems: &mut Problems) -> Option<&'n [Node]> {
    match &node.content {
        Content::List(nodes) => Some(nodes),
        _ => wrong_shape(node, "this must be a list such as `[one, two]`", problems),
    }
}

/// A list of texts with their places.
pub(crate) fn texts<'n>(node: &'n Node, problems: &mut Problems) -> Vec<(&'n str, Span)> {
    let nodes = items(node, problems).unwrap_or_default();
    nodes.iter().filter_map(|node| Some((text(node, problems)?, node.span))).collect()
}

/// One of a closed list of words.
pub(crate) fn choice<'c>(node: &Node, choices: &[&'c str], problems: &mut Problems) -> Option<&'c str> {
    let word = text(node, problems)?;
    let found = choices.iter().find(|choice| **choice == word).copied();
    if found.is_none() {
        let help = match suggest(word, choices.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("write one of {}", list(choices)),
        };
        problems.report(Code::BadChoice, node.span, format!("`{word}` is not a choice here"), help);
    }
    found
}

fn wrong_shape<T>(node: &Node, message: &str, problems: &mut Problems) -> Option<T> {
    let found = match &node.content {
        Content::Scalar { text, quoted: false } if text.is_empty() => "nothing".to_owned(),
        Content::Scalar { text, .. } => format!("`{}`", text.chars().take(40).collect::<String>()),
        Content::List(_) => "a list".to_owned(),
        Content::Map(_) => "a map".to_owned(),
    };
    problems.report(
        Code::WrongShape,
        node.span,
        format!("{message}, not {found}"),
        "see docs/model.md for its form",
    );
    None
}

/// What a name is for, and so what it may look like.
#[derive(Clone, Copy)]
pub(crate) enum Names {
    Model,
    Table,
    Index,
    Entity,
    Pattern,
    Attribute,
}

impl Names {
    fn allows(self, name: &str) -> bool {
        let first = name.chars().next().unwrap_or(' ');
        let all = |allowed: fn(char) -> bool| name.chars().all(allowed);
        match self {
            Self::Model => {
                first.is_ascii_lowercase()
                    && name.len() <= 40
                    && all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
            }
            Self::Table | Self::Index => {
                let plain = name.replace("{env}", "env");
                (3..=200).contains(&plain.len())
                    && plain.chars().all(|c| c.is_ascii_alphanumeric() || "_.-".contains(c))
            }
            Self::Entity => {
                first.is_ascii_uppercase() && name.len() <= 60 && all(|c| c.is_ascii_alphanumeric())
            }
            Self::Pattern => {
                first.is_ascii_lowercase() && name.len() <= 60 && all(|c| c.is_ascii_alphanumeric())
            }
            Self::Attribute => {
                (first.is_alphabetic() || first == '_')
                    && name.len() <= 255
                    && all(|c| c.is_alphanumeric() || c == '_' || c == '-')
            }
        }
    }

    fn help(self) -> &'static str {
        match self {
            Self::Model => "use lower-case letters, digits and hyphens, such as `content`",
            Self::Table | Self::Index => "use 3 to 200 letters, digits, `_`, `.` and `-`",
            Self::Entity => "start with a capital and use letters and digits, such as `Post`",
            Self::Pattern => {
                "start with a small letter and use letters and digits, such as `postsInCategory`"
            }
            Self::Attribute => "start with a letter and use letters, digits, `_` and `-`",
        }
    }
}

pub(crate) fn check_name(name: &str, span: Span, names: Names, problems: &mut Problems) -> Option<Name> {
    if names.allows(name) {
        return Some(Name::from(name));
    }
    problems.report(Code::BadName, span, format!("`{name}` cannot be a name here"), names.help());
    None
}

pub(crate) fn name(node: &Node, names: Names, problems: &mut Problems) -> Option<Name> {
    check_name(text(node, problems)?, node.span, names, problems)
}

/// "`a`, `b` and `c`".
pub(crate) fn list<T: AsRef<str>>(words: &[T]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{}`", word.as_ref())).collect();
    match quoted.split_last() {
        None => "nothing".to_owned(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

/// The candidate that `word` is most likely a slip of.
#[must_use]
pub fn suggest<'c>(word: &str, candidates: impl Iterator<Item = &'c str>) -> Option<&'c str> {
    let lower = word.to_lowercase();
    candidates
        .map(|candidate| (distance(&lower, &candidate.to_lowercase()), candidate))
        .filter(|(distance, candidate)| *distance <= 1 + candidate.chars().count() / 4)
        .min()
        .map(|(_, candidate)| candidate)
}

/// The number of single-character edits between two words.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().take(64).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().take(64).enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
