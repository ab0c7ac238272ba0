//! A model in parts, without words: the documentation and the console word them in their own language.

use crate::model::{Index, Model};
use crate::value::Name;

mod attributes;
mod keys;
mod patterns;

pub use attributes::{Bounds, Note, Rule, Unit, kind, notes, rules};
pub use keys::{KeyAttribute, Piece, keys, of_source, of_template, pointer, text};
pub use patterns::{Operation, Order, Read, SortTest, order, page, reads, rounds};

/// An index and the patterns that use it.
#[derive(Clone, Debug)]
pub struct IndexUse<'m> {
    /// The index.
    pub index: &'m Index,
    /// The entities whose items are in it.
    pub entities: Vec<&'m Name>,
    /// The patterns that read it.
    pub patterns: Vec<&'m Name>,
}

/// The indexes of the table, in the order of the file.
#[must_use]
pub fn indexes(model: &Model) -> Vec<IndexUse<'_>> {
    let positions = model.table.indexes.iter().enumerate();
    let uses = positions.map(|(position, index)| {
        let entities = model.entities.iter().filter(|entity| entity.in_index(position).is_some());
        let patterns = model.patterns.iter().filter(|pattern| pattern.index == Some(position));
        IndexUse {
            index,
            entities: entities.map(|entity| &entity.name).collect(),
            patterns: patterns.map(|pattern| &pattern.name).collect(),
        }
    });
    uses.collect()
}
