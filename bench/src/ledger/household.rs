//! A household of 20 years: 40 entries a month, 100,000 lines.

use std::collections::BTreeMap;

use hansang_ledger::{Balances, Export, Kind, Line, Month, PAID_IN, Source, Subject, TAKEN_OUT};

use super::parsed;

/// The number of months.
pub(super) const MONTHS: usize = 240;
/// The number of lines.
pub(super) const LINES: usize = 100_000;
/// The first day.
pub(super) const FIRST: &str = "2006-01-01";
const FIRST_MONTH: &str = "2006.01";

/// The months of the household.
pub(super) fn range() -> Result<(Month, Month), String> {
    let first = parsed(FIRST_MONTH)?;
    Ok((first, first.plus(MONTHS as i32 - 1)))
}

/// The account that edits change, so that balances of later months change.
pub(super) fn savings() -> Result<Subject, String> {
    Subject::new(Kind::Savings, "적금1", None).map_err(super::failed)
}

/// The 40 entries of a month.
fn subjects() -> Vec<Subject> {
    let numbered = |kind, name: &str, count: usize, detail: Option<&str>| -> Vec<Subject> {
        (1..=count).filter_map(|number| Subject::new(kind, &format!("{name}{number}"), detail).ok()).collect()
    };
    [
        numbered(Kind::Income, "배우자", 2, Some("월급")),
        numbered(Kind::Income, "배우자", 2, Some("기타수입")),
        numbered(Kind::FixedExpense, "고정", 8, None),
        numbered(Kind::LivingExpense, "생활", 16, None),
        numbered(Kind::Savings, "적금", 3, None),
        numbered(Kind::Investment, "투자", 3, None),
        numbered(Kind::ShortSavings, "단기", 3, Some(PAID_IN)),
        numbered(Kind::ShortSavings, "단기", 3, Some(TAKEN_OUT)),
    ]
    .concat()
}

/// The whole household, the same in every run.
pub(super) fn export() -> Result<Export, String> {
    let subjects = subjects();
    let named = |kind: Kind| -> Vec<String> {
        let mut names: Vec<String> = subjects
            .iter()
            .filter(|subject| subject.kind == kind)
            .map(|subject| subject.name.clone())
            .collect();
        names.sort();
        names.dedup();
        names
    };
    let (first, last) = range()?;
    let months: Vec<Month> = first.to(last).collect();
    let line = |number: usize| {
        // Every entry of every month has a line before any has a second one.
        let slot = number % (MONTHS * subjects.len());
        let (month, subject) = (months[slot / subjects.len()], &subjects[slot % subjects.len()]);
        Line {
            month,
            subject: subject.clone(),
            line_id: format!("01{number:024}"),
            date: month.day(1 + (number * 7 % 28) as i64).to_string(),
            text: format!("가게 {}", number % 500),
            amount: 1000 + (number * 7919 % 90_000) as i64,
            by: "bench".to_owned(),
            source: Source::Typed,
            import_id: None,
            row: None,
            seq: 0,
        }
    };
    let mut lines: Vec<Line> = (0..LINES).map(line).collect();
    // Lines of one month and entry share their writes.
    lines.sort_by(|a, b| (a.month, &a.subject).cmp(&(b.month, &b.subject)));
    let groups =
        [("현금확보용적금", Kind::Savings), ("투자용", Kind::Investment), ("단기저축용", Kind::ShortSavings)];
    Ok(Export {
        version: 1,
        opening: Balances::default(),
        codes: BTreeMap::from([
            ("YEAR_MONTH".to_owned(), months.iter().map(Month::to_string).collect()),
            ("NAME".to_owned(), vec!["배우자1".to_owned(), "배우자2".to_owned()]),
            ("INCOME_TYPE".to_owned(), vec!["월급".to_owned(), "기타수입".to_owned()]),
            ("FIXED_EXPENSE_TYPE".to_owned(), named(Kind::FixedExpense)),
            ("LIVING_EXPENSE_CATEGORY".to_owned(), named(Kind::LivingExpense)),
        ]),
        accounts: groups.map(|(group, kind)| (group.to_owned(), named(kind))).into_iter().collect(),
        account_kinds: BTreeMap::new(),
        group_kinds: BTreeMap::new(),
        sign_ins: BTreeMap::new(),
        rules: Vec::new(),
        budgets: Vec::new(),
        goals: Vec::new(),
        lines,
    })
}
