//! Readability of diagrams: no overlaps, and every transition ends at its state.

use hansang_core::compile::compile;
use hansang_core::kind::{Kind, Lifecycle};

use super::graph::Graph;
use super::layout::{Layout, Route, Stand};
use super::{MAX_LINES, arrow_id, lifecycle};
use crate::svg::tests::{Dice, life, well_formed};
use crate::svg::{TEXT, text_width};

fn check(life: &Lifecycle) {
    let graph = Graph::new(life);
    let layout = Layout::new(&graph, &graph.columns());
    for (state, stand) in layout.stands.iter().enumerate() {
        let name = graph.names[state];
        assert!(stand.width >= text_width(name, TEXT) + 20.0, "{name} does not fit into its box");
        assert!(stand.x >= 0.0 && stand.x + stand.width <= layout.width, "{name} is cut off");
        assert!(stand.y >= 0.0 && stand.y + stand.height <= layout.height, "{name} is cut off");
        for (other, beside) in layout.stands.iter().enumerate().skip(state + 1) {
            assert!(!overlap(stand, beside, 8.0), "{name} and {} overlap: {life:?}", graph.names[other]);
        }
    }
    for ((from, to), route) in &layout.moves {
        let (first, last) = (route.points[0], route.points[route.points.len() - 1]);
        assert!(touches(&layout.stands[*from], first) && touches(&layout.stands[*to], last), "{life:?}");
        let others = (0..layout.stands.len()).filter(|state| state != from && state != to);
        for state in others {
            let stand = &layout.stands[state];
            assert!(!passes(route, stand), "a move runs through {}: {life:?}", graph.names[state]);
        }
    }
    assert_eq!((layout.moves.len(), layout.starts.len()), (graph.moves.len(), graph.initial.len()));
}

fn overlap(a: &Stand, b: &Stand, air: f64) -> bool {
    a.x < b.x + b.width + air
        && b.x < a.x + a.width + air
        && a.y < b.y + b.height + air
        && b.y < a.y + a.height + air
}

fn touches(stand: &Stand, (x, y): (f64, f64)) -> bool {
    let at_a_side = (x - stand.x).abs() < 0.01 || (x - stand.x - stand.width).abs() < 0.01;
    at_a_side && y > stand.y && y < stand.y + stand.height
}

/// Follows the curves as `push_route` draws them.
fn passes(route: &Route, stand: &Stand) -> bool {
    route.points.windows(2).any(|pair| {
        let ((x1, y1), (x2, y2)) = (pair[0], pair[1]);
        (0..=50).map(|step| f64::from(step) / 50.0).any(|t| {
            let back = 1.0 - t;
            let middle = f64::midpoint(x1, x2);
            let x = x1 * back.powi(3) + 3.0 * middle * t * back + x2 * t.powi(3);
            let y = y1 * (back.powi(3) + 3.0 * t * back * back) + y2 * (t.powi(3) + 3.0 * t * t * back);
            x > stand.x && x < stand.x + stand.width && y > stand.y && y < stand.y + stand.height
        })
    })
}

#[test]
fn the_lifecycles_of_the_models_can_be_read() {
    let models = [
        include_str!("../../../../../models/access.yaml"),
        include_str!("../../../../../models/content.yaml"),
        include_str!("../../../../../models/contracts.yaml"),
        include_str!("../../../../../models/documents.yaml"),
        include_str!("../../../../../models/entry.yaml"),
        include_str!("../../../../../models/ledger.yaml"),
    ];
    let mut count = 0;
    for model in models {
        let model = compile(model.as_bytes()).unwrap();
        for attribute in model.entities.iter().flat_map(|entity| &entity.attributes) {
            if let Kind::Lifecycle(life) = &attribute.kind {
                check(life);
                well_formed(&lifecycle(life, "a", "b"));
                count += 1;
            }
        }
    }
    assert!(count >= 6, "there are only {count} lifecycles");
}

#[test]
fn any_lifecycle_can_be_read() {
    let mut dice = Dice(3);
    for _ in 0..150 {
        let count = dice.below(9) as u64 + 1;
        let states: Vec<String> = (0..count).map(|state| format!("상태_{state}")).collect();
        let mut some = || states[dice.below(count)].clone();
        let starts = some();
        let moves: Vec<String> = (0..count * 2).map(|_| format!("{}>{}", some(), some())).collect();
        let states: Vec<String> = states
            .iter()
            .map(|state| format!("{state}{}", if *state == starts { "*" } else { "" }))
            .collect();
        check(&life(&states.join(" "), &moves.join(" ")));
    }
}

#[test]
fn marks_of_first_and_last_states() {
    let drawn = lifecycle(&life("a* b c", "a>b b>b a>c"), "p", "From a to c");
    well_formed(&drawn);
    assert_eq!(drawn.matches(r#"class="state state-initial""#).count(), 1);
    // A state with only a transition to itself is not final.
    assert_eq!(drawn.matches("state-final").count(), 1);
    assert_eq!(drawn.matches("state-dot").count(), 1);
    assert_eq!(drawn.matches("<title>b → b</title>").count(), 1);
    assert!(drawn.contains(r#"aria-label="From a to c""#) && drawn.contains("chart-wide"), "{drawn}");
}

#[test]
fn ids_are_unique_and_valid() {
    assert_eq!(arrow_id("order"), "order-arrow");
    assert_eq!(arrow_id("a)\" b"), "a___b-arrow");
    let drawn = lifecycle(&life("a* b", "a>b"), "x1", "");
    assert_eq!(drawn.matches("url(#x1-arrow)").count(), 2);
}

#[test]
fn many_transitions_are_a_table() {
    let states: Vec<String> = (0..100).map(|state| format!("s{state}")).collect();
    let moves: Vec<String> =
        states.iter().flat_map(|from| states.iter().map(move |to| format!("{from}>{to}"))).collect();
    let drawn = lifecycle(&life(&states.join(" "), &moves.join(" ")), "p", "All");
    well_formed(&drawn);
    assert_eq!(drawn.matches("<circle").count(), 100 * 100);
    // A chain of a hundred is drawn; with a transition from each to the last it is a table.
    let chain: Vec<String> = states.windows(2).map(|pair| format!("{}>{}", pair[0], pair[1])).collect();
    assert!(chain.len() < MAX_LINES);
    assert!(lifecycle(&life(&states.join(" "), &chain.join(" ")), "p", "").contains("<marker"));
    let tangle = states.iter().map(|state| format!("{state}>s99")).chain(chain).collect::<Vec<_>>().join(" ");
    assert!(!lifecycle(&life(&states.join(" "), &tangle), "p", "").contains("<marker"));
}
