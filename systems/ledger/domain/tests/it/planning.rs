//! Recurring entries, budgets, goals and reports.

use std::sync::Arc;

use hansang_core::{Item, Value};
use hansang_ledger::{
    Budget, CodeType, Goal, Kind, LedgerCode, LineChange, ListChange, ListName, Ran, Rule, add, add_line,
    assign_accounts, budgets_of_month, calendar, change_line, change_list, copy_month, create, delete_line,
    export, goals, lines_of_month, month, name_sign_in, people_of_period, period, run_rules, search,
    set_budget, set_goal, set_rule, sign_ins, year,
};
use hansang_testkit::faults::{Faults, Faulty};
use hansang_testkit::memory::Memory;

use crate::checker::check;
use crate::grounds::{self, Ground, entry, line, on_each_store, subject};

on_each_store!(
    rules_run_once_and_catch_up,
    one_rule_does_not_block_others,
    a_copy_leaves_out_what_rules_enter,
    what_has_no_code_any_more_gets_nothing,
    budgets_roll_over,
    goals_have_a_month,
    reports_add_up,
    people_are_one_each,
);

fn rule(kind: Kind, name: &str, amount: i64, day: i64, from: &str) -> Rule {
    Rule {
        rule_id: String::new(),
        subject: subject(kind, name),
        text: "규칙".to_owned(),
        amount,
        day,
        yearly: None,
        from: grounds::month(from),
        until: None,
        by: String::new(),
        done_through: None,
    }
}

/// Monthly, yearly and on the last day; after downtime every missed month is entered, once.
async fn rules_run_once_and_catch_up(ground: Ground) {
    let ledger = &ground.ledger;
    ground.set_date("2026-04-29");
    set_rule(ledger, "ann", rule(Kind::FixedExpense, "통신", 50_000, 31, "2026.01")).await.unwrap();
    let yearly = Rule { yearly: Some(3), ..rule(Kind::FixedExpense, "구독", 120_000, 5, "2025.01") };
    set_rule(ledger, "ann", yearly).await.unwrap();
    assert_eq!(run_rules(ledger).await.unwrap().entered, 5);
    assert_eq!(run_rules(ledger).await.unwrap().entered, 0);
    let february = lines_of_month(ledger, grounds::month("2026.02")).await.unwrap();
    assert_eq!((february.len(), &*february[0].date), (1, "2026-02-28"));
    delete_line(ledger, "ann", grounds::month("2026.02"), &february[0].line_id).await.unwrap();
    ground.set_date("2026-04-30");
    assert_eq!(run_rules(ledger).await.unwrap().entered, 1, "a deleted line does not come back");
    let march = month(ledger, grounds::month("2026.03")).await.unwrap();
    assert_eq!(march.totals.total_expense, 170_000);
    assert!(set_rule(ledger, "ann", rule(Kind::FixedExpense, "통신", 1, 32, "2026.01")).await.is_err());
    assert_eq!(check(ledger).await, Vec::<String>::new());
}

/// A rule that cannot be entered keeps no other from being entered.
async fn one_rule_does_not_block_others(ground: Ground) {
    let ledger = &ground.ledger;
    ground.set_date("2026-01-15");
    // Another program wrote an amount to which nothing can be added.
    let huge = Item::from([
        ("yearMonth".into(), Value::from("2026.01")),
        ("expenseType".into(), Value::from("대출")),
        ("amount".into(), Value::from(1_000_000_000_000_000_000_i64)),
    ]);
    ledger.db.create("FixedExpense", huge).await.unwrap();
    set_rule(ledger, "ann", rule(Kind::FixedExpense, "대출", 1, 3, "2026.01")).await.unwrap();
    set_rule(ledger, "ann", rule(Kind::Savings, "적금1", 7, 3, "2025.12")).await.unwrap();
    let error = run_rules(ledger).await.unwrap_err();
    assert_eq!(error.code, LedgerCode::SumTooLarge);
    assert_eq!(lines_of_month(ledger, grounds::month("2025.12")).await.unwrap().len(), 1);
}

