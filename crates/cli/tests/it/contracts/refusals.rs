//! Errors with their messages and exit codes; corrupted versions are reported and never printed.

use std::fs;
use std::sync::Arc;

use hansang_core::plan::{Get, Key};
use hansang_core::{Item, Store as _, Value, compile};
use hansang_embedded::{Embedded, Options};

use super::{EXAMPLES, Setup, change_set, endpoint};
use crate::data::{command, finish};
use crate::root;

#[test]
fn invalid_arguments_are_explained() {
    let setup = Setup::embedded();
    let one = "CHANGESET:c:1.0.0";
    let file = setup.file("c.yaml", &change_set("1.0.0", "ACTIVE", "{id}"));
    for (arguments, says) in [
        (vec!["get", "CHANGESET"], "a contract must be named as KIND:ID:VERSION"),
        (vec!["get", "9changeset:c:1.0.0"], "`kind` must be a name such as CHANGESET or ChangeSetContract"),
        (vec!["get", "CHANGESET:a#b:1.0.0"], "`id` must not contain `#`"),
        (vec!["get", "CHANGESET:c:1.0"], "`version` must be a version such as 1.4.0"),
        (vec!["list", "CHANGESET", "--status", "active"], "must be DRAFT, ACTIVE or DEPRECATED"),
        (vec!["list", "CHANGESET", "--cursor", "x"], "cursor"),
        (vec!["latest", "CHANGESET", "c", "--range", "newest"], "a range such as ^1.2"),
        (vec!["seed", EXAMPLES], "--created-by"),
        (
            vec!["seed", "nowhere", "--created-by", "x"],
            "nowhere is not a directory: create it, or give another",
        ),
        (vec!["seed", "docs", "--created-by", "x"], "there is no .yaml file in docs"),
        (vec!["compare", "nowhere"], "nowhere is not a directory: create it, or give another"),
        (vec!["register", &file], "say who registers it, with --created-by"),
        (vec!["register", "nowhere.yaml", "--created-by", "x"], "cannot read nowhere.yaml"),
        (vec!["promote", one], "say who does it, with --by"),
        (vec!["deprecate", one], "say who does it, with --by"),
        (vec!["restore", one], "say who does it, with --by"),
        (vec!["check", one], "required arguments were not provided"),
        (vec!["invalidate"], "name the server whose cache is meant with --server"),
        (vec!["invalidate", one, "--kind", "CHANGESET"], "cannot be used with"),
        (vec!["get", one, "--from", EXAMPLES], "cannot be used with"),
    ] {
        let (code, said) = setup.refused(&arguments);
        assert_eq!((code, said.contains(says)), (2, true), "{arguments:?}: {said}");
    }
    let server = Setup::server();
    let (code, said) = server.refused(&["promote", one, "--by", "kim"]);
    assert_eq!((code, &*said), (2, "a server writes down whose token it is: leave --by out"));
}

#[test]
fn a_missing_registry_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let run = |more: &[&str]| {
        let mut command = command();
        command.args(["contracts", "kinds"]).args(more);
        finish(command, "")
    };
    let (code, _, err) = run(&["--data", data.to_str().unwrap()]);
    assert_eq!((code, err.contains("there is no data directory")), (3, true), "{err}");
    let (code, _, err) = run(&["--from", data.to_str().unwrap()]);
    assert_eq!((code, err.contains("is not a directory")), (2, true), "{err}");
    std::fs::create_dir(&data).unwrap();
    let (code, _, err) = run(&["--data", data.to_str().unwrap()]);
    assert_eq!((code, err.contains("make it with `hansang table create`")), (2, true), "{err}");
    for arguments in [&["verify"][..], &["seed", EXAMPLES, "--created-by", "x"], &["compare", EXAMPLES]] {
        let mut command = command();
        command.arg("contracts").args(arguments).args(["--data", data.to_str().unwrap()]);
        let (code, out, err) = finish(command, "");
        assert_eq!((code, &*out, err.contains("there is no table")), (2, "", true), "{err}");
    }
}

