//! Rejects queued requests of an event without seats, without claiming them first.
//!
//! A claim keeps other deciders from a request while it is decided. Without seats nothing is left to decide: one transaction
//! checks that, and rejects. It is half as many transactions as claiming and rejecting.

use futures_util::stream::{self, StreamExt as _};
use hansang_core::Error;
use jiff::Timestamp;

use super::batch::no_seats;
use super::claim::Claimed;
use super::{ClaimedPage, Decider, Rule, Stop, flat, is_undecided};
use crate::lease::Tally;
use crate::moves::Transition;
use crate::{EntryCode, Request, Status};

/// The maximum number of requests per transaction: three writes for each, the capacity and the lease.
const MAX_BATCH: usize = 32;
/// The minimum number of batches per page.
const MIN_BATCHES: usize = 10;

impl Decider<'_> {
    /// Rejects the next page of due requests. No other page may be undecided then.
    pub(super) async fn reject_page(
        &self,
        from: Option<Timestamp>,
        due: Timestamp,
        cursor: Option<String>,
    ) -> Result<ClaimedPage, Stop> {
        let batch = self.batch().min(MAX_BATCH);
        let limit = batch * self.entry.settings.parallel.max(MIN_BATCHES);
        let page = self.due(from, due, cursor, limit).await?;
        let last = page.requests.last().and_then(|request| request.queued_at);
        // Those that an earlier owner of the lease claimed go back first, as before any result.
        let undecided = page.requests.into_iter().filter(is_undecided).collect();
        let undecided = self.take_over(undecided).await?;
        let all = self.reject(undecided, batch).await?;
        Ok(ClaimedPage { claimed: Claimed { ours: Vec::new(), all }, last, next: page.next })
    }

    /// Rejects these requests. Returns whether all of them are decided.
    async fn reject(&self, requests: Vec<Request>, batch: usize) -> Result<bool, Stop> {
        // The others this process claimed before, when there were seats.
        let (queued, mut left): (Vec<_>, Vec<_>) =
            requests.into_iter().partition(|request| request.status == Status::Queued);
        let chunks: Vec<&[Request]> = queued.chunks(batch).collect();
        let writes: Vec<_> = chunks.iter().map(|chunk| self.try_reject(chunk)).collect();
        let parallel = self.entry.settings.parallel.max(1);
        let written: Vec<Result<(), Error>> = stream::iter(writes).buffered(parallel).collect().await;
        for (chunk, written) in chunks.into_iter().zip(written) {
            match written {
                Ok(()) => {}
                Err(error) if error.code == EntryCode::LeaseLost => return Err(Stop::Lost),
                Err(error) => {
                    tracing::debug!(%error, event = self.event.id, "requests not rejected at once");
                    left.extend_from_slice(chunk);
                }
            }
        }
        if left.is_empty() {
            return Ok(true);
        }
        // There are seats again, one has moved or cannot be written, or the outcome is unknown: decided as with seats, in
        // queue order.
        let mut left = self.reload(&left).await?;
        left.retain(is_undecided);
        left.sort_by(|one, other| (one.queued_at, &one.id).cmp(&(other.queued_at, &other.id)));
        self.claim_and_decide(left, &Rule::Capacity).await
    }

    async fn try_reject(&self, requests: &[Request]) -> Result<(), Error> {
        let rejected = i64::try_from(requests.len()).unwrap_or_default();
        let mut operations =
            vec![self.lease.count(Tally { rejected, ..Tally::default() }), no_seats(&self.event.id)];
        operations.extend(flat(requests.iter().map(|one| Transition::reject_queued(self.entry, one))));
        self.entry.db.commit(operations).await?;
        self.recent.insert(requests.iter().map(|request| &*request.id));
        Ok(())
    }
}
