//! Rare cases: lines that are sent again, years that are mistyped, a large head, a month that does not add up.

use hansang_core::plan::{Change, Path};
use hansang_core::write::Update;
use hansang_core::{Item, Value};
use hansang_ledger::{
    Balances, Kind, LedgerCode, Line, LineChange, NewLine, Rule, add_line, change_line, check_closed_month,
    close_months, create, delete_line, history, month, recalculate, run_rules, set_opening, set_rule,
    stored_months, undo,
};

use crate::checker::{check, item};
use crate::grounds::{self, Ground, entry, line, on_each_store, subject};

on_each_store!(
    a_line_is_sent_once_whatever_became_of_it,
    a_mistyped_year_leaves_no_months,
    a_large_head_is_folded,
    a_closed_month_is_checked,
    a_rule_that_ran_says_why_it_stays,
);

/// The response was lost and the phone sends the line again, after it was moved, changed, deleted or undone.
async fn a_line_is_sent_once_whatever_became_of_it(ground: Ground) {
    let ledger = &ground.ledger;
    let at = grounds::month("2026.01");
    let sent = |number: u8| {
        let id = format!("01JD3Q0V8B5X9K2M4N6P7R8S9{number}");
        NewLine { id: Some(id), ..line("2026-01-05", Kind::LivingExpense, "식비", "점심", 9_000) }
    };
    let mut ids = Vec::new();
    for number in 0..4 {
        ids.push(add_line(ledger, "ann", sent(number)).await.unwrap().line_id);
    }
    let moved = LineChange { date: Some("2026-02-01".parse().unwrap()), ..LineChange::default() };
    change_line(ledger, "bob", at, &ids[0], moved).await.unwrap();
    let changed = LineChange { amount: Some(1), ..LineChange::default() };
    change_line(ledger, "bob", at, &ids[1], changed).await.unwrap();
    delete_line(ledger, "bob", at, &ids[2]).await.unwrap();
    let is_last = |(_, after): &(_, Option<Line>)| after.as_ref().is_some_and(|line| line.line_id == ids[3]);
    let changes = history(ledger, None, None).await.unwrap().changes;
    let last = changes.iter().find(|change| change.lines.iter().any(is_last)).map(|change| change.seq);
    undo(ledger, "bob", last.unwrap()).await.unwrap();
    for number in 0..4 {
        let again = add_line(ledger, "ann", sent(number)).await;
        assert_eq!(again.unwrap_err().code, LedgerCode::LineExists, "{number}");
    }
    assert_eq!(month(ledger, at).await.unwrap().totals.total_expense, 1);
    assert_eq!(month(ledger, grounds::month("2026.02")).await.unwrap().totals.total_expense, 9_000);
}

/// A line of 1926 makes one month, not 1,200, and none after it was corrected.
async fn a_mistyped_year_leaves_no_months(ground: Ground) {
    let ledger = &ground.ledger;
    ground.set_date("2026-03-15");
    let rent = line("2026-02-03", Kind::Savings, "적금1", "", 70);
    add_line(ledger, "ann", rent).await.unwrap();
    let wrong = add_line(ledger, "ann", line("1926-01-03", Kind::Savings, "적금1", "", 5)).await.unwrap();
    close_months(ledger, "batch").await.unwrap();
    let months = stored_months(ledger).await.unwrap();
    assert!(months.len() <= 241, "{}", months.len());
    assert_eq!(month(ledger, grounds::month("2026.03")).await.unwrap().balances.cash_accumulated, 75);
    let date = LineChange { date: Some("2026-01-03".parse().unwrap()), ..LineChange::default() };
    change_line(ledger, "ann", grounds::month("1926.01"), &wrong.line_id, date).await.unwrap();
    close_months(ledger, "batch").await.unwrap();
    let months: Vec<String> = stored_months(ledger).await.unwrap().iter().map(ToString::to_string).collect();
    assert_eq!(months, ["2026.01", "2026.02", "2026.03"]);
    assert!(item(&ledger.db, "MONTHLY_SUMMARY#1926.01", "TOTALS").await.is_none());
    assert!(item(&ledger.db, "ACCUMULATED_ASSETS#1926.01", "BALANCES").await.is_none());
    assert_eq!(month(ledger, grounds::month("2026.01")).await.unwrap().balances.cash_accumulated, 5);
    assert_eq!(check(ledger).await, Vec::<String>::new());
    assert!(recalculate(ledger, "ann", None, true).await.unwrap().problems.is_empty());
}

/// Carries of many accounts with long names do not outgrow the item of the head.
async fn a_large_head_is_folded(ground: Ground) {
    let ledger = &ground.ledger;
    create(ledger, "ann", &entry("2026.01", Kind::Savings, "적금1", 1)).await.unwrap();
    let name = |number: usize| format!("{number:03}{}", "가".repeat(37));
    for round in 1..40 {
        let balances = (0..150).map(|number| (name(number), round)).collect();
        let opening = Balances { short_savings_balances: balances, ..Balances::default() };
        set_opening(ledger, "ann", &opening).await.unwrap();
    }
    let view = month(ledger, grounds::month("2026.01")).await.unwrap();
    assert_eq!(view.balances.short_savings(), 150 * 39);
    assert_eq!(check(ledger).await, Vec::<String>::new());
}

/// L25: the month that ended is checked by the batch, once.
async fn a_closed_month_is_checked(ground: Ground) {
    let ledger = &ground.ledger;
    ground.set_date("2026-01-20");
    create(ledger, "ann", &entry("2026.01", Kind::Savings, "적금1", 7)).await.unwrap();
    ground.set_date("2026-02-01");
    close_months(ledger, "batch").await.unwrap();
    assert!(check_closed_month(ledger).await.unwrap().is_empty());
    ground.set_date("2026-03-01");
    close_months(ledger, "batch").await.unwrap();
    let income = (Path { root: "totalIncome".into(), inside: Vec::new() }, Change::Set(5_i64.into()));
    let key = Item::from([("yearMonth".into(), Value::from("2026.02"))]);
    let update = Update { key, changes: vec![income], expected_version: None };
    ledger.db.update("MonthlySummary", update).await.unwrap();
    let problems = check_closed_month(ledger).await.unwrap();
    assert_eq!(
        problems.iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["2026.02: the totals differ from the entries"]
    );
    assert!(check_closed_month(ledger).await.unwrap().is_empty(), "once in each process");
    let totals = item(&ledger.db, "MONTHLY_SUMMARY#2026.02", "TOTALS").await.unwrap();
    assert_eq!(totals.get("totalIncome"), Some(&5_i64.into()), "nothing is corrected");
}

/// The creation of a rule cannot be undone any more after it has run, and the message says so.
async fn a_rule_that_ran_says_why_it_stays(ground: Ground) {
    let ledger = &ground.ledger;
    ground.set_date("2026-01-20");
    let rule = Rule {
        rule_id: String::new(),
        subject: subject(Kind::FixedExpense, "주거"),
        text: String::new(),
        amount: 5,
        day: 1,
        yearly: None,
        from: grounds::month("2026.01"),
        until: None,
        by: String::new(),
        done_through: None,
    };
    set_rule(ledger, "ann", rule).await.unwrap();
    run_rules(ledger).await.unwrap();
    let created = history(ledger, None, None).await.unwrap().changes.pop().unwrap();
    assert_eq!(created.action, "rule");
    let error = undo(ledger, "ann", created.seq).await.unwrap_err();
    assert_eq!(error.code, LedgerCode::UndoBlocked);
    assert!(error.message.to_string().contains("has entered lines since"), "{}", error.message);
}
