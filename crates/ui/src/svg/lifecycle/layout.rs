//! The positions of the states of a lifecycle, and the routes of its transitions.
//!
//! Columns from left to right. A transition over several columns has a bend in each column between, which takes space
//! there as a state does, so that no line crosses a state. A backward transition is routed like a forward one, with its
//! arrow at the other end.

use super::graph::Graph;
use super::place::{self, Piece};
use super::{HEIGHT, MARGIN};
use crate::svg::{TEXT, text_width};

/// The distance of the lines that end at one side of a state.
const BETWEEN_ENDS: f64 = 11.0;

/// The height of a transition from a state to itself, above the state.
const LOOP: f64 = 20.0;

/// The box of a state.
pub(super) struct Stand {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// The line of a transition. Between two columns, it goes from an even point to an odd one.
pub(super) struct Route {
    pub(super) points: Vec<(f64, f64)>,
}

/// A lifecycle with its coordinates.
pub(super) struct Layout {
    pub(super) width: f64,
    pub(super) height: f64,
    /// One for each state.
    pub(super) stands: Vec<Stand>,
    /// The lines from the dots to the initial states.
    pub(super) starts: Vec<Route>,
    /// Transitions with the numbers of their states.
    pub(super) moves: Vec<((usize, usize), Route)>,
}

/// A node of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// A state.
    State(usize),
    /// The dot before an initial state.
    Dot,
    /// A bend of a line.
    Bend,
}

/// The nodes of the columns, and the lines between.
pub(super) struct Plan {
    pub(super) nodes: Vec<What>,
    /// The nodes of each column, from top to bottom.
    pub(super) columns: Vec<Vec<usize>>,
    /// The nodes of a line, from left to right.
    chains: Vec<Chain>,
    /// The segments of all chains.
    pub(super) pieces: Vec<Piece>,
}

struct Chain {
    nodes: Vec<usize>,
    kind: Line,
}

#[derive(Clone, Copy)]
enum Line {
    Start,
    Move { from: usize, to: usize, back: bool },
}

impl Plan {
    fn new(graph: &Graph<'_>, columns: &[usize]) -> Self {
        let count = columns.iter().max().map_or(0, |last| last + 2);
        let mut plan = Self {
            nodes: Vec::new(),
            columns: vec![Vec::new(); count],
            chains: Vec::new(),
            pieces: Vec::new(),
        };
        // The dots come first, because an arrow from above reads as a beginning. They need a column before the first.
        let dots: Vec<usize> =
            graph.initial.iter().map(|&state| plan.add(What::Dot, columns[state])).collect();
        let states: Vec<usize> =
            (0..graph.names.len()).map(|state| plan.add(What::State(state), columns[state] + 1)).collect();
        for (&state, dot) in graph.initial.iter().zip(dots) {
            plan.link(columns[state], vec![dot, states[state]], Line::Start);
        }
        for &(from, to) in &graph.moves {
            let back = columns[from] > columns[to];
            let (left, right) = if back { (to, from) } else { (from, to) };
            let mut nodes = vec![states[left]];
            nodes.extend((columns[left] + 2..=columns[right]).map(|column| plan.add(What::Bend, column)));
            nodes.push(states[right]);
            plan.link(columns[left] + 1, nodes, Line::Move { from, to, back });
        }
        plan
    }

    fn add(&mut self, what: What, column: usize) -> usize {
        self.nodes.push(what);
        self.columns[column].push(self.nodes.len() - 1);
        self.nodes.len() - 1
    }

    /// A line through nodes in consecutive columns.
    fn link(&mut self, first: usize, nodes: Vec<usize>, kind: Line) {
        let chain = self.chains.len();
        self.pieces.extend(nodes.windows(2).zip(first..).map(|(pair, column)| Piece {
            left: pair[0],
            right: pair[1],
            column,
            chain,
        }));
        self.chains.push(Chain { nodes, kind });
    }

    /// The number of lines at the busier side of a node.
    fn ends(&self, node: usize) -> usize {
        let left = self.pieces.iter().filter(|piece| piece.right == node).count();
        let right = self.pieces.iter().filter(|piece| piece.left == node).count();
        left.max(right)
    }
}

impl Layout {
    pub(super) fn new(graph: &Graph<'_>, columns: &[usize]) -> Self {
        let mut plan = Plan::new(graph, columns);
        place::arrange(&mut plan);
        let heights: Vec<f64> = (0..plan.nodes.len())
            .map(|node| match plan.nodes[node] {
                What::State(_) => HEIGHT.max(plan.ends(node) as f64 * BETWEEN_ENDS + 8.0),
                What::Dot => 10.0,
                What::Bend => 0.0,
            })
            .collect();
        let above = |node: usize| match plan.nodes[node] {
            What::State(state) if graph.stays[state] => LOOP,
            _ => 0.0,
        };
        let mut ys = place::levels(&plan, &heights, above);
        let top =
            (0..ys.len()).map(|node| ys[node] - heights[node] / 2.0 - above(node)).fold(f64::MAX, f64::min);
        ys.iter_mut().for_each(|y| *y += MARGIN - top);
        let bottom = (0..ys.len()).map(|node| ys[node] + heights[node] / 2.0).fold(0.0, f64::max);
        let (sides, right) = sides(graph, &plan, &ys);
        let mut layout = Self {
            width: right + MARGIN,
            height: bottom + MARGIN,
            stands: Vec::new(),
            starts: Vec::new(),
            moves: Vec::new(),
        };
        for (node, what) in plan.nodes.iter().enumerate() {
            if let What::State(_) = what {
                let ((x, right), height) = (sides[node], heights[node]);
                layout.stands.push(Stand { x, y: ys[node] - height / 2.0, width: right - x, height });
            }
        }
        let ends = ends(&plan, &ys, &heights);
        for (index, chain) in plan.chains.iter().enumerate() {
            let points = points(&plan, index, &sides, &ends);
            match chain.kind {
                Line::Start => layout.starts.push(Route { points }),
                Line::Move { from, to, back } => {
                    let points = if back { points.into_iter().rev().collect() } else { points };
                    layout.moves.push(((from, to), Route { points }));
                }
            }
        }
        layout
    }
}

