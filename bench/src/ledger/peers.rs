//! The programs that the ledger is compared with.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use hansang_core::plan::Scan;
use hansang_core::{Item, Value};
use hansang_ledger::{Export, Kind, Ledger, PAID_IN, Subject, period};

use super::{ROUNDS, failed, household, open};
use crate::goal;
use crate::server::Server;

/// The same lines for each program.
pub(super) struct Journals {
    journal: PathBuf,
    beancount: PathBuf,
}

/// The monthly report and the balances of everything.
type Times = [Duration; 2];

impl Journals {
    pub(super) fn write(directory: &Path, export: &Export) -> Result<Self, String> {
        let journals =
            Self { journal: directory.join("ledger.journal"), beancount: directory.join("ledger.beancount") };
        std::fs::write(&journals.journal, export.journal()).map_err(|error| error.to_string())?;
        std::fs::write(&journals.beancount, beancount(export)).map_err(|error| error.to_string())?;
        Ok(journals)
    }

    pub(super) fn measure(&self) -> Result<Vec<(&'static str, Times)>, String> {
        let (journal, beans) = (&*self.journal.to_string_lossy(), &*self.beancount.to_string_lossy());
        let by_month = "SELECT year, month, account, sum(position) GROUP BY year, month, account";
        let programs: [(&str, [Vec<&str>; 2]); 3] = [
            (
                "hledger",
                [
                    vec!["hledger", "balance", "-f", journal, "--monthly", "--flat", "-O", "csv"],
                    vec!["hledger", "balance", "-f", journal, "--flat"],
                ],
            ),
            (
                "ledger",
                [
                    vec!["ledger", "-f", journal, "register", "--monthly"],
                    vec!["ledger", "-f", journal, "balance", "--flat"],
                ],
            ),
            (
                "beancount",
                [
                    vec![".tools/ledger/bin/bean-query", "--no-errors", "--format", "csv", beans, by_month],
                    vec![".tools/ledger/bin/bean-check", "--no-cache", beans],
                ],
            ),
        ];
        let time =
            |(name, jobs): &(&'static str, [Vec<&str>; 2])| Ok((*name, [best(&jobs[0])?, best(&jobs[1])?]));
        programs.iter().map(time).collect()
    }
}

/// The best time of a command, with its start and the reading of the journal.
fn best(command: &[&str]) -> Result<Duration, String> {
    let mut best = Duration::MAX;
    for _ in 0..3 {
        let start = Instant::now();
        let output = Command::new(command[0])
            .args(&command[1..])
            .env("LANG", "C.UTF-8")
            .env("BEANCOUNT_DISABLE_LOAD_CACHE", "1")
            .stdin(Stdio::null())
            .output()
            .map_err(|error| format!("{}: {error}: start bench/run, which installs it", command[0]))?;
        best = best.min(start.elapsed());
        if !output.status.success() {
            let said: String = String::from_utf8_lossy(&output.stderr).chars().take(500).collect();
            return Err(format!("{command:?}: {said}"));
        }
    }
    Ok(best)
}

fn beancount(export: &Export) -> String {
    let mut text = String::new();
    let all: BTreeSet<String> =
        export.lines.iter().flat_map(|line| <[String; 2]>::from(accounts(&line.subject))).collect();
    for account in all {
        let _ = writeln!(text, "1990-01-01 open {account} KRW");
    }
    for line in &export.lines {
        let (to, from) = accounts(&line.subject);
        let amount = line.amount;
        let _ = writeln!(
            text,
            "\n{} * \"{}\"\n  {to}  {amount} KRW\n  {from}  {} KRW",
            line.date, line.text, -amount
        );
    }
    text
}

fn accounts(subject: &Subject) -> (String, String) {
    let (name, cash) = (&subject.name, "Assets:Cash".to_owned());
    match subject.kind {
        Kind::Income => (cash, format!("Income:From:{name}:{}", subject.detail)),
        Kind::FixedExpense => (format!("Expenses:Fixed:{name}"), cash),
        Kind::LivingExpense => (format!("Expenses:Living:{name}"), cash),
        Kind::Savings => (format!("Assets:Savings:{name}"), cash),
        Kind::Investment => (format!("Assets:Investment:{name}"), cash),
        Kind::ShortSavings if subject.detail == PAID_IN => (format!("Assets:Short:{name}"), cash),
        Kind::ShortSavings => (format!("Expenses:Short:{name}"), format!("Assets:Short:{name}")),
    }
}

/// A period of all months, beside boto3 on DynamoDB Local with one request a month in sequence.
pub(super) async fn dynamodb(ledger: &Ledger, directory: &Path) -> Result<(), String> {
    let home = directory.join("dynamodb-local");
    std::fs::create_dir(&home).map_err(|error| error.to_string())?;
    let server = Server::dynamodb_local(&home)?;
    let far = open(std::sync::Arc::new(server.connect().await?)).await?;
    copy(ledger, &far).await?;
    let (first, last) = household::range()?;
    let mut times = [Duration::MAX; 2];
    for (ledger, best) in [ledger, &far].into_iter().zip(&mut times) {
        for _ in 0..ROUNDS {
            let start = Instant::now();
            period(ledger, first, last).await.map_err(failed)?;
            *best = (*best).min(start.elapsed());
        }
    }
    let output = Command::new(".tools/ledger/bin/python")
        .args(["bench/ledger/period.py", &server.url(), &first.to_string(), &last.to_string()])
        .output()
        .map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&output.stdout);
    let boto3: f64 = said.trim().parse().map_err(|_| String::from_utf8_lossy(&output.stderr).into_owned())?;
    let [near, far] = times.map(|time| time.as_secs_f64());
    println!("| a period of {} months, ms | time | × boto3 |\n|---|---|---|", household::MONTHS);
    println!("| boto3 on DynamoDB Local, one request a month | {:.0} | 1.0 |", boto3 * 1e3);
    println!(
        "| Hansang on the same DynamoDB Local, with totals and balances | {:.0} | {:.1} |",
        far * 1e3,
        boto3 / far
    );
    println!(
        "| Hansang on the embedded store, with totals and balances | {:.0} | {:.1} |\n",
        near * 1e3,
        boto3 / near
    );
    goal(
        "a period on the embedded store is at least 10 times as fast as boto3 on DynamoDB Local",
        boto3 / near >= 10.0,
    );
    goal("a period on the same DynamoDB Local is at least 10 times as fast as boto3", boto3 / far >= 10.0);
    println!();
    server.stop()
}

/// Copies everything but lines and history.
async fn copy(from: &Ledger, to: &Ledger) -> Result<(), String> {
    let (table, store) = (from.db.table(), from.db.store());
    let wanted = |item: &Item| {
        let key = item.get(&table.pk).and_then(Value::as_str).unwrap_or_default();
        !key.starts_with("LINES#") && (!key.starts_with("LEDGER#") || key == "LEDGER#HEAD")
    };
    let mut start = None;
    loop {
        let page = store
            .scan(table, &Scan { index: None, limit: 1000, start, consistent: true })
            .await
            .map_err(|error| error.to_string())?;
        let items: Vec<Item> = page.items.into_iter().filter(wanted).collect();
        for items in items.chunks(25) {
            to.db
                .store()
                .batch_put(to.db.table(), items.to_vec())
                .await
                .map_err(|error| error.to_string())?;
        }
        start = page.next;
        if start.is_none() {
            return Ok(());
        }
    }
}
