//! Deciding what is due, in the order in which the queue took it, by one process an event at a time.
//!
//! Requests are claimed (PROCESSING) and then decided, each in transactions of as many as fit. A place is given in the
//! transaction that takes it from the capacity, and nobody is refused but in one that finds the capacity empty. Whatever
//! fails on the way, what is stored then tells what is left to do.

use std::time::Duration;

use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use hansang_core::db::{Ask, Operation};
use hansang_core::read::MAX_PAGE;
use hansang_core::{Error, name};
use jiff::Timestamp;

use crate::ended::Ended;
use crate::event::{Event, EventStatus, EventType, need};
use crate::fields::{before, item, time};
use crate::lease::{self, Lease};
use crate::{Entry, Request, Status, lottery};

mod batch;
mod claim;

pub(crate) use batch::Rule;
use claim::Claimed;
pub(crate) use claim::fail;

/// The most requests of one transaction: two writes for each, the capacity and the lease.
pub(crate) const MOST: usize = 49;
/// The most pages of one call, so that whoever decides also does other things.
const PAGES: usize = 16;
/// How often something is tried that may pass by itself.
const TRIES: u32 = 6;

/// What came of deciding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decided {
    /// Everything that was due is decided.
    All,
    /// There is more to decide.
    More,
    /// Another process decides this event.
    Elsewhere,
    /// Nothing is to be decided now: the event stands still, or its draw is not due.
    Waiting,
}

/// Why deciding ended early.
#[derive(Debug)]
pub(crate) enum Stop {
    /// Another process decides this event now.
    Lost,
    /// Something does not work.
    Failed(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        if error.code == "lease_lost" { Self::Lost } else { Self::Failed(error) }
    }
}

/// A page of requests that are claimed and wait for their results.
struct Ahead {
    claimed: Claimed,
    /// When the last of the page was queued.
    last: Option<Timestamp>,
    /// Where the page behind it starts.
    next: Option<String>,
}

/// Whoever decides an event.
pub(crate) struct Decider<'a> {
    pub(crate) entry: &'a Entry,
    pub(crate) event: &'a Event,
    pub(crate) lease: Lease,
    /// Where it is noted who has a result.
    pub(crate) ended: &'a Ended,
}

/// Decides what is due of an event, if nobody else does. `named` are requests that are known to wait, for those that no
/// index shows yet. The owner must be another one in every task.
///
/// # Errors
/// That there is no such event; an outage. What was decided until then stays decided.
pub async fn decide(entry: &Entry, event_id: &str, owner: &str, named: &[Request]) -> Result<Decided, Error> {
    decide_noting(entry, event_id, owner, named, &Ended::default()).await
}

/// As [`decide`], and notes who has a result.
pub(crate) async fn decide_noting(
    entry: &Entry,
    event_id: &str,
    owner: &str,
    named: &[Request],
    ended: &Ended,
) -> Result<Decided, Error> {
    let event = need(entry, event_id, true).await?;
    let stands = event.status == EventStatus::Paused;
    if stands || (event.event_type == EventType::Lottery && entry.now() < event.draws_at()) {
        return Ok(Decided::Waiting);
    }
    let Some(lease) = lease::acquire(entry, event_id, owner).await? else { return Ok(Decided::Elsewhere) };
    let mut decider = Decider { entry, event: &event, lease, ended };
    let decided = match event.event_type {
        EventType::FirstCome => decider.first_come(named).await,
        EventType::Lottery => lottery::draw::draw(&mut decider, named).await,
    };
    let answer = match decided {
        Err(Stop::Lost) => return Ok(Decided::Elsewhere),
        Err(Stop::Failed(error)) => Err(error),
        Ok(decided) => Ok(decided),
    };
    decider.lease.release(entry).await;
    answer
}

