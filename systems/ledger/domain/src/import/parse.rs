//! Dates and amounts as banks write them.

use jiff::civil::Date;

/// Reads a date: `2026-02-04`, `2026년 02월 04일`, `26.02.04`, `20260204`, with or without a time behind it.
#[must_use]
pub fn date(text: &str) -> Option<Date> {
    let text = text.trim();
    if !text.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let mut groups = text.split(|c: char| !c.is_ascii_digit()).filter(|group| !group.is_empty());
    let first = groups.next()?;
    let (year, month, day) = match first.len() {
        8 | 14 => (&first[..4], &first[4..6], &first[6..8]),
        6 => (&first[..2], &first[2..4], &first[4..6]),
        2 | 4 => (first, groups.next()?, groups.next()?),
        _ => return None,
    };
    let year: i16 = year.parse().ok()?;
    let year = if year < 100 { 2000 + year } else { year };
    Date::new(year, month.parse().ok()?, day.parse().ok()?).ok().filter(|_| (1900..3000).contains(&year))
}

/// Reads an amount in whole won: `4,500`, `4,500원`, `(4,500)`, `-4,500`, `₩4500`, `4500.00`.
#[must_use]
pub fn amount(text: &str) -> Option<i64> {
    let mut text: String =
        text.chars().filter(|c| !c.is_whitespace() && !matches!(c, ',' | '원' | '₩' | '￦')).collect();
    let mut negative = false;
    if let Some(inside) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        negative = true;
        text = inside.to_owned();
    }
    for sign in ["-", "−", "△", "▲"] {
        if let Some(rest) = text.strip_prefix(sign) {
            negative = !negative;
            text = rest.to_owned();
            break;
        }
    }
    let whole = text.strip_prefix('+').unwrap_or(&text);
    let (whole, fraction) = whole.split_once('.').unwrap_or((whole, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !digits(whole) || !fraction.bytes().all(|byte| byte == b'0') {
        return None;
    }
    let amount: i64 = whole.parse().ok().filter(|amount| *amount <= crate::MAX_AMOUNT)?;
    Some(if negative { -amount } else { amount })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_amounts_of_banks_are_read() {
        for text in [
            "2026년 02월 04일",
            "2026-02-04",
            "26.02.04",
            "20260204",
            "2026/2/4 13:05",
            "2026.02.04 (수)",
            "20260204130500",
        ] {
            assert_eq!(date(text).map(|date| date.to_string()).as_deref(), Some("2026-02-04"), "{text}");
        }
        for text in ["", "합계", "2026-13-01", "2026-02-30", "12", "1,000"] {
            assert_eq!(date(text), None, "{text}");
        }
        for (text, right) in [
            ("4,500", 4500),
            ("4,500원", 4500),
            ("(4,500)", -4500),
            ("-4,500", -4500),
            ("₩ 4500", 4500),
            ("4500.00", 4500),
            ("+1", 1),
        ] {
            assert_eq!(amount(text), Some(right), "{text}");
        }
        for text in ["", "4.5", "일만원", "1e5", "10000000000000000000000000000000000000000", "--1"] {
            assert_eq!(amount(text), None, "{text}");
        }
    }
}
