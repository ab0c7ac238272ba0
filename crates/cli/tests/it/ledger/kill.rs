//! A server under concurrent entry, killed again and again: nothing that was acknowledged is lost, everything adds up.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use reqwest::blocking::Client;
use rustix::process::Signal;
use serde_json::{Value as Json, json};

use crate::hansang;
use crate::serve::{Server, temporary_data};

/// The number of kills.
const KILLS: usize = 20;
/// The number of people who enter lines at once.
const PEOPLE: u64 = 4;
/// The number of lines that are acknowledged before each kill.
const LINES: u64 = 12;

/// The lines that were acknowledged: their ids and amounts.
type Acknowledged = Mutex<BTreeMap<String, i64>>;

/// Enters lines of old and new months until the server is gone, and changes some of them.
fn enter(client: &Client, server: &Server, token: &str, numbers: &AtomicU64, known: &Acknowledged) {
    let path = format!("{}/api/ledger/lines", server.address);
    loop {
        let number = numbers.fetch_add(1, Ordering::Relaxed);
        let (year, month) = (2020 + number % 5, number % 12 + 1);
        let (kind, name) = [("LIVING_EXPENSE", "식비"), ("SAVINGS", "적금1"), ("INVESTMENT", "주식")]
            [usize::try_from(number % 3).unwrap()];
        let line = json!({
            "kind": kind, "name": name, "date": format!("{year}-{month:02}-15"), "text": format!("{number}"),
            "amount": number + 1,
        });
        let Ok(added) = client.post(&path).bearer_auth(token).json(&line).send() else { return };
        let status = added.status();
        let Ok(text) = added.text() else { return };
        assert_eq!(status, 201, "{text}");
        let line: Json = serde_json::from_str(&text).unwrap();
        let id = line["lineId"].as_str().unwrap().to_owned();
        known.lock().unwrap().insert(id.clone(), line["amount"].as_i64().unwrap());
        if !number.is_multiple_of(4) {
            continue;
        }
        // While a change is in flight, either amount is right.
        known.lock().unwrap().remove(&id);
        let one = format!("{path}/{}/{id}", line["month"].as_str().unwrap());
        let change = client.patch(one).bearer_auth(token).json(&json!({ "amount": -7 })).send();
        let Ok(changed) = change else { return };
        assert!(changed.status().is_success(), "{changed:?}");
        known.lock().unwrap().insert(id, -7);
    }
}

/// Ls14, Ls15, Ls16
#[test]
fn killed_servers_lose_nothing_and_add_up() {
    let (_directory, data) = temporary_data();
    let (known, numbers) = (Acknowledged::default(), AtomicU64::new(0));
    let client = Client::builder().timeout(Duration::from_secs(30)).build().unwrap();
    let more = ["--rate-address", "1000000", "--rate-account", "1000000"];
    let mut token = String::new();
    for round in 0..KILLS {
        let mut server = Server::start(&data, &more);
        if round == 0 {
            token = server.token();
        }
        let before = known.lock().unwrap().len() as u64;
        std::thread::scope(|scope| {
            for _ in 0..PEOPLE {
                scope.spawn(|| enter(&client, &server, &token, &numbers, &known));
            }
            let began = Instant::now();
            while (known.lock().unwrap().len() as u64) < before + LINES + round as u64 % 3 {
                assert!(began.elapsed() < Duration::from_secs(60), "no line was entered");
                std::thread::yield_now();
            }
            server.signal(Signal::KILL);
        });
        server.child.wait().unwrap();
        let check = hansang(&["ledger", "recalculate", "--check", "--data", data.to_str().unwrap()]);
        assert_eq!(check.0, 0, "round {round}: {}{}", check.1, check.2);
    }
    let (code, out, err) = hansang(&["ledger", "export", "--to", "json", "--data", data.to_str().unwrap()]);
    assert_eq!(code, 0, "{err}");
    let export: Json = serde_json::from_str(&out).unwrap();
    let lines: BTreeMap<&str, i64> = export["lines"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| (line["lineId"].as_str().unwrap(), line["amount"].as_i64().unwrap()))
        .collect();
    let known = known.into_inner().unwrap();
    assert!(known.len() as u64 >= KILLS as u64 * LINES, "{}", known.len());
    for (id, amount) in &known {
        assert_eq!(lines.get(&**id), Some(amount), "line {id}");
    }
}