/// A month is copied on its first day; the rule enters its rent on day 25, once.
async fn a_copy_leaves_out_what_rules_enter(ground: Ground) {
    let ledger = &ground.ledger;
    ground.set_date("2026-01-31");
    set_rule(ledger, "ann", rule(Kind::FixedExpense, "주거", 800_000, 25, "2026.01")).await.unwrap();
    // It has run by hand until now, and will run from February on.
    create(ledger, "ann", &entry("2026.01", Kind::FixedExpense, "통신", 50_000)).await.unwrap();
    set_rule(ledger, "ann", rule(Kind::FixedExpense, "통신", 50_000, 20, "2026.02")).await.unwrap();
    // An entry of a rule and of a person.
    set_rule(ledger, "ann", rule(Kind::LivingExpense, "식비", 30_000, 1, "2026.01")).await.unwrap();
    add(ledger, "ann", &entry("2026.01", Kind::LivingExpense, "식비", 200_000)).await.unwrap();
    // One that runs in another month only.
    let yearly = Rule { yearly: Some(7), ..rule(Kind::FixedExpense, "구독", 9_000, 1, "2026.01") };
    set_rule(ledger, "ann", yearly).await.unwrap();
    create(ledger, "ann", &entry("2026.01", Kind::FixedExpense, "구독", 9_000)).await.unwrap();
    assert_eq!(run_rules(ledger).await.unwrap().entered, 2);
    ground.set_date("2026-01-31");
    let copied = copy_month(ledger, "ann", grounds::month("2026.02")).await.unwrap();
    assert_eq!(copied.count, 2);
    assert_eq!(copied.recurring, [subject(Kind::FixedExpense, "주거"), subject(Kind::FixedExpense, "통신")]);
    ground.set_date("2026-02-25");
    run_rules(ledger).await.unwrap();
    let february = month(ledger, grounds::month("2026.02")).await.unwrap();
    let amounts: Vec<(&str, i64)> =
        february.entries.iter().map(|entry| (&*entry.subject.name, entry.amount)).collect();
    assert_eq!(amounts, [("구독", 9_000), ("주거", 800_000), ("통신", 50_000), ("식비", 230_000)]);
    assert_eq!(check(ledger).await, Vec::<String>::new());
}

/// A removed category and a reassigned account get no new entries, from rules or copies, until they are back.
async fn what_has_no_code_any_more_gets_nothing(ground: Ground) {
    let ledger = &ground.ledger;
    ground.set_date("2026-01-10");
    set_rule(ledger, "ann", rule(Kind::LivingExpense, "문화생활", 10_000, 1, "2026.02")).await.unwrap();
    create(ledger, "ann", &entry("2026.01", Kind::LivingExpense, "문화생활", 5_000)).await.unwrap();
    create(ledger, "ann", &entry("2026.01", Kind::Savings, "적금1", 7_000)).await.unwrap();
    create(ledger, "ann", &entry("2026.01", Kind::LivingExpense, "식비", 3_000)).await.unwrap();
    let list = ListName::Codes(CodeType::LivingExpenseCategory);
    change_list(ledger, "ann", &list, &ListChange::Remove("문화생활".to_owned())).await.unwrap();
    let other = [("적금1".to_owned(), Some(Kind::Investment))].into();
    assign_accounts(ledger, "ann", &other).await.unwrap();
    ground.set_date("2026-02-10");
    let at = grounds::month("2026.02");
    let ran = run_rules(ledger).await.unwrap();
    assert_eq!((ran.entered, ran.held.len(), &*ran.held[0].rule.subject.name), (0, 1, "문화생활"));
    let copied = copy_month(ledger, "ann", at).await.unwrap();
    let refused: Vec<&str> = copied.refused.iter().map(|(subject, _)| &*subject.name).collect();
    assert_eq!((copied.count, refused), (1, vec!["문화생활", "적금1"]));
    assert_eq!(month(ledger, at).await.unwrap().entries.len(), 1);
    change_list(ledger, "ann", &list, &ListChange::Add("문화생활".to_owned())).await.unwrap();
    assert_eq!(run_rules(ledger).await.unwrap(), Ran { entered: 1, held: Vec::new() });
    assert_eq!(check(ledger).await, Vec::<String>::new());
}

