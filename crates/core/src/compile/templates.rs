//! Key templates as the file writes them.

use std::sync::Arc;

use super::attributes::AttributeSource;
use super::problems::Problems;
use super::reader;
use super::suggest;
use crate::diagnostic::{Code, Span, short};
use crate::kind::Kind;
use crate::model::{Attribute, Role};
use crate::template::{Field, Segment, Template};
use crate::yaml::{Content, Node};

mod fields;

pub(super) use fields::semver_order;

/// DynamoDB's limits, in bytes, for a partition key and for a sort key.
const MAX_PARTITION_KEY: usize = 2048;
const MAX_SORT_KEY: usize = 1024;

/// The attributes that a template may refer to, and its use.
pub(super) struct Scope<'a> {
    pub(super) entity: &'a str,
    pub(super) delimiter: char,
    /// Whether the delimiter is valid, so that keys can be checked with it.
    pub(super) delimiter_works: bool,
    pub(super) sources: &'a [AttributeSource<'a>],
    pub(super) of_table: &'a [Arc<Attribute>],
    /// Attributes that did not compile: a template that uses one is dropped without a report.
    pub(super) broken: &'a [&'a str],
}

/// The use of a template.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    PartitionKey,
    SortKey,
    IndexPartition,
    IndexSort,
    Attribute,
}

impl Use {
    fn in_table_key(self) -> bool {
        matches!(self, Self::PartitionKey | Self::SortKey)
    }

    fn sorts(self) -> bool {
        matches!(self, Self::SortKey | Self::IndexSort)
    }
}

/// Compiles one template.
pub(super) fn compile(
    node: &Node,
    used: Use,
    scope: &Scope<'_>,
    problems: &mut Problems,
) -> Option<Template> {
    let before = problems.list.len();
    let text = reader::text(node, problems)?;
    let mut cutter = Cutter { node, text, used, scope, problems };
    let segments = cutter.cut();
    let good = problems.keys_are_clear(before);
    segments.filter(|_| good).map(|segments| Template {
        text: text.to_owned(),
        delimiter: scope.delimiter,
        segments,
    })
}

/// The template of a key that is an attribute of the item itself.
pub(super) fn of_attribute(attribute: &Arc<Attribute>, delimiter: char) -> Template {
    let field = Field { attribute: attribute.clone(), pad: None };
    Template {
        text: format!("{{{}}}", attribute.name),
        delimiter,
        segments: vec![Segment { literal: String::new(), field: Some(field) }],
    }
}

/// The template of a key that never varies.
pub(super) fn of_literal(text: &str, delimiter: char) -> Template {
    Template {
        text: text.to_owned(),
        delimiter,
        segments: text
            .split(delimiter)
            .map(|part| Segment { literal: part.to_owned(), field: None })
            .collect(),
    }
}

/// The name in `${name}`, as other languages write a field.
fn placeholder(text: &str) -> Option<&str> {
    text.strip_prefix("${")?.split('}').next()
}

struct Cutter<'a, 'p> {
    node: &'a Node,
    text: &'a str,
    used: Use,
    scope: &'a Scope<'a>,
    problems: &'p mut Problems,
}

impl Cutter<'_, '_> {
    fn cut(&mut self) -> Option<Vec<Segment>> {
        self.check_size()?;
        let mut segments = vec![Segment { literal: String::new(), field: None }];
        let mut complete = true;
        let mut rest = self.text;
        let mut at = 0;
        while let Some(next) = rest.chars().next() {
            if let Some(name) = placeholder(rest) {
                let message = "`$` would become part of the key";
                let help = format!("write `{{{}}}`, without `$`", short(name));
                self.report(Code::BadTemplate, at, "$", message, help);
                return None;
            }
            let last = segments.last_mut()?;
            let length = if next == '{' {
                let Some(end) = rest.find('}') else {
                    let message = "this `{` is never closed";
                    self.report(Code::BadTemplate, at, rest, message, "write `{attribute}`");
                    return None;
                };
                let whole = &rest[..=end];
                if last.field.is_some() {
                    self.no_delimiter(at, whole);
                }
                last.field = self.field(at, whole, &rest[1..end]);
                complete &= last.field.is_some();
                whole.len()
            } else {
                self.literal(at, next, &mut segments)?;
                next.len_utf8()
            };
            at += rest[..length].chars().count();
            rest = &rest[length..];
        }
        complete.then_some(segments)
    }

