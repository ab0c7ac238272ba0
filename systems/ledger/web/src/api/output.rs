//! The ledger as JSON. Months are written `2025.01`, dates `2025-01-31`; absent values are left out.

use std::collections::BTreeMap;

use hansang_core::Message;
use hansang_ledger::{
    Balances, Budget, BudgetView, Codes, Copied, Day, EntryAmount, GoalView, Kind, Line, Month, MonthView,
    PastChange, Recalculated, Rule, Source, Subject, Totals, Trail, YearRow,
};
use schemars::JsonSchema;
use serde::Serialize;

mod files;

pub(crate) use files::{ShownImport, ShownLearned, ShownPreview};

/// A complete list.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Items<T> {
    pub(crate) items: Vec<T>,
}

impl<T> Items<T> {
    pub(crate) fn of<F>(all: impl IntoIterator<Item = F>) -> Self
    where
        T: From<F>,
    {
        Self { items: all.into_iter().map(T::from).collect() }
    }
}

/// A page of a list.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ShownPage<T> {
    pub(crate) items: Vec<T>,
    /// The cursor of the next page.
    pub(crate) next: Option<String>,
}

/// The codes and accounts.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ShownCodes {
    lists: BTreeMap<String, Vec<String>>,
    accounts: BTreeMap<String, Vec<String>>,
    /// The kinds of accounts that differ from their group's.
    account_kinds: BTreeMap<String, Kind>,
    /// The kinds of groups that the design does not have.
    group_kinds: BTreeMap<String, Kind>,
}

/// A list of codes.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ShownList {
    pub(crate) codes: Vec<String>,
}

/// The accounts by group.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ShownAccounts {
    pub(crate) accounts: BTreeMap<String, Vec<String>>,
}

/// The key of an entry.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ShownSubject {
    kind: Kind,
    name: String,
    /// The income type or the transaction type.
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
}

/// The amount of an entry.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ShownEntry {
    #[serde(flatten)]
    subject: ShownSubject,
    amount: i64,
}

/// An entry with its lines.
#[derive(Serialize, JsonSchema)]
pub(crate) struct EntryWithLines {
    pub(crate) month: String,
    #[serde(flatten)]
    pub(crate) entry: ShownEntry,
    /// A page of its lines, by date.
    pub(crate) lines: Vec<ShownLine>,
    /// The cursor of the next page.
    pub(crate) next: Option<String>,
}

/// The amount of an entry after a change.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ShownAmount {
    pub(crate) amount: i64,
}

/// A month in one state of the ledger.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ShownMonth {
    month: String,
    /// The last change of this state.
    seq: i64,
    totals: ShownTotals,
    balances: Balances,
    entries: Vec<ShownEntry>,
}

/// The totals of a month with what is left of the income.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ShownTotals {
    #[serde(flatten)]
    totals: Totals,
    /// Income less everything else.
    net_asset: i64,
    /// The part of the income that was saved, in tenths of a percent.
    #[serde(skip_serializing_if = "Option::is_none")]
    savings_rate: Option<i64>,
}

/// A line.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ShownLine {
    pub(crate) line_id: String,
    month: String,
    pub(crate) date: String,
    #[serde(flatten)]
    subject: ShownSubject,
    text: String,
    amount: i64,
    by: String,
    source: Source,
    #[serde(skip_serializing_if = "Option::is_none")]
    import_id: Option<String>,
    /// The last change of the line, for `If-Match`.
    seq: i64,
}

/// The sums of a day or of a person.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ShownDay {
    earned: i64,
    spent: i64,
    saved: i64,
}

/// The days of a month that have lines.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ShownCalendar {
    pub(crate) days: BTreeMap<String, ShownDay>,
}

/// The people of a month or a period.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ShownPeople {
    pub(crate) people: BTreeMap<String, ShownDay>,
}