async fn budgets_roll_over(ground: Ground) {
    let ledger = &ground.ledger;
    let set = async |at: &str, amount: i64, rollover: bool| {
        let (kind, category) = (Kind::LivingExpense, "식비".to_owned());
        let budget = Budget { kind, category, month: grounds::month(at), amount, rollover };
        set_budget(ledger, "ann", &budget).await.unwrap();
    };
    set("2026.01", 100, false).await;
    set("2026.02", 100, true).await;
    for (at, amount) in [("2026.01", 30), ("2026.02", 60), ("2026.03", 150)] {
        create(ledger, "ann", &entry(at, Kind::LivingExpense, "식비", amount)).await.unwrap();
    }
    let left = async |at: &str| {
        budgets_of_month(ledger, grounds::month(at))
            .await
            .unwrap()
            .first()
            .map(|view| (view.carried, view.left))
    };
    assert_eq!(left("2025.12").await, None);
    assert_eq!(left("2026.01").await, Some((0, 70)));
    assert_eq!(left("2026.02").await, Some((0, 40)));
    assert_eq!(left("2026.03").await, Some((40, -10)));
    assert_eq!(left("2026.04").await, Some((-10, 90)));
    set("2026.05", 0, false).await;
    assert_eq!(left("2026.05").await, None);
}

async fn goals_have_a_month(ground: Ground) {
    let ledger = &ground.ledger;
    for number in 1..=6 {
        add(ledger, "ann", &entry(&format!("2026.0{number}"), Kind::ShortSavings, "여행/적립", 100))
            .await
            .unwrap();
    }
    let goal = Goal { account_name: "여행".to_owned(), amount: 1000, month: None };
    set_goal(ledger, "ann", &goal).await.unwrap();
    let view = &goals(ledger, grounds::month("2026.06")).await.unwrap()[0];
    assert_eq!((view.balance, view.monthly, view.reached), (600, 100, Some(grounds::month("2026.10"))));
    assert!(set_goal(ledger, "ann", &Goal { account_name: "적금1".to_owned(), ..goal }).await.is_err());
}

/// L18, L19, L20, L21, L22, L23: a period has the months in order, each with its own entries alone.
async fn reports_add_up(ground: Ground) {
    let ledger = &ground.ledger;
    ground.set_date("2026-06-15");
    for (on, kind, name, amount) in [
        ("2025-05-01", Kind::LivingExpense, "식비", 100),
        ("2026-01-03", Kind::LivingExpense, "식비", 10),
        ("2026-03-03", Kind::LivingExpense, "식비", 50),
        ("2026-03-03", Kind::Income, "배우자1/월급", 1000),
        ("2026-03-04", Kind::Savings, "적금1", 250),
    ] {
        add_line(ledger, "ann", line(on, kind, name, "점심 식사", amount)).await.unwrap();
    }
    let months = period(ledger, grounds::month("2026.01"), grounds::month("2026.06")).await.unwrap();
    let counts: Vec<usize> = months.iter().map(|view| view.entries.len()).collect();
    assert_eq!(counts, [1, 0, 3, 0, 0, 0]);
    assert_eq!((months[2].totals.savings_rate(), months[5].balances.sum()), (Some(250), 250));
    assert!(period(ledger, grounds::month("1900.01"), grounds::month("2899.12")).await.is_err());
    let rows = year(ledger, 2026).await.unwrap();
    let food = rows.iter().find(|row| row.subject.name == "식비").unwrap();
    assert_eq!((food.total, food.average, food.last_total, food.months[2]), (60, 10, 100, 50));
    let days = calendar(ledger, grounds::month("2026.03")).await.unwrap();
    assert_eq!(
        (days["2026-03-03"].earned, days["2026-03-03"].spent, days["2026-03-04"].saved),
        (1000, 50, 250)
    );
    let wanted =
        hansang_ledger::Search { text: "점심 식비".to_owned(), ..hansang_ledger::Search::default() };
    let found =
        search(ledger, grounds::month("2025.01"), grounds::month("2026.12"), &wanted, 2).await.unwrap();
    assert_eq!(found.iter().map(|line| &*line.date).collect::<Vec<_>>(), ["2026-03-03", "2026-01-03"]);
}

