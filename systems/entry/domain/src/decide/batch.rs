//! Giving results to claimed requests.

use std::collections::HashSet;

use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use hansang_core::db::Operation;
use hansang_core::plan::Comparison;
use hansang_core::write::Update;
use hansang_core::{Error, name};

use super::{Decider, Stop, TRIES, flat, is_stale, pause};
use crate::event::{capacity, unknown};
use crate::fields::{add, guard, item};
use crate::lease::Tally;
use crate::moves::{Move, is_passing};
use crate::{Request, ResultCode};

/// Who gets a place.
pub(crate) enum Rule {
    /// Whoever comes first, as long as there are places.
    Capacity,
    /// Whoever was drawn.
    Drawn(HashSet<String>),
}

/// Requests that are decided in one transaction.
struct Batch<'r> {
    requests: &'r [Request],
    results: Vec<ResultCode>,
    /// What it needs of the capacity.
    places: Option<Places>,
}

/// What a transaction needs of the capacity.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Places {
    /// At least so many places, all of which it gives.
    AtLeast(i64),
    /// Exactly so many, because it refuses somebody behind those who get them. It may be none.
    Exactly(i64),
}

impl Decider<'_> {
    /// Gives every one of these requests its result. Says whether all have one now.
    pub(super) async fn give(&self, mut requests: Vec<Request>, rule: &Rule) -> Result<bool, Stop> {
        let mut tries = 0;
        while !requests.is_empty() {
            let error = match self.give_once(&requests, rule).await {
                Ok(()) => return Ok(true),
                Err(error) => error,
            };
            if error.code == "lease_lost" {
                return Err(Stop::Lost);
            }
            if !(is_passing(&error) || is_stale(&error)) {
                return self.give_one_by_one(requests, rule, error).await;
            }
            if tries == TRIES {
                return Err(Stop::Failed(error));
            }
            tries += 1;
            pause(tries).await;
            requests = self.again(&requests).await?;
            // One that was put back waits again, before those behind it: they must not get what it is due.
            if requests.iter().any(|request| super::is_undecided(request) && !self.is_ours(request)) {
                return Err(Stop::Failed(put_back()));
            }
            requests.retain(|request| self.is_ours(request));
        }
        Ok(true)
    }

    /// Where the result of one request of many cannot be written, those of the others still can.
    async fn give_one_by_one(&self, requests: Vec<Request>, rule: &Rule, error: Error) -> Result<bool, Stop> {
        if let [request] = &*requests {
            tracing::error!(%error, request = request.id, "a request cannot be decided");
            return Ok(false);
        }
        let mut all = true;
        for request in requests {
            all &= Box::pin(self.give(vec![request], rule)).await?;
        }
        Ok(all)
    }

    /// All who get a place may get it at once, and all who get none; only between the two is an order.
    async fn give_once(&self, requests: &[Request], rule: &Rule) -> Result<(), Error> {
        let batches = self.plan(requests, rule).await?;
        let kind = |batch: &Batch<'_>| match batch.places {
            None | Some(Places::AtLeast(_)) => 0,
            Some(Places::Exactly(0)) => 2,
            Some(Places::Exactly(_)) => 1,
        };
        let parallel = self.entry.settings.parallel.max(1);
        for stage in 0..3 {
            let now = batches.iter().filter(|batch| kind(batch) == stage);
            let writes: Vec<_> = now.map(|batch| self.write(batch)).collect();
            // Whoever comes behind one that failed waits for it.
            stream::iter(writes).buffered(parallel).try_collect::<Vec<()>>().await?;
        }
        Ok(())
    }

    async fn plan<'r>(&self, requests: &'r [Request], rule: &Rule) -> Result<Vec<Batch<'r>>, Error> {
        let drawn = match rule {
            Rule::Drawn(drawn) => drawn,
            Rule::Capacity => {
                let left =
                    capacity(self.entry, &self.event.id).await?.ok_or_else(|| unknown(&self.event.id))?;
                return Ok(by_capacity(requests, self.batch(), left.remaining));
            }
        };
        let result = |request: &Request| {
            if drawn.contains(&request.id) { ResultCode::Success } else { ResultCode::RejectedLotteryLose }
        };
        let batch = |requests: &'r [Request]| Batch {
            requests,
            results: requests.iter().map(result).collect(),
            places: None,
        };
        Ok(requests.chunks(self.batch()).map(batch).collect())
    }

    async fn write(&self, batch: &Batch<'_>) -> Result<(), Error> {
        let given = batch.results.iter().filter(|result| **result == ResultCode::Success).count();
        let tally = Tally {
            succeeded: i64::try_from(given).unwrap_or_default(),
            rejected: i64::try_from(batch.results.len() - given).unwrap_or_default(),
            failed: 0,
        };
        let mut operations = vec![self.lease.count(tally)];
        operations.extend(batch.places.map(|places| self.take(places)));
        let steps = batch
            .requests
            .iter()
            .zip(&batch.results)
            .map(|(request, result)| Move::end(self.entry, request, *result).operations(self.entry));
        operations.extend(flat(steps));
        self.entry.db.commit(operations).await?;
        self.ended.note(batch.requests.iter().map(|request| &*request.id));
        Ok(())
    }

    /// Takes places from the capacity.
    fn take(&self, places: Places) -> Operation {
        let changed =
            || Error::conflict("capacity_changed", "the places of the event were changed meanwhile");
        let remaining =
            |comparison, number: i64| vec![guard(name!("capacityRemaining"), comparison, number, changed())];
        let (entity, key) =
            ("EventCapacity".into(), item([(name!("eventId"), self.event.id.as_str().into())]));
        let (number, guards) = match places {
            Places::Exactly(0) => {
                return Operation::Check { entity, key, guards: remaining(Comparison::AtMost, 0) };
            }
            Places::Exactly(number) => (number, remaining(Comparison::Equal, number)),
            Places::AtLeast(number) => (number, remaining(Comparison::AtLeast, number)),
        };
        let changes = vec![add(name!("capacityRemaining"), -number)];
        Operation::Update { entity, update: Update { key, changes, expected_version: None }, guards }
    }
}

/// Whoever decides has to begin again.
fn put_back() -> Error {
    Error::unavailable("put_back", "a request was put back while it was decided: it is decided again")
}

/// The first get the places that are left, the others none.
fn by_capacity(requests: &[Request], most: usize, remaining: i64) -> Vec<Batch<'_>> {
    let mut left = usize::try_from(remaining).unwrap_or_default();
    let mut batches = Vec::with_capacity(requests.len().div_ceil(most));
    for requests in requests.chunks(most) {
        let given = left.min(requests.len());
        left -= given;
        let result =
            |place: usize| if place < given { ResultCode::Success } else { ResultCode::RejectedCapacity };
        let number = i64::try_from(given).unwrap_or_default();
        let places = if given == requests.len() { Places::AtLeast(number) } else { Places::Exactly(number) };
        let results = (0..requests.len()).map(result).collect();
        batches.push(Batch { requests, results, places: Some(places) });
    }
    batches
}
