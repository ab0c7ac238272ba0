//! Every command has the same output on a data directory, on DynamoDB, on a server and on files.

use serde_json::json;

use super::{EXAMPLES, Setup, change_set, endpoint};

fn every_command(setup: &Setup) {
    seed_and_compare(setup);
    read(setup);
    lists(setup);
    change(setup);
    differences(setup);
    assert_eq!(setup.ok(&["verify"]), format!("15 contracts of {} are what was registered\n", setup.name));
}

/// A rule is printed, set, and blocks a promotion that breaks it.
fn rules(setup: &Setup) {
    assert_eq!(setup.ok(&["rule", "CHANGESET"]), "NONE\n");
    let set = ["rule", "ChangeSetContract", "--set", "backward", "--transitive"];
    assert_eq!(setup.ok(&set), "BACKWARD transitive\n");
    assert_eq!(setup.ok(&["rule", "CHANGESET"]), "BACKWARD transitive\n");
    assert_eq!(setup.ok(&["rule", "RULESET"]), "NONE\n", "a rule is of one kind");
    let file = setup.file("1.3.yaml", &change_set("1.3.0", "DRAFT", "{other}"));
    setup.ok(&["register", &file, "--created-by", "lee"]);
    let promote = [&["promote", "CHANGESET:c:1.3.0"], setup.by].concat();
    let (code, said) = setup.refused(&promote);
    assert_eq!(code, 4, "{said}");
    assert!(said.contains("BACKWARD") && said.contains("1.2.0"), "{said}");
    assert_eq!(setup.ok(&["rule", "CHANGESET", "--set", "none"]), "NONE\n");
    let (code, out, err) = setup.run(&promote);
    assert_eq!(code, 0, "{out}{err}");
    assert_eq!(setup.run(&["rule", "CHANGESET", "--set", "sideways"]).0, 2);
    assert_eq!(setup.run(&["rule", "CHANGESET", "--transitive"]).0, 2, "a rule has to be set with it");
}

fn seed_and_compare(setup: &Setup) {
    let seed = ["seed", EXAMPLES, "--created-by", "seed"];
    let (code, planned, _) = setup.run(&[&seed[..], &["--dry-run"]].concat());
    assert_eq!(code, 0);
    let first = "examples/contracts/changeset.v1-next.yaml: would be uploaded CHANGESET:changeset.v1:1.1.0\n";
    assert!(planned.starts_with(first), "{planned}");
    assert_eq!(planned.lines().count(), 13, "{planned}");
    assert!(planned.ends_with("dry run: uploaded 12, skipped 0, conflicts 0, errors 0\n"), "{planned}");
    assert_eq!(setup.ok(&["kinds"]), "", "a dry run writes nothing");

    assert_eq!(setup.ok(&seed), "uploaded 12, skipped 0, conflicts 0, errors 0\n");
    assert_eq!(setup.ok(&seed), "uploaded 0, skipped 12, conflicts 0, errors 0\n");
    assert_eq!(setup.ok(&["verify"]), format!("12 contracts of {} are what was registered\n", setup.name));
    assert_eq!(setup.ok(&["compare", EXAMPLES]), format!("{} and {EXAMPLES} agree\n", setup.name));
}

