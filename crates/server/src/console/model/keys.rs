//! Keys in colour: an attribute has the same colour in all keys of an entity.

use hansang_core::describe::{self, Piece};
use hansang_core::{Entity, Model, Name};

/// The number of colours that the style sheet has for fields.
const COLOURS: usize = 6;

/// A part of a key, or of a condition on keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    pub(super) text: String,
    pub(super) mark: Mark,
}

/// The kind of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// Constant text.
    Fixed,
    /// The name of a key attribute.
    Name,
    /// The value of an attribute, in this colour.
    Field(usize),
}

/// The colour of each attribute.
#[derive(Clone, Debug, Default)]
pub(super) struct Palette<'m>(Vec<&'m Name>);

impl<'m> Palette<'m> {
    /// A copy with further colours for the other attributes in the keys of an entity.
    pub(super) fn with(mut self, model: &'m Model, entity: &'m Entity) -> Self {
        let keys = describe::keys(model, entity).into_iter().flat_map(|key| key.pieces);
        let names = keys.filter_map(|piece| piece.attribute);
        let uniques = entity.uniques.iter().flat_map(|one| one.attributes()).map(|one| &one.name);
        for name in names.chain(uniques) {
            if !self.0.contains(&name) {
                self.0.push(name);
            }
        }
        self
    }

    /// The colour of an attribute, if it is in a key.
    pub(super) fn colour(&self, attribute: &Name) -> Option<usize> {
        self.0.iter().position(|known| *known == attribute).map(|position| position % COLOURS)
    }

    /// A key in its colours.
    pub(super) fn paint(&self, pieces: &[Piece<'_>]) -> Vec<Stretch> {
        let mark = |piece: &Piece<'_>| match piece.attribute {
            Some(attribute) => Mark::Field(self.colour(attribute).unwrap_or_default()),
            None => Mark::Fixed,
        };
        pieces.iter().map(|piece| Stretch { text: piece.text.clone(), mark: mark(piece) }).collect()
    }
}

impl Stretch {
    pub(super) fn fixed(text: &str) -> Self {
        Self { text: text.to_owned(), mark: Mark::Fixed }
    }

    pub(super) fn name(text: &str) -> Self {
        Self { text: text.to_owned(), mark: Mark::Name }
    }

    pub(super) fn is_name(&self) -> bool {
        self.mark == Mark::Name
    }

    pub(super) fn colour(&self) -> Option<usize> {
        match self.mark {
            Mark::Field(colour) => Some(colour),
            Mark::Fixed | Mark::Name => None,
        }
    }
}
