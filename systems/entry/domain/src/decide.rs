//! Decides due requests in queue order. One process at a time decides an event.
//!
//! Requests are claimed (`PROCESSING`) and then decided, both in transactions of up to [`MAX_BATCH`] requests. A seat is
//! given in the transaction that takes it from the capacity, and a request is rejected only in a transaction that finds no
//! capacity left. Once no seat is left, requests are rejected without a claim. After any failure the stored state shows
//! what is left to do.

use std::time::Duration;

use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use hansang_core::db::{Ask, Listing, Operation};
use hansang_core::read::MAX_PAGE;
use hansang_core::{CoreCode, Error, Item, name};
use jiff::Timestamp;

use crate::damaged::{Stored, readable};
use crate::ended::RecentlyDecided;
use crate::event::{Event, EventStatus, EventType, capacity, need, unknown};
use crate::fields::{before, item, time};
use crate::lease::{self, Lease};
use crate::moves::is_transient;
use crate::{Entry, EntryCode, Request, Status, lottery};

mod batch;
mod claim;
mod reject;

pub(crate) use batch::Rule;
use claim::Claimed;
pub(crate) use claim::fail;

/// The maximum number of requests per transaction: two writes for each, the capacity and the lease.
pub(crate) const MAX_BATCH: usize = 49;
/// The maximum number of pages per call, so that a worker gets to its other work.
const MAX_PAGES: usize = 16;
/// The maximum number of retries.
pub(crate) const MAX_RETRIES: u32 = 6;

/// The result of [`decide`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decided {
    /// All due requests are decided.
    All,
    /// More requests are due.
    More,
    /// Another process holds the lease of the event.
    Elsewhere,
    /// Nothing can be decided now: the event is paused, or its draw is not due.
    Waiting,
}

/// The reason that deciding stopped early.
#[derive(Debug)]
pub(crate) enum Stop {
    /// Another process holds the lease now.
    Lost,
    /// An error.
    Failed(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        if error.code == EntryCode::LeaseLost { Self::Lost } else { Self::Failed(error) }
    }
}

/// A page of claimed requests.
struct ClaimedPage {
    claimed: Claimed,
    /// The `queuedAt` of the last request of the page.
    last: Option<Timestamp>,
    /// The cursor of the next page.
    next: Option<String>,
}

/// The holder of an event's lease.
pub(crate) struct Decider<'a> {
    pub(crate) entry: &'a Entry,
    pub(crate) event: &'a Event,
    pub(crate) lease: Lease,
    /// The decided requests of this process.
    pub(crate) recent: &'a RecentlyDecided,
}

/// Decides the due requests of an event, unless another process does. `named` are requests known from messages, which
/// the index may not show yet. Every task needs a different owner.
///
/// # Errors
/// If the event does not exist or the store fails. Requests decided before stay decided.
pub async fn decide(entry: &Entry, event_id: &str, owner: &str, named: &[Request]) -> Result<Decided, Error> {
    decide_recording(entry, event_id, owner, named, &RecentlyDecided::default()).await
}

