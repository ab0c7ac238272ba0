//! Key templates as the file writes them.

use std::sync::Arc;

use super::attributes::AttributeSource;
use super::reader::{self, Problems};
use crate::diagnostic::{Code, Span};
use crate::kind::Kind;
use crate::model::Attribute;
use crate::number::Number;
use crate::template::{Field, Segment, Template};
use crate::yaml::{Content, Node};

/// What a template may refer to, and what is expected of it.
pub(super) struct Scope<'a> {
    pub(super) entity: &'a str,
    pub(super) delimiter: char,
    pub(super) sources: &'a [AttributeSource<'a>],
    pub(super) of_table: &'a [Arc<Attribute>],
    /// Attributes that did not compile: a template that uses one is left out without a word.
    pub(super) broken: &'a [&'a str],
}

/// Where a template stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    PartitionKey,
    SortKey,
    IndexPartition,
    IndexSort,
    Attribute,
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
    let segments = Cutter { node, used, scope, problems }.cut(text);
    let good = problems.list.len() == before;
    segments.filter(|_| good).map(|segments| Template {
        text: text.to_owned(),
        delimiter: scope.delimiter,
        segments,
    })
}

/// The template of a key that is an attribute of the item as it stands.
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

struct Cutter<'a, 'p> {
    node: &'a Node,
    used: Use,
    scope: &'a Scope<'a>,
    problems: &'p mut Problems,
}

