//! The fields of a template: their types, padding and order.

use super::super::attributes::AttributeSource;
use super::super::reader;
use super::Cutter;
use crate::diagnostic::{Code, short};
use crate::kind::Kind;
use crate::model::{Attribute, Role};
use crate::number::Number;
use crate::template::Field;

const MAX_PADDING: u8 = 18;

impl Cutter<'_, '_> {
    /// One field: `whole` is `{name:06}` as in the template, `inner` the part between the braces.
    pub(super) fn field(&mut self, at: usize, whole: &str, inner: &str) -> Option<Field> {
        let (name, pad) = match inner.split_once(':') {
            Some((name, pad)) => (name, Some(self.padding(at, whole, name, pad)?)),
            None => (inner, None),
        };
        if name.trim().is_empty() {
            self.report(Code::BadTemplate, at, whole, "this field names no attribute", "write `{attribute}`");
            return None;
        }
        if self.scope.broken.contains(&name) {
            return None;
        }
        let source = self.scope.sources.iter().find(|source| &*source.attribute.name == name);
        if source.is_some_and(|source| source.template.is_some()) {
            let message = format!("`{name}` is itself made from a template");
            self.report(Code::UnknownAttribute, at, whole, message, "use the attributes it is made from");
            return None;
        }
        let of_table = self.scope.of_table.iter().find(|attribute| &*attribute.name == name);
        let Some(attribute) = source.map(|source| &source.attribute).or(of_table) else {
            self.unknown(at, whole, name, pad.is_some());
            return None;
        };
        let field = Field { attribute: attribute.clone(), pad };
        let before = self.problems.list.len();
        self.check_type(at, whole, attribute, pad);
        if self.problems.list.len() == before {
            self.check_order(at, whole, attribute, source);
            self.check_constant(at, whole, attribute);
            self.check_default(&field, source);
        }
        Some(field)
    }

    fn padding(&mut self, at: usize, whole: &str, name: &str, pad: &str) -> Option<u8> {
        let digits = pad.strip_prefix('0').unwrap_or(pad).parse::<u8>().ok();
        let width = digits.filter(|width| (1..=MAX_PADDING).contains(width));
        if width.is_none() || !pad.starts_with('0') {
            let message = format!("`{}` is not a padding", short(pad));
            let help = match width {
                Some(width) => {
                    format!("write `{{{name}:0{width}}}`, with a zero before the number of digits")
                }
                None => format!("write `{{{name}:06}}` for six digits; {MAX_PADDING} is the maximum"),
            };
            self.report(Code::BadTemplate, at, whole, message, help);
            return None;
        }
        width
    }

    fn check_type(&mut self, at: usize, whole: &str, attribute: &Attribute, pad: Option<u8>) {
        let (name, kind) = (&attribute.name, &attribute.kind);
        match (kind, pad) {
            (Kind::Integer, None) => {
                let message = format!("`{name}` is a number, and as text `10` sorts before `2`");
                self.report(Code::Unpadded, at, whole, message, format!("pad it: `{{{name}:06}}`"));
            }
            (Kind::Integer, Some(pad)) => self.check_padding(at, whole, attribute, pad),
            (kind, _) if !kind.fits_key() => {
                let message = format!("`{name}` is {kind}, which cannot be part of a key");
                let help = "use text, an identifier, a time, an enum or a padded integer";
                self.report(Code::NotAKeyType, at, whole, message, help);
            }
            (_, Some(_)) => {
                let message = format!("`{name}` is {kind}, and padding is for integers");
                self.report(Code::BadTemplate, at, whole, message, format!("write `{{{name}}}`"));
            }
            (kind, None) if self.scope.delimiter_works => {
                if let Some((message, help)) = self.unusable_value(name, kind) {
                    self.report(Code::DelimiterInValue, at, whole, message, help);
                }
            }
            _ => {}
        }
    }

    fn check_padding(&mut self, at: usize, whole: &str, attribute: &Attribute, pad: u8) {
        let name = &attribute.name;
        let largest = Number::from(10_i64.pow(u32::from(pad)) - 1);
        if let Some(max) = attribute.rules.max.filter(|max| *max > largest) {
            let message = format!("`{name}` can be {max}, and {pad} digits end at {largest}");
            let help = format!("pad to more digits, or write `max: {largest}`");
            self.report(Code::PaddingTooNarrow, at, whole, message, help);
        }
        if attribute.rules.min.is_some_and(Number::is_negative) {
            let message = format!("`{name}` can be negative, and negative numbers do not sort as text");
            self.report(
                Code::PaddingTooNarrow,
                at,
                whole,
                message,
                "write `min: 0`, or leave it out of keys",
            );
        }
    }

