//! The progress of a whole project.

use std::collections::BTreeMap;

use hansang_core::{Error, Item};
use serde::{Deserialize, Serialize};

use crate::edit::{check_id, every, project_key, strong};
use crate::step::{Step, StepName, StepStatus, step_key};
use crate::{Document, DocumentStatus, Documents, find_project};

/// The progress of a project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProjectProgress {
    /// The number of documents.
    pub documents: usize,
    /// The number of documents by status.
    pub by_status: BTreeMap<DocumentStatus, usize>,
    /// The documents whose run has not ended.
    pub active: Vec<DocumentProgress>,
}

/// The progress of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentProgress {
    /// The document.
    pub document_id: String,
    /// Its name.
    pub name: String,
    /// Its status.
    pub status: DocumentStatus,
    /// The run.
    pub workflow_id: Option<String>,
    /// The step that was started last.
    pub step: Option<StepName>,
    /// The status of that step.
    pub step_status: Option<StepStatus>,
    /// What is done of `total` in that step.
    pub done: Option<i64>,
    /// What there is to do in that step.
    pub total: Option<i64>,
    /// What its processor is doing.
    pub note: Option<String>,
    /// The number of steps that have ended.
    pub steps_done: i64,
    /// The number of steps.
    pub steps: i64,
    /// All of it, in percent.
    pub percent: i64,
}

/// The progress of a project, in two reads for each hundred documents at most.
///
/// # Errors
/// `project_unknown`.
pub async fn progress(documents: &Documents, project_id: &str) -> Result<ProjectProgress, Error> {
    check_id("project_id", project_id)?;
    let all: Vec<Document> = every(documents, "documentsById", project_key(project_id)).await?;
    if all.is_empty() {
        find_project(documents, project_id).await?;
    }
    let mut by_status = BTreeMap::new();
    for document in &all {
        *by_status.entry(document.status).or_default() += 1;
    }
    let count = all.len();
    let active: Vec<Document> = all.into_iter().filter(|document| document.status.is_active()).collect();
    let key = |document: &Document| Some(step_key(document.workflow_id.as_deref()?, document.step?));
    let keys: Vec<Item> = active.iter().filter_map(key).collect();
    let mut found: BTreeMap<(String, StepName), Step> = BTreeMap::new();
    for record in documents.db.batch_get("Step", &keys, &strong()).await?.into_iter().flatten() {
        if let Ok(step) = record.typed::<Step>() {
            found.insert((step.workflow_id.clone(), step.name), step);
        }
    }
    let active = active.into_iter().map(|document| {
        let step = document.workflow_id.clone().zip(document.step).and_then(|key| found.get(&key));
        of_document(document, step)
    });
    Ok(ProjectProgress { documents: count, by_status, active: active.collect() })
}

fn of_document(document: Document, step: Option<&Step>) -> DocumentProgress {
    let steps = i64::try_from(StepName::ALL.len()).unwrap_or(1);
    let steps_done = document.steps_done.unwrap_or_default().clamp(0, steps);
    let running = step.filter(|step| step.status.is_open()).map_or(0, Step::percent);
    DocumentProgress {
        percent: ((steps_done * 100 + running) / steps).min(99),
        document_id: document.document_id,
        name: document.name,
        status: document.status,
        workflow_id: document.workflow_id,
        step: document.step,
        step_status: step.map(|step| step.status),
        done: step.and_then(|step| step.done),
        total: step.and_then(|step| step.total),
        note: step.and_then(|step| step.note.clone()),
        steps_done,
        steps,
    }
}