fn read(setup: &Setup) {
    let found = setup.json(&["get", "CHANGESET:changeset.v1:1.0.0"]);
    assert_eq!((&found["kind"], &found["id"]), (&json!("CHANGESET"), &json!("changeset.v1")));
    assert_eq!((&found["status"], &found["createdBy"]), (&json!("ACTIVE"), &json!("seed")));
    assert_eq!(found["spec"]["payload"]["externalizationPolicy"]["thresholdBytes"], 102_400);
    assert!(found["checksum"].as_str().unwrap().starts_with("sha256:"), "{found}");
    assert_eq!(setup.json(&["get", "ChangeSetContract:changeset.v1:1.0.0"]), found);

    let draft = "CHANGESET:changeset.v1:1.1.0";
    let said = format!("the contract {draft} is a draft: promote it, or ask for drafts by name");
    assert_eq!(setup.refused(&["get", draft]), (3, said));
    assert_eq!(setup.json(&["get", draft, "--draft"])["status"], "DRAFT");

    let (code, out, err) = setup.run(&["get", "RULESET:ruleset.product.v1:1.0.0"]);
    assert_eq!((code, out.contains(r#""DEPRECATED""#)), (0, true), "{out}");
    assert_eq!(err, "warning: RULESET:ruleset.product.v1:1.0.0 is deprecated\n");

    let gone = "CHANGESET:changeset.v1:9.0.0";
    assert_eq!(setup.refused(&["get", gone]), (3, format!("there is no contract {gone}")));

    let latest = ["latest", "RULESET", "ruleset.product.v1"];
    assert_eq!(setup.json(&latest)["version"], "1.1.0");
    assert_eq!(setup.json(&[&latest[..], &["--range", "^1.1"]].concat())["version"], "1.1.0");
    let (code, said) = setup.refused(&[&latest[..], &["--range", "<1.1"]].concat());
    assert_eq!((code, &*said), (3, "RULESET:ruleset.product.v1 has no active version within <1.1"));
}

fn lists(setup: &Setup) {
    let kinds = "CHANGESET\nENTITY_SCHEMA\nINVERTED_INDEX\nJOIN_SPEC\nRULESET\nSINK_RULE\nVIEW_DEFINITION\n";
    assert_eq!(setup.ok(&["kinds"]), kinds);

    let versions = setup.ok(&["versions", "RuleSet", "ruleset.product.v1"]);
    let rows: Vec<Vec<&str>> = versions.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!((rows[0][0], rows[0][1], rows[0][4]), ("1.0.0", "DEPRECATED", "seed"));
    assert_eq!((rows[1][0], rows[1][1], rows.len()), ("1.1.0", "ACTIVE", 2));
    assert!(rows.iter().all(|row| row[2].starts_with("sha256:") && row[3].ends_with('Z')), "{versions}");
    let (code, said) = setup.refused(&["versions", "RULESET", "nothing"]);
    assert_eq!((code, &*said), (3, "there is no version of RULESET:nothing"));

    let referrers = setup.ok(&["referrers", "INVERTED_INDEX", "inverted-index.v1"]);
    assert_eq!(
        referrers,
        "JOIN_SPEC:join-spec.v1:1.0.0      1.0.0\nRULESET:ruleset.product.v1:1.1.0  1.0.0\n"
    );
    assert_eq!(setup.ok(&["referrers", "SINK_RULE", "sinkrule.archive.product.v1"]), "");

    let all = setup.ok(&["list", "VIEW_DEFINITION", "--all", "--limit", "1"]);
    let mut ids: Vec<String> = all.lines().map(|line| of_line(line, "id")).collect();
    ids.sort();
    assert_eq!(ids, ["view.product.detail.v1", "view.product.search.v1"]);
    let drafts = setup.ok(&["list", "ChangeSetContract", "--status", "DRAFT", "--all"]);
    assert_eq!(drafts.lines().map(|line| of_line(line, "version")).collect::<Vec<_>>(), ["1.1.0"]);
    let first = setup.json(&["list", "VIEW_DEFINITION", "--limit", "1"]);
    assert_eq!(first["items"].as_array().unwrap().len(), 1);
    let next = first["next"].as_str().unwrap();
    let second = setup.json(&["list", "VIEW_DEFINITION", "--limit", "1", "--cursor", next]);
    assert_ne!(second["items"][0]["id"], first["items"][0]["id"]);
    assert_eq!(setup.json(&["list", "NOBODY_KNOWS"])["items"], json!([]));
}

fn of_line(line: &str, name: &str) -> String {
    let json: serde_json::Value = serde_json::from_str(line).unwrap();
    json[name].as_str().unwrap().to_owned()
}

fn change(setup: &Setup) {
    let by = |arguments: &[&str]| setup.json(&[arguments, setup.by].concat());
    let file = setup.file("c.yaml", &change_set("1.0.0", "DRAFT", "{id}"));
    let register = ["register", &file, "--created-by", "lee"];
    let made = setup.json(&register);
    assert_eq!((&made["status"], &made["createdBy"]), (&json!("DRAFT"), &json!("lee")));
    assert_eq!(made.get("statusChangedBy"), None);
    let (code, again, err) = setup.run(&register);
    assert_eq!((code, &*err), (0, "warning: CHANGESET:c:1.0.0 was there already, with the same content\n"));
    assert_eq!(serde_json::from_str::<serde_json::Value>(&again).unwrap(), made);
    let other = setup.file("other.yaml", &change_set("1.0.0", "DRAFT", "{other}"));
    let (code, said) = setup.refused(&["register", &other, "--created-by", "lee"]);
    let expected = "CHANGESET:c:1.0.0 is registered with another spec: give this one a new version";
    assert_eq!((code, &*said), (4, expected));

    let one = "CHANGESET:c:1.0.0";
    assert_eq!(setup.ok(&["promote", one, "--dry-run"]), format!("{one} can be promoted\n"));
    assert_eq!(setup.json(&["get", one, "--draft"])["status"], "DRAFT");
    for (verb, status) in [("promote", "ACTIVE"), ("deprecate", "DEPRECATED"), ("restore", "ACTIVE")] {
        let moved = by(&[verb, one]);
        assert_eq!(moved["status"], status);
        assert_eq!(moved["checksum"], made["checksum"]);
        if !setup.by.is_empty() {
            assert_eq!(moved["statusChangedBy"], "kim");
        }
        assert!(moved["statusChangedAt"].is_string(), "{moved}");
        // The next read returns the printed state.
        let (_, read, _) = setup.run(&["get", one]);
        let mut read: serde_json::Value = serde_json::from_str(&read).unwrap();
        read.as_object_mut().unwrap().remove("spec");
        assert_eq!(read, moved);
    }
    let (code, said) = setup.refused(&[&["promote", one], setup.by].concat());
    assert_eq!((code, &*said), (4, "`status` of this Contract can become ACTIVE only from DRAFT"));
    let (code, _, err) = setup.run(&[&["deprecate", "JOIN_SPEC:join-spec.v1:1.0.0"], setup.by].concat());
    assert_eq!((code, &*err), (0, "warning: RULESET:ruleset.product.v1:1.1.0 refers to this version\n"));
    let (code, _, err) = setup.run(&[&["restore", "JOIN_SPEC:join-spec.v1:1.0.0"], setup.by].concat());
    assert_eq!((code, &*err), (0, ""));
}

fn differences(setup: &Setup) {
    let active = |version: &str, format: &str| {
        let file = setup.file(&format!("{version}.yaml"), &change_set(version, "ACTIVE", format));
        setup.ok(&["register", &file, "--created-by", "lee"]);
    };
    active("1.1.0", "{id}");
    active("1.2.0", "{id}#{tenant}");
    assert_eq!(setup.ok(&["diff", "CHANGESET:c:1.0.0", "1.1.0"]), "");
    let difference = "~ /identity/entityKeyFormat \"{id}\" → \"{id}#{tenant}\"\n";
    assert_eq!(setup.ok(&["diff", "CHANGESET:c:1.1.0", "1.2.0"]), difference);
    let rules = setup.ok(&["diff", "RULESET:ruleset.product.v1:1.0.0", "1.1.0"]);
    assert!(rules.lines().any(|line| line == "+ /impactMap/BRAND [\"/brandId\"]"), "{rules}");

    let fine = setup.ok(&["check", "CHANGESET:c:1.0.0", "1.1.0"]);
    assert_eq!(fine, "1.1.0 may follow 1.0.0: nothing changed\n");
    let (code, out, err) = setup.run(&["check", "CHANGESET:c:1.1.0", "1.2.0"]);
    assert_eq!((code, &*err), (4, ""), "{out}");
    assert!(out.starts_with("breaking  `identity.entityKeyFormat` "), "{out}");
    let last = "1.2.0 cannot follow 1.1.0: what changed needs a major step, and this is a minor one\n";
    assert!(out.ends_with(last), "{out}");
    let next = setup.file("2.yaml", &change_set("2.0.0", "DRAFT", "{id}#{tenant}"));
    let (code, out, _) = setup.run(&["check", "CHANGESET:c:1.1.0", "--file", &next]);
    assert_eq!((code, out.ends_with("2.0.0 may follow 1.1.0: what changed needs a major step\n")), (0, true));
    let (code, said) = setup.refused(&["check", "CHANGESET:changeset.v1:1.0.0", "--file", &next]);
    let expected = "CHANGESET:c:2.0.0 is of another contract than CHANGESET:changeset.v1:1.0.0";
    assert_eq!((code, &*said), (2, expected));
}

#[test]
fn every_command_on_a_data_directory() {
    let setup = Setup::embedded();
    every_command(&setup);
    rules(&setup);
}

#[test]
fn every_command_on_dynamodb() {
    let setup = Setup::dynamodb(endpoint(), "commands");
    every_command(&setup);
    rules(&setup);
}

#[test]
fn every_command_on_files() {
    every_command(&Setup::files());
}

#[test]
fn every_command_on_a_server() {
    let setup = Setup::server();
    every_command(&setup);
    rules(&setup);
}
