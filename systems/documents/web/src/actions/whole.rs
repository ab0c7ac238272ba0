//! A whole file that a plain form sent.

use std::convert::Infallible;

use bytes::Bytes;
use futures_util::stream;
use hansang_core::Error;
use hansang_documents::{
    FileVersion, Finished, NewFile, Received, abort_upload, begin_upload, begin_version, finish_upload,
};
use hansang_server::Action;

use super::Change;
use crate::messages;
use crate::state::State;
use crate::types::type_of;
use crate::uploads::store;

/// A file for a project: a new document, or a new version of one.
pub(crate) struct WholeFile {
    pub(crate) project_id: String,
    pub(crate) document_id: Option<String>,
    pub(crate) name: String,
    pub(crate) bytes: Bytes,
}

/// Stores a file and starts to process it. What could not be stored is given up.
pub(crate) const STORE_FILE: Change<WholeFile, Finished> = Action {
    name: "document.store",
    summary: &messages::SEND_FILE,
    subject: |(_, file)| format!("{} {}", file.project_id, file.name),
    run: |state, (by, file)| Box::pin(async move { take(state, &by, file).await }),
};

async fn take(state: &State, by: &str, file: WholeFile) -> Result<Finished, Error> {
    let WholeFile { project_id, document_id, name, bytes } = file;
    let file_size = i64::try_from(bytes.len()).unwrap_or(i64::MAX);
    state.check_size(file_size)?;
    let file_type = "application/octet-stream".to_owned();
    let new = NewFile { name, file_type, file_size, source_url: None };
    let upload = match &document_id {
        None => begin_upload(&state.documents, by, &project_id, &new).await?,
        Some(id) => begin_version(&state.documents, by, &project_id, id, &new).await?,
    };
    let stored = keep(state, by, &upload.version, bytes).await;
    if stored.is_err() {
        let FileVersion { document_id, file_version, .. } = &upload.version;
        let given_up = abort_upload(&state.documents, &project_id, document_id, *file_version).await;
        if let Err(error) = given_up {
            tracing::debug!(%error, "an upload is left to be given up by the worker");
        }
    }
    stored
}

async fn keep(state: &State, by: &str, version: &FileVersion, bytes: Bytes) -> Result<Finished, Error> {
    let temporary = state.uploads.temporary().await?;
    let max = bytes.len() as u64;
    let arrived = store(&temporary, max, stream::iter([Ok::<_, Infallible>(bytes)])).await?;
    let file_type = type_of(&temporary, &version.file_type, &version.name).await?;
    state.documents.files.put(&version.s3_key, &file_type, &temporary).await?;
    let file_size = i64::try_from(arrived.size).unwrap_or(i64::MAX);
    let s3_key = Some(version.s3_key.clone());
    let received = Received { sha256: arrived.sha256, file_size, file_type, s3_key };
    let FileVersion { project_id, document_id, file_version, .. } = version;
    finish_upload(&state.documents, by, project_id, document_id, *file_version, &received).await
}
