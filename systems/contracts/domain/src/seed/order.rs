//! The order in which contracts can be registered.

use std::collections::{BTreeSet, HashMap};

use crate::yaml::FileContract;
use crate::{Kind, references};

/// Contracts that wait for the ones they name, by their places in a list.
pub(super) struct Waiting {
    /// The ones that are not dealt with yet.
    open: BTreeSet<usize>,
    /// Of each the ones it still waits for.
    needs: Vec<BTreeSet<usize>>,
    needed_by: Vec<Vec<usize>>,
    ready: BTreeSet<usize>,
}

impl Waiting {
    pub(super) fn new(contracts: &[&FileContract]) -> Self {
        let mut versions: HashMap<(&Kind, &str), Vec<usize>> = HashMap::new();
        for (place, contract) in contracts.iter().enumerate() {
            let reference = &contract.reference;
            versions.entry((&reference.kind, &reference.id)).or_default().push(place);
        }
        let mut needs = vec![BTreeSet::new(); contracts.len()];
        let mut needed_by = vec![Vec::new(); contracts.len()];
        for (place, contract) in contracts.iter().enumerate() {
            // What is named wrongly is told when it is registered.
            let named = references::references(&contract.reference.kind, &contract.spec).unwrap_or_default();
            for one in &named {
                let candidates = versions.get(&(&one.kind, &*one.id)).into_iter().flatten();
                for &other in
                    candidates.filter(|&&other| one.wanted.allows(&contracts[other].reference.version))
                {
                    if needs[place].insert(other) {
                        needed_by[other].push(place);
                    }
                }
            }
        }
        let ready = (0..needs.len()).filter(|&place| needs[place].is_empty()).collect();
        Self { open: (0..needs.len()).collect(), needs, needed_by, ready }
    }

    pub(super) fn is_done(&self) -> bool {
        self.open.is_empty()
    }

    /// The first that waits for nothing.
    pub(super) fn ready(&self) -> Option<usize> {
        self.ready.first().copied()
    }

    /// The ones that are not dealt with yet.
    pub(super) fn open(&self) -> impl Iterator<Item = usize> {
        self.open.iter().copied()
    }

    /// Nobody waits for this one any more, whatever became of it.
    pub(super) fn settle(&mut self, place: usize) {
        self.open.remove(&place);
        self.ready.remove(&place);
        for &other in &self.needed_by[place] {
            self.needs[other].remove(&place);
            if self.needs[other].is_empty() && self.open.contains(&other) {
                self.ready.insert(other);
            }
        }
    }

    /// When nothing is ready: the ones in circles, without those that only wait for them.
    pub(super) fn circle(&self) -> BTreeSet<usize> {
        let mut circle = self.open.clone();
        loop {
            let named = |place: &usize| self.needed_by[*place].iter().any(|other| circle.contains(other));
            let left: BTreeSet<usize> = circle.iter().copied().filter(named).collect();
            if left.len() == circle.len() {
                return circle;
            }
            circle = left;
        }
    }
}

#[cfg(test)]
mod tests {
    use hansang_core::value::json::item_from_plain;
    use serde_json::json;

    use super::*;
    use crate::Status;

    /// Contracts of a made-up kind: a name, and the names it needs.
    fn waiting(contracts: &[(&str, &[&str])]) -> Waiting {
        let contract = |(name, named): &(&str, &[&str])| FileContract {
            reference: format!("THING:{name}").parse().unwrap(),
            status: Status::Active,
            spec: item_from_plain(&json!({
                "contractRefs": named.iter().map(|name| format!("THING:{name}")).collect::<Vec<_>>(),
            }))
            .unwrap(),
            checksum: None,
            created_at: None,
            created_by: None,
            status_changed: None,
        };
        let contracts: Vec<FileContract> = contracts.iter().map(contract).collect();
        Waiting::new(&contracts.iter().collect::<Vec<_>>())
    }

    fn order(mut waiting: Waiting) -> (Vec<usize>, BTreeSet<usize>) {
        let mut order = Vec::new();
        while let Some(next) = waiting.ready() {
            order.push(next);
            waiting.settle(next);
        }
        (order, waiting.circle())
    }

    #[test]
    fn what_is_named_comes_first() {
        let contracts: [(&str, &[&str]); 5] = [
            ("d:1.0.0", &["c:1.0.0", "a:^1"]),
            ("c:1.0.0", &["a:1.0.0", "elsewhere:1.0.0"]),
            ("a:1.1.0", &["b:1.0.0"]),
            ("b:1.0.0", &[]),
            ("a:1.0.0", &[]),
        ];
        assert_eq!(order(waiting(&contracts)), (vec![3, 2, 4, 1, 0], BTreeSet::new()));
    }

    #[test]
    fn a_circle_is_told_from_what_only_waits_for_it() {
        let contracts: [(&str, &[&str]); 5] = [
            ("waits:1.0.0", &["a:1.0.0"]),
            ("a:1.0.0", &["b:1.0.0"]),
            ("b:1.0.0", &["a:1.0.0"]),
            ("free:1.0.0", &[]),
            ("self:1.0.0", &["self:1.0.0"]),
        ];
        assert_eq!(order(waiting(&contracts)), (vec![3], BTreeSet::from([1, 2, 4])));
    }
}
