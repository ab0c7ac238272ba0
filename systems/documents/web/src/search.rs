//! Search of a project: the index is brought up to date first, and hits of texts that are no longer there are left out.

use hansang_core::Error;
use hansang_documents_adapters::{Hit, Matching, bring_up_to_date};

use crate::state::State;

/// The characters of a snippet.
const SNIPPET: usize = 200;

/// What a search found.
#[derive(Clone, Debug)]
pub(crate) struct FoundAll {
    /// How many segments were found.
    pub(crate) total: usize,
    /// Those that were asked for, the best first.
    pub(crate) items: Vec<Found>,
}

/// A segment that was found.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// The segment.
    pub(crate) hit: Hit,
    /// The name of its document.
    pub(crate) document_name: String,
}

/// Searches a project for segments with all words.
///
/// # Errors
/// `query_empty`, or when the store or the index fails.
pub(crate) async fn search(
    state: &State,
    project_id: &str,
    words: &str,
    part: (usize, usize),
) -> Result<FoundAll, Error> {
    find(state, project_id, words, Matching::All, part, SNIPPET).await
}

/// Searches a project.
pub(crate) async fn find(
    state: &State,
    project_id: &str,
    words: &str,
    matching: Matching,
    part: (usize, usize),
    length: usize,
) -> Result<FoundAll, Error> {
    let index = state.index().await?;
    let texts = bring_up_to_date(&state.documents, index, project_id).await?;
    let hits = index.search(project_id, words, matching, part, length)?;
    let mut items = Vec::new();
    for hit in hits.hits {
        let current = texts
            .get(&hit.document_id)
            .filter(|text| text.workflow_id == hit.workflow_id && text.text_revision == hit.revision);
        if let Some(text) = current {
            items.push(Found { document_name: text.name.clone(), hit });
        }
    }
    Ok(FoundAll { total: hits.total, items })
}
