//! Change sets: the format of an entity's changes.

use super::reader::Reader;

/// A change set contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeSet {
    /// The format of an entity's key (`identity.entityKeyFormat`).
    pub entity_key_format: String,
    /// The size from which a payload is stored externally (`payload.externalizationPolicy.thresholdBytes`); `None` means
    /// never.
    pub threshold_bytes: Option<u64>,
    /// Whether a change reaches the entities that refer to the changed one (`fanout.enabled`). Defaults to `false`.
    pub fanout: bool,
}

pub(super) fn read(spec: &Reader<'_, '_>) -> ChangeSet {
    let payload = spec.map("payload");
    ChangeSet {
        // Required to find the entity of a change.
        entity_key_format: spec.map("identity").needed_text("entityKeyFormat"),
        threshold_bytes: payload.map("externalizationPolicy").count("thresholdBytes"),
        fanout: spec.map("fanout").flag("enabled"),
    }
}
