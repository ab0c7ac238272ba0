//! Runs in simulated worlds: several processes change one ledger, with injected faults and crashes, from one seed.
//!
//! `LEDGER_SEED=123` runs one seed; `LEDGER_SEEDS=10000` sets the number of seeds, and `LEDGER_FIRST=5000` the first.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hansang_core::{Error, ErrorKind};
use hansang_ledger::import::{Choice, NewImport, imports, mapping_of, read, start, undo_import};
use hansang_ledger::{
    Balances, Budget, CodeType, Goal, Kind, Ledger, LineChange, Month, PastChange, Rule, add, add_line,
    assign_accounts, change_line, copy_month, create, delete, delete_line, fold, history, import,
    lines_of_month, recalculate, relocate, replace, replace_codes, rules, run_rules, set_budget, set_goal,
    set_opening, set_rule, tend, undo,
};
use hansang_testkit::memory::{Memory, MemoryQueue};
use hansang_testkit::world::{self, Hazards, World};
use tokio::time::sleep;

use crate::checker::{all_changes, check, everything, lines, text};
use crate::grounds::{entry, ledger, line, subject};
use crate::readers::{Sight, look, replayed};

/// The processes of people. Process 0 has no faults.
const PEOPLE: [usize; 3] = [1, 2, 3];
const READER: usize = 4;
const WORKERS: [usize; 2] = [5, 6];
/// The months that are used; the clock of the world shows 2030.01.
const MONTHS: [&str; 6] = ["2029.07", "2029.08", "2029.10", "2029.11", "2029.12", "2030.01"];

/// What readers saw.
type Seen = Arc<Mutex<Vec<Sight>>>;

/// L15, L16, L24: after any changes by several processes, with every fault, totals and balances equal a calculation from
/// the lines, readers saw only states that were, and a recalculation changes nothing.
#[test]
fn figures_are_true_under_faults() {
    let variable = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let first = variable("LEDGER_SEED").or(variable("LEDGER_FIRST")).unwrap_or(0);
    let count = if variable("LEDGER_SEED").is_some() { 1 } else { variable("LEDGER_SEEDS").unwrap_or(200) };
    let (mut changes, mut views, mut kills) = (0, 0, 0);
    for seed in first..first + count {
        let run = world::run(play(seed));
        assert!(run.problems.is_empty(), "run again with LEDGER_SEED={seed}: {:#?}", run.problems);
        changes += run.changes;
        views += run.views;
        kills += run.kills;
    }
    // Invariants of an empty run would prove nothing.
    assert!(
        count == 1 || (changes > count * 10 && views > count * 5 && kills > count / 2),
        "{changes} {views} {kills}"
    );
}

struct Run {
    problems: Vec<String>,
    changes: u64,
    views: u64,
    kills: u64,
}

async fn play(seed: u64) -> Run {
    let mut chance = fastrand::Rng::with_seed(seed);
    let world = World::new(seed, hazards(&mut chance));
    let store = Arc::new(Memory::new());
    world.queue(Arc::new(MemoryQueue::new(world.time(), 100)));
    world.store(store.clone(), Arc::new(Memory::new()));
    let truth = ledger(store, world.clock(0));
    world.process(0).store.ensure_table(truth.db.table()).await.unwrap();
    let seen = Seen::default();
    let mut tasks = Vec::new();
    for person in PEOPLE {
        tasks.push(start_person(&world, person, chance.u64(..)));
    }
    for worker in WORKERS {
        start_worker(&world, worker);
    }
    start_reader(&world, &seen, chance.u64(..));
    let mut kills = 0;
    for _ in 0..chance.usize(0..5) {
        sleep(Duration::from_millis(chance.u64(0..2000))).await;
        kills += 1;
        match chance.usize(0..4) {
            0 => {
                let worker = WORKERS[chance.usize(0..2)];
                world.kill(worker);
                start_worker(&world, worker);
            }
            _ => {
                let person = PEOPLE[chance.usize(0..3)];
                world.kill(person);
                tasks.push(start_person(&world, person, chance.u64(..)));
            }
        }
    }
    for task in tasks {
        let _ = task.ended().await;
    }
    world.kill(READER);
    for worker in WORKERS {
        world.kill(worker);
    }
    let views = std::mem::take(&mut *seen.lock().unwrap());
    finish(&truth, views, kills).await
}