impl ShownPeople {
    pub(crate) fn of(people: BTreeMap<String, Day>) -> Self {
        Self { people: people.into_iter().map(|(name, sums)| (name, ShownDay::from(sums))).collect() }
    }
}

/// The people whose sign-ins are known.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ShownSignIns {
    /// The names by the ids of sign-ins.
    pub(crate) names: BTreeMap<String, String>,
}

/// An entry over a year.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ShownYearRow {
    #[serde(flatten)]
    subject: ShownSubject,
    /// The amount of each month, from January on.
    months: Vec<i64>,
    total: i64,
    average: i64,
    /// The total of the year before; of the same months, if the year is not over.
    last_total: i64,
}

/// The net worth at the end of a month.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ShownWorth {
    month: String,
    net_worth: i64,
    savings: i64,
    investment: i64,
    short_savings: i64,
}

/// A recurring entry.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ShownRule {
    pub(crate) rule_id: String,
    #[serde(flatten)]
    subject: ShownSubject,
    text: String,
    amount: i64,
    day: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    yearly: Option<i64>,
    from: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<String>,
    by: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    done_through: Option<String>,
    /// The date of the next line.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

/// A budget that was set.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ShownBudget {
    kind: Kind,
    category: String,
    month: String,
    amount: i64,
    rollover: bool,
}

/// The budgets of a month.
#[derive(Serialize, JsonSchema)]
pub(crate) struct MonthBudgets {
    pub(crate) items: Vec<BudgetView>,
}

/// A goal and how far it is.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ShownGoal {
    account_name: String,
    amount: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    month: Option<String>,
    balance: i64,
    /// The average of what the account gained in each of the last six months.
    monthly: i64,
    /// The month in which it will be reached at this rate.
    #[serde(skip_serializing_if = "Option::is_none")]
    reached: Option<String>,
}

/// A change of the past.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ShownChange {
    seq: i64,
    action: String,
    by: String,
    at: String,
    months: Vec<String>,
    lines: Vec<ShownSwap>,
    /// The entities of other items that changed.
    others: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    import_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    undoes: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    undone_by: Option<i64>,
}

/// A line before and after a change.
#[derive(Serialize, JsonSchema)]
struct ShownSwap {
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<ShownLine>,
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<ShownLine>,
}

/// The number of a change.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ShownSeq {
    pub(crate) seq: i64,
}

/// The entries that were copied, and those that were not.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ShownCopy {
    count: usize,
    /// Entries that recurring entries add in this month.
    recurring: Vec<ShownSubject>,
    /// Entries that the month cannot have any more.
    refused: Vec<ShownRefusal>,
}

/// An entry that was not copied.
#[derive(Serialize, JsonSchema)]
struct ShownRefusal {
    #[serde(flatten)]
    subject: ShownSubject,
    reason: String,
}

impl From<Copied> for ShownCopy {
    fn from(copied: Copied) -> Self {
        let refusal = |(subject, why): (Subject, Message)| ShownRefusal {
            subject: ShownSubject::from(subject),
            reason: why.to_string(),
        };
        Self {
            count: copied.count,
            recurring: copied.recurring.into_iter().map(ShownSubject::from).collect(),
            refused: copied.refused.into_iter().map(refusal).collect(),
        }
    }
}

/// The number of entries or lines.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ShownCount {
    pub(crate) count: usize,
}

/// The result of a recalculation.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ShownCheck {
    months: usize,
    /// Every difference that was found.
    problems: Vec<String>,
}

impl From<&Codes> for ShownCodes {
    fn from(codes: &Codes) -> Self {
        Self {
            lists: codes.lists.clone(),
            accounts: codes.accounts.clone(),
            account_kinds: codes.account_kinds.clone(),
            group_kinds: codes.group_kinds.clone(),
        }
    }
}

impl From<Subject> for ShownSubject {
    fn from(subject: Subject) -> Self {
        let detail = subject.detail().map(str::to_owned);
        Self { kind: subject.kind, name: subject.name, detail }
    }
}

