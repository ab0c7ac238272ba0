//! What a failed condition means, in words for whoever asked for the write.

use crate::error::Error;
use crate::message::Message;
use crate::validate::violation;
use crate::value::Name;

/// Why a write must not happen when its condition does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// There is such an item already.
    Exists {
        /// The entity.
        entity: Name,
    },
    /// There is no such item.
    Missing {
        /// The entity.
        entity: Name,
    },
    /// The item is no longer what was read.
    Changed {
        /// The entity.
        entity: Name,
    },
    /// Another item has this value.
    Taken {
        /// The entity.
        entity: Name,
        /// The attributes that are unique together.
        fields: Vec<Name>,
        /// The attributes within which they are.
        within: Vec<Name>,
    },
    /// The lifecycle does not make this move.
    State {
        /// The entity.
        entity: Name,
        /// The attribute.
        attribute: Name,
        /// The states from which the move exists.
        from: Vec<Name>,
        /// The state that was wanted.
        to: String,
    },
    /// A value would break a rule.
    Rule {
        /// The attribute.
        attribute: Name,
        /// The end of a sentence that starts with the attribute's name.
        problem: Message,
    },
    /// What a system says of a condition of its own.
    Other(Error),
}

impl Reason {
    /// The error to report.
    #[must_use]
    pub fn error(&self) -> Error {
        match self {
            Self::Exists { entity } => {
                Error::conflict("already_exists", format!("this {entity} exists already"))
            }
            Self::Missing { entity } => Error::not_found("not_found", format!("there is no such {entity}")),
            Self::Changed { entity } => {
                let message = format!("this {entity} was changed in the meantime: read it again");
                Error::conflict("changed_meanwhile", message)
            }
            Self::Taken { entity, fields, within } => {
                let place = if within.is_empty() {
                    String::new()
                } else {
                    format!(" within the same {}", within.join(", "))
                };
                let message = format!("another {entity} has this {} already{place}", fields.join(" and "));
                let violations = fields.iter().map(|name| violation(name, "is taken")).collect();
                Error { violations, ..Error::conflict("not_unique", message) }
            }
            Self::State { entity, attribute, from, to } => {
                let only = if from.is_empty() { "no state".to_owned() } else { from.join(" or ") };
                let message = format!("`{attribute}` of this {entity} can become {to} only from {only}");
                Error::conflict("wrong_state", message)
            }
            Self::Rule { attribute, problem } => {
                let broken = violation(attribute, problem);
                let message = broken.message();
                Error { violations: vec![broken], ..Error::conflict("rule_broken", message) }
            }
            Self::Other(error) => error.clone(),
        }
    }
}
