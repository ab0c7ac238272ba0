//! A heat map of days: a column for each week, darker where there is more.

use std::fmt::Write as _;

use jiff::civil::Date;

use super::figure::with_unit;
use super::{Anchor, at, open, push_text, push_title};

/// The data of a heat map.
pub struct Days<'a> {
    /// The text alternative, in one sentence.
    pub summary: &'a str,
    /// The first day.
    pub first: Date,
    /// The figure of each day from the first one on.
    pub values: &'a [f64],
    /// The unit of the figures; may be empty.
    pub unit: &'a str,
}

const CELL: f64 = 13.0;
const TOP: f64 = 20.0;
/// The maximum number of days: a year, and the rest of its first week.
const MAX_DAYS: usize = 372;

/// One square for each day, of the newest year at most.
pub fn days(days: &Days<'_>) -> String {
    let skipped = days.values.len().saturating_sub(MAX_DAYS);
    let values = &days.values[skipped..];
    let start = days.first.checked_add(jiff::Span::new().days(skipped as i64)).unwrap_or(days.first);
    let offset = start.weekday().to_monday_zero_offset() as usize;
    let weeks = (values.len() + offset).div_ceil(7).max(1);
    // A short time is not enlarged beyond a quarter of a year.
    let width = (weeks as f64 * CELL).max(13.0 * CELL);
    let mut out = open("chart chart-days", (width, TOP + 7.0 * CELL), "", days.summary);
    let most = values.iter().copied().filter(|value| value.is_finite()).fold(0.0, f64::max);
    let mut day = start;
    for (index, value) in values.iter().enumerate() {
        let (week, weekday) = ((index + offset) / 7, (index + offset) % 7);
        let (x, y) = (week as f64 * CELL, TOP + weekday as f64 * CELL);
        if day.day() == 1 {
            let month = day.strftime("%Y-%m").to_string();
            push_text(&mut out, "chart-label", Anchor::Start, (x, 13.0), &month[5..], 4.0 * CELL);
        }
        let class = format!("chart-day heat-{}", level(*value, most));
        let side = at(CELL - 2.0);
        let _ = write!(
            out,
            r#"<rect class="{class}" x="{}" y="{}" width="{side}" height="{side}" rx="2">"#,
            at(x),
            at(y)
        );
        push_title(
            &mut out,
            &format!("{day}: {}", with_unit(if value.is_finite() { *value } else { 0.0 }, days.unit)),
        );
        out.push_str("</rect>");
        day = day.tomorrow().unwrap_or(day);
    }
    out + "</svg>"
}

/// The level from 0 for nothing to 4 for the most.
fn level(value: f64, most: f64) -> u8 {
    match value / most {
        share if share.is_nan() || share <= 0.0 => 0,
        share if share <= 0.25 => 1,
        share if share <= 0.5 => 2,
        share if share <= 0.75 => 3,
        _ => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::well_formed;
    use super::*;

    #[test]
    fn the_newest_days_are_shown() {
        let first: Date = "2025-01-01".parse().unwrap();
        let values: Vec<f64> = (0..500).map(f64::from).collect();
        let drawn = days(&Days { summary: "s", first, values: &values, unit: "" });
        well_formed(&drawn);
        assert_eq!(drawn.matches("<rect").count(), MAX_DAYS);
        assert!(drawn.contains("<title>2026-05-15: 499</title>") && !drawn.contains("2025-01-02"), "{drawn}");
        well_formed(&days(&Days { summary: "s", first, values: &[], unit: "" }));
    }

    #[test]
    fn levels_are_quarters() {
        assert_eq!([0.0, 1.0, 3.0, 6.0, 10.0].map(|value| level(value, 10.0)), [0, 1, 2, 3, 4]);
        assert_eq!([f64::NAN, -1.0, 1.0].map(|value| level(value, 0.0)), [0, 0, 4]);
    }
}
