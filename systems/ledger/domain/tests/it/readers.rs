//! What readers saw while others changed the ledger, compared with the states that the history goes through.

use std::collections::BTreeMap;

use hansang_core::Item;
use hansang_core::value::json::item_to_plain;
use hansang_ledger::{
    Balances, Budget, BudgetView, Day, Export, Goal, GoalView, Kind, Ledger, Line, Month, MonthView,
    PastChange, Search, Subject, TAKEN_OUT, YearRow, budgets_of_month, calendar, export, goals, month,
    opening, people_of_period, period, year,
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
    Year(u32, Vec<YearRow>),
    Goals(Month, Vec<GoalView>),
    Found(Month, Month, usize, Vec<Line>),
    Whole(Box<Export>),
}

/// Looks at one of the reports. Nothing is seen while the store fails.
pub(crate) async fn look(ledger: &Ledger, months: &[&str], chance: &mut fastrand::Rng) -> Vec<Sight> {
    let one = |chance: &mut fastrand::Rng| months[chance.usize(0..months.len())].parse::<Month>().unwrap();
    let at = one(chance);
    let views = match chance.usize(0..10) {
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
        5 => What::Budgets(at, budgets_of_month(ledger, at).await.ok()?),
        6 => {
            let number = at.year() - chance.u32(0..2);
            What::Year(number, year(ledger, number).await.ok()?)
        }
        7 => What::Goals(at, goals(ledger, at).await.ok()?),
        8 => {
            let (to, limit) = (at.plus(chance.i32(0..4)), chance.usize(1..30));
            let search = Search { kind: Some(Kind::LivingExpense), ..Search::default() };
            What::Found(at, to, limit, hansang_ledger::search(ledger, at, to, &search, limit).await.ok()?)
        }
        _ => What::Whole(Box::new(export(ledger).await.ok()?)),
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
    goals: BTreeMap<String, i64>,
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
                "Goal" => {
                    let goal = |fields: &Item| serde_json::from_value::<Goal>(read(fields)).unwrap();
                    if let Some(before) = &item.before {
                        self.goals.remove(&goal(before).account_name);
                    }
                    if let Some(goal) = item.after.as_ref().map(goal) {
                        self.goals.insert(goal.account_name, goal.amount);
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
            What::Year(number, seen) => {
                let seen: BTreeMap<&Subject, ([i64; 12], i64, i64)> =
                    seen.iter().map(|row| (&row.subject, (row.months, row.total, row.last_total))).collect();
                wrong(self.year(*number) == seen)
            }
            What::Goals(at, seen) => {
                let balance = |account: &String| {
                    let opening = self.opening.short_savings_balances.get(account).copied();
                    let own = self.amounts.iter().filter(|((month, subject, _), _)| {
                        month <= at && subject.kind == Kind::ShortSavings && subject.name == *account
                    });
                    let moved = own.map(
                        |((_, subject, _), amount)| {
                            if subject.detail == TAKEN_OUT { -amount } else { *amount }
                        },
                    );
                    opening.unwrap_or_default() + moved.sum::<i64>()
                };
                let right = self.goals.iter().map(|(account, amount)| (account, *amount, balance(account)));
                let seen = seen.iter().map(|view| (&view.goal.account_name, view.goal.amount, view.balance));
                wrong(right.eq(seen))
            }
            What::Found(from, to, limit, seen) => {
                let own = self.lines.values().filter(|line| {
                    (*from..=*to).contains(&line.month) && line.subject.kind == Kind::LivingExpense
                });
                let mut right: Vec<&Line> = own.collect();
                right.sort_by(|a, b| (&b.date, &b.line_id).cmp(&(&a.date, &a.line_id)));
                right.truncate(*limit);
                wrong(right.into_iter().eq(seen))
            }
            What::Whole(seen) => {
                let mut right: Vec<&Line> = self.lines.values().collect();
                right.sort_by(|a, b| (&a.date, &a.line_id).cmp(&(&b.date, &b.line_id)));
                let goals = seen.goals.iter().map(|goal| (&goal.account_name, &goal.amount));
                wrong(
                    right.into_iter().eq(&seen.lines)
                        && self.opening == seen.opening
                        && self.budgets.len() == seen.budgets.len()
                        && self.goals.iter().eq(goals),
                )
            }
        }
    }

    /// The amounts of a year by entry, their sum, and that of the same months of the year before.
    fn year(&self, number: u32) -> BTreeMap<&Subject, ([i64; 12], i64, i64)> {
        let first: Month = format!("{number}.01").parse().unwrap();
        // The clock of the world shows 2030.01.
        let last = first.plus(if number == 2030 { 0 } else { 11 });
        let mut rows: BTreeMap<&Subject, ([i64; 12], i64, i64)> = BTreeMap::new();
        for ((month, subject, _), amount) in &self.amounts {
            let is_before = month.year() + 1 == number && month.plus(12) <= last;
            if month.year() != number && !is_before {
                continue;
            }
            let (months, total, before) = rows.entry(subject).or_default();
            if is_before {
                *before += amount;
            } else {
                months[month.number() as usize - 1] += amount;
                *total += amount;
            }
        }
        rows
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
