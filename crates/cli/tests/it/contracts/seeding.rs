//! Seeding: existing versions are skipped, conflicts are reported and change nothing, and an interrupted seed can be
//! finished.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use super::{EXAMPLES, Setup, change_set, names};

/// R22, R23, R25
#[test]
fn the_examples_are_a_seed_for_development() {
    let setup = Setup::embedded().seeded();
    let before = setup.everything();
    let again = setup.ok(&["seed", EXAMPLES, "--created-by", "somebody else"]);
    assert_eq!(again, "uploaded 0, skipped 12, conflicts 0, errors 0\n");
    assert_eq!(setup.everything(), before, "nothing is written twice");
}

/// Rs13, Rs19
#[test]
fn another_content_for_a_version_is_a_conflict_and_changes_nothing() {
    for setup in [Setup::embedded(), Setup::files(), Setup::server()] {
        setup.file("seed/a.yaml", &change_set("1.0.0", "ACTIVE", "{id}"));
        let directory = setup.path("seed");
        let seed = ["seed", directory.to_str().unwrap(), "--created-by", "lee"];
        assert_eq!(setup.ok(&seed), "uploaded 1, skipped 0, conflicts 0, errors 0\n");
        let before = setup.everything();
        let file = setup.file("seed/a.yaml", &change_set("1.0.0", "ACTIVE", "{other}"));
        for more in [&["--dry-run"][..], &[]] {
            let (code, out, err) = setup.run(&[&seed[..], more].concat());
            assert_eq!((code, &*err), (4, ""), "{out}");
            let conflict =
                format!("{file}: conflict CHANGESET:c:1.0.0: it is registered with another spec (");
            assert!(out.starts_with(&conflict), "{out}");
            assert!(out.ends_with("skipped 0, conflicts 1, errors 0\n"), "{out}");
            assert_eq!(setup.everything(), before);
        }
        let (code, out, _) = setup.run(&["compare", directory.to_str().unwrap()]);
        let said =
            format!("1 differences between {} (first) and {} (second)\n", setup.name, directory.display());
        assert_eq!((code, out.ends_with(&said)), (4, true), "{out}");
        assert!(out.starts_with("CHANGESET:c:1.0.0: its checksum is sha256:"), "{out}");
    }
}

#[test]
fn unreadable_files_do_not_block_others() {
    let setup = Setup::embedded();
    setup.file("seed/good.yaml", &change_set("1.0.0", "ACTIVE", "{id}"));
    let broken = setup.file("seed/broken.yaml", "kind: [");
    let nameless = setup.file("seed/nameless.yaml", "kind: CHANGESET\n");
    let unserved = setup.file("seed/unserved.yaml", &change_set("2.0.0", "ACTIVE", "").replace("\"\"", "1"));
    let directory = setup.path("seed");
    let (code, out, err) = setup.run(&["seed", directory.to_str().unwrap(), "--created-by", "lee"]);
    assert_eq!((code, &*err), (1, ""), "{out}");
    assert!(out.ends_with("uploaded 1, skipped 0, conflicts 0, errors 3\n"), "{out}");
    for (file, says) in [
        (broken, ": error: "),
        (nameless, ": error: `id` is missing; `version` is missing"),
        (unserved, ": error CHANGESET:c:2.0.0: `spec.identity.entityKeyFormat` must be text"),
    ] {
        assert!(out.contains(&format!("{file}{says}")), "{file}{says}\n{out}");
    }
    assert_eq!(setup.json(&["get", "CHANGESET:c:1.0.0"])["createdBy"], "lee");
}

