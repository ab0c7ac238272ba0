//! The background work of documents: leases that ran out, deletions, abandoned uploads.

use std::time::Duration;

use hansang_core::Error;
use serde::{Deserialize, Serialize};

use crate::claims::due_steps;
use crate::step::{StepName, StepStatus};
use crate::{Documents, MAX_TRIES, abort_uploads, expire, finish_deletions};

/// The pause between two looks.
const LOOK: Duration = Duration::from_secs(15);
/// The number of due steps of a kind that one look sees.
const LOOKED_AT: u32 = 1000;

/// The result of a look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tended {
    /// The steps that failed because their lease ran out too often.
    pub expired: usize,
    /// The deletions that were finished.
    pub deletions: usize,
    /// The uploads that were given up.
    pub uploads: usize,
}

/// Does what is due now. Any number of processes may do it.
///
/// # Errors
/// The last problem, after all was tried. The next look does the rest.
pub async fn tend(documents: &Documents) -> Result<Tended, Error> {
    let mut problem = None;
    let mut kept = |result: Result<usize, Error>| {
        result.unwrap_or_else(|error| {
            problem = Some(error);
            0
        })
    };
    let tended = Tended {
        expired: kept(expire_all(documents).await),
        deletions: kept(finish_deletions(documents).await),
        uploads: kept(abort_uploads(documents).await),
    };
    problem.map_or(Ok(tended), Err)
}

async fn expire_all(documents: &Documents) -> Result<usize, Error> {
    let mut expired = 0;
    for name in StepName::ALL {
        for step in due_steps(documents, name, LOOKED_AT).await? {
            let is_over = step.status == StepStatus::InProgress && step.tries >= MAX_TRIES;
            if is_over && expire(documents, &step).await? {
                expired += 1;
            }
        }
    }
    Ok(expired)
}

/// Does what is due, until `stop`. Any number of processes may do it.
pub async fn work(documents: &Documents, stop: impl Future<Output = ()>) {
    let work = async {
        loop {
            if let Err(error) = tend(documents).await {
                tracing::warn!(%error, "background work of documents failed: the next look tries again");
            }
            tokio::time::sleep(LOOK).await;
        }
    };
    tokio::select! {
        biased;
        () = stop => {}
        () = work => {}
    }
}
