//! Line charts with axes, and sparklines without.

use std::fmt::Write as _;

use super::figure::figure;
use super::frame::{self, Frame, push_rect};
use super::{Chart, Series, at, open, push_title, sane, series_class};

/// The number of points above which dots make the line harder to see.
const DOTS: usize = 31;

/// One line for each series, with gaps where there is no figure.
pub fn line(chart: &Chart<'_>) -> String {
    let count = chart.labels.len();
    let values = chart.series.iter().flat_map(|series| series.values.iter().take(count).flatten().copied());
    if values.clone().next().is_none() {
        return frame::empty(chart);
    }
    let (mut out, frame) = Frame::open(chart, values, false);
    // An area shows a quantity, so it needs a single series from zero.
    let base = (chart.series.len() == 1 && frame.has_zero()).then(|| frame.base());
    for (place, series) in chart.series.iter().enumerate() {
        let class = series_class(place);
        let runs = runs(series, count, |index| frame.x(chart, index), |value| frame.y(value));
        push_runs(&mut out, &class, &runs, base);
        let dots = runs.iter().filter(|run| run.len() == 1 || count <= DOTS).flatten();
        dots.for_each(|&point| push_dot(&mut out, &class, point, 3.5));
    }
    frame.push_tooltips(&mut out, chart);
    out + "</svg>"
}

/// A sparkline: its shape and its end, without labels. Each figure is shown on hover with its name, such as a minute, as
/// far as there are names.
pub fn sparkline(values: &[f64], names: &[String], label: &str) -> String {
    const SIZE: (f64, f64) = (120.0, 32.0);
    let mut out = open("chart-spark", SIZE, label, "");
    let series = Series::new("", values.iter().copied());
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for &value in series.values.iter().flatten() {
        (low, high) = (low.min(value), high.max(value));
    }
    let step = (SIZE.0 - 8.0) / (values.len().max(2) - 1) as f64;
    let span = high - low;
    let y = |value: f64| match span > 0.0 {
        true => SIZE.1 - 4.0 - (value - low) / span * (SIZE.1 - 8.0),
        // Constant figures are a line in the middle.
        false => SIZE.1 / 2.0,
    };
    let runs = runs(&series, values.len(), |index| 4.0 + index as f64 * step, y);
    push_runs(&mut out, "series-1", &runs, Some(SIZE.1));
    match runs.iter().flatten().next_back() {
        Some(&last) => push_dot(&mut out, "series-1", last, 2.5),
        None => {
            let y = at(SIZE.1 / 2.0);
            let _ = write!(out, r#"<line class="chart-grid" x1="4" x2="116" y1="{y}" y2="{y}"/>"#);
        }
    }
    for (index, (value, name)) in series.values.iter().zip(names).enumerate() {
        let Some(value) = value.and_then(sane) else { continue };
        let x = 4.0 + (index as f64 - 0.5) * step;
        push_rect(&mut out, "chart-hit", (x, 0.0), (step, SIZE.1));
        push_title(&mut out, &format!("{name}: {}", figure(value)));
        out.push_str("</rect>");
    }
    out + "</svg>"
}

/// The points of a series, split at gaps.
fn runs(
    series: &Series,
    count: usize,
    x: impl Fn(usize) -> f64,
    y: impl Fn(f64) -> f64,
) -> Vec<Vec<(f64, f64)>> {
    let mut runs = vec![Vec::new()];
    for index in 0..count {
        match (series.value(index).and_then(sane), runs.last_mut()) {
            (Some(value), Some(run)) => run.push((x(index), y(value))),
            _ => runs.push(Vec::new()),
        }
    }
    runs.retain(|run| !run.is_empty());
    runs
}

/// The lines of a series, with the area down to `base` if there is one.
fn push_runs(out: &mut String, class: &str, runs: &[Vec<(f64, f64)>], base: Option<f64>) {
    let (mut lines, mut areas) = (String::new(), String::new());
    for run in runs {
        let (Some(first), Some(last)) = (run.first(), run.last()) else { continue };
        let points: Vec<String> = run.iter().map(|(x, y)| format!("{} {}", at(*x), at(*y))).collect();
        let points = points.join("L");
        let _ = write!(lines, "M{points}");
        if let (Some(base), true) = (base, run.len() > 1) {
            let _ =
                write!(areas, "M{0} {base}L{points}L{1} {base}Z", at(first.0), at(last.0), base = at(base));
        }
    }
    if !areas.is_empty() {
        let _ = write!(out, r#"<path class="chart-area {class}" d="{areas}"/>"#);
    }
    if !lines.is_empty() {
        let _ = write!(out, r#"<path class="chart-line {class}" d="{lines}"/>"#);
    }
}

fn push_dot(out: &mut String, class: &str, (x, y): (f64, f64), radius: f64) {
    let _ = write!(
        out,
        r#"<circle class="chart-dot {class}" cx="{}" cy="{}" r="{}"/>"#,
        at(x),
        at(y),
        at(radius)
    );
}

#[cfg(test)]
mod tests {
    use super::super::tests::well_formed;
    use super::super::{Chart, Series};
    use super::{line, sparkline};

    fn chart(series: Vec<Series>) -> Chart<'static> {
        let labels = ["a", "b", "c", "d", "e"].map(str::to_owned).to_vec();
        Chart { title: "Latency", summary: "It fell.", labels, series, unit: "ms", empty: "no figures" }
    }

    #[test]
    fn a_gap_splits_the_line() {
        let drawn = line(&chart(vec![Series::new("p50", [Some(1.0), Some(2.0), None, Some(3.0), None])]));
        well_formed(&drawn);
        let path = drawn.split("chart-line").nth(1).and_then(|rest| rest.split("d=\"").nth(1)).unwrap();
        let path = path.split('"').next().unwrap();
        assert_eq!((path.matches('M').count(), path.matches('L').count()), (2, 1), "{path}");
        assert!(drawn.contains(r#"aria-label="Latency: It fell.""#), "{drawn}");
        assert!(drawn.contains("<title>a\np50: 1 ms</title>"), "{drawn}");
        assert!(drawn.contains("<title>c</title>"), "{drawn}");
    }

    #[test]
    fn without_figures_a_text_is_shown() {
        assert!(line(&chart(Vec::new())).contains("no figures"));
        assert!(line(&chart(vec![Series::new("p50", [None, None])])).contains("no figures"));
        // A figure without a label is not shown.
        let late = Series::new("p50", [None, None, None, None, None, Some(1.0)]);
        assert!(line(&chart(vec![late])).contains("no figures"));
    }

    #[test]
    fn sparklines_of_anything() {
        for values in [&[][..], &[1.0], &[0.0, 0.0], &[f64::NAN, 1.0, f64::INFINITY], &[3.0, 1.0, 2.0]] {
            let drawn = sparkline(values, &[], "Writes \"today\"");
            well_formed(&drawn);
            assert!(drawn.contains("Writes &quot;today&quot;"));
            assert!(!drawn.contains("NaN") && !drawn.contains("inf"), "{drawn}");
        }
    }

    #[test]
    fn figures_of_a_sparkline_are_shown_on_hover() {
        let names = ["14:01", "14:02 <", "14:03"].map(str::to_owned);
        let drawn = sparkline(&[3.0, f64::NAN, 1200.0], &names, "Writes");
        well_formed(&drawn);
        assert_eq!(drawn.matches("<title>").count(), 2, "{drawn}");
        assert!(drawn.contains("<title>14:01: 3</title>") && drawn.contains("<title>14:03: 1,200</title>"));
    }
}