    /// A value of the type that no key could hold, for types whose values are known.
    fn unusable_value(&self, name: &str, kind: &Kind) -> Option<(String, String)> {
        let delimiter = self.scope.delimiter;
        let other = "choose another `delimiter` for the table";
        if let Some(choices) = kind.choices() {
            let unusable = |text: &str| {
                text.is_empty() || text.contains(delimiter) || text.chars().any(char::is_control)
            };
            let choice = choices.iter().find(|choice| unusable(choice))?;
            return Some(match choice.contains(delimiter) {
                true => {
                    let message = format!(
                        "`{name}` can be `{}`, which contains the delimiter `{delimiter}`",
                        short(choice)
                    );
                    (message, format!("rename the value, or {other}"))
                }
                false => {
                    let message = format!("`{name}` has a value that is empty or has a control character");
                    (message, "give every value some text, or leave the attribute out of keys".to_owned())
                }
            });
        }
        let example = match kind {
            Kind::Timestamp(precision) => precision.example().to_owned(),
            Kind::Month { separator } => format!("2025{separator}01"),
            Kind::Uuid => "3f2b8c1e-5a4d-4e6f-9b7a-0c1d2e3f4a5b".to_owned(),
            Kind::Semver => "1.4.0-rc.1+build".to_owned(),
            Kind::Url => "https://example.com/".to_owned(),
            Kind::Email => "name@example.com".to_owned(),
            _ => return None,
        };
        let message = format!("values of `{name}` such as `{example}` contain the delimiter `{delimiter}`");
        example.contains(delimiter).then(|| (message, other.to_owned()))
    }

    /// Checks that the text of a value sorts like the value.
    fn check_order(
        &mut self,
        at: usize,
        whole: &str,
        attribute: &Attribute,
        source: Option<&AttributeSource<'_>>,
    ) {
        let accepted = source.is_some_and(|source| source.sorts_as_text);
        if self.used.sorts() && attribute.kind == Kind::Semver && !accepted {
            let (message, help) = semver_order(&attribute.name);
            self.report(Code::SemverOrder, at, whole, message, help);
        }
    }

    /// Checks that the field of a key cannot change.
    fn check_constant(&mut self, at: usize, whole: &str, attribute: &Attribute) {
        if !self.used.in_table_key() {
            return;
        }
        let name = &attribute.name;
        if attribute.optional {
            let message = format!("`{name}` is optional, but without it there is no key");
            let help = "remove the `?` or `optional: true`; only keys of indexes may be absent";
            self.report(Code::OptionalInKey, at, whole, message, help);
        }
        let why = match (&attribute.role, &attribute.kind) {
            (Role::Updated | Role::Version, _) => "changes with every write",
            (_, Kind::Lifecycle(life)) if !life.moves.is_empty() => "changes with its lifecycle",
            _ => return,
        };
        let message = format!("`{name}` {why}, and the key of an item never changes");
        let help = "put it into the key of an index, which follows it";
        self.report(Code::ChangesInKey, at, whole, message, help);
    }

    /// Reports a default that cannot be part of a key: every write without the field would fail.
    fn check_default(&mut self, field: &Field, source: Option<&AttributeSource<'_>>) {
        let (Some(default), Some(source)) = (&field.attribute.default, source) else { return };
        let Err(error) = field.write(default, self.scope.delimiter, &mut String::new()) else { return };
        let span = reader::at(source.node, &["default"]).map_or(source.span, |node| node.span);
        let message = format!("the default of {error}");
        self.problems.report(Code::BadDefault, span, message, "write a default that can be part of a key");
    }
}

/// The message and the help for versions that are sorted as text.
pub(in super::super) fn semver_order(name: &str) -> (String, String) {
    let message = format!("`{name}` is a version, and as text `1.10.0` sorts before `1.9.0`");
    let help =
        format!("if you sort versions after reading, say so: `{name}: {{ type: semver, sorts: text }}`");
    (message, help)
}
