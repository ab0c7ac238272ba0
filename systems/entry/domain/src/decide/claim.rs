//! Claiming requests, and taking over those of a process that is gone.

use std::time::Duration;

use hansang_core::{Error, name};

use super::{Decider, Stop, TRIES, flat, is_stale, pause};
use crate::fields::{after, remove, set, time};
use crate::lease::{self, Tally};
use crate::moves::{Move, is_passing};
use crate::{Entry, FailureClass, Request, ResultCode, Status};

/// Requests that were claimed.
pub(super) struct Claimed {
    /// Those that are ours now, in their order.
    pub(super) ours: Vec<Request>,
    /// Whether none of the others still waits.
    pub(super) all: bool,
}

impl Decider<'_> {
    /// Requests that another process began are as if nobody had begun them: it has lost its lease, so it cannot
    /// end them. Those that were begun too often have failed. Gives the others, as they are now.
    pub(super) async fn take_over(&self, mut requests: Vec<Request>) -> Result<Vec<Request>, Stop> {
        let mut tries = 0;
        loop {
            let theirs = |one: &Request| one.status == Status::Processing && !self.is_ours(one);
            let stranded: Vec<&Request> = requests.iter().filter(|one| theirs(one)).collect();
            if stranded.is_empty() {
                return Ok(requests);
            }
            let mut written = Ok(());
            for chunk in stranded.chunks(self.batch()) {
                written = self.put_back(chunk).await;
                if written.is_err() {
                    break;
                }
            }
            match written {
                Ok(()) => {}
                Err(error) if error.code == "lease_lost" => return Err(Stop::Lost),
                Err(error) if tries == TRIES || !(is_passing(&error) || is_stale(&error)) => {
                    return Err(Stop::Failed(error));
                }
                Err(_) => {
                    tries += 1;
                    pause(tries).await;
                }
            }
            requests = self.again(&requests).await?;
            requests.retain(super::is_undecided);
        }
    }

    async fn put_back(&self, stranded: &[&Request]) -> Result<(), Error> {
        let max = i64::from(self.entry.settings.max_attempts);
        let mut tally = Tally::default();
        let mut steps = Vec::new();
        for request in stranded {
            let owner = request.lease_owner.as_deref().unwrap_or("somebody");
            if request.attempts >= max {
                tally.failed += 1;
                let message =
                    format!("{} workers began to decide this request and stopped", request.attempts);
                let (result, class) = (ResultCode::FailedWorker, FailureClass::Retryable);
                steps.push(Move::fail(self.entry, request, result, class, &message));
            } else {
                let mut step = Move::new(self.entry, request, Status::Queued);
                // Behind the claim also where that was made by a clock ahead of ours: in one millisecond a log goes
                // forward, and this goes back.
                step.at = step.at.max(after(request.latest(), Duration::from_millis(1)));
                step.changes = vec![remove(name!("leaseOwner")), set(name!("leaseUntil"), time(step.at))];
                step.reason = Some(format!("{owner} stopped before it was decided"));
                steps.push(step);
            }
        }
        let first = if tally == Tally::default() { self.lease.check() } else { self.lease.count(tally) };
        let steps = steps.into_iter().map(|step| step.operations(self.entry));
        let operations = std::iter::once(first).chain(flat(steps)).collect();
        Ok(self.entry.db.commit(operations).await?)
    }

    /// Claims requests.
    pub(super) async fn claim(&self, mut requests: Vec<Request>) -> Result<Claimed, Stop> {
        let mut tries = 0;
        loop {
            let waiting: Vec<&Request> =
                requests.iter().filter(|request| request.status == Status::Queued).collect();
            if waiting.is_empty() {
                requests.retain(|request| self.is_ours(request));
                return Ok(Claimed { ours: requests, all: true });
            }
            let error = match self.begin(&waiting).await {
                Ok(begun) => {
                    // They are in the order of those that waited.
                    let waiting = requests.iter_mut().filter(|request| request.status == Status::Queued);
                    waiting.zip(begun).for_each(|(request, begun)| *request = begun);
                    continue;
                }
                Err(error) => error,
            };
            if error.code == "lease_lost" {
                return Err(Stop::Lost);
            }
            if !(is_passing(&error) || is_stale(&error)) {
                return self.one_by_one(requests, error).await;
            }
            if tries == TRIES {
                return Err(Stop::Failed(error));
            }
            tries += 1;
            pause(tries).await;
            // An index that lags showed some as waiting that another process had begun: they come first all the same.
            requests = self.take_over(self.again(&requests).await?).await?;
        }
    }

    /// Where one request of many cannot be written, the others still can.
    async fn one_by_one(&self, mut requests: Vec<Request>, error: Error) -> Result<Claimed, Stop> {
        if requests.len() == 1 {
            tracing::error!(%error, request = requests[0].id, "a request cannot be claimed");
            return Ok(Claimed { ours: Vec::new(), all: false });
        }
        let rest = requests.split_off(requests.len() / 2);
        let mut claimed = Box::pin(self.claim(requests)).await?;
        let rest = Box::pin(self.claim(rest)).await?;
        claimed.ours.extend(rest.ours);
        claimed.all &= rest.all;
        Ok(claimed)
    }

    async fn begin(&self, waiting: &[&Request]) -> Result<Vec<Request>, Error> {
        let until = time(after(self.entry.now(), self.entry.settings.lease));
        let mut begun = Vec::with_capacity(waiting.len());
        let mut operations = Vec::with_capacity(waiting.len() * 2 + 1);
        operations.push(self.lease.check());
        for request in waiting {
            let mut step = Move::new(self.entry, request, Status::Processing);
            step.changes = vec![
                set(name!("startedAt"), time(step.at)),
                set(name!("leaseOwner"), self.lease.owner.as_str()),
                set(name!("leaseUntil"), until.as_str()),
                set(name!("attempts"), request.attempts + 1),
            ];
            begun.push(Request {
                status: Status::Processing,
                started_at: Some(step.at),
                lease_owner: Some(self.lease.owner.clone()),
                attempts: request.attempts + 1,
                ..(*request).clone()
            });
            operations.extend(step.operations(self.entry));
        }
        self.entry.db.commit(operations).await?;
        Ok(begun)
    }
}

/// Ends a request that could not be decided. Whoever holds the event's lease may be deciding it: then this is refused.
pub(crate) async fn fail(
    entry: &Entry,
    request: &Request,
    class: FailureClass,
    message: &str,
) -> Result<(), Error> {
    let mut request = request.clone();
    if request.status == Status::Queued {
        // Its life has an order: nothing fails that nobody began.
        let step = Move::new(entry, &request, Status::Processing);
        let at = step.at;
        entry.db.commit(step.operations(entry).to_vec()).await?;
        request = Request { status: Status::Processing, started_at: Some(at), ..request };
    }
    let step = Move::fail(entry, &request, ResultCode::FailedWorker, class, message);
    let mut operations = step.operations(entry).to_vec();
    operations.push(lease::count(&request.event_id, Tally { failed: 1, ..Tally::default() }));
    Ok(entry.db.commit(operations).await?)
}