/// Another status is reported, but no conflict, because statuses change.
#[test]
fn another_status_is_reported() {
    let setup = Setup::embedded().seeded();
    setup.ok(&["promote", "CHANGESET:changeset.v1:1.1.0", "--by", "kim"]);
    let (code, out, _) = setup.run(&["seed", EXAMPLES, "--created-by", "seed"]);
    assert_eq!(code, 0);
    let line = "examples/contracts/changeset.v1-next.yaml: skipped CHANGESET:changeset.v1:1.1.0: its status is \
                ACTIVE, but DRAFT in the file: change it if that is not intended\n";
    assert_eq!(out, format!("{line}uploaded 0, skipped 12, conflicts 0, errors 0\n"));
    let (code, out, _) = setup.run(&["compare", EXAMPLES]);
    let line =
        "CHANGESET:changeset.v1:1.1.0: its status is ACTIVE in the first registry and DRAFT in the second\n";
    assert_eq!((code, out.starts_with(line)), (4, true), "{out}");
}

/// A chain of contracts, each of which refers to the one before it.
fn chain(setup: &Setup, length: usize) -> String {
    for number in 0..length {
        let before = match number {
            0 => String::new(),
            _ => format!("previousRef: {{ kind: LINK, id: link-{:04}, version: 1.0.0 }}\n", number - 1),
        };
        let text = format!(
            "kind: LINK\nid: link-{number:04}\nversion: 1.0.0\nfilling: \"{}\"\n{before}",
            "x".repeat(2000)
        );
        setup.file(&format!("seed/{number:04}.yaml"), &text);
    }
    setup.path("seed").to_str().unwrap().to_owned()
}

/// Kills a seeding process as soon as it has written something. Returns whether it was still running.
fn cut_off(setup: &Setup, seed: &[&str], is_under_way: impl Fn() -> bool) -> bool {
    let mut child = setup.command(seed).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while child.try_wait().unwrap().is_none() {
        if is_under_way() {
            child.kill().unwrap();
            return !child.wait().unwrap().success();
        }
    }
    false
}

/// After the kill all written versions are valid, and seeding again adds the rest.
fn goes_on(setup: &Setup, seed: &[&str], length: usize, is_under_way: impl Fn() -> bool) {
    assert!(cut_off(setup, seed, is_under_way), "it finished before it could be killed");
    let said = setup.ok(&["verify"]);
    let done: usize = said.split(' ').next().unwrap().parse().unwrap();
    assert!((1..length).contains(&done), "{said}");
    let (rest, out) = (length - done, setup.ok(seed));
    assert_eq!(out, format!("uploaded {rest}, skipped {done}, conflicts 0, errors 0\n"));
    assert!(setup.ok(&["verify"]).starts_with(&format!("{length} contracts of ")));
    assert!(setup.ok(&["compare", seed[1]]).ends_with(" agree\n"));
    let last = format!("link-{:04}", length - 2);
    assert_eq!(setup.ok(&["referrers", "LINK", &last]).lines().count(), 1);
}

/// The bytes of all files below a directory.
fn size(directory: &Path) -> u64 {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let of = |entry: fs::DirEntry| match entry.metadata() {
        Ok(found) if found.is_dir() => size(&entry.path()),
        Ok(found) => found.len(),
        // The file may have been deleted.
        Err(_) => 0,
    };
    entries.map(of).sum()
}

#[test]
fn a_killed_seed_of_a_data_directory_is_finished_by_the_next() {
    let setup = Setup::embedded();
    let directory = chain(&setup, 400);
    let data = setup.path("data");
    // A new store allocates more space than it uses; a reopened one does not.
    assert_eq!(setup.ok(&["kinds"]), "");
    let before = size(&data);
    assert!(before < 1_000_000, "{before}");
    let seed = ["seed", &directory, "--created-by", "lee"];
    goes_on(&setup, &seed, 400, || size(&data) > before + 50_000);
}

#[test]
fn a_killed_seed_of_files_is_finished_by_the_next() {
    let setup = Setup::files();
    let directory = chain(&setup, 100);
    let written = setup.path("contracts/LINK");
    let seed = ["seed", &directory, "--created-by", "lee"];
    goes_on(&setup, &seed, 100, || written.exists() && names(&written).len() > 5);
}
