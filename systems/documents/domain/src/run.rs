//! A run as it is stored, and the transactions that move it.
//!
//! What a transaction decides depends on the run as it was read: the step that ended, those that may start now, and whether
//! it was the last one. Every write of it is conditional on what was read, so a decision is never made on old data.

use hansang_core::db::Operation;
use hansang_core::plan::{Change, Guard, Path};
use hansang_core::{Error, Value, message, name};

use crate::document::DocumentStatus;
use crate::edit::{add, is, load, moved, remove, replace, set, time, update};
use crate::ends::Outcome;
use crate::step::{Step, StepName, StepStatus, steps};
use crate::workflow::{change_document, workflow_key};
use crate::{Document, Documents, Workflow, WorkflowStatus, messages};

/// A document with one of its runs.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) document: Document,
    pub(crate) workflow: Workflow,
    pub(crate) steps: Vec<Step>,
}

/// How a step, or a whole run, ends.
#[derive(Clone, Debug)]
pub(crate) enum Ending {
    Completed(Outcome),
    Skipped(String),
    Failed(String),
    /// The run was cancelled.
    Cancelled(String),
}

/// Reads a run. Nothing if it is not that of the document, or is being deleted.
pub(crate) async fn load_run(
    documents: &Documents,
    document: &Document,
    workflow_id: &str,
) -> Result<Option<Run>, Error> {
    let workflow: Option<Workflow> =
        load(documents, &workflow_key(&document.document_id, workflow_id)).await?;
    let Some(workflow) = workflow.filter(|_| document.workflow_id.as_deref() == Some(workflow_id)) else {
        return Ok(None);
    };
    let steps = steps(documents, workflow_id).await?;
    Ok(Some(Run { document: document.clone(), workflow, steps }))
}

impl Run {
    /// The writes that end a step; without one, they end the run.
    pub(crate) fn end(
        &self,
        documents: &Documents,
        step: Option<(&Step, Vec<Guard>)>,
        how: &Ending,
    ) -> Vec<Operation> {
        let now = time(documents.now());
        let mut operations = Vec::new();
        let ended = step.as_ref().map(|(step, _)| step.name);
        if let Some((step, guards)) = step {
            let mut changes = vec![remove(name!("due_at")), set(name!("ended_at"), now.clone())];
            changes.extend(match how {
                Ending::Completed(outcome) => {
                    let note = outcome.note.as_deref().filter(|note| !note.trim().is_empty());
                    vec![
                        set(name!("status"), "completed"),
                        remove(name!("error")),
                        // The note describes work that has ended.
                        replace(name!("note"), note.map(|note| short(note, 500))),
                    ]
                }
                Ending::Skipped(reason) => {
                    vec![set(name!("status"), "skipped"), set(name!("reason"), short(reason, 500))]
                }
                Ending::Failed(error) | Ending::Cancelled(error) => {
                    vec![set(name!("status"), "failed"), set(name!("error"), short(error, 2000))]
                }
            });
            operations.push(update(name!("Step"), step.key(), changes, guards));
        }
        let others = || self.steps.iter().filter(|step| Some(step.name) != ended);
        match how {
            Ending::Failed(error) | Ending::Cancelled(error) => {
                let reason = match (how, ended) {
                    (Ending::Failed(_), Some(name)) => {
                        message!(messages::EARLIER_FAILED, name.name()).to_string()
                    }
                    _ => error.clone(),
                };
                for other in others().filter(|step| step.status.is_open()) {
                    let changes = vec![
                        set(name!("status"), "skipped"),
                        set(name!("reason"), short(&reason, 500)),
                        set(name!("ended_at"), now.clone()),
                        remove(name!("due_at")),
                    ];
                    operations.push(self.change_step(other, changes));
                }
                operations.extend(self.close(documents, Some(error)));
            }
            Ending::Completed(_) | Ending::Skipped(_) => {
                operations.extend(self.go_on(documents, ended, how));
            }
        }
        operations
    }

