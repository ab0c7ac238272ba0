//! Writes the results of claimed requests.

use std::collections::HashSet;

use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use hansang_core::db::Operation;
use hansang_core::plan::{Comparison, Guard};
use hansang_core::write::Update;
use hansang_core::{Error, Item, message, name};

use super::{Decider, MAX_RETRIES, Stop, backoff, flat, is_stale};
use crate::event::{capacity, unknown};
use crate::events::capacity_changed;
use crate::fields::{add, guard, item};
use crate::lease::{self, Tally};
use crate::moves::{Transition, is_transient};
use crate::{EntryCode, Request, ResultCode, messages};

/// The rule that selects the winners.
pub(crate) enum Rule {
    /// First come, first served, while capacity is left.
    Capacity,
    /// The drawn requests.
    Drawn(HashSet<String>),
}

/// The requests of one transaction.
struct Batch<'r> {
    requests: &'r [Request],
    results: Vec<ResultCode>,
    /// The seats that it takes.
    seats: Option<Seats>,
    /// The number of winners before it, if their order matters.
    after: Option<i64>,
}

/// The seats that a transaction takes, and its condition on the remaining capacity.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seats {
    /// Needs at least this many seats and takes them.
    AtLeast(i64),
    /// Takes exactly the remaining seats, possibly zero, because it also rejects requests.
    Exactly(i64),
}

impl Decider<'_> {
    /// Writes the results of these requests. Returns whether all are decided.
    pub(super) async fn write_results(&self, mut requests: Vec<Request>, rule: &Rule) -> Result<bool, Stop> {
        let mut retries = 0;
        while !requests.is_empty() {
            let error = match self.write_results_once(&requests, rule).await {
                Ok(()) => return Ok(true),
                Err(error) => error,
            };
            if error.code == EntryCode::LeaseLost {
                return Err(Stop::Lost);
            }
            if !(is_transient(&error) || is_stale(&error)) {
                return self.write_one_by_one(requests, rule, error).await;
            }
            if retries == MAX_RETRIES {
                return Err(Stop::Failed(error));
            }
            retries += 1;
            backoff(retries).await;
            requests = self.reload(&requests).await?;
            // A request that was given back comes before the ones behind it: they must not get its seat.
            if requests.iter().any(|request| super::is_undecided(request) && !self.is_ours(request)) {
                return Err(Stop::Failed(given_back()));
            }
            requests.retain(|request| self.is_ours(request));
        }
        Ok(true)
    }

    /// Writes the results one by one, because one of them cannot be written.
    async fn write_one_by_one(
        &self,
        requests: Vec<Request>,
        rule: &Rule,
        error: Error,
    ) -> Result<bool, Stop> {
        if let [request] = &*requests {
            tracing::error!(%error, request = request.id, "request cannot be decided");
            return Ok(false);
        }
        let mut all = true;
        for request in requests {
            all &= Box::pin(self.write_results(vec![request], rule)).await?;
        }
        Ok(all)
    }

    /// Winners are sent concurrently, and each batch is conditional on those before it: if one of them fails and seats are
    /// taken away, a later request must not have got one. Rejections follow the winners, in any order.
    async fn write_results_once(&self, requests: &[Request], rule: &Rule) -> Result<(), Error> {
        let batches = self.plan(requests, rule).await?;
        let kind = |batch: &Batch<'_>| match batch.seats {
            None | Some(Seats::AtLeast(_)) => 0,
            Some(Seats::Exactly(0)) => 2,
            Some(Seats::Exactly(_)) => 1,
        };
        let parallel = self.entry.settings.parallel.max(1);
        for stage in 0..3 {
            let now = batches.iter().filter(|batch| kind(batch) == stage);
            let writes: Vec<_> = now.map(|batch| self.write_batch(batch)).collect();
            // The next stage needs this one to succeed.
            stream::iter(writes).buffered(parallel).try_collect::<Vec<()>>().await?;
        }
        Ok(())
    }

    async fn plan<'r>(&self, requests: &'r [Request], rule: &Rule) -> Result<Vec<Batch<'r>>, Error> {
        let drawn = match rule {
            Rule::Drawn(drawn) => drawn,
            Rule::Capacity => {
                let id = &self.event.id;
                let left = capacity(self.entry, id).await?.ok_or_else(|| unknown(id))?;
                let before = lease::progress(self.entry, id).await?.tally.succeeded;
                return Ok(by_capacity(requests, self.batch(), left.remaining, before));
            }
        };
        let result = |request: &Request| {
            if drawn.contains(&request.id) { ResultCode::Success } else { ResultCode::RejectedLotteryLose }
        };
        let batch = |requests: &'r [Request]| Batch {
            requests,
            results: requests.iter().map(result).collect(),
            seats: None,
            after: None,
        };
        Ok(requests.chunks(self.batch()).map(batch).collect())
    }

    async fn write_batch(&self, batch: &Batch<'_>) -> Result<(), Error> {
        let winners = batch.results.iter().filter(|result| **result == ResultCode::Success).count();
        let tally = Tally {
            succeeded: i64::try_from(winners).unwrap_or_default(),
            rejected: i64::try_from(batch.results.len() - winners).unwrap_or_default(),
            failed: 0,
        };
        let counted = match batch.after {
            Some(winners) => self.lease.count_after(winners, tally),
            None => self.lease.count(tally),
        };
        let mut operations = vec![counted];
        operations.extend(batch.seats.map(|seats| self.take(seats)));
        let transitions =
            batch.requests.iter().zip(&batch.results).map(|(request, result)| {
                Transition::end(self.entry, request, *result).operations(self.entry)
            });
        operations.extend(flat(transitions));
        self.entry.db.commit(operations).await?;
        self.recent.insert(batch.requests.iter().map(|request| &*request.id));
        Ok(())
    }

    /// Takes seats from the capacity.
    fn take(&self, seats: Seats) -> Operation {
        let (number, guards) = match seats {
            Seats::Exactly(0) => return no_seats(&self.event.id),
            Seats::Exactly(number) => (number, remaining(Comparison::Equal, number)),
            Seats::AtLeast(number) => (number, remaining(Comparison::AtLeast, number)),
        };
        let changes = vec![add(name!("capacityRemaining"), -number)];
        let update = Update { key: key(&self.event.id), changes, expected_version: None };
        Operation::Update { entity: name!("EventCapacity"), update, guards }
    }
}