impl Decider<'_> {
    async fn first_come(&mut self, named: &[Request]) -> Result<Decided, Stop> {
        let due = before(self.entry.now(), self.event.settle);
        let from = self.lease.decided_until;
        let is_due =
            |at: Option<Timestamp>| at.is_some_and(|at| at <= due && from.is_some_and(|from| at < from));
        let mut late: Vec<Request> =
            named.iter().filter(|one| is_undecided(one) && is_due(one.queued_at)).cloned().collect();
        late.sort_by(|one, other| (one.queued_at, &one.id).cmp(&(other.queued_at, &other.id)));
        self.settle(late, &Rule::Capacity).await?;
        let mut ahead = self.ahead(from, due, None).await?;
        for pages in 1.. {
            let Ahead { claimed, last, next } = ahead;
            let following = next.clone().filter(|_| pages < PAGES);
            let give = self.give(claimed.ours, &Rule::Capacity);
            let (given, claims) = match following {
                // While those before them get their results, the next are claimed.
                Some(cursor) if self.entry.settings.parallel > 1 => {
                    let (given, claims) = tokio::join!(give, self.ahead(from, due, Some(cursor)));
                    (given?, Some(claims?))
                }
                // Where transactions that meet on the lease refuse each other, one comes after the other.
                Some(cursor) => (give.await?, Some(self.ahead(from, due, Some(cursor)).await?)),
                None => (give.await?, None),
            };
            self.lease.renew(self.entry, last.filter(|_| given && claimed.all)).await?;
            match claims {
                Some(claims) => ahead = claims,
                None if next.is_some() => return Ok(Decided::More),
                None => break,
            }
        }
        Ok(Decided::All)
    }

    /// The next page of what is due, claimed.
    async fn ahead(
        &self,
        from: Option<Timestamp>,
        due: Timestamp,
        cursor: Option<String>,
    ) -> Result<Ahead, Stop> {
        let page = self.due(from, due, cursor).await?;
        let last = page.requests.last().and_then(|request| request.queued_at);
        let claimed = self.claims(page.requests.into_iter().filter(is_undecided).collect()).await?;
        Ok(Ahead { claimed, last, next: page.next })
    }

    /// A page of the event's requests that were queued between two times, in order.
    pub(crate) async fn due(
        &self,
        from: Option<Timestamp>,
        to: Timestamp,
        cursor: Option<String>,
    ) -> Result<crate::RequestPage, Error> {
        let mut arguments =
            item([(name!("eventId"), self.event.id.as_str().into()), (name!("to"), time(to).into())]);
        if let Some(from) = from {
            arguments.insert(name!("from"), time(from.min(to)).into());
        }
        let limit = u32::try_from(self.batch() * self.entry.settings.parallel.max(2)).unwrap_or(MAX_PAGE);
        let ask = Ask { limit: Some(limit.min(MAX_PAGE)), cursor, ..Ask::default() };
        let listing = self.entry.db.query("requestsOfEvent", arguments, ask).await?;
        let requests = listing.records.iter().map(Request::of).collect::<Result<_, _>>()?;
        Ok(crate::RequestPage { requests, next: listing.next, previous: listing.previous })
    }

    /// Decides these requests, in this order. Says whether all of them have a result now; one that cannot be
    /// written stays behind, and its message brings it back.
    pub(crate) async fn settle(&self, requests: Vec<Request>, rule: &Rule) -> Result<bool, Stop> {
        let Claimed { ours, all } = self.claims(requests).await?;
        Ok(self.give(ours, rule).await? && all)
    }

    /// Claims these requests, as many at once as the store takes.
    async fn claims(&self, requests: Vec<Request>) -> Result<Claimed, Stop> {
        let requests = self.take_over(requests).await?;
        let parallel = self.entry.settings.parallel.max(1);
        let chunks: Vec<Vec<Request>> = requests.chunks(self.batch()).map(<[Request]>::to_vec).collect();
        // A closure that is kept while others wait would keep this from running on another thread.
        let claims: Vec<_> = chunks.into_iter().map(|chunk| self.claim(chunk)).collect();
        let claims: Vec<Claimed> = stream::iter(claims).buffered(parallel).try_collect().await?;
        let all = claims.iter().all(|claimed| claimed.all);
        Ok(Claimed { ours: claims.into_iter().flat_map(|claimed| claimed.ours).collect(), all })
    }

    /// How many requests a transaction has.
    fn batch(&self) -> usize {
        self.entry.settings.batch.clamp(1, MOST)
    }

    /// These requests as they are stored now.
    pub(crate) async fn again(&self, requests: &[Request]) -> Result<Vec<Request>, Error> {
        let ids: Vec<String> = requests.iter().map(|request| request.id.clone()).collect();
        let found = crate::request::load_all(self.entry, &ids).await?;
        Ok(found.into_iter().flatten().collect())
    }

    pub(crate) fn is_ours(&self, request: &Request) -> bool {
        request.status == Status::Processing && request.lease_owner.as_deref() == Some(&*self.lease.owner)
    }
}

/// Whether a request waits for its result.
pub(crate) fn is_undecided(request: &Request) -> bool {
    matches!(request.status, Status::Queued | Status::Processing)
}

/// A pause that grows with every try.
pub(crate) async fn pause(tries: u32) {
    tokio::time::sleep(Duration::from_millis(20) * 2_u32.pow(tries.min(6))).await;
}

/// Whether what is stored now tells how to go on after a write that was refused so.
fn is_stale(operations_error: &Error) -> bool {
    [
        "moved_meanwhile",
        "wrong_state",
        "already_exists",
        "capacity_changed",
        "rule_broken",
        "changed_meanwhile",
    ]
    .contains(&operations_error.code.as_str())
}

/// The writes of many steps.
fn flat(operations: impl IntoIterator<Item = [Operation; 2]>) -> impl Iterator<Item = Operation> {
    operations.into_iter().flatten()
}
