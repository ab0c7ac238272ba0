//! Workflows: runs of processing over a document.
//!
//! The document names its run, and a run starts only in a transaction that finds the document uploaded, completed or failed.
//! So a document never has two active runs.

use hansang_core::db::{Ask, Operation, Typed, TypedListing};
use hansang_core::{Error, Item, Value, message, name, names};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::edit::{
    ATTEMPTS, Check, add, busy, check_id, commit, create, document_key, is, is_stale, key, load, moved, page,
    present, project_is_open, remove, set, time, unknown_document, update,
};
use crate::run::{Ending, Run, load_run};
use crate::step::StepName;
use crate::{Document, Documents, DocumentsCode, StepStatus, find_document, messages};

/// The maximum number of segments that are processed again by number.
const MAX_PAGES: usize = 1000;

names! {
    /// The status of a workflow.
    pub enum WorkflowStatus {
        /// No processor has taken a step yet.
        Pending = "pending",
        /// It is running.
        InProgress = "in_progress",
        /// It succeeded.
        Completed = "completed",
        /// It failed.
        Failed = "failed",
        /// Some of its segments are processed again.
        Reanalyzing = "reanalyzing",
    }
}

impl WorkflowStatus {
    /// Whether it runs or is to run.
    #[must_use]
    pub fn is_active(self) -> bool {
        !matches!(self, Self::Completed | Self::Failed)
    }
}

/// A run of processing over a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Workflow {
    /// The document.
    pub document_id: String,
    /// The id.
    pub workflow_id: String,
    /// The status.
    pub status: WorkflowStatus,
    /// The name of the file.
    pub file_name: String,
    /// The language of the text.
    pub language: Option<String>,
    /// A summary.
    pub summary: Option<String>,
    /// The number of segments.
    pub total_segments: Option<i64>,
    /// The project; absent in items of other programs.
    pub project_id: Option<String>,
    /// The version of the file.
    pub file_version: Option<i64>,
    /// What processors are told about this run.
    pub instructions: Option<String>,
    /// The segments that are processed again; absent for all.
    pub pages: Option<Vec<i64>>,
    /// Why it failed.
    pub error: Option<String>,
    /// Grows when the text of the segments changes.
    pub text_revision: Option<i64>,
    /// Who started it.
    pub started_by: Option<String>,
    /// When a processor took its first step.
    pub started_at: Option<Timestamp>,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
    /// The time it was created.
    pub created_at: Timestamp,
    /// The time it was last written.
    pub updated_at: Timestamp,
}

impl Typed for Workflow {
    const ENTITY: &'static str = "Workflow";
}

/// What is to be processed again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reprocess {
    /// What processors are told.
    pub instructions: Option<String>,
    /// The numbers of segments; empty for the whole document.
    #[serde(default)]
    pub pages: Vec<i64>,
}

pub(crate) fn workflow_key(document_id: &str, workflow_id: &str) -> Item {
    key([(name!("document_id"), document_id), (name!("workflow_id"), workflow_id)])
}

/// Finds a workflow.
///
/// # Errors
/// `workflow_unknown`.
pub async fn find_workflow(
    documents: &Documents,
    document_id: &str,
    workflow_id: &str,
) -> Result<Workflow, Error> {
    check_id("document_id", document_id)?;
    check_id("workflow_id", workflow_id)?;
    let found = load(documents, &workflow_key(document_id, workflow_id)).await?;
    found.ok_or_else(|| unknown(workflow_id))
}

/// The runs of a document, the newest first unless the other direction is asked for.
///
/// # Errors
/// A wrong cursor or limit.
pub async fn workflows(
    documents: &Documents,
    document_id: &str,
    ask: Ask,
) -> Result<TypedListing<Workflow>, Error> {
    page(documents, "workflowsOfDocument", key([(name!("document_id"), document_id)]), ask).await
}