/// Ls18: what a person earned by name and what its sign-in entered are one row, and money that comes back out of a
/// short-term account is not saved.
async fn people_are_one_each(ground: Ground) {
    let ledger = &ground.ledger;
    let id = "01KA9Z6Q3N8V5T2R7W4Y1M0CDE";
    let enter = async |on: &str, kind: Kind, name: &str, amount: i64| {
        add_line(ledger, id, line(on, kind, name, "", amount)).await.unwrap();
    };
    enter("2026-01-25", Kind::Income, "배우자1/월급", 3_000_000).await;
    enter("2026-01-26", Kind::LivingExpense, "식비", 50_000).await;
    enter("2026-02-01", Kind::ShortSavings, "여행/적립", 300_000).await;
    enter("2026-02-02", Kind::ShortSavings, "여행/지출", 100_000).await;
    let (from, to) = (grounds::month("2026.01"), grounds::month("2026.02"));
    let before = people_of_period(ledger, from, to).await.unwrap();
    assert_eq!((before["배우자1"].earned, before["배우자1"].spent, before[id].spent), (3_000_000, 0, 50_000));
    let unknown = name_sign_in(ledger, "ann", id, Some("누구")).await.unwrap_err();
    assert_eq!(unknown.code, LedgerCode::CodeUnknown);
    name_sign_in(ledger, "ann", id, Some("배우자1")).await.unwrap();
    let after = people_of_period(ledger, from, to).await.unwrap();
    let day = after["배우자1"];
    assert_eq!((day.earned, day.spent, day.saved), (3_000_000, 50_000, 200_000));
    assert_eq!(after.keys().collect::<Vec<_>>(), ["배우자1", "배우자2"]);
    let days = calendar(ledger, to).await.unwrap();
    assert_eq!((days["2026-02-02"].spent, days["2026-02-02"].saved), (0, -100_000));
    let exported = export(ledger).await.unwrap();
    assert_eq!(exported.sign_ins, [(id.to_owned(), "배우자1".to_owned())].into());
    name_sign_in(ledger, "ann", id, None).await.unwrap();
    assert_eq!(people_of_period(ledger, from, to).await.unwrap()[id].spent, 50_000);
    assert!(sign_ins(ledger).await.unwrap().is_empty());
}

/// A change between two entries of one total is in a period at once, also if the index does not have it yet.
#[tokio::test]
async fn a_period_does_not_trust_a_late_index() {
    let ground = Ground::new(grounds::On::Embedded).await;
    let faults = Faults { index_lag: 1.0, ..Faults::default() };
    let faulty =
        Faulty::new(Arc::new(Memory::new()), faults, 1).with_lagging_indexes(Arc::new(Memory::new()));
    let faulty = Arc::new(faulty);
    let ledger = &ground.another(faulty.clone());
    ledger.db.ensure_table().await.unwrap();
    let at = grounds::month("2026.02");
    let food =
        add_line(ledger, "ann", line("2026-02-01", Kind::LivingExpense, "식비", "", 5000)).await.unwrap();
    faulty.catch_up().await.unwrap();
    let other = LineChange { subject: Some(subject(Kind::LivingExpense, "기타")), ..LineChange::default() };
    change_line(ledger, "ann", at, &food.line_id, other).await.unwrap();
    let entries = period(ledger, at, at).await.unwrap().remove(0).entries;
    assert_eq!(entries, month(ledger, at).await.unwrap().entries);
    assert_eq!(entries[0].subject.name, "기타");
}
