//! What people add to segments: corrections of the text, and questions with their answers.

use hansang_core::db::Operation;
use hansang_core::plan::{Condition, Guard, Reason};
use hansang_core::value::to_item;
use hansang_core::{CoreCode, Error, Value, name};

use crate::edit::{ATTEMPTS, Check, add, busy, commit, is_stale, moved, replace, set, strong, update};
use crate::run::load_run;
use crate::segment::{Question, Segment, check_index, segment_key, unknown_segment};
use crate::texts::{document_folder, stored_text, whole_segment};
use crate::workflow::{change_document, refuse_active, unknown};
use crate::writer::{forget, text_fields};
use crate::{Documents, find_document, segment};

/// The number of questions that a segment keeps: the last ones.
const MAX_QUESTIONS: usize = 10;

/// Keeps a question about a segment with its answer.
///
/// # Errors
/// A text that is too long, `segment_unknown` or `segment_out_of_range`.
pub async fn add_question(
    documents: &Documents,
    by: &str,
    workflow_id: &str,
    index: i64,
    question: &str,
    answer: &str,
) -> Result<Segment, Error> {
    check_index(index)?;
    let mut check = Check::default();
    check.text("question", question, 500);
    check.text("answer", answer, 2000);
    check.done()?;
    let (question, answer, by) = (question.trim().to_owned(), answer.trim().to_owned(), by.to_owned());
    let new = Question { question, answer, by, at: documents.now() };
    let key = segment_key(workflow_id, index);
    for _ in 0..ATTEMPTS {
        let record = documents.db.get("Segment", &key, &strong()).await?;
        let record = record.ok_or_else(|| unknown_segment(index))?;
        let old = record.fields.get("questions").cloned();
        let mut questions = record.typed::<Segment>()?.questions;
        questions.push(new.clone());
        let kept = &questions[questions.len().saturating_sub(MAX_QUESTIONS)..];
        let values = kept.iter().map(|question| to_item(question).map(Value::M));
        let values: Result<Vec<Value>, _> = values.collect();
        let values = values.map_err(|problem| Error::invalid(CoreCode::InvalidFields, problem))?;
        let condition = Condition::unchanged(&name!("questions"), old.as_ref());
        let guards = vec![Guard { condition, otherwise: Reason::Other(moved()) }];
        let changes = vec![set(name!("questions"), Value::L(values))];
        match commit(documents, vec![update(name!("Segment"), key.clone(), changes, guards)]).await {
            Err(error) if is_stale(&error) => {}
            Err(error) if error.code == CoreCode::NotFound => return Err(unknown_segment(index)),
            Err(error) => return Err(error),
            Ok(()) => return segment(documents, workflow_id, index).await,
        }
    }
    Err(busy())
}

/// Corrects the text of a segment of the last run, which search then finds.
///
/// # Errors
/// `document_busy` while the document is processed, or what is unknown.
pub async fn change_segment_text(
    documents: &Documents,
    project_id: &str,
    document_id: &str,
    index: i64,
    content: &str,
) -> Result<Segment, Error> {
    check_index(index)?;
    for _ in 0..ATTEMPTS {
        let document = find_document(documents, project_id, document_id).await?;
        refuse_active(&document)?;
        let workflow_id = document.workflow_id.clone().ok_or_else(|| unknown_segment(index))?;
        let run = load_run(documents, &document, &workflow_id).await?.ok_or_else(|| unknown(&workflow_id))?;
        let stored = segment(documents, &workflow_id, index).await?;
        let old_ref = stored.text_ref.clone();
        let mut text = whole_segment(documents, stored).await?.text;
        text.content = Some(content.to_owned());
        let folder = document_folder(project_id, document_id);
        let (text, text_ref) = stored_text(documents, &folder, index, &text).await?;
        let fields = text_fields(&text, text_ref.as_deref())?;
        let changes = fields.into_iter().map(|(name, value)| replace(name, value)).collect();
        let operations: Vec<Operation> = vec![
            update(name!("Segment"), segment_key(&workflow_id, index), changes, Vec::new()),
            change_document(&document, vec![add(name!("text_revision"), 1)]),
            run.change_workflow(vec![add(name!("text_revision"), 1)]),
        ];
        let done = commit(documents, operations).await;
        let useless = if done.is_ok() { &old_ref } else { &text_ref };
        if done.as_ref().err().is_none_or(|error| error.code != CoreCode::OutcomeUnknown) {
            forget(documents, useless.as_slice()).await;
        }
        match done {
            Err(error) if is_stale(&error) => {}
            Err(error) if error.code == CoreCode::NotFound => return Err(unknown_segment(index)),
            Err(error) => return Err(error),
            Ok(()) => return segment(documents, &workflow_id, index).await,
        }
    }
    Err(busy())
}
