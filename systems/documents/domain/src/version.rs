//! Versions of a document's file.

use hansang_core::db::{Ask, Typed, TypedListing};
use hansang_core::{Error, Item, message, name, names};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::edit::{check_id, key, load, page};
use crate::{Document, Documents, DocumentsCode, Workflow, messages};

names! {
    /// The state of a version.
    pub enum VersionState {
        /// Its file is being stored.
        Uploading = "uploading",
        /// Its file is stored.
        Ready = "ready",
    }
}

/// A version of a document's file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileVersion {
    /// The document.
    pub document_id: String,
    /// The number.
    pub file_version: i64,
    /// The project.
    pub project_id: String,
    /// The name of the file.
    pub name: String,
    /// The media type.
    pub file_type: String,
    /// The number of bytes.
    pub file_size: i64,
    /// The key of the file.
    pub s3_key: String,
    /// The checksum.
    pub sha256: Option<String>,
    /// The state.
    pub state: VersionState,
    /// When the upload began, until it ends.
    pub upload_at: Option<Timestamp>,
    /// Who uploaded it.
    pub created_by: Option<String>,
    /// The time it was created.
    pub created_at: Timestamp,
}

impl Typed for FileVersion {
    const ENTITY: &'static str = "FileVersion";
}

/// A file that is about to be uploaded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewFile {
    /// The name.
    pub name: String,
    /// The media type, as it is declared.
    pub file_type: String,
    /// The number of bytes.
    pub file_size: i64,
    /// The address it was fetched from.
    pub source_url: Option<String>,
}

/// An upload that has begun.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Upload {
    /// The document.
    pub document: Document,
    /// The version, whose file goes under its `s3_key`.
    pub version: FileVersion,
}

/// What was received.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Received {
    /// The checksum.
    pub sha256: String,
    /// The number of bytes.
    pub file_size: i64,
    /// The media type, as the content says.
    pub file_type: String,
    /// The key under which it was stored. If it is given, the version must still have it: numbers of uploads that were given
    /// up are used again.
    #[serde(default)]
    pub s3_key: Option<String>,
}

/// An upload that has ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finished {
    /// The document.
    pub document: Document,
    /// The run that was started.
    pub workflow: Workflow,
    /// The other documents of the project with the same file.
    pub duplicates: Vec<String>,
}

impl FileVersion {
    /// The key to which a client may send the file itself. The file is stored under `s3_key` when the upload ends, because the
    /// address to which the client sent it is still valid then.
    #[must_use]
    pub fn sent_key(&self) -> String {
        sent_key(&self.s3_key)
    }
}

pub(crate) fn sent_key(s3_key: &str) -> String {
    format!("{s3_key}-sent")
}

pub(crate) fn version_key(document_id: &str, version: i64) -> Item {
    let mut fields = key([(name!("document_id"), document_id)]);
    fields.insert(name!("file_version"), version.into());
    fields
}

/// The versions of a document's file, the newest first unless the other direction is asked for.
///
/// # Errors
/// A wrong cursor or limit.
pub async fn versions(
    documents: &Documents,
    document_id: &str,
    ask: Ask,
) -> Result<TypedListing<FileVersion>, Error> {
    page(documents, "versionsOfDocument", key([(name!("document_id"), document_id)]), ask).await
}

/// Finds a version of a document's file.
///
/// # Errors
/// `upload_unknown`.
pub async fn file_version(
    documents: &Documents,
    document_id: &str,
    version: i64,
) -> Result<FileVersion, Error> {
    check_id("document_id", document_id)?;
    if !(1..=999_999).contains(&version) {
        return Err(unknown());
    }
    load(documents, &version_key(document_id, version)).await?.ok_or_else(unknown)
}

pub(crate) fn unknown() -> Error {
    Error::not_found(DocumentsCode::UploadUnknown, message!(messages::UPLOAD_UNKNOWN))
}
