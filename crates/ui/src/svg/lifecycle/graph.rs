//! A lifecycle as a graph: which moves go on and which go back, and in which column a state stands.

use std::collections::{HashMap, HashSet};

use hansang_core::kind::Lifecycle;

/// States by number, in the order of the model file.
pub(super) struct Graph<'a> {
    pub(super) names: Vec<&'a str>,
    pub(super) initial: Vec<usize>,
    /// From one state to another.
    pub(super) moves: Vec<(usize, usize)>,
    /// Whether a state can be moved to from itself.
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

    /// Whether nothing leaves a state.
    pub(super) fn is_last(&self, state: usize) -> bool {
        !self.stays[state] && self.moves.iter().all(|(from, _)| *from != state)
    }

    /// The column of each state: the longest way to it, if every move that goes back went on instead.
    /// The two ends of a move are never in the same column.
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

/// The place of each state in an order.
fn ranks(order: &[usize]) -> Vec<usize> {
    let mut ranks = vec![0; order.len()];
    order.iter().enumerate().for_each(|(place, &state)| ranks[state] = place);
    ranks
}

/// An order of the states in which few moves go back. Finding the best one is hard in general; a
/// lifecycle is small, and whoever wrote it has most likely listed the states as one comes by them. So
/// that order is improved where it can be, and kept where it is as good as another.
struct Order {
    /// First the states of the file, each as soon as one can have come by it.
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

    /// Takes one state after the other to where it costs least, until nothing gets better.
    fn improved(mut self) -> Vec<usize> {
        let count = self.order.len();
        // Every round but the last makes it better, and a few are always enough to be good.
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

    /// What the place of a state costs: one for each move that goes back, and a lot for a state that
    /// items cannot start in and that nothing before it leads to, because one reads from the left.
    /// After that, how many states it has changed places with.
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
    fn columns_are_the_longest_way() {
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
    fn moves_back_do_not_push_states_on() {
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
