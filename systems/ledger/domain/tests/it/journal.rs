//! Exports: restore gives the same ledger, and hledger calculates the same figures from the journal.

use std::collections::BTreeMap;
use std::process::Command;

use hansang_ledger::{
    Balances, Budget, Export, Goal, Kind, LedgerCode, PAID_IN, Rule, add_group, add_line, assign_accounts,
    budgets, export, goals, history, month, restore, rules, run_rules, set_budget, set_goal, set_opening,
    set_rule, stored_months,
};

use crate::checker::check;
use crate::grounds::{self, Ground, On, line, subject};
use crate::imports::bring;

/// A ledger of some months with every kind of entry, refunds included.
async fn filled() -> Ground {
    let ground = Ground::new(On::Embedded).await;
    let ledger = &ground.ledger;
    let opening = Balances {
        cash_accumulated: 1_000_000,
        investment_accumulated: 2_000_000,
        short_savings_balances: [("여행".to_owned(), 300_000)].into(),
    };
    set_opening(ledger, "ann", &opening).await.unwrap();
    let mut chance = fastrand::Rng::with_seed(7);
    for number in 0..150 {
        let (kind, name) = [
            (Kind::Income, "배우자1/월급"),
            (Kind::Income, "배우자2/상여"),
            (Kind::FixedExpense, "대출"),
            (Kind::LivingExpense, "식비"),
            (Kind::LivingExpense, "교통비"),
            (Kind::Savings, "적금1"),
            (Kind::Investment, "주식"),
            (Kind::ShortSavings, "여행/적립"),
            (Kind::ShortSavings, "여행/지출"),
        ][number % 9];
        let on = format!("2025-{:02}-{:02}", chance.u32(1..=12), chance.u32(1..=28));
        let text = ["커피; 두 잔  (큰 것)", "=1+1", "", "점심 | 회사"][number % 4];
        add_line(ledger, "ann", line(&on, kind, name, text, chance.i64(-20_000..900_000))).await.unwrap();
    }
    ground
}

#[tokio::test]
async fn a_restored_ledger_is_the_same() {
    let ground = filled().await;
    let exported = export(&ground.ledger).await.unwrap();
    let json = serde_json::to_string(&exported).unwrap();
    let read: Export = serde_json::from_str(&json).unwrap();
    assert_eq!(read, exported);
    let other = Ground::new(On::Embedded).await;
    assert_eq!(restore(&other.ledger, "ann", &read).await.unwrap(), 150);
    assert_eq!(restore(&other.ledger, "ann", &read).await.unwrap(), 0, "running it again adds nothing");
    let mut changed = read.clone();
    changed.lines[0].amount += 1;
    assert!(restore(&other.ledger, "ann", &changed).await.is_err(), "a line has another amount here");
    for at in stored_months(&ground.ledger).await.unwrap() {
        let (one, two) = (month(&ground.ledger, at).await.unwrap(), month(&other.ledger, at).await.unwrap());
        assert_eq!((one.totals, one.balances, one.entries), (two.totals, two.balances, two.entries));
    }
    assert_eq!(check(&other.ledger).await, Vec::<String>::new());
    let csv = exported.csv().unwrap();
    assert!(csv.starts_with("\u{feff}month,date") && csv.contains("'=1+1"), "{csv}");
    assert_eq!(csv.lines().count(), 151);
}