    /// Adds a character outside of the fields.
    fn literal(&mut self, at: usize, next: char, segments: &mut Vec<Segment>) -> Option<()> {
        let marked = next.to_string();
        if next == '}' {
            let help = "remove it, or open the field before it: `{attribute}`";
            self.report(Code::BadTemplate, at, &marked, "this `}` closes nothing", help);
            return None;
        }
        if next.is_control() {
            let message = "a control character or line break cannot be part of a key";
            self.report(Code::BadTemplate, at, &marked, message, "write the template in one line, in quotes");
            return None;
        }
        let last = segments.last_mut()?;
        if next == self.scope.delimiter {
            segments.push(Segment { literal: String::new(), field: None });
        } else if last.field.is_some() {
            self.no_delimiter(at, &marked);
            return None;
        } else {
            last.literal.push(next);
        }
        Some(())
    }

    fn check_size(&mut self) -> Option<()> {
        let most = if self.used.sorts() { MAX_SORT_KEY } else { MAX_PARTITION_KEY };
        let (message, help) = if self.text.is_empty() {
            let help = "write a fixed text such as `META` if there is nothing to tell items apart by";
            ("a key must not be empty".to_owned(), help)
        } else if self.text.len() > most {
            let size = self.text.len();
            (format!("this template has {size} bytes; DynamoDB allows {most} in such a key"), "shorten it")
        } else {
            return Some(());
        };
        self.problems.report(Code::BadTemplate, self.node.span, message, help);
        None
    }

    fn no_delimiter(&mut self, at: usize, marked: &str) {
        let delimiter = self.scope.delimiter;
        if !self.scope.delimiter_works {
            return;
        }
        let message = format!("a field must be followed by `{delimiter}` or by the end of the key");
        let help =
            format!("write `{delimiter}` before this, so that the key can be read back in one way only");
        self.report(Code::NoDelimiter, at, marked, message, help);
    }

    fn unknown(&mut self, at: usize, whole: &str, name: &str, padded: bool) {
        let entity = self.scope.entity;
        let of_file = self.scope.sources.iter().filter(|source| source.template.is_none());
        let all = || of_file.clone().map(|source| &source.attribute).chain(self.scope.of_table);
        let usable: Vec<&str> =
            all().filter(|one| self.is_usable(one, padded)).map(|attribute| &*attribute.name).collect();
        let (meant, kind) = (name.trim(), if padded { "integer" } else { "string" });
        let add = format!("add `{}: {kind}` to the attributes of `{entity}`", short(meant));
        let help = match suggest::name(meant, all().map(|attribute| &*attribute.name)) {
            Some(near) => format!("did you mean `{near}`?"),
            None if usable.is_empty() => add,
            None => format!("{add}, or use one that it has: {}", suggest::some(usable.into_iter())),
        };
        let message = format!("`{entity}` has no attribute `{}`", short(name));
        self.report(Code::UnknownAttribute, at, whole, message, help);
    }

    /// Whether an attribute could stand where an unknown one does.
    fn is_usable(&self, attribute: &Attribute, padded: bool) -> bool {
        let fits = if padded {
            attribute.kind == Kind::Integer
        } else {
            attribute.kind.fits_key() && attribute.kind != Kind::Integer
        };
        let changes = matches!(attribute.role, Role::Updated | Role::Version)
            || matches!(&attribute.kind, Kind::Lifecycle(life) if !life.moves.is_empty());
        fits && !(self.used.in_table_key() && (attribute.optional || changes))
    }

    /// Reports a problem at a position in the template, or at the whole template where the text in the file
    /// differs from it (escapes, several lines).
    fn report(
        &mut self,
        code: Code,
        at: usize,
        marked: &str,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        let mut span = self.node.span;
        let quotes = usize::from(matches!(self.node.content, Content::Scalar { quoted: true, .. }));
        if span.length == self.text.chars().count() + 2 * quotes {
            let column = span.column + quotes + at;
            span = Span { line: span.line, column, length: marked.chars().count() };
        }
        self.problems.report(code, span, message, help);
    }
}
