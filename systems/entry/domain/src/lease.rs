//! The lease of an event: the right of one process to decide it.
//!
//! The lease only avoids contention. Safety comes from the fence, a number that grows with every owner: every write of a
//! decider is conditional on it, so a process that was wrongly thought dead does no harm.

use hansang_core::db::{GetOptions, Operation};
use hansang_core::plan::{Comparison, Condition, Guard, Reason};
use hansang_core::write::Update;
use hansang_core::{CoreCode, Error, Item, Value, message, name};
use jiff::Timestamp;
use serde::Deserialize;

use crate::decide::{MAX_RETRIES, backoff};
use crate::fields::{add, after, guard, item, set, time};
use crate::moves::is_transient;
use crate::{Entry, EntryCode, messages};

const LEASE: &str = "DeciderLease";

/// The right to decide an event.
#[derive(Clone, Debug)]
pub(crate) struct Lease {
    pub(crate) event_id: String,
    pub(crate) owner: String,
    fence: i64,
    /// Every request queued before this time is decided.
    pub(crate) decided_until: Option<Timestamp>,
    /// The time since which a closed lottery has no unsent requests.
    pub(crate) quiet_since: Option<Timestamp>,
}

/// The item of a lease.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoredLease {
    owner: Option<String>,
    expires_at: Option<Timestamp>,
    #[serde(default)]
    fence: i64,
    decided_until: Option<Timestamp>,
    quiet_since: Option<Timestamp>,
    #[serde(flatten)]
    tally: Tally,
}

/// The numbers of decided requests of an event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct Tally {
    pub(crate) succeeded: i64,
    pub(crate) rejected: i64,
    pub(crate) failed: i64,
}

/// The progress of deciding an event.
#[derive(Clone, Debug, Default)]
pub(crate) struct Progress {
    pub(crate) tally: Tally,
    pub(crate) decided_until: Option<Timestamp>,
}

/// Acquires the lease of an event, unless another process holds it.
pub(crate) async fn acquire(entry: &Entry, event_id: &str, owner: &str) -> Result<Option<Lease>, Error> {
    let now = entry.now();
    let until = time(after(now, entry.settings.lease));
    let (written, fence) = match read(entry, event_id).await? {
        None => {
            let fields = item([
                (name!("eventId"), event_id.into()),
                (name!("owner"), owner.into()),
                (name!("expiresAt"), until.into()),
                (name!("fence"), Value::from(1)),
            ]);
            // The event may have been deleted meanwhile.
            let event = Operation::Check { entity: name!("Event"), key: key(event_id), guards: Vec::new() };
            let create = Operation::Create { entity: LEASE.into(), fields, guards: Vec::new() };
            (entry.db.commit(vec![create, event]).await.map_err(Error::from), 1)
        }
        Some(found) if found.expires_at.is_some_and(|expires| now < expires) => return Ok(None),
        Some(found) => {
            let fence = found.fence;
            let guards = vec![guard(name!("fence"), Comparison::Equal, fence, lost())];
            let changes = vec![
                set(name!("owner"), owner),
                set(name!("expiresAt"), until),
                set(name!("fence"), fence + 1),
            ];
            let update = Update { key: key(event_id), changes, expected_version: None };
            let update = Operation::Update { entity: LEASE.into(), update, guards };
            (entry.db.commit(vec![update]).await.map_err(Error::from), fence + 1)
        }
    };
    match written {
        Ok(()) => {}
        Err(error) if error.code == CoreCode::AlreadyExists || error.code == EntryCode::LeaseLost => {
            return Ok(None);
        }
        // It may have been written: read it back.
        Err(error) if error.code == CoreCode::OutcomeUnknown => {}
        Err(error) => return Err(error),
    }
    let lease = read(entry, event_id).await?.and_then(|found| {
        let ours = found.owner.as_deref() == Some(owner) && found.fence == fence;
        ours.then(|| Lease {
            event_id: event_id.to_owned(),
            owner: owner.to_owned(),
            fence,
            decided_until: found.decided_until,
            quiet_since: found.quiet_since,
        })
    });
    Ok(lease)
}

/// Reads the progress of an event.
pub(crate) async fn progress(entry: &Entry, event_id: &str) -> Result<Progress, Error> {
    let found = read(entry, event_id).await?;
    Ok(found.map_or_else(Progress::default, |found| Progress {
        tally: found.tally,
        decided_until: found.decided_until,
    }))
}