/// Processes a document again that is completed or failed: all of it in a new run, or some segments in the last one.
///
/// # Errors
/// `document_busy`, `not_uploaded`, `pages_unknown`, `project_archived`, or what is unknown.
pub async fn reprocess(
    documents: &Documents,
    by: &str,
    project_id: &str,
    document_id: &str,
    again: &Reprocess,
) -> Result<Workflow, Error> {
    check(again)?;
    for _ in 0..ATTEMPTS {
        let document = find_document(documents, project_id, document_id).await?;
        refuse_active(&document)?;
        let (workflow_id, operations) = if again.pages.is_empty() {
            let started = NewRun::of(documents, &document, by, again.instructions.as_deref());
            let changes = started.document_changes("reanalyzing");
            let change = change_document(&document, changes);
            let operations = [vec![project_is_open(project_id), change], started.operations()].concat();
            (started.workflow_id, operations)
        } else {
            pages_again(documents, &document, by, again).await?
        };
        match commit(documents, operations).await {
            Err(error) if is_stale(&error) => {}
            Err(error) => return Err(known(error, document_id)),
            Ok(()) => return find_workflow(documents, document_id, &workflow_id).await,
        }
    }
    Err(busy())
}

/// Ends a run as failed. Processors lose their leases.
///
/// # Errors
/// `not_active`, or what is unknown.
pub async fn cancel(
    documents: &Documents,
    by: &str,
    project_id: &str,
    document_id: &str,
) -> Result<Workflow, Error> {
    for _ in 0..ATTEMPTS {
        let document = find_document(documents, project_id, document_id).await?;
        let not_active = || Error::conflict(DocumentsCode::NotActive, message!(messages::NOT_ACTIVE));
        let workflow_id = document.workflow_id.clone().filter(|_| document.status.is_active());
        let workflow_id = workflow_id.ok_or_else(not_active)?;
        let Some(run) = load_run(documents, &document, &workflow_id).await? else { continue };
        let cancelled = message!(messages::CANCELLED, by).to_string();
        let operations = run.end(documents, None, &Ending::Cancelled(cancelled));
        match commit(documents, operations).await {
            Err(error) if is_stale(&error) => {}
            Err(error) => return Err(known(error, document_id)),
            Ok(()) => return find_workflow(documents, document_id, &workflow_id).await,
        }
    }
    Err(busy())
}

/// A new run, with its steps.
pub(crate) struct NewRun {
    pub(crate) workflow_id: String,
    workflow: Item,
    steps: Vec<Item>,
}

impl NewRun {
    /// A run over the file that a document has, or will have in the same transaction.
    pub(crate) fn of(
        documents: &Documents,
        document: &Document,
        by: &str,
        instructions: Option<&str>,
    ) -> Self {
        let workflow_id = documents.new_id();
        let mut workflow = workflow_key(&document.document_id, &workflow_id);
        workflow.extend(present([
            (name!("file_name"), Some(document.name.as_str().into())),
            (name!("project_id"), Some(document.project_id.as_str().into())),
            (name!("file_version"), document.file_version.map(Value::from)),
            (name!("instructions"), crate::edit::optional(instructions)),
            (name!("started_by"), Some(by.into())),
        ]));
        let step = |step: StepName| {
            let mut fields = crate::step::step_key(&workflow_id, step);
            fields.insert(name!("project_id"), document.project_id.as_str().into());
            fields.insert(name!("document_id"), document.document_id.as_str().into());
            if step.needs().is_empty() {
                fields.insert(name!("due_at"), time(documents.now()));
            }
            fields
        };
        let steps = StepName::ALL.into_iter().map(step).collect();
        Self { workflow_id, workflow, steps }
    }

    /// The changes that give the run to its document.
    pub(crate) fn document_changes(
        &self,
        status: &str,
    ) -> Vec<(hansang_core::plan::Path, hansang_core::plan::Change)> {
        vec![
            set(name!("status"), status),
            set(name!("workflow_id"), self.workflow_id.as_str()),
            set(name!("steps_done"), 0),
            remove(name!("step")),
        ]
    }

    pub(crate) fn operations(&self) -> Vec<Operation> {
        let steps = self.steps.iter().map(|step| create(name!("Step"), step.clone()));
        std::iter::once(create(name!("Workflow"), self.workflow.clone())).chain(steps).collect()
    }
}