/// The left and right side of each node, and the right end of the last column. All nodes of a column are as wide as the
/// widest, so that lines pass straight.
fn sides(graph: &Graph<'_>, plan: &Plan, ys: &[f64]) -> (Vec<(f64, f64)>, f64) {
    let mut sides = vec![(0.0, 0.0); plan.nodes.len()];
    let mut left = MARGIN;
    let mut end = MARGIN;
    for column in &plan.columns {
        let width = |node: &usize| match plan.nodes[*node] {
            What::State(state) => (text_width(graph.names[state], TEXT) + 30.0).max(72.0),
            What::Dot | What::Bend => 10.0,
        };
        let wide = column.iter().map(width).fold(0.0, f64::max);
        end = left + wide;
        for &node in column {
            // A dot is close to its state.
            let start = if plan.nodes[node] == What::Dot { end - 10.0 } else { left };
            sides[node] = (start, end);
        }
        // Steep lines, and many lines in a narrow gap, are hard to follow.
        let leaving = plan.pieces.iter().filter(|piece| column.contains(&piece.left));
        let steep = leaving.clone().map(|piece| (ys[piece.left] - ys[piece.right]).abs()).fold(0.0, f64::max);
        let only_dots = column.iter().all(|&node| plan.nodes[node] == What::Dot);
        left = end
            + match only_dots {
                true => 26.0 + (steep * 0.3).min(40.0),
                false => 46.0 + (steep * 0.35).min(54.0) + (leaving.count() as f64 * 2.0).min(20.0),
            };
    }
    (sides, end)
}

/// The heights at which each segment leaves its left node and reaches its right one. The ends at one side of a state
/// are in the order of the other ends, so that lines do not cross there.
fn ends(plan: &Plan, ys: &[f64], heights: &[f64]) -> Vec<(f64, f64)> {
    let mut ends: Vec<(f64, f64)> =
        plan.pieces.iter().map(|piece| (ys[piece.left], ys[piece.right])).collect();
    let spread =
        |pieces: &[usize], place: usize| (place as f64 + 0.5 - pieces.len() as f64 / 2.0) * BETWEEN_ENDS;
    for node in 0..plan.nodes.len() {
        let mut leaving: Vec<usize> =
            (0..plan.pieces.len()).filter(|&piece| plan.pieces[piece].left == node).collect();
        leaving.sort_by(|&a, &b| ys[plan.pieces[a].right].total_cmp(&ys[plan.pieces[b].right]));
        for (place, &piece) in leaving.iter().enumerate() {
            ends[piece].0 += spread(&leaving, place);
        }
    }
    for (node, &height) in heights.iter().enumerate() {
        let mut reaching: Vec<usize> =
            (0..plan.pieces.len()).filter(|&piece| plan.pieces[piece].right == node).collect();
        reaching.sort_by(|&a, &b| ys[plan.pieces[a].left].total_cmp(&ys[plan.pieces[b].left]));
        for (place, &piece) in reaching.iter().enumerate() {
            ends[piece].1 += spread(&reaching, place);
        }
        // Almost horizontal lines look crooked, so all ends at the side are moved together.
        let almost: Vec<f64> = reaching
            .iter()
            .map(|&piece| ends[piece].0 - ends[piece].1)
            .filter(|rise| rise.abs() < 1.5 * BETWEEN_ENDS)
            .collect();
        let room = (height / 2.0 - 7.0 - spread(&reaching, 0).abs()).max(0.0);
        if let (What::State(_), false) = (plan.nodes[node], almost.is_empty()) {
            let shift = (almost.iter().sum::<f64>() / almost.len() as f64).clamp(-room, room);
            reaching.iter().for_each(|&piece| ends[piece].1 += shift);
        }
    }
    ends
}

/// The points of a chain, from left to right.
fn points(plan: &Plan, chain: usize, sides: &[(f64, f64)], ends: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut points = Vec::with_capacity(2 * plan.chains[chain].nodes.len());
    for (piece, &(leaves, reaches)) in plan.pieces.iter().zip(ends) {
        if piece.chain == chain {
            let start = match plan.nodes[piece.left] {
                What::Dot => f64::midpoint(sides[piece.left].0, sides[piece.left].1),
                What::State(_) | What::Bend => sides[piece.left].1,
            };
            points.push((start, leaves));
            points.push((sides[piece.right].0, reaches));
        }
    }
    points
}