/// Checks the ledger as the processes left it, what readers saw, and the ledger after folding and recalculating.
async fn finish(truth: &Ledger, views: Vec<Sight>, kills: u64) -> Run {
    let mut problems = check(truth).await;
    let changes = all_changes(truth).await;
    problems.extend(states(truth, &changes, &views).await);
    problems.extend(recurring(truth, &changes).await);
    import::resume_imports(truth).await.unwrap();
    problems.extend(imported(truth).await);
    fold(truth).await.unwrap();
    problems.extend(check(truth).await);
    let items = everything(&truth.db).await;
    let checked = recalculate(truth, "check", None, true).await.unwrap();
    problems.extend(checked.problems.iter().map(ToString::to_string));
    recalculate(truth, "check", None, false).await.unwrap();
    if everything(&truth.db).await != items {
        problems.push("a recalculation changed a right ledger".to_owned());
    }
    let pending = items.iter().find_map(|item| item.get("pending"));
    if !matches!(pending, None | Some(hansang_core::Value::L(_))) || format!("{pending:?}").contains("from") {
        problems.push(format!("carries are left: {pending:?}"));
    }
    Run { problems, changes: changes.len() as u64, views: views.len() as u64, kills }
}

/// Replays the history and compares everything that readers saw with the states that it goes through.
async fn states(truth: &Ledger, changes: &[PastChange], views: &[Sight]) -> Vec<String> {
    let (state, mut problems) = replayed(changes, views);
    if lines(&everything(&truth.db).await) != state.amounts {
        problems.push("the history does not lead to the stored lines".to_owned());
    }
    problems
}

/// Every rule has one line for each of its months up to the last one that it entered, whatever crashed.
async fn recurring(truth: &Ledger, changes: &[PastChange]) -> Vec<String> {
    let mut entered: BTreeMap<(String, Month), usize> = BTreeMap::new();
    for change in changes.iter().filter(|change| change.action == "recurring") {
        for line in change.lines.iter().filter_map(|(_, after)| after.as_ref()) {
            *entered.entry((line.text.clone(), line.month)).or_default() += 1;
        }
    }
    let mut problems: Vec<String> = Vec::new();
    for ((text, month), count) in &entered {
        if *count > 1 {
            problems.push(format!("{text} was entered {count} times in {month}"));
        }
    }
    for rule in rules(truth).await.unwrap() {
        let Some(done) = rule.done_through else { continue };
        let is_due = |month: &Month| rule.yearly.is_none_or(|yearly| yearly == i64::from(month.number()));
        for month in rule.from.to(done).filter(is_due) {
            if !entered.contains_key(&(rule.text.clone(), month)) {
                problems.push(format!("{} was not entered in {month}", rule.text));
            }
        }
    }
    problems
}

/// Every import is complete, nothing of it is left behind, and no row became more lines than a file has of it.
async fn imported(truth: &Ledger) -> Vec<String> {
    let items = everything(&truth.db).await;
    let mut rows: BTreeMap<String, usize> = BTreeMap::new();
    for item in items.iter().filter(|item| text(item, "PK").starts_with("LINES#")) {
        *rows.entry(text(item, "row").to_owned()).or_default() += 1;
    }
    rows.remove("");
    let often = rows.iter().filter(|(_, count)| **count > 2);
    let mut problems: Vec<String> =
        often.map(|(row, count)| format!("row {row} was imported {count} times")).collect();
    for import in imports(truth).await.unwrap() {
        if !["done", "undone"].contains(&&*import.status) {
            problems.push(format!("an import is {}", import.status));
        }
    }
    let staged = items.iter().filter(|item| text(item, "PK").starts_with("LEDGER#STAGED"));
    // Rows of a process that died while it staged them are swept after a day.
    let known: Vec<&str> = items
        .iter()
        .filter(|item| text(item, "PK") == "LEDGER#STAGINGS")
        .map(|item| text(item, "SK"))
        .collect();
    let orphans = staged.filter(|item| !known.iter().any(|staged| text(item, "PK").ends_with(staged)));
    problems.extend(orphans.map(|item| format!("{} is left", text(item, "PK"))));
    problems
}

