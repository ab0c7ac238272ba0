//! Reads the tree: shapes, limits and choices, with a suggestion for each problem.

use std::collections::HashSet;

use super::problems::Problems;
use super::suggest;
use crate::diagnostic::{Code, MAX_PROBLEMS, Span, short};
use crate::yaml::{Content, Key, Node};

/// The fields of a map whose names are known.
pub(crate) struct Fields<'n> {
    pub(crate) span: Span,
    what: String,
    /// The intended name of each field, and the field.
    entries: Vec<(&'n str, &'n Key, &'n Node)>,
    /// Whether a field was reported that may be any of those that are not there.
    unclear: bool,
}

impl<'n> Fields<'n> {
    /// Reads a map, and reports the fields that are not among `allowed`. A misspelt field counts as the
    /// intended one, so that it is not also reported as missing.
    pub(crate) fn read(
        node: &'n Node,
        what: &str,
        allowed: &[&'n str],
        problems: &mut Problems,
    ) -> Option<Self> {
        let all = map(node, what, problems)?;
        let mut fields = Self { span: node.span, what: what.to_owned(), entries: Vec::new(), unclear: false };
        let mut unknown = Vec::new();
        let mut rest = all;
        while let [(key, node), behind @ ..] = rest {
            rest = behind;
            let Some(name) = allowed.iter().find(|name| **name == key.text) else {
                unknown.push((key, node));
                continue;
            };
            let loose = loose_values(node, behind, allowed);
            if loose == 0 {
                fields.entries.push((name, key, node));
                continue;
            }
            let values =
                std::iter::once(scalar(node)).chain(behind[..loose].iter().map(|(key, _)| &*key.text));
            let values: Vec<String> = values.map(short).collect();
            let help = format!("write `{name}: [{}]`", values.join(", "));
            problems.report(Code::WrongShape, node.span, "more than one value needs brackets", help);
            fields.unclear = true;
            rest = &behind[loose..];
        }
        for (key, node) in unknown.into_iter().take(MAX_PROBLEMS) {
            fields.unknown(key, node, allowed, problems);
        }
        Some(fields)
    }

    fn unknown(&mut self, key: &'n Key, node: &'n Node, allowed: &[&'n str], problems: &mut Problems) {
        // A field that exists is not suggested again.
        let absent: Vec<&'n str> = allowed.iter().filter(|name| self.get(name).is_none()).copied().collect();
        let near = suggest::word(&key.text, &absent);
        let message = format!("`{}` is not a field of {}", short(&key.text), self.what);
        let help = match near {
            _ if key.text == "required" && allowed.contains(&"optional") => {
                "remove it: an attribute is required unless it is `optional`".to_owned()
            }
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("{} can have {}", self.what, suggest::list(allowed)),
        };
        problems.report(Code::UnknownField, key.span, message, help);
        match near {
            Some(near) => self.entries.push((near, key, node)),
            None => self.unclear = true,
        }
    }

    /// The same fields with another name in messages.
    pub(crate) fn called(mut self, what: String) -> Self {
        self.what = what;
        self
    }

    /// Whether something was reported that may be a field which is not there.
    pub(crate) fn unclear(&self) -> bool {
        self.unclear
    }

    pub(crate) fn get(&self, name: &str) -> Option<&'n Node> {
        self.entries.iter().find(|(field, ..)| *field == name).map(|(_, _, node)| *node)
    }

    pub(crate) fn key(&self, name: &str) -> Option<&'n Key> {
        self.entries.iter().find(|(field, ..)| *field == name).map(|(_, key, _)| *key)
    }

    pub(crate) fn require(&self, name: &str, help: &str, problems: &mut Problems) -> Option<&'n Node> {
        let found = self.get(name);
        if found.is_none() && !self.unclear {
            problems.report(Code::MissingField, self.span, format!("{} has no `{name}`", self.what), help);
        }
        found
    }

    pub(crate) fn flag(&self, name: &str, problems: &mut Problems) -> Option<bool> {
        flag(self.get(name)?, problems)
    }

    pub(crate) fn choice<'c>(
        &self,
        name: &str,
        choices: &[&'c str],
        problems: &mut Problems,
    ) -> Option<&'c str> {
        choice(self.get(name)?, name, choices, problems)
    }
}

/// In `{ enum: a, b, c }` YAML reads `b` and `c` as fields without a value: the number of such fields
/// that were meant to be in a list.
fn loose_values(node: &Node, behind: &[(Key, Node)], allowed: &[&str]) -> usize {
    let loose = |(key, node): &&(Key, Node)| {
        matches!(&node.content, Content::Scalar { text, quoted: false } if text.is_empty())
            && key.span.line == node.span.line
            && !allowed.contains(&key.text.as_str())
    };
    if scalar(node).is_empty() { 0 } else { behind.iter().take_while(loose).count() }
}

fn scalar(node: &Node) -> &str {
    match &node.content {
        Content::Scalar { text, .. } => text,
        _ => "",
    }
}

pub(crate) fn map<'n>(node: &'n Node, what: &str, problems: &mut Problems) -> Option<&'n [(Key, Node)]> {
    match &node.content {
        Content::Map(entries) => Some(entries),
        _ => {
            let help = "write its fields below it, indented, each as `name: value`";
            wrong_shape(node, &format!("{what} must be a map of names and values"), help, problems)
        }
    }
}

/// The entries of a map whose names the file chooses, and no more of them than `most`.
pub(crate) fn entries<'n>(
    node: &'n Node,
    what: &str,
    most: usize,
    problems: &mut Problems,
) -> &'n [(Key, Node)] {
    let entries = map(node, what, problems).unwrap_or_default();
    if let Some((key, _)) = entries.get(most) {
        too_many(what, entries.len(), most, key.span, problems);
    }
    &entries[..entries.len().min(most)]
}

