//! What a full text index of a project must have.

use hansang_core::Error;
use serde::{Deserialize, Serialize};

use crate::edit::{check_id, every, project_key};
use crate::{Document, Documents};

/// The text of a document, in one state.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct IndexedText {
    /// The document.
    pub document_id: String,
    /// The run whose segments are the text.
    pub workflow_id: String,
    /// The state of the text: another number, another text.
    pub text_revision: i64,
    /// The name of the document.
    pub name: String,
}

/// The texts of a project, as they are now. An index compares them with what it has: it adds those that it misses and
/// drops the others.
///
/// # Errors
/// When the store fails.
pub async fn texts_of_project(documents: &Documents, project_id: &str) -> Result<Vec<IndexedText>, Error> {
    check_id("project_id", project_id)?;
    let all: Vec<Document> = every(documents, "documentsById", project_key(project_id)).await?;
    let text = |document: Document| {
        Some(IndexedText {
            workflow_id: document.text_workflow_id?,
            text_revision: document.text_revision.unwrap_or_default(),
            document_id: document.document_id,
            name: document.name,
        })
    };
    Ok(all.into_iter().filter_map(text).collect())
}
