//! The stable codes of the API and its pages.

use hansang_core::codes;

codes! {
    /// The codes of the API and its pages.
    pub(crate) enum WebCode {
        ArtifactForeign = "artifact_foreign",
        BodyInterrupted = "body_interrupted",
        ChecksumDiffers = "checksum_differs",
        FileMissing = "file_missing",
        LineInvalid = "line_invalid",
        NotJson = "not_json",
        OffsetDiffers = "offset_differs",
        RangeInvalid = "range_invalid",
        RevisionRequired = "revision_required",
        SizeDiffers = "size_differs",
        StepMismatch = "step_unknown",
    }
}
