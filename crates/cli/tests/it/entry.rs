//! Events in real processes: a server and three workers, killed at random while users enter.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use hansang_entry::lottery;
use hansang_testkit::endpoints;
use serde_json::{Value as Json, json};

use crate::hansang;
use crate::serve::temporary_data;

mod people;
mod processes;

use people::People;
use processes::{Backend, Processes};

/// The number of users, and of seats.
const PEOPLE: usize = 60;
const PLACES: u64 = 20;

/// E18, E23: on the embedded store, with workers that borrow it from the server.
#[test]
fn processes_may_be_killed_on_an_embedded_store() {
    let (_directory, data) = temporary_data();
    burst(&Backend::Embedded { data }, 3);
}

/// E18, E23: on a DynamoDB endpoint and an SQS server, to which each process connects.
#[test]
fn processes_may_be_killed_on_dynamodb_and_sqs() {
    let (_directory, data) = temporary_data();
    let (dynamodb, sqs) = (endpoints::dynoxide(), endpoints::sqs().to_owned());
    burst(&Backend::Amazon { data, dynamodb, sqs }, 3);
}

/// A worker and its server can be started in any order.
#[test]
fn a_worker_waits_for_its_server() {
    let (_directory, data) = temporary_data();
    let mut processes = Processes::start(&Backend::Embedded { data }, &People::new(1), 0);
    let (waits, works) = processes.worker_first();
    assert!(waits.starts_with("not there yet, and looked for every second: "), "{waits}");
    assert!(works.starts_with("working as "), "{works}");
}

/// Users enter while processes are killed; in the end the number of winners is exactly the capacity, and no entry is
/// lost.
fn burst(backend: &Backend, workers: usize) {
    let people = People::new(PEOPLE);
    let mut processes = Processes::start(backend, &people, workers);
    processes.post("/api/entry/events", &people.event("rush", PLACES));
    let address = processes.address.clone();
    let taken: Mutex<BTreeMap<usize, String>> = Mutex::default();
    std::thread::scope(|scope| {
        for first in 0..6 {
            let (people, taken, address) = (&people, &taken, &address);
            scope.spawn(move || {
                for person in (first..PEOPLE).step_by(6) {
                    let id = people.enter(address, person, "rush");
                    taken.lock().unwrap().insert(person, id);
                }
            });
        }
        // Kills a process after every few entries.
        let mut died = 0;
        while taken.lock().unwrap().len() < PEOPLE {
            if taken.lock().unwrap().len() >= died * 6 {
                processes.kill_one(died);
                died += 1;
            } else {
                std::thread::yield_now();
            }
        }
    });
    processes.kill_one(1);
    wait_until_decided(&processes);
    let taken = taken.into_inner().unwrap();
    check(&processes, &taken);
    for (person, id) in taken {
        assert_eq!(people.enter(&address, person, "rush"), id, "a second entry returns the first request");
    }
}

fn wait_until_decided(processes: &Processes) {
    let deadline = Instant::now() + Duration::from_secs(180);
    loop {
        let board = processes.get("/api/entry/events/rush/board");
        let count = |name: &str| board[name].as_u64().unwrap_or_default();
        if count("succeeded") + count("rejected") == PEOPLE as u64 {
            return;
        }
        assert!(Instant::now() < deadline, "not everybody is decided: {board}");
    }
}

fn check(processes: &Processes, taken: &BTreeMap<usize, String>) {
    let board = processes.get("/api/entry/events/rush/board");
    assert_eq!(board["succeeded"], PLACES, "{board}");
    assert_eq!(board["rejected"], PEOPLE as u64 - PLACES, "{board}");
    assert_eq!((&board["failed"], &board["received"]), (&json!(0), &json!(0)), "{board}");
    assert_eq!(board["capacity"]["remaining"], 0, "{board}");
    let mut given = 0;
    for id in taken.values() {
        let request = processes.get(&format!("/api/entry/operator/requests/{id}"));
        given += u64::from(request["status"] == "SUCCEEDED");
        let log = request["log"].as_array().unwrap();
        let mut stands = &Json::Null;
        for line in log {
            assert_eq!(&line["from"], stands, "{request}");
            stands = &line["to"];
        }
        assert_eq!(stands, &request["status"], "{request}");
    }
    assert_eq!(given, PLACES);
}