/// Like [`decide`], and records the decided requests.
pub(crate) async fn decide_recording(
    entry: &Entry,
    event_id: &str,
    owner: &str,
    named: &[Request],
    recent: &RecentlyDecided,
) -> Result<Decided, Error> {
    let event = need(entry, event_id, true).await?;
    let paused = event.status == EventStatus::Paused;
    if paused || (event.event_type == EventType::Lottery && entry.now() < event.draws_at()) {
        return Ok(Decided::Waiting);
    }
    let Some(lease) = lease::acquire(entry, event_id, owner).await? else { return Ok(Decided::Elsewhere) };
    let mut decider = Decider { entry, event: &event, lease, recent };
    let decided = match event.event_type {
        EventType::FirstCome => decider.first_come(named).await,
        EventType::Lottery => lottery::draw::draw(&mut decider, named).await,
    };
    let result = match decided {
        Err(Stop::Lost) => return Ok(Decided::Elsewhere),
        Err(Stop::Failed(error)) => Err(error),
        Ok(decided) => Ok(decided),
    };
    decider.lease.release(entry).await;
    result
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
        self.claim_and_decide(late, &Rule::Capacity).await?;
        let (mut cursor, mut ahead) = (None, None);
        for pages in 1.. {
            let left = self.seats_left().await?;
            let page = match ahead.take() {
                Some(page) => page,
                None if left == 0 => self.reject_page(from, due, cursor.take()).await?,
                None => self.claim_page(from, due, cursor.take()).await?,
            };
            let ClaimedPage { claimed, last, next } = page;
            // A page that may take the last seats comes to its end first: without a seat nothing more is claimed.
            let seats_remain = claimed.ours.len() < left;
            let write = self.write_results(claimed.ours, &Rule::Capacity);
            let written = match next.clone().filter(|_| pages < MAX_PAGES && seats_remain) {
                // Claim the next page while this one gets its results.
                Some(cursor) if self.entry.settings.parallel > 1 => {
                    let (written, claims) = tokio::join!(write, self.claim_page(from, due, Some(cursor)));
                    let written = written?;
                    ahead = Some(claims?);
                    written
                }
                // Transactions would conflict on the lease, so one follows the other.
                _ => write.await?,
            };
            self.lease.renew(self.entry, last.filter(|_| written && claimed.all)).await?;
            match next {
                Some(_) if pages == MAX_PAGES => return Ok(Decided::More),
                Some(next) => cursor = Some(next),
                None => break,
            }
        }
        Ok(Decided::All)
    }

    /// The number of seats left, by a strong read.
    async fn seats_left(&self) -> Result<usize, Error> {
        let found = capacity(self.entry, &self.event.id).await?.ok_or_else(|| unknown(&self.event.id))?;
        Ok(usize::try_from(found.remaining).unwrap_or_default())
    }

    /// Claims the next page of due requests.
    async fn claim_page(
        &self,
        from: Option<Timestamp>,
        due: Timestamp,
        cursor: Option<String>,
    ) -> Result<ClaimedPage, Stop> {
        let page = self.due(from, due, cursor, self.page_size()).await?;
        let last = page.requests.last().and_then(|request| request.queued_at);
        let claimed = self.claim_all(page.requests.into_iter().filter(is_undecided).collect()).await?;
        Ok(ClaimedPage { claimed, last, next: page.next })
    }

    /// Reads a page of the event's requests queued between two times, in order. Damaged ones are set aside.
    pub(crate) async fn due(
        &self,
        from: Option<Timestamp>,
        to: Timestamp,
        cursor: Option<String>,
        limit: usize,
    ) -> Result<crate::RequestPage, Error> {
        let mut arguments =
            item([(name!("eventId"), self.event.id.as_str().into()), (name!("to"), time(to).into())]);
        if let Some(from) = from {
            arguments.insert(name!("from"), time(from.min(to)).into());
        }
        let limit = u32::try_from(limit).unwrap_or(MAX_PAGE).min(MAX_PAGE);
        let ask = Ask { limit: Some(limit), cursor, ..Ask::default() };
        let listing = query(self.entry, "requestsOfEvent", &arguments, &ask).await?;
        let stored: Vec<Stored> = listing.records.iter().map(Stored::of).collect();
        let requests = readable(self.entry, &self.event.id, stored).await?;
        let (next, previous) = (listing.next, listing.previous);
        Ok(crate::RequestPage { requests, damaged: Vec::new(), next, previous })
    }

    /// Claims and decides these requests in order. Returns whether all of them are decided; the message of a request that
    /// cannot be written is redelivered.
    pub(crate) async fn claim_and_decide(&self, requests: Vec<Request>, rule: &Rule) -> Result<bool, Stop> {
        let Claimed { ours, all } = self.claim_all(requests).await?;
        Ok(self.write_results(ours, rule).await? && all)
    }

    /// Claims these requests in concurrent batches.
    async fn claim_all(&self, requests: Vec<Request>) -> Result<Claimed, Stop> {
        let requests = self.take_over(requests).await?;
        let parallel = self.entry.settings.parallel.max(1);
        let chunks: Vec<Vec<Request>> = requests.chunks(self.batch()).map(<[Request]>::to_vec).collect();
        // Collected, because holding the closure across an await would make the future not `Send`.
        let claims: Vec<_> = chunks.into_iter().map(|chunk| self.claim_batch(chunk)).collect();
        let claims: Vec<Claimed> = stream::iter(claims).buffered(parallel).try_collect().await?;
        let all = claims.iter().all(|claimed| claimed.all);
        Ok(Claimed { ours: claims.into_iter().flat_map(|claimed| claimed.ours).collect(), all })
    }

    /// The number of requests that are claimed together.
    pub(crate) fn page_size(&self) -> usize {
        self.batch() * self.entry.settings.parallel.max(2)
    }

    /// The number of requests per transaction.
    fn batch(&self) -> usize {
        self.entry.settings.batch.clamp(1, MAX_BATCH)
    }

    /// Reads these requests again.
    pub(crate) async fn reload(&self, requests: &[Request]) -> Result<Vec<Request>, Error> {
        let ids: Vec<String> = requests.iter().map(|request| request.id.clone()).collect();
        let found = crate::request::load_all(self.entry, &ids).await?;
        readable(self.entry, &self.event.id, found.into_iter().flatten()).await
    }

    pub(crate) fn is_ours(&self, request: &Request) -> bool {
        request.status == Status::Processing && request.lease_owner.as_deref() == Some(&*self.lease.owner)
    }
}

/// Whether a request has no result yet.
pub(crate) fn is_undecided(request: &Request) -> bool {
    matches!(request.status, Status::Queued | Status::Processing)
}

/// Sleeps for a time that doubles with every retry.
pub(crate) async fn backoff(retries: u32) {
    tokio::time::sleep(Duration::from_millis(20) * 2_u32.pow(retries.min(6))).await;
}

/// Reads a page, with retries while the store is busy: a draw makes many reads, and would rarely end if a failure of one ended it.
pub(crate) async fn query(
    entry: &Entry,
    pattern: &str,
    arguments: &Item,
    ask: &Ask,
) -> Result<Listing, Error> {
    let mut retries = 0;
    loop {
        match entry.db.query(pattern, arguments.clone(), ask.clone()).await {
            Err(error) if is_transient(&error) && retries < MAX_RETRIES => retries += 1,
            other => return other,
        }
        backoff(retries).await;
    }
}

/// Whether the write failed because the stored state has changed, so that it can be planned again.
pub(crate) fn is_stale(error: &Error) -> bool {
    let ours = [EntryCode::MovedMeanwhile, EntryCode::CapacityChanged];
    let of_core =
        [CoreCode::WrongState, CoreCode::AlreadyExists, CoreCode::RuleBroken, CoreCode::ChangedMeanwhile];
    ours.iter().any(|code| error.code == *code) || of_core.iter().any(|code| error.code == *code)
}

/// The writes of many transitions.
fn flat<const N: usize>(
    operations: impl IntoIterator<Item = [Operation; N]>,
) -> impl Iterator<Item = Operation> {
    operations.into_iter().flatten()
}
