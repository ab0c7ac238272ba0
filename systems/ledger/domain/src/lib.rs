#![doc = include_str!("../README.md")]

pub mod import;
pub mod messages;

mod accounts;
mod budgets;
mod change;
mod code;
mod codes;
mod copy;
mod entries;
mod entry;
mod export;
mod figures;
mod fold;
mod goals;
mod head;
mod history;
mod jobs;
mod kind;
mod line;
mod lines;
mod lists;
mod month;
mod people;
mod read;
mod recalculate;
mod report;
mod rules;
mod trail;
mod visits;

use std::sync::Arc;

use hansang_core::kind::text::ulid;
use hansang_core::{Db, Error};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::Offset;
use tokio::sync::{Mutex, Notify};

pub use accounts::{
    Accounts, Assignments, add_group, assign, assign_accounts, remove_group, replace_accounts,
    replace_accounts_if,
};
pub use budgets::{Budget, BudgetView, budgets, budgets_of_month, set_budget};
pub use code::LedgerCode;
pub use codes::{CodeType, Codes, prepare, replace_codes};
pub use copy::{Copied, copy_month};
pub use entries::{NewEntry, add, create, delete, relocate, replace, replace_if, set_opening};
pub use export::{Export, export, restore};
pub use figures::{Balances, MAX_AMOUNT, Totals};
pub use fold::fold;
pub use goals::{Goal, GoalView, delete_goal, goals, set_goal};
pub use history::{HistoryPage, OtherItem, PastChange, history, past_change, undo};
pub use jobs::{tend, work};
pub use kind::{Kind, PAID_IN, Subject, TAKEN_OUT};
pub use line::{Line, Source};
pub use lines::{
    LineChange, NewLine, add_line, add_lines, change_line, delete_line, delete_line_if, find_line,
};
pub use lists::{ListChange, ListName, change_list};
pub use month::{Month, date};
pub use people::{SignIns, name_sign_in, people, people_of_period, sign_ins};
pub use read::{
    EntryAmount, MonthView, last_change, lines_of_entry, lines_of_month, month, opening, stored_months,
};
pub use recalculate::{Recalculated, check_closed_month, close_months, recalculate};
pub use report::{Day, MAX_PERIOD, Search, YearRow, calendar, period, search, sum_of_totals, year};
pub use rules::{Held, Ran, Rule, delete_rule, held, rules, run_rules, set_rule, unknown_rule};
pub use trail::{Trail, TrailRow, Wanted, trail};
pub use visits::news;

/// The model of the table.
pub const MODEL: &str = include_str!("../../../../models/ledger.yaml");

/// The ledger of a household. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Ledger {
    /// The table, whose model is [`MODEL`].
    pub db: Db,
    /// Changes of one process take turns.
    turn: Arc<Mutex<()>>,
    /// Wakes the folder after a change.
    wake: Arc<Notify>,
    /// Wakes the worker after a file was staged.
    staged: Arc<Notify>,
    /// The month that was checked after its end.
    checked: Arc<std::sync::Mutex<Option<Month>>>,
    /// The codes, as they were last read.
    codes: Arc<std::sync::Mutex<Option<codes::Cached>>>,
}

impl Ledger {
    /// The ledger in a table.
    #[must_use]
    pub fn new(db: Db) -> Self {
        Self {
            db,
            turn: Arc::default(),
            wake: Arc::default(),
            staged: Arc::default(),
            checked: Arc::default(),
            codes: Arc::default(),
        }
    }

    /// The current date in Korea.
    #[must_use]
    pub fn today(&self) -> Date {
        Offset::constant(9).to_datetime(self.now()).date()
    }

    /// The lists of codes, cached.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn codes(&self) -> Result<Arc<Codes>, Error> {
        codes::cached(self).await
    }

    /// Waits until a change was made in this process.
    pub async fn changed(&self) {
        self.wake.notified().await;
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.db.clock().moment().now
    }

    /// A new id.
    pub(crate) fn new_id(&self) -> String {
        let moment = self.db.clock().moment();
        ulid(u64::try_from(moment.now.as_millisecond()).unwrap_or_default(), moment.random)
    }
}