impl From<EntryAmount> for ShownEntry {
    fn from(entry: EntryAmount) -> Self {
        Self { subject: entry.subject.into(), amount: entry.amount }
    }
}

impl From<MonthView> for ShownMonth {
    fn from(view: MonthView) -> Self {
        Self {
            month: view.month.to_string(),
            seq: view.seq,
            totals: ShownTotals {
                totals: view.totals,
                net_asset: view.totals.net_asset(),
                savings_rate: view.totals.savings_rate(),
            },
            balances: view.balances,
            entries: view.entries.into_iter().map(ShownEntry::from).collect(),
        }
    }
}

impl From<Line> for ShownLine {
    fn from(line: Line) -> Self {
        Self {
            line_id: line.line_id,
            month: line.month.to_string(),
            date: line.date,
            subject: line.subject.into(),
            text: line.text,
            amount: line.amount,
            by: line.by,
            source: line.source,
            import_id: line.import_id,
            seq: line.seq,
        }
    }
}

impl From<Day> for ShownDay {
    fn from(Day { earned, spent, saved }: Day) -> Self {
        Self { earned, spent, saved }
    }
}

impl From<YearRow> for ShownYearRow {
    fn from(row: YearRow) -> Self {
        Self {
            subject: row.subject.into(),
            months: row.months.to_vec(),
            total: row.total,
            average: row.average,
            last_total: row.last_total,
        }
    }
}

impl From<MonthView> for ShownWorth {
    fn from(view: MonthView) -> Self {
        Self {
            month: view.month.to_string(),
            net_worth: view.balances.sum(),
            savings: view.balances.cash_accumulated,
            investment: view.balances.investment_accumulated,
            short_savings: view.balances.short_savings(),
        }
    }
}

impl From<Rule> for ShownRule {
    fn from(rule: Rule) -> Self {
        let text = |month: Month| month.to_string();
        Self {
            next: rule.next().map(|(_, date)| date.to_string()),
            rule_id: rule.rule_id,
            subject: rule.subject.into(),
            text: rule.text,
            amount: rule.amount,
            day: rule.day,
            yearly: rule.yearly,
            from: text(rule.from),
            until: rule.until.map(text),
            by: rule.by,
            done_through: rule.done_through.map(text),
        }
    }
}

impl From<Budget> for ShownBudget {
    fn from(budget: Budget) -> Self {
        let Budget { kind, category, month, amount, rollover } = budget;
        Self { kind, category, month: month.to_string(), amount, rollover }
    }
}

impl From<GoalView> for ShownGoal {
    fn from(view: GoalView) -> Self {
        let text = |month: Month| month.to_string();
        Self {
            account_name: view.goal.account_name,
            amount: view.goal.amount,
            month: view.goal.month.map(text),
            balance: view.balance,
            monthly: view.monthly,
            reached: view.reached.map(text),
        }
    }
}

impl From<PastChange> for ShownChange {
    fn from(change: PastChange) -> Self {
        let swap = |(before, after): (Option<Line>, Option<Line>)| ShownSwap {
            before: before.map(ShownLine::from),
            after: after.map(ShownLine::from),
        };
        Self {
            seq: change.seq,
            action: change.action,
            by: change.by,
            at: change.at,
            months: change.months,
            lines: change.lines.into_iter().map(swap).collect(),
            others: change.others.into_iter().map(|item| item.entity).collect(),
            import_id: change.import_id,
            undoes: change.undoes,
            undone_by: change.undone_by,
        }
    }
}

impl From<Trail> for ShownPage<ShownChange> {
    fn from(trail: Trail) -> Self {
        let items = trail.rows.into_iter().map(|row| ShownChange::from(row.change)).collect();
        Self { items, next: trail.next.map(|next| next.to_string()) }
    }
}

impl From<Recalculated> for ShownCheck {
    fn from(done: Recalculated) -> Self {
        Self { months: done.months, problems: done.problems.iter().map(Message::to_string).collect() }
    }
}
