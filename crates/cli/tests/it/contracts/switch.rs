//! A running server switches from its store to files and back by its settings.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use reqwest::blocking::Client;
use serde_json::Value as Json;

use super::{EXAMPLES, Setup, change_set};
use crate::hansang;
use crate::serve::{self, Server};

/// A server with a file of settings, and the examples in its store and in files.
struct Switching {
    behind: Setup,
    server: Server,
    token: String,
    data: PathBuf,
    settings: String,
}

/// A contract that only the files have.
const MARK: &str = "/api/contracts/kinds/CHANGESET/c/1.0.0";

impl Switching {
    fn start() -> Self {
        let (folder, data) = serve::temporary_data();
        let settings = folder.path().join("hansang.toml").to_str().unwrap().to_owned();
        fs::write(&settings, "").unwrap();
        let rates = ["--rate-address", "1000000", "--rate-account", "1000000"];
        let server = Server::start(&data, &[&["--config", &settings], &rates[..]].concat());
        let token = server.token();
        let location = ["--server", &server.address, "--token", &token].map(str::to_owned).to_vec();
        let behind = Setup { folder, location, name: String::new(), by: &[], _server: None };
        behind.ok(&["seed", EXAMPLES, "--created-by", "seed"]);
        for (number, line) in behind.everything().lines().enumerate() {
            let header: Json = serde_json::from_str(line).unwrap();
            let part = |name: &str| header[name].as_str().unwrap();
            let reference = format!("{}:{}:{}", part("kind"), part("id"), part("version"));
            // The output of `get` is a valid contract file.
            let (_, text, _) = behind.run(&["get", &reference, "--draft"]);
            behind.file(&format!("files/{number}.yaml"), &text);
        }
        behind.file("files/mark.yaml", &change_set("1.0.0", "ACTIVE", "{id}"));
        Self { behind, server, token, data, settings }
    }

    /// Changes the settings and reloads the server.
    fn load(&self, settings: &str) -> (i32, String) {
        fs::write(&self.settings, settings).unwrap();
        let data = self.data.to_str().unwrap();
        let (code, _, err) = hansang(&["reload", "--data", data, "--config", &self.settings]);
        (code, err)
    }

    fn use_files(&self) {
        let files = self.behind.path("files");
        let settings = format!("contracts-from = {:?}\n", files.to_str().unwrap());
        assert_eq!(self.load(&settings), (0, "loaded\n".to_owned()));
        assert_eq!(self.server.get(MARK, &self.token).status(), 200);
    }

    fn use_store(&self) {
        assert_eq!(self.load(""), (0, "loaded\n".to_owned()));
        assert_eq!(self.server.get(MARK, &self.token).status(), 404);
    }

    /// The response: the status, the relevant headers, and the body.
    fn ask(&self, client: &Client, path: &str) -> (u16, Vec<Option<String>>, Json) {
        let address = format!("{}{path}", self.server.address);
        let response = client.get(address).bearer_auth(&self.token).send().unwrap();
        let header = |name: &str| Some(response.headers().get(name)?.to_str().unwrap().to_owned());
        let headers = ["etag", "contract-status", "cache-control", "deprecation"].map(header).to_vec();
        let status = response.status().as_u16();
        let mut said: Json = serde_json::from_str(&response.text().unwrap()).unwrap();
        // Only the trace id differs between requests.
        said.as_object_mut().unwrap().remove("traceId");
        (status, headers, said)
    }
}

const ASKED: [&str; 9] = [
    "/api/contracts/kinds",
    "/api/contracts/kinds/CHANGESET/changeset.v1/1.0.0",
    "/api/contracts/kinds/CHANGESET/changeset.v1/1.1.0",
    "/api/contracts/kinds/CHANGESET/changeset.v1/1.1.0?draft=true",
    "/api/contracts/kinds/CHANGESET/changeset.v1/9.0.0",
    "/api/contracts/kinds/RULESET/ruleset.product.v1/1.0.0",
    "/api/contracts/kinds/RULESET/ruleset.product.v1/latest?range=%5E1",
    "/api/contracts/kinds/RULESET/ruleset.product.v1",
    "/api/contracts/kinds/CHANGESET/changeset.v1/referrers",
];

/// Waits for this number of responses.
fn wait_for(answered: &AtomicUsize, more: usize) {
    let (began, until) = (Instant::now(), answered.load(Ordering::Relaxed) + more);
    while answered.load(Ordering::Relaxed) < until {
        assert!(began.elapsed() < Duration::from_secs(60), "no more responses");
        thread::yield_now();
    }
}

