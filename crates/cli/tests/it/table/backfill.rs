//! `hansang table backfill`: a changed model, writers at the same time, an interruption.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use hansang_aws::{AccessKey, DynamoDb};
use hansang_core::cursor::CursorKey;
use hansang_core::db::Clock;
use hansang_core::plan::{Change, Path as Part};
use hansang_core::write::{Moment, Update};
use hansang_core::{Db, compile, name};
use reqwest::blocking::Client;

use super::{Command, Item, MODEL, Setup, Value, endpoint, fs, json};
use crate::serve::Server;

const PRODUCTS: usize = 6000;

/// The model with a second index and another constraint.
fn changed() -> String {
    let index = "    GSI1: { pk: GSI1PK, sk: GSI1SK }";
    let entry = "GSI1SK: \"{id}\" }";
    let model = MODEL.replace(index, &format!("{index}\n    GSI2: {{ pk: GSI2PK, sk: GSI2SK }}")).replace(
        entry,
        &format!("{entry}, GSI2: {{ GSI2PK: \"NOTE#{{note}}\", GSI2SK: \"{{kind}}#{{id}}\" }}"),
    );
    format!("{model}\npatterns:\n  byNote: {{ entity: Product, index: GSI2, given: [note] }}\n")
}

/// Removes the pointers, so that the items are as if the constraint were new.
fn without_pointers(setup: &Setup, name: &str) {
    let text = fs::read_to_string(setup.path(name)).unwrap();
    let kept: Vec<&str> = text.lines().filter(|line| !line.contains("UNIQUE#")).collect();
    fs::write(setup.path(name), kept.join("\n")).unwrap();
}

/// Starts a backfill and kills it at its first checkpoint.
fn cut_off(setup: &Setup, command: &mut Command) -> bool {
    let mut child = command.stdout(std::process::Stdio::null()).spawn().unwrap();
    while child.try_wait().unwrap().is_none() {
        let entries = fs::read_dir(setup.folder.path()).unwrap().flatten();
        let has = |name: std::ffi::OsString| name.to_string_lossy().ends_with(".backfill-progress");
        if entries.map(|entry| entry.file_name()).any(has) {
            child.kill().unwrap();
            child.wait().unwrap();
            return true;
        }
    }
    false
}

/// C32: a backfill that is cut off while others edit goes on, overwrites no edit, and leaves nothing undone.
fn backfill(setup: &Setup, more: &[&str], edit: impl Fn(usize, &str) + Sync) {
    let (stop, edits) = (AtomicBool::new(false), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                let number = edits.fetch_add(1, Ordering::Relaxed);
                edit(number * 7 % PRODUCTS, &format!("edited {}", number % 5));
            }
        });
        let bound = [more, &["--rate", "2000"]].concat();
        assert!(cut_off(setup, &mut setup.command("backfill", &bound)));
        let out = setup.ok("backfill", more);
        stop.store(true, Ordering::Relaxed);
        writer.join().unwrap();
        assert!(out.contains(" of them before it was cut off)\nverified: "), "{out}");
    });
    assert!(edits.load(Ordering::Relaxed) > 0);
    // Nothing is left to do.
    let out = setup.ok("backfill", more);
    assert!(out.starts_with("0 of "), "{out}");
}

