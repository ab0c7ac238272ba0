//! The steps of a workflow.

use hansang_core::db::Typed;
use hansang_core::{Error, Item, name, names};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::Documents;
use crate::edit::{every, key, load};

names! {
    /// A step of a workflow.
    pub enum StepName {
        /// Looks at the file: its type, its pages.
        Prepare = "prepare",
        /// Reads the text of the file and makes its segments.
        Parse = "parse",
        /// Recognises the text of pages that have none.
        Ocr = "ocr",
        /// Makes the content of each segment of the texts of all sources.
        Build = "build",
        /// Makes the segments searchable.
        Index = "index",
        /// Writes a summary.
        Summarise = "summarise",
    }
}

names! {
    /// The status of a step.
    pub enum StepStatus {
        /// It waits for another step or for a processor.
        Pending = "pending",
        /// A processor has it.
        InProgress = "in_progress",
        /// It succeeded.
        Completed = "completed",
        /// It failed, and with it the run.
        Failed = "failed",
        /// There was nothing to do; the reason says why.
        Skipped = "skipped",
    }
}

impl StepName {
    /// The steps that end before this one starts.
    #[must_use]
    pub fn needs(self) -> &'static [Self] {
        match self {
            Self::Prepare => &[],
            Self::Parse => &[Self::Prepare],
            Self::Ocr => &[Self::Parse],
            Self::Build => &[Self::Ocr],
            Self::Index | Self::Summarise => &[Self::Build],
        }
    }
}

impl StepStatus {
    /// Whether the step is done: others that need it may start.
    #[must_use]
    pub fn is_done(self) -> bool {
        matches!(self, Self::Completed | Self::Skipped)
    }

    /// Whether the step is to run or runs.
    #[must_use]
    pub fn is_open(self) -> bool {
        matches!(self, Self::Pending | Self::InProgress)
    }
}

/// A step of a workflow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// The workflow.
    pub workflow_id: String,
    /// The name.
    pub name: StepName,
    /// The project.
    pub project_id: String,
    /// The document.
    pub document_id: String,
    /// The status.
    pub status: StepStatus,
    /// When it can be claimed: a pending step whose turn it is, and a running one whose lease has run out.
    pub due_at: Option<Timestamp>,
    /// The processor that has it or had it last.
    pub owner: Option<String>,
    /// Tells claims of processors with the same name apart.
    #[serde(default, skip_serializing)]
    pub(crate) claim_id: Option<String>,
    /// Grows with every claim.
    pub attempt: i64,
    /// The number of claims in this run.
    pub tries: i64,
    /// The last sign of life.
    pub heartbeat_at: Option<Timestamp>,
    /// When it was first claimed in this run.
    pub started_at: Option<Timestamp>,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
    /// What is done of `total`.
    pub done: Option<i64>,
    /// What there is to do, in pages or another unit.
    pub total: Option<i64>,
    /// What the processor is doing.
    pub note: Option<String>,
    /// Why it failed, or why the last attempt did.
    pub error: Option<String>,
    /// Why it was skipped.
    pub reason: Option<String>,
}

impl Typed for Step {
    const ENTITY: &'static str = "Step";
}

impl Step {
    /// What is done, in percent.
    #[must_use]
    pub fn percent(&self) -> i64 {
        match (self.status, self.done, self.total) {
            (status, ..) if !status.is_open() => 100,
            (StepStatus::InProgress, Some(done), Some(total)) if total > 0 => {
                (done.clamp(0, total) * 100) / total
            }
            _ => 0,
        }
    }

    pub(crate) fn key(&self) -> Item {
        step_key(&self.workflow_id, self.name)
    }
}

pub(crate) fn step_key(workflow_id: &str, name: StepName) -> Item {
    key([(name!("workflow_id"), workflow_id), (name!("name"), name.name())])
}

/// The steps of a workflow, in their order.
///
/// # Errors
/// When the store fails.
pub async fn steps(documents: &Documents, workflow_id: &str) -> Result<Vec<Step>, Error> {
    let arguments = key([(name!("workflow_id"), workflow_id)]);
    let mut steps: Vec<Step> = every(documents, "stepsOfWorkflow", arguments).await?;
    steps.sort_by_key(|step| step.name);
    Ok(steps)
}

/// Finds a step, by a strong read.
///
/// # Errors
/// When the store fails.
pub async fn find_step(
    documents: &Documents,
    workflow_id: &str,
    name: StepName,
) -> Result<Option<Step>, Error> {
    load(documents, &step_key(workflow_id, name)).await
}
