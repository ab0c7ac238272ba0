//! Dates and amounts as banks write them.

use jiff::civil::Date;

/// Reads a date: `2026-02-04`, `2026년 02월 04일`, `26.02.04`, `20260204`, with or without a time behind it. A text without
/// a year, such as `02.04 12:30`, is no date.
#[must_use]
pub fn date(text: &str) -> Option<Date> {
    let (first, rest) = digits(text.trim())?;
    let (year, month, day) = match first.len() {
        8 | 14 => (&first[..4], &first[4..6], &first[6..8]),
        6 => (&first[..2], &first[2..4], &first[4..6]),
        2 | 4 => {
            let (separator, rest) = separator(rest);
            let (month, rest) = digits(rest)?;
            let (second, rest) = self::separator(rest);
            let (day, behind) = digits(rest)?;
            // The parts of a date have the same separator, and do not include the time.
            let is_date = (separator == second && separator != ":") || (separator, second) == ("년", "월");
            let is_time = [":", "시", "분"].iter().any(|sign| behind.trim_start().starts_with(sign));
            if !is_date || is_time {
                return None;
            }
            (first, month, day)
        }
        _ => return None,
    };
    let year: i16 = year.parse().ok()?;
    let year = if year < 100 { 2000 + year } else { year };
    Date::new(year, month.parse().ok()?, day.parse().ok()?).ok().filter(|_| (1900..3000).contains(&year))
}

/// Reads the time of a cell, with or without a date before it, as `09:05`. Midnight is none: many files write it behind every
/// date.
pub(super) fn time(text: &str) -> Option<String> {
    let text = text.trim();
    let (hour, minute) = match digits(text)? {
        (all, _) if all.len() == 14 => (&all[8..10], &all[10..12]),
        _ => {
            let colon = text.find(':')?;
            let start = text[..colon].trim_end_matches(|c: char| c.is_ascii_digit()).len();
            (&text[start..colon], digits(&text[colon + 1..])?.0)
        }
    };
    let number = |text: &str| text.parse::<u8>().ok().filter(|_| text.len() <= 2);
    let (hour, minute) = (number(hour)?, number(minute)?);
    (hour < 24 && minute < 60 && (hour, minute) != (0, 0)).then(|| format!("{hour:02}:{minute:02}"))
}

/// The digits at the start of a text, and what follows them.
fn digits(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

/// The separator of two numbers, without spaces around it, and the rest.
fn separator(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| c.is_ascii_digit()).unwrap_or(text.len());
    (text[..end].trim(), &text[end..])
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
    fn times_are_read() {
        for text in [
            "9:05",
            "09:05:59",
            "2026-02-04 09:05",
            "20260204090500",
            "2026.02.04(수)09:05",
            "2026년 2월 4일 수09:05",
        ] {
            assert_eq!(time(text).as_deref(), Some("09:05"), "{text}");
        }
        for text in ["", "00:00", "2026-02-04 00:00", "2026-02-04", "24:00", "1:2026", ":", "스타벅스 12:"]
        {
            assert_eq!(time(text), None, "{text}");
        }
    }

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
            "2026. 2. 4.",
            "2026 02 04",
            "2026-02-04T13:05:00",
            "26/02/04 13:05",
        ] {
            assert_eq!(date(text).map(|date| date.to_string()).as_deref(), Some("2026-02-04"), "{text}");
        }
        for text in [
            "",
            "합계",
            "2026-13-01",
            "2026-02-30",
            "12",
            "1,000",
            "04.05 12:30",
            "04-05 12",
            "04/05 12:30:10",
            "04월 05일",
            "04월 05일 9시 10분",
            "04월 05일 2026",
            "05.04 2026",
            "12:10:05",
            "12 10:05",
            "04 05 12:30",
        ] {
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
