//! How changes of an entity are written down.

use super::reader::Reader;

/// A change set contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeSet {
    /// How the key of an entity is put together (`identity.entityKeyFormat`).
    pub entity_key_format: String,
    /// From how many bytes on a payload is kept elsewhere (`payload.externalizationPolicy.thresholdBytes`);
    /// without it, none is.
    pub threshold_bytes: Option<u64>,
    /// Whether a change reaches the entities that refer to the changed one (`fanout.enabled`); no if it is
    /// left out.
    pub fanout: bool,
}

pub(super) fn read(spec: &Reader<'_, '_>) -> ChangeSet {
    let payload = spec.map("payload");
    ChangeSet {
        // Without it nobody knows which entity a change belongs to.
        entity_key_format: spec.map("identity").needed_text("entityKeyFormat"),
        threshold_bytes: payload.map("externalizationPolicy").count("thresholdBytes"),
        fanout: spec.map("fanout").flag("enabled"),
    }
}
