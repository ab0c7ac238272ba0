//! Documents.

use hansang_core::db::{Ask, Typed, TypedListing};
use hansang_core::{Error, name, names};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::edit::{check_id, document_key, every, key, load, page, project_key, unknown_document};
use crate::{Documents, StepName};

names! {
    /// The status of a document.
    pub enum DocumentStatus {
        /// Its file is not stored yet.
        Uploading = "uploading",
        /// Its first run has not begun.
        Pending = "pending",
        /// It is being processed.
        InProgress = "in_progress",
        /// The last run succeeded.
        Completed = "completed",
        /// The last run failed.
        Failed = "failed",
        /// It is to be processed again, or some of its pages are.
        Reanalyzing = "reanalyzing",
    }
}

impl DocumentStatus {
    /// Whether a run is active or waits.
    #[must_use]
    pub fn is_active(self) -> bool {
        matches!(self, Self::Pending | Self::InProgress | Self::Reanalyzing)
    }

    /// Whether a run has ended, so that another one can start.
    #[must_use]
    pub fn has_ended(self) -> bool {
        matches!(self, Self::Completed | Self::Failed)
    }
}

/// A file of a project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// The project.
    pub project_id: String,
    /// The id.
    pub document_id: String,
    /// The name.
    pub name: String,
    /// The media type: as declared while it is uploaded, then as its content says.
    pub file_type: String,
    /// The number of bytes.
    pub file_size: i64,
    /// The status.
    pub status: DocumentStatus,
    /// The key of the file.
    pub s3_key: Option<String>,
    /// Where the file is if it is not in the file store.
    pub content_ref: Option<String>,
    /// The checksum of the file.
    pub sha256: Option<String>,
    /// The address it was fetched from.
    pub source_url: Option<String>,
    /// Who uploaded it.
    pub created_by: Option<String>,
    /// The version of the file that is processed.
    pub file_version: Option<i64>,
    /// The run that is active or was the last.
    pub workflow_id: Option<String>,
    /// The step that was started last.
    pub step: Option<StepName>,
    /// The number of steps of the run that have ended.
    pub steps_done: Option<i64>,
    /// The run whose segments are searched.
    pub text_workflow_id: Option<String>,
    /// Grows when the text of the segments changes.
    pub text_revision: Option<i64>,
    /// The time it was created.
    pub created_at: Timestamp,
    /// The time it was last written.
    pub updated_at: Timestamp,
}

impl Typed for Document {
    const ENTITY: &'static str = "Document";
}

#[derive(Serialize, Deserialize)]
struct FileOfHash {
    document_id: String,
}

impl Typed for FileOfHash {
    const ENTITY: &'static str = "FileOfHash";
}

/// Finds a document.
///
/// # Errors
/// `document_unknown`.
pub async fn find_document(
    documents: &Documents,
    project_id: &str,
    document_id: &str,
) -> Result<Document, Error> {
    check_id("project_id", project_id)?;
    check_id("document_id", document_id)?;
    let found = load(documents, &document_key(project_id, document_id)).await?;
    found.ok_or_else(|| unknown_document(document_id))
}

/// The documents of a project, the newest first unless the other direction is asked for.
///
/// # Errors
/// A wrong cursor or limit.
pub async fn documents_of_project(
    documents: &Documents,
    project_id: &str,
    ask: Ask,
) -> Result<TypedListing<Document>, Error> {
    page(documents, "documentsOfProject", project_key(project_id), ask).await
}

/// The ids of the documents of a project whose file has this checksum.
///
/// # Errors
/// A checksum that is none.
pub async fn duplicates(documents: &Documents, project_id: &str, sha256: &str) -> Result<Vec<String>, Error> {
    let arguments = key([(name!("project_id"), project_id), (name!("sha256"), sha256)]);
    let files: Vec<FileOfHash> = every(documents, "documentsOfHash", arguments).await?;
    Ok(files.into_iter().map(|file| file.document_id).collect())
}
