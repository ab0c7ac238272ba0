//! A place inside a spec. It becomes text only where something is wrong, so looking around costs nothing.

use std::fmt;

/// A place, as the way to it from the outermost map.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place<'p> {
    /// The spec itself.
    Spec,
    /// A member of a map.
    Member(&'p Place<'p>, &'p str),
    /// An element of a list.
    Element(&'p Place<'p>, usize),
}

impl<'p> Place<'p> {
    /// A member of the map at this place.
    pub(crate) fn member(&'p self, name: &'p str) -> Self {
        Self::Member(self, name)
    }

    /// An element of the list at this place.
    pub(crate) fn element(&'p self, position: usize) -> Self {
        Self::Element(self, position)
    }
}

/// Written as `fanout.via[0].joinSpecRef`.
impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Spec => Ok(()),
            Self::Member(Self::Spec, name) => f.write_str(name),
            Self::Member(parent, name) => write!(f, "{parent}.{name}"),
            Self::Element(parent, position) => write!(f, "{parent}[{position}]"),
        }
    }
}
