//! Compiled access patterns: a name, typed arguments and reads.

use std::sync::Arc;

use super::{Attribute, Entity, KeySource, Unique};
use crate::template::Template;
use crate::value::Name;
use crate::words::Words;

/// A named access pattern.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// The name.
    pub name: Name,
    /// The name in words.
    pub title: Words,
    /// The description.
    pub doc: Words,
    /// The entities it returns; anything else that is read is dropped.
    pub entities: Vec<Arc<Entity>>,
    /// The position of the index it reads in [`super::Table::indexes`].
    pub index: Option<usize>,
    /// The required arguments.
    pub given: Vec<Arc<Attribute>>,
    /// The attribute that `from` and `to` can narrow.
    pub range: Option<Arc<Attribute>>,
    /// The attribute whose values it fans out over.
    pub over: Option<Over>,
    /// Whether the order is descending.
    pub descending: bool,
    /// The default page size.
    pub page: u32,
    /// Whether reads are strongly consistent by default.
    pub consistent: bool,
    /// The reads, in the order in which their results follow each other.
    pub legs: Vec<Leg>,
    /// Names of entities that are read along and dropped.
    pub also_reads: Vec<Name>,
}

/// A fan-out: one round of legs for each value from `from` to `to`.
#[derive(Clone, Debug)]
pub struct Over {
    /// The attribute: a month or a closed list of texts.
    pub attribute: Arc<Attribute>,
    /// The maximum number of values.
    pub max: u32,
}

/// One read of a pattern.
#[derive(Clone, Debug)]
pub enum Leg {
    /// One item by its whole key.
    Get {
        /// The partition key.
        pk: Template,
        /// The sort key.
        sk: Template,
    },
    /// Items of one partition of the table or an index.
    Query {
        /// The partition key.
        pk: KeySource,
        /// The condition on the sort key.
        sort: Sort,
    },
    /// One item by a unique constraint: its pointer, then the item.
    Lookup {
        /// The entity.
        entity: Arc<Entity>,
        /// The constraint.
        unique: Unique,
    },
}

/// The sort keys of a partition that a query reads.
#[derive(Clone, Debug)]
pub enum Sort {
    /// All of them.
    All,
    /// Exactly this one.
    Exact(KeySource),
    /// Those that start with the first segments of the template.
    Prefix {
        /// The template of the sort key.
        template: Template,
        /// The number of known segments.
        known: usize,
    },
    /// Those from `from` to `to` in the field after the known segments.
    Range {
        /// The source of the sort key.
        source: KeySource,
        /// The number of known segments of its template.
        known: usize,
    },
}