/// A change of a document, if its status and its run are as they were read.
pub(crate) fn change_document(
    document: &Document,
    changes: Vec<(hansang_core::plan::Path, hansang_core::plan::Change)>,
) -> Operation {
    let guards = vec![
        crate::edit::exists(unknown_document(&document.document_id)),
        is(&name!("status"), Some(document.status.name().into()), moved()),
        is(&name!("workflow_id"), document.workflow_id.as_deref().map(Value::from), moved()),
    ];
    update(name!("Document"), document_key(&document.project_id, &document.document_id), changes, guards)
}

/// Starts the last run again for some of its segments. What was prepared stays.
async fn pages_again(
    documents: &Documents,
    document: &Document,
    by: &str,
    again: &Reprocess,
) -> Result<(String, Vec<Operation>), Error> {
    let none =
        |total: i64| Error::invalid(DocumentsCode::PagesUnknown, message!(messages::PAGES_UNKNOWN, total));
    let workflow_id = document.workflow_id.clone().ok_or_else(|| none(0))?;
    let run: Run = load_run(documents, document, &workflow_id).await?.ok_or_else(|| unknown(&workflow_id))?;
    let total = run.workflow.total_segments.unwrap_or_default();
    let mut pages = again.pages.clone();
    pages.sort_unstable();
    pages.dedup();
    let prepared =
        run.steps.iter().any(|step| step.name == StepName::Prepare && step.status == StepStatus::Completed);
    if !prepared || pages.iter().any(|page| !(0..total).contains(page)) {
        return Err(none(if prepared { total } else { 0 }));
    }
    let mut operations = vec![
        project_is_open(&document.project_id),
        change_document(
            document,
            vec![set(name!("status"), "reanalyzing"), set(name!("steps_done"), 1), remove(name!("step"))],
        ),
    ];
    let pages = Value::L(pages.into_iter().map(Value::from).collect());
    let changes = vec![
        set(name!("status"), "reanalyzing"),
        set(name!("pages"), pages),
        set(name!("started_by"), by),
        crate::edit::replace(name!("instructions"), crate::edit::optional(again.instructions.as_deref())),
        remove(name!("error")),
        remove(name!("ended_at")),
    ];
    operations.push(run.change_workflow(changes));
    for step in run.steps.iter().filter(|step| step.name != StepName::Prepare) {
        let due = (step.name == StepName::Parse).then(|| time(documents.now()));
        let mut changes = vec![
            set(name!("tries"), 0),
            crate::edit::replace(name!("due_at"), due),
            // A number that no lease of the last run has.
            add(name!("attempt"), 1),
        ];
        if step.status != StepStatus::Pending {
            changes.push(set(name!("status"), StepStatus::Pending.name()));
        }
        for gone in ["owner", "claim_id", "heartbeat_at", "started_at", "ended_at", "done", "total", "note"] {
            changes.push(remove(gone.into()));
        }
        changes.extend([remove(name!("error")), remove(name!("reason"))]);
        operations.push(run.change_step(step, changes));
    }
    Ok((workflow_id, operations))
}

/// Refuses a document that is not uploaded or has an active run.
pub(crate) fn refuse_active(document: &Document) -> Result<(), Error> {
    match document.status {
        status if status.has_ended() => Ok(()),
        crate::DocumentStatus::Uploading => {
            Err(Error::conflict(DocumentsCode::NotUploaded, message!(messages::NOT_UPLOADED)))
        }
        _ => Err(Error::conflict(DocumentsCode::DocumentBusy, message!(messages::DOCUMENT_BUSY))),
    }
}

/// A document that was deleted meanwhile is unknown.
pub(crate) fn known(error: Error, document_id: &str) -> Error {
    if error.code == hansang_core::CoreCode::NotFound { unknown_document(document_id) } else { error }
}

fn check(again: &Reprocess) -> Result<(), Error> {
    let mut check = Check::default();
    check.optional("instructions", again.instructions.as_deref(), 20_000);
    if again.pages.len() > MAX_PAGES {
        check.problem("pages", message!(messages::TOO_MANY_PAGES, MAX_PAGES));
    }
    check.done()
}

pub(crate) fn unknown(id: &str) -> Error {
    Error::not_found(DocumentsCode::WorkflowUnknown, message!(messages::WORKFLOW_UNKNOWN, id))
}
