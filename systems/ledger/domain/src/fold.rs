//! The folder: applies pending carries to later months, then removes them from the head.
//!
//! Any number of processes may fold at once. The balances of a month are written on the condition that they are
//! as they were read; a carry that is removed twice, or comes back with a head that was written from an
//! older one, changes nothing, because every month is complete beyond it.

use futures_util::future::try_join_all;
use hansang_core::{Error, ErrorKind};

use crate::head::{self, Head, need_balances, write_balances};
use crate::{Ledger, LedgerCode, Month};

/// The number of months that one transaction completes.
const TOGETHER: usize = 60;

/// Applies pending carries. Returns the number of carries that are done.
///
/// # Errors
/// When the store fails. What was applied stays; the next run does the rest.
pub async fn fold(ledger: &Ledger) -> Result<usize, Error> {
    let head = head::load(&ledger.db).await?;
    if head.pending.is_empty() {
        return Ok(0);
    }
    let first = head.pending.iter().map(|carry| carry.from).min().flatten();
    let behind = head.months.partition_point(|month| first.is_some_and(|first| *month <= first));
    for months in head.months[behind..].chunks(TOGETHER) {
        match complete(ledger, &head, months).await {
            // The month-end batch dropped an empty month in the meantime: the next run has the new head.
            Err(error)
                if error.kind == ErrorKind::NotFound && head::load(&ledger.db).await?.seq != head.seq =>
            {
                return Ok(0);
            }
            done => done?,
        }
    }
    forget(ledger, head.seq).await
}

/// Applies the carries of a head to months, and tries again while another process writes one of them.
async fn complete(ledger: &Ledger, head: &Head, months: &[Month]) -> Result<(), Error> {
    loop {
        let stored = try_join_all(months.iter().map(|month| need_balances(&ledger.db, *month))).await?;
        let mut writes = Vec::new();
        for (month, stored) in months.iter().zip(&stored) {
            let carry_seq = stored.carry_seq.unwrap_or_default();
            if head.pending.iter().any(|carry| carry.applies(*month, carry_seq)) {
                let complete = head.complete(*month, stored)?;
                writes.push(write_balances(*month, Some(stored), &complete, head.seq));
            }
        }
        if writes.is_empty() {
            return Ok(());
        }
        match ledger.db.commit(writes).await {
            Ok(()) => return Ok(()),
            Err(refusal) if refusal.error.code == LedgerCode::Moved => {}
            Err(refusal) => return Err(refusal.error),
        }
    }
}

/// Removes carries up to a change, which every month has, from the head.
async fn forget(ledger: &Ledger, seq: i64) -> Result<usize, Error> {
    loop {
        let head = head::load(&ledger.db).await?;
        let pending: Vec<_> = head.pending.iter().filter(|carry| carry.seq > seq).cloned().collect();
        let done = head.pending.len() - pending.len();
        if done == 0 {
            return Ok(0);
        }
        let next = Head { pending, ..head.clone() };
        match ledger.db.commit(vec![head.write(&next)]).await {
            Ok(()) => return Ok(done),
            Err(refusal) if refusal.error.code == LedgerCode::Moved => {}
            Err(refusal) => return Err(refusal.error),
        }
    }
}
