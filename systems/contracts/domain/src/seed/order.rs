//! The order of registration: references first.

use std::collections::{BTreeSet, HashMap};

use crate::yaml::FileContract;
use crate::{Kind, references};

/// Contracts that wait for their references, by position in a list.
pub(super) struct Waiting {
    /// The contracts that are not registered yet.
    open: BTreeSet<usize>,
    /// The contracts that each one still waits for.
    needs: Vec<BTreeSet<usize>>,
    needed_by: Vec<Vec<usize>>,
    ready: BTreeSet<usize>,
}

impl Waiting {
    pub(super) fn new(contracts: &[&FileContract]) -> Self {
        let mut versions: HashMap<(&Kind, &str), Vec<usize>> = HashMap::new();
        for (position, contract) in contracts.iter().enumerate() {
            let reference = &contract.reference;
            versions.entry((&reference.kind, &reference.id)).or_default().push(position);
        }
        let mut needs = vec![BTreeSet::new(); contracts.len()];
        let mut needed_by = vec![Vec::new(); contracts.len()];
        for (position, contract) in contracts.iter().enumerate() {
            // Invalid references are reported on registration.
            let named = references::references(&contract.reference.kind, &contract.spec).unwrap_or_default();
            for one in &named {
                let candidates = versions.get(&(&one.kind, &*one.id)).into_iter().flatten();
                for &other in
                    candidates.filter(|&&other| one.wanted.allows(&contracts[other].reference.version))
                {
                    if needs[position].insert(other) {
                        needed_by[other].push(position);
                    }
                }
            }
        }
        let ready = (0..needs.len()).filter(|&position| needs[position].is_empty()).collect();
        Self { open: (0..needs.len()).collect(), needs, needed_by, ready }
    }

    pub(super) fn is_done(&self) -> bool {
        self.open.is_empty()
    }

    /// The first contract that waits for nothing.
    pub(super) fn ready(&self) -> Option<usize> {
        self.ready.first().copied()
    }

    /// The contracts that are not registered yet.
    pub(super) fn open(&self) -> impl Iterator<Item = usize> {
        self.open.iter().copied()
    }

    /// Marks a contract as done, whatever its outcome.
    pub(super) fn complete(&mut self, position: usize) {
        self.open.remove(&position);
        self.ready.remove(&position);
        for &other in &self.needed_by[position] {
            self.needs[other].remove(&position);
            if self.needs[other].is_empty() && self.open.contains(&other) {
                self.ready.insert(other);
            }
        }
    }

    /// The contracts in cycles, without those that only wait for them. For when nothing is ready.
    pub(super) fn cycle(&self) -> BTreeSet<usize> {
        let mut cycle = self.open.clone();
        loop {
            let named =
                |position: &usize| self.needed_by[*position].iter().any(|other| cycle.contains(other));
            let left: BTreeSet<usize> = cycle.iter().copied().filter(named).collect();
            if left.len() == cycle.len() {
                return cycle;
            }
            cycle = left;
        }
    }
}

#[cfg(test)]
mod tests {
    use hansang_core::value::json::item_from_plain;
    use serde_json::json;

    use super::*;
    use crate::Status;

    /// Contracts of an unknown kind: a name, and its references.
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
            history: Vec::new(),
        };
        let contracts: Vec<FileContract> = contracts.iter().map(contract).collect();
        Waiting::new(&contracts.iter().collect::<Vec<_>>())
    }

    fn order(mut waiting: Waiting) -> (Vec<usize>, BTreeSet<usize>) {
        let mut order = Vec::new();
        while let Some(next) = waiting.ready() {
            order.push(next);
            waiting.complete(next);
        }
        (order, waiting.cycle())
    }

    #[test]
    fn references_come_first() {
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
    fn a_cycle_excludes_contracts_that_only_wait_for_it() {
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
