//! `models/contracts.yaml`.

use expect_test::expect;
use hansang_core::Model;
use hansang_core::value::json;
use sha2::{Digest as _, Sha256};

use super::{accepts, describe, examples, index_key, key};

fn model() -> Model {
    super::model("contracts")
}

/// R1, R4
#[test]
fn table() {
    let model = model();
    expect![[r#"
        ivm-lite-schema-registry-{env} (PK, SK)
        kind-status-index (kind, status) All
        streams off, recovery on
        tag Service=ivm-lite
        tag Component=schema-registry
    "#]]
    .assert_eq(&describe::table(&model.table));
    for (env, name) in [
        (Some("prod"), "ivm-lite-schema-registry-prod"),
        (Some("dev"), "ivm-lite-schema-registry-dev"),
        (None, "ivm-lite-schema-registry-dev"),
    ] {
        assert_eq!(model.table.name_in(env), name);
    }
}

/// R3, Rs3, Rs14
#[test]
fn contract() {
    expect![[r#"
        Contract = {kind}#{id} / {version}
          in kind-status-index = {kind} / {status}
          kind: text, length 1 to 64, like [A-Z][A-Z0-9_]*
          id: text, length 1 to 128
          version: a version such as 1.4.0
          status: one of DRAFT, ACTIVE, DEPRECATED
          statusChangedAt?: a time such as 2025-11-14T03:00:00Z
          statusChangedBy?: text, length 1 to 128
          spec: a map, each value any value, immutable
          checksum: text, like (sha256:)?[0-9a-f]{64}, immutable
          createdBy: text, length 1 to 128, immutable
          createdAt: a time such as 2025-11-14T03:00:00Z, immutable, by the table (Created)
    "#]]
    .assert_eq(&describe::entities(&model(), &["Contract"]));
}

/// Additions to the document's table: kinds and references can be queried without a scan, and their keys
/// cannot collide with those of contracts.
#[test]
fn contract_lookups() {
    expect![[r#"
        Kind = KINDS / {name}
          name: text, length 1 to 64, like [A-Z][A-Z0-9_]*
          compatibility?: one of NONE, BACKWARD, FORWARD, FULL
          transitive?: true or false
          createdAt: a time such as 2025-11-14T03:00:00Z, immutable, by the table (Created)
        Reference = REFERENCES#{toKind}#{toId} / {fromKind}#{fromId}#{fromVersion}
          toKind: text, length 1 to 64, like [A-Z][A-Z0-9_]*
          toId: text, length 1 to 128
          fromKind: text, length 1 to 64, like [A-Z][A-Z0-9_]*
          fromId: text, length 1 to 128
          fromVersion: a version such as 1.4.0
          wanted: a list, each element text
          createdAt: a time such as 2025-11-14T03:00:00Z, immutable, by the table (Created)
    "#]]
    .assert_eq(&describe::entities(&model(), &["Kind", "Reference"]));
}

/// R2, R4
#[test]
fn keys() {
    let model = model();
    let contract =
        [("kind", "CHANGESET"), ("id", "changeset.v1"), ("version", "1.0.0"), ("status", "ACTIVE")];
    assert_eq!(key(&model, "Contract", &contract[..3]), "CHANGESET#changeset.v1 / 1.0.0");
    assert_eq!(
        index_key(&model, "Contract", "kind-status-index", &contract).as_deref(),
        Some("CHANGESET / ACTIVE")
    );
}

/// R6, R8
#[test]
fn patterns() {
    expect![[r#"
        contract(kind, id, version): Contract
          get {kind}#{id} / {version}
        versions(kind, id): Contract
          query {kind}#{id} / *
        contractsOfKind(kind, status): Contract
          query kind-status-index {kind} / {status}
        allOfKind(kind): Contract
          query kind-status-index {kind} / *
        kinds(): Kind
          query KINDS / *
        rulesOfContracts(): Rule
          query RULES / *
          drops GlobalRule
        changes(ofKind, ofId, ofVersion): Change
          query CHANGES#{ofKind}#{ofId} / {ofVersion}#*
        referrers(toKind, toId): Reference
          query REFERENCES#{toKind}#{toId} / *
    "#]]
    .assert_eq(&describe::patterns(&model()));
}

/// A deprecated contract can become active again; none becomes a draft again.
#[test]
fn statuses() {
    expect![[r#"
        starts as DRAFT | ACTIVE | DEPRECATED
        DRAFT → ACTIVE
        ACTIVE → DEPRECATED
        DEPRECATED → ACTIVE
    "#]]
    .assert_eq(&describe::lifecycle(&model(), "Contract", "status"));
}

/// R3: the keys of these specs are ASCII and their numbers small, so sorting the keys is enough to
/// make their JSON canonical.
#[test]
fn the_checksum_of_an_example_is_that_of_its_spec() {
    for example in examples::examples(&model()).into_iter().filter(|one| one.item.contains_key("spec")) {
        let spec = json::to_plain(&example.item["spec"]).to_string();
        let digest: String = Sha256::digest(spec).iter().map(|byte| format!("{byte:02x}")).collect();
        let checksum = example.item["checksum"].as_str().unwrap();
        assert_eq!(checksum.strip_prefix("sha256:").unwrap_or(checksum), digest, "{:?}", example.item);
    }
}

/// Rs8
#[test]
fn a_checksum_may_carry_a_prefix() {
    let model = model();
    let digest = "15e14a0791dac0ccda459d0c58dfdeb57ccdb186a74a52a323e517c5e95b9e53";
    for (checksum, good) in [
        (digest.to_owned(), true),
        (format!("sha256:{digest}"), true),
        (format!("md5:{digest}"), false),
        (digest.to_uppercase(), false),
        (digest[1..].to_owned(), false),
        (format!("{digest}\n"), false),
    ] {
        assert_eq!(accepts(&model, "Contract", "checksum", &checksum), good, "{checksum}");
    }
}

#[test]
fn versions_are_semver_and_kinds_are_open() {
    let model = model();
    for (attribute, text, good) in [
        ("version", "1.10.0", true),
        ("version", "2.0.0-rc.1+build.7", true),
        ("version", "1.0", false),
        ("version", "v1.0.0", false),
        ("kind", "VIEW_DEFINITION", true),
        ("kind", "SOMETHING_NEW_2", true),
        ("kind", "ChangeSetContract", false),
        ("kind", "", false),
    ] {
        assert_eq!(accepts(&model, "Contract", attribute, text), good, "{attribute} {text}");
    }
}
