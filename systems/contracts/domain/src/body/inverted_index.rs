//! Inverted indexes: the keys under which referring entities are found.

use super::reader::Reader;

/// The separator of key parts where a contract has none.
pub const SEPARATOR: &str = "#";

/// An inverted index contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvertedIndex {
    /// The partition key of an entry (`keySpec.pkPattern`).
    pub pk_pattern: String,
    /// The sort key of an entry (`keySpec.skPattern`).
    pub sk_pattern: String,
    /// The width to which numbers in keys are padded (`keySpec.padWidth`); `None` means no padding.
    pub pad_width: Option<u64>,
    /// The separator of key parts (`keySpec.separator`). Defaults to [`SEPARATOR`].
    pub separator: String,
    /// The maximum number of entries per reference (`guards.maxTargetsPerRef`); `None` means no limit.
    pub max_targets_per_ref: Option<u64>,
}

pub(super) fn read(spec: &Reader<'_, '_>) -> InvertedIndex {
    let key = spec.map("keySpec");
    InvertedIndex {
        pk_pattern: key.needed_text("pkPattern"),
        sk_pattern: key.needed_text("skPattern"),
        pad_width: key.count("padWidth"),
        separator: key.text_or("separator", SEPARATOR),
        max_targets_per_ref: spec.map("guards").count("maxTargetsPerRef"),
    }
}