/// A draw is verified with its file alone, and a changed file is detected.
#[test]
fn a_draw_is_verified_without_a_server() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("proof.json");
    let entries: Vec<String> = (0..50).map(|number| format!("01J{number:023}")).collect();
    let seed = "5a".repeat(32);
    let mut proof = json!({
        "eventId": "lots", "seed": seed, "seedHash": lottery::hash_of_seed(&seed),
        "drawnAt": "2030-01-01T00:00:00.000Z", "winners": 3, "entries": entries,
        "entriesHash": lottery::hash_of_entries(&entries),
        "winning": lottery::winning("lots", &seed, &entries, 3),
    });
    let verify = |proof: &Json, more: &[&str]| {
        std::fs::File::create(&file).unwrap().write_all(proof.to_string().as_bytes()).unwrap();
        let mut arguments = vec!["entry", "verify-draw", file.to_str().unwrap()];
        arguments.extend(more);
        hansang(&arguments)
    };
    let winner = proof["winning"][0].as_str().unwrap().to_owned();
    let (code, out, _) = verify(&proof, &["--request", &winner]);
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("50 entries, 3 of 3 places drawn") && out.contains("won, as number 1"), "{out}");
    let (code, out, _) = verify(&proof, &["--request", "01JNOBODY"]);
    assert!(code == 4 && out.contains("wrong: 01JNOBODY did not take part"), "{out}");
    assert!(!out.contains("what was promised"), "{out}");
    let entries_hash = proof["entriesHash"].as_str().unwrap().to_uppercase();
    assert_eq!(verify(&proof, &["--entries-hash", &entries_hash]).0, 0);
    let (code, out, _) = verify(&proof, &["--entries-hash", "00"]);
    assert!(code == 4 && out.contains("published hash of the entries is not the given one"), "{out}");
    let (code, out, _) = verify(&proof, &["--seed-hash", "00"]);
    assert!(code == 4 && out.contains("published hash of the seed is not the given one"), "{out}");
    proof["winning"][0] = proof["entries"][0].clone();
    proof["winning"][1] = proof["entries"][1].clone();
    let (code, out, _) = verify(&proof, &[]);
    assert!(code == 4 && out.contains("wrong: repeating the draw gives other winners"), "{out}");
    let (code, _, err) = verify(&json!({"what": 1}), &[]);
    assert!(code == 2 && err.contains("not the proof of a draw"), "{err}");
}

/// Repeats a draw with the independent script. Returns its exit code and its output.
fn script(file: &Path, more: &[&str]) -> (i32, String) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let python = root.join(".tools/venv/bin/python");
    let run = Command::new(&python).arg(root.join("tools/verify_draw.py")).arg(file).args(more).output();
    let run =
        run.unwrap_or_else(|error| panic!("{}: {error}: run ./test, which installs it", python.display()));
    let text = [run.stdout, run.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
    (run.status.code().unwrap(), text)
}

/// Es18: docs/entry.md is enough to write a program that repeats a draw: it agrees with the example, with a draw made here,
/// and on what is wrong with a changed one.
#[test]
fn an_independent_program_repeats_a_draw() {
    let example = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/draw.json"));
    assert_eq!(script(example, &["--request", "01KA0000000000000000000004"]).0, 0);
    assert_eq!(hansang(&["entry", "verify-draw", example.to_str().unwrap()]).0, 0);

    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("proof.json");
    let check = |proof: &Json, more: &[&str]| {
        std::fs::write(&file, proof.to_string()).unwrap();
        let own = ["entry", "verify-draw", file.to_str().unwrap()];
        let (code, out, err) = hansang(&[&own[..], more].concat());
        let (same, told) = script(&file, more);
        assert_eq!(code, same, "{out}{err}{told}");
        (code, told)
    };
    // The id of an event may have letters of any script.
    let (event, seed) = ("가을 추첨", "0123456789abcdef".repeat(4));
    let entries: Vec<String> = (0..500).map(|number| format!("01J{number:023}")).collect();
    let winning = lottery::winning(event, &seed, &entries, 40);
    let proof = json!({
        "eventId": event, "seed": seed, "seedHash": lottery::hash_of_seed(&seed),
        "drawnAt": "2030-01-01T00:00:00.000Z", "winners": 40, "entries": entries,
        "entriesHash": lottery::hash_of_entries(&entries), "winning": winning,
    });
    let entries_hash = lottery::hash_of_entries(&entries);
    assert_eq!(check(&proof, &[]).0, 0);
    assert_eq!(check(&proof, &["--entries-hash", &entries_hash, "--request", &winning[0]]).0, 0);
    let upper = Json::from(proof["seed"].as_str().unwrap().to_uppercase());
    assert_eq!(check(&with(&proof, "seed", upper), &[]).0, 0, "the case of the seed does not matter");

    let mut swapped = entries.clone();
    swapped.swap(3, 4);
    let mut others = winning.clone();
    others.swap(0, 1);
    for (name, value, told) in [
        ("seed", json!("5a".repeat(32)), "the seed does not match seedHash"),
        ("seed", json!("5a"), "not 64 hexadecimal digits"),
        ("seed", json!("+5".repeat(32)), "not 64 hexadecimal digits"),
        ("seedHash", json!("00".repeat(32)), "the seed does not match seedHash"),
        ("eventId", json!("가을"), "other winners"),
        ("winners", json!(39), "other winners"),
        ("winning", json!(others), "other winners"),
        ("winning", json!(["01JNOBODY"]), "other winners"),
        ("entries", json!(entries[1..]), "the entries do not match entriesHash"),
        ("entries", json!(swapped), "not sorted"),
        ("entriesHash", json!("00".repeat(32)), "the entries do not match entriesHash"),
    ] {
        let (code, out) = check(&with(&proof, name, value), &[]);
        assert!(code == 4 && out.contains(told), "{name}: {out}");
    }
    for more in [["--request", "01JNOBODY"], ["--seed-hash", "00"], ["--entries-hash", "00"]] {
        assert_eq!(check(&proof, &more).0, 4, "{more:?}");
    }
    assert_eq!(check(&json!({ "what": 1 }), &[]).0, 2);
}

/// A proof with another value.
fn with(proof: &Json, name: &str, value: Json) -> Json {
    let mut changed = proof.clone();
    changed[name] = value;
    changed
}
