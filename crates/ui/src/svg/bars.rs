//! Vertical bars.

use std::fmt::Write as _;

use super::figure::with_unit;
use super::frame::{self, Frame};
use super::{Chart, at, push_title, series_class};

/// The arrangement of several series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bars {
    /// Side by side, for comparison.
    Grouped,
    /// Stacked, for the sum; negative values are below zero.
    Stacked,
}

/// Vertical bars over labels.
pub fn bars(chart: &Chart<'_>, how: Bars) -> String {
    let values = |index: usize| chart.series.iter().filter_map(move |series| series.value(index));
    if !(0..chart.labels.len()).any(|index| values(index).next().is_some()) {
        return frame::empty(chart);
    }
    let ends = (0..chart.labels.len()).flat_map(|index| match how {
        Bars::Grouped => values(index).collect::<Vec<f64>>(),
        Bars::Stacked => {
            vec![values(index).map(|value| value.max(0.0)).sum(), values(index).map(|v| v.min(0.0)).sum()]
        }
    });
    let (mut out, frame) = Frame::open(chart, ends, true);
    frame.push_tooltips(&mut out, chart);
    for index in 0..chart.labels.len() {
        match how {
            Bars::Grouped => push_group(&mut out, chart, &frame, index),
            Bars::Stacked => push_stack(&mut out, chart, &frame, index),
        }
    }
    out + "</svg>"
}

/// The share of its band that a label's bars take: less of a wide one, for separation.
fn share(band: f64) -> f64 {
    if band < 6.0 { 0.85 } else { 0.68 }
}

fn push_group(out: &mut String, chart: &Chart<'_>, frame: &Frame, index: usize) {
    let (band, count) = (frame.band(chart), chart.series.len() as f64);
    let width = (band * share(band) / count).min(40.0);
    let left = frame.x(chart, index) - width * count / 2.0;
    for (place, series) in chart.series.iter().enumerate() {
        let Some(value) = series.value(index) else { continue };
        // A gap of one unit between neighbours, and less between narrow bars.
        let inner = if width > 5.0 { width - 1.0 } else { width * 0.9 };
        let x = left + place as f64 * width + (width - inner) / 2.0;
        let bar = Bar { x, width: inner, from: frame.base(), to: frame.y(value), rounded: true };
        push_bar(out, chart, (place, index, value), &bar);
    }
}

fn push_stack(out: &mut String, chart: &Chart<'_>, frame: &Frame, index: usize) {
    let band = frame.band(chart);
    let width = (band * share(band)).min(48.0);
    let x = frame.x(chart, index) - width / 2.0;
    let outermost = |positive: bool| {
        chart.series.iter().rposition(|series| {
            series.value(index).is_some_and(|value| value != 0.0 && (value > 0.0) == positive)
        })
    };
    let ends = [outermost(false), outermost(true)];
    let mut sums = [0.0, 0.0];
    for (place, series) in chart.series.iter().enumerate() {
        let Some(value) = series.value(index) else { continue };
        let side = usize::from(value > 0.0);
        let from = frame.y(sums[side]);
        sums[side] += value;
        let bar = Bar { x, width, from, to: frame.y(sums[side]), rounded: ends[side] == Some(place) };
        push_bar(out, chart, (place, index, value), &bar);
    }
}

/// A bar from one height to another.
struct Bar {
    x: f64,
    width: f64,
    from: f64,
    to: f64,
    /// Whether the end has round corners: the last of a stack has.
    rounded: bool,
}

