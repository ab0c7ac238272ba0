//! Background work: carries, imports, recurring entries and the month-end batch.

use std::time::Duration;

use hansang_core::Error;

use crate::{Ledger, check_closed_month, close_months, fold, import, prepare, run_rules};

/// The account that the month-end batch works as.
pub(crate) const BATCH: &str = "month-end";
/// The pause between two sweeps.
const SWEEP: Duration = Duration::from_secs(60);

/// Stores missing codes and completes what is left to do: carries, imports, recurring entries, months up to today.
/// Checks the month that was closed last.
/// Any number of processes may do it. A step that fails does not keep the others from running.
///
/// # Errors
/// The first problem. The next run does the rest.
pub async fn tend(ledger: &Ledger) -> Result<(), Error> {
    prepare(ledger).await?;
    let steps = [
        fold(ledger).await.map(drop),
        import::resume_imports(ledger).await,
        import::forget_uploads(ledger).await,
        run_rules(ledger).await.map(drop),
        close_months(ledger, BATCH).await.map(drop),
        fold(ledger).await.map(drop),
        check_closed_month(ledger).await.map(|problems| {
            for problem in problems {
                tracing::warn!(%problem, "a closed month does not add up: run `hansang ledger recalculate`");
            }
        }),
    ];
    steps.into_iter().collect()
}

/// Folds after every change of this process, and sweeps every minute, until `stop`.
pub async fn work(ledger: &Ledger, stop: impl Future<Output = ()>) {
    let work = async {
        loop {
            report(tend(ledger).await);
            let next = tokio::time::sleep(SWEEP);
            tokio::pin!(next);
            loop {
                tokio::select! {
                    biased;
                    () = &mut next => break,
                    () = ledger.staged.notified() => report(import::resume_imports(ledger).await),
                    () = ledger.changed() => report(fold(ledger).await.map(drop)),
                }
            }
        }
    };
    tokio::select! {
        biased;
        () = stop => {}
        () = work => {}
    }
}

fn report(result: Result<(), Error>) {
    if let Err(error) = result {
        tracing::warn!(%error, "background work of the ledger failed: the next sweep tries again");
    }
}
