//! The index, brought up to date with the store.

use std::collections::HashMap;

use hansang_core::Error;
use hansang_documents::{Documents, IndexedText, texts_of_project};

use super::build::Segments;
use crate::index::{TextIndex, TextState};

/// Adds the texts of a project that an index lacks, and removes those that the project no longer has. Returns the names of
/// the documents: a hit in another one is not shown.
///
/// # Errors
/// When the store or the index fails. What was added before stays.
pub async fn bring_up_to_date(
    documents: &Documents,
    index: &TextIndex,
    project_id: &str,
) -> Result<HashMap<String, IndexedText>, Error> {
    let texts = texts_of_project(documents, project_id).await?;
    let held = index.held(project_id)?;
    for text in &texts {
        let state = TextState { workflow_id: text.workflow_id.clone(), revision: text.text_revision };
        if held.get(&text.document_id) != Some(&state) {
            add(documents, index, project_id, &text.document_id, &state).await?;
        }
    }
    let texts: HashMap<String, IndexedText> =
        texts.into_iter().map(|text| (text.document_id.clone(), text)).collect();
    for document_id in held.keys().filter(|document_id| !texts.contains_key(*document_id)) {
        index.remove_document(project_id, document_id).await?;
    }
    Ok(texts)
}

/// Adds the text of a document from the store.
pub(super) async fn add(
    documents: &Documents,
    index: &TextIndex,
    project_id: &str,
    document_id: &str,
    state: &TextState,
) -> Result<(), Error> {
    let mut adding = index.add_workflow(project_id, document_id, state).await;
    let mut segments = Segments::of(documents, &state.workflow_id, true);
    while let Some(segment) = segments.next().await? {
        adding.segment(segment.segment_index, segment.text.content.as_deref().unwrap_or_default());
    }
    adding.commit().await
}
