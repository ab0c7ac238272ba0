//! A lifecycle with too many transitions for lines: a table with a dot for each.

use std::fmt::Write as _;

use super::graph::Graph;
use super::open;
use crate::svg::{Anchor, TEXT, at, escape, push_text, push_title, text_width};

const CELL: f64 = 22.0;

/// The transition from the state of the row to that of the column.
pub(super) fn draw(graph: &Graph<'_>, label: &str) -> String {
    let widest = graph.names.iter().map(|name| text_width(name, TEXT)).fold(0.0, f64::max);
    // The column headings are slanted, so that they take about as much space above as to the right.
    let lean = widest * 0.71 + 16.0;
    let (left, top) = (widest + 12.0, lean + 4.0);
    let size = graph.names.len() as f64 * CELL;
    let mut out = open(left + size + lean, top + size + 4.0, label);
    let centre = |place: usize| (place as f64 + 0.5) * CELL;
    for (place, name) in graph.names.iter().enumerate() {
        let (across, down) = (left + centre(place), top + centre(place));
        let (x1, x2, y1, y2) = (at(left), at(left + size), at(top), at(top + size));
        let (across_at, down_at) = (at(across), at(down));
        let _ =
            write!(out, r#"<line class="chart-grid" x1="{x1}" x2="{x2}" y1="{down_at}" y2="{down_at}"/>"#);
        let _ = write!(
            out,
            r#"<line class="chart-grid" x1="{across_at}" x2="{across_at}" y1="{y1}" y2="{y2}"/>"#
        );
        push_text(&mut out, "state-label", Anchor::End, (left - 8.0, down + 4.5), name, f64::MAX);
        let _ = write!(
            out,
            r#"<text class="state-label" transform="translate({across_at} {}) rotate(-45)">{}</text>"#,
            at(top - 6.0),
            escape(name)
        );
    }
    // Rows come first, because transitions start from them.
    push_text(&mut out, "chart-label", Anchor::End, (left - 8.0, top - 6.0), "→", f64::MAX);
    let stays = (0..graph.names.len()).filter(|&state| graph.stays[state]).map(|state| (state, state));
    for (from, to) in graph.moves.iter().copied().chain(stays) {
        let (x, y) = (at(left + centre(to)), at(top + centre(from)));
        let _ = write!(out, r#"<circle class="state-dot" cx="{x}" cy="{y}" r="5">"#);
        push_title(&mut out, &format!("{} → {}", graph.names[from], graph.names[to]));
        out.push_str("</circle>");
    }
    out + "</svg>"
}
