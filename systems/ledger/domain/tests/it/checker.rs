//! Checks a ledger against a naive calculation from its lines.

use std::collections::BTreeMap;

use hansang_core::plan::Scan;
use hansang_core::{Db, Item, Value};
use hansang_ledger::{
    Balances, Kind, Ledger, Line, Month, MonthView, PAID_IN, PastChange, Subject, Totals, history, month,
    opening,
};

/// The lines of a state.
pub(crate) type Lines = BTreeMap<(Month, Subject, String), i64>;

/// Every problem of a ledger. Pending carries are allowed: figures are as a reader gets them.
pub(crate) async fn check(ledger: &Ledger) -> Vec<String> {
    let items = everything(&ledger.db).await;
    let lines = lines(&items);
    let opening = opening(ledger).await.unwrap();
    let mut problems = Vec::new();
    let mut months: Vec<Month> = Vec::new();
    for item in &items {
        if let Some(month) = text(item, "PK").strip_prefix("MONTHLY_SUMMARY#") {
            months.push(month.parse().unwrap());
        }
        let is_ours = text(item, "PK").starts_with("LINES#") || text(item, "PK").starts_with("LEDGER#");
        if is_ours && item.contains_key("yearMonth") {
            problems.push(format!("{} is in the index", text(item, "PK")));
        }
    }
    let stored = hansang_ledger::stored_months(ledger).await.unwrap();
    months.sort();
    if stored != months {
        problems.push(format!("the head has {stored:?}, the table {months:?}"));
    }
    for line in lines.keys() {
        if !stored.contains(&line.0) {
            problems.push(format!("{} has lines but no totals", line.0));
        }
    }
    for at in stored {
        let seen = month(ledger, at).await.unwrap();
        problems.extend(compare(&seen, &lines, &opening));
    }
    problems
}

/// Compares what a reader saw with lines and opening balances.
pub(crate) fn compare(seen: &MonthView, lines: &Lines, opening: &Balances) -> Vec<String> {
    let mut problems = Vec::new();
    let mut wrong = |what: &str, seen_as: String, right: String| {
        if seen_as != right {
            problems.push(format!("{} at {}: {what} {seen_as}, not {right}", seen.month, seen.seq));
        }
    };
    let mut entries: BTreeMap<Subject, i64> = BTreeMap::new();
    for ((month, subject, _), amount) in lines {
        if *month == seen.month {
            *entries.entry(subject.clone()).or_default() += amount;
        }
    }
    let shown: BTreeMap<Subject, i64> =
        seen.entries.iter().map(|entry| (entry.subject.clone(), entry.amount)).collect();
    wrong("entries", format!("{shown:?}"), format!("{entries:?}"));
    wrong("totals", format!("{:?}", seen.totals), format!("{:?}", totals(&entries)));
    let right = balances(lines, opening, seen.month);
    wrong("balances", format!("{:?}", rounded(&seen.balances)), format!("{right:?}"));
    problems
}

fn totals(entries: &BTreeMap<Subject, i64>) -> Totals {
    let sum = |wanted: &dyn Fn(&Subject) -> bool| {
        entries.iter().filter(|(subject, _)| wanted(subject)).map(|(_, amount)| amount).sum()
    };
    Totals {
        total_income: sum(&|subject| subject.kind == Kind::Income),
        total_expense: sum(&|subject| matches!(subject.kind, Kind::FixedExpense | Kind::LivingExpense)),
        total_savings: sum(&|subject| subject.kind == Kind::Savings),
        total_investment: sum(&|subject| subject.kind == Kind::Investment),
        total_short_savings: sum(&|subject| subject.kind == Kind::ShortSavings && subject.detail == PAID_IN),
    }
}

fn balances(lines: &Lines, opening: &Balances, until: Month) -> Balances {
    let mut right = opening.clone();
    for ((month, subject, _), amount) in lines {
        match subject.kind {
            _ if *month > until => {}
            Kind::Savings => right.cash_accumulated += amount,
            Kind::Investment => right.investment_accumulated += amount,
            Kind::ShortSavings => {
                let amount = if subject.detail == PAID_IN { *amount } else { -amount };
                *right.short_savings_balances.entry(subject.name.clone()).or_default() += amount;
            }
            _ => {}
        }
    }
    rounded(&right)
}

/// Balances without accounts that have nothing.
fn rounded(balances: &Balances) -> Balances {
    let mut balances = balances.clone();
    balances.short_savings_balances.retain(|_, balance| *balance != 0);
    balances
}

/// The lines among the items of a table.
pub(crate) fn lines(items: &[Item]) -> Lines {
    let line = |item: &Item| {
        let amount = item.get("amount")?.as_number()?.to_i64()?;
        let subject = Subject {
            kind: text(item, "kind").parse().ok()?,
            name: text(item, "name").to_owned(),
            detail: text(item, "detail").to_owned(),
        };
        Some(((text(item, "month").parse().ok()?, subject, text(item, "lineId").to_owned()), amount))
    };
    items
        .iter()
        .filter(|item| text(item, "PK").starts_with("LINES#"))
        .map(|item| line(item).unwrap())
        .collect()
}

/// Every change, oldest first.
pub(crate) async fn all_changes(ledger: &Ledger) -> Vec<PastChange> {
    let (mut changes, mut cursor) = (Vec::new(), None);
    loop {
        let page = history(ledger, cursor, None).await.unwrap();
        changes.extend(page.changes);
        match page.next {
            Some(next) => cursor = Some(next),
            None => break,
        }
    }
    changes.reverse();
    changes
}

/// Applies a change to the lines of the state before it.
pub(crate) fn replay(lines: &mut Lines, change: &PastChange) {
    let key = |line: &Line| (line.month, line.subject.clone(), line.line_id.clone());
    for (before, after) in &change.lines {
        if let Some(before) = before {
            assert_eq!(
                lines.remove(&key(before)),
                Some(before.amount),
                "change {} of {before:?}",
                change.seq
            );
        }
        if let Some(after) = after {
            assert_eq!(lines.insert(key(after), after.amount), None, "change {} of {after:?}", change.seq);
        }
    }
}

/// Every item of a table.
pub(crate) async fn everything(db: &Db) -> Vec<Item> {
    let mut items = Vec::new();
    let mut scan = Scan { index: None, limit: 1000, start: None, consistent: true };
    loop {
        let page = db.store().scan(db.table(), &scan).await.unwrap();
        items.extend(page.items);
        scan.start = page.next;
        if scan.start.is_none() {
            return items;
        }
    }
}

/// An item by its key.
pub(crate) async fn item(db: &Db, pk: &str, sk: &str) -> Option<Item> {
    let all = everything(db).await;
    all.into_iter().find(|item| text(item, "PK") == pk && text(item, "SK") == sk)
}

pub(crate) fn text<'i>(item: &'i Item, name: &str) -> &'i str {
    item.get(name).and_then(Value::as_str).unwrap_or_default()
}
