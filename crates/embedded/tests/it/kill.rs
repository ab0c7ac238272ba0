//! Kills a writing process at random moments. Every acknowledged write is there, no write is partial, and the
//! indexes match the table. The same for messages: accepted ones are there, acknowledged ones are not.

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::{BufRead as _, BufReader, Read as _};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use hansang_core::plan::{Get, Key};
use hansang_core::queue::{Queue as _, Receipt};
use hansang_core::{Store as _, Value, queue};
use hansang_embedded::{Embedded, Options, QueueSettings};

use crate::{get, open, table};

const TASKS: u64 = 8;

/// Path of an example program, which cargo puts beside the tests.
fn program(name: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let path = test.parent().unwrap().parent().unwrap().join("examples").join(name);
    assert!(path.exists(), "{} is missing: run `cargo test -p hansang-embedded`", path.display());
    path
}

/// Maximum number of kills per directory. Each check reads everything in it.
const MAX_KILLS: u64 = 50;

fn kills() -> u64 {
    std::env::var("HANSANG_KILLS").ok().map_or(20, |number| number.parse().unwrap())
}

/// Pseudo-random numbers, the same in every run.
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

/// Runs a program until it has printed `lines` lines after the first, kills it, and returns all lines that it
/// printed.
fn run_and_kill(program: &mut Command, lines: u64) -> String {
    let mut child = program.stdout(Stdio::piped()).spawn().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut read = String::new();
    for _ in 0..=lines {
        assert!(output.read_line(&mut read).unwrap() > 0, "the program ended early");
    }
    child.kill().unwrap();
    output.read_to_string(&mut read).unwrap();
    child.wait().unwrap();
    read.split_once('\n').unwrap().1.to_owned()
}

/// Runs the writer until it has acknowledged `lines` steps. Advances `next` past them.
fn write_and_kill(directory: &Path, next: &mut [u64], lines: u64) {
    let arguments = next.iter().map(ToString::to_string);
    let mut writer = Command::new(program("writer"));
    for line in run_and_kill(writer.arg(directory).arg("200").args(arguments), lines).lines() {
        let (task, step) = line.split_once(' ').unwrap();
        let task: usize = task.parse().unwrap();
        assert_eq!(next[task], step.parse::<u64>().unwrap(), "steps are acknowledged in order");
        next[task] += 1;
    }
}

async fn amount(store: &Embedded, key: Key) -> i64 {
    let item = get(store, key).await;
    item.and_then(|item| item.get("amount").and_then(Value::as_number))
        .map_or(0, |amount| amount.to_i64().unwrap())
}

/// Returns whether a step has taken effect, wholly.
async fn happened(store: &Embedded, task: u64, step: u64) -> bool {
    match step % 4 {
        0 => get(store, table::item_key(task, step)).await.is_some(),
        1 => {
            let a = get(store, table::half_key(task, step, "a")).await.is_some();
            let b = get(store, table::half_key(task, step, "b")).await.is_some();
            let entry = Get { key: table::item_key(task, step), consistent: true, fields: None };
            let logged = store.get(&table::log(), &entry).await.unwrap().is_some();
            assert_eq!((a, a), (b, logged), "task {task}: a part of step {step} is there");
            a
        }
        3 => get(store, table::item_key(task, step - 3)).await.is_none(),
        _ => unreachable!("the count is checked as a whole"),
    }
}

/// Checks everything, and advances `next` past steps that took effect without an acknowledgement.
async fn check(directory: &Path, next: &mut [u64], counted: &mut i64) {
    let store = open(directory).await;
    let mut in_doubt = 0;
    for (task, next) in (0_u64..).zip(next.iter_mut()) {
        for step in 0..*next {
            match step % 4 {
                0 if step + 3 < *next => {
                    assert!(!happened(&store, task, step).await, "{task}: {step} came back");
                }
                // Its deletion may be in progress.
                0 if step + 3 == *next => {}
                0 | 1 => assert!(happened(&store, task, step).await, "{task}: {step} is lost"),
                _ => {}
            }
        }
        match *next % 4 {
            2 => in_doubt += 1,
            // Step 3 deletes the item that was put three steps before.
            _ => *next += u64::from(happened(&store, task, *next).await),
        }
        let pairs = i64::try_from((0..*next).filter(|step| step % 4 == 1).count()).unwrap();
        assert_eq!(amount(&store, table::account(task, 0)).await, -pairs, "task {task}");
        assert_eq!(amount(&store, table::account(task, 1)).await, pairs, "task {task}");
    }
    let acknowledged: i64 =
        next.iter().map(|next| i64::try_from((0..*next).filter(|step| step % 4 == 2).count()).unwrap()).sum();
    let count = amount(&store, table::counter()).await;
    assert!((acknowledged..=acknowledged + in_doubt + *counted).contains(&count), "{acknowledged} ≤ {count}");
    // Counts without an acknowledgement are repeated.
    *counted = count - acknowledged;
    for table in [table::table(), table::log()] {
        assert_eq!(store.verify(&table).unwrap(), [], "indexes of {} disagree", table.name);
    }
}

