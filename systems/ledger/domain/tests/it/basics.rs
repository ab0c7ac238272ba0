//! The verbs without faults, on each store.

use hansang_core::{Item, Value};
use hansang_ledger::{
    Balances, Kind, LedgerCode, LineChange, Source, add, add_line, change_line, close_months, copy_month,
    create, delete, delete_line, fold, history, lines_of_entry, month, prepare, recalculate, relocate,
    replace, replace_codes, set_opening, stored_months, undo,
};

use crate::checker::{check, item, text};
use crate::grounds::{self, Ground, entry, line, on_each_store, subject};

on_each_store!(
    the_documents_items_are_stored_as_written,
    an_edit_of_an_old_month_reaches_all_later_ones,
    lines_make_entries,
    entries_of_other_programs_are_adopted,
    undo_reverses_one_change,
    bad_input_is_refused,
    months_are_closed_after_downtime,
    many_lines_are_few_changes,
);

fn number(item: &Item, name: &str) -> i64 {
    item.get(name).and_then(Value::as_number).and_then(|number| number.to_i64()).unwrap()
}

/// L1, L2, L3, L4, L5, L6, L7, L8, L9, L10, L11, L12, L13, L14, L15, L16, L29: the document's example month, as other
/// programs read it.
async fn the_documents_items_are_stored_as_written(ground: Ground) {
    let ledger = &ground.ledger;
    prepare(ledger).await.unwrap();
    let codes = item(&ledger.db, "CODE#YEAR_MONTH", "METADATA").await.unwrap();
    let Some(Value::L(months)) = codes.get("codes") else { panic!("{codes:?}") };
    assert_eq!((months.len(), months[23].as_str()), (24, Some("2026.12")));
    let accounts = item(&ledger.db, "CODE#ACCOUNT_TYPE", "METADATA").await.unwrap();
    assert!(format!("{accounts:?}").contains("현금확보용적금"));
    let opening = Balances {
        cash_accumulated: 13_500_000,
        investment_accumulated: 7_000_000,
        short_savings_balances: [("운동", 400_000), ("여행", 700_000), ("경조비", 300_000)]
            .map(|(account, amount)| (account.to_owned(), amount))
            .into(),
    };
    set_opening(ledger, "ann", &opening).await.unwrap();
    for (kind, name, amount) in [
        (Kind::Income, "배우자1/월급", 3_500_000),
        (Kind::Income, "배우자2/월급", 3_500_000),
        (Kind::FixedExpense, "대출", 800_000),
        (Kind::FixedExpense, "주거", 1_000_000),
        (Kind::LivingExpense, "식비", 500_000),
        (Kind::Savings, "적금1", 500_000),
        (Kind::Savings, "적금2", 1_000_000),
        (Kind::Investment, "주식", 1_000_000),
        (Kind::ShortSavings, "운동/적립", 100_000),
        (Kind::ShortSavings, "여행/적립", 100_000),
    ] {
        create(ledger, "ann", &entry("2025.01", kind, name, amount)).await.unwrap();
    }
    let income = item(&ledger.db, "INCOME#2025.01", "배우자1#월급").await.unwrap();
    assert_eq!((number(&income, "amount"), text(&income, "name")), (3_500_000, "배우자1"));
    assert_eq!((text(&income, "incomeType"), text(&income, "yearMonth")), ("월급", "2025.01"));
    assert!(!text(&income, "createdAt").is_empty() && !text(&income, "updatedAt").is_empty());
    let names: Vec<String> = income.keys().map(ToString::to_string).collect();
    assert_eq!(names, ["PK", "SK", "amount", "createdAt", "incomeType", "name", "updatedAt", "yearMonth"]);
    let stock = item(&ledger.db, "INVESTMENT#2025.01", "주식").await.unwrap();
    assert_eq!((text(&stock, "accountName"), text(&stock, "accountType")), ("주식", "투자용"));
    let short = item(&ledger.db, "SHORT_SAVINGS#2025.01", "운동#적립").await.unwrap();
    assert_eq!((text(&short, "accountName"), text(&short, "transactionType")), ("운동", "적립"));
    for (pk, sk) in
        [("FIXED_EXPENSE#2025.01", "대출"), ("LIVING_EXPENSE#2025.01", "식비"), ("SAVINGS#2025.01", "적금1")]
    {
        assert!(item(&ledger.db, pk, sk).await.is_some(), "{pk} {sk}");
    }
    let totals = item(&ledger.db, "MONTHLY_SUMMARY#2025.01", "TOTALS").await.unwrap();
    let figures =
        ["totalIncome", "totalExpense", "totalSavings", "totalInvestment", "totalShortSavings", "netAsset"];
    assert_eq!(
        figures.map(|name| number(&totals, name)),
        [7_000_000, 2_300_000, 1_500_000, 1_000_000, 200_000, 2_000_000]
    );
    let balances = item(&ledger.db, "ACCUMULATED_ASSETS#2025.01", "BALANCES").await.unwrap();
    assert_eq!(
        (number(&balances, "cashAccumulated"), number(&balances, "investmentAccumulated")),
        (15_000_000, 8_000_000)
    );
    let Some(Value::M(short)) = balances.get("shortSavingsBalances") else { panic!("{balances:?}") };
    assert_eq!(["운동", "여행", "경조비"].map(|name| number(short, name)), [500_000, 800_000, 300_000]);
    assert_eq!(check(ledger).await, Vec::<String>::new());
}

