//! Reasons of failed conditions, as errors for the caller.

use crate::code::CoreCode;
use crate::error::Error;
use crate::message;
use crate::message::{Argument, Message};
use crate::messages::{fields, items};
use crate::validate::violation;
use crate::value::Name;

/// The reason why a write is rejected when its condition fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The item already exists.
    Exists {
        /// The entity.
        entity: Name,
    },
    /// The item does not exist.
    Missing {
        /// The entity.
        entity: Name,
    },
    /// The item changed since it was read.
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
        /// The attributes that limit the scope of the constraint.
        within: Vec<Name>,
    },
    /// The lifecycle has no such transition.
    State {
        /// The entity.
        entity: Name,
        /// The attribute.
        attribute: Name,
        /// The states with a transition to the wanted one.
        from: Vec<Name>,
        /// The wanted state.
        to: String,
    },
    /// A value would break a rule.
    Rule {
        /// The attribute.
        attribute: Name,
        /// The end of a sentence that starts with the attribute's name.
        problem: Message,
    },
    /// The error of a system for a condition of its own.
    Other(Error),
}

impl Reason {
    /// The error to report.
    #[must_use]
    pub fn error(&self) -> Error {
        match self {
            Self::Exists { entity } => {
                Error::conflict(CoreCode::AlreadyExists, message!(items::EXISTS, entity))
            }
            Self::Missing { entity } => {
                Error::not_found(CoreCode::NotFound, message!(items::NOT_FOUND, entity))
            }
            Self::Changed { entity } => {
                Error::precondition(CoreCode::ChangedMeanwhile, message!(items::CHANGED, entity))
            }
            Self::Taken { entity, fields: names, within } => {
                let message = match &within[..] {
                    [] => message!(items::NOT_UNIQUE, entity, Argument::and(names)),
                    within => {
                        let within = Argument::list(within);
                        message!(items::NOT_UNIQUE_WITHIN, entity, Argument::and(names), within)
                    }
                };
                let violations = names.iter().map(|name| violation(name, message!(fields::TAKEN))).collect();
                Error { violations, ..Error::conflict(CoreCode::NotUnique, message) }
            }
            Self::State { entity, attribute, from, to } => {
                let message = match &from[..] {
                    [] => message!(items::NO_STATE, attribute, entity, to),
                    from => message!(items::WRONG_STATE, attribute, entity, to, Argument::or(from)),
                };
                Error::conflict(CoreCode::WrongState, message)
            }
            Self::Rule { attribute, problem } => {
                let broken = violation(attribute, problem);
                let message = broken.message();
                Error { violations: vec![broken], ..Error::conflict(CoreCode::RuleBroken, message) }
            }
            Self::Other(error) => error.clone(),
        }
    }
}