impl Cutter<'_, '_> {
    fn cut(&mut self, text: &str) -> Option<Vec<Segment>> {
        let mut segments = vec![Segment { literal: String::new(), field: None }];
        let mut complete = true;
        let mut rest = text;
        let mut at = 0;
        while let Some(next) = rest.chars().next() {
            let last = segments.last_mut()?;
            let length = if next == '{' {
                let Some(end) = rest.find('}') else {
                    self.report(
                        Code::BadTemplate,
                        at,
                        rest,
                        "this `{` is never closed",
                        "write `{attribute}`",
                    );
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
                if next == '}' || next.is_control() {
                    self.report(
                        Code::BadTemplate,
                        at,
                        &rest[..next.len_utf8()],
                        "this character cannot stand in a key",
                        "remove it",
                    );
                    return None;
                }
                if next == self.scope.delimiter {
                    segments.push(Segment { literal: String::new(), field: None });
                } else if last.field.is_some() {
                    self.no_delimiter(at, &rest[..next.len_utf8()]);
                    return None;
                } else {
                    last.literal.push(next);
                }
                next.len_utf8()
            };
            at += rest[..length].chars().count();
            rest = &rest[length..];
        }
        complete.then_some(segments)
    }

    fn field(&mut self, at: usize, whole: &str, inner: &str) -> Option<Field> {
        let (name, pad) = match inner.split_once(':') {
            Some((name, pad)) => (name, Some(self.padding(at, whole, pad)?)),
            None => (inner, None),
        };
        if self.scope.broken.contains(&name) {
            return None;
        }
        let source = self.scope.sources.iter().find(|source| &*source.attribute.name == name);
        let of_table = self.scope.of_table.iter().find(|attribute| &*attribute.name == name);
        let derived = source.is_some_and(|source| source.template.is_some());
        let Some(attribute) = source.map(|source| &source.attribute).or(of_table).filter(|_| !derived) else {
            self.unknown(at, whole, name, derived);
            return None;
        };
        self.check_type(at, whole, attribute, pad);
        if attribute.optional && matches!(self.used, Use::PartitionKey | Use::SortKey) {
            let message = format!("`{name}` is optional, but without it there is no key");
            self.report(
                Code::OptionalInKey,
                at,
                whole,
                message,
                "make it required, or give it a default and leave `?` out",
            );
        }
        let sort_key = matches!(self.used, Use::SortKey | Use::IndexSort);
        if sort_key && attribute.kind == Kind::Semver && !source.is_some_and(|source| source.sorts_as_text) {
            let message = "as text `1.10.0` sorts before `1.9.0`";
            let help = format!(
                "if you sort versions after reading, say so: `{name}: {{ type: semver, sorts: text }}`"
            );
            self.report(Code::SemverOrder, at, whole, message, help);
        }
        Some(Field { attribute: attribute.clone(), pad })
    }

    fn padding(&mut self, at: usize, whole: &str, pad: &str) -> Option<u8> {
        let width = pad.strip_prefix('0').and_then(|width| width.parse::<u8>().ok());
        let width = width.filter(|width| (1..=18).contains(width));
        if width.is_none() {
            let message = format!("`{pad}` is not a padding");
            self.report(
                Code::BadTemplate,
                at,
                whole,
                message,
                "write `{number:06}` for six digits; 18 is the most",
            );
        }
        width
    }

    fn unknown(&mut self, at: usize, whole: &str, name: &str, derived: bool) {
        if derived {
            let message = format!("`{name}` is itself made from a template");
            self.report(Code::UnknownAttribute, at, whole, message, "use the attributes it is made from");
            return;
        }
        let names = self.scope.sources.iter().map(|source| &*source.attribute.name);
        let help = match reader::suggest(name, names) {
            Some(near) => format!("did you mean `{{{near}}}`?"),
            None => format!("add `{name}: string` to the attributes of `{}`", self.scope.entity),
        };
        self.report(
            Code::UnknownAttribute,
            at,
            whole,
            format!("`{}` has no attribute `{name}`", self.scope.entity),
            help,
        );
    }

    fn check_type(&mut self, at: usize, whole: &str, attribute: &Attribute, pad: Option<u8>) {
        let (name, kind) = (&attribute.name, &attribute.kind);
        match (kind, pad) {
            (Kind::Integer, None) => {
                let message = "as text `10` sorts before `2`";
                self.report(Code::Unpadded, at, whole, message, format!("pad it: `{{{name}:06}}`"));
            }
            (Kind::Integer, Some(pad)) => self.check_padding(at, whole, attribute, pad),
            (kind, _) if !kind.fits_key() => {
                let message = format!("`{name}` is {kind}, which cannot be part of a key");
                let help = "use text, an identifier, a time, an enum or a padded integer";
                self.report(Code::NotAKeyType, at, whole, message, help);
            }
            (_, Some(_)) => {
                self.report(
                    Code::BadTemplate,
                    at,
                    whole,
                    format!("`{name}` is not a number"),
                    "padding is for integers: remove it",
                );
            }
            (kind, None) => {
                if let Some(text) = self.value_with_delimiter(kind) {
                    let message = format!("`{text}` contains the delimiter `{}`", self.scope.delimiter);
                    let help = "choose another `delimiter` for the table, or other values";
                    self.report(Code::DelimiterInValue, at, whole, message, help);
                }
            }
        }
    }

    fn check_padding(&mut self, at: usize, whole: &str, attribute: &Attribute, pad: u8) {
        let largest = Number::from(10_i64.pow(u32::from(pad)) - 1);
        if attribute.rules.max.is_some_and(|max| max > largest) {
            let message = format!(
                "`{}` can be larger than {largest}, the largest number of {pad} digits",
                attribute.name
            );
            self.report(Code::PaddingTooNarrow, at, whole, message, "pad to more digits, or lower `max`");
        }
        if attribute.rules.min.is_some_and(Number::is_negative) {
            let message =
                format!("`{}` can be negative, and negative numbers do not sort as text", attribute.name);
            self.report(Code::PaddingTooNarrow, at, whole, message, "set `min: 0`");
        }
    }

    /// A value of the type that contains the delimiter, for types whose values are known.
    fn value_with_delimiter(&self, kind: &Kind) -> Option<String> {
        let contains = |text: &str| text.contains(self.scope.delimiter) || text.is_empty();
        if let Some(choices) = kind.choices() {
            return choices.iter().find(|choice| contains(choice)).map(ToString::to_string);
        }
        let example = match kind {
            Kind::Timestamp(precision) => precision.example().to_owned(),
            Kind::Month { separator } => format!("2025{separator}01"),
            Kind::Uuid => "3f2b8c1e-5a4d-4e6f-9b7a-0c1d2e3f4a5b".to_owned(),
            Kind::Semver => "1.4.0-rc.1+build".to_owned(),
            _ => return None,
        };
        contains(&example).then_some(example)
    }

    fn no_delimiter(&mut self, at: usize, whole: &str) {
        let message =
            format!("a field must be followed by `{}` or by the end of the key", self.scope.delimiter);
        let help = format!(
            "write `{{field}}{}` before this, so that the key can be read back",
            self.scope.delimiter
        );
        self.report(Code::NoDelimiter, at, whole, message, help);
    }

    fn report(
        &mut self,
        code: Code,
        at: usize,
        marked: &str,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        let quoted = matches!(self.node.content, Content::Scalar { quoted: true, .. });
        let column = self.node.span.column + usize::from(quoted) + at;
        let span = Span { line: self.node.span.line, column, length: marked.chars().count() };
        self.problems.report(code, span, message, help);
    }
}
