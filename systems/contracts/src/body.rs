//! What a spec says, as its kind is understood.
//!
//! A member that nobody asked for is allowed everywhere: contracts say more than this registry has to
//! understand. What is here is what a runtime reads.

use std::sync::Arc;

use hansang_core::Item;
use hansang_core::validate::Violation;

use crate::{Kind, Known};

mod change_set;
mod entity_schema;
mod inverted_index;
mod join_spec;
pub(crate) mod place;
mod reader;
pub(crate) mod rule_set;
mod sink_rule;
mod view_definition;

pub use change_set::ChangeSet;
pub use entity_schema::{EntitySchema, Field};
pub use inverted_index::InvertedIndex;
pub use join_spec::{JoinIndex, JoinSpec};
pub use rule_set::{Impact, Part, RuleSet};
pub use sink_rule::{SinkInput, SinkRule, SinkTarget};
pub use view_definition::{Policy, ViewDefinition};

use reader::{Problems, Reader};

/// A spec as its kind is understood. Shared, so that loading one again copies nothing.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    /// How changes of an entity are written down.
    ChangeSet(Arc<ChangeSet>),
    /// How entities are joined.
    JoinSpec(Arc<JoinSpec>),
    /// How what refers to something is found.
    InvertedIndex(Arc<InvertedIndex>),
    /// Which parts are made of an entity.
    RuleSet(Arc<RuleSet>),
    /// What a view is made of.
    ViewDefinition(Arc<ViewDefinition>),
    /// The fields of an entity.
    EntitySchema(Arc<EntitySchema>),
    /// Where results go.
    SinkRule(Arc<SinkRule>),
    /// A kind that is not known, or a draft that is not finished.
    Other,
}

/// Reads a spec of this kind.
///
/// # Errors
/// Everything that is wrong with it, each with its place in the spec.
pub fn decode(kind: &Kind, spec: &Item) -> Result<Body, Vec<Violation>> {
    let problems = Problems::default();
    let reader = Reader::new(spec, &problems);
    let body = match kind.known() {
        Some(Known::ChangeSet) => Body::ChangeSet(change_set::read(&reader).into()),
        Some(Known::JoinSpec) => Body::JoinSpec(join_spec::read(&reader).into()),
        Some(Known::InvertedIndex) => Body::InvertedIndex(inverted_index::read(&reader).into()),
        Some(Known::RuleSet) => Body::RuleSet(rule_set::read(&reader).into()),
        Some(Known::ViewDefinition) => Body::ViewDefinition(view_definition::read(&reader).into()),
        Some(Known::EntitySchema) => Body::EntitySchema(entity_schema::read(&reader).into()),
        Some(Known::SinkRule) => Body::SinkRule(sink_rule::read(&reader).into()),
        None => Body::Other,
    };
    let problems = problems.into_inner();
    if problems.is_empty() { Ok(body) } else { Err(problems) }
}
