//! Locations inside a spec, formatted only for error messages.

use std::fmt;

/// A location, as the path from the outermost map.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Location<'p> {
    /// The spec itself.
    Spec,
    /// A member of a map.
    Member(&'p Location<'p>, &'p str),
    /// An element of a list.
    Element(&'p Location<'p>, usize),
}

impl<'p> Location<'p> {
    /// The location of a member of this map.
    pub(crate) fn member(&'p self, name: &'p str) -> Self {
        Self::Member(self, name)
    }

    /// The location of an element of this list.
    pub(crate) fn element(&'p self, position: usize) -> Self {
        Self::Element(self, position)
    }
}

/// Formats a location as `fanout.via[0].joinSpecRef`.
impl fmt::Display for Location<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Spec => Ok(()),
            Self::Member(Self::Spec, name) => f.write_str(name),
            Self::Member(parent, name) => write!(f, "{parent}.{name}"),
            Self::Element(parent, position) => write!(f, "{parent}[{position}]"),
        }
    }
}
