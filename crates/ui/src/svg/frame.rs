//! The frame of bars and lines: heading, legend, axes, labels and tooltips.

use std::fmt::Write as _;

use super::figure::{Scale, with_unit};
use super::{Anchor, Chart, TEXT, at, open, push_text, push_title, series_class, text_width};

/// The width of every chart, in units of the drawing; `svg.css` keeps its text readable.
const WIDTH: f64 = 440.0;

/// The height of the plot area.
const PLOT: f64 = 190.0;

/// The height of a line of text.
const ROW: f64 = 20.0;

/// The maximum number of labels that are all shown, on two rows if they fit; half as many are shortened to fit. Of
/// others, every second, third and so on is shown.
const FEW: usize = 12;

/// The plot area of a chart.
pub(super) struct Frame {
    pub(super) left: f64,
    pub(super) right: f64,
    top: f64,
    bottom: f64,
    scale: Scale,
}

impl Frame {
    /// The start of the drawing with everything below the figures, and the plot area. The axis includes `values`.
    pub(super) fn open(
        chart: &Chart<'_>,
        values: impl Iterator<Item = f64> + Clone,
        from_zero: bool,
    ) -> (String, Self) {
        let scale = Scale::new(values, from_zero);
        let widest = scale.marks().map(|(_, text)| text_width(&text, TEXT)).fold(0.0, f64::max);
        let head = if chart.title.is_empty() { 0.0 } else { ROW + 4.0 };
        let (legend, rows) = legend(chart, head);
        let above =
            if rows == 0 && chart.unit.is_empty() { 8.0 } else { f64::from(rows.max(1)) * ROW + 14.0 };
        let top = head + above;
        let frame = Self { left: widest + 10.0, right: WIDTH - 4.0, top, bottom: top + PLOT, scale };
        let mut labels = String::new();
        let below = frame.push_labels(&mut labels, chart);
        let mut out = open("chart", (WIDTH, frame.bottom + below), chart.title, chart.summary);
        push_text(&mut out, "chart-title", Anchor::Start, (0.0, 15.0), chart.title, WIDTH);
        push_text(&mut out, "chart-label", Anchor::Start, (0.0, head + 14.0), chart.unit, WIDTH / 4.0);
        out.push_str(&legend);
        frame.push_grid(&mut out);
        out.push_str(&labels);
        (out, frame)
    }

    /// The vertical coordinate of a value.
    pub(super) fn y(&self, value: f64) -> f64 {
        let (low, high) = (self.scale.low(), self.scale.high());
        self.bottom - (value - low) / (high - low) * PLOT
    }

    /// The vertical coordinate of zero, or of the nearest end of the axis.
    pub(super) fn base(&self) -> f64 {
        self.y(0.0_f64.clamp(self.scale.low(), self.scale.high()))
    }

    /// Whether zero is on the axis.
    pub(super) fn has_zero(&self) -> bool {
        self.scale.low() <= 0.0 && self.scale.high() >= 0.0
    }

    /// The width of a label's band.
    pub(super) fn band(&self, chart: &Chart<'_>) -> f64 {
        (self.right - self.left) / chart.labels.len().max(1) as f64
    }

    /// The middle of a label's band.
    pub(super) fn x(&self, chart: &Chart<'_>, index: usize) -> f64 {
        self.left + (index as f64 + 0.5) * self.band(chart)
    }

    /// An invisible area for each label whose tooltip has the figures of all series, also of those too small to point
    /// at.
    pub(super) fn push_tooltips(&self, out: &mut String, chart: &Chart<'_>) {
        let band = self.band(chart);
        for (index, label) in chart.labels.iter().enumerate() {
            let mut text = label.clone();
            for series in &chart.series {
                if let Some(value) = series.value(index) {
                    let between = if series.name.is_empty() { "" } else { ": " };
                    let _ = write!(text, "\n{}{between}{}", series.name, with_unit(value, chart.unit));
                }
            }
            let x = self.left + index as f64 * band;
            push_rect(out, "chart-hit", (x, self.top), (band, PLOT));
            push_title(out, &text);
            out.push_str("</rect>");
        }
    }

