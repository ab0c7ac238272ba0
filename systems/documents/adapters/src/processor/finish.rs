//! The last steps: the index and the summary.

use std::io::Write as _;

use hansang_documents::{Claimed, NewArtifact, Outcome, artifact_key, create_artifact};

use super::build::Segments;
use super::{End, Failure, Processor, Progress, sync};
use crate::analysis::Analysis;
use crate::index::TextState;
use crate::messages;

/// The sentences of a summary.
const SENTENCES: usize = 4;
/// The keywords of a document.
const KEYWORDS: usize = 30;
/// The bytes of a document that the language model may be given.
const GIVEN: usize = 100_000;

impl Processor {
    /// Adds the text to the index of this process. Others, and this one after a crash, add it when it is searched.
    pub(super) async fn add_to_index(&self, claimed: &Claimed, _: &Progress) -> Result<End, Failure> {
        let Some(index) = &self.index else {
            return Ok(End::Skipped(messages::NO_INDEX.english.to_owned()));
        };
        let document = &claimed.document;
        let state = TextState {
            workflow_id: claimed.lease.workflow_id.clone(),
            // The end of the run raises it.
            revision: document.text_revision.unwrap_or_default() + 1,
        };
        sync::add(&self.documents, index, &document.project_id, &document.document_id, &state).await?;
        Ok(End::Done(Outcome::default()))
    }

    /// Writes the summary of the document, and an artifact with it and the keywords.
    pub(super) async fn summarise(&self, claimed: &Claimed, progress: &Progress) -> Result<End, Failure> {
        let (mut analysis, mut given, mut read) = (Analysis::default(), String::new(), 0);
        let mut segments = Segments::of(&self.documents, &claimed.lease.workflow_id, true);
        while let Some(segment) = segments.next().await? {
            let content = segment.text.content.unwrap_or_default();
            analysis.add(&content);
            if given.len() < GIVEN {
                given.push_str(&content);
                given.push('\n');
            }
            read += 1;
            progress.set(read, claimed.workflow.total_segments);
        }
        if given.trim().is_empty() {
            return Ok(End::Skipped(messages::NO_TEXT.english.to_owned()));
        }
        let summary = self.summary(claimed, &analysis, &given).await;
        let summary = if summary.is_empty() { beginning(&given) } else { summary };
        self.keep_summary(claimed, &summary, &analysis.keywords(KEYWORDS)).await?;
        let language = analysis.language();
        Ok(End::Done(Outcome { summary: Some(summary), language, ..Outcome::default() }))
    }

    /// The summary by the model; by the document's own sentences without one, or when it fails.
    async fn summary(&self, claimed: &Claimed, analysis: &Analysis, given: &str) -> String {
        if let Some(model) = &self.model {
            let of_project = claimed.project.text.document_prompt.as_deref();
            let of_run = claimed.workflow.instructions.as_deref();
            let instructions: Vec<&str> = of_project.into_iter().chain(of_run).collect();
            match model.summarise(given, &instructions).await {
                Ok(summary) => return summary,
                Err(error) => {
                    tracing::warn!(%error, cause = ?error.source, "the language model wrote no summary")
                }
            }
        }
        analysis.summary(SENTENCES)
    }

    /// Keeps the summary as an artifact of the document's owner. Each run has one.
    async fn keep_summary(
        &self,
        claimed: &Claimed,
        summary: &str,
        keywords: &[String],
    ) -> Result<(), Failure> {
        let Some(user_id) = &claimed.document.created_by else { return Ok(()) };
        let text = format!("# {}\n\n{summary}\n\n{}\n", claimed.document.name, keywords.join(", "));
        let artifact_id = format!("{}-summary", claimed.lease.workflow_id);
        let mut file = tempfile::NamedTempFile::new_in(&self.scratch)?;
        file.write_all(text.as_bytes())?;
        let key = artifact_key(&claimed.document.project_id, &artifact_id);
        self.documents.files.put(&key, "text/markdown", file.path()).await?;
        let new = NewArtifact {
            artifact_id,
            user_id: user_id.clone(),
            project_id: claimed.document.project_id.clone(),
            filename: format!("{}.md", claimed.document.name.chars().take(150).collect::<String>()),
            content_type: "text/markdown".to_owned(),
            file_size: i64::try_from(text.len()).unwrap_or(i64::MAX),
            document_id: Some(claimed.document.document_id.clone()),
            workflow_id: Some(claimed.lease.workflow_id.clone()),
        };
        create_artifact(&self.documents, Some(&claimed.lease), &new).await?;
        Ok(())
    }
}

/// The first sentence or two of a text that has nothing to choose from.
fn beginning(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    words.chars().take(200).collect()
}
