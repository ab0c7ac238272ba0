//! Backups and exports of a running server: each is complete and from one snapshot.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use reqwest::blocking::Client;
use serde_json::{Value as Json, json};

use crate::hansang;
use crate::serve::{Server, plain_models, temporary_data};

const SUM: i64 = 1_000_000;

/// Writes both sides of a transfer in one transaction. Their keys are the first and the last of the table.
fn transfer(server: &Server, token: &str, amount: i64) {
    let put = |id: &str, amount: i64| {
        let fields = json!({ "id": id, "title": "Kim", "order": amount });
        json!({ "put": { "entity": "Category", "fields": fields } })
    };
    let body = json!({ "operations": [put("a", amount), put("z", SUM - amount)] });
    let path = format!("{}/api/content/transactions", server.address);
    let done = Client::new().post(path).bearer_auth(token).json(&body).send().unwrap();
    assert!(done.status().is_success(), "{}", done.text().unwrap());
}

/// The sum of both sides of the transfer in lines of items.
fn sum(lines: &str) -> i64 {
    let items = lines.lines().map(|line| serde_json::from_str::<Json>(line).unwrap()["Item"].take());
    let ends = items.filter(|item| item["title"]["S"] == "Kim");
    ends.map(|item| item["order"]["N"].as_str().unwrap().parse::<i64>().unwrap()).sum()
}

/// Fills the table, so that an export takes many pages.
fn fill(server: &Server, token: &str) {
    let line = |n: usize| {
        let line =
            json!({ "$entity": "Category", "id": format!("m{n:05}"), "title": "x".repeat(40), "order": 0 });
        format!("{line}\n")
    };
    let path = format!("{}/api/content/import?format=records", server.address);
    let lines: String = (0..3000).map(line).collect();
    let done = Client::new().post(path).bearer_auth(token).body(lines).send().unwrap();
    assert!(done.status().is_success(), "{}", done.text().unwrap());
}

/// Ends the transfers, also when an assertion fails.
struct StopOnDrop<'s>(&'s AtomicBool);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn exports_and_backups_of_a_running_server_are_of_one_moment() {
    let (directory, data) = temporary_data();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    let models = plain_models(directory.path());
    let many = ["--rate-address", "100000", "--rate-account", "100000", "--models", &models];
    let server = Server::start(&data, &many);
    let token = server.token();
    fill(&server, &token);
    transfer(&server, &token, 0);
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let _stopped = StopOnDrop(&stop);
        scope.spawn(|| {
            for amount in (1..SUM).cycle() {
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                transfer(&server, &token, amount);
            }
        });
        for _ in 0..8 {
            let export = server.get("/api/content/export", &token);
            assert_eq!(sum(&export.text().unwrap()), SUM);
        }
        let remote = ["--server", &server.address, "--token", &token];
        for (verb, name) in [("export", "lines.json"), ("backup", "backup")] {
            let to = path(name);
            let (code, said, error) =
                hansang(&[&["table", verb, "content", "--to", &to][..], &remote].concat());
            assert_eq!(code, 0, "{error}");
            assert!(said.starts_with("3002 items of content"), "{said}");
        }
        let (code, _, error) =
            hansang(&[&["table", "backup", "access", "--to", &path("accounts")][..], &remote].concat());
        assert_eq!(code, 0, "{error}");
    });
    assert_eq!(sum(&fs::read_to_string(path("lines.json")).unwrap()), SUM);
    // Only administrators may back up; a command without the server's address prints a hint.
    let anonymous = hansang(&["table", "backup", "access", "--to", &path("no"), "--server", &server.address]);
    assert_eq!(anonymous.0, 6, "{}", anonymous.2);
    let owned = hansang(&["table", "backup", "access", "--to", &path("no"), "--data", &path("data")]);
    assert!(owned.0 == 5 && owned.2.contains("--server"), "{}", owned.2);
    drop(server);
    restored(&path("restored"), &path("backup"), &path("accounts"), &path("again.json"));
    // The restored accounts accept the same token.
    fs::write(Path::new(&path("restored")).with_extension("done"), "").unwrap();
    let server = Server::start(Path::new(&path("restored")), &[]);
    assert_eq!(server.get("/api/content/export", &token).status(), 200);
    assert_eq!(server.get("/api/access/accounts", &token).status(), 200);
    let log = server.get("/api/access/audit?system=access", &token).text().unwrap();
    assert!(log.contains("backup"), "{log}");
}

/// Restores both backups into a new directory.
fn restored(data: &str, content: &str, accounts: &str, export: &str) {
    for (model, from) in [("models/content.yaml", content), ("access", accounts)] {
        let (code, _, error) = hansang(&["table", "restore", model, "--from", from, "--data", data]);
        assert_eq!(code, 0, "{error}");
    }
    let (code, _, error) =
        hansang(&["table", "export", "models/content.yaml", "--to", export, "--data", data]);
    assert_eq!(code, 0, "{error}");
    assert_eq!(sum(&fs::read_to_string(export).unwrap()), SUM);
}
