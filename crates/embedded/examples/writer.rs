//! Writes until it is killed, and prints each acknowledged step. Used by the kill test: `writer DIRECTORY
//! FILLER NEXT...`, with the size of the filler attribute and the next step of each task.
//!
//! Every task uses its own items, step by step: put, move between two items in a transaction of two tables,
//! count, delete. After a kill, only the last step of a task is in doubt.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a program for a test"
)]

use std::io::Write as _;
use std::sync::Arc;

use hansang_core::plan::{Action, Change, Condition, Guard, Guards, Key, Path, Reason, TableWrite, Write};
use hansang_core::{CoreCode, Error, Item, Message, Name, Store, Value};
use hansang_embedded::{Embedded, Options};

#[path = "../tests/it/table.rs"]
mod table;

fn item(key: &Key, step: u64, amount: i64, filler: usize) -> Item {
    let text = |name: &str, text: String| (Name::from(name), Value::from(text));
    Item::from([
        text("PK", key.pk.clone()),
        text("SK", key.sk.clone()),
        text("GSI1PK", format!("ALL#{}", step % 7)),
        text("GSI1SK", format!("STEP#{step:012}")),
        text("filler", noise(step, filler)),
        (Name::from("amount"), Value::from(amount)),
        (Name::from("rank"), Value::from(step as i64)),
    ])
}

/// Incompressible text.
fn noise(seed: u64, bytes: usize) -> String {
    let mut state = seed + 1;
    let mut letter = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        char::from(b'!' + (state >> 58) as u8)
    };
    (0..bytes).map(|_| letter()).collect()
}

fn put(key: Key, step: u64, filler: usize) -> Write {
    Write { action: Action::Put(item(&key, step, 1, filler)), key, guards: Guards::default() }
}

fn add(key: Key, amount: i64) -> Write {
    let change = |name: &str, change: Change| (Path { root: name.into(), inside: Vec::new() }, change);
    let changes = vec![
        change("amount", Change::Add(amount.into())),
        change("GSI1PK", Change::Set("ALL#counter".into())),
        change("GSI1SK", Change::Set("STEP#".into())),
    ];
    Write { key, action: Action::Update(changes), guards: Guards::default() }
}

async fn work(store: Embedded, task: u64, mut step: u64, filler: usize) {
    let (table, log) = (Arc::new(table::table()), Arc::new(table::log()));
    loop {
        match step % 4 {
            0 => drop(store.write(&table, put(table::item_key(task, step), step, filler)).await.unwrap()),
            1 => {
                let absent = Condition::Absent((&Name::from("PK")).into());
                let otherwise = Reason::Other(Error::conflict(
                    CoreCode::AlreadyExists,
                    Message::raw("this step was done before"),
                ));
                let mut first = put(table::half_key(task, step, "a"), step, filler);
                first.guards.push(Guard { condition: absent, otherwise });
                let second = put(table::half_key(task, step, "b"), step, filler);
                let moves = [add(table::account(task, 0), -1), add(table::account(task, 1), 1)];
                let [from, to] = moves;
                let mut writes = TableWrite::all(&table, [first, second, from, to]);
                writes.extend(TableWrite::all(&log, [put(table::item_key(task, step), step, filler)]));
                store.transact(writes).await.unwrap();
            }
            2 => drop(store.write(&table, add(table::counter(), 1)).await.unwrap()),
            _ => {
                let key = table::item_key(task, step - 3);
                drop(
                    store
                        .write(&table, Write { key, action: Action::Delete, guards: Guards::default() })
                        .await
                        .unwrap(),
                );
            }
        }
        // One write call, so that a line is never cut.
        let line = format!("{task} {step}\n");
        std::io::stdout().lock().write_all(line.as_bytes()).unwrap();
        step += 1;
    }
}

#[tokio::main]
async fn main() {
    let mut arguments = std::env::args().skip(1);
    // Without arguments, as `cargo test --examples` runs it, there is nothing to do.
    let Some(directory) = arguments.next() else { return };
    // A large buffer keeps everything in one journal file, which soon hits the file size limit of the
    // disk-full test.
    let options = Options { buffer_bytes: 1 << 30, ..Options::new(Arc::new(jiff::Timestamp::now)) };
    let store = Embedded::open(directory, options).unwrap();
    store.ensure_table(&table::table()).await.unwrap();
    store.ensure_table(&table::log()).await.unwrap();
    let filler = arguments.next().unwrap().parse().unwrap();
    println!("open");
    let tasks: Vec<_> = arguments
        .enumerate()
        .map(|(task, next)| tokio::spawn(work(store.clone(), task as u64, next.parse().unwrap(), filler)))
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
}