/// Counts results without holding the lease.
pub(crate) fn count(event_id: &str, tally: Tally) -> Operation {
    counting(event_id, tally, Vec::new())
}

impl Lease {
    /// Checks that the lease is still ours.
    pub(crate) fn check(&self) -> Operation {
        Operation::Check { entity: LEASE.into(), key: key(&self.event_id), guards: self.guards() }
    }

    /// Counts results, if the lease is still ours.
    pub(crate) fn count(&self, tally: Tally) -> Operation {
        counting(&self.event_id, tally, self.guards())
    }

    /// Counts results, if the lease is still ours and exactly this many have won before.
    pub(crate) fn count_after(&self, winners: i64, tally: Tally) -> Operation {
        let condition = Condition::unchanged(&name!("succeeded"), Some(&winners.into()));
        let mut guards = self.guards();
        guards.push(Guard { condition, otherwise: Reason::Other(out_of_order()) });
        counting(&self.event_id, tally, guards)
    }

    /// Extends the lease and records how far the event is decided.
    pub(crate) async fn renew(
        &mut self,
        entry: &Entry,
        decided_until: Option<Timestamp>,
    ) -> Result<(), Error> {
        let until = after(entry.now(), entry.settings.lease);
        let mut changes = vec![set(name!("expiresAt"), time(until))];
        if let Some(at) = decided_until.filter(|at| self.decided_until.is_none_or(|known| *at > known)) {
            changes.push(set(name!("decidedUntil"), time(at)));
            self.decided_until = Some(at);
        }
        self.change(entry, changes).await
    }

    /// Records since when there are no unsent requests.
    pub(crate) async fn quiet(&mut self, entry: &Entry, since: Option<Timestamp>) -> Result<(), Error> {
        if self.quiet_since == since {
            return Ok(());
        }
        self.quiet_since = since;
        let change = since.map_or_else(
            || crate::fields::remove(name!("quietSince")),
            |at| set(name!("quietSince"), time(at)),
        );
        self.change(entry, vec![change]).await
    }

    /// Releases the lease. If that fails, it expires.
    pub(crate) async fn release(self, entry: &Entry) {
        let _ = self.change(entry, vec![set(name!("expiresAt"), time(entry.now()))]).await;
    }

    async fn change(
        &self,
        entry: &Entry,
        changes: Vec<(hansang_core::plan::Path, hansang_core::plan::Change)>,
    ) -> Result<(), Error> {
        let update = Update { key: key(&self.event_id), changes, expected_version: None };
        let update = Operation::Update { entity: LEASE.into(), update, guards: self.guards() };
        let mut retries = 0;
        loop {
            // It can be repeated: the guards fail only for another owner.
            match entry.db.commit(vec![update.clone()]).await.map_err(Error::from) {
                Err(error) if is_transient(&error) && retries < MAX_RETRIES => retries += 1,
                other => return other,
            }
            backoff(retries).await;
        }
    }

    fn guards(&self) -> Vec<Guard> {
        vec![
            guard(name!("fence"), Comparison::Equal, self.fence, lost()),
            guard(name!("owner"), Comparison::Equal, self.owner.as_str(), lost()),
        ]
    }
}

fn counting(event_id: &str, tally: Tally, guards: Vec<Guard>) -> Operation {
    let counts = [
        (name!("succeeded"), tally.succeeded),
        (name!("rejected"), tally.rejected),
        (name!("failed"), tally.failed),
    ];
    let changes = counts.into_iter().filter(|(_, count)| *count != 0).map(|(name, count)| add(name, count));
    let update = Update { key: key(event_id), changes: changes.collect(), expected_version: None };
    Operation::Update { entity: LEASE.into(), update, guards }
}

async fn read(entry: &Entry, event_id: &str) -> Result<Option<StoredLease>, Error> {
    let options = GetOptions { consistent: true, fields: None };
    let record = entry.db.get(LEASE, &key(event_id), &options).await?;
    record.map(|record| record.typed()).transpose()
}

fn key(event_id: &str) -> Item {
    item([(name!("eventId"), event_id.into())])
}

/// The winners before these are not stored yet.
fn out_of_order() -> Error {
    Error::conflict(EntryCode::MovedMeanwhile, message!(messages::REQUEST_CHANGED))
}

fn lost() -> Error {
    Error::conflict(EntryCode::LeaseLost, message!(messages::LEASE_LOST))
}
