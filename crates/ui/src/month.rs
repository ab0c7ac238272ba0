//! A month with links to its neighbours.

use jiff::ToSpan as _;
use jiff::civil::Date;

use crate::address;

/// The month that a page shows.
#[derive(Clone, Debug)]
pub struct MonthPicker {
    /// The name of the parameter.
    pub name: &'static str,
    /// The address of the page.
    pub address: String,
    month: Date,
    /// The month before.
    pub previous: Date,
    /// The month after.
    pub next: Date,
}

impl MonthPicker {
    /// The month of a day.
    #[must_use]
    pub fn new(name: &'static str, address: &str, day: Date) -> Self {
        let month = day.first_of_month();
        let previous = month.checked_sub(1.month()).unwrap_or(month);
        let next = month.checked_add(1.month()).unwrap_or(month);
        Self { name, address: address.to_owned(), month, previous, next }
    }

    /// The month in a text such as `2026-11`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Date> {
        format!("{text}-01").parse().ok()
    }

    /// The month as the field writes it: `2026-11`.
    #[must_use]
    pub fn value(&self) -> String {
        written(self.month)
    }

    /// The address of another month.
    #[must_use]
    pub fn at(&self, month: &Date) -> String {
        address::with(&self.address, &[(self.name, &written(*month))])
    }
}

fn written(month: Date) -> String {
    month.strftime("%Y-%m").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_have_neighbours() {
        let picker = MonthPicker::new("month", "/console/x?a=1", MonthPicker::parse("2026-01").unwrap());
        assert_eq!(picker.value(), "2026-01");
        assert_eq!(picker.at(&picker.previous), "/console/x?a=1&month=2025-12");
        assert_eq!(picker.at(&picker.next), "/console/x?a=1&month=2026-02");
        assert!(MonthPicker::parse("2026-13").is_none() && MonthPicker::parse("").is_none());
    }
}
