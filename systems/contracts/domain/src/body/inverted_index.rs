//! How what refers to something is found.

use super::reader::Reader;

/// The contract of an inverted index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvertedIndex {
    /// The partition key of an entry (`keySpec.pkPattern`).
    pub pk_pattern: String,
    /// The sort key of an entry (`keySpec.skPattern`).
    pub sk_pattern: String,
    /// To how many digits numbers in keys are padded (`keySpec.padWidth`); without it, they are not.
    pub pad_width: Option<u64>,
    /// What stands between the parts of a key (`keySpec.separator`), if it is named apart from the patterns.
    pub separator: Option<String>,
    /// The most entries for one reference (`guards.maxTargetsPerRef`); without it, there is no limit.
    pub max_targets_per_ref: Option<u64>,
}

pub(super) fn read(spec: &Reader<'_, '_>) -> InvertedIndex {
    let key = spec.map("keySpec");
    InvertedIndex {
        pk_pattern: key.needed_text("pkPattern"),
        sk_pattern: key.needed_text("skPattern"),
        pad_width: key.count("padWidth"),
        separator: key.text("separator"),
        max_targets_per_ref: spec.map("guards").count("maxTargetsPerRef"),
    }
}
