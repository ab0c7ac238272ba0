//! Diagrams of lifecycles: states and transitions.

use std::fmt::Write as _;

use hansang_core::kind::Lifecycle;

use self::graph::Graph;
use self::layout::{Layout, Route, Stand};
use super::{at, escape, push_title};

mod graph;
mod layout;
mod place;
mod table;
#[cfg(test)]
mod tests;

/// The minimum height of a state.
const HEIGHT: f64 = 38.0;

/// The padding of the drawing.
const MARGIN: f64 = 6.0;

/// The number of lines above which a table of the transitions is easier to read.
const MAX_LINES: usize = 150;

/// A lifecycle from left to right. `prefix` keeps the ids of several drawings on a page unique, and `label` is the text
/// alternative.
///
/// The drawing has a fixed width, so that its text stays readable: its container should scroll.
pub fn lifecycle(life: &Lifecycle, prefix: &str, label: &str) -> String {
    let graph = Graph::new(life);
    if graph.moves.len() > MAX_LINES {
        return table::draw(&graph, label);
    }
    let columns = graph.columns();
    let crossed = graph.moves.iter().map(|&(from, to)| columns[from].abs_diff(columns[to]));
    match crossed.sum::<usize>() > MAX_LINES {
        true => table::draw(&graph, label),
        false => draw(&graph, &columns, prefix, label),
    }
}

fn draw(graph: &Graph<'_>, columns: &[usize], prefix: &str, label: &str) -> String {
    let layout = Layout::new(graph, columns);
    let mut out = open(layout.width, layout.height, label);
    let arrow = arrow_id(prefix);
    let _ = write!(
        out,
        r#"<defs><marker id="{arrow}" class="move-head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0.5L8 4L0 7.5Z"/></marker></defs>"#
    );
    for route in &layout.starts {
        push_start(&mut out, route, &arrow);
    }
    for ((from, to), route) in &layout.moves {
        push_route(&mut out, route, &arrow);
        push_title(&mut out, &format!("{} → {}", graph.names[*from], graph.names[*to]));
        out.push_str("</path>");
    }
    for (state, stand) in layout.stands.iter().enumerate() {
        push_state(&mut out, graph, state, stand, &arrow);
    }
    out + "</svg>"
}

/// The element around a drawing of fixed size.
fn open(width: f64, height: f64, label: &str) -> String {
    let (width, height) = (at(width.max(1.0)), at(height.max(1.0)));
    format!(
        r#"<svg class="chart chart-wide" width="{width}" height="{height}" viewBox="0 0 {width} {height}" preserveAspectRatio="xMinYMid meet" role="img" aria-label="{}">"#,
        escape(label),
    )
}

/// An id that is valid in `url(#…)` for any prefix.
fn arrow_id(prefix: &str) -> String {
    let safe = |letter: char| if letter.is_ascii_alphanumeric() || letter == '-' { letter } else { '_' };
    format!("{}-arrow", prefix.chars().map(safe).collect::<String>())
}

/// A path through the points of a route, open for its tooltip. Every second segment is a curve between two columns; the
/// others pass straight through a column.
fn push_route(out: &mut String, route: &Route, arrow: &str) {
    let mut path = String::new();
    for (index, &(x, y)) in route.points.iter().enumerate() {
        let Some(&(before, level)) = index.checked_sub(1).and_then(|last| route.points.get(last)) else {
            let _ = write!(path, "M{} {}", at(x), at(y));
            continue;
        };
        if index.is_multiple_of(2) || (y - level).abs() < 0.5 {
            let _ = write!(path, "L{} {}", at(x), at(y));
        } else {
            let middle = at(f64::midpoint(before, x));
            let _ = write!(path, "C{middle} {} {middle} {} {} {}", at(level), at(y), at(x), at(y));
        }
    }
    let _ = write!(out, r#"<path class="move" d="{path}" marker-end="url(#{arrow})">"#);
}

/// The dot of an initial state, and the arrow from it.
fn push_start(out: &mut String, route: &Route, arrow: &str) {
    if let Some(&(x, y)) = route.points.first() {
        let _ = write!(out, r#"<circle class="state-dot" cx="{}" cy="{}" r="5"/>"#, at(x), at(y));
    }
    push_route(out, route, arrow);
    out.push_str("</path>");
}

fn push_state(out: &mut String, graph: &Graph<'_>, state: usize, stand: &Stand, arrow: &str) {
    let (initial, last) = (graph.initial.contains(&state), graph.is_last(state));
    let class = match (initial, last) {
        (true, true) => "state state-initial state-final",
        (true, false) => "state state-initial",
        (false, true) => "state state-final",
        (false, false) => "state",
    };
    let _ = write!(out, r#"<g class="{class}">"#);
    push_box(out, stand, 0.0);
    if last {
        push_box(out, stand, 3.5);
    }
    let (x, y) = (stand.x + stand.width / 2.0, stand.y + stand.height / 2.0);
    let name = escape(graph.names[state]);
    let _ = write!(
        out,
        r#"<text class="state-label" x="{}" y="{}" text-anchor="middle">{name}</text></g>"#,
        at(x),
        at(y + 4.5)
    );
    if graph.stays[state] {
        let (left, right) = (at(x - 11.0), at(x + 11.0));
        let (far_left, far_right) = (at(x - 15.0), at(x + 15.0));
        let (top, peak) = (at(stand.y), at(stand.y - 26.0));
        let _ = write!(
            out,
            r#"<path class="move" d="M{right} {top}C{far_right} {peak} {far_left} {peak} {left} {top}" marker-end="url(#{arrow})">"#
        );
        push_title(out, &format!("{0} → {0}", graph.names[state]));
        out.push_str("</path>");
    }
}

fn push_box(out: &mut String, stand: &Stand, inset: f64) {
    let _ = write!(
        out,
        r#"<rect x="{}" y="{}" width="{}" height="{}" rx="{}"/>"#,
        at(stand.x + inset),
        at(stand.y + inset),
        at(stand.width - 2.0 * inset),
        at(stand.height - 2.0 * inset),
        at(10.0 - inset),
    );
}
