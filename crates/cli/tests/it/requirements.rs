//! Requirement ids: every cited id exists, and `docs/requirements.md` lists those that no test cites.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use crate::root;

const PAGE: &str = "docs/requirements.md";
const START: &str = "<!-- generated: UPDATE_DOCS=1 cargo test -p hansang requirements -->\n";
const END: &str = "<!-- end -->";

/// The ids of the page, in its order.
fn ids(page: &str) -> Vec<String> {
    let lines = page.lines().filter_map(|line| line.strip_prefix("- **"));
    lines.filter_map(|line| Some(line.split_once("**")?.0.to_owned())).collect()
}

/// The ids in the doc comments of tests below a folder, each with one of its locations.
fn cited(folder: &Path, found: &mut BTreeMap<String, String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("target") {
            cited(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let source = std::fs::read_to_string(&path).unwrap();
            for id in cited_in(&source) {
                found.entry(id).or_insert_with(|| path.display().to_string());
            }
        }
    }
}

fn cited_in(source: &str) -> BTreeSet<String> {
    let listed = listed_in(source);
    let is_test = |line: &str| {
        let body = line.strip_prefix("async fn ").and_then(|rest| rest.split('(').next());
        line.starts_with("#[test]")
            || line.starts_with("#[tokio::test")
            || body.is_some_and(|name| listed.contains(name))
    };
    let mut ids = BTreeSet::new();
    let mut comment = String::new();
    for line in source.lines().map(str::trim) {
        if let Some(text) = line.strip_prefix("///") {
            comment.push_str(text);
            comment.push(' ');
        } else {
            if is_test(line) {
                ids.extend(
                    comment
                        .split(|c: char| !c.is_ascii_alphanumeric())
                        .filter(|word| is_id(word))
                        .map(str::to_owned),
                );
            }
            comment.clear();
        }
    }
    ids
}

/// The functions that become a test on each store or registry, by a macro that lists them.
fn listed_in(source: &str) -> BTreeSet<&str> {
    let uses = source.split("on_each_").skip(1).filter_map(|rest| rest.split_once('!'));
    let lists = uses.filter_map(|(_, list)| list.split(['}', ')']).next());
    lists.flat_map(|list| list.split(['{', '(', ','])).map(str::trim).collect()
}

fn is_id(word: &str) -> bool {
    let Some(rest) = word.strip_prefix(['C', 'L', 'E', 'D', 'R']) else { return false };
    let digits = rest.strip_prefix('s').unwrap_or(rest);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

#[test]
fn the_page_lists_uncited_ids() {
    let page = std::fs::read_to_string(root().join(PAGE)).unwrap();
    let ids = ids(&page);
    let mut found = BTreeMap::new();
    for folder in ["crates", "systems"] {
        let folder = root().join(folder);
        if folder.exists() {
            cited(&folder, &mut found);
        }
    }
    for (id, location) in &found {
        assert!(ids.contains(id), "{location} cites {id}, which {PAGE} does not have");
    }
    let mut list = String::new();
    for group in ["C", "L", "E", "D", "R"] {
        let open: Vec<&str> = ids
            .iter()
            .filter(|id| id.starts_with(group) && !found.contains_key(*id))
            .map(String::as_str)
            .collect();
        if !open.is_empty() {
            let _ = writeln!(list, "- {}: {}", group, open.join(", "));
        }
    }
    let (before, rest) = page.split_once(START).expect("the page has a generated part");
    let (current, after) = rest.split_once(END).expect("the generated part ends");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(root().join(PAGE), format!("{before}{START}{list}{END}{after}")).unwrap();
    } else {
        assert_eq!(current, list, "run UPDATE_DOCS=1 cargo test -p hansang requirements");
    }
}

#[test]
fn ids_are_read_from_the_comments_of_tests_only() {
    let source = "/// E23, Es4: exactly N.\n#[test]\nfn a() {}\n/// C1\nfn b() {}\n/// D3 of HTTP2\n#[tokio::test]\nasync fn c() {}\n";
    assert_eq!(cited_in(source).into_iter().collect::<Vec<_>>(), ["D3", "E23", "Es4"]);
    let listed =
        "/// R1\nasync fn a(on: On) {}\n/// R2\nasync fn b() {}\non_each_store! {\n    a,\n    c,\n}\n";
    assert_eq!(cited_in(listed).into_iter().collect::<Vec<_>>(), ["R1"]);
}
