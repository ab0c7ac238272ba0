//! Totals and balances, and how lines change them.

use std::collections::BTreeMap;

use hansang_core::{Error, Item, Name, Record, Value, message, name};
use serde::{Deserialize, Serialize};

use crate::kind::{PAID_IN, Subject};
use crate::{Kind, LedgerCode, messages};

/// The largest amount of a line, positive or negative.
pub const MAX_AMOUNT: i64 = 1_000_000_000_000_000;
/// The largest sum, positive or negative.
const MAX_SUM: i64 = 1_000_000_000_000_000_000;

/// The totals of a month.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Totals {
    /// All income.
    pub total_income: i64,
    /// Fixed and living expenses.
    pub total_expense: i64,
    /// All savings.
    pub total_savings: i64,
    /// All investments.
    pub total_investment: i64,
    /// The deposits into short-term accounts.
    pub total_short_savings: i64,
}

/// Balances at the end of a month, or what a month adds to them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Balances {
    /// The sum of all savings.
    pub cash_accumulated: i64,
    /// The sum of all investments.
    pub investment_accumulated: i64,
    /// The balance of each short-term account.
    pub short_savings_balances: BTreeMap<String, i64>,
}

/// The figures of a month, or the difference that a change makes to them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Delta {
    pub(crate) totals: Totals,
    pub(crate) balances: Balances,
}

/// Adds two sums.
pub(crate) fn add(a: i64, b: i64) -> Result<i64, Error> {
    a.checked_add(b)
        .filter(|sum| (-MAX_SUM..=MAX_SUM).contains(sum))
        .ok_or_else(|| Error::invalid(LedgerCode::SumTooLarge, message!(messages::SUM_TOO_LARGE)))
}

/// Checks the amount of a line.
pub(crate) fn check_amount(amount: i64) -> Result<i64, Error> {
    if (-MAX_AMOUNT..=MAX_AMOUNT).contains(&amount) {
        return Ok(amount);
    }
    Err(Error::invalid(LedgerCode::AmountInvalid, message!(messages::AMOUNT_TOO_LARGE, MAX_AMOUNT)))
}

impl Totals {
    /// Income less everything else.
    #[must_use]
    pub fn net_asset(&self) -> i64 {
        let Self { total_income, total_expense, total_savings, total_investment, total_short_savings } = self;
        total_income - total_expense - total_savings - total_investment - total_short_savings
    }

    /// Adds the amount of an entry or a line.
    pub(crate) fn add(&mut self, subject: &Subject, amount: i64) -> Result<(), Error> {
        let total = match subject.kind {
            Kind::Income => &mut self.total_income,
            Kind::FixedExpense | Kind::LivingExpense => &mut self.total_expense,
            Kind::Savings => &mut self.total_savings,
            Kind::Investment => &mut self.total_investment,
            Kind::ShortSavings if subject.detail == PAID_IN => &mut self.total_short_savings,
            Kind::ShortSavings => return Ok(()),
        };
        *total = add(*total, amount)?;
        Ok(())
    }

    pub(crate) fn plus(&self, other: &Self) -> Result<Self, Error> {
        Ok(Self {
            total_income: add(self.total_income, other.total_income)?,
            total_expense: add(self.total_expense, other.total_expense)?,
            total_savings: add(self.total_savings, other.total_savings)?,
            total_investment: add(self.total_investment, other.total_investment)?,
            total_short_savings: add(self.total_short_savings, other.total_short_savings)?,
        })
    }

    pub(crate) fn of(record: &Record) -> Self {
        let number = |name: &str| number_of(&record.fields, name);
        Self {
            total_income: number("totalIncome"),
            total_expense: number("totalExpense"),
            total_savings: number("totalSavings"),
            total_investment: number("totalInvestment"),
            total_short_savings: number("totalShortSavings"),
        }
    }

    pub(crate) fn fields(&self) -> [(Name, Value); 6] {
        [
            (name!("totalIncome"), self.total_income.into()),
            (name!("totalExpense"), self.total_expense.into()),
            (name!("totalSavings"), self.total_savings.into()),
            (name!("totalInvestment"), self.total_investment.into()),
            (name!("totalShortSavings"), self.total_short_savings.into()),
            (name!("netAsset"), self.net_asset().into()),
        ]
    }
}

impl Balances {
    /// The sum of all balances.
    #[must_use]
    pub fn sum(&self) -> i64 {
        self.cash_accumulated.saturating_add(self.investment_accumulated).saturating_add(self.short_savings())
    }

    /// The sum of the balances of short-term accounts. Each has a limit, their number has none.
    #[must_use]
    pub fn short_savings(&self) -> i64 {
        self.short_savings_balances.values().fold(0, |sum, balance| sum.saturating_add(*balance))
    }

