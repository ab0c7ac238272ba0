//! Goals of short-term accounts, and the month in which they will be reached.

use std::sync::Arc;

use futures_util::FutureExt as _;
use futures_util::future::try_join;
use hansang_core::value::json::item_to_plain;
use hansang_core::{Error, Item, Record, message, name};
use serde::{Deserialize, Serialize};

use crate::codes::{self, stored, swap};
use crate::figures::check_amount;
use crate::head::Head;
use crate::kind::{PAID_IN, Subject, check_name};
use crate::line::every;
use crate::read::steady;
use crate::{Kind, Ledger, LedgerCode, Month, messages};

/// The number of months whose average is expected to go on.
const MONTHS: i32 = 6;
/// The number of months after which a goal counts as out of reach.
const MAX_MONTHS: i64 = 1200;

/// The target amount of a short-term account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Goal {
    /// The account.
    pub account_name: String,
    /// The amount.
    pub amount: i64,
    /// The month in which it is wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub month: Option<Month>,
}

/// A goal and how far it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoalView {
    /// The goal.
    pub goal: Goal,
    /// The balance of the account.
    pub balance: i64,
    /// The average of what the account gained in each of the last six months, or of those that it has.
    pub monthly: i64,
    /// The month in which it will be reached at this rate; `None` if it will not.
    pub reached: Option<Month>,
}

/// Sets the goal of an account.
///
/// # Errors
/// Invalid input or an unknown account.
pub async fn set_goal(ledger: &Ledger, by: &str, goal: &Goal) -> Result<(), Error> {
    check(goal)?;
    codes::check(ledger, &Subject::new(Kind::ShortSavings, &goal.account_name, Some(PAID_IN))?).await?;
    let mut fields = key(&goal.account_name);
    fields.insert(name!("amount"), goal.amount.into());
    fields.extend(goal.month.map(|month| (name!("month"), month.to_string().into())));
    swap(ledger, "goal", by, "Goal", key(&goal.account_name), Some(fields)).await
}

/// Checks a goal, but for whether the account is there.
pub(crate) fn check(goal: &Goal) -> Result<(), Error> {
    check_name("accountName", &goal.account_name)?;
    if check_amount(goal.amount)? < 1 {
        return Err(Error::invalid(LedgerCode::AmountInvalid, message!(messages::AMOUNT_NEGATIVE)));
    }
    Ok(())
}

/// Deletes the goal of an account.
///
/// # Errors
/// When it has none.
pub async fn delete_goal(ledger: &Ledger, by: &str, account: &str) -> Result<(), Error> {
    check_name("accountName", account)?;
    if stored(ledger, "Goal", key(account)).await?.is_none() {
        return Err(Error::not_found(LedgerCode::GoalUnknown, message!(messages::GOAL_UNKNOWN, account)));
    }
    swap(ledger, "goal.delete", by, "Goal", key(account), None).await
}

/// All goals.
pub(crate) async fn all(ledger: &Ledger) -> Result<Vec<Goal>, Error> {
    let records = every(&ledger.db, "goals", Item::new()).await?;
    let goal = |record: &Record| serde_json::from_value(item_to_plain(&record.fields)).ok();
    Ok(records.iter().filter_map(goal).collect())
}

/// All goals, as of a month.
///
/// # Errors
/// When the store fails.
pub async fn goals(ledger: &Ledger, month: Month) -> Result<Vec<GoalView>, Error> {
    let db = &ledger.db;
    let read = |head: Arc<Head>| {
        async move {
            let months: Vec<Month> = (0..=MONTHS).rev().map(|back| month.plus(-back)).collect();
            let (goals, balances) = try_join(all(ledger), head.balances_of(db, &months)).await?;
            Ok((goals, balances, head.months.first().copied()))
        }
        .boxed()
    };
    let (_, (goals, balances, first)) = steady(db, read).await?;
    // The months of the ledger: before them nothing could be gained.
    let lived = first.map_or(0, |first| month.since(first) + 1);
    let view = |goal: Goal| {
        let all: Vec<i64> = balances
            .iter()
            .map(|month| month.short_savings_balances.get(&goal.account_name).copied().unwrap_or_default())
            .collect();
        let (balance, monthly) = (all.last().copied().unwrap_or_default(), average(&all, lived));
        let reached = reached(goal.amount - balance, monthly).map(|months| month.plus(months));
        GoalView { goal, balance, monthly, reached }
    };
    Ok(goals.into_iter().map(view).collect())
}

/// What an account gained a month, by its balances at the ends of months. The months before it had anything, or before
/// the ledger began, do not count.
fn average(balances: &[i64], lived: i64) -> i64 {
    let (Some(first), Some(last)) = (balances.first(), balances.last()) else { return 0 };
    let empty = balances.iter().take_while(|balance| **balance == 0).count();
    let used = balances.len() - empty.max(1);
    let months = i64::try_from(used).unwrap_or(i64::MAX).min(lived).max(1);
    (last - first) / months
}

/// The number of months until so much is gained.
fn reached(missing: i64, monthly: i64) -> Option<i32> {
    if missing <= 0 {
        return Some(0);
    }
    let months =
        if monthly > 0 { missing.div_euclid(monthly) + i64::from(missing % monthly != 0) } else { i64::MAX };
    i32::try_from(months).ok().filter(|months| i64::from(*months) <= MAX_MONTHS)
}

/// The key of a goal.
pub(crate) fn key(account: &str) -> Item {
    Item::from([(name!("accountName"), account.into())])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_young_account_is_not_averaged_over_months_without_it() {
        assert_eq!(average(&[0, 0, 0, 0, 0, 100, 200], 24), 100);
        assert_eq!(average(&[100, 100, 100, 100, 100, 100, 700], 24), 100);
        assert_eq!(average(&[50, 50, 50, 50, 50, 150, 250], 2), 100, "an opening balance of a young ledger");
        assert_eq!(average(&[0; 7], 0), 0);
    }

    #[test]
    fn a_goal_is_reached_when_the_rest_is_saved() {
        assert_eq!(reached(0, 0), Some(0));
        assert_eq!(reached(100, 50), Some(2));
        assert_eq!(reached(101, 50), Some(3));
        assert_eq!(reached(1, 0), None);
        assert_eq!(reached(1_000_000, 1), None);
    }
}