fn hazards(chance: &mut fastrand::Rng) -> Hazards {
    let mut some = |max: f64| if chance.bool() { chance.f64() * max } else { 0.0 };
    Hazards {
        throttle: some(0.05),
        conflict: some(0.05),
        timeout_before: some(0.03),
        timeout_after: some(0.03),
        timeout_late: some(0.02),
        stall: (some(0.02), Duration::from_secs(3)),
        // Less than the time for which a period does not trust an index.
        index_lag: Duration::from_millis((some(4.0) * 1000.0) as u64),
        latency: (Duration::from_micros(500), Duration::from_millis(chance.u64(2..20))),
        ..Hazards::default()
    }
}

fn start_person(world: &World, process: usize, seed: u64) -> world::Task<()> {
    let handles = world.process(process);
    let ledger = ledger(handles.store, handles.clock);
    world.spawn(process, &format!("person-{process}"), async move {
        let mut chance = fastrand::Rng::with_seed(seed);
        for _ in 0..chance.usize(5..15) {
            sleep(Duration::from_millis(chance.u64(0..300))).await;
            act(&ledger, &format!("person-{process}"), &mut chance).await;
        }
    })
}

/// One action of a person. Refusals are fine; anything that should not happen is a panic.
async fn act(ledger: &Ledger, by: &str, chance: &mut fastrand::Rng) {
    let at = MONTHS[chance.usize(0..MONTHS.len())];
    let month: Month = at.parse().unwrap();
    let (kind, name) = [
        (Kind::Income, "배우자1/월급"),
        (Kind::FixedExpense, "대출"),
        (Kind::LivingExpense, "식비"),
        (Kind::Savings, "적금1"),
        (Kind::Investment, "주식"),
        (Kind::ShortSavings, "운동/적립"),
        (Kind::ShortSavings, "운동/지출"),
    ][chance.usize(0..7)];
    let amount = chance.i64(-500..2000);
    let new = entry(at, kind, name, amount);
    let day = format!("{}-{:02}", at.replace('.', "-"), chance.u32(1..=28));
    let result = match chance.usize(0..23) {
        0 => create(ledger, by, &new).await.map(drop),
        1 => replace(ledger, by, &new).await.map(drop),
        2 | 3 => add(ledger, by, &new).await.map(drop),
        4 => delete(ledger, by, month, &new.subject).await.map(drop),
        5 => {
            let to = MONTHS[chance.usize(0..MONTHS.len())].parse().unwrap();
            relocate(ledger, by, month, &new.subject, to).await
        }
        6..=8 => add_line(ledger, by, line(&day, kind, name, "text", amount)).await.map(drop),
        9 => match some_line(ledger, month, chance).await {
            Some(id) => {
                let date = chance.bool().then(|| MONTHS[chance.usize(0..6)].parse::<Month>().unwrap().day(3));
                let moved = chance.bool().then(|| subject(kind, name));
                let change =
                    LineChange { subject: moved, date, amount: Some(amount), ..LineChange::default() };
                change_line(ledger, by, month, &id, change).await.map(drop)
            }
            None => return,
        },
        10 => match some_line(ledger, month, chance).await {
            Some(id) => delete_line(ledger, by, month, &id).await,
            None => return,
        },
        11 => copy_month(ledger, by, month).await.map(drop),
        12 => {
            let balances = Balances { cash_accumulated: amount, ..Balances::default() };
            set_opening(ledger, by, &balances).await
        }
        13 => match history(ledger, None, Some(10)).await {
            Ok(page) if !page.changes.is_empty() => {
                let change = &page.changes[chance.usize(0..page.changes.len())];
                undo(ledger, by, change.seq).await.map(drop)
            }
            _ => return,
        },
        14 => {
            let codes = ["식비", "기타", "교통비"].map(str::to_owned).to_vec();
            replace_codes(ledger, by, CodeType::LivingExpenseCategory, codes).await.map(drop)
        }
        15 => {
            let rule = Rule {
                rule_id: String::new(),
                subject: new.subject,
                text: format!("rule {}", chance.u64(..)),
                amount,
                day: chance.i64(1..=31),
                yearly: chance.bool().then_some(12),
                from: month,
                until: None,
                by: String::new(),
                done_through: None,
            };
            match set_rule(ledger, by, rule).await {
                Ok(_) => run_rules(ledger).await.map(drop),
                Err(error) => Err(error),
            }
        }
        17 | 18 => bring(ledger, by, chance).await,
        19 => match imports(ledger).await {
            Ok(all) if !all.is_empty() => {
                undo_import(ledger, by, &all[chance.usize(0..all.len())].import_id).await.map(drop)
            }
            _ => return,
        },
        20 => {
            let kind = Some(Kind::Savings).filter(|_| chance.bool());
            assign_accounts(ledger, by, &[("청약".to_owned(), kind)].into()).await
        }
        21 => {
            let goal = Goal { account_name: "운동".to_owned(), amount: amount.abs() + 1, month: None };
            set_goal(ledger, by, &goal).await
        }
        _ => {
            let budget = Budget {
                kind: Kind::LivingExpense,
                category: "식비".to_owned(),
                month,
                amount: amount.abs(),
                rollover: chance.bool(),
            };
            match set_budget(ledger, by, &budget).await {
                Ok(()) => recalculate(ledger, by, Some(month), false).await.map(drop),
                Err(error) => Err(error),
            }
        }
    };
    if let Err(error) = result {
        let expected = [ErrorKind::Unavailable, ErrorKind::Conflict, ErrorKind::NotFound, ErrorKind::Invalid];
        assert!(expected.contains(&error.kind), "{error:?}");
    }
}