/// L24: totals and balances of all later months follow an edit of an old one, also of new months in between.
async fn an_edit_of_an_old_month_reaches_all_later_ones(ground: Ground) {
    let ledger = &ground.ledger;
    for at in ["2025.01", "2025.02", "2025.06"] {
        create(ledger, "ann", &entry(at, Kind::Savings, "적금1", 100)).await.unwrap();
    }
    add(ledger, "bob", &entry("2025.01", Kind::Savings, "적금1", 5)).await.unwrap();
    // Before the folder runs, and after.
    for _ in 0..2 {
        let cash =
            async |at: &str| month(ledger, grounds::month(at)).await.unwrap().balances.cash_accumulated;
        assert_eq!((cash("2025.01").await, cash("2025.02").await, cash("2025.06").await), (105, 205, 305));
        assert_eq!((cash("2024.12").await, cash("2025.04").await, cash("2026.01").await), (0, 205, 305));
        fold(ledger).await.unwrap();
    }
    add(ledger, "bob", &entry("2025.04", Kind::ShortSavings, "운동/지출", 30)).await.unwrap();
    let view = month(ledger, grounds::month("2025.06")).await.unwrap();
    assert_eq!(view.balances.short_savings_balances["운동"], -30);
    let stored = item(&ledger.db, "ACCUMULATED_ASSETS#2025.06", "BALANCES").await.unwrap();
    assert!(!format!("{stored:?}").contains("운동"), "not folded yet");
    fold(ledger).await.unwrap();
    let stored = item(&ledger.db, "ACCUMULATED_ASSETS#2025.06", "BALANCES").await.unwrap();
    assert!(format!("{stored:?}").contains("운동"));
    assert_eq!(check(ledger).await, Vec::<String>::new());
}

