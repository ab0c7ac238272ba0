//! Treemaps: shares of a whole as areas.

use std::fmt::Write as _;

use super::figure::with_unit;
use super::{Anchor, Donut, TEXT, at, open, push_text, push_title, sane, series_class};

const SIZE: (f64, f64) = (440.0, 240.0);

/// A rectangle: left, top, width and height.
type Area = (f64, f64, f64, f64);

/// One rectangle for each part, the largest first. Takes the data of a donut; small parts are not merged.
pub fn treemap(donut: &Donut<'_>) -> String {
    let mut out = open("chart", SIZE, donut.title, donut.summary);
    let positive = |(place, (name, value)): (usize, &'_ (String, f64))| {
        Some((place, name.clone(), sane(*value).filter(|value| *value > 0.0)?))
    };
    let mut parts: Vec<(usize, String, f64)> = donut.shares.iter().enumerate().filter_map(positive).collect();
    parts.sort_by(|a, b| b.2.total_cmp(&a.2));
    if parts.is_empty() {
        let middle = (SIZE.0 / 2.0, SIZE.1 / 2.0);
        push_text(&mut out, "chart-empty", Anchor::Middle, middle, donut.empty, SIZE.0);
    }
    let total: f64 = parts.iter().map(|part| part.2).sum();
    let values: Vec<f64> = parts.iter().map(|part| part.2 / total).collect();
    let mut areas = Vec::new();
    divide(&values, (0.0, 0.0, SIZE.0, SIZE.1), &mut areas);
    for ((place, name, value), (x, y, width, height)) in parts.iter().zip(areas) {
        let (class, left, top) = (series_class(*place), at(x), at(y));
        let _ = write!(
            out,
            r#"<rect class="chart-cell {class}" x="{left}" y="{top}" width="{}" height="{}" rx="4">"#,
            at(width),
            at(height)
        );
        let percent = (value / total * 100.0).round();
        push_title(&mut out, &format!("{name}: {} ({percent}%)", with_unit(*value, donut.unit)));
        out.push_str("</rect>");
        // A name that does not fit is in the tooltip.
        if width > 48.0 && height > TEXT * 2.0 {
            let place = (x + 8.0, y + TEXT + 6.0);
            push_text(&mut out, "chart-cell-text", Anchor::Start, place, name, width - 14.0);
        }
    }
    out + "</svg>"
}

/// Splits an area by the halves of the values, across its longer side, until every value has one.
fn divide(values: &[f64], (x, y, width, height): Area, areas: &mut Vec<Area>) {
    let (Some(first), total) = (values.first(), values.iter().sum::<f64>()) else { return };
    if values.len() == 1 {
        return areas.push((x, y, width, height));
    }
    let (mut count, mut sum) = (1, *first);
    while count < values.len() - 1 && sum + values[count] / 2.0 < total / 2.0 {
        sum += values[count];
        count += 1;
    }
    let share = if total > 0.0 { sum / total } else { 0.5 };
    let (one, two) = match width >= height {
        true => ((x, y, width * share, height), (x + width * share, y, width * (1.0 - share), height)),
        false => ((x, y, width, height * share), (x, y + height * share, width, height * (1.0 - share))),
    };
    divide(&values[..count], one, areas);
    divide(&values[count..], two, areas);
}

#[cfg(test)]
mod tests {
    use super::super::tests::well_formed;
    use super::*;

    #[test]
    fn areas_are_proportional() {
        let mut areas = Vec::new();
        divide(&[0.5, 0.25, 0.125, 0.125], (0.0, 0.0, 40.0, 20.0), &mut areas);
        let sizes: Vec<f64> = areas.iter().map(|(_, _, width, height)| width * height).collect();
        assert_eq!(sizes, [400.0, 200.0, 100.0, 100.0]);
    }

    #[test]
    fn parts_have_names_and_tooltips() {
        let shares = [("Rent & co".to_owned(), 3.0), ("Food".to_owned(), 1.0), ("Zero".to_owned(), 0.0)];
        let data = Donut {
            title: "",
            summary: "s",
            shares: &shares,
            unit: "원",
            other: "",
            empty: "none",
            links: &[],
        };
        let drawn = treemap(&data);
        well_formed(&drawn);
        assert!(drawn.contains("<title>Rent &amp; co: 3 원 (75%)</title>"), "{drawn}");
        assert_eq!(drawn.matches("chart-cell ").count(), 2);
        assert!(treemap(&Donut { shares: &[], ..data }).contains("none"));
    }
}
