//! What readers saw while others changed the ledger, compared with the states that the history goes through.

use std::collections::BTreeMap;

use hansang_core::Item;
use hansang_core::value::json::item_to_plain;
use hansang_ledger::{
    Balances, Budget, BudgetView, Day, Kind, Ledger, Line, Month, MonthView, PastChange, Subject, TAKEN_OUT,
    budgets_of_month, calendar, month, opening, people_of_period, period,
};

use crate::checker::{Lines, compare, replay};

/// Something that a reader saw between two changes, both of which may count.
#[derive(Debug)]
pub(crate) struct Sight {
    first: i64,
    last: i64,
    what: What,
}

#[derive(Debug)]
enum What {
    Month(MonthView),
    Days(Month, BTreeMap<String, Day>),
    People(Month, Month, BTreeMap<String, Day>),
    Budgets(Month, Vec<BudgetView>),
}

/// Looks at one of the reports. Nothing is seen while the store fails.
pub(crate) async fn look(ledger: &Ledger, months: &[&str], chance: &mut fastrand::Rng) -> Vec<Sight> {
    let one = |chance: &mut fastrand::Rng| months[chance.usize(0..months.len())].parse::<Month>().unwrap();
    let at = one(chance);
    let views = match chance.usize(0..6) {
        0 | 1 => match month(ledger, at).await {
            Ok(view) => vec![view],
            Err(_) => Vec::new(),
        },
        2 => {
            let to = at.plus(chance.i32(0..4));
            let views = period(ledger, at, to).await.unwrap_or_default();
            assert!(views.windows(2).all(|two| two[0].seq == two[1].seq), "a period of two states");
            views
        }
        what => return report(ledger, what, at, chance).await.into_iter().collect(),
    };
    let _ = opening(ledger).await;
    let sight = |view: MonthView| Sight { first: view.seq, last: view.seq, what: What::Month(view) };
    views.into_iter().map(sight).collect()
}

/// A report that does not say which state it shows: one between the changes before and after it.
async fn report(ledger: &Ledger, what: usize, at: Month, chance: &mut fastrand::Rng) -> Option<Sight> {
    let first = month(ledger, at).await.ok()?.seq;
    let what = match what {
        3 => What::Days(at, calendar(ledger, at).await.ok()?),
        4 => {
            let to = at.plus(chance.i32(0..4));
            What::People(at, to, people_of_period(ledger, at, to).await.ok()?)
        }
        _ => What::Budgets(at, budgets_of_month(ledger, at).await.ok()?),
    };
    let last = month(ledger, at).await.ok()?.seq;
    Some(Sight { first, last, what })
}

/// A state of the ledger, as the history has it.
#[derive(Default)]
pub(crate) struct State {
    pub(crate) amounts: Lines,
    lines: BTreeMap<(Month, Subject, String), Line>,
    budgets: BTreeMap<(String, String, String), Budget>,
    opening: Balances,
}

impl State {
    /// The state after a change.
    pub(crate) fn follow(&mut self, change: &PastChange) {
        replay(&mut self.amounts, change);
        let key = |line: &Line| (line.month, line.subject.clone(), line.line_id.clone());
        for (before, after) in &change.lines {
            if let Some(before) = before {
                self.lines.remove(&key(before));
            }
            if let Some(after) = after {
                self.lines.insert(key(after), after.clone());
            }
        }
        for item in &change.others {
            let read = |fields: &Item| item_to_plain(fields);
            match &*item.entity {
                "Opening" => {
                    let after = item.after.as_ref().map(read);
                    self.opening =
                        after.map(|json| serde_json::from_value(json).unwrap()).unwrap_or_default();
                }
                "Budget" => {
                    let budget = |fields: &Item| serde_json::from_value::<Budget>(read(fields)).unwrap();
                    let key = |one: &Budget| {
                        (one.kind.name().to_owned(), one.category.clone(), one.month.to_string())
                    };
                    if let Some(before) = &item.before {
                        self.budgets.remove(&key(&budget(before)));
                    }
                    if let Some(after) = &item.after {
                        self.budgets.insert(key(&budget(after)), budget(after));
                    }
                }
                _ => {}
            }
        }
    }

