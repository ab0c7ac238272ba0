//! Figures for a terminal: amounts first, so that wide letters do not shift them.

use std::io::Write;

use hansang_command::Failure;
use serde_json::Value as Json;

/// Prints JSON.
pub(super) fn json(out: &mut dyn Write, shown: &Json) -> Result<(), Failure> {
    Ok(writeln!(out, "{shown:#}")?)
}

/// The elements of a member.
pub(super) fn all<'j>(shown: &'j Json, name: &str) -> impl Iterator<Item = &'j Json> {
    shown[name].as_array().into_iter().flatten()
}

/// A text; empty if it is absent.
pub(super) fn text(json: &Json) -> &str {
    json.as_str().unwrap_or_default()
}

/// An amount with separators, such as `-1,234,567`.
pub(super) fn won(json: &Json) -> String {
    let amount = json.as_i64().unwrap_or_default();
    let digits = amount.unsigned_abs().to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    if amount < 0 { format!("-{grouped}") } else { grouped }
}

/// A row: an amount and what it is.
pub(super) fn row(out: &mut dyn Write, amount: &Json, what: &str) -> Result<(), Failure> {
    Ok(writeln!(out, "{:>17}  {what}", won(amount))?)
}

/// The name of an entry.
pub(super) fn entry(json: &Json) -> String {
    let parts = ["kind", "name", "detail"].map(|name| text(&json[name]));
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The totals and balances of a month, and its entries.
pub(super) fn month(out: &mut dyn Write, shown: &Json) -> Result<(), Failure> {
    let (totals, balances) = (&shown["totals"], &shown["balances"]);
    writeln!(out, "{}", text(&shown["month"]))?;
    for (name, what) in [
        ("totalIncome", "income"),
        ("totalExpense", "expenses"),
        ("totalSavings", "savings"),
        ("totalInvestment", "investments"),
        ("totalShortSavings", "put aside"),
        ("netAsset", "left of the income"),
    ] {
        row(out, &totals[name], what)?;
    }
    writeln!(out, "balances")?;
    row(out, &balances["cashAccumulated"], "savings")?;
    row(out, &balances["investmentAccumulated"], "investments")?;
    for (account, balance) in balances["shortSavingsBalances"].as_object().into_iter().flatten() {
        row(out, balance, account)?;
    }
    writeln!(out, "entries")?;
    for one in all(shown, "entries") {
        row(out, &one["amount"], &entry(one))?;
    }
    Ok(())
}

/// Lines, each with its id, by which the API finds it.
pub(super) fn line(out: &mut dyn Write, shown: &Json) -> Result<(), Failure> {
    let what = format!("{} {} {}", text(&shown["date"]), entry(shown), text(&shown["text"]));
    row(out, &shown["amount"], what.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_have_separators() {
        for (amount, shown) in [(0, "0"), (999, "999"), (1000, "1,000"), (-1_234_567, "-1,234,567")] {
            assert_eq!(won(&amount.into()), shown);
        }
    }
}
