//! Flips bits and removes files at random. Every case is refused with a clear message, reported by a read or
//! by `verify`, or has lost nothing.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use hansang_core::plan::Scan;
use hansang_core::queue::{Message, Queue as _};
use hansang_core::{Item, Store as _, StoreError, Value};
use hansang_embedded::{Embedded, Options, QueueSettings};

use crate::{NOON, TestClock, db, delete, everything, item, put, table};

/// Number of cases, half of them on a directory that was closed and half on one that was not.
fn cases() -> u64 {
    std::env::var("HANSANG_DAMAGE").ok().map_or(60, |number| number.parse().unwrap())
}

/// Pseudo-random numbers, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

fn options() -> Options {
    Options { buffer_bytes: 48 * 1024, ..TestClock::at(NOON).options() }
}

const MESSAGES: usize = 20;

/// Fills a directory: tables on disk and in the journal, an index, a feed and a queue.
async fn fill(directory: &Path) -> Embedded {
    // The second opening truncates the preallocated journal.
    drop(Embedded::open(directory, options()).unwrap());
    let store = Embedded::open(directory, options()).unwrap();
    store.ensure_table(&table::table()).await.unwrap();
    let one = |n: usize| {
        let text = |text: &str| Value::from(format!("{text}#{n:04}"));
        let filler = Value::from("x".repeat(n % 300));
        item("p", &format!("{n:05}"), &[("GSI1PK", text("A")), ("GSI1SK", text("B")), ("filler", filler)])
    };
    for from in (0..600).step_by(50) {
        store.batch_put(&table::table(), (from..from + 50).map(one).collect()).await.unwrap();
        store.write(&table::table(), delete("p", &format!("{from:05}"))).await.unwrap();
    }
    let queue = store.queue("messages", QueueSettings { max_attempts: 3 });
    queue.ensure().await.unwrap();
    let messages = (0..MESSAGES).map(|n| Message::new(format!("message {n}"))).collect();
    assert!(queue.send(messages).await.iter().all(Result::is_ok));
    for n in 0..30 {
        store.write(&table::table(), put("q", &format!("{n:05}"), &[])).await.unwrap();
    }
    store
}

fn copy(from: &Path, to: &Path) {
    assert!(Command::new("cp").arg("-r").arg(from).arg(to).status().unwrap().success());
}

fn paths(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            paths(&path, found);
        }
        found.push(path);
    }
    found.sort();
}

/// Damages a directory. Returns a description.
fn damage(directory: &Path, random: &mut Random) -> String {
    let mut all = Vec::new();
    paths(directory, &mut all);
    let choice = random.below(4);
    if choice == 0 {
        let path = &all[random.below(all.len())];
        let removed = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
        removed.unwrap();
        return format!("removed {}", path.strip_prefix(directory).unwrap().display());
    }
    let is_journal = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "jnl");
    all.retain(|path| path.is_file() && fs::metadata(path).unwrap().len() > 0);
    if choice == 1 {
        all.retain(is_journal);
    }
    let path = &all[random.below(all.len())];
    let mut bytes = fs::read(path).unwrap();
    let bit = random.below(bytes.len() * 8);
    bytes[bit / 8] ^= 1 << (bit % 8);
    fs::write(path, bytes).unwrap();
    format!("flipped bit {bit} of {}", path.strip_prefix(directory).unwrap().display())
}

