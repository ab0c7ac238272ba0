//! Budgets of categories, and what is left of them.

use futures_util::FutureExt as _;
use futures_util::future::try_join_all;
use hansang_core::value::json::item_to_plain;
use hansang_core::{Error, Item, message, name};
use serde::{Deserialize, Serialize};

use crate::codes::swap;
use crate::figures::{add, check_amount};
use crate::kind::Subject;
use crate::line::every;
use crate::read::steady;
use crate::{Kind, Ledger, LedgerCode, Month, codes, entry, messages};

/// The number of months that can roll over.
const MAX_ROLLOVER: i64 = 240;

/// A budget from a month on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    /// `FIXED_EXPENSE` or `LIVING_EXPENSE`.
    pub kind: Kind,
    /// The category.
    pub category: String,
    /// The first month.
    pub month: Month,
    /// The amount for each month; 0 ends the budget.
    pub amount: i64,
    /// Whether what is left is added to the next month.
    #[serde(default)]
    pub rollover: bool,
}

/// The budget of a category in a month.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BudgetView {
    /// `FIXED_EXPENSE` or `LIVING_EXPENSE`.
    pub kind: Kind,
    /// The category.
    pub category: String,
    /// The amount of the month.
    pub amount: i64,
    /// Whether what is left is added to the next month.
    pub rollover: bool,
    /// The rest of earlier months; negative if they were overspent.
    pub carried: i64,
    /// The amount spent.
    pub spent: i64,
    /// The rest.
    pub left: i64,
}

/// Sets the budget of a category from a month on.
///
/// # Errors
/// Invalid input or an unknown category.
pub async fn set_budget(ledger: &Ledger, by: &str, budget: &Budget) -> Result<(), Error> {
    check(budget)?;
    let known = codes::check(ledger, &Subject::new(budget.kind, &budget.category, None)?).await;
    // The budget of a category that was removed can be ended.
    let has_one = || async {
        let all = budgets(ledger).await?;
        Ok::<_, Error>(all.iter().any(|one| one.kind == budget.kind && one.category == budget.category))
    };
    if known.is_err() && !(budget.amount == 0 && has_one().await?) {
        return known;
    }
    let key = key(budget);
    let mut fields = key.clone();
    fields.insert(name!("amount"), budget.amount.into());
    fields.insert(name!("rollover"), budget.rollover.into());
    swap(ledger, "budget", by, "Budget", key, Some(fields)).await
}

/// Checks a budget, but for its category.
pub(crate) fn check(budget: &Budget) -> Result<(), Error> {
    if !matches!(budget.kind, Kind::FixedExpense | Kind::LivingExpense) {
        let message = message!(messages::BUDGET_KIND);
        return Err(Error::invalid(LedgerCode::KindUnknown, message));
    }
    if check_amount(budget.amount)? < 0 {
        let message = message!(messages::AMOUNT_NEGATIVE);
        return Err(Error::invalid(LedgerCode::AmountInvalid, message));
    }
    Ok(())
}

/// The key of a budget.
pub(crate) fn key(budget: &Budget) -> Item {
    Item::from([
        (name!("kind"), budget.kind.name().into()),
        (name!("category"), budget.category.as_str().into()),
        (name!("month"), budget.month.to_string().into()),
    ])
}

/// Every budget that was set, by category and month.
///
/// # Errors
/// When the store fails.
pub async fn budgets(ledger: &Ledger) -> Result<Vec<Budget>, Error> {
    let records = every(&ledger.db, "budgets", Item::new()).await?;
    Ok(records
        .iter()
        .filter_map(|record| serde_json::from_value(item_to_plain(&record.fields)).ok())
        .collect())
}

/// The budgets of a month, with what was spent and what is left, all of one state.
///
/// # Errors
/// When the store fails, or `busy`.
pub async fn budgets_of_month(ledger: &Ledger, month: Month) -> Result<Vec<BudgetView>, Error> {
    Ok(steady(&ledger.db, |_| views(ledger, month).boxed()).await?.1)
}

async fn views(ledger: &Ledger, month: Month) -> Result<Vec<BudgetView>, Error> {
    let mut by_category: Vec<Vec<Budget>> = Vec::new();
    for budget in budgets(ledger).await?.into_iter().filter(|budget| budget.month <= month) {
        match by_category
            .last_mut()
            .filter(|list| list[0].category == budget.category && list[0].kind == budget.kind)
        {
            Some(list) => list.push(budget),
            None => by_category.push(vec![budget]),
        }
    }
    let views = by_category.iter().map(|list| view(ledger, list, month));
    Ok(try_join_all(views).await?.into_iter().flatten().collect())
}

/// The view of a category with these budgets, in the order of their months.
async fn view(ledger: &Ledger, list: &[Budget], month: Month) -> Result<Option<BudgetView>, Error> {
    let Some(now) = list.last().filter(|budget| budget.amount > 0) else { return Ok(None) };
    let subject = Subject::new(now.kind, &now.category, None)?;
    // The rest rolls over from the first of the last consecutive budgets that roll over.
    let rolling = list.iter().rev().take_while(|budget| budget.rollover && budget.amount > 0).last();
    let first = rolling.map_or(month, |budget| budget.month);
    let first = if month.since(first) > MAX_ROLLOVER { month.plus(-240) } else { first };
    let months: Vec<Month> = first.to(month).collect();
    let spent = months.iter().map(|month| entry::load(&ledger.db, *month, &subject));
    let spent: Vec<i64> = try_join_all(spent).await?.into_iter().map(Option::unwrap_or_default).collect();
    let mut carried = 0;
    for (month, spent) in months.iter().zip(&spent).take(months.len() - 1) {
        let amount =
            list.iter().rev().find(|budget| budget.month <= *month).map_or(0, |budget| budget.amount);
        carried = add(carried, add(amount, -spent)?)?;
    }
    let spent = spent.last().copied().unwrap_or_default();
    let left = add(add(now.amount, carried)?, -spent)?;
    let (kind, category) = (now.kind, now.category.clone());
    Ok(Some(BudgetView { kind, category, amount: now.amount, rollover: now.rollover, carried, spent, left }))
}