/// Accounts hold what they held, rules go on where they were, budgets and goals are there, and a bank file that was imported
/// before adds nothing.
#[tokio::test]
async fn a_restored_ledger_goes_on() {
    let ground = Ground::new(On::Embedded).await;
    let ledger = &ground.ledger;
    ground.set_date("2026-03-15");
    add_group(ledger, "ann", "비상금", Kind::Savings).await.unwrap();
    assign_accounts(ledger, "ann", &[("청약".to_owned(), Some(Kind::Savings))].into()).await.unwrap();
    let rule = Rule {
        rule_id: String::new(),
        subject: subject(Kind::FixedExpense, "통신"),
        text: String::new(),
        amount: 50_000,
        day: 10,
        yearly: None,
        from: grounds::month("2026.01"),
        until: None,
        by: String::new(),
        done_through: None,
    };
    set_rule(ledger, "ann", rule).await.unwrap();
    assert_eq!(run_rules(ledger).await.unwrap().entered, 3);
    let (category, at) = ("식비".to_owned(), grounds::month("2026.02"));
    let budget = Budget { kind: Kind::LivingExpense, category, month: at, amount: 300_000, rollover: true };
    set_budget(ledger, "ann", &budget).await.unwrap();
    let goal = Goal { account_name: "여행".to_owned(), amount: 900_000, month: None };
    set_goal(ledger, "ann", &goal).await.unwrap();
    let file = "날짜,내용,금액\n2026-02-01,커피,4500\n2026-02-01,커피,4500\n";
    assert_eq!(bring(ledger, file).await.unwrap().added, 2);

    let json = serde_json::to_string(&export(ledger).await.unwrap()).unwrap();
    let read: Export = serde_json::from_str(&json).unwrap();
    let other = Ground::new(On::Embedded).await;
    other.set_date("2026-04-15");
    assert_eq!(restore(&other.ledger, "ann", &read).await.unwrap(), 5);
    assert_eq!(restore(&other.ledger, "ann", &read).await.unwrap(), 0, "running it again adds nothing");
    // The rule enters April alone; everything else is as it was.
    assert_eq!(run_rules(&other.ledger).await.unwrap().entered, 1);
    let codes = other.ledger.codes().await.unwrap();
    let kinds = (codes.kind_of("청약"), codes.kind_of_group("비상금"));
    assert_eq!(kinds, (Some(Kind::Savings), Some(Kind::Savings)));
    assert_eq!(rules(&other.ledger).await.unwrap()[0].done_through, Some(grounds::month("2026.04")));
    assert_eq!(budgets(&other.ledger).await.unwrap(), [budget]);
    assert_eq!(goals(&other.ledger, at).await.unwrap()[0].goal, goal);
    let expenses =
        async |at: &str| month(&other.ledger, grounds::month(at)).await.unwrap().totals.total_expense;
    assert_eq!((expenses("2026.02").await, expenses("2026.04").await), (59_000, 50_000));
    assert_eq!(bring(&other.ledger, file).await.unwrap().added, 0);
    assert_eq!(check(&other.ledger).await, Vec::<String>::new());
}

/// Nothing is restored from an export with anything wrong in it.
#[tokio::test]
async fn a_wrong_export_restores_nothing() {
    let ground = filled().await;
    let exported = export(&ground.ledger).await.unwrap();
    let wrong = |change: fn(&mut Export)| {
        let mut wrong = exported.clone();
        change(&mut wrong);
        wrong
    };
    let other = Ground::new(On::Embedded).await;
    for (wrong, code) in [
        (wrong(|export| export.version = 3), LedgerCode::ExportVersion),
        (wrong(|export| export.lines[9].amount = i64::MAX), LedgerCode::AmountInvalid),
        (wrong(|export| export.lines[9].date = "2025-02-30".to_owned()), LedgerCode::DateInvalid),
        (wrong(|export| export.lines[9].subject.name = "a#b".to_owned()), LedgerCode::NameInvalid),
        (wrong(|export| export.lines[9].row = Some("#".to_owned())), LedgerCode::FileInvalid),
        (wrong(|export| export.opening.cash_accumulated = i64::MAX), LedgerCode::AmountInvalid),
        (
            wrong(|export| drop(export.codes.insert("COLORS".to_owned(), Vec::new()))),
            LedgerCode::CodeListUnknown,
        ),
        (wrong(|export| drop(export.accounts.insert("a#b".to_owned(), Vec::new()))), LedgerCode::NameInvalid),
        (
            wrong(|export| export.account_kinds = [("주식".to_owned(), Kind::Income)].into()),
            LedgerCode::KindUnknown,
        ),
    ] {
        assert_eq!(restore(&other.ledger, "ann", &wrong).await.unwrap_err().code, code);
    }
    assert_eq!(stored_months(&other.ledger).await.unwrap(), []);
    assert_eq!(history(&other.ledger, None, None).await.unwrap().changes, []);
}

