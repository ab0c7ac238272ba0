//! A server with a full disk or without its accounts.

use std::process::Command;
use std::time::{Duration, Instant};

use reqwest::blocking::{Client, Response};
use rustix::process::{Resource, Rlimit, prlimit};
use serde_json::{Value as Json, json};

use crate::hansang;
use crate::serve::{Server, plain_models, temporary_data};

const CATEGORY: &str = "/api/content/entities/Category/c1";

fn put(server: &Server, token: &str, title: &str) -> Response {
    let path = format!("{}{CATEGORY}", server.address);
    Client::new().put(path).bearer_auth(token).json(&json!({ "title": title })).send().unwrap()
}

#[test]
fn a_directory_that_lost_its_accounts_gets_no_set_up_link() {
    let (directory, data) = temporary_data();
    let server = Server::start(&data, &[]);
    let token = server.token();
    let began = Instant::now();
    while !std::fs::read_to_string(data.join("hansang.json")).unwrap().contains("administrator of") {
        assert_eq!(server.get("/health/live", &token).status(), 200);
        assert!(began.elapsed() < Duration::from_secs(60), "the administrator was not recorded");
    }
    drop(server);
    // Another directory without accounts, with the same record of its set-up.
    let fresh = directory.path().join("fresh");
    assert_eq!(hansang(&["table", "create", "ledger", "--data", fresh.to_str().unwrap()]).0, 0);
    let fact = |path: &std::path::Path| std::fs::read_to_string(path.join("hansang.json")).unwrap();
    assert!(!fact(&fresh).contains("administrator of"));
    let store = hansang_embedded::Embedded::open(&fresh, options()).unwrap();
    store.remember("administrator of HansangAccess").unwrap();
    drop(store);
    let (code, _, said) = hansang(&["serve", "--listen", "127.0.0.1:0", "--data", fresh.to_str().unwrap()]);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("had an administrator") && !said.contains("key="), "{said}");
}

fn options() -> hansang_embedded::Options {
    hansang_embedded::Options::new(std::sync::Arc::new(|| jiff::Timestamp::UNIX_EPOCH))
}

#[test]
fn a_full_disk_fails_writes_and_readiness_until_there_is_room() {
    let (directory, data) = temporary_data();
    // A limit on the size of files acts like a full disk. Its signal would end the process.
    let mut command = Command::new("bash");
    command.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_hansang")]);
    let server = Server::spawn(&mut command, &data, &["--models", &plain_models(directory.path())]);
    let token = server.token();
    assert!(put(&server, &token, "before").status().is_success());
    let limit =
        |bytes| prlimit(Some(server.pid()), Resource::Fsize, Rlimit { current: bytes, maximum: None });
    limit(Some(0)).unwrap();
    for _ in 0..20 {
        let refused = put(&server, &token, "lost");
        assert_eq!(refused.status(), 503);
        let problem: Json = serde_json::from_str(&refused.text().unwrap()).unwrap();
        assert_eq!(problem["code"], "store_unavailable", "{problem}");
    }
    assert_eq!(server.get("/health/ready", &token).status(), 503);
    let stored = server.get(CATEGORY, &token);
    assert_eq!(stored.status(), 200);
    assert!(stored.text().unwrap().contains("before"));
    limit(None).unwrap();
    let began = Instant::now();
    while server.get("/health/ready", &token).status() != 200 {
        assert!(began.elapsed() < Duration::from_secs(60), "the store did not recover");
        std::thread::yield_now();
    }
    assert!(put(&server, &token, "after").status().is_success());
    let stored = server.get(CATEGORY, &token);
    assert!(stored.text().unwrap().contains("after"));
}
