//! Claims of steps, by leases.
//!
//! A processor takes a due step by raising its `attempt`. The owner and this number are the lease: every write of the
//! processor checks both, so what an old lease still writes is refused. A step whose lease has run out is due again.

use hansang_core::db::Ask;
use hansang_core::plan::{Condition, Guard, Reason};
use hansang_core::{CoreCode, Error, Item, Value, message, name};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::edit::{
    Check, commit, is, is_stale, is_unknown, load, moved, page, project_key, remove, set, time, update,
};
use crate::ends::{expire, run_of};
use crate::run::{as_read, short};
use crate::step::{Step, StepName, StepStatus, find_step, step_key};
use crate::{Document, Documents, DocumentsCode, Project, Workflow, messages};

/// The time for which a processor has a step without a heartbeat, where it is not set otherwise.
pub const LEASE: SignedDuration = SignedDuration::from_secs(60);
/// The maximum number of claims of a step in one run.
pub const MAX_TRIES: i64 = 3;
/// The number of due steps that one claim looks at.
const LOOKED_AT: u32 = 20;

/// The right of one processor to a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lease {
    /// The workflow.
    pub workflow_id: String,
    /// The step.
    pub name: StepName,
    /// The processor.
    pub owner: String,
    /// The number of the claim.
    pub attempt: i64,
}

impl Lease {
    /// Whether a step was claimed by this lease last.
    #[must_use]
    pub fn holds(&self, step: &Step) -> bool {
        step.attempt == self.attempt && step.owner.as_deref() == Some(&*self.owner)
    }

    pub(crate) fn key(&self) -> Item {
        step_key(&self.workflow_id, self.name)
    }
}

/// A step that was claimed, and what it is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claimed {
    /// The lease.
    pub lease: Lease,
    /// The time until which it holds without a heartbeat.
    pub until: Timestamp,
    /// The step.
    pub step: Step,
    /// The run, with its instructions and pages.
    pub workflow: Workflow,
    /// The document, with the key of its file.
    pub document: Document,
    /// The project, with its prompt and options.
    pub project: Project,
}

/// What a processor reports with a heartbeat.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepProgress {
    /// What is done.
    pub done: Option<i64>,
    /// What there is to do.
    pub total: Option<i64>,
    /// What it is doing.
    pub note: Option<String>,
}

/// Takes a due step of a kind; `None` if there is none.
///
/// # Errors
/// An owner that is no name, or when the store fails.
pub async fn claim(documents: &Documents, name: StepName, owner: &str) -> Result<Option<Claimed>, Error> {
    let mut check = Check::default();
    check.text("owner", owner, 200);
    check.done()?;
    let owner = owner.trim();
    let mut due = due_steps(documents, name, LOOKED_AT).await?;
    // Processors that ask at the same time begin with different steps.
    let first = usize::try_from(documents.db.clock().moment().random % 8).unwrap_or_default();
    let count = due.len();
    due.rotate_left(if count > 0 { first % count.min(8) } else { 0 });
    for step in due {
        if step.status == StepStatus::InProgress && step.tries >= MAX_TRIES {
            expire(documents, &step).await?;
        } else if let Some(claimed) = take(documents, &step, owner).await? {
            return Ok(Some(claimed));
        }
    }
    Ok(None)
}

/// The steps of a kind that can be taken now, the oldest first.
pub(crate) async fn due_steps(documents: &Documents, name: StepName, limit: u32) -> Result<Vec<Step>, Error> {
    let arguments = Item::from([(name!("name"), name.name().into()), (name!("to"), time(documents.now()))]);
    let ask = Ask { limit: Some(limit), ..Ask::default() };
    Ok(page::<Step>(documents, "dueSteps", arguments, ask).await?.items)
}

