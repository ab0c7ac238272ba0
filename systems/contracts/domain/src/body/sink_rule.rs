//! Sink rules: the destination of results.

use hansang_core::Item;

use super::reader::Reader;

/// A sink rule. Sinks differ, so no member is required.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SinkRule {
    /// The input (`input`); `None` means everything.
    pub input: Option<SinkInput>,
    /// The target (`target`); `None` if it is configured elsewhere.
    pub target: Option<SinkTarget>,
}

/// The input of a sink.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SinkInput {
    /// The type (`type`), such as `SLICE`.
    pub r#type: Option<String>,
    /// The slices (`sliceTypes`); empty means all.
    pub slices: Vec<String>,
    /// The entities (`entityTypes`); empty means all.
    pub entities: Vec<String>,
}

/// The target of a sink.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SinkTarget {
    /// The type (`type`), such as `OPENSEARCH`.
    pub r#type: Option<String>,
    /// The whole definition.
    pub definition: Item,
}

pub(super) fn read(spec: &Reader<'_, '_>) -> SinkRule {
    let (input, target) = (spec.map("input"), spec.map("target"));
    SinkRule {
        input: input.is_there().then(|| SinkInput {
            r#type: input.text("type"),
            slices: input.texts("sliceTypes"),
            entities: input.texts("entityTypes"),
        }),
        target: target
            .is_there()
            .then(|| SinkTarget { r#type: target.text("type"), definition: target.item() }),
    }
}