/// Appends the start of another commit, as a power failure would: its head and a part of an item.
fn tear(directory: &Path) {
    let journals = fs::read_dir(directory.join("store")).unwrap().map(|entry| entry.unwrap().path());
    let mut journals: Vec<PathBuf> =
        journals.filter(|path| path.extension().is_some_and(|extension| extension == "jnl")).collect();
    journals.sort_by_key(|path| path.file_stem().unwrap().to_str().unwrap().parse::<u64>().unwrap());
    let journal = journals.pop().unwrap();
    let bytes = fs::read(&journal).unwrap();
    let end = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    let file = OpenOptions::new().write(true).open(&journal).unwrap();
    let head =
        [1, 2, 0, 0, 0, 255, 255, 255, 0, 0, 0, 0, 0, 2, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 4, 0, 99, 0, 0, 0];
    let torn = [&head[..], &bytes[..end.min(40)]].concat();
    file.write_all_at(&torn, end as u64).unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn acknowledged_writes_survive_any_kill() {
    let directories = kills().div_ceil(MAX_KILLS);
    let mut state = 7;
    for _ in 0..directories {
        let directory = tempfile::tempdir().unwrap();
        let mut next = [0; TASKS as usize];
        let mut counted = 0;
        for kill in 0..kills().div_ceil(directories) {
            let lines = random(&mut state) % 300;
            write_and_kill(directory.path(), &mut next, lines);
            if kill % 3 == 2 {
                tear(directory.path());
            }
            check(directory.path(), &mut next, &mut counted).await;
        }
        assert!(next.iter().all(|next| *next > 0));
    }
}

/// Receives everything, at a time when no message is hidden.
async fn drain(directory: &Path) -> Vec<String> {
    let now = || jiff::Timestamp::now() + jiff::SignedDuration::from_hours(2);
    let store = Embedded::open(directory, Options::new(std::sync::Arc::new(now))).unwrap();
    let queue = store.queue("messages", QueueSettings { max_attempts: 1000 });
    let mut bodies = Vec::new();
    loop {
        let hidden = Duration::from_secs(60);
        let deliveries = queue.receive(queue::MAX_MESSAGES, Duration::ZERO, hidden).await.unwrap();
        if deliveries.is_empty() {
            return bodies;
        }
        let receipts: Vec<Receipt> = deliveries.iter().map(|one| one.receipt.clone()).collect();
        queue.acknowledge(&receipts).await.unwrap();
        bodies.extend(deliveries.into_iter().map(|delivery| delivery.body));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn acknowledged_messages_survive_any_kill() {
    let directory = tempfile::tempdir().unwrap();
    let mut state = 11;
    for round in 0..kills() {
        let mut messenger = Command::new(program("messenger"));
        messenger.arg(directory.path()).arg(round.to_string()).arg(TASKS.to_string());
        let said = run_and_kill(&mut messenger, random(&mut state) % 500);
        if round % 3 == 2 {
            tear(directory.path());
        }
        let of = |word: &str| -> BTreeSet<&str> {
            said.lines().filter_map(|line| line.strip_prefix(word)?.strip_prefix(' ')).collect()
        };
        let found = drain(directory.path()).await;
        let left: BTreeSet<&str> = found.iter().map(String::as_str).collect();
        assert_eq!(left.len(), found.len(), "duplicate message");
        for lost in of("sent").difference(&left) {
            assert!(of("takes").contains(lost), "{lost} was accepted and is lost");
        }
        let done = of("done");
        let again: Vec<_> = done.intersection(&left).collect();
        assert!(again.is_empty(), "acknowledged and there again: {again:?}");
        // Unacknowledged messages may be there, but only of this round.
        assert!(left.iter().all(|body| body.starts_with(&format!("{round}/"))), "{left:?}");
    }
}