/// A bar with its tooltip. A value other than zero is always visible.
fn push_bar(out: &mut String, chart: &Chart<'_>, (place, index, value): (usize, usize, f64), bar: &Bar) {
    if value == 0.0 {
        return;
    }
    let away = if value > 0.0 { -1.0 } else { 1.0 };
    // The parts of a stack are separated by a line of background as well as by colour.
    let gap = if bar.rounded || (bar.to - bar.from).abs() < 3.0 { 0.0 } else { 1.0 };
    let height = (bar.to - bar.from).abs().max(1.0) - gap;
    let end = bar.from + away * height;
    let round = if bar.rounded { (bar.width / 3.0).min(3.0).min(height) } else { 0.0 };
    let (left, right, shoulder) = (at(bar.x), at(bar.x + bar.width), at(end - away * round));
    let (from, to) = (at(bar.from), at(end));
    let (inner_left, inner_right) = (at(bar.x + round), at(bar.x + bar.width - round));
    let _ = write!(
        out,
        r#"<path class="chart-bar {}" d="M{left} {from}V{shoulder}Q{left} {to} {inner_left} {to}H{inner_right}Q{right} {to} {right} {shoulder}V{from}Z">"#,
        series_class(place),
    );
    let (label, name) = (&chart.labels[index], &chart.series[place].name);
    let dot = if label.is_empty() || name.is_empty() { "" } else { " · " };
    push_title(out, &format!("{label}{dot}{name}: {}", with_unit(value, chart.unit)));
    out.push_str("</path>");
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::super::tests::well_formed;
    use super::super::{Chart, Series};
    use super::{Bars, bars};

    fn chart(labels: &[&str], series: Vec<Series>) -> Chart<'static> {
        let labels = labels.iter().map(|&label| label.to_owned()).collect();
        Chart { title: "", summary: "Writes", labels, series, unit: "", empty: "no writes" }
    }

    #[test]
    fn two_bars() {
        let drawn = bars(&chart(&["월", "화"], vec![Series::new("쓰기", [2.0, -1.0])]), Bars::Grouped);
        well_formed(&drawn);
        expect![[r#"
            <svg class="chart" viewBox="0 0 440 228" preserveAspectRatio="xMidYMid meet" role="img" aria-label="Writes">
            <line class="chart-grid" x1="26.74" x2="436" y1="198" y2="198"/>
            <text class="chart-label" x="18.74" y="202.5" text-anchor="end">−1</text>
            <line class="chart-axis" x1="26.74" x2="436" y1="134.67" y2="134.67"/>
            <text class="chart-label" x="18.74" y="139.17" text-anchor="end">0</text>
            <line class="chart-grid" x1="26.74" x2="436" y1="71.33" y2="71.33"/>
            <text class="chart-label" x="18.74" y="75.83" text-anchor="end">1</text>
            <line class="chart-grid" x1="26.74" x2="436" y1="8" y2="8"/>
            <text class="chart-label" x="18.74" y="12.5" text-anchor="end">2</text>
            <text class="chart-label" x="333.69" y="218" text-anchor="middle">화</text>
            <text class="chart-label" x="129.06" y="218" text-anchor="middle">월</text>
            <rect class="chart-hit" x="26.74" y="8" width="204.63" height="190">
            <title>월
            쓰기: 2</title>
            </rect>
            <rect class="chart-hit" x="231.37" y="8" width="204.63" height="190">
            <title>화
            쓰기: −1</title>
            </rect>
            <path class="chart-bar series-1" d="M109.56 134.67V11Q109.56 8 112.56 8H145.56Q148.56 8 148.56 11V134.67Z">
            <title>월 · 쓰기: 2</title>
            </path>
            <path class="chart-bar series-1" d="M314.19 134.67V195Q314.19 198 317.19 198H350.19Q353.19 198 353.19 195V134.67Z">
            <title>화 · 쓰기: −1</title>
            </path>
            </svg>"#]].assert_eq(&drawn.replace("><", ">\n<"));
    }

    #[test]
    fn stacks_add_up_on_both_sides_of_zero() {
        let series = || {
            vec![Series::new("a", [30.0, 1.0]), Series::new("b", [40.0, 2.0]), Series::new("c", [-20.0, 0.0])]
        };
        let stacked = bars(&chart(&["x", "y"], series()), Bars::Stacked);
        assert!(stacked.contains(">80</text>") && stacked.contains(">−20</text>"), "{stacked}");
        let grouped = bars(&chart(&["x", "y"], series()), Bars::Grouped);
        assert!(grouped.contains(">40</text>") && !grouped.contains(">60</text>"), "{grouped}");
        // Five bars, because zero has none.
        assert_eq!(stacked.matches("chart-bar").count(), 5);
    }

    #[test]
    fn without_figures_a_text_is_shown() {
        for chart in [
            chart(&[], Vec::new()),
            chart(&["x"], Vec::new()),
            chart(&[], vec![Series::new("a", [1.0])]),
            chart(&["x"], vec![Series::new("a", [f64::NAN])]),
        ] {
            assert!(bars(&chart, Bars::Stacked).contains("no writes"));
        }
        let zeros = chart(&["x", "y"], vec![Series::new("a", [0.0, 0.0])]);
        assert!(bars(&zeros, Bars::Grouped).contains(">1</text>"), "zero is a figure and has an axis");
    }

    #[test]
    fn many_labels_are_thinned_out() {
        let labels: Vec<String> = (0..90).map(|day| format!("2025-01-{day:02}")).collect();
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        let series = || vec![Series::new("a", vec![1.0; 90])];
        let texts =
            |drawn: &str| drawn.matches(">2025-01-").count() - drawn.matches("<title>2025-01-").count();
        assert_eq!(texts(&bars(&chart(&labels, series()), Bars::Grouped)), 5);
        let year = bars(&chart(&labels[..12], series()), Bars::Grouped);
        assert_eq!(texts(&year), 4);
        assert!(year.contains(">2025-01-11</text>"), "the newest has its label: {year}");
        let short: Vec<&str> = labels[..12].iter().map(|label| &label[5..]).collect();
        let year = bars(&chart(&short, series()), Bars::Grouped);
        assert_eq!(year.matches(">01-").count() - year.matches("<title>01-").count(), 12);
    }
}
