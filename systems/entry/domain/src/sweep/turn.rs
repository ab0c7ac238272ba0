//! The turn at sweeping: the right of one process to queue requests that were not queued.
//!
//! Two processes would give `queuedAt` by two clocks, and a request could overtake an earlier one. Each write of a turn is
//! conditional on its fence, a number that grows with every owner, and the last `queuedAt` is handed on.

use std::time::Duration;

use hansang_core::db::{GetOptions, Operation};
use hansang_core::plan::{Change, Comparison, Path};
use hansang_core::write::Update;
use hansang_core::{CoreCode, Error, Item, Value, message, name};
use jiff::Timestamp;
use serde::Deserialize;

use super::forgotten;
use crate::fields::{after, guard, item, set, time};
use crate::moves::Transition;
use crate::{Entry, EntryCode, Request, Status, messages};

const ENTITY: &str = "SweepLease";

/// The right to sweep.
pub(super) struct Turn {
    owner: String,
    fence: i64,
    /// The latest `queuedAt` of a sweep.
    last: Option<Timestamp>,
}

/// The item of the turn.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoredTurn {
    owner: String,
    expires_at: Timestamp,
    fence: i64,
    last_queued_at: Option<Timestamp>,
}

/// Acquires the turn, unless another process has it.
pub(super) async fn acquire(entry: &Entry) -> Result<Option<Turn>, Error> {
    let now = entry.now();
    let owner = format!("sweep-{:032x}", entry.db.clock().moment().random);
    let until = time(after(now, entry.settings.lease));
    let (operation, fence) = match read(entry).await? {
        Some(found) if now < found.expires_at => return Ok(None),
        Some(found) => {
            let fence = found.fence + 1;
            let changes = vec![
                set(name!("owner"), owner.as_str()),
                set(name!("expiresAt"), until),
                set(name!("fence"), fence),
            ];
            let update = Update { key: Item::default(), changes, expected_version: None };
            let guards = vec![guard(name!("fence"), Comparison::Equal, found.fence, lost())];
            (Operation::Update { entity: ENTITY.into(), update, guards }, fence)
        }
        None => {
            let fields = item([
                (name!("owner"), owner.as_str().into()),
                (name!("expiresAt"), until.into()),
                (name!("fence"), Value::from(1)),
            ]);
            (Operation::Create { entity: ENTITY.into(), fields, guards: Vec::new() }, 1)
        }
    };
    match entry.db.commit(vec![operation]).await.map_err(Error::from) {
        Ok(()) => {}
        Err(error) if error.code == CoreCode::AlreadyExists || error.code == EntryCode::LeaseLost => {
            return Ok(None);
        }
        // It may have been written: read it back.
        Err(error) if error.code == CoreCode::OutcomeUnknown => {}
        Err(error) => return Err(error),
    }
    let ours = read(entry).await?.filter(|found| found.owner == owner && found.fence == fence);
    Ok(ours.map(|found| Turn { owner, fence, last: found.last_queued_at }))
}

impl Turn {
    /// The latest `queuedAt` of a sweep.
    pub(super) fn last(&self) -> Option<Timestamp> {
        self.last
    }

    /// Records that the queue has these requests, each later than the one before.
    pub(super) async fn queue(
        &mut self,
        entry: &Entry,
        requests: &[Request],
        window: Duration,
    ) -> Result<(), Error> {
        let now = entry.now();
        let mut operations = Vec::with_capacity(requests.len() * 3 + 1);
        for request in requests {
            let mut transition = Transition::new(entry, request, Status::Queued);
            let next = self.last.map(|last| after(last, Duration::from_millis(1)));
            let at = transition.at.max(now).max(next.unwrap_or(now));
            transition.at = at;
            transition.changes = vec![set(name!("queuedAt"), time(at))];
            operations.extend(transition.operations(entry));
            operations.push(forgotten(request));
            // Even if the write fails: it may not have.
            self.last = Some(at);
        }
        let mut changes = vec![set(name!("expiresAt"), time(after(now, entry.settings.lease)))];
        changes.extend(self.last.map(|last| set(name!("lastQueuedAt"), time(last))));
        operations.push(self.changed(changes));
        match tokio::time::timeout(window, entry.db.commit(operations)).await {
            Ok(written) => Ok(written?),
            Err(_) => Err(Error::unavailable(EntryCode::QueuedLate, message!(messages::QUEUED_LATE))),
        }
    }

    /// Releases the turn. If that fails, it expires.
    pub(super) async fn release(self, entry: &Entry) {
        let ended = self.changed(vec![set(name!("expiresAt"), time(entry.now()))]);
        let _ = entry.db.commit(vec![ended]).await;
    }

    fn changed(&self, changes: Vec<(Path, Change)>) -> Operation {
        let update = Update { key: Item::default(), changes, expected_version: None };
        let guards = vec![
            guard(name!("fence"), Comparison::Equal, self.fence, lost()),
            guard(name!("owner"), Comparison::Equal, self.owner.as_str(), lost()),
        ];
        Operation::Update { entity: ENTITY.into(), update, guards }
    }
}

async fn read(entry: &Entry) -> Result<Option<StoredTurn>, Error> {
    let options = GetOptions { consistent: true, fields: None };
    let record = entry.db.get(ENTITY, &Item::default(), &options).await?;
    record.map(|record| record.typed()).transpose()
}

fn lost() -> Error {
    Error::conflict(EntryCode::LeaseLost, message!(messages::SWEEP_LOST))
}
