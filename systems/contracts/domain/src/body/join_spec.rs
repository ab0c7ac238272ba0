//! How entities are joined.

use super::reader::Reader;
use crate::Known;
use crate::references::Reference;

/// A join spec.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinSpec {
    /// How many joins may follow one another (`constraints.maxJoinDepth`).
    pub max_join_depth: u64,
    /// How a change finds whatever was joined with what changed (`fanout.invertedIndex`); without it, a
    /// change stays where it is.
    pub inverted_index: Option<JoinIndex>,
}

/// The inverted index of a join.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinIndex {
    /// The most entities that one change may reach (`maxFanout`); without it, there is no limit.
    pub max_fanout: Option<u64>,
    /// The contract of the index (`contractRef`), if it has one.
    pub contract: Option<Reference>,
}

pub(super) fn read(spec: &Reader<'_, '_>) -> JoinSpec {
    let fanout = spec.map("fanout");
    let index = fanout.map("invertedIndex");
    JoinSpec {
        // Without it a circle of joins has no end.
        max_join_depth: spec.map("constraints").needed_count("maxJoinDepth"),
        inverted_index: index.is_there().then(|| JoinIndex {
            max_fanout: index.count("maxFanout"),
            contract: index.contract("contractRef", Known::InvertedIndex),
        }),
    }
}