/// Checks that no seat is left.
pub(super) fn no_seats(event_id: &str) -> Operation {
    let guards = remaining(Comparison::AtMost, 0);
    Operation::Check { entity: name!("EventCapacity"), key: key(event_id), guards }
}

fn remaining(comparison: Comparison, number: i64) -> Vec<Guard> {
    vec![guard(name!("capacityRemaining"), comparison, number, capacity_changed())]
}

fn key(event_id: &str) -> Item {
    item([(name!("eventId"), event_id.into())])
}

/// A claimed request was given back, so that the decider has to start again.
fn given_back() -> Error {
    Error::unavailable(EntryCode::PutBack, message!(messages::GIVEN_BACK))
}

/// Gives the remaining seats to the first requests and rejects the others. `before` is the number of winners so far.
fn by_capacity(requests: &[Request], max_batch: usize, remaining: i64, mut before: i64) -> Vec<Batch<'_>> {
    let mut left = usize::try_from(remaining).unwrap_or_default();
    let mut batches = Vec::with_capacity(requests.len().div_ceil(max_batch));
    for requests in requests.chunks(max_batch) {
        let winners = left.min(requests.len());
        left -= winners;
        let result = |position: usize| {
            if position < winners { ResultCode::Success } else { ResultCode::RejectedCapacity }
        };
        let number = i64::try_from(winners).unwrap_or_default();
        let seats = if winners == requests.len() { Seats::AtLeast(number) } else { Seats::Exactly(number) };
        let results = (0..requests.len()).map(result).collect();
        batches.push(Batch { requests, results, seats: Some(seats), after: (winners > 0).then_some(before) });
        before += number;
    }
    batches
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use hansang_core::cursor::CursorKey;
    use hansang_core::{CoreCode, Db, compile};
    use hansang_testkit::memory::{Memory, MemoryQueue};
    use hansang_testkit::world::{self, Hazards, World};

    use super::*;
    use crate::ended::RecentlyDecided;
    use crate::events::{Allocation, NewEvent, create, resize};
    use crate::fields::{after, before};
    use crate::{Entry, MODEL, Settings, Status, find, lease, submit};

    /// Es4: a seat is taken and given in one transaction, and its refusal tells "sold out" from "already decided".
    #[test]
    fn a_refused_result_tells_sold_out_from_decided() {
        world::run(async {
            let world = World::new(1, Hazards::default());
            let model = Arc::new(compile(MODEL.as_bytes()).unwrap());
            let db = Db::new(model, None, Arc::new(Memory::new()), world.clock(0), CursorKey::new(b"tests"));
            db.ensure_table().await.unwrap();
            let queue = Arc::new(MemoryQueue::new(world.time(), 100));
            let entry = Entry { db, queue, settings: Settings::default() };
            let new = NewEvent {
                id: Some("e1".to_owned()),
                title: "An event".to_owned(),
                opens_at: before(entry.now(), Duration::from_secs(1)),
                closes_at: after(entry.now(), Duration::from_secs(600)),
                allocation: Allocation::FirstCome(2),
                settle: None,
            };
            let event = create(&entry, new).await.unwrap();
            for user in ["ann", "bob"] {
                submit(&entry, "e1", user).await.unwrap();
            }
            let lease = lease::acquire(&entry, "e1", "me").await.unwrap().unwrap();
            let recent = RecentlyDecided::default();
            let decider = Decider { entry: &entry, event: &event, lease, recent: &recent };
            let due = decider.due(None, entry.now(), None, 10).await.unwrap();
            let claimed =
                decider.claim_all(due.requests).await.unwrap_or_else(|stop| panic!("{stop:?}")).ours;
            assert_eq!(claimed.len(), 2);
            let winner = |position: usize| Batch {
                requests: &claimed[position..=position],
                results: vec![ResultCode::Success],
                seats: Some(Seats::AtLeast(1)),
                after: None,
            };
            // The seat of the first must not be taken away after the second has got one.
            let second = by_capacity(&claimed, 1, 2, 0).pop().unwrap();
            let too_early = decider.write_batch(&second).await.unwrap_err();
            assert_eq!(too_early.code, EntryCode::MovedMeanwhile, "{too_early:?}");
            decider.write_batch(&winner(0)).await.unwrap();
            let decided = decider.write_batch(&winner(0)).await.unwrap_err();
            assert_eq!(decided.code, CoreCode::WrongState, "{decided:?}");
            // Another process has claimed it since.
            let other = Request { lease_owner: Some("other".to_owned()), ..claimed[1].clone() };
            let requests = std::slice::from_ref(&other);
            let moved = decider.write_batch(&Batch { requests, ..winner(1) }).await.unwrap_err();
            assert_eq!(moved.code, EntryCode::MovedMeanwhile, "{moved:?}");
            let left = capacity(&entry, "e1").await.unwrap().unwrap();
            assert_eq!(left.remaining, 1, "a refused result takes no seat");
            let rejected = Batch {
                results: vec![ResultCode::RejectedCapacity],
                seats: Some(Seats::Exactly(0)),
                ..winner(1)
            };
            let too_early = decider.write_batch(&rejected).await.unwrap_err();
            assert_eq!(too_early.code, EntryCode::CapacityChanged, "{too_early:?}");
            resize(&entry, "e1", 1).await.unwrap();
            let sold_out = decider.write_batch(&winner(1)).await.unwrap_err();
            let fields: Vec<&str> = sold_out.violations.iter().map(|one| &*one.attribute).collect();
            assert_eq!((sold_out.code, &*fields), (CoreCode::RuleBroken.into(), &["capacityRemaining"][..]));
            assert_eq!(find(&entry, &claimed[1].id).await.unwrap().status, Status::Processing);
        });
    }
}