/// An entry is the sum of its lines; a typed total writes an adjustment; the last line takes the entry along.
async fn lines_make_entries(ground: Ground) {
    let ledger = &ground.ledger;
    let food = subject(Kind::LivingExpense, "식비");
    let at = grounds::month("2026.01");
    let coffee = line("2026-01-03", Kind::LivingExpense, "식비", "커피", 4_500);
    let first = add_line(ledger, "ann", coffee.clone()).await.unwrap();
    add_line(ledger, "bob", coffee).await.unwrap();
    assert_eq!(
        replace(ledger, "ann", &entry("2026.01", Kind::LivingExpense, "식비", 10_000)).await.unwrap(),
        10_000
    );
    let (amount, lines) = lines_of_entry(ledger, at, &food).await.unwrap();
    assert_eq!((amount, lines.len()), (10_000, 3));
    let adjustment = lines.iter().find(|line| line.source == Source::Adjustment).unwrap();
    assert_eq!(adjustment.amount, 1_000);
    // The same line sent again adds nothing; another line with its id is refused.
    let mut again = line("2026-01-05", Kind::LivingExpense, "식비", "점심", 9_000);
    again.id = Some("01JD3Q0V8B5X9K2M4N6P7R8S9T".to_owned());
    add_line(ledger, "ann", again.clone()).await.unwrap();
    add_line(ledger, "ann", again.clone()).await.unwrap();
    assert_eq!(month(ledger, at).await.unwrap().totals.total_expense, 19_000);
    again.amount = 1;
    assert_eq!(add_line(ledger, "ann", again).await.unwrap_err().code, LedgerCode::LineExists);
    // A refund, a move to another entry and another month.
    let change = LineChange {
        subject: Some(subject(Kind::LivingExpense, "기타")),
        date: Some("2026-02-01".parse().unwrap()),
        amount: Some(-4_500),
        ..LineChange::default()
    };
    change_line(ledger, "ann", at, &first.line_id, change).await.unwrap();
    let february = month(ledger, grounds::month("2026.02")).await.unwrap();
    assert_eq!((february.totals.total_expense, february.entries[0].amount), (-4_500, -4_500));
    delete_line(ledger, "ann", grounds::month("2026.02"), &first.line_id).await.unwrap();
    assert!(month(ledger, grounds::month("2026.02")).await.unwrap().entries.is_empty());
    // Create refuses, copy skips, move and delete take all lines.
    let error = create(ledger, "ann", &entry("2026.01", Kind::LivingExpense, "식비", 1)).await.unwrap_err();
    assert_eq!(error.code, LedgerCode::EntryExists);
    assert_eq!(copy_month(ledger, "ann", grounds::month("2026.02")).await.unwrap().count, 1);
    assert_eq!(copy_month(ledger, "ann", grounds::month("2026.02")).await.unwrap().count, 0);
    relocate(ledger, "ann", at, &food, grounds::month("2026.03")).await.unwrap();
    let march = month(ledger, grounds::month("2026.03")).await.unwrap();
    assert_eq!((march.totals.total_expense, march.entries.len()), (14_500, 1));
    delete(ledger, "ann", grounds::month("2026.03"), &food).await.unwrap();
    let error = delete(ledger, "ann", grounds::month("2026.03"), &food).await.unwrap_err();
    assert_eq!(error.code, LedgerCode::EntryUnknown);
    // More lines than one transaction holds.
    for number in 0..100 {
        add_line(ledger, "ann", line("2026-04-01", Kind::Savings, "적금1", "", number)).await.unwrap();
    }
    let savings = subject(Kind::Savings, "적금1");
    relocate(ledger, "ann", grounds::month("2026.04"), &savings, grounds::month("2026.05")).await.unwrap();
    assert_eq!(month(ledger, grounds::month("2026.05")).await.unwrap().totals.total_savings, 4_950);
    delete(ledger, "ann", grounds::month("2026.05"), &savings).await.unwrap();
    assert_eq!(check(ledger).await, Vec::<String>::new());
}

/// L25: entries that another program wrote get lines, totals and balances by a recalculation.
async fn entries_of_other_programs_are_adopted(ground: Ground) {
    let ledger = &ground.ledger;
    create(ledger, "ann", &entry("2025.03", Kind::Savings, "적금1", 7)).await.unwrap();
    let foreign = |name: &str, amount: i64| {
        Item::from([
            ("yearMonth".into(), Value::from("2025.02")),
            ("accountName".into(), Value::from(name)),
            ("accountType".into(), Value::from("현금확보용적금")),
            ("amount".into(), Value::from(amount)),
        ])
    };
    ledger.db.create("Savings", foreign("적금1", 1_000)).await.unwrap();
    ledger.db.create("Savings", foreign("적금2", 500)).await.unwrap();
    let found = recalculate(ledger, "ann", None, true).await.unwrap();
    assert_eq!(found.problems.len(), 1, "{found:?}");
    // A line for one of them adopts the month, with all of its entries.
    add_line(ledger, "ann", line("2025-02-03", Kind::Savings, "적금1", "", 1)).await.unwrap();
    let view = month(ledger, grounds::month("2025.03")).await.unwrap();
    assert_eq!(view.balances.cash_accumulated, 1_508);
    let found = recalculate(ledger, "ann", None, true).await.unwrap();
    assert_eq!(found.problems.len(), 1, "적금2 has no lines: {found:?}");
    // Somebody wrote into the totals, the balances and an entry.
    let changed = |names: &[(&str, i64)]| {
        let set = |(name, value): &(&str, i64)| {
            let path = hansang_core::plan::Path { root: (*name).into(), inside: Vec::new() };
            (path, hansang_core::plan::Change::Set(Value::from(*value)))
        };
        let key = Item::from([("yearMonth".into(), Value::from("2025.02"))]);
        hansang_core::write::Update { key, changes: names.iter().map(set).collect(), expected_version: None }
    };
    ledger.db.update("MonthlySummary", changed(&[("totalIncome", 9)])).await.unwrap();
    ledger.db.update("AccumulatedAssets", changed(&[("cashAccumulated", 9)])).await.unwrap();
    let found = recalculate(ledger, "ann", None, true).await.unwrap();
    assert_eq!(found.problems.len(), 4, "{found:?}");
    recalculate(ledger, "ann", None, false).await.unwrap();
    assert!(recalculate(ledger, "ann", None, true).await.unwrap().problems.is_empty());
    let (_, lines) =
        lines_of_entry(ledger, grounds::month("2025.02"), &subject(Kind::Savings, "적금2")).await.unwrap();
    assert_eq!((lines[0].source, lines[0].amount), (Source::Adopted, 500));
    assert_eq!(check(ledger).await, Vec::<String>::new());
}

