//! The index, brought up to date with the store.

use std::collections::{HashMap, HashSet};

use hansang_core::{Error, ErrorKind};
use hansang_documents::{Documents, IndexedText, find_document, find_project, texts_of_project};

use super::build::Segments;
use crate::index::{Hit, Hits, TextIndex, TextState};
use crate::model::Passage;

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

/// The hits in texts as they are now, as [`bring_up_to_date`] returned them: a text may have changed since it was added.
#[must_use]
pub fn current<'h>(hits: &'h Hits, texts: &HashMap<String, IndexedText>) -> Vec<&'h Hit> {
    let is_current = |hit: &&Hit| {
        let text = texts.get(&hit.document_id);
        text.is_some_and(|text| text.workflow_id == hit.workflow_id && text.text_revision == hit.revision)
    };
    hits.hits.iter().filter(is_current).collect()
}

/// What is read to answer a question: the parts of current texts that a search with [`crate::Matching::Any`] found.
#[must_use]
pub fn passages(hits: &Hits, texts: &HashMap<String, IndexedText>) -> Vec<Passage> {
    let passage = |hit: &Hit| Passage {
        document_id: hit.document_id.clone(),
        document_name: texts.get(&hit.document_id).map(|text| text.name.clone()).unwrap_or_default(),
        segment_index: hit.segment_index,
        text: hit.snippet.clone(),
    };
    current(hits, texts).into_iter().map(passage).collect()
}

/// Removes the text of projects and documents that were deleted, by any process, from an index and from its disk.
///
/// # Errors
/// When the store or the index fails. The next call does the rest.
pub async fn remove_deleted(documents: &Documents, index: &TextIndex) -> Result<(), Error> {
    for project_id in index.projects()? {
        if is_gone(find_project(documents, &project_id).await)? {
            index.remove_project(&project_id).await?;
            continue;
        }
        let texts = texts_of_project(documents, &project_id).await?;
        let known: HashSet<&str> = texts.iter().map(|text| &*text.document_id).collect();
        for document_id in index.held(&project_id)?.keys().filter(|id| !known.contains(&***id)) {
            // The first text of a document is added before its run ends.
            if is_gone(find_document(documents, &project_id, document_id).await)? {
                index.remove_document(&project_id, document_id).await?;
            }
        }
    }
    index.compact().await
}

fn is_gone<T>(found: Result<T, Error>) -> Result<bool, Error> {
    match found {
        Err(error) if error.kind == ErrorKind::NotFound => Ok(true),
        found => found.map(|_| false),
    }
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
