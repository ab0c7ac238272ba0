//! Titles, descriptions, labels and columns: text, or a map from language codes to texts.

use std::sync::Arc;

use super::problems::Problems;
use super::reader::{self, Fields};
use super::{rules, suggest};
use crate::diagnostic::{Code, Span, short};
use crate::kind::Kind;
use crate::model::Attribute;
use crate::model::texts::{Label, Part, parts};
use crate::value::Name;
use crate::words::{Words, is_language_code};
use crate::yaml::{Content, Node};

const MAX_LANGUAGES: usize = 100;
const MAX_COLUMNS: usize = 30;

impl Fields<'_> {
    /// The text of a field in every language; empty if it is absent.
    pub(super) fn words(&self, name: &str, problems: &mut Problems) -> Words {
        self.get(name).and_then(|node| words(node, problems)).unwrap_or_default()
    }
}

/// A text in one or more languages.
fn words(node: &Node, problems: &mut Problems) -> Option<Words> {
    let Content::Map(entries) = &node.content else {
        return Some(Words::plain(reader::text(node, problems)?));
    };
    let help = "write `{ en: \"Post\", ko: \"글\" }`, or one text in quotes";
    if entries.is_empty() {
        problems.report(Code::BadLanguage, node.span, "there is no text in any language", help);
        return None;
    }
    let before = problems.list.len();
    let mut texts = Vec::new();
    for (key, node) in reader::entries(node, "the text", MAX_LANGUAGES, problems) {
        if !is_language_code(&key.text) {
            let message = format!("`{}` is not a language code", short(&key.text));
            problems.report(Code::BadLanguage, key.span, message, help);
            continue;
        }
        texts.extend(reader::text(node, problems).map(|text| (key.text.clone(), text.to_owned())));
    }
    (problems.list.len() == before).then(|| Words::by_code(texts))
}

/// `titles:` of an attribute: a text for each member of an enum or state of a lifecycle.
pub(super) fn titles(fields: &Fields<'_>, kind: &Kind, problems: &mut Problems) -> Vec<(Name, Words)> {
    let Some(node) = fields.get("titles") else { return Vec::new() };
    let Some(members) = members(kind) else {
        rules::unfit(fields, "titles", "an enum or a lifecycle", problems);
        return Vec::new();
    };
    let mut titles = Vec::new();
    for (key, node) in reader::entries(node, "`titles`", members.len(), problems) {
        let Some(member) = members.iter().find(|member| ***member == *key.text) else {
            let known = || members.iter().map(|member| &**member);
            let help = suggest::did_you_mean(&key.text, known(), || {
                format!("write one of {}", suggest::some(known()))
            });
            let message = format!("`{}` is not one of the values", short(&key.text));
            problems.report(Code::BadChoice, key.span, message, help);
            continue;
        };
        titles.extend(words(node, problems).map(|words| (member.clone(), words)));
    }
    titles
}

fn members(kind: &Kind) -> Option<&[Name]> {
    match kind {
        Kind::List(element) | Kind::Map(element) => members(element),
        _ => kind.choices(),
    }
}

/// The attributes of an entity, to find those that its texts name.
pub(super) struct Known<'a> {
    pub(super) entity: &'a str,
    pub(super) attributes: &'a [Arc<Attribute>],
    /// Attributes that did not compile: a text that names one is not reported.
    pub(super) broken: &'a [&'a str],
}

impl Known<'_> {
    fn find(&self, name: &str, span: Span, problems: &mut Problems) -> Option<Name> {
        let found = self.attributes.iter().find(|one| &*one.name == name);
        if found.is_none() && !self.broken.contains(&name) {
            let known = || self.attributes.iter().map(|one| &*one.name);
            let help = suggest::did_you_mean(name, known(), || format!("it has {}", suggest::some(known())));
            let message = format!("`{}` has no attribute `{}`", self.entity, short(name));
            problems.report(Code::UnknownAttribute, span, message, help);
        }
        found.map(|one| one.name.clone())
    }
}

/// `label:` of an entity: the template of a record's title.
pub(super) fn label(fields: &Fields<'_>, known: &Known<'_>, problems: &mut Problems) -> Label {
    let Some(node) = fields.get("label") else { return Label::default() };
    let Some(words) = words(node, problems) else { return Label::default() };
    for (_, text) in words.iter() {
        let depth = text.chars().try_fold(0, |depth, letter| match (letter, depth) {
            ('{', 0) => Some(1),
            ('}', 1) => Some(0),
            ('{' | '}', _) => None,
            _ => Some(depth),
        });
        if depth != Some(0) {
            let help = "write each field as `{attribute}`, in quotes";
            problems.report(Code::BadLabel, node.span, "the braces of this label do not match", help);
            return Label::default();
        }
        for part in parts(text) {
            if let Part::Field(name) = part {
                known.find(name, node.span, problems);
            }
        }
    }
    Label(words)
}

/// `columns:` of an entity: the attributes that a list shows, in order.
pub(super) fn columns(fields: &Fields<'_>, known: &Known<'_>, problems: &mut Problems) -> Vec<Name> {
    let Some(node) = fields.get("columns") else { return Vec::new() };
    let names = reader::texts(node, MAX_COLUMNS, problems).unwrap_or_default();
    names.iter().filter_map(|(name, span)| known.find(name, *span, problems)).collect()
}