/// Undo reverses a change unless a later one depends on it, and is a change itself.
async fn undo_reverses_one_change(ground: Ground) {
    let ledger = &ground.ledger;
    let at = grounds::month("2026.01");
    let first = add_line(ledger, "ann", line("2026-01-03", Kind::Savings, "적금1", "a", 10)).await.unwrap();
    let second = add_line(ledger, "bob", line("2026-01-03", Kind::Savings, "적금1", "b", 20)).await.unwrap();
    let change = LineChange { amount: Some(11), ..LineChange::default() };
    change_line(ledger, "bob", at, &first.line_id, change).await.unwrap();
    let page = history(ledger, None, None).await.unwrap();
    let actions: Vec<(&str, &str)> = page.changes.iter().map(|one| (&*one.action, &*one.by)).collect();
    assert_eq!(actions, [("line.change", "bob"), ("line.add", "bob"), ("line.add", "ann")]);
    let error = undo(ledger, "ann", 1).await.unwrap_err();
    assert_eq!(error.code, LedgerCode::UndoBlocked);
    assert!(error.message.to_string().contains("change 3"), "{error}");
    let undone = undo(ledger, "ann", 3).await.unwrap();
    assert_eq!(month(ledger, at).await.unwrap().totals.total_savings, 30);
    assert_eq!(undo(ledger, "ann", 3).await.unwrap_err().code, LedgerCode::UndoneAlready);
    undo(ledger, "ann", undone).await.unwrap();
    assert_eq!(month(ledger, at).await.unwrap().totals.total_savings, 31);
    delete_line(ledger, "ann", at, &second.line_id).await.unwrap();
    undo(ledger, "ann", 6).await.unwrap();
    assert_eq!(month(ledger, at).await.unwrap().totals.total_savings, 31);
    set_opening(ledger, "ann", &Balances { cash_accumulated: 100, ..Balances::default() }).await.unwrap();
    assert_eq!(month(ledger, at).await.unwrap().balances.cash_accumulated, 131);
    undo(ledger, "ann", 8).await.unwrap();
    assert_eq!(month(ledger, at).await.unwrap().balances.cash_accumulated, 31);
    let codes = vec!["외식".to_owned()];
    replace_codes(ledger, "ann", hansang_ledger::CodeType::LivingExpenseCategory, codes).await.unwrap();
    undo(ledger, "ann", 10).await.unwrap();
    add_line(ledger, "ann", line("2026-01-03", Kind::LivingExpense, "식비", "", 1)).await.unwrap();
    assert_eq!(undo(ledger, "ann", 99).await.unwrap_err().code, LedgerCode::ChangeUnknown);
    assert_eq!(check(ledger).await, Vec::<String>::new());
}