/// Opens a damaged directory and reads everything. Returns how the damage was reported, or `None` if nothing
/// was lost.
async fn examine(directory: &Path, expected: &[Item]) -> Option<String> {
    let store = match Embedded::open(directory, options()) {
        Ok(store) => store,
        Err(error) => return Some(error.to_string()),
    };
    let mut scan = Scan { index: None, limit: 1000, start: None, consistent: true };
    let mut found = Vec::new();
    loop {
        let page = match store.scan(&table::table(), &scan).await {
            Ok(page) => page,
            Err(error) => return Some(error.to_string()),
        };
        found.extend(page.items);
        scan.start = page.next;
        if scan.start.is_none() {
            break;
        }
    }
    match store.verify(&table::table()) {
        Ok(problems) if problems.is_empty() => {}
        Ok(problems) => return Some(format!("verify: damaged: {:?}", problems[0])),
        Err(error) => return Some(error.to_string()),
    }
    assert!(
        found == expected,
        "{} items instead of {}, and nothing was reported",
        found.len(),
        expected.len()
    );
    let queue = store.queue("messages", QueueSettings { max_attempts: 3 });
    match queue.receive(100, Duration::ZERO, Duration::ZERO).await {
        Ok(messages) => assert_eq!(messages.len(), MESSAGES, "messages are lost, and nothing was reported"),
        Err(error) => return Some(error.to_string()),
    }
    // It can be written, or says why not.
    match store.write(&table::table(), put("z", "1", &[])).await {
        Ok(_) => None,
        Err(error) => Some(error.to_string()),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn damage_is_reported_or_loses_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let (closed, open) = (directory.path().join("closed"), directory.path().join("open"));
    let store = fill(&directory.path().join("data")).await;
    let expected = everything(&store, &table::table()).await;
    copy(&directory.path().join("data"), &open);
    drop(store);
    copy(&directory.path().join("data"), &closed);
    for template in [&open, &closed] {
        let case = directory.path().join("case");
        copy(template, &case);
        assert_eq!(examine(&case, &expected).await, None, "{}", template.display());
        fs::remove_dir_all(case).unwrap();
    }
    let mut unharmed = 0;
    for number in 0..cases() {
        let case = directory.path().join(format!("case{number}"));
        copy(if number % 2 == 0 { &open } else { &closed }, &case);
        let done = damage(&case, &mut Random(number * 7919 + 17));
        println!("case {number}: {done}");
        match examine(&case, &expected).await {
            None => unharmed += 1,
            Some(report) => {
                let clear = ["damaged", "not a data directory", "cannot be opened", "format", "missing"];
                assert!(clear.iter().any(|word| report.contains(word)), "case {number}: {done}: {report}");
                println!("case {number}: {report}");
            }
        }
        fs::remove_dir_all(case).unwrap();
    }
    assert!(unharmed < cases() * 2 / 3, "{unharmed} cases damaged nothing");
}

#[tokio::test]
async fn a_directory_of_format_1_is_read_and_upgraded() {
    let directory = tempfile::tempdir().unwrap();
    let archive = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/format1.tar.gz");
    let unpacked = Command::new("tar").arg("-xzf").arg(archive).arg("-C").arg(directory.path()).status();
    assert!(unpacked.unwrap().success());
    let data = directory.path().join("data");
    let model = hansang_core::compile(db::LEDGER.as_bytes()).unwrap();
    for opening in 0..3 {
        let store = Embedded::open(&data, TestClock::at(NOON).options()).unwrap();
        let items = everything(&store, &model.table).await;
        assert_eq!(items.len(), 4);
        assert_eq!(store.verify(&model.table).unwrap(), [], "opening {opening}");
        // New records have checksums, beside old ones that have none.
        store.batch_put(&model.table, items[opening..=opening].to_vec()).await.unwrap();
    }
    assert!(fs::read_to_string(data.join("hansang.json")).unwrap().contains("\"format\": 2"));
}

#[tokio::test]
async fn a_missing_part_is_named_and_nothing_is_removed() {
    let directory = tempfile::tempdir().unwrap();
    drop(fill(directory.path()).await);
    let store = directory.path().join("store");
    let hidden = directory.path().join("hidden");
    for (name, message) in [
        ("keyspaces", "is missing"),
        ("keyspaces/0", "the keyspace meta (store/keyspaces/0) is missing"),
        ("keyspaces/1", "the keyspace tables (store/keyspaces/1) is missing"),
        ("keyspaces/4/current", "(store/keyspaces/4) is missing"),
        ("version", "store/version is missing"),
        ("0.jnl", "the journal is missing"),
    ] {
        fs::rename(store.join(name), &hidden).unwrap();
        let before = count(&store);
        let Err(StoreError::Unavailable(error)) = Embedded::open(directory.path(), options()) else {
            panic!("{name} is missing, and it opened")
        };
        assert!(error.message.contains(message), "{name}: {}", error.message);
        assert_eq!(count(&store), before, "{name}: something was removed or created");
        fs::rename(&hidden, store.join(name)).unwrap();
    }
    let store = Embedded::open(directory.path(), options()).unwrap();
    assert_eq!(everything(&store, &table::table()).await.len(), 618);
}

fn count(directory: &Path) -> usize {
    let mut all = Vec::new();
    paths(directory, &mut all);
    all.len()
}
