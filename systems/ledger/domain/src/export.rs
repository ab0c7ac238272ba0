//! Exports: CSV, a workbook, JSON with restore, and a journal for hledger.

mod xlsx;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;

use futures_util::FutureExt as _;
use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use hansang_core::{Error, message};
use serde::{Deserialize, Serialize};

use crate::change::{Edit, commit};
use crate::codes::{Accounts, CodeType, replace_accounts, replace_codes};
use crate::figures::Balances;
use crate::head::{self, Head};
use crate::kind::{PAID_IN, Subject};
use crate::line::{self, Line, Source};
use crate::read::{by_date, steady};
use crate::{Kind, Ledger, LedgerCode, Month, messages, set_opening};

/// The number of lines that one transaction restores.
const MAX_RESTORED: usize = 24;

/// A whole ledger.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Export {
    /// The version of this format.
    pub version: u32,
    /// The balances before the first month.
    pub opening: Balances,
    /// The lists of codes.
    pub codes: BTreeMap<String, Vec<String>>,
    /// The accounts by group.
    pub accounts: Accounts,
    /// All lines, by date.
    pub lines: Vec<Line>,
}

/// Reads a whole ledger, all of one state.
///
/// # Errors
/// `busy` when changes are made all the time.
pub async fn export(ledger: &Ledger) -> Result<Export, Error> {
    let db = &ledger.db;
    let read = |head: Arc<Head>| {
        async move {
            let months = head.months.clone().into_iter().map(|month| line::of_month(db, month));
            let lines: Vec<Vec<Line>> = stream::iter(months).buffered(16).try_collect().await?;
            Ok((head::opening(db).await?, lines))
        }
        .boxed()
    };
    let (_, (opening, lines)) = steady(db, read).await?;
    let codes = ledger.codes().await?;
    let lines = by_date(lines.into_iter().flatten().collect());
    Ok(Export { version: 1, opening, codes: codes.lists.clone(), accounts: codes.accounts.clone(), lines })
}

/// Restores a ledger from an export. Running it again after a failure adds what is missing.
///
/// # Errors
/// A ledger that has other lines, or an export that cannot be read.
pub async fn restore(ledger: &Ledger, by: &str, from: &Export) -> Result<usize, Error> {
    let there = export(ledger).await?;
    let known: BTreeMap<&str, &Line> = from.lines.iter().map(|line| (&*line.line_id, line)).collect();
    let content = |line: &Line| (line.subject.clone(), line.date.clone(), line.text.clone(), line.amount);
    let is_known =
        |line: &Line| known.get(&*line.line_id).is_some_and(|known| content(known) == content(line));
    if !there.lines.iter().all(is_known) {
        return Err(Error::conflict(LedgerCode::NotEmpty, message!(messages::NOT_EMPTY)));
    }
    for (list, codes) in &from.codes {
        replace_codes(ledger, by, list.parse::<CodeType>()?, codes.clone()).await?;
    }
    replace_accounts(ledger, by, from.accounts.clone()).await?;
    set_opening(ledger, by, &from.opening).await?;
    let stored: BTreeSet<&str> = there.lines.iter().map(|line| &*line.line_id).collect();
    let missing: Vec<&Line> = from.lines.iter().filter(|line| !stored.contains(&*line.line_id)).collect();
    for lines in missing.chunks(MAX_RESTORED) {
        let plan = || {
            async {
                let mut edit = Edit::new("restore", by);
                for line in lines {
                    let subject =
                        Subject::new(line.subject.kind, &line.subject.name, Some(&line.subject.detail))?;
                    crate::figures::check_amount(line.amount)?;
                    let month = Month::of(crate::date(&line.date)?);
                    let line =
                        Line { subject, month, source: Source::Restore, import_id: None, ..(*line).clone() };
                    edit.line(None, Some(&line))?;
                }
                Ok((edit, ()))
            }
            .boxed()
        };
        commit(ledger, plan).await?;
    }
    Ok(missing.len())
}