/// Takes a step, if it is as it was read; `None` if another processor was faster.
async fn take(documents: &Documents, step: &Step, owner: &str) -> Result<Option<Claimed>, Error> {
    // A step that is being deleted with its document has no run.
    let Some(run) = run_of(documents, step).await? else { return Ok(None) };
    let project: Option<Project> = load(documents, &project_key(&step.project_id)).await?;
    let Some(project) = project else { return Ok(None) };
    let (now, claim_id) = (documents.now(), documents.new_id());
    let until = now + documents.lease;
    let mut changes = vec![
        set(name!("owner"), owner),
        set(name!("claim_id"), claim_id.as_str()),
        set(name!("attempt"), step.attempt + 1),
        set(name!("tries"), step.tries + 1),
        set(name!("due_at"), time(until)),
        set(name!("heartbeat_at"), time(now)),
        remove(name!("done")),
        remove(name!("total")),
        remove(name!("note")),
    ];
    if step.status == StepStatus::Pending {
        changes.push(set(name!("status"), StepStatus::InProgress.name()));
    }
    if step.started_at.is_none() {
        changes.push(set(name!("started_at"), time(now)));
    }
    let mut guards = as_read(step);
    guards.push(is(&name!("due_at"), step.due_at.map(time), moved()));
    let mut operations = vec![update(name!("Step"), step.key(), changes, guards)];
    operations.extend(run.begin(documents, step.name));
    match commit(documents, operations).await {
        Ok(()) => {}
        Err(error)
            if is_stale(&error)
                || error.code == CoreCode::NotFound
                || error.code == DocumentsCode::DocumentUnknown =>
        {
            return Ok(None);
        }
        // A claim whose answer was lost may have been made.
        Err(error) if is_unknown(&error) => {
            let stored = find_step(documents, &step.workflow_id, step.name).await?;
            if stored.is_none_or(|stored| stored.claim_id.as_deref() != Some(&*claim_id)) {
                return Err(error);
            }
        }
        Err(error) => return Err(error),
    }
    let lease = Lease {
        workflow_id: step.workflow_id.clone(),
        name: step.name,
        owner: owner.to_owned(),
        attempt: step.attempt + 1,
    };
    // As they are after the claim, unless something happened since: then the lease is lost.
    let stored = find_step(documents, &step.workflow_id, step.name).await?;
    let Some(step) = stored.filter(|stored| lease.holds(stored)) else { return Ok(None) };
    let Some(run) = run_of(documents, &step).await? else { return Ok(None) };
    Ok(Some(Claimed { lease, until, step, workflow: run.workflow, document: run.document, project }))
}

/// Keeps a lease, and reports progress. Returns the time until which it holds now.
///
/// # Errors
/// `lease_lost`.
pub async fn heartbeat(
    documents: &Documents,
    lease: &Lease,
    progress: &StepProgress,
) -> Result<Timestamp, Error> {
    let now = documents.now();
    let until = now + documents.lease;
    let mut changes = vec![set(name!("due_at"), time(until)), set(name!("heartbeat_at"), time(now))];
    changes.extend(progress.done.map(|done| set(name!("done"), done.max(0))));
    changes.extend(progress.total.map(|total| set(name!("total"), total.max(0))));
    let note = progress.note.as_deref().filter(|note| !note.trim().is_empty());
    changes.extend(note.map(|note| set(name!("note"), short(note, 500))));
    let change = update(name!("Step"), lease.key(), changes, held(lease));
    match commit(documents, vec![change]).await {
        Err(error) if error.code == CoreCode::NotFound => Err(lost()),
        done => done.map(|()| until),
    }
}

/// The guards that a lease is held.
pub(crate) fn held(lease: &Lease) -> Vec<Guard> {
    let guard = |name: &hansang_core::Name, value: Value| Guard {
        condition: Condition::unchanged(name, Some(&value)),
        otherwise: Reason::Other(lost()),
    };
    vec![
        guard(&name!("attempt"), lease.attempt.into()),
        guard(&name!("owner"), lease.owner.as_str().into()),
        guard(&name!("status"), StepStatus::InProgress.name().into()),
    ]
}

/// Another processor has the step, or it has ended.
pub(crate) fn lost() -> Error {
    Error::conflict(DocumentsCode::LeaseLost, message!(messages::LEASE_LOST))
}