    /// Adds the amount of an entry or a line.
    pub(crate) fn add(&mut self, subject: &Subject, amount: i64) -> Result<(), Error> {
        let (balance, amount) = match subject.kind {
            Kind::Savings => (&mut self.cash_accumulated, amount),
            Kind::Investment => (&mut self.investment_accumulated, amount),
            Kind::ShortSavings => {
                let balance = self.short_savings_balances.entry(subject.name.clone()).or_default();
                (balance, if subject.detail == PAID_IN { amount } else { -amount })
            }
            _ => return Ok(()),
        };
        *balance = add(*balance, amount)?;
        Ok(())
    }

    pub(crate) fn plus(&self, other: &Self) -> Result<Self, Error> {
        let mut sum = self.clone();
        sum.cash_accumulated = add(self.cash_accumulated, other.cash_accumulated)?;
        sum.investment_accumulated = add(self.investment_accumulated, other.investment_accumulated)?;
        for (account, amount) in &other.short_savings_balances {
            let balance = sum.short_savings_balances.entry(account.clone()).or_default();
            *balance = add(*balance, *amount)?;
        }
        Ok(sum)
    }

    pub(crate) fn minus(&self, other: &Self) -> Result<Self, Error> {
        let negative = Self {
            cash_accumulated: -other.cash_accumulated,
            investment_accumulated: -other.investment_accumulated,
            short_savings_balances: other
                .short_savings_balances
                .iter()
                .map(|(account, amount)| (account.clone(), -amount))
                .collect(),
        };
        self.plus(&negative)
    }

    /// Whether nothing would change if this were added.
    pub(crate) fn is_zero(&self) -> bool {
        self.cash_accumulated == 0
            && self.investment_accumulated == 0
            && self.short_savings_balances.values().all(|balance| *balance == 0)
    }

    pub(crate) fn of(fields: &Item) -> Self {
        let short = match fields.get("shortSavingsBalances") {
            Some(Value::M(map)) => {
                map.iter().map(|(account, _)| (account.to_string(), number_of(map, account)))
            }
            _ => return Self { short_savings_balances: BTreeMap::new(), ..Self::cash(fields) },
        };
        Self { short_savings_balances: short.collect(), ..Self::cash(fields) }
    }

    fn cash(fields: &Item) -> Self {
        Self {
            cash_accumulated: number_of(fields, "cashAccumulated"),
            investment_accumulated: number_of(fields, "investmentAccumulated"),
            short_savings_balances: BTreeMap::new(),
        }
    }

    pub(crate) fn fields(&self) -> [(Name, Value); 3] {
        let short = self.short_savings_balances.iter();
        let short: Item =
            short.map(|(account, balance)| (Name::from(&**account), (*balance).into())).collect();
        [
            (name!("cashAccumulated"), self.cash_accumulated.into()),
            (name!("investmentAccumulated"), self.investment_accumulated.into()),
            (name!("shortSavingsBalances"), Value::M(short)),
        ]
    }
}

impl Delta {
    /// Adds the amount of an entry or a line.
    pub(crate) fn add(&mut self, subject: &Subject, amount: i64) -> Result<(), Error> {
        self.totals.add(subject, amount)?;
        self.balances.add(subject, amount)
    }
}

/// A whole number of an item; 0 if it is missing.
pub(crate) fn number_of(fields: &Item, name: &str) -> i64 {
    fields.get(name).and_then(Value::as_number).and_then(|number| number.to_i64()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// L15: the document's example.
    #[test]
    fn net_asset_is_income_less_everything_else() {
        let totals = Totals {
            total_income: 7_000_000,
            total_expense: 2_300_000,
            total_savings: 1_500_000,
            total_investment: 1_000_000,
            total_short_savings: 200_000,
        };
        assert_eq!(totals.net_asset(), 2_000_000);
    }

    #[test]
    fn a_sum_of_many_balances_does_not_overflow() {
        let many = |balance: i64| Balances {
            short_savings_balances: (0..20).map(|number| (number.to_string(), balance)).collect(),
            ..Balances::default()
        };
        assert_eq!((many(MAX_SUM).sum(), many(-MAX_SUM).sum()), (i64::MAX, i64::MIN));
        assert_eq!(many(3).sum(), 60);
    }

    #[test]
    fn sums_have_a_limit() {
        assert!(add(MAX_SUM, 1).is_err() && add(i64::MIN, -1).is_err());
        assert_eq!(add(MAX_SUM, -1).unwrap(), MAX_SUM - 1);
        assert!(check_amount(MAX_AMOUNT + 1).is_err());
    }
}