    /// The problems of a sight, if it is of this state.
    fn compare(&self, what: &What) -> Vec<String> {
        let wrong = |is_right: bool| if is_right { Vec::new() } else { vec![format!("{what:?} never was")] };
        match what {
            What::Month(view) => compare(view, &self.amounts, &self.opening),
            What::Days(at, seen) => {
                let mut days: BTreeMap<String, Day> = BTreeMap::new();
                for line in self.lines.values().filter(|line| line.month == *at) {
                    add(days.entry(line.date.clone()).or_default(), line);
                }
                wrong(days == *seen)
            }
            What::People(from, to, seen) => {
                let mut people: BTreeMap<String, Day> = BTreeMap::new();
                for line in self.lines.values().filter(|line| (*from..=*to).contains(&line.month)) {
                    let person =
                        if line.subject.kind == Kind::Income { &line.subject.name } else { &line.by };
                    add(people.entry(person.clone()).or_default(), line);
                }
                let used = |people: &BTreeMap<String, Day>| {
                    let mut people = people.clone();
                    people.retain(|_, day| *day != Day::default());
                    people
                };
                wrong(used(&people) == used(seen))
            }
            What::Budgets(at, seen) => {
                let right = self.budget_views(*at);
                let seen: BTreeMap<String, (i64, i64, i64)> = seen
                    .iter()
                    .map(|view| (view.category.clone(), (view.amount, view.carried, view.spent)))
                    .collect();
                wrong(right == seen)
            }
        }
    }

    /// What was planned, carried over and spent of each budget.
    fn budget_views(&self, at: Month) -> BTreeMap<String, (i64, i64, i64)> {
        let mut views = BTreeMap::new();
        let categories: std::collections::BTreeSet<&String> =
            self.budgets.values().map(|budget| &budget.category).collect();
        for category in categories {
            let valid = |month: Month| {
                let own = self.budgets.values().filter(|one| one.category == *category && one.month <= month);
                own.max_by_key(|budget| budget.month)
            };
            let Some(now) = valid(at).filter(|budget| budget.amount > 0) else { continue };
            let spent = |month: Month| {
                let own = self.amounts.iter().filter(|((of, subject, _), _)| {
                    *of == month && subject.kind == now.kind && subject.name == *category
                });
                own.map(|(_, amount)| amount).sum::<i64>()
            };
            let mut carried = 0;
            let mut month = at;
            // Back to where the budget did not roll over yet.
            while valid(month).is_some_and(|budget| budget.rollover && budget.amount > 0) {
                if month != at {
                    carried += valid(month).unwrap().amount - spent(month);
                }
                month = month.plus(-1);
            }
            views.insert(category.clone(), (now.amount, carried, spent(at)));
        }
        views
    }
}

fn add(day: &mut Day, line: &Line) {
    match line.subject.kind {
        Kind::Income => day.earned += line.amount,
        Kind::FixedExpense | Kind::LivingExpense => day.spent += line.amount,
        Kind::ShortSavings if line.subject.detail == TAKEN_OUT => day.saved -= line.amount,
        _ => day.saved += line.amount,
    }
}

/// Replays the history. Returns the last state, and what readers saw that belongs to no state.
pub(crate) fn replayed(changes: &[PastChange], sights: &[Sight]) -> (State, Vec<String>) {
    let (mut state, mut seq, mut problems) = (State::default(), 0, Vec::new());
    let mut found = vec![false; sights.len()];
    let mut failed: Vec<Vec<String>> = vec![Vec::new(); sights.len()];
    let mut match_all = |state: &State, seq: i64| {
        for (index, sight) in sights.iter().enumerate() {
            if !found[index] && (sight.first..=sight.last).contains(&seq) {
                let wrong = state.compare(&sight.what);
                found[index] = wrong.is_empty();
                failed[index] = wrong;
            }
        }
    };
    match_all(&state, 0);
    for change in changes {
        if change.seq != seq + 1 {
            problems.push(format!("change {} follows {seq}", change.seq));
        }
        seq = change.seq;
        state.follow(change);
        match_all(&state, seq);
    }
    let missing = found.iter().zip(failed).filter(|(found, _)| !**found);
    problems.extend(missing.flat_map(|(_, wrong)| {
        if wrong.is_empty() { vec!["a reader saw a state after the last one".to_owned()] } else { wrong }
    }));
    (state, problems)
}
