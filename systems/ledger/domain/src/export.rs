//! Exports: CSV, a workbook, JSON, and a journal for hledger.

mod restore;
mod xlsx;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use futures_util::FutureExt as _;
use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use hansang_core::{Error, message};
use serde::{Deserialize, Serialize};

use crate::accounts::Accounts;
use crate::figures::Balances;
use crate::head::{self, Head};
use crate::kind::{PAID_IN, Subject};
use crate::line::{self, Line};
use crate::read::{by_date, steady};
use crate::{Budget, Goal, Kind, Ledger, LedgerCode, Rule, budgets, codes, goals, messages, rules, sign_ins};

pub use restore::restore;

/// The version of the format, which says what a file may contain.
const VERSION: u32 = 2;

/// A whole ledger, but for its history and what was learned from imports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Export {
    /// The version of this format.
    pub version: u32,
    /// The balances before the first month.
    pub opening: Balances,
    /// The lists of codes.
    pub codes: BTreeMap<String, Vec<String>>,
    /// The accounts by group.
    pub accounts: Accounts,
    /// The kinds of accounts that differ from their group's.
    #[serde(default)]
    pub account_kinds: BTreeMap<String, Kind>,
    /// The kinds of groups that the document does not have.
    #[serde(default)]
    pub group_kinds: BTreeMap<String, Kind>,
    /// The names of people by the ids of their sign-ins.
    #[serde(default)]
    pub sign_ins: BTreeMap<String, String>,
    /// The recurring entries.
    #[serde(default)]
    pub rules: Vec<Rule>,
    /// Every budget that was set.
    #[serde(default)]
    pub budgets: Vec<Budget>,
    /// The goals of accounts.
    #[serde(default)]
    pub goals: Vec<Goal>,
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
            let codes = codes::load(ledger).await?;
            Ok(Export {
                version: VERSION,
                opening: head::opening(db).await?,
                codes: codes.lists,
                accounts: codes.accounts,
                account_kinds: codes.account_kinds,
                group_kinds: codes.group_kinds,
                sign_ins: sign_ins(ledger).await?,
                rules: rules(ledger).await?,
                budgets: budgets(ledger).await?,
                goals: goals::all(ledger).await?,
                lines: by_date(lines.into_iter().flatten().collect()),
            })
        }
        .boxed()
    };
    steady(db, read).await.map(|(_, export)| export)
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
        let months = self.codes.get("YEAR_MONTH").and_then(|months| months.first());
        // Without lines the opening balances are before the first month that is offered.
        let offered = || Some(months?.parse::<crate::Month>().ok()?.day(1));
        let first = self.lines.first().and_then(|line| crate::date(&line.date).ok()).or_else(offered);
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
