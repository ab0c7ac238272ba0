//! Months, written `YYYY.MM`.

use std::fmt;
use std::str::FromStr;

use hansang_core::kind::time::{month_number, month_text};
use hansang_core::{Error, message};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::{LedgerCode, messages};

/// The first month that can be used.
const FIRST: u32 = 1900 * 12;
/// The last month that can be used.
const LAST: u32 = 2999 * 12 + 11;

/// A month.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Month(u32);

impl Month {
    /// The month of a date.
    #[must_use]
    pub fn of(date: Date) -> Self {
        let year = u32::try_from(date.year()).unwrap_or_default();
        Self(year * 12 + u32::from(date.month().unsigned_abs()) - 1)
    }

    /// The month a number of months later, or earlier if the number is negative.
    #[must_use]
    pub fn plus(self, months: i32) -> Self {
        Self(self.0.saturating_add_signed(months))
    }

    /// The number of months from another one to this one.
    #[must_use]
    pub fn since(self, earlier: Self) -> i64 {
        i64::from(self.0) - i64::from(earlier.0)
    }

    /// The year.
    #[must_use]
    pub fn year(self) -> u32 {
        self.0 / 12
    }

    /// The number of the month in its year, from 1.
    #[must_use]
    pub fn number(self) -> u32 {
        self.0 % 12 + 1
    }

    /// A day of the month; the last day if the month is shorter.
    #[must_use]
    pub fn day(self, day: i64) -> Date {
        let first = i16::try_from(self.year())
            .ok()
            .and_then(|year| Date::new(year, i8::try_from(self.number()).unwrap_or(1), 1).ok())
            .unwrap_or(Date::MIN);
        let day = i8::try_from(day.clamp(1, i64::from(first.days_in_month()))).unwrap_or(1);
        Date::new(first.year(), first.month(), day).unwrap_or(first)
    }

    /// The months from this one to another, both included.
    pub fn to(self, last: Self) -> impl Iterator<Item = Self> {
        (self.0..=last.0).map(Self)
    }
}

impl FromStr for Month {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        month_number(text, '.').filter(|number| (FIRST..=LAST).contains(number)).map(Self).ok_or_else(|| {
            let message = message!(messages::MONTH_INVALID, text);
            Error::invalid(LedgerCode::MonthInvalid, message)
        })
    }
}

impl TryFrom<String> for Month {
    type Error = Error;

    fn try_from(text: String) -> Result<Self, Error> {
        text.parse()
    }
}

impl From<Month> for String {
    fn from(month: Month) -> Self {
        month.to_string()
    }
}

impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&month_text(self.0, '.'))
    }
}

/// Reads a date written `YYYY-MM-DD`.
///
/// # Errors
/// When there is no such date.
pub fn date(text: &str) -> Result<Date, Error> {
    let exact = text.len() == 10;
    text.parse()
        .ok()
        .filter(|_| exact)
        .ok_or_else(|| Error::invalid(LedgerCode::DateInvalid, message!(messages::DATE_INVALID, text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_are_strict_and_add_up() {
        for wrong in
            ["2025.13", "2025.00", "2025-01", "25.01", "2025.1", "1899.12", "3000.01", "", "2025.01 "]
        {
            assert!(wrong.parse::<Month>().is_err(), "{wrong}");
        }
        let month: Month = "2025.12".parse().unwrap();
        assert_eq!(month.plus(1).to_string(), "2026.01");
        assert_eq!(month.plus(1).since(month), 1);
        assert_eq!("2024.02".parse::<Month>().unwrap().day(31).to_string(), "2024-02-29");
        assert_eq!(Month::of(date("2025-12-31").unwrap()), month);
        assert!(date("2025-02-30").is_err() && date("2025-2-3").is_err());
    }
}