/// No request fails, and no response changes. R24
#[test]
fn a_server_is_switched_to_files_and_back_while_it_is_used() {
    let switching = Switching::start();
    let client = Client::new();
    let expected: Vec<_> = ASKED.iter().map(|path| switching.ask(&client, path)).collect();
    let statuses: Vec<u16> = expected.iter().map(|(status, ..)| *status).collect();
    assert_eq!(statuses, [200, 200, 404, 200, 404, 200, 200, 200, 200]);
    let (done, answered) = (AtomicBool::new(false), AtomicUsize::new(0));
    thread::scope(|scope| {
        let readers: Vec<_> = (0..3)
            .map(|_| {
                scope.spawn(|| {
                    let client = Client::new();
                    while !done.load(Ordering::Relaxed) {
                        for (path, expected) in ASKED.iter().zip(&expected) {
                            assert_eq!(switching.ask(&client, path), *expected, "{path}");
                            answered.fetch_add(1, Ordering::Relaxed);
                        }
                    }
                })
            })
            .collect();
        for _ in 0..4 {
            wait_for(&answered, 50);
            switching.use_files();
            wait_for(&answered, 50);
            switching.use_store();
        }
        done.store(true, Ordering::Relaxed);
        for reader in readers {
            reader.join().unwrap();
        }
    });
}

#[test]
fn invalid_settings_change_nothing() {
    let switching = Switching::start();
    switching.use_files();
    let nowhere = "contracts-from = \"/nonexistent\"\n";
    let (code, said) = switching.load(nowhere);
    assert_eq!((code, said.contains("/nonexistent is not a directory")), (2, true), "{said}");
    // Without --config only the server reads the file, and rejects it.
    for (settings, says) in [
        (nowhere, "/nonexistent is not a directory"),
        ("contracts-cache-seconds = 0\n", "`contracts-cache-seconds` must be a whole number from 1 on"),
        ("contracts-cache-entries = \"many\"\n", "`contracts-cache-entries` must be a whole number"),
        ("contracts-form = \"x\"\n", "did you mean `contracts-from`?"),
    ] {
        fs::write(&switching.settings, settings).unwrap();
        let (code, _, err) = hansang(&["reload", "--data", switching.data.to_str().unwrap()]);
        assert_eq!((code, err.contains(says)), (1, true), "{err}");
        assert_eq!(switching.server.get(MARK, &switching.token).status(), 200, "the files are still served");
    }
    switching.use_store();
}

/// The settings of the cache can change, too. R17
#[test]
fn settings_configure_the_cache() {
    let switching = Switching::start();
    let cache = || -> Json {
        let answer = switching.server.get("/api/contracts/cache", &switching.token);
        serde_json::from_str(&answer.text().unwrap()).unwrap()
    };
    let load = |times: usize| {
        for _ in 0..times {
            assert_eq!(switching.server.get(ASKED[1], &switching.token).status(), 200);
        }
    };
    let settings = || cache()["settings"].clone();
    assert_eq!(settings(), serde_json::json!({ "entries": 10_000, "ttlSeconds": 30 }));
    switching.load("contracts-cache-seconds = 7\ncontracts-cache-entries = 5\n");
    assert_eq!(settings(), serde_json::json!({ "entries": 5, "ttlSeconds": 7 }));
    load(3);
    assert_eq!((&cache()["loads"], &cache()["hits"]), (&1.into(), &2.into()));
    // With the same settings the statistics are kept, and the cached versions are dropped.
    switching.load("contracts-cache-seconds = 7\ncontracts-cache-entries = 5\n");
    load(2);
    assert_eq!((&cache()["loads"], &cache()["hits"]), (&2.into(), &3.into()));
    switching.load("contracts-cache-entries = 0\n");
    load(3);
    assert_eq!((&cache()["loads"], &cache()["hits"]), (&3.into(), &0.into()));

    let (_directory, data) = serve::temporary_data();
    for (env, seconds) in [("dev", 30), ("development", 30), ("local", 30), ("prod", 300)] {
        let server = Server::start(&data.with_file_name(env), &["--env", env]);
        let answer = server.get("/api/contracts/cache", &server.token());
        let answer: Json = serde_json::from_str(&answer.text().unwrap()).unwrap();
        assert_eq!(answer["settings"]["ttlSeconds"], seconds, "{env}");
    }
}