/// The guarantees of a registry hold only if it alone writes its table.
#[test]
fn contracts_are_not_written_as_items() {
    let setup = Setup::embedded().seeded();
    let key = ["contracts", "Contract", "kind=CHANGESET", "id=changeset.v1", "version=1.0.0"];
    let run = |verb: &str| {
        let mut command = command();
        command.arg(verb).args(key).args(&setup.location);
        finish(command, "")
    };
    assert_eq!(run("get").0, 0);
    for verb in ["put", "delete"] {
        let (code, _, err) = run(verb);
        assert_eq!((code, err.contains("written by `hansang contracts` alone")), (2, true), "{err}");
    }
    assert_eq!(setup.ok(&["verify"]), format!("12 contracts of {} are what was registered\n", setup.name));
}

/// An import adds versions and replaces none. R10
fn an_import_replaces_no_version(setup: &Setup) {
    let model = root().join("models/contracts.yaml");
    let table = |verb: &str, more: &[&str]| {
        let mut command = command();
        command.args(["table", verb, model.to_str().unwrap()]).args(&setup.location).args(more);
        finish(command, "")
    };
    let export = setup.path("items.json").to_str().unwrap().to_owned();
    assert_eq!(table("export", &["--to", &export]).0, 0);
    let text = fs::read_to_string(&export).unwrap();
    let count = text.lines().count();
    let version =
        text.lines().find(|line| line.contains("CHANGESET#changeset.v1") && line.contains("\"1.0.0\""));
    let version = version.unwrap();
    let replaced = setup.file("replaced.json", &version.replace("ACTIVE", "DEPRECATED"));
    let (code, out, err) = table("import", &[&replaced]);
    let said = format!("0 items stored in {}, 1 refused\n", setup.name);
    assert_eq!(
        (code, out.as_str(), err.contains("exists with other content")),
        (1, said.as_str(), true),
        "{err}"
    );
    assert_eq!(setup.json(&["get", "CHANGESET:changeset.v1:1.0.0"])["status"], "ACTIVE");
    // Equal items and new ones are stored.
    let moved = text
        .replace("CHANGESET#changeset.v1", "CHANGESET#other.v1")
        .replace("\"changeset.v1\"", "\"other.v1\"");
    let new = moved.lines().filter(|line| line.contains("CHANGESET#other.v1") && line.contains("\"spec\""));
    let new: Vec<&str> = new.collect();
    assert!(!new.is_empty());
    let more = setup.file("more.json", &format!("{text}{}\n", new.join("\n")));
    let (code, out, err) = table("import", &[&more]);
    let said = format!("{} items stored in {}\n", count + new.len(), setup.name);
    assert_eq!((code, out.as_str()), (0, said.as_str()), "{err}");
    assert_eq!(setup.json(&["get", "CHANGESET:other.v1:1.0.0"])["status"], "ACTIVE");
    assert_eq!(setup.run(&["verify"]).0, 0);
}

#[test]
fn an_import_replaces_no_version_in_a_data_directory() {
    an_import_replaces_no_version(&Setup::embedded().seeded());
}

#[test]
fn an_import_replaces_no_version_in_dynamodb() {
    an_import_replaces_no_version(&Setup::dynamodb(endpoint(), "imported").seeded());
}

