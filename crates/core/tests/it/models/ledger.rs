//! `models/ledger.yaml`.

use expect_test::expect;
use hansang_core::Model;

use super::{accepts, describe, index_key, key};

const ENTRIES: [&str; 6] =
    ["Income", "FixedExpense", "LivingExpense", "Savings", "Investment", "ShortSavings"];

fn model() -> Model {
    super::model("ledger")
}

/// L1, L23
#[test]
fn table() {
    let model = model();
    expect![[r#"
        AssetManager (PK, SK)
        yearMonth-PK-index (yearMonth, PK) All
        streams on, recovery off
    "#]]
    .assert_eq(&describe::table(&model.table));
    assert_eq!(model.table.name_in(None), "AssetManager");
}

/// These items carry no times, and their kind is in their key alone.
#[test]
fn codes() {
    expect![[r#"
        CodeList = CODE#{codeType} / METADATA
          codeType: one of YEAR_MONTH, NAME, INCOME_TYPE, FIXED_EXPENSE_TYPE, LIVING_EXPENSE_CATEGORY, only in the key
          codes: a list, each element text
        AccountCodes = CODE#ACCOUNT_TYPE / METADATA
          codes: a map, each value a list, each element text
    "#]].assert_eq(&describe::entities(&model(), &["CodeList", "AccountCodes"]));
}

/// L14
#[test]
fn entries() {
    expect![[r#"
        Income = INCOME#{yearMonth} / {name}#{incomeType}
          in yearMonth-PK-index = {yearMonth} / INCOME#{yearMonth}
          yearMonth: a month such as 2025.01
          name: text, length 1 to 40
          incomeType: text, length 1 to 40
          amount: a whole number
          createdAt: a time such as 2025-11-14T03:00:00Z, immutable, by the table (Created)
          updatedAt: a time such as 2025-11-14T03:00:00Z, by the table (Updated)
        FixedExpense = FIXED_EXPENSE#{yearMonth} / {expenseType}
          in yearMonth-PK-index = {yearMonth} / FIXED_EXPENSE#{yearMonth}
          yearMonth: a month such as 2025.01
          expenseType: text, length 1 to 40
          amount: a whole number
          createdAt: a time such as 2025-11-14T03:00:00Z, immutable, by the table (Created)
          updatedAt: a time such as 2025-11-14T03:00:00Z, by the table (Updated)
        LivingExpense = LIVING_EXPENSE#{yearMonth} / {category}
          in yearMonth-PK-index = {yearMonth} / LIVING_EXPENSE#{yearMonth}
          yearMonth: a month such as 2025.01
          category: text, length 1 to 40
          amount: a whole number
          createdAt: a time such as 2025-11-14T03:00:00Z, immutable, by the table (Created)
          updatedAt: a time such as 2025-11-14T03:00:00Z, by the table (Updated)
        Savings = SAVINGS#{yearMonth} / {accountName}
          in yearMonth-PK-index = {yearMonth} / SAVINGS#{yearMonth}
          yearMonth: a month such as 2025.01
          accountName: text, length 1 to 40
          accountType: text, length 1 to 40
          amount: a whole number
          createdAt: a time such as 2025-11-14T03:00:00Z, immutable, by the table (Created)
          updatedAt: a time such as 2025-11-14T03:00:00Z, by the table (Updated)
        Investment = INVESTMENT#{yearMonth} / {accountName}
          in yearMonth-PK-index = {yearMonth} / INVESTMENT#{yearMonth}
          yearMonth: a month such as 2025.01
          accountName: text, length 1 to 40
          accountType: text, length 1 to 40
          amount: a whole number
          createdAt: a time such as 2025-11-14T03:00:00Z, immutable, by the table (Created)
          updatedAt: a time such as 2025-11-14T03:00:00Z, by the table (Updated)
        ShortSavings = SHORT_SAVINGS#{yearMonth} / {accountName}#{transactionType}
          in yearMonth-PK-index = {yearMonth} / SHORT_SAVINGS#{yearMonth}
          yearMonth: a month such as 2025.01
          accountName: text, length 1 to 40
          transactionType: one of 적립, 지출
          amount: a whole number
          createdAt: a time such as 2025-11-14T03:00:00Z, immutable, by the table (Created)
          updatedAt: a time such as 2025-11-14T03:00:00Z, by the table (Updated)
    "#]]
    .assert_eq(&describe::entities(&model(), &ENTRIES));
}

/// L15, L16
#[test]
fn aggregates() {
    expect![[r#"
        MonthlySummary = MONTHLY_SUMMARY#{yearMonth} / TOTALS
          in yearMonth-PK-index = {yearMonth} / MONTHLY_SUMMARY#{yearMonth}
          yearMonth: a month such as 2025.01
          totalIncome: a whole number
          totalExpense: a whole number
          totalSavings: a whole number
          totalInvestment: a whole number
          totalShortSavings: a whole number
          netAsset: a whole number
          createdAt: a time such as 2025-11-14T03:00:00Z, immutable, by the table (Created)
          updatedAt: a time such as 2025-11-14T03:00:00Z, by the table (Updated)
        AccumulatedAssets = ACCUMULATED_ASSETS#{yearMonth} / BALANCES
          in yearMonth-PK-index = {yearMonth} / ACCUMULATED_ASSETS#{yearMonth}
          yearMonth: a month such as 2025.01
          cashAccumulated: a whole number
          investmentAccumulated: a whole number
          shortSavingsBalances: a map, each value a whole number
          carrySeq?: a whole number, at least 0
          createdAt: a time such as 2025-11-14T03:00:00Z, immutable, by the table (Created)
          updatedAt: a time such as 2025-11-14T03:00:00Z, by the table (Updated)
    "#]]
    .assert_eq(&describe::entities(&model(), &["MonthlySummary", "AccumulatedAssets"]));
}

/// L8, L9, L10, L11, L12, L13, L29
#[test]
fn keys() {
    let model = model();
    let month = ("yearMonth", "2025.01");
    for (entity, given, expected) in [
        ("CodeList", &[("codeType", "YEAR_MONTH")][..], "CODE#YEAR_MONTH / METADATA"),
        ("CodeList", &[("codeType", "LIVING_EXPENSE_CATEGORY")], "CODE#LIVING_EXPENSE_CATEGORY / METADATA"),
        ("AccountCodes", &[], "CODE#ACCOUNT_TYPE / METADATA"),
        ("Income", &[month, ("name", "배우자1"), ("incomeType", "월급")], "INCOME#2025.01 / 배우자1#월급"),
        ("FixedExpense", &[month, ("expenseType", "대출")], "FIXED_EXPENSE#2025.01 / 대출"),
        ("LivingExpense", &[month, ("category", "식비")], "LIVING_EXPENSE#2025.01 / 식비"),
        ("Savings", &[month, ("accountName", "적금1")], "SAVINGS#2025.01 / 적금1"),
        ("Investment", &[month, ("accountName", "주식")], "INVESTMENT#2025.01 / 주식"),
        (
            "ShortSavings",
            &[month, ("accountName", "운동"), ("transactionType", "적립")],
            "SHORT_SAVINGS#2025.01 / 운동#적립",
        ),
        ("MonthlySummary", &[month], "MONTHLY_SUMMARY#2025.01 / TOTALS"),
        ("AccumulatedAssets", &[month], "ACCUMULATED_ASSETS#2025.01 / BALANCES"),
    ] {
        assert_eq!(key(&model, entity, given), expected);
    }
    assert_eq!(
        index_key(&model, "MonthlySummary", "yearMonth-PK-index", &[month]).as_deref(),
        Some("2025.01 / MONTHLY_SUMMARY#2025.01")
    );
    assert_eq!(index_key(&model, "AccountCodes", "yearMonth-PK-index", &[]), None);
}

/// L17, L18, L19, L20, L21, L22, Ls2, Ls3
#[test]
fn patterns() {
    expect![[r#"
        codeList(codeType): CodeList
          get CODE#{codeType} / METADATA
        codeLists(): CodeList for each codeType, at most 5
          get CODE#{codeType} / METADATA
        accountCodes(): AccountCodes
          get CODE#ACCOUNT_TYPE / METADATA
        income(yearMonth, name, incomeType): Income
          get INCOME#{yearMonth} / {name}#{incomeType}
        fixedExpense(yearMonth, expenseType): FixedExpense
          get FIXED_EXPENSE#{yearMonth} / {expenseType}
        livingExpense(yearMonth, category): LivingExpense
          get LIVING_EXPENSE#{yearMonth} / {category}
        savings(yearMonth, accountName): Savings
          get SAVINGS#{yearMonth} / {accountName}
        investment(yearMonth, accountName): Investment
          get INVESTMENT#{yearMonth} / {accountName}
        shortSavings(yearMonth, accountName, transactionType): ShortSavings
          get SHORT_SAVINGS#{yearMonth} / {accountName}#{transactionType}
        monthIncome(yearMonth): Income
          query INCOME#{yearMonth} / *
        monthExpenses(yearMonth): FixedExpense + LivingExpense
          query FIXED_EXPENSE#{yearMonth} / *
          query LIVING_EXPENSE#{yearMonth} / *
        monthSavings(yearMonth): Savings + Investment
          query SAVINGS#{yearMonth} / *
          query INVESTMENT#{yearMonth} / *
        monthShortSavings(yearMonth): ShortSavings
          query SHORT_SAVINGS#{yearMonth} / *
        monthEntries(yearMonth): Income + FixedExpense + LivingExpense + Savings + Investment + ShortSavings, consistent
          query INCOME#{yearMonth} / *
          query FIXED_EXPENSE#{yearMonth} / *
          query LIVING_EXPENSE#{yearMonth} / *
          query SAVINGS#{yearMonth} / *
          query INVESTMENT#{yearMonth} / *
          query SHORT_SAVINGS#{yearMonth} / *
        monthlySummary(yearMonth): MonthlySummary
          get MONTHLY_SUMMARY#{yearMonth} / TOTALS
        accumulatedAssets(yearMonth): AccumulatedAssets
          get ACCUMULATED_ASSETS#{yearMonth} / BALANCES
        dashboard(yearMonth): MonthlySummary + AccumulatedAssets
          get MONTHLY_SUMMARY#{yearMonth} / TOTALS
          get ACCUMULATED_ASSETS#{yearMonth} / BALANCES
        period(): Income + FixedExpense + LivingExpense + Savings + Investment + ShortSavings for each yearMonth, at most 240
          query yearMonth-PK-index {yearMonth} / *
          drops MonthlySummary, AccumulatedAssets
        periodSummaries(): MonthlySummary for each yearMonth, at most 240
          get MONTHLY_SUMMARY#{yearMonth} / TOTALS
        periodBalances(): AccumulatedAssets for each yearMonth, at most 240
          get ACCUMULATED_ASSETS#{yearMonth} / BALANCES
        lines(month): Line, consistent
          query LINES#{month} / *
        linesOfEntry(month, kind, name, detail): Line, consistent
          query LINES#{month} / {kind}#{name}#{detail}#*
        changes(): Change, last first, consistent
          query LEDGER#HISTORY / *
        rules(): Rule, consistent
          query LEDGER#RULES / *
        budgets(): Budget, consistent
          query LEDGER#BUDGETS / *
        goals(): Goal, consistent
          query LEDGER#GOALS / *
        imports(): Import, last first, consistent
          query LEDGER#IMPORTS / *
        stagedRows(importId): StagedRows, consistent
          query LEDGER#STAGED#{importId} / *
        stagings(): Staging, consistent
          query LEDGER#STAGINGS / *
        profiles(): Profile
          query LEDGER#PROFILES / *
        merchants(): Merchant
          query LEDGER#MERCHANTS / *
        uploads(): Upload, consistent
          query LEDGER#UPLOADS / *
    "#]].assert_eq(&describe::patterns(&model()));
}

/// Ls4
#[test]
fn money_is_whole_won() {
    let model = model();
    for entity in ENTRIES {
        for (amount, good) in [("0", true), ("3500000", true), ("0.5", false), ("-1", true), ("1e400", false)]
        {
            assert_eq!(accepts(&model, entity, "amount", amount), good, "{entity} {amount}");
        }
    }
    assert!(accepts(&model, "MonthlySummary", "netAsset", "-250000"));
    assert!(!accepts(&model, "AccumulatedAssets", "shortSavingsBalances", r#"{"운동": 0.5}"#));
}

/// Ls5
#[test]
fn a_month_has_one_spelling() {
    let model = model();
    for (month, good) in [
        ("2025.01", true),
        ("2026.12", true),
        ("2025-01", false),
        ("2025.1", false),
        ("2025.13", false),
        ("2025.00", false),
        ("25.01", false),
    ] {
        assert_eq!(accepts(&model, "Income", "yearMonth", month), good, "{month}");
    }
}

/// Ls6
#[test]
fn short_savings_come_in_or_go_out() {
    let model = model();
    for (transaction, good) in [("적립", true), ("지출", true), ("이체", false)] {
        assert_eq!(accepts(&model, "ShortSavings", "transactionType", transaction), good, "{transaction}");
    }
}
