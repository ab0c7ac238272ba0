//! Charts and diagrams as SVG inside a page.
//!
//! Pure functions from figures to escaped text. The content security policy rejects inline scripts and styles, so
//! colours are classes of `svg/svg.css` and tooltips are `<title>` elements. No coordinate is ever NaN: a figure that
//! is not finite is a gap.

use std::fmt::Write as _;

use crate::escape::escape;

mod area;
mod bars;
mod boxed;
mod days;
mod donut;
mod figure;
mod frame;
mod lifecycle;
mod line;
#[cfg(test)]
mod tests;
mod treemap;

pub use area::areas;
pub use bars::{Bars, bars};
pub use boxed::{boxed, boxed_days, boxed_shares};
pub use days::{Days, days};
pub use donut::{Donut, donut};
pub use lifecycle::lifecycle;
pub use line::{line, sparkline};
pub use treemap::treemap;

/// The number of colours for series.
const COLOURS: usize = 6;

/// The size of the text of charts, in units of the drawing.
const TEXT: f64 = 13.0;

/// The data of bars and lines: figures over labels.
pub struct Chart<'a> {
    /// The heading in the drawing; empty if the page has one above it.
    pub title: &'a str,
    /// The text alternative, in one sentence.
    pub summary: &'a str,
    /// The labels of the horizontal axis, from left to right.
    pub labels: Vec<String>,
    /// The figures; each series has one for each label.
    pub series: Vec<Series>,
    /// The unit of the figures; may be empty.
    pub unit: &'a str,
    /// The text that is shown without figures.
    pub empty: &'a str,
}

/// A name and its figures.
pub struct Series {
    name: String,
    values: Vec<Option<f64>>,
}

impl Series {
    /// Accepts `f64` and `Option<f64>`; `None` and figures that are not finite are gaps.
    pub fn new<V: Into<Option<f64>>>(name: &str, values: impl IntoIterator<Item = V>) -> Self {
        let values = values.into_iter().map(|value| value.into().and_then(sane)).collect();
        Self { name: name.to_owned(), values }
    }

    fn value(&self, index: usize) -> Option<f64> {
        self.values.get(index).copied().flatten()
    }
}

/// Limits a figure so that sums, differences and quotients by anything but zero stay finite.
fn sane(value: f64) -> Option<f64> {
    let value = if value.abs() < 1e-100 { 0.0 } else { value };
    value.is_finite().then(|| value.clamp(-1e100, 1e100))
}

/// The class of the series at this index. The seventh has the colour of the first, but paler.
fn series_class(index: usize) -> String {
    let again = if index >= COLOURS { " series-again" } else { "" };
    format!("series-{}{again}", index % COLOURS + 1)
}

/// A coordinate, rounded to a hundredth of a unit.
fn at(value: f64) -> String {
    let rounded = if value.is_finite() { (value * 100.0).round() / 100.0 } else { 0.0 };
    // Adding zero turns -0 into 0.
    format!("{}", rounded + 0.0)
}

/// The estimated width of a text, in units of the drawing. The font is unknown, so this is an upper estimate: Chinese,
/// Japanese and Korean letters count twice, and capitals a third more than small letters.
fn text_width(text: &str, size: f64) -> f64 {
    text.chars().map(letter_width).sum::<f64>() * size * 0.56
}

fn letter_width(letter: char) -> f64 {
    match letter {
        '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{a960}'..='\u{a97f}' => 2.0,
        '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe6f}' => 2.0,
        '\u{ff00}'..='\u{ff60}' | '\u{ffe0}'..='\u{ffe6}' | '\u{1f300}'..='\u{3fffd}' => 2.0,
        'M' | 'W' | 'm' | '@' | '%' => 1.7,
        'A'..='Z' | '_' | '&' | 'w' | '−' | '→' | '…' => 1.3,
        _ => 1.0,
    }
}

/// The text, truncated with an ellipsis to about this width.
fn shorten(text: &str, width: f64, size: f64) -> String {
    if text_width(text, size) <= width {
        return text.to_owned();
    }
    let mut room = width - text_width("…", size);
    let fits = |letter: &char| {
        room -= letter_width(*letter) * size * 0.56;
        room >= 0.0
    };
    let kept: String = text.chars().take_while(fits).collect();
    format!("{}…", kept.trim_end())
}

/// The anchor of a text.
#[derive(Clone, Copy)]
enum Anchor {
    Start,
    Middle,
    End,
}

/// A text of at most `room` units, or nothing if it is empty. A truncated text is in its tooltip.
fn push_text(out: &mut String, class: &str, anchor: Anchor, (x, y): (f64, f64), text: &str, room: f64) {
    if text.is_empty() {
        return;
    }
    let anchor = match anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    };
    let shown = shorten(text, room, TEXT);
    let _ = write!(out, r#"<text class="{class}" x="{}" y="{}" text-anchor="{anchor}">"#, at(x), at(y));
    if shown != text {
        push_title(out, text);
    }
    let _ = write!(out, "{}</text>", escape(&shown));
}

/// The tooltip of the enclosing element.
fn push_title(out: &mut String, text: &str) {
    let _ = write!(out, "<title>{}</title>", escape(text));
}

/// The element around a drawing that scales with its container.
fn open(class: &str, (width, height): (f64, f64), title: &str, summary: &str) -> String {
    let between = if title.is_empty() || summary.is_empty() { "" } else { ": " };
    format!(
        r#"<svg class="{class}" viewBox="0 0 {} {}" preserveAspectRatio="xMidYMid meet" role="img" aria-label="{}{between}{}">"#,
        at(width),
        at(height),
        escape(title),
        escape(summary),
    )
}
