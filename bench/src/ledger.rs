//! The ledger with 20 years, 40 entries a month and 100,000 lines: reports and recalculation compared with hledger,
//! ledger and beancount on the same journal, a period compared with boto3 on DynamoDB Local, an import compared with
//! Actual, edits of the oldest and the newest month, and the overview page.

#![allow(clippy::disallowed_methods, reason = "the server uses the real time")]

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hansang_core::cursor::CursorKey;
use hansang_core::db::Clock;
use hansang_core::write::Moment;
use hansang_core::{Db, Store, compile};
use hansang_embedded::{Embedded, Options};
use hansang_ledger::{
    Ledger, MODEL, Month, NewLine, add_line, date, export, fold, month, period, prepare, recalculate, restore,
};
use jiff::Timestamp;

use crate::goal;

mod household;
mod imports;
mod page;
mod peers;

use household::{FIRST, LINES, MONTHS};

/// The number of rounds; the best one counts.
const ROUNDS: usize = 5;
/// The number of edits of a month; their median counts.
const EDITS: usize = 50;

pub(crate) fn run() -> Result<(), String> {
    let runtime = tokio::runtime::Runtime::new().map_err(|error| error.to_string())?;
    let directory = tempfile::tempdir_in("target").map_err(|error| error.to_string())?;
    runtime.block_on(measure(directory.path()))
}

async fn measure(directory: &Path) -> Result<(), String> {
    let data = directory.join("data");
    let ledger = open(embedded(&data)?).await?;
    eprintln!("{LINES} lines…");
    restore(&ledger, "bench", &household::export()?).await.map_err(failed)?;
    fold(&ledger).await.map_err(failed)?;
    reports(&ledger, directory).await?;
    edits(&ledger).await?;
    peers::dynamodb(&ledger, directory).await?;
    imports::measure(directory).await?;
    // Dropping the last handle of the store releases the directory for the server.
    drop(ledger);
    page::measure(&data, directory).await
}

/// The monthly report and the recalculation, beside programs that calculate them from the journal.
async fn reports(ledger: &Ledger, directory: &Path) -> Result<(), String> {
    let (first, last) = household::range()?;
    let whole = export(ledger).await.map_err(failed)?;
    let journals = peers::Journals::write(directory, &whole)?;
    let mut ours = [Duration::MAX; 2];
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let months = period(ledger, first, last).await.map_err(failed)?;
        ours[0] = ours[0].min(start.elapsed());
        if months.len() != MONTHS
            || months.iter().map(|month| month.entries.len()).sum::<usize>() < MONTHS * 40
        {
            return Err("the report is not complete".to_owned());
        }
        let start = Instant::now();
        let checked = recalculate(ledger, "bench", None, true).await.map_err(failed)?;
        ours[1] = ours[1].min(start.elapsed());
        if checked.months != MONTHS || !checked.problems.is_empty() {
            return Err(format!("the ledger does not add up: {:?}", checked.problems));
        }
    }
    let theirs = journals.measure()?;
    println!(
        "| {MONTHS} months, {LINES} lines, s | monthly report | recalculation of everything |\n|---|---|---|"
    );
    println!("| Hansang, in process | {:.3} | {:.3} |", ours[0].as_secs_f64(), ours[1].as_secs_f64());
    for (name, [report, all]) in &theirs {
        println!("| {name} | {:.3} | {:.3} |", report.as_secs_f64(), all.as_secs_f64());
    }
    let fastest = |job: usize| theirs.iter().map(|(_, times)| times[job]).min().unwrap_or(Duration::MAX);
    let ratio = |job: usize| fastest(job).as_secs_f64() / ours[job].as_secs_f64();
    println!("\nratio to the fastest: report {:.1}, recalculation {:.2}\n", ratio(0), ratio(1));
    goal("the monthly report is at least 20 times as fast as the fastest", ratio(0) >= 20.0);
    goal("recalculation is at least as fast as the fastest", ratio(1) >= 1.0);
    println!();
    Ok(())
}

/// Edits of the oldest and the newest month, and the time until every later month is stored with them.
async fn edits(ledger: &Ledger) -> Result<(), String> {
    let (first, last) = household::range()?;
    let mut medians = Vec::new();
    for at in [first, last] {
        let mut times = Vec::with_capacity(EDITS);
        for _ in 0..EDITS {
            // The worker of a server folds between the edits of a person.
            fold(ledger).await.map_err(failed)?;
            let line = NewLine {
                id: None,
                subject: household::savings()?,
                date: at.day(1),
                text: "bench".to_owned(),
                amount: 1,
            };
            let start = Instant::now();
            add_line(ledger, "bench", line).await.map_err(failed)?;
            times.push(start.elapsed());
        }
        times.sort_unstable();
        medians.push(times[EDITS / 2].as_secs_f64() * 1e3);
    }
    let before = month(ledger, last).await.map_err(failed)?.balances.cash_accumulated;
    let line = NewLine {
        id: None,
        subject: household::savings()?,
        date: date(FIRST).map_err(failed)?,
        text: String::new(),
        amount: 7,
    };
    add_line(ledger, "bench", line).await.map_err(failed)?;
    let seen = month(ledger, last).await.map_err(failed)?.balances.cash_accumulated;
    if seen != before + 7 {
        return Err(format!("the newest month has {seen} instead of {}", before + 7));
    }
    let start = Instant::now();
    fold(ledger).await.map_err(failed)?;
    let folded = start.elapsed();
    println!(
        "| an edit, ms | oldest month | newest month | ratio | until {} later months are stored |",
        MONTHS - 1
    );
    println!("|---|---|---|---|---|");
    let ratio = medians[0] / medians[1];
    println!(
        "| its writer waits | {:.2} | {:.2} | {ratio:.1} | {:.0} |\n",
        medians[0],
        medians[1],
        folded.as_secs_f64() * 1e3
    );
    goal("an edit of the oldest month costs under 5 times one of the newest", ratio < 5.0);
    goal("all later months are right at once, and stored within a second", folded < Duration::from_secs(1));
    println!();
    Ok(())
}

fn embedded(data: &Path) -> Result<Arc<dyn Store>, String> {
    let options = Options::new(Arc::new(Timestamp::now));
    Ok(Arc::new(Embedded::open(data, options).map_err(|error| error.to_string())?))
}

async fn open(store: Arc<dyn Store>) -> Result<Ledger, String> {
    let model = compile(MODEL.as_bytes()).map_err(|_| "models/ledger.yaml does not compile")?;
    let clock = Clock::new(|| Moment { now: Timestamp::now(), random: rand::random() });
    let db = Db::new(Arc::new(model), None, store, clock, CursorKey::new(&[7; 32]));
    db.ensure_table().await.map_err(failed)?;
    let ledger = Ledger::new(db);
    prepare(&ledger).await.map_err(failed)?;
    Ok(ledger)
}

fn failed(error: hansang_core::Error) -> String {
    error.to_string()
}

fn parsed(text: &str) -> Result<Month, String> {
    text.parse().map_err(failed)
}
