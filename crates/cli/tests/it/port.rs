//! Every store implements every method of the port.

use std::fs;
use std::path::{Path, PathBuf};

use crate::root;

/// Methods that a store does not implement, and the reason.
const LEFT: &[(&str, &str, &str)] = &[
    ("DynamoDb", "history", "DynamoDB Streams has an API of its own, which this store does not speak."),
    ("Memory", "history", "A simulation asks nobody what an item was: it has its trace."),
];

/// The source files of our crates.
fn sources(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let below = |path: PathBuf| if path.is_dir() { sources(&path) } else { vec![path] };
    entries.flat_map(below).filter(|path| path.extension().is_some_and(|ext| ext == "rs")).collect()
}

/// The methods of the block that starts with the line `head`: the port itself, or an implementation.
fn methods<'t>(text: &'t str, head: &str) -> Vec<&'t str> {
    let block = text.split_once(head).unwrap().1.split("\n}\n").next().unwrap();
    let named = block.lines().filter_map(|line| line.strip_prefix("    async fn "));
    named.map(|rest| rest.split('(').next().unwrap()).collect()
}

/// A wrapper can forget to forward a method with a default implementation, and the compiler does not report it.
#[test]
fn every_store_implements_every_method_of_the_port() {
    let text = fs::read_to_string(root().join("crates/core/src/store.rs")).unwrap();
    let port = methods(&text, "pub trait Store:");
    assert!(port.contains(&"get") && port.contains(&"history"), "{port:?}");
    let mut stores = Vec::new();
    for path in sources(&root().join("crates")) {
        let text = fs::read_to_string(&path).unwrap();
        for head in text.lines().filter(|line| line.starts_with("impl Store for ")) {
            let store = head.trim_start_matches("impl Store for ").trim_end_matches(" {");
            let own = methods(&text, head);
            for method in &port {
                let left = LEFT.iter().any(|(of, what, _)| of == &store && what == method);
                assert_eq!(own.contains(method), !left, "`{method}` of {store} in {}", path.display());
            }
            stores.push(store.to_owned());
        }
    }
    // The search finds known stores.
    for known in ["DynamoDb", "Embedded", "Faulty", "Metered", "Recorded", "RemoteStore"] {
        assert!(stores.iter().any(|store| store == known), "{known} is not among {stores:?}");
    }
}
