//! Stacked areas: how parts and their sum change.

use std::fmt::Write as _;

use super::frame::{self, Frame};
use super::{Chart, at, series_class};

/// One area for each series, on top of the ones before. Gaps and negative figures count as zero.
pub fn areas(chart: &Chart<'_>) -> String {
    let count = chart.labels.len();
    let value = |place: usize, index: usize| chart.series[place].value(index).unwrap_or(0.0).max(0.0);
    let has_figures = chart.series.iter().any(|series| series.values.iter().take(count).any(Option::is_some));
    if !has_figures {
        return frame::empty(chart);
    }
    let sum = |places: usize, index: usize| (0..places).map(|place| value(place, index)).sum::<f64>();
    let tops = (0..count).map(|index| sum(chart.series.len(), index));
    let (mut out, frame) = Frame::open(chart, tops, true);
    for place in 0..chart.series.len() {
        let point = |places: usize, index: usize| {
            format!("{} {}", at(frame.x(chart, index)), at(frame.y(sum(places, index))))
        };
        let upper: Vec<String> = (0..count).map(|index| point(place + 1, index)).collect();
        let lower: Vec<String> = (0..count).rev().map(|index| point(place, index)).collect();
        let (class, upper, lower) = (series_class(place), upper.join("L"), lower.join("L"));
        let _ = write!(out, r#"<path class="chart-layer {class}" d="M{upper}L{lower}Z"/>"#);
        let _ = write!(out, r#"<path class="chart-line {class}" d="M{upper}"/>"#);
    }
    frame.push_tooltips(&mut out, chart);
    out + "</svg>"
}

#[cfg(test)]
mod tests {
    use super::super::tests::well_formed;
    use super::super::{Chart, Series};
    use super::areas;

    #[test]
    fn layers_lie_on_each_other() {
        let series = vec![Series::new("a", [1.0, 2.0]), Series::new("b", [3.0, f64::NAN])];
        let labels = vec!["x".to_owned(), "y".to_owned()];
        let chart = Chart { title: "", summary: "s", labels, series, unit: "", empty: "none" };
        let drawn = areas(&chart);
        well_formed(&drawn);
        assert_eq!(drawn.matches("chart-layer").count(), 2);
        // The axis includes the sum.
        assert!(drawn.contains(">4</text>") && !drawn.contains(">5</text>"), "{drawn}");
        assert!(areas(&Chart { series: Vec::new(), ..chart }).contains("none"));
    }
}
