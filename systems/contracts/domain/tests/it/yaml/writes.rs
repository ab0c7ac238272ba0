//! Writes of the registry are atomic, also with concurrent writers.

use std::sync::{Arc, Barrier};
use std::thread;

use expect_test::expect;
use hansang_contracts::{
    ContractCode, ContractError, ContractRegistry, Saved, Status, StoreRegistry, YamlRegistry, register,
};
use hansang_core::Error;
use serde_json::json;

use super::{Files, NAME, WRITTEN};
use crate::grounds::{change_set, clock, db, embedded, new, reference};

#[tokio::test]
async fn a_new_version_is_a_readable_file() {
    let files = Files::new(&[]);
    let spec = json!({ "status": "of the spec", "text": "두 줄\n그리고 또\n", "rate": 0.1, "none": null, "yes": "yes" });
    let new = new("THING:a/b:1.0.0-rc.1", Status::Draft, spec);
    let Saved::New(header) = files.registry.save(&new).await.unwrap() else { panic!("not new") };
    assert_eq!(files.names(), ["THING/a%2Fb/1.0.0-rc.1.yaml"]);
    let text = std::fs::read_to_string(files.path("THING/a%2Fb/1.0.0-rc.1.yaml")).unwrap();
    expect![[r#"
        kind: THING
        id: a/b
        version: 1.0.0-rc.1
        status: DRAFT
        checksum: sha256:x
        createdAt: "2026-11-16T00:00:01Z"
        createdBy: kim
        spec:
          none: null
          rate: 0.1
          status: of the spec
          text: |
            두 줄
            그리고 또
          "yes": "yes"
    "#]]
    .assert_eq(&text.replace(&header.checksum, "sha256:x"));
    let found = files.registry.fetch(&new.reference).await.unwrap();
    assert_eq!((&found.header, &found.spec), (&header, &new.spec));
    assert_eq!(header.created_by.as_deref(), Some("kim"));
}

#[tokio::test]
async fn a_version_in_any_file_exists() {
    let files = Files::new(&[("mine.yaml", WRITTEN)]);
    let saved = files.registry.save(&new(NAME, Status::Active, change_set())).await.unwrap();
    assert!(matches!(saved, Saved::Existing(_)), "{saved:?}");
    let refused = register(&files.registry, new(NAME, Status::Active, change_set())).await.unwrap_err();
    assert_eq!(Error::from(refused).code, ContractCode::VersionExists);
    assert_eq!(files.names(), ["mine.yaml"]);
    assert_eq!(std::fs::read_to_string(files.path("mine.yaml")).unwrap(), WRITTEN);
}

#[tokio::test]
async fn an_existing_file_is_never_overwritten() {
    let other = WRITTEN.replace("id: a", "id: other");
    let files = Files::new(&[("CHANGESET/a/1.0.0.yaml", &other)]);
    let refused = files.registry.save(&new(NAME, Status::Active, change_set())).await.unwrap_err();
    assert_eq!(Error::from(refused).code, ContractCode::FileInTheWay);
    assert_eq!(files.names(), ["CHANGESET/a/1.0.0.yaml"]);
    assert_eq!(std::fs::read_to_string(files.path("CHANGESET/a/1.0.0.yaml")).unwrap(), other);
}

#[tokio::test]
async fn nothing_is_saved_while_a_file_is_unreadable() {
    let files = Files::new(&[("odd.yaml", "{")]);
    let refused = files.registry.save(&new(NAME, Status::Active, change_set())).await.unwrap_err();
    assert!(matches!(refused, ContractError::Corrupted { .. }), "{refused:?}");
    assert_eq!(files.names(), ["odd.yaml"]);
}

/// The limits and messages are those of a table.
#[tokio::test]
async fn the_limits_are_those_of_a_table() {
    let directory = tempfile::tempdir().unwrap();
    let store = StoreRegistry::new(db(embedded(&directory)).await);
    let files = Files::new(&[]);
    let nested = |levels: usize| (0..levels).fold(json!(1), |inner, _| json!({ "a": inner }));
    let specs =
        [nested(31), nested(32), json!({ "a": vec![true; 190_000] }), json!({ "a": "x".repeat(391_000) })];
    for (number, spec) in specs.into_iter().enumerate() {
        let new = new(&format!("THING:a:1.0.{number}"), Status::Draft, spec);
        let mut outcomes = Vec::new();
        for registry in [&store as &dyn ContractRegistry, &files.registry] {
            let made = register(registry, new.clone()).await.map(|made| made.header.checksum);
            assert_eq!(registry.fetch(&new.reference).await.is_ok(), made.is_ok());
            outcomes.push(made);
        }
        assert_eq!(outcomes[0], outcomes[1]);
        assert_eq!(outcomes[0].is_ok(), number != 1, "{number}: {:?}", outcomes[0]);
    }
}

/// Eight registries stand for eight processes: they share only the directory.
#[test]
fn one_of_many_concurrent_saves_succeeds() {
    let files = Files::new(&[]);
    let start = Barrier::new(8);
    let saves = |number: usize, shared: Option<&YamlRegistry>| {
        let own = YamlRegistry::open(files.directory.path().to_owned(), clock()).unwrap();
        let mut spec = change_set();
        spec["marker"] = json!(number);
        let new = new(NAME, Status::Active, spec);
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        start.wait();
        runtime.block_on(shared.unwrap_or(&own).save(&new)).unwrap()
    };
    for shared in [None, Some(&files.registry)] {
        let saved: Vec<Saved> = thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|number| scope.spawn(move || saves(number, shared))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let made: Vec<_> = saved
            .iter()
            .filter_map(|saved| match saved {
                Saved::New(header) => Some(header),
                Saved::Existing(_) => None,
            })
            .collect();
        assert_eq!(made.len(), 1);
        assert!(
            saved.iter().all(
                |saved| matches!(saved, Saved::New(header) | Saved::Existing(header) if header == made[0])
            )
        );
        assert_eq!(files.names(), ["CHANGESET/a/1.0.0.yaml"]);
        std::fs::remove_file(files.path("CHANGESET/a/1.0.0.yaml")).unwrap();
    }
}

#[tokio::test]
async fn files_left_by_a_crash_are_ignored() {
    let half = "kind: CHANGESET\nid: a\nversion: 1.0.0\nidentity: {entityKey";
    let own = |number: usize| format!("CHANGESET/a/.{}-{number}.tmp", std::process::id());
    let files = Files::new(&[("CHANGESET/a/.999999-0.tmp", half)]);
    // Names that this process would use.
    for number in 0..64 {
        files.write(&own(number), half);
    }
    assert_eq!(files.fetch(NAME).await.unwrap_err(), ContractError::NotFound(reference(NAME)));
    assert!(files.registry.walk(None).await.unwrap().found.is_empty());
    let saved = files.registry.save(&new(NAME, Status::Draft, change_set())).await.unwrap();
    assert!(matches!(saved, Saved::New(_)));
    let moved = files
        .registry
        .set_status(&reference(NAME), Status::Draft, Status::Active, &"lee".into())
        .await
        .unwrap();
    assert_eq!(files.fetch(NAME).await.unwrap().header, moved);
    assert_eq!(std::fs::read_to_string(files.path(&own(63))).unwrap(), half);
    let shown: Vec<String> = files.names().into_iter().filter(|name| !name.contains("/.")).collect();
    assert_eq!(shown, ["CHANGESET/a/1.0.0.yaml"]);
}

#[tokio::test]
async fn a_status_change_keeps_the_rest_of_a_file() {
    let text = "# Keep this.\nkind: CHANGESET\nid: a\nversion: 1.0.0\nstatus: DRAFT\n\nidentity:\n  entityKeyFormat: x # and this\nrate: 1.50\n";
    let files = Files::new(&[("mine.yml", text)]);
    let before = files.fetch(NAME).await.unwrap();
    let name = reference(NAME);
    let moved = files.registry.set_status(&name, Status::Draft, Status::Active, &"lee".into()).await.unwrap();
    let after = files.fetch(NAME).await.unwrap();
    assert_eq!((&after.header, &after.spec), (&moved, &before.spec));
    assert_eq!((after.header.status, &after.header.checksum), (Status::Active, &before.header.checksum));
    assert_eq!(after.header.status_changed.as_ref().unwrap().by, "lee");
    let written = std::fs::read_to_string(files.path("mine.yml")).unwrap();
    for kept in ["# Keep this.\n", "  entityKeyFormat: x # and this\nrate: 1.50\n"] {
        assert!(written.contains(kept), "{written}");
    }
    assert_eq!(files.names(), ["mine.yml"]);
}

/// Every status change has the same result and message as on a table.
#[tokio::test]
async fn status_changes_are_rejected_like_on_a_table() {
    let directory = tempfile::tempdir().unwrap();
    let store = StoreRegistry::new(db(embedded(&directory)).await);
    let files = Files::new(&[]);
    let all = || Status::ALL.into_iter();
    let moves = all().flat_map(|is| all().flat_map(move |from| all().map(move |to| (is, from, to))));
    for (number, (is, from, to)) in moves.enumerate() {
        let name = format!("CHANGESET:a:1.0.{number}");
        let mut outcomes = Vec::new();
        for registry in [&store as &dyn ContractRegistry, &files.registry] {
            registry.save(&new(&name, is, change_set())).await.unwrap();
            let moved = registry.set_status(&reference(&name), from, to, &"lee".into()).await;
            let status = registry.fetch(&reference(&name)).await.unwrap().header.status;
            outcomes.push((moved.map(|header| header.status), status));
        }
        assert_eq!(outcomes[0], outcomes[1], "{is}: {from} to {to}");
    }
    let missing = reference("CHANGESET:a:2.0.0");
    let moved = files.registry.set_status(&missing, Status::Draft, Status::Active, &"lee".into()).await;
    assert_eq!(moved.unwrap_err(), ContractError::NotFound(missing));
}

/// Many threads read and write through one registry; no reader sees a partial file.
#[test]
fn readers_never_see_a_file_that_is_being_written() {
    let files = Arc::new(Files::new(&[("a.yaml", &format!("{WRITTEN}status: ACTIVE\n"))]));
    thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            for _ in 0..50 {
                for (from, to) in [(Status::Active, Status::Deprecated), (Status::Deprecated, Status::Active)]
                {
                    runtime
                        .block_on(files.registry.set_status(&reference(NAME), from, to, &"lee".into()))
                        .unwrap();
                }
            }
        });
        let other = YamlRegistry::open(files.directory.path().to_owned(), clock()).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        while !writer.is_finished() {
            let found = runtime.block_on(other.fetch(&reference(NAME))).unwrap();
            assert_ne!(found.header.status, Status::Draft);
        }
        writer.join().unwrap();
    });
}
