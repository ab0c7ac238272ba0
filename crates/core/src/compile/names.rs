//! Checks of names, with suggestions for invalid ones.

use super::problems::Problems;
use super::reader;
use crate::diagnostic::{Code, Span, short};
use crate::value::{Name, known};
use crate::yaml::Node;

/// The kind of a name, which decides its form.
#[derive(Clone, Copy)]
pub(super) enum Names {
    Model,
    Table,
    Index,
    Entity,
    Pattern,
    Unique,
    Attribute,
}

/// Checks a name. An invalid one is reported but still used, so that references to it are not reported
/// as well.
pub(super) fn check(name: &str, span: Span, names: Names, problems: &mut Problems) -> Name {
    if !names.allows(name) {
        let (what, rule) = names.rule();
        let help = match names.repair(name).filter(|repaired| names.allows(repaired)) {
            Some(repaired) => format!("write `{repaired}`: {rule}"),
            None => rule.to_owned(),
        };
        let message = format!("`{}` cannot be the name of {what}", short(name));
        problems.report(Code::BadName, span, message, help);
    }
    known(name)
}

/// The name that a node holds.
pub(super) fn read(node: &Node, names: Names, problems: &mut Problems) -> Option<Name> {
    Some(check(reader::text(node, problems)?, node.span, names, problems))
}

impl Names {
    fn allows(self, name: &str) -> bool {
        let first = name.chars().next().unwrap_or(' ');
        let all = |allowed: fn(char) -> bool| name.chars().all(allowed);
        let physical = |name: &str| {
            (3..=200).contains(&name.len())
                && name.chars().all(|c| c.is_ascii_alphanumeric() || "_.-".contains(c))
        };
        match self {
            Self::Model => {
                first.is_ascii_lowercase()
                    && name.len() <= 40
                    && all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
            }
            Self::Table => physical(&name.replace("{env}", "env")),
            Self::Index => physical(name),
            Self::Entity => {
                first.is_ascii_uppercase() && name.len() <= 60 && all(|c| c.is_ascii_alphanumeric())
            }
            Self::Pattern | Self::Unique => {
                first.is_ascii_lowercase() && name.len() <= 60 && all(|c| c.is_ascii_alphanumeric())
            }
            Self::Attribute => {
                (first.is_alphabetic() || first == '_')
                    && name.len() <= 255
                    && all(|c| c.is_alphanumeric() || c == '_' || c == '-')
            }
        }
    }

    /// The noun for such names, and their rule.
    fn rule(self) -> (&'static str, &'static str) {
        match self {
            Self::Model => ("a model", "use lower-case letters, digits and hyphens, at most 40"),
            Self::Table => {
                ("a table", "use 3 to 200 letters, digits, `_`, `.`, `-`, and `{env}` if you like")
            }
            Self::Index => ("an index", "use 3 to 200 letters, digits, `_`, `.` and `-`"),
            Self::Entity => ("an entity", "start with a capital and use letters and digits, at most 60"),
            Self::Pattern => {
                ("a pattern", "start with a small letter and use letters and digits, at most 60")
            }
            Self::Unique => {
                ("a unique constraint", "start with a small letter and use letters and digits, at most 60")
            }
            Self::Attribute => ("an attribute", "start with a letter and use letters, digits, `_` and `-`"),
        }
    }

    /// The nearest name that could do.
    fn repair(self, name: &str) -> Option<String> {
        let words = || name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        let capital = |word: &str| word[..1].to_ascii_uppercase() + &word[1..];
        let joined = || words().map(capital).collect::<String>();
        Some(match self {
            Self::Model => words().map(str::to_ascii_lowercase).collect::<Vec<_>>().join("-"),
            Self::Entity => joined(),
            Self::Pattern | Self::Unique => {
                let joined = joined();
                joined.get(..1)?.to_ascii_lowercase() + joined.get(1..)?
            }
            Self::Table | Self::Index | Self::Attribute => {
                name.chars().map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' }).collect()
            }
        })
    }
}