    /// Makes the steps due that may start now, or completes the run.
    fn go_on(&self, documents: &Documents, ended: Option<StepName>, how: &Ending) -> Vec<Operation> {
        let is_done = |name: StepName| {
            Some(name) == ended || self.steps.iter().any(|step| step.name == name && step.status.is_done())
        };
        let mut operations = Vec::new();
        let mut starts = 0;
        for other in self.steps.iter().filter(|step| Some(step.name) != ended) {
            let starts_now = other.status == StepStatus::Pending
                && other.due_at.is_none()
                && other.name.needs().iter().all(|needed| is_done(*needed));
            if starts_now {
                starts += 1;
                operations.push(self.change_step(other, vec![set(name!("due_at"), time(documents.now()))]));
            } else {
                // Whether this was the last step depends on the others.
                operations.push(self.check_step(other));
            }
        }
        let all_done = self.steps.iter().all(|step| is_done(step.name));
        let mut workflow = match how {
            Ending::Completed(outcome) => outcome.changes(),
            _ => Vec::new(),
        };
        let done = self.steps.iter().filter(|step| is_done(step.name)).count();
        let mut document = vec![set(name!("steps_done"), i64::try_from(done).unwrap_or_default())];
        if all_done && starts == 0 {
            let (more_of_document, more_of_workflow) = self.closing(documents, None);
            document.extend(more_of_document);
            workflow.extend(more_of_workflow);
        }
        operations.push(change_document(&self.document, document));
        if !workflow.is_empty() {
            operations.push(self.change_workflow(workflow));
        }
        operations
    }

    /// The writes that end the run.
    fn close(&self, documents: &Documents, error: Option<&String>) -> Vec<Operation> {
        let (document, workflow) = self.closing(documents, error);
        vec![change_document(&self.document, document), self.change_workflow(workflow)]
    }

    /// The changes of the document and of the workflow when the run ends.
    #[allow(clippy::type_complexity, reason = "two lists of changes")]
    fn closing(
        &self,
        documents: &Documents,
        error: Option<&String>,
    ) -> (Vec<(Path, Change)>, Vec<(Path, Change)>) {
        let status = if error.is_some() { DocumentStatus::Failed } else { DocumentStatus::Completed };
        let mut document = vec![set(name!("status"), status.name())];
        let mut workflow = vec![
            set(name!("status"), status.name()),
            set(name!("ended_at"), time(documents.now())),
            remove(name!("pages")),
            add(name!("text_revision"), 1),
        ];
        if let Some(error) = error {
            workflow.push(set(name!("error"), short(error, 2000)));
        }
        // The text of an older run stays searchable until a newer one is complete.
        let text_of = self.document.text_workflow_id.as_deref();
        if error.is_none() || text_of.is_none_or(|text_of| text_of == self.workflow.workflow_id) {
            document.push(set(name!("text_workflow_id"), self.workflow.workflow_id.as_str()));
            document.push(add(name!("text_revision"), 1));
        }
        (document, workflow)
    }

    /// A change of the workflow, if its status is as it was read.
    pub(crate) fn change_workflow(&self, changes: Vec<(Path, Change)>) -> Operation {
        let workflow = &self.workflow;
        let guards = vec![is(&name!("status"), Some(workflow.status.name().into()), moved())];
        let key = workflow_key(&workflow.document_id, &workflow.workflow_id);
        update(name!("Workflow"), key, changes, guards)
    }

    /// A change of a step, if it is as it was read.
    pub(crate) fn change_step(&self, step: &Step, changes: Vec<(Path, Change)>) -> Operation {
        update(name!("Step"), step.key(), changes, as_read(step))
    }

    fn check_step(&self, step: &Step) -> Operation {
        Operation::Check { entity: name!("Step"), key: step.key(), guards: as_read(step) }
    }

    /// The changes of document and workflow when the first step of a run is taken.
    pub(crate) fn begin(&self, documents: &Documents, step: StepName) -> Vec<Operation> {
        let mut document = vec![set(name!("step"), step.name())];
        let mut operations = Vec::new();
        if self.workflow.status == WorkflowStatus::Pending {
            operations.push(self.change_workflow(vec![
                set(name!("status"), WorkflowStatus::InProgress.name()),
                set(name!("started_at"), time(documents.now())),
            ]));
            document.push(set(name!("status"), DocumentStatus::InProgress.name()));
        }
        operations.push(change_document(&self.document, document));
        operations
    }
}

/// The guards that a step is as it was read.
pub(crate) fn as_read(step: &Step) -> Vec<Guard> {
    vec![
        is(&name!("status"), Some(step.status.name().into()), moved()),
        is(&name!("attempt"), Some(step.attempt.into()), moved()),
    ]
}

/// A text that fits, and is not empty.
pub(crate) fn short(text: &str, max: usize) -> Value {
    let text: String = text.trim().chars().take(max).collect();
    if text.is_empty() { "-".into() } else { text.into() }
}
