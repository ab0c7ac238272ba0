//! Ends of steps: complete, skip, fail; and the end of leases that ran out too often.

use hansang_core::db::Operation;
use hansang_core::plan::{Change, Path};
use hansang_core::{CoreCode, Error, message, name};
use jiff::SignedDuration;
use serde::{Deserialize, Serialize};

use crate::claims::{Lease, MAX_TRIES, held, lost};
use crate::edit::{ATTEMPTS, busy, commit, is_stale, load, optional, remove, set, time, update};
use crate::run::{Ending, Run, as_read, load_run, short};
use crate::segments::{drop_surplus, first_missing};
use crate::step::{Step, StepStatus, find_step};
use crate::{Document, Documents, DocumentsCode, messages};

/// The pause before a failed step can be taken again, which doubles with each attempt.
const FIRST_PAUSE: SignedDuration = SignedDuration::from_secs(5);

/// What a completed step found out about the document. What is absent stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// The number of segments. All of them must be written.
    pub total_segments: Option<i64>,
    /// The language of the text.
    pub language: Option<String>,
    /// A summary.
    pub summary: Option<String>,
    /// A note for people about a completed step.
    #[serde(default)]
    pub note: Option<String>,
}

impl Outcome {
    pub(crate) fn changes(&self) -> Vec<(Path, Change)> {
        let fields = [
            self.total_segments.map(|total| set(name!("total_segments"), total)),
            optional(self.language.as_deref()).map(|language| set(name!("language"), language)),
            optional(self.summary.as_deref()).map(|summary| set(name!("summary"), summary)),
        ];
        fields.into_iter().flatten().collect()
    }
}

/// Completes a step, and with the last one the run. Repeating it is no error.
///
/// # Errors
/// `lease_lost`, or `segments_missing` if the number of segments is given and not all are written.
pub async fn complete(documents: &Documents, lease: &Lease, outcome: Outcome) -> Result<(), Error> {
    if let Some(total) = outcome.total_segments {
        let step = find_step(documents, &lease.workflow_id, lease.name).await?.ok_or_else(lost)?;
        if step.status == StepStatus::InProgress && lease.holds(&step) {
            drop_surplus(documents, lease, total).await?;
            if let Some(missing) = first_missing(documents, &lease.workflow_id, total).await? {
                let message = message!(messages::SEGMENTS_MISSING, missing, total);
                return Err(Error::conflict(DocumentsCode::SegmentsMissing, message));
            }
        }
    }
    end(documents, lease, StepStatus::Completed, &Ending::Completed(outcome)).await
}

/// Skips a step, with the reason. Repeating it is no error.
///
/// # Errors
/// `lease_lost`.
pub async fn skip(documents: &Documents, lease: &Lease, reason: &str) -> Result<(), Error> {
    end(documents, lease, StepStatus::Skipped, &Ending::Skipped(reason.to_owned())).await
}

/// Fails an attempt. If `retry`, and attempts are left, the step can be taken again after a pause; otherwise it fails, and
/// with it the run. Repeating it is no error.
///
/// # Errors
/// `lease_lost`.
pub async fn fail(documents: &Documents, lease: &Lease, error: &str, retry: bool) -> Result<(), Error> {
    let step = find_step(documents, &lease.workflow_id, lease.name).await?.ok_or_else(lost)?;
    if !retry || step.tries >= MAX_TRIES {
        return end(documents, lease, StepStatus::Failed, &Ending::Failed(error.to_owned())).await;
    }
    let doubled = i32::try_from(1_i64 << step.tries.clamp(1, 10)).unwrap_or(1) / 2;
    put_back(documents, lease, documents.now() + FIRST_PAUSE * doubled, Some(error)).await
}

/// Gives a step back that this processor cannot do now, such as when it shuts down. Another one can take it at once.
///
/// # Errors
/// `lease_lost`.
pub async fn release(documents: &Documents, lease: &Lease) -> Result<(), Error> {
    put_back(documents, lease, documents.now(), None).await
}

