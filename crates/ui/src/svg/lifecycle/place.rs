//! The order of the nodes in a column, and their heights.

use super::layout::{Plan, What};

/// A segment of a line, between neighbouring columns.
pub(super) struct Piece {
    pub(super) left: usize,
    pub(super) right: usize,
    /// The column of the left end.
    pub(super) column: usize,
    /// The line that it belongs to.
    pub(super) chain: usize,
}

/// Sorts the columns to reduce crossings: repeatedly moves each node to the mean position of its neighbours in the next
/// column, and swaps adjacent nodes where that helps. Keeps the best order.
pub(super) fn arrange(plan: &mut Plan) {
    let mut best = (all_crossings(plan), plan.columns.clone());
    for round in 0..12 {
        let mut columns: Vec<usize> = (0..plan.columns.len()).collect();
        // From left to right by the left neighbours, then back by the right ones.
        if round % 2 == 1 {
            columns.reverse();
        }
        for column in columns {
            sort_by_mean(plan, column, round % 2 == 1);
        }
        swap_neighbours(plan);
        let now = all_crossings(plan);
        if now < best.0 {
            best = (now, plan.columns.clone());
        }
        if best.0 == 0 {
            break;
        }
    }
    plan.columns = best.1;
}

/// The position of each node in its column.
fn places(plan: &Plan) -> Vec<usize> {
    let mut places = vec![0; plan.nodes.len()];
    for column in &plan.columns {
        column.iter().enumerate().for_each(|(place, &node)| places[node] = place);
    }
    places
}

fn sort_by_mean(plan: &mut Plan, column: usize, by_right: bool) {
    let places = places(plan);
    let mean = |node: usize| {
        let others = plan.pieces.iter().filter_map(|piece| match by_right {
            true => (piece.left == node).then_some(places[piece.right]),
            false => (piece.right == node).then_some(places[piece.left]),
        });
        let (sum, count) = others.fold((0, 0), |(sum, count), place| (sum + place, count + 1));
        // A node without neighbours on that side keeps its position.
        if count == 0 { places[node] as f64 } else { sum as f64 / f64::from(count) }
    };
    let mut sorted: Vec<(f64, usize)> = plan.columns[column].iter().map(|&node| (mean(node), node)).collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    plan.columns[column] = sorted.into_iter().map(|(_, node)| node).collect();
}

fn swap_neighbours(plan: &mut Plan) {
    for column in 0..plan.columns.len() {
        // A swap affects only the lines on both sides of its column.
        let near = |plan: &Plan| {
            crossings(plan, column) + column.checked_sub(1).map_or(0, |left| crossings(plan, left))
        };
        let mut now = near(plan);
        for place in 1..plan.columns[column].len() {
            plan.columns[column].swap(place - 1, place);
            let then = near(plan);
            if then < now {
                now = then;
            } else {
                plan.columns[column].swap(place - 1, place);
            }
        }
    }
}

fn all_crossings(plan: &Plan) -> usize {
    (0..plan.columns.len()).map(|column| crossings(plan, column)).sum()
}

/// The number of crossings between a column and the next.
fn crossings(plan: &Plan, column: usize) -> usize {
    let places = places(plan);
    let lines: Vec<(usize, usize)> = plan
        .pieces
        .iter()
        .filter(|piece| piece.column == column)
        .map(|piece| (places[piece.left], places[piece.right]))
        .collect();
    let cross = |a: (usize, usize), b: (usize, usize)| (a.0 < b.0 && a.1 > b.1) || (a.0 > b.0 && a.1 < b.1);
    let after = |index: usize, a| lines[index + 1..].iter().filter(|&&b| cross(a, b)).count();
    lines.iter().enumerate().map(|(index, &a)| after(index, a)).sum()
}

/// The height of each node's centre: as near as possible to its neighbours, without overlaps. Segments between states
/// have the highest weight, because the most common path should be straight, then the bends of one line.
pub(super) fn levels(plan: &Plan, heights: &[f64], above: impl Fn(usize) -> f64) -> Vec<f64> {
    let apart = |upper: usize, lower: usize| {
        let air = match (plan.nodes[upper], plan.nodes[lower]) {
            (What::State(_), What::State(_)) => 26.0,
            (What::Bend, What::Bend) => 14.0,
            _ => 20.0,
        };
        (heights[upper] + heights[lower]) / 2.0 + above(lower) + air
    };
    let mut ys = vec![0.0; plan.nodes.len()];
    for round in 0..60 {
        let mut columns: Vec<&Vec<usize>> = plan.columns.iter().collect();
        if round % 2 == 1 {
            columns.reverse();
        }
        for column in columns {
            let wanted: Vec<(f64, f64)> = column.iter().map(|&node| wanted(plan, node, &ys)).collect();
            let mut offset = 0.0;
            let offsets: Vec<f64> = (0..column.len())
                .map(|place| {
                    offset += if place == 0 { 0.0 } else { apart(column[place - 1], column[place]) };
                    offset
                })
                .collect();
            let targets = wanted.iter().zip(&offsets).map(|((y, weight), offset)| (y - offset, *weight));
            for ((node, offset), level) in column.iter().zip(&offsets).zip(rising(targets)) {
                ys[*node] = level + offset;
            }
        }
    }
    ys
}

/// The preferred height of a node, and its weight.
fn wanted(plan: &Plan, node: usize, ys: &[f64]) -> (f64, f64) {
    let (mut sum, mut total) = (0.0, 0.0);
    for piece in plan.pieces.iter().filter(|piece| piece.left == node || piece.right == node) {
        let other = if piece.left == node { piece.right } else { piece.left };
        let bends = [node, other].iter().filter(|end| !matches!(plan.nodes[**end], What::State(_))).count();
        let weight = [40.0, 1.0, 6.0][bends];
        sum += weight * ys[other];
        total += weight;
    }
    if total > 0.0 { (sum / total, total) } else { (ys[node], 1.0) }
}

/// The non-decreasing numbers nearest to the targets: decreasing targets are pooled at their mean (isotonic
/// regression).
fn rising(targets: impl Iterator<Item = (f64, f64)>) -> Vec<f64> {
    let mut pools: Vec<(f64, f64, usize)> = Vec::new();
    for (target, weight) in targets {
        let mut pool = (target, weight, 1);
        while let Some(&(level, heavy, size)) = pools.last()
            && level > pool.0
        {
            pools.pop();
            let sum = heavy + pool.1;
            pool = ((level * heavy + pool.0 * pool.1) / sum, sum, size + pool.2);
        }
        pools.push(pool);
    }
    pools.into_iter().flat_map(|(level, _, size)| std::iter::repeat_n(level, size)).collect()
}
