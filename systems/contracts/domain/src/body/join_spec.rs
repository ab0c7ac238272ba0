//! Join specs: the joins of entities.

use super::reader::Reader;
use crate::Known;
use crate::references::Reference;

/// The maximum length of a chain of joins where a contract has none: a cycle of joins would never end.
pub const MAX_JOIN_DEPTH: u64 = 1;

/// A join spec.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinSpec {
    /// The maximum length of a chain of joins (`constraints.maxJoinDepth`). Defaults to [`MAX_JOIN_DEPTH`].
    pub max_join_depth: u64,
    /// The index that leads from a changed entity to the joined ones (`fanout.invertedIndex`); `None` means that changes do
    /// not propagate.
    pub inverted_index: Option<JoinIndex>,
}

/// The inverted index of a join.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinIndex {
    /// The maximum number of entities that one change may reach (`maxFanout`); `None` means no limit.
    pub max_fanout: Option<u64>,
    /// The contract of the index (`contractRef`), if it is given.
    pub contract: Option<Reference>,
}

pub(super) fn read(spec: &Reader<'_, '_>) -> JoinSpec {
    let fanout = spec.map("fanout");
    let index = fanout.map("invertedIndex");
    JoinSpec {
        max_join_depth: spec.map("constraints").count("maxJoinDepth").unwrap_or(MAX_JOIN_DEPTH),
        inverted_index: index.is_there().then(|| JoinIndex {
            max_fanout: index.count("maxFanout"),
            contract: index.contract("contractRef", Known::InvertedIndex),
        }),
    }
}