#[test]
fn items_in_dynamodb_are_backfilled_while_others_write() {
    let setup = Setup::dynamodb("backfill");
    setup.items("in.json", PRODUCTS);
    without_pointers(&setup, "in.json");
    setup.ok("import", &["in.json"]);
    fs::write(setup.path("shop.yaml"), changed()).unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let settings = hansang_aws::Settings {
        region: Some("eu-central-1".to_owned()),
        endpoint_url: Some(endpoint().to_owned()),
        access_key: Some(AccessKey { id: "test".to_owned(), secret: "test".to_owned() }),
        ..hansang_aws::Settings::default()
    };
    let store = std::sync::Arc::new(runtime.block_on(DynamoDb::connect(settings)).unwrap());
    let clock = Clock::new(|| Moment { now: jiff::Timestamp::UNIX_EPOCH, random: 1 });
    let model = compile(changed().as_bytes()).unwrap().into();
    let db = Db::new(model, Some("backfill"), store, clock, CursorKey::new(b"tests"));
    let key = |number: usize| Item::from([(name!("id"), Value::from(format!("p{number:06}")))]);
    let last = std::sync::Mutex::new(std::collections::BTreeMap::new());
    backfill(&setup, &[], |number, note| {
        let path = Part { root: name!("note"), inside: Vec::new() };
        let changes = vec![(path, Change::Set(note.into()))];
        let update = Update { key: key(number), changes, expected_version: None };
        runtime.block_on(db.update("Product", update)).unwrap();
        last.lock().unwrap().insert(number, note.to_owned());
    });
    for (number, note) in last.into_inner().unwrap() {
        let stored = runtime.block_on(db.get("Product", &key(number), &Default::default())).unwrap().unwrap();
        assert_eq!(stored.text("note"), Some(&*note), "{number}");
    }
    assert_eq!(
        setup.ok("verify", &[]),
        format!("{} items of {} are as the model says\n", 2 * PRODUCTS, db.table().name)
    );
}

#[test]
fn items_of_a_running_server_are_backfilled_while_others_write() {
    let setup = Setup::embedded();
    setup.items("in.json", PRODUCTS);
    without_pointers(&setup, "in.json");
    setup.ok("import", &["in.json"]);
    fs::write(setup.path("shop.yaml"), changed()).unwrap();
    fs::create_dir(setup.path("models")).unwrap();
    fs::copy(setup.path("shop.yaml"), setup.path("models/shop.yaml")).unwrap();
    let models = setup.path("models");
    let limits = ["--rate-address", "1000000", "--rate-account", "1000000", "--lend-ports"];
    let arguments = [&["--models", models.to_str().unwrap()][..], &limits].concat();
    let server = Server::start(&setup.path("hansang-data"), &arguments);
    let token = server.token();
    let client = Client::new();
    backfill(&setup, &["--server", &server.address, "--token", &token], |number, note| {
        let body = json!({ "note": note });
        let path = format!("{}/api/shop/entities/Product/p{number:06}", server.address);
        let done = client.patch(path).bearer_auth(&token).json(&body).send().unwrap();
        assert!(done.status().is_success(), "{}", done.text().unwrap());
    });
    drop(server);
    assert_eq!(setup.ok("verify", &[]), format!("{} items of Shop are as the model says\n", 2 * PRODUCTS));
}

/// Two items with one value of a constraint that is new are named, and nothing is changed for them. Pointers of a constraint
/// that is gone are removed.
#[test]
fn a_backfill_names_values_that_are_not_unique() {
    let setup = Setup::embedded();
    setup.items("in.json", 3);
    let text = fs::read_to_string(setup.path("in.json")).unwrap();
    fs::write(setup.path("in.json"), text.replace("\"code\":{\"S\":\"c2\"}", "\"code\":{\"S\":\"c1\"}"))
        .unwrap();
    without_pointers(&setup, "in.json");
    setup.ok("import", &["in.json"]);
    let (code, out, err) = setup.run("backfill", &[]);
    assert_eq!((code, err.as_str()), (1, ""), "{out}");
    assert!(out.contains("PRODUCT#p00000"), "{out}");
    assert!(out.contains(" has the same unique value\n1 problems are left"), "{out}");
    let plain = MODEL.replace("    unique: { code: [code] }\n", "");
    fs::write(setup.path("shop.yaml"), plain).unwrap();
    let out = setup.ok("backfill", &[]);
    assert!(out.starts_with("2 of 5 items of Shop written\nverified"), "{out}");
    assert_eq!(setup.ok("verify", &[]), "3 items of Shop are as the model says\n");
    let (code, _, err) = setup.run("backfill", &["--index", "GSI9"]);
    assert_eq!((code, err.contains("there is no index `GSI9`: did you mean `GSI1`?")), (2, true), "{err}");
}
