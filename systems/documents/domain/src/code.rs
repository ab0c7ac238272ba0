//! The error codes of documents.

use hansang_core::codes;

codes! {
    /// The codes of documents.
    pub enum DocumentsCode {
        AgentUnknown = "agent_unknown",
        ArtifactUnknown = "artifact_unknown",
        Busy = "busy",
        Changed = "changed",
        DocumentBusy = "document_busy",
        DocumentUnknown = "document_unknown",
        FileKeyForeign = "file_key_foreign",
        FileTooLarge = "file_too_large",
        IdInvalid = "id_invalid",
        LeaseLost = "lease_lost",
        Moved = "moved",
        NotActive = "not_active",
        NotOwner = "not_owner",
        NotUploaded = "not_uploaded",
        PagesUnknown = "pages_unknown",
        ProjectArchived = "project_archived",
        ProjectUnknown = "project_unknown",
        SegmentOutOfRange = "segment_out_of_range",
        SegmentUnknown = "segment_unknown",
        SegmentsMissing = "segments_missing",
        SessionUnknown = "session_unknown",
        TextDamaged = "text_damaged",
        TooManySegments = "too_many_segments",
        UploadUnknown = "upload_unknown",
        WorkflowUnknown = "workflow_unknown",
    }
}