/// An invalid spec, or one with missing references, is not promoted. Rs20
#[test]
fn a_promotion_checks_the_spec_and_its_references() {
    let setup = Setup::embedded().seeded();
    let rules = |version: &str, named: &str| {
        setup.file(
            &format!("r-{version}.yaml"),
            &format!(
                "kind: RULESET\nid: r\nversion: {version}\nstatus: DRAFT\nentityType: PRODUCT\n\
                 changeSetRef: {{ id: {named}, version: 1.0.0 }}\nimpactMap: {{ CORE: [/a] }}\njoins: []\n\
                 slices: [{{ type: CORE, fields: [a] }}]\nindexes: []\n"
            ),
        )
    };
    // A missing reference of a draft is a warning.
    let (code, _, said) = setup.run(&["register", &rules("1.0.0", "nothing"), "--created-by", "lee"]);
    let warned = "warning: `changeSetRef` refers to CHANGESET:nothing:1.0.0, which does not exist";
    assert_eq!((code, said.contains(warned)), (0, true), "{said}");
    for more in [&["--dry-run"][..], &["--by", "kim"]] {
        let (code, said) = setup.refused(&[&["promote", "RULESET:r:1.0.0"], more].concat());
        assert_eq!((code, said.contains("CHANGESET:nothing:1.0.0")), (4, true), "{said}");
    }
    assert_eq!(setup.json(&["get", "RULESET:r:1.0.0", "--draft"])["status"], "DRAFT");
    let unfinished =
        setup.file("u.yaml", "kind: RULESET\nid: u\nversion: 1.0.0\nstatus: DRAFT\nentityType: 7\n");
    setup.ok(&["register", &unfinished, "--created-by", "lee"]);
    let (code, said) = setup.refused(&["promote", "RULESET:u:1.0.0", "--by", "kim"]);
    assert_eq!((code, said.contains("`spec.entityType`")), (2, true), "{said}");
    setup.ok(&["register", &rules("1.0.1", "changeset.v1"), "--created-by", "lee"]);
    setup.ok(&["promote", "RULESET:r:1.0.1", "--by", "kim"]);
}

/// Changes stored items directly in the table.
fn tamper(setup: &Setup, id: &str, change: impl FnOnce(&mut Item)) {
    let now = Arc::new(|| jiff::Timestamp::from_second(1_800_000_000).unwrap());
    let store = Embedded::open(setup.path("data"), Options::new(now)).unwrap();
    let table = compile(hansang_contracts::MODEL.as_bytes()).unwrap().table.in_env(None);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let key = Key { pk: format!("CHANGESET#{id}"), sk: "1.0.0".to_owned() };
        let get = Get { key, consistent: true, fields: None };
        let mut item = store.get(&table, &get).await.unwrap().unwrap();
        change(&mut item);
        store.batch_put(&table, vec![item]).await.unwrap();
    });
}

/// Rs9, Rs10, Rs22
#[test]
fn tampered_versions_are_found_and_never_printed() {
    let setup = Setup::embedded();
    for id in ["changed", "unchecked", "undecodable", "both", "right"] {
        let text = change_set("1.0.0", "ACTIVE", "{id}").replace("id: c\n", &format!("id: {id}\n"));
        setup.ok(&["register", &setup.file(&format!("{id}.yaml"), &text), "--created-by", "lee"]);
    }
    let set = |name: &'static str, value: Value| {
        move |item: &mut Item| {
            let Some(Value::M(spec)) = item.get_mut("spec") else { panic!("no spec") };
            spec.insert(name.into(), value);
        }
    };
    tamper(&setup, "changed", set("more", Value::Bool(true)));
    tamper(&setup, "unchecked", |item| drop(item.remove("checksum")));
    let twisted = Value::M(Item::from([("entityKeyFormat".into(), Value::Bool(true))]));
    tamper(&setup, "undecodable", set("identity", twisted.clone()));
    tamper(&setup, "both", set("identity", twisted));
    tamper(&setup, "both", |item| drop(item.remove("checksum")));

    let (code, out, err) = setup.run(&["verify"]);
    assert_eq!((code, &*err), (4, ""), "{out}");
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 5, "{out}");
    assert_eq!(lines[4], "5 contracts of ivm-lite-schema-registry-dev, 4 of them not what was registered");
    for (id, says) in [
        ("changed", "is not what was registered: its checksum is sha256:"),
        ("unchecked", "is not what was registered: it has no checksum"),
        ("undecodable", "cannot be read: `identity.entityKeyFormat` must be text"),
        ("both", "cannot be read: "),
    ] {
        let name = format!("CHANGESET:{id}:1.0.0");
        let line = format!("CHANGESET#{id} / 1.0.0: the contract {name} {says}");
        assert!(lines.iter().any(|one| one.starts_with(&line)), "{line}\n{out}");
        let (code, said) = setup.refused(&["get", &name]);
        assert_eq!((code, said.contains(says)), (4, true), "{said}");
        let (code, said) = setup.refused(&["latest", "CHANGESET", id]);
        assert_eq!(code, 4, "{said}");
    }
    assert_eq!(setup.json(&["get", "CHANGESET:right:1.0.0"])["id"], "right");
}