impl Export {
    /// The lines as CSV, with a byte order mark so that Excel reads Hangul.
    ///
    /// # Errors
    /// Never in practice: writing to memory does not fail.
    pub fn csv(&self) -> Result<String, Error> {
        let failed = || Error::internal(LedgerCode::FileInvalid, message!(messages::FILE_DAMAGED));
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer
            .write_record([
                "month", "date", "kind", "name", "detail", "text", "amount", "by", "source", "lineId",
            ])
            .map_err(|_| failed())?;
        for line in &self.lines {
            let (month, amount) = (line.month.to_string(), line.amount.to_string());
            let source = format!("{:?}", line.source).to_lowercase();
            let detail = line.subject.detail().unwrap_or_default();
            let cells = [
                &month,
                &line.date,
                line.subject.kind.name(),
                &safe(&line.subject.name),
                &safe(detail),
                &safe(&line.text),
                &amount,
                &safe(&line.by),
                &source,
                &line.line_id,
            ];
            writer.write_record(cells).map_err(|_| failed())?;
        }
        let bytes = writer.into_inner().map_err(|_| failed())?;
        String::from_utf8(bytes).map(|text| format!("\u{feff}{text}")).map_err(|_| failed())
    }

    /// The lines as a journal for hledger. Money that is neither saved nor put aside is in `assets:cash`.
    #[must_use]
    pub fn journal(&self) -> String {
        let mut text = String::from("; Exported by Hansang. Amounts are in won.\n\n");
        let first = self.lines.first().and_then(|line| crate::date(&line.date).ok());
        let before = first.and_then(|date| date.first_of_month().yesterday().ok());
        if let Some(date) = before {
            let accounts = self
                .opening
                .short_savings_balances
                .iter()
                .map(|(name, amount)| (format!("assets:short:{}", plain(name)), *amount));
            let fixed = [
                ("assets:savings".to_owned(), self.opening.cash_accumulated),
                ("assets:investment".to_owned(), self.opening.investment_accumulated),
            ];
            let _ = writeln!(text, "{date} opening balances");
            for (account, amount) in fixed.into_iter().chain(accounts) {
                let _ = writeln!(text, "    {account}  {amount} KRW");
            }
            text.push_str("    equity:opening\n\n");
        }
        for line in &self.lines {
            let (to, from) = accounts(&line.subject);
            let _ = writeln!(text, "{} {}", line.date, plain(&line.text));
            let _ = writeln!(text, "    {to}  {} KRW\n    {from}  {} KRW\n", line.amount, -line.amount);
        }
        text
    }
}

/// The account that an amount goes to, and the one that it comes from.
fn accounts(subject: &Subject) -> (String, String) {
    let name = plain(&subject.name);
    let cash = || "assets:cash".to_owned();
    match subject.kind {
        Kind::Income => (cash(), format!("income:{name}:{}", plain(&subject.detail))),
        Kind::FixedExpense => (format!("expenses:fixed:{name}"), cash()),
        Kind::LivingExpense => (format!("expenses:living:{name}"), cash()),
        Kind::Savings => (format!("assets:savings:{name}"), cash()),
        Kind::Investment => (format!("assets:investment:{name}"), cash()),
        Kind::ShortSavings if subject.detail == PAID_IN => (format!("assets:short:{name}"), cash()),
        Kind::ShortSavings => (format!("short:spent:{name}"), format!("assets:short:{name}")),
    }
}

/// Text that a journal reads as one word or description: no double spaces, no comments, no separators of accounts.
fn plain(text: &str) -> String {
    let clean: String = text
        .chars()
        .map(|c| if matches!(c, ';' | ':' | '|' | '(' | ')' | '[' | ']') || c.is_control() { ' ' } else { c })
        .collect();
    let clean = clean.split_whitespace().collect::<Vec<_>>().join(" ");
    if clean.is_empty() { "-".to_owned() } else { clean }
}

/// Text that a spreadsheet does not run as a formula.
fn safe(text: &str) -> String {
    if text.starts_with(['=', '+', '-', '@', '\t']) { format!("'{text}") } else { text.to_owned() }
}