async fn put_back(
    documents: &Documents,
    lease: &Lease,
    due: jiff::Timestamp,
    error: Option<&str>,
) -> Result<(), Error> {
    let mut changes = vec![
        set(name!("status"), StepStatus::Pending.name()),
        set(name!("due_at"), time(due)),
        remove(name!("note")),
    ];
    match error {
        Some(error) => changes.push(set(name!("error"), short(error, 2000))),
        // An attempt that was given back does not count.
        None => changes.push(crate::edit::add(name!("tries"), -1)),
    }
    let change = update(name!("Step"), lease.key(), changes, held(lease));
    match commit(documents, vec![change]).await {
        Err(error) if error.code == CoreCode::NotFound => Err(lost()),
        Err(error) if error.code == DocumentsCode::LeaseLost || error.code == CoreCode::WrongState => {
            // A repetition finds the step as the first call left it.
            let step = find_step(documents, &lease.workflow_id, lease.name).await?;
            let same = step.is_some_and(|step| step.status == StepStatus::Pending && lease.holds(&step));
            if same { Ok(()) } else { Err(lost()) }
        }
        done => done,
    }
}

/// Fails a step whose lease ran out too often, and with it the run. Nothing happens if it went on meanwhile.
///
/// # Errors
/// When the store fails.
pub async fn expire(documents: &Documents, step: &Step) -> Result<bool, Error> {
    for _ in 0..ATTEMPTS {
        let Some(now) = find_step(documents, &step.workflow_id, step.name).await? else { return Ok(false) };
        let is_over = now.status == StepStatus::InProgress
            && now.tries >= MAX_TRIES
            && now.due_at.is_some_and(|due| due <= documents.now());
        if !is_over {
            return Ok(false);
        }
        let Some(run) = run_of(documents, &now).await? else { return Ok(false) };
        let error = message!(messages::GAVE_UP, now.name.name(), now.tries).to_string();
        let mut guards = as_read(&now);
        guards.push(crate::edit::is(&name!("due_at"), now.due_at.map(time), crate::edit::moved()));
        match commit(documents, run.end(documents, Some((&now, guards)), &Ending::Failed(error))).await {
            Ok(()) => return Ok(true),
            Err(error) if is_stale(&error) => {}
            Err(error) if error.code == CoreCode::NotFound => return Ok(false),
            Err(error) if error.code == DocumentsCode::DocumentUnknown => return Ok(false),
            Err(error) => return Err(error),
        }
    }
    Err(busy())
}

async fn end(documents: &Documents, lease: &Lease, into: StepStatus, how: &Ending) -> Result<(), Error> {
    for _ in 0..ATTEMPTS {
        let step = find_step(documents, &lease.workflow_id, lease.name).await?.ok_or_else(lost)?;
        if lease.holds(&step) && step.status == into {
            return Ok(());
        }
        if !lease.holds(&step) || step.status != StepStatus::InProgress {
            return Err(lost());
        }
        let run = run_of(documents, &step).await?.ok_or_else(lost)?;
        match commit(documents, run.end(documents, Some((&step, held(lease))), how)).await {
            Err(error) if is_stale(&error) => {}
            // It lost the lease meanwhile, or an earlier attempt ended the step: the next read tells.
            Err(error) if error.code == DocumentsCode::LeaseLost => {}
            Err(error) if error.code == CoreCode::NotFound => return Err(lost()),
            Err(error) if error.code == DocumentsCode::DocumentUnknown => return Err(lost()),
            done => return done,
        }
    }
    Err(busy())
}

/// The run of a step.
pub(crate) async fn run_of(documents: &Documents, step: &Step) -> Result<Option<Run>, Error> {
    let key = crate::edit::document_key(&step.project_id, &step.document_id);
    let document: Option<Document> = load(documents, &key).await?;
    let Some(document) = document else { return Ok(None) };
    load_run(documents, &document, &step.workflow_id).await
}

/// The check that a lease is held, for writes of a processor.
pub(crate) fn check_lease(lease: &Lease) -> Operation {
    Operation::Check { entity: name!("Step"), key: lease.key(), guards: held(lease) }
}
