//! Where results go.

use hansang_core::Item;

use super::reader::Reader;

/// A rule for a sink. What a sink needs differs from one to the next, so nothing of it is required here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SinkRule {
    /// What goes there (`input`); without it, everything does.
    pub input: Option<SinkInput>,
    /// Where it goes (`target`); without it, whoever runs the sink knows.
    pub target: Option<SinkTarget>,
}

/// What goes to a sink.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SinkInput {
    /// Of what it is made (`type`), such as `SLICE`.
    pub r#type: Option<String>,
    /// The slices (`sliceTypes`); all of them if there is none.
    pub slices: Vec<String>,
    /// The entities (`entityTypes`); all of them if there is none.
    pub entities: Vec<String>,
}

/// A sink.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SinkTarget {
    /// What it is (`type`), such as `OPENSEARCH`.
    pub r#type: Option<String>,
    /// Everything about it, as it stands there.
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
