//! Seeding: what is there is skipped, what differs is told and stays, and what was cut off is finished.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use super::{EXAMPLES, Place, change_set, names};

/// R22, R23, R25
#[test]
fn the_examples_are_a_seed_for_development() {
    let place = Place::embedded().seeded();
    let before = place.everything();
    let again = place.ok(&["seed", EXAMPLES, "--created-by", "somebody else"]);
    assert_eq!(again, "uploaded 0, skipped 12, conflicts 0, errors 0\n");
    assert_eq!(place.everything(), before, "nothing is written twice");
}

/// Rs13, Rs19
#[test]
fn another_content_for_a_version_is_a_conflict_and_changes_nothing() {
    for place in [Place::embedded(), Place::files(), Place::server()] {
        place.file("seed/a.yaml", &change_set("1.0.0", "ACTIVE", "{id}"));
        let directory = place.path("seed");
        let seed = ["seed", directory.to_str().unwrap(), "--created-by", "lee"];
        assert_eq!(place.ok(&seed), "uploaded 1, skipped 0, conflicts 0, errors 0\n");
        let before = place.everything();
        let file = place.file("seed/a.yaml", &change_set("1.0.0", "ACTIVE", "{other}"));
        for more in [&["--dry-run"][..], &[]] {
            let (code, out, err) = place.run(&[&seed[..], more].concat());
            assert_eq!((code, &*err), (4, ""), "{out}");
            let conflict =
                format!("{file}: conflict CHANGESET:c:1.0.0: it is registered with another spec (");
            assert!(out.starts_with(&conflict), "{out}");
            assert!(out.ends_with("skipped 0, conflicts 1, errors 0\n"), "{out}");
            assert_eq!(place.everything(), before);
        }
        let (code, out, _) = place.run(&["compare", directory.to_str().unwrap()]);
        let said =
            format!("1 differences between {} (first) and {} (second)\n", place.name, directory.display());
        assert_eq!((code, out.ends_with(&said)), (4, true), "{out}");
        assert!(out.starts_with("CHANGESET:c:1.0.0: its checksum is sha256:"), "{out}");
    }
}

#[test]
fn files_that_cannot_be_read_keep_no_other_from_being_seeded() {
    let place = Place::embedded();
    place.file("seed/good.yaml", &change_set("1.0.0", "ACTIVE", "{id}"));
    let broken = place.file("seed/broken.yaml", "kind: [");
    let nameless = place.file("seed/nameless.yaml", "kind: CHANGESET\n");
    let unserved = place.file("seed/unserved.yaml", &change_set("2.0.0", "ACTIVE", "").replace("\"\"", "1"));
    let directory = place.path("seed");
    let (code, out, err) = place.run(&["seed", directory.to_str().unwrap(), "--created-by", "lee"]);
    assert_eq!((code, &*err), (1, ""), "{out}");
    assert!(out.ends_with("uploaded 1, skipped 0, conflicts 0, errors 3\n"), "{out}");
    for (file, says) in [
        (broken, ": error: "),
        (nameless, ": error: `id` is missing; `version` is missing"),
        (unserved, ": error CHANGESET:c:2.0.0: `spec.identity.entityKeyFormat` must be text"),
    ] {
        assert!(out.contains(&format!("{file}{says}")), "{file}{says}\n{out}");
    }
    assert_eq!(place.json(&["get", "CHANGESET:c:1.0.0"])["createdBy"], "lee");
}

/// A status that differs is told; it is no conflict, because statuses move.
#[test]
fn a_status_that_moved_since_is_told() {
    let place = Place::embedded().seeded();
    place.ok(&["promote", "CHANGESET:changeset.v1:1.1.0", "--by", "kim"]);
    let (code, out, _) = place.run(&["seed", EXAMPLES, "--created-by", "seed"]);
    assert_eq!(code, 0);
    let line = "examples/contracts/changeset.v1-next.yaml: skipped CHANGESET:changeset.v1:1.1.0: its status is \
                ACTIVE, but DRAFT in the file: change it if that is not intended\n";
    assert_eq!(out, format!("{line}uploaded 0, skipped 12, conflicts 0, errors 0\n"));
    let (code, out, _) = place.run(&["compare", EXAMPLES]);
    let line =
        "CHANGESET:changeset.v1:1.1.0: its status is ACTIVE in the first registry and DRAFT in the second\n";
    assert_eq!((code, out.starts_with(line)), (4, true), "{out}");
}

/// Many contracts, each of which names the one before it.
fn chain(place: &Place, length: usize) -> String {
    for number in 0..length {
        let before = match number {
            0 => String::new(),
            _ => format!("previousRef: {{ kind: LINK, id: link-{:04}, version: 1.0.0 }}\n", number - 1),
        };
        let text = format!(
            "kind: LINK\nid: link-{number:04}\nversion: 1.0.0\nfilling: \"{}\"\n{before}",
            "x".repeat(2000)
        );
        place.file(&format!("seed/{number:04}.yaml"), &text);
    }
    place.path("seed").to_str().unwrap().to_owned()
}

/// Kills a process that seeds as soon as something of it is seen, and says whether it was in time.
fn cut_off(place: &Place, seed: &[&str], is_under_way: impl Fn() -> bool) -> bool {
    let mut child = place.command(seed).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while child.try_wait().unwrap().is_none() {
        if is_under_way() {
            child.kill().unwrap();
            return !child.wait().unwrap().success();
        }
    }
    false
}

/// After the process was killed, everything that is there is right, and doing it again does the rest.
fn goes_on(place: &Place, seed: &[&str], length: usize, is_under_way: impl Fn() -> bool) {
    assert!(cut_off(place, seed, is_under_way), "it was done before it could be killed");
    let said = place.ok(&["verify"]);
    let done: usize = said.split(' ').next().unwrap().parse().unwrap();
    assert!((1..length).contains(&done), "{said}");
    let (rest, out) = (length - done, place.ok(seed));
    assert_eq!(out, format!("uploaded {rest}, skipped {done}, conflicts 0, errors 0\n"));
    assert!(place.ok(&["verify"]).starts_with(&format!("{length} contracts of ")));
    assert!(place.ok(&["compare", seed[1]]).ends_with(" agree\n"));
    let last = format!("link-{:04}", length - 2);
    assert_eq!(place.ok(&["referrers", "LINK", &last]).lines().count(), 1);
}

/// The bytes of all files below a directory.
fn size(directory: &Path) -> u64 {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let of = |entry: fs::DirEntry| match entry.metadata() {
        Ok(found) if found.is_dir() => size(&entry.path()),
        Ok(found) => found.len(),
        // It may be gone by now.
        Err(_) => 0,
    };
    entries.map(of).sum()
}

#[test]
fn a_killed_seed_of_a_data_directory_is_finished_by_the_next() {
    let place = Place::embedded();
    let directory = chain(&place, 400);
    let data = place.path("data");
    // A new store has room for more than it holds; one that is opened again has not.
    assert_eq!(place.ok(&["kinds"]), "");
    let before = size(&data);
    assert!(before < 1_000_000, "{before}");
    let seed = ["seed", &directory, "--created-by", "lee"];
    goes_on(&place, &seed, 400, || size(&data) > before + 50_000);
}

#[test]
fn a_killed_seed_of_files_is_finished_by_the_next() {
    let place = Place::files();
    let directory = chain(&place, 100);
    let written = place.path("contracts/LINK");
    let seed = ["seed", &directory, "--created-by", "lee"];
    goes_on(&place, &seed, 100, || written.exists() && names(&written).len() > 5);
}