    fn push_grid(&self, out: &mut String) {
        let zero = self.base();
        for (value, text) in self.scale.marks() {
            let y = self.y(value);
            let class = if y == zero { "chart-axis" } else { "chart-grid" };
            let (left, right) = (at(self.left), at(self.right));
            let _ =
                write!(out, r#"<line class="{class}" x1="{left}" x2="{right}" y1="{0}" y2="{0}"/>"#, at(y));
            push_text(out, "chart-label", Anchor::End, (self.left - 8.0, y + 4.5), &text, WIDTH);
        }
    }

    /// The labels below the axis, and their height.
    fn push_labels(&self, out: &mut String, chart: &Chart<'_>) -> f64 {
        let (band, count) = (self.band(chart), chart.labels.len());
        let widest = chart.labels.iter().map(|label| text_width(label, TEXT)).fold(0.0, f64::max);
        let needed = ((widest.min(150.0) + 10.0) / band).ceil().max(1.0) as usize;
        let two_rows = needed > 1 && (count <= FEW / 2 || needed == 2 && count <= FEW);
        let (every, room) = match two_rows {
            true => (1, 2.0 * band - 10.0),
            false => (needed, needed as f64 * band - 10.0),
        };
        // From the right, so that the newest always has its label.
        for (index, label) in chart.labels.iter().enumerate().rev().step_by(every) {
            let row = if two_rows { (index % 2) as f64 } else { 0.0 };
            let half = text_width(label, TEXT).min(room) / 2.0;
            // The first and the last may be wider than their bands, but not than the drawing.
            let x = self.x(chart, index).max(half).min(WIDTH - half);
            let y = self.bottom + 20.0 + row * ROW;
            push_text(out, "chart-label", Anchor::Middle, (x, y), label, room);
        }
        if two_rows { 10.0 + 2.0 * ROW } else { 10.0 + ROW }
    }
}

/// The drawing without figures.
pub(super) fn empty(chart: &Chart<'_>) -> String {
    let height = PLOT + ROW;
    let mut out = open("chart", (WIDTH, height), chart.title, chart.summary);
    push_text(&mut out, "chart-title", Anchor::Start, (0.0, 15.0), chart.title, WIDTH);
    let place = (WIDTH / 2.0, height / 2.0 + 4.0);
    push_text(&mut out, "chart-empty", Anchor::Middle, place, chart.empty, WIDTH);
    out + "</svg>"
}

/// An open `<rect>`, for a tooltip inside.
pub(super) fn push_rect(out: &mut String, class: &str, (x, y): (f64, f64), (width, height): (f64, f64)) {
    let (x, y, width, height) = (at(x), at(y), at(width), at(height));
    let _ = write!(out, r#"<rect class="{class}" x="{x}" y="{y}" width="{width}" height="{height}">"#);
}

/// The legend, on as many rows as needed. It starts on the left, which a small screen shows first. A single series has
/// no legend: the heading names it.
fn legend(chart: &Chart<'_>, head: f64) -> (String, u32) {
    let mut out = String::new();
    if chart.series.len() < 2 {
        return (out, 0);
    }
    let widest = WIDTH / 3.0;
    // The unit is on the left of the first row.
    let unit = text_width(chart.unit, TEXT).min(WIDTH / 4.0);
    let mut x = if chart.unit.is_empty() { 0.0 } else { unit + 20.0 };
    let mut row = 0;
    for (index, series) in chart.series.iter().enumerate() {
        let width = text_width(&series.name, TEXT).min(widest) + 16.0;
        if x > 0.0 && x + width > WIDTH {
            (x, row) = (0.0, row + 1);
        }
        let y = head + 14.0 + f64::from(row) * ROW;
        let (class, left, top) = (series_class(index), at(x), at(y - 9.5));
        let _ = write!(
            out,
            r#"<rect class="chart-key {class}" x="{left}" y="{top}" width="10" height="10" rx="3"/>"#
        );
        push_text(&mut out, "chart-label", Anchor::Start, (x + 16.0, y), &series.name, widest);
        x += width + 18.0;
    }
    (out, row + 1)
}
