//! Claims requests, and takes over those of earlier owners.

use std::time::Duration;

use hansang_core::{Error, name};

use super::{Decider, MAX_RETRIES, Stop, backoff, flat, is_stale};
use crate::fields::{after, remove, set, time};
use crate::lease::{self, Tally};
use crate::moves::{Transition, is_transient};
use crate::{Entry, EntryCode, FailureClass, Reason, Request, ResultCode, Status};

/// Claimed requests.
pub(super) struct Claimed {
    /// The requests that are ours now, in order.
    pub(super) ours: Vec<Request>,
    /// Whether none of the others is undecided.
    pub(super) all: bool,
}

impl Decider<'_> {
    /// Requeues requests that an earlier owner of the lease claimed, because it can no longer decide them. Requests with
    /// too many attempts fail. Returns the undecided requests as they are stored now.
    pub(super) async fn take_over(&self, mut requests: Vec<Request>) -> Result<Vec<Request>, Stop> {
        let mut retries = 0;
        loop {
            let is_foreign = |one: &Request| one.status == Status::Processing && !self.is_ours(one);
            let stranded: Vec<&Request> = requests.iter().filter(|one| is_foreign(one)).collect();
            if stranded.is_empty() {
                return Ok(requests);
            }
            let mut written = Ok(());
            for chunk in stranded.chunks(self.batch()) {
                written = self.requeue(chunk).await;
                if written.is_err() {
                    break;
                }
            }
            match written {
                Ok(()) => {}
                Err(error) if error.code == EntryCode::LeaseLost => return Err(Stop::Lost),
                Err(error) if retries == MAX_RETRIES || !(is_transient(&error) || is_stale(&error)) => {
                    return Err(Stop::Failed(error));
                }
                Err(_) => {
                    retries += 1;
                    backoff(retries).await;
                }
            }
            requests = self.reload(&requests).await?;
            requests.retain(super::is_undecided);
        }
    }

    async fn requeue(&self, stranded: &[&Request]) -> Result<(), Error> {
        let max = i64::from(self.entry.settings.max_attempts);
        let mut tally = Tally::default();
        let mut transitions = Vec::new();
        for request in stranded {
            if request.attempts >= max {
                tally.failed += 1;
                let reason = Reason::WorkersStopped(request.attempts);
                let (result, class) = (ResultCode::FailedWorker, FailureClass::Retryable);
                transitions.push(Transition::fail(self.entry, request, result, class, &reason));
            } else {
                let mut transition = Transition::new(self.entry, request, Status::Queued);
                // After the claim, even if its clock was ahead of ours: log lines of one millisecond are sorted in
                // lifecycle order, and this transition goes back.
                transition.at = transition.at.max(after(request.latest(), Duration::from_millis(1)));
                transition.changes =
                    vec![remove(name!("leaseOwner")), set(name!("leaseUntil"), time(transition.at))];
                let owner = request.lease_owner.clone();
                transition.reason = Some(owner.map_or(Reason::Undecided, Reason::WorkerStopped));
                transitions.push(transition);
            }
        }
        let first = if tally == Tally::default() { self.lease.check() } else { self.lease.count(tally) };
        let transitions = transitions.into_iter().map(|transition| transition.operations(self.entry));
        let operations = std::iter::once(first).chain(flat(transitions)).collect();
        Ok(self.entry.db.commit(operations).await?)
    }

    /// Claims a batch of requests.
    pub(super) async fn claim_batch(&self, mut requests: Vec<Request>) -> Result<Claimed, Stop> {
        let mut retries = 0;
        loop {
            let waiting: Vec<&Request> =
                requests.iter().filter(|request| request.status == Status::Queued).collect();
            if waiting.is_empty() {
                requests.retain(|request| self.is_ours(request));
                return Ok(Claimed { ours: requests, all: true });
            }
            let error = match self.try_claim(&waiting).await {
                Ok(claimed_requests) => {
                    // Both are in the same order.
                    let waiting = requests.iter_mut().filter(|request| request.status == Status::Queued);
                    waiting
                        .zip(claimed_requests)
                        .for_each(|(request, claimed_requests)| *request = claimed_requests);
                    continue;
                }
                Err(error) => error,
            };
            if error.code == EntryCode::LeaseLost {
                return Err(Stop::Lost);
            }
            if !(is_transient(&error) || is_stale(&error)) {
                return self.one_by_one(requests, error).await;
            }
            if retries == MAX_RETRIES {
                return Err(Stop::Failed(error));
            }
            retries += 1;
            backoff(retries).await;
            // A lagging index showed some as queued that an earlier owner had claimed.
            requests = self.take_over(self.reload(&requests).await?).await?;
        }
    }

    /// Splits a batch in which one request cannot be written.
    async fn one_by_one(&self, mut requests: Vec<Request>, error: Error) -> Result<Claimed, Stop> {
        if requests.len() == 1 {
            tracing::error!(%error, request = requests[0].id, "request cannot be claimed");
            return Ok(Claimed { ours: Vec::new(), all: false });
        }
        let rest = requests.split_off(requests.len() / 2);
        let mut claimed = Box::pin(self.claim_batch(requests)).await?;
        let rest = Box::pin(self.claim_batch(rest)).await?;
        claimed.ours.extend(rest.ours);
        claimed.all &= rest.all;
        Ok(claimed)
    }

    async fn try_claim(&self, waiting: &[&Request]) -> Result<Vec<Request>, Error> {
        let until = time(after(self.entry.now(), self.entry.settings.lease));
        let mut claimed_requests = Vec::with_capacity(waiting.len());
        let mut operations = Vec::with_capacity(waiting.len() * 2 + 1);
        operations.push(self.lease.check());
        for request in waiting {
            let mut transition = Transition::new(self.entry, request, Status::Processing);
            transition.changes = vec![
                set(name!("startedAt"), time(transition.at)),
                set(name!("leaseOwner"), self.lease.owner.as_str()),
                set(name!("leaseUntil"), until.as_str()),
                set(name!("attempts"), request.attempts + 1),
            ];
            claimed_requests.push(Request {
                status: Status::Processing,
                started_at: Some(transition.at),
                lease_owner: Some(self.lease.owner.clone()),
                attempts: request.attempts + 1,
                ..(*request).clone()
            });
            operations.extend(transition.operations(self.entry));
        }
        self.entry.db.commit(operations).await?;
        Ok(claimed_requests)
    }
}

/// Fails a request that could not be decided. The write fails if the holder of the lease decides it at the same time.
pub(crate) async fn fail(
    entry: &Entry,
    request: &Request,
    class: FailureClass,
    reason: &Reason,
) -> Result<(), Error> {
    let mut request = request.clone();
    if request.status == Status::Queued {
        // The lifecycle has no transition from `QUEUED` to `FAILED_FINAL`.
        let mut transition = Transition::new(entry, &request, Status::Processing);
        let at = transition.at;
        transition.changes = vec![set(name!("startedAt"), time(at))];
        entry.db.commit(transition.operations(entry).to_vec()).await?;
        request = Request { status: Status::Processing, started_at: Some(at), ..request };
    }
    let transition = Transition::fail(entry, &request, ResultCode::FailedWorker, class, reason);
    let mut operations = transition.operations(entry).to_vec();
    operations.push(lease::count(&request.event_id, Tally { failed: 1, ..Tally::default() }));
    Ok(entry.db.commit(operations).await?)
}
