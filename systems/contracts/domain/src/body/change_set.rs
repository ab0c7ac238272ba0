//! Change sets: the format of an entity's changes.

use super::reader::Reader;

/// The format of an entity's key where a contract has none.
pub const ENTITY_KEY_FORMAT: &str = "{ENTITY_TYPE}#{tenantId}#{entityId}";

/// A change set contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeSet {
    /// The format of an entity's key (`identity.entityKeyFormat`). Defaults to [`ENTITY_KEY_FORMAT`].
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
        entity_key_format: spec.needed_map("identity").text_or("entityKeyFormat", ENTITY_KEY_FORMAT),
        threshold_bytes: payload.map("externalizationPolicy").count("thresholdBytes"),
        fanout: spec.map("fanout").flag("enabled"),
    }
}