/// L28: unknown codes, wrong accounts and amounts are refused, and nothing is written.
async fn bad_input_is_refused(ground: Ground) {
    let ledger = &ground.ledger;
    for (kind, name, code) in [
        (Kind::LivingExpense, "외식", LedgerCode::CodeUnknown),
        (Kind::Income, "배우자3/월급", LedgerCode::CodeUnknown),
        (Kind::Savings, "주식", LedgerCode::AccountOfOtherKind),
        (Kind::ShortSavings, "적금1/적립", LedgerCode::AccountOfOtherKind),
    ] {
        let error = create(ledger, "ann", &entry("2026.01", kind, name, 1)).await.unwrap_err();
        assert_eq!(error.code, code, "{name}");
    }
    let error = create(ledger, "ann", &entry("2026.01", Kind::Savings, "적금1", 1_000_000_000_000_001))
        .await
        .unwrap_err();
    assert_eq!(error.code, LedgerCode::AmountInvalid);
    assert_eq!(
        hansang_ledger::Subject::new(Kind::Savings, "a#b", None).unwrap_err().code,
        LedgerCode::NameInvalid
    );
    assert_eq!("2025.13".parse::<hansang_ledger::Month>().unwrap_err().code, LedgerCode::MonthInvalid);
    assert!(stored_months(ledger).await.unwrap().is_empty());
    // A new category is only a code change, and a removed one keeps its entries.
    let list = hansang_ledger::CodeType::LivingExpenseCategory;
    replace_codes(ledger, "ann", list, vec!["외식".to_owned()]).await.unwrap();
    create(ledger, "ann", &entry("2026.01", Kind::LivingExpense, "외식", 1)).await.unwrap();
    replace_codes(ledger, "ann", list, vec!["식비".to_owned()]).await.unwrap();
    add(ledger, "ann", &entry("2026.01", Kind::LivingExpense, "외식", 1)).await.unwrap();
    let error = add(ledger, "ann", &entry("2026.02", Kind::LivingExpense, "외식", 1)).await.unwrap_err();
    assert_eq!(error.code, LedgerCode::CodeUnknown);
    // An account may be assigned otherwise.
    let accounts = [("연금저축".to_owned(), Kind::Savings)].into();
    let wanted = hansang_ledger::Assignments { accounts, ..hansang_ledger::Assignments::default() };
    hansang_ledger::assign(ledger, "ann", &wanted).await.unwrap();
    create(ledger, "ann", &entry("2026.01", Kind::Savings, "연금저축", 1)).await.unwrap();
    assert_eq!(check(ledger).await, Vec::<String>::new());
}

/// L25: the month-end batch adds the months up to today, also after downtime.
async fn months_are_closed_after_downtime(ground: Ground) {
    let ledger = &ground.ledger;
    create(ledger, "ann", &entry("2025.11", Kind::Savings, "적금1", 7)).await.unwrap();
    ground.set_date("2027-03-15");
    assert_eq!(close_months(ledger, "batch").await.unwrap(), 16);
    assert_eq!(close_months(ledger, "batch").await.unwrap(), 0);
    let view = month(ledger, grounds::month("2027.03")).await.unwrap();
    assert_eq!(view.balances.cash_accumulated, 7);
    assert!(
        ledger
            .codes()
            .await
            .unwrap()
            .list(hansang_ledger::CodeType::YearMonth)
            .contains(&"2028.03".to_owned())
    );
    assert_eq!(check(ledger).await, Vec::<String>::new());
}

/// Many lines are added in changes that fit a transaction, or none of them.
async fn many_lines_are_few_changes(ground: Ground) {
    let ledger = &ground.ledger;
    let day = |number: i64| format!("2026-0{}-{:02}", 1 + number % 3, 1 + number % 28);
    let mut lines: Vec<_> =
        (1..=200).map(|number| line(&day(number), Kind::LivingExpense, "식비", "가게", number)).collect();
    let added = hansang_ledger::add_lines(ledger, "ann", &lines).await.unwrap();
    assert_eq!(added.len(), 200);
    let changes = history(ledger, None, None).await.unwrap().changes;
    assert!(changes.len() <= 4 && changes.iter().all(|change| change.action == "line.add"), "{changes:?}");
    let mut sum = 0;
    for at in ["2026.01", "2026.02", "2026.03"] {
        sum += month(ledger, grounds::month(at)).await.unwrap().totals.total_expense;
    }
    assert_eq!(sum, 200 * 201 / 2);
    lines.push(line("2026-01-01", Kind::LivingExpense, "없는분류", "", 1));
    let error = hansang_ledger::add_lines(ledger, "ann", &lines).await.unwrap_err();
    assert_eq!(error.code, LedgerCode::CodeUnknown);
    assert_eq!(history(ledger, None, None).await.unwrap().changes.len(), changes.len());
    assert_eq!(check(ledger).await, Vec::<String>::new());
}