/// Imports a file of rows that other files have too, some of them twice, with decisions about some.
async fn bring(ledger: &Ledger, by: &str, chance: &mut fastrand::Rng) -> Result<(), Error> {
    let mut file = "날짜,내용,금액\n".to_owned();
    let mut choices = BTreeMap::new();
    for number in 0..chance.usize(1..60) {
        let (shop, at) = (chance.usize(0..8), MONTHS[chance.usize(0..3)].replace('.', "-"));
        let row = format!("{at}-0{},가게 {shop},{}\n", 1 + shop % 3, 1000 + 10 * chance.usize(0..2));
        if file.matches(&*row).count() < 2 {
            file.push_str(&row);
            let subject = chance.bool().then(|| subject(Kind::FixedExpense, "대출"));
            choices
                .insert(number + 2, Choice { subject, exclude: chance.u8(0..8) == 0, ..Choice::default() });
        }
    }
    let table = read(file.as_bytes())?;
    let profile = ["card", "bank"][chance.usize(0..2)];
    let (_, mapping) = mapping_of(ledger, &table, Some(profile), Some(by)).await?;
    let new = NewImport { file: "file.csv", profile, table: &table, mapping: &mapping, choices: &choices };
    start(ledger, by, new).await.map(drop)
}

async fn some_line(ledger: &Ledger, month: Month, chance: &mut fastrand::Rng) -> Option<String> {
    let lines = lines_of_month(ledger, month).await.ok()?;
    (!lines.is_empty()).then(|| lines[chance.usize(0..lines.len())].line_id.clone())
}

fn start_worker(world: &World, process: usize) {
    let handles = world.process(process);
    let ledger = ledger(handles.store, handles.clock);
    world.spawn(process, &format!("worker-{process}"), async move {
        loop {
            sleep(Duration::from_millis(400)).await;
            let _ = tend(&ledger).await;
        }
    });
}

fn start_reader(world: &World, seen: &Seen, seed: u64) {
    let handles = world.process(READER);
    let (ledger, seen) = (ledger(handles.store, handles.clock), seen.clone());
    world.spawn(READER, "reader", async move {
        let mut chance = fastrand::Rng::with_seed(seed);
        loop {
            sleep(Duration::from_millis(chance.u64(0..50))).await;
            let found = look(&ledger, &MONTHS, &mut chance).await;
            seen.lock().unwrap().extend(found);
        }
    });
}