/// The sheets of the workbook have the lines, the amounts of entries, and the figures of months.
#[tokio::test]
async fn the_workbook_has_the_same_figures() {
    use calamine::{Data, Reader as _, Xlsx};
    let ground = filled().await;
    let exported = export(&ground.ledger).await.unwrap();
    let bytes = exported.xlsx(hansang_core::message::Language::Korean).unwrap();
    let mut book = Xlsx::new(std::io::Cursor::new(bytes)).unwrap();
    assert_eq!(book.sheet_names(), ["내역", "월별 항목", "월별 합계"]);
    let lines = book.worksheet_range("내역").unwrap();
    assert_eq!(lines.height(), 151);
    assert!(lines.rows().any(|row| row[4] == Data::String("=1+1".to_owned())), "a text is no formula");
    let entries = book.worksheet_range("월별 항목").unwrap();
    let months = book.worksheet_range("월별 합계").unwrap();
    let number = |cell: &Data| if let Data::Float(number) = cell { *number as i64 } else { 0 };
    let mut rows = months.rows().skip(1);
    for at in stored_months(&ground.ledger).await.unwrap() {
        let view = month(&ground.ledger, at).await.unwrap();
        let row = rows.next().unwrap();
        assert_eq!(row[0], Data::String(at.to_string()));
        let figures: Vec<i64> = row[1..].iter().map(number).collect();
        let (totals, balances) = (&view.totals, &view.balances);
        assert_eq!(figures[..2], [totals.total_income, totals.total_expense]);
        assert_eq!(
            figures[5..8],
            [totals.net_asset(), balances.cash_accumulated, balances.investment_accumulated]
        );
        assert_eq!(figures[8], balances.short_savings_balances.values().sum::<i64>());
        let own = entries.rows().filter(|row| row[0] == Data::String(at.to_string()));
        let sum: i64 = own.map(|row| number(&row[4])).sum();
        assert_eq!(sum, view.entries.iter().map(|entry| entry.amount).sum::<i64>());
    }
}

/// hledger reads the journal and gets every month's totals and balances: an independent calculation.
#[tokio::test]
async fn hledger_agrees() {
    let ground = filled().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ledger.journal");
    std::fs::write(&file, export(&ground.ledger).await.unwrap().journal()).unwrap();
    for at in stored_months(&ground.ledger).await.unwrap() {
        let view = month(&ground.ledger, at).await.unwrap();
        let (first, next) = (at.day(1).to_string(), at.plus(1).day(1).to_string());
        let of_month = balances(&file, &["--begin", &first, "--end", &next]);
        let until = balances(&file, &["--end", &next]);
        let sum = |of: &BTreeMap<String, i64>, start: &str| -> i64 {
            of.iter().filter(|(account, _)| account.starts_with(start)).map(|(_, amount)| amount).sum()
        };
        assert_eq!(view.totals.total_income, -sum(&of_month, "income"), "{at}");
        assert_eq!(view.totals.total_expense, sum(&of_month, "expenses"), "{at}");
        assert_eq!(view.totals.total_savings, sum(&of_month, "assets:savings"), "{at}");
        assert_eq!(view.totals.total_investment, sum(&of_month, "assets:investment"), "{at}");
        let short = sum(&of_month, "assets:short") + sum(&of_month, "short:spent");
        assert_eq!(view.totals.total_short_savings, short, "{at} {PAID_IN}");
        assert_eq!(view.balances.cash_accumulated, sum(&until, "assets:savings"), "{at}");
        assert_eq!(view.balances.investment_accumulated, sum(&until, "assets:investment"), "{at}");
        assert_eq!(view.balances.short_savings_balances["여행"], sum(&until, "assets:short:여행"), "{at}");
    }
}

/// The balances of accounts as hledger calculates them.
fn balances(file: &std::path::Path, period: &[&str]) -> BTreeMap<String, i64> {
    let output = Command::new("hledger")
        .env("LANG", "C.UTF-8")
        .args(["balance", "--flat", "--no-total", "--empty", "-O", "csv", "-f"])
        .arg(file)
        .args(period)
        .output()
        .expect("hledger is not installed: run ./test, which installs it");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let row = |line: &str| {
        let mut cells = line.split("\",\"").map(|cell| cell.trim_matches('"'));
        let account = cells.next()?.to_owned();
        let amount = cells.next()?.trim_end_matches("KRW").trim().parse().ok()?;
        Some((account, amount))
    };
    text.lines().skip(1).filter_map(row).collect()
}