/// The entries that [`entries`] left out.
pub(crate) fn beyond(node: &Node, most: usize) -> &[(Key, Node)] {
    match &node.content {
        Content::Map(entries) => entries.get(most..).unwrap_or_default(),
        _ => &[],
    }
}

fn too_many(what: &str, count: usize, most: usize, span: Span, problems: &mut Problems) {
    let message = format!("{what} has {count} entries; a model may have {most} there");
    problems.report(Code::TooMany, span, message, "remove unused ones, or use another table");
}

pub(crate) fn text<'n>(node: &'n Node, problems: &mut Problems) -> Option<&'n str> {
    match &node.content {
        Content::Scalar { text, quoted } if *quoted || !text.is_empty() => Some(text),
        Content::Scalar { .. } => {
            wrong_shape(node, "this must be text", "write a value after the `:`", problems)
        }
        Content::List(_) => {
            wrong_shape(node, "this must be text", "write one value, without brackets", problems)
        }
        Content::Map(_) => {
            let help = "write one value; a template needs quotes, as in `\"{id}\"`";
            wrong_shape(node, "this must be text", help, problems)
        }
    }
}

fn flag(node: &Node, problems: &mut Problems) -> Option<bool> {
    let help = match &node.content {
        Content::Scalar { text, quoted } => match (text.to_lowercase().as_str(), quoted) {
            ("true" | "false", false) if text == "true" || text == "false" => return Some(text == "true"),
            ("true" | "yes" | "on" | "1", _) => "write `true`",
            ("false" | "no" | "off" | "0", _) => "write `false`",
            _ => "write one of the two",
        },
        _ => "write one of the two",
    };
    wrong_shape(node, "this must be `true` or `false`", help, problems)
}

pub(crate) fn whole(node: &Node, problems: &mut Problems) -> Option<usize> {
    match &node.content {
        Content::Scalar { text, quoted: false } if text.parse::<u32>().is_ok() => text.parse().ok(),
        _ => {
            let help = "write digits such as `20`, without quotes";
            wrong_shape(node, "this must be a whole number, zero or more", help, problems)
        }
    }
}

fn items<'n>(node: &'n Node, problems: &mut Problems) -> Option<&'n [Node]> {
    match &node.content {
        Content::List(nodes) => Some(nodes),
        Content::Scalar { text, .. } if !text.is_empty() => {
            wrong_shape(node, "this must be a list", &format!("write `[{}]`", short(text)), problems)
        }
        _ => wrong_shape(node, "this must be a list", "write `[one, two]`, or `[]` for none", problems),
    }
}

/// A list of at most `max` distinct texts with their locations; nothing if it is not such a list.
pub(crate) fn texts<'n>(
    node: &'n Node,
    most: usize,
    problems: &mut Problems,
) -> Option<Vec<(&'n str, Span)>> {
    let before = problems.list.len();
    let nodes = items(node, problems)?;
    if let Some(first) = nodes.get(most) {
        too_many("this list", nodes.len(), most, first.span, problems);
    }
    let mut seen = HashSet::new();
    let mut texts = Vec::new();
    for node in nodes.iter().take(most) {
        let Some(text) = text(node, problems) else { continue };
        if seen.insert(text) {
            texts.push((text, node.span));
        } else {
            let message = format!("`{}` is repeated in this list", short(text));
            problems.report(Code::DuplicateKey, node.span, message, "keep one of the two");
        }
    }
    (problems.list.len() == before).then_some(texts)
}

/// The node at the end of a path of keys, for messages about a node that was read before.
pub(crate) fn at<'n>(node: &'n Node, path: &[&str]) -> Option<&'n Node> {
    path.iter().try_fold(node, |node, name| match &node.content {
        Content::Map(entries) => entries.iter().find(|(key, _)| key.text == **name).map(|(_, node)| node),
        _ => None,
    })
}

/// The key of a map with this text.
pub(crate) fn key<'n>(map: &'n Node, text: &str) -> Option<&'n Key> {
    let Content::Map(entries) = &map.content else { return None };
    entries.iter().map(|(key, _)| key).find(|key| key.text == text)
}

/// The element of a list with this text.
pub(crate) fn element<'n>(list: &'n Node, text: &str) -> Option<&'n Node> {
    let Content::List(nodes) = &list.content else { return None };
    nodes.iter().find(|node| matches!(&node.content, Content::Scalar { text: found, .. } if found == text))
}

/// One of a closed list of keywords.
pub(crate) fn choice<'c>(
    node: &Node,
    field: &str,
    choices: &[&'c str],
    problems: &mut Problems,
) -> Option<&'c str> {
    let word = text(node, problems)?;
    let found = choices.iter().find(|choice| **choice == word).copied();
    if found.is_none() {
        let help = match suggest::word(word, choices) {
            Some(near) => format!("did you mean `{near}`?"),
            None => match choices {
                [only] => format!("the only value is `{only}`"),
                _ => format!("write one of {}", suggest::list(choices)),
            },
        };
        let message = format!("`{field}` cannot be `{}`", short(word));
        problems.report(Code::BadChoice, node.span, message, help);
    }
    found
}

fn wrong_shape<T>(node: &Node, message: &str, help: &str, problems: &mut Problems) -> Option<T> {
    let found = match &node.content {
        Content::Scalar { text, quoted: false } if text.is_empty() => "nothing".to_owned(),
        Content::Scalar { text, quoted: true } => format!("the text \"{}\"", short(text)),
        Content::Scalar { text, .. } => format!("`{}`", short(text)),
        Content::List(_) => "a list".to_owned(),
        Content::Map(_) => "a map".to_owned(),
    };
    problems.report(Code::WrongShape, node.span, format!("{message}, not {found}"), help);
    None
}
