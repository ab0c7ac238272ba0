//! A lifecycle as a graph: the direction of transitions, and the columns of states.

use std::collections::{HashMap, HashSet};

use hansang_core::kind::Lifecycle;

/// States by number, in the order of the model file.
pub(super) struct Graph<'a> {
    pub(super) names: Vec<&'a str>,
    pub(super) initial: Vec<usize>,
    /// Transitions from one state to another.
    pub(super) moves: Vec<(usize, usize)>,
    /// Whether a state has a transition to itself.
    pub(super) stays: Vec<bool>,
}

impl<'a> Graph<'a> {
    pub(super) fn new(life: &'a Lifecycle) -> Self {
        let mut numbers: HashMap<&str, usize> = HashMap::new();
        let mut names: Vec<&str> = Vec::new();
        for state in &life.states {
            numbers.entry(state).or_insert_with(|| {
                names.push(state);
                names.len() - 1
            });
        }
        let number = |name: &str| numbers.get(name).copied();
        let mut seen = HashSet::new();
        let mut stays = vec![false; names.len()];
        let mut moves = Vec::new();
        for (from, to) in &life.moves {
            let (Some(from), Some(to)) = (number(from), number(to)) else { continue };
            if from == to {
                stays[from] = true;
            } else if seen.insert((from, to)) {
                moves.push((from, to));
            }
        }
        let mut initial: Vec<usize> = life.initial.iter().filter_map(|name| number(name)).collect();
        initial.sort_unstable();
        initial.dedup();
        Self { names, initial, moves, stays }
    }

    /// Whether a state is final.
    pub(super) fn is_last(&self, state: usize) -> bool {
        !self.stays[state] && self.moves.iter().all(|(from, _)| *from != state)
    }

    /// The column of each state: the longest path to it, with backward transitions reversed. The two ends of a
    /// transition are never in the same column.
    pub(super) fn columns(&self) -> Vec<usize> {
        let order = Order::new(self).improved();
        let rank = ranks(&order);
        let mut columns = vec![0; order.len()];
        for &state in &order {
            for &(from, to) in self.moves.iter().filter(|(from, to)| *from == state || *to == state) {
                let other = if from == state { to } else { from };
                if rank[other] > rank[state] {
                    columns[other] = columns[other].max(columns[state] + 1);
                }
            }
        }
        columns
    }
}

/// The position of each state in an order.
fn ranks(order: &[usize]) -> Vec<usize> {
    let mut ranks = vec![0; order.len()];
    order.iter().enumerate().for_each(|(place, &state)| ranks[state] = place);
    ranks
}

/// An order of the states with few backward transitions. The optimum is NP-hard in general; a lifecycle is small, and
/// model files usually list states in order. So that order is improved where possible, and kept where it is as good as
/// another.
struct Order {
    /// Starts with the states of the file, each as soon as it is reachable.
    order: Vec<usize>,
    into: Vec<Vec<usize>>,
    out_of: Vec<Vec<usize>>,
    starts: Vec<bool>,
}

impl Order {
    fn new(graph: &Graph<'_>) -> Self {
        let count = graph.names.len();
        let (mut into, mut out_of) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        for &(from, to) in &graph.moves {
            out_of[from].push(to);
            into[to].push(from);
        }
        let starts: Vec<bool> = (0..count).map(|state| graph.initial.contains(&state)).collect();
        let mut order: Vec<usize> = Vec::with_capacity(count);
        let mut left: Vec<usize> = (0..count).collect();
        while !left.is_empty() {
            let come_by =
                |state: &usize| starts[*state] || into[*state].iter().any(|from| order.contains(from));
            let next = left.iter().position(come_by).unwrap_or(0);
            order.push(left.remove(next));
        }
        Self { order, into, out_of, starts }
    }

    /// Moves each state to its cheapest position, until nothing improves.
    fn improved(mut self) -> Vec<usize> {
        let count = self.order.len();
        // Every round but the last improves the order; a few are always enough.
        for _ in 0..8 {
            let before = self.order.clone();
            for state in 0..count {
                let now = self.order.iter().position(|other| *other == state).unwrap_or(0);
                let mut best = (self.cost(state), now);
                let mut place = now;
                for target in 0..count {
                    let moved = self.order.remove(place);
                    self.order.insert(target, moved);
                    place = target;
                    best = best.min((self.cost(state), target));
                }
                let moved = self.order.remove(place);
                self.order.insert(best.1, moved);
            }
            if self.order == before {
                break;
            }
        }
        self.order
    }

    /// The cost of a state's position: one for each backward transition, and a lot for a state that is not initial and
    /// that no state before it leads to, because diagrams are read from the left. Ties are decided by the number of
    /// swaps with the order of the file.
    fn cost(&self, state: usize) -> (usize, usize) {
        let rank = ranks(&self.order);
        let back_in = self.into[state].iter().filter(|from| rank[**from] > rank[state]).count();
        let back_out = self.out_of[state].iter().filter(|to| rank[**to] < rank[state]).count();
        let stranded = |state: &&usize| {
            let into = &self.into[**state];
            !into.is_empty() && !self.starts[**state] && into.iter().all(|from| rank[*from] > rank[**state])
        };
        let touched = self.out_of[state].iter().chain([&state]);
        let swapped = (0..rank.len()).filter(|&other| (other < state) != (rank[other] < rank[state]));
        // A state is not swapped with itself: both comparisons are false.
        (back_in + back_out + 1000 * touched.filter(stranded).count(), swapped.count())
    }
}

#[cfg(test)]
mod tests {
    use super::Graph;
    use crate::svg::tests::life;

    fn check(states: &str, moves: &str, expected: &str) {
        let life = life(states, moves);
        let graph = Graph::new(&life);
        let columns = graph.columns();
        let count = columns.iter().max().map_or(0, |last| last + 1);
        let column = |column| {
            let members = (0..graph.names.len()).filter(|state| columns[*state] == column);
            members.map(|state| graph.names[state]).collect::<Vec<_>>().join(" ")
        };
        assert_eq!((0..count).map(column).collect::<Vec<_>>().join(" | "), expected);
    }

    #[test]
    fn columns_are_the_longest_path() {
        check("a*", "", "a");
        check("a* b c", "a>b b>c a>c", "a | b | c");
        check("a* b c d", "a>b a>c a>d", "a | b c d");
        check(
            "draft* active* deprecated",
            "draft>active active>deprecated deprecated>active",
            "draft | active | deprecated",
        );
    }

    #[test]
    fn backward_transitions_do_not_shift_states() {
        check("a* b c", "a>b b>c c>a c>b", "a | b | c");
        check(
            "pending* working done failed again",
            "pending>working pending>failed working>done working>failed done>again failed>again \
             again>working again>done again>failed",
            "pending | working | done failed | again",
        );
        check(
            "received* queued processing failed succeeded rejected",
            "received>queued received>failed queued>processing processing>queued processing>succeeded \
             processing>rejected processing>failed failed>queued",
            "received | queued | processing | failed succeeded rejected",
        );
    }

    #[test]
    fn the_order_of_the_file_is_only_a_hint() {
        check("d c b a*", "a>b b>c c>d d>a", "a | b | c | d");
        check("z y* x", "y>x x>z z>x", "y | x | z");
    }

    #[test]
    fn odd_lifecycles() {
        check("", "", "");
        check("a b", "", "a b");
        check("a* b", "b>b a>b a>b x>a a>x", "a | b");
        check("a b", "a>b b>a", "a | b");
    }
}
