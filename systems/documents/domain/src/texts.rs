//! Files of documents and artifacts, and texts that do not fit into an item.
//!
//! Every file of a project is below its folder, so a cascade deletes files without knowing them.

use std::io::Write as _;

use futures_util::TryStreamExt as _;
use hansang_core::files::{check_key, unavailable};
use hansang_core::validate::violation;
use hansang_core::{Error, message};

use crate::segment::{Segment, SegmentText};
use crate::{Documents, DocumentsCode, messages};

/// The maximum size of the texts and blocks in an item. The rest of a segment stays below 100 KB.
pub(crate) const MAX_IN_ITEM: usize = 300_000;
/// The maximum size of the texts and blocks of a segment.
const MAX_TEXT: usize = 32 * 1024 * 1024;
/// The number of characters of a large text that its item has.
const BEGINNING: usize = 2000;

/// The folder of the files of a project.
pub(crate) fn project_folder(project_id: &str) -> String {
    format!("projects/{project_id}")
}

/// The folder of the files of a document.
pub(crate) fn document_folder(project_id: &str, document_id: &str) -> String {
    format!("projects/{project_id}/documents/{document_id}")
}

/// The folder of the file of an artifact.
pub(crate) fn artifact_folder(project_id: &str, artifact_id: &str) -> String {
    format!("projects/{project_id}/artifacts/{artifact_id}")
}

/// The key of a file that belongs to a document, such as the image of a page. It is deleted with the document.
#[must_use]
pub fn document_file_key(project_id: &str, document_id: &str, name: &str) -> String {
    format!("{}/{name}", document_folder(project_id, document_id))
}

/// Refuses the key of a file outside of a folder.
pub(crate) fn check_inside(folder: &str, file: &str) -> Result<(), Error> {
    let inside = file.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    if inside && check_key(file).is_ok() {
        return Ok(());
    }
    Err(Error::invalid(DocumentsCode::FileKeyForeign, message!(messages::FILE_KEY_FOREIGN, file)))
}

/// Deletes the files of a folder. Ids of other programs that cannot be part of a key have no files.
pub(crate) async fn delete_folder(documents: &Documents, folder: &str) -> Result<(), Error> {
    if check_key(folder).is_err() {
        return Ok(());
    }
    documents.files.delete_all(folder).await
}

/// Deletes a file that other programs may have named.
pub(crate) async fn delete_file(documents: &Documents, file: Option<&str>) -> Result<(), Error> {
    match file.filter(|file| check_key(file).is_ok()) {
        Some(file) => documents.files.delete(file).await,
        None => Ok(()),
    }
}

/// A segment with its whole text.
///
/// # Errors
/// `text_damaged`, or when the files cannot be read.
pub async fn whole_segment(documents: &Documents, segment: Segment) -> Result<Segment, Error> {
    let Some(text_ref) = &segment.text_ref else { return Ok(segment) };
    let damaged = || {
        let message = message!(messages::TEXT_DAMAGED, segment.segment_index);
        Error::corrupt(DocumentsCode::TextDamaged, message)
    };
    let body = documents.files.get(text_ref, None).await?.ok_or_else(damaged)?;
    let chunks = body.chunks.try_fold(Vec::new(), async |mut all, chunk| {
        all.extend_from_slice(&chunk);
        Ok(all)
    });
    let bytes = chunks.await.map_err(unavailable)?;
    let text: SegmentText = serde_json::from_slice(&bytes).map_err(|cause| damaged().caused_by(cause))?;
    Ok(Segment { text, ..segment })
}

/// The size that a text has in an item.
pub(crate) fn size(text: &SegmentText) -> usize {
    let texts: usize = text.texts.iter().map(|(source, text)| source.len() + text.len() + 4).sum();
    let blocks: usize = text.blocks.iter().map(|block| block.text.len() + 120).sum();
    text.content.as_ref().map_or(0, String::len) + texts + blocks
}

/// What an item holds of a text, and the key of the file that holds all of it.
pub(crate) async fn stored_text(
    documents: &Documents,
    folder: &str,
    index: i64,
    text: &SegmentText,
) -> Result<(SegmentText, Option<String>), Error> {
    let bytes = size(text);
    if bytes <= MAX_IN_ITEM {
        return Ok((text.clone(), None));
    }
    if bytes > MAX_TEXT {
        let problem = violation("content", message!(messages::TEXT_TOO_LONG, MAX_TEXT));
        return Err(Error::fields(vec![problem]));
    }
    let key = format!("{folder}/text-{index:06}-{}", documents.new_id());
    let json = serde_json::to_vec(text).map_err(|cause| unavailable(std::io::Error::other(cause)))?;
    let file = tokio::task::spawn_blocking(move || {
        let mut file = tempfile::NamedTempFile::new()?;
        file.write_all(&json)?;
        Ok::<_, std::io::Error>(file)
    });
    let file = file.await.map_err(unavailable)?.map_err(unavailable)?;
    documents.files.put(&key, "application/json", file.path()).await?;
    let beginning = text.content.as_ref().map(|content| content.chars().take(BEGINNING).collect());
    Ok((SegmentText { content: beginning, ..SegmentText::default() }, Some(key)))
}
