//! Registration and status changes.

use axum::http::Method;
use serde_json::{Value as Json, json};

use super::{CHANGES, FIRST, KINDS, change_set, post, register, rule_set, view, with_versions};
use crate::server::Server;
use hansang_testserver::On;
use hansang_testserver::{ok, refusal};

hansang_testserver::on_each_store! {
    a_version_is_immutable,
    served_specs_and_their_references_must_be_valid,
    a_status_moves_along_its_lifecycle,
    every_change_is_in_the_audit_log,
    a_promotion_can_be_tried,
}

/// R10, Rs3
async fn a_version_is_immutable(on: On) {
    let server = Server::contracts(on).await;
    let body = json!({ "version": "1.0.0", "spec": change_set(100) });
    let made = server.send(Method::POST, CHANGES, body.clone()).await;
    assert_eq!(
        (made.status, made.header("location")),
        (201, "/api/contracts/kinds/CHANGESET/changeset%2Ev1/1%2E0%2E0")
    );
    let made = made.json();
    assert_eq!(
        (&made["status"], &made["warnings"]),
        (&json!("DRAFT"), &json!([])),
        "the default status is DRAFT"
    );
    let again = server.send(Method::POST, CHANGES, body).await;
    assert_eq!((again.status, again.json(), again.header("location")), (200, made.clone(), ""));
    // Another order and another notation of a number are the same JSON.
    let text = r#"{"version":"1.0.0","spec":{"payload":{"externalizationPolicy":{"thresholdBytes":1e2}},
        "fanout":{"enabled":true},"identity":{"entityKeyFormat":"{ENTITY_TYPE}#{tenantId}#{entityId}"}}}"#;
    let bearer = format!("Bearer {}", server.editor);
    let headers = [("authorization", &*bearer), ("content-type", "application/json")];
    assert_eq!(server.raw(Method::POST, CHANGES, &headers, text.into()).await.status, 200);
    let other = register(&server, "CHANGESET/changeset.v1", "1.0.0", "DRAFT", change_set(200)).await;
    assert_eq!(refusal(&other), (409, "version_exists".to_owned()));
    let kept = ok(server.get(&format!("{FIRST}?draft=true")).await);
    assert_eq!((&kept["spec"], &kept["checksum"]), (&change_set(100), &made["checksum"]));
}

/// Rs20
async fn served_specs_and_their_references_must_be_valid(on: On) {
    let server = Server::contracts(on).await;
    let unfinished = json!({ "identity": { "entityKeyFormat": 7 }, "fanout": { "enabled": "yes" } });
    let refused = register(&server, "CHANGESET/a", "1.0.0", "ACTIVE", unfinished.clone()).await;
    assert_eq!(refusal(&refused), (400, "invalid_fields".to_owned()));
    let fields: Vec<Json> =
        refused.json()["errors"].as_array().unwrap().iter().map(|one| one["field"].clone()).collect();
    assert_eq!(fields, [json!("spec.identity.entityKeyFormat"), json!("spec.fanout.enabled")]);
    ok(register(&server, "CHANGESET/a", "1.0.0", "DRAFT", unfinished).await);
    let promoted = post(&server, &format!("{KINDS}/CHANGESET/a/1.0.0/promote")).await;
    assert_eq!(refusal(&promoted), (400, "invalid_fields".to_owned()));

    let missing = register(&server, "VIEW_DEFINITION/v", "1.0.0", "ACTIVE", view("1.0.0")).await;
    assert_eq!(refusal(&missing), (409, "reference_missing".to_owned()));
    ok(register(&server, "RULESET/rules", "1.0.0", "DRAFT", rule_set()).await);
    let draft = register(&server, "VIEW_DEFINITION/v", "1.0.0", "ACTIVE", view("1.0.0")).await;
    assert_eq!(refusal(&draft), (409, "reference_missing".to_owned()));
    assert!(draft.json()["detail"].as_str().unwrap().contains("only drafts"), "{draft:?}");
    ok(post(&server, &format!("{KINDS}/RULESET/rules/1.0.0/promote")).await);
    ok(post(&server, &format!("{KINDS}/RULESET/rules/1.0.0/deprecate")).await);
    let warned = ok(register(&server, "VIEW_DEFINITION/v", "1.0.0", "ACTIVE", view("1.0.0")).await);
    assert_eq!(warned["warnings"].as_array().unwrap().len(), 1, "{warned}");
}

/// Rs4
async fn a_status_moves_along_its_lifecycle(on: On) {
    let server = Server::contracts(on).await;
    with_versions(&server, &[("1.0.0", "DRAFT")]).await;
    let of = |verb: &str| format!("{FIRST}/{verb}");
    for verb in ["deprecate", "restore"] {
        assert_eq!(refusal(&post(&server, &of(verb)).await), (409, "wrong_state".to_owned()), "{verb}");
    }
    let mut before = String::new();
    for (verb, status) in [("promote", "ACTIVE"), ("deprecate", "DEPRECATED"), ("restore", "ACTIVE")] {
        let moved = ok(post(&server, &of(verb)).await);
        assert_eq!((&moved["status"], &moved["warnings"]), (&json!(status), &json!([])));
        assert_eq!(moved["statusChangedBy"], moved["createdBy"], "the author is the editor");
        let at = moved["statusChangedAt"].as_str().unwrap().to_owned();
        assert!(at >= before, "{at} {before}");
        before = at;
        assert_eq!(
            server.get(FIRST).await.header("contract-status"),
            status,
            "no reader sees the old status"
        );
        assert_eq!(ok(server.get(CHANGES).await)["items"][0]["status"], status);
    }
    assert_eq!(refusal(&post(&server, &of("promote")).await), (409, "wrong_state".to_owned()));
    assert_eq!(refusal(&post(&server, &of("restore")).await), (409, "wrong_state".to_owned()));
    for verb in ["promote", "deprecate", "restore"] {
        let missing = post(&server, &format!("{CHANGES}/9.0.0/{verb}")).await;
        assert_eq!(refusal(&missing), (404, "contract_not_found".to_owned()), "{verb}");
        let unknown = post(&server, &format!("{}?force=true", of(verb))).await;
        assert_eq!(refusal(&unknown), (400, "unknown_parameter".to_owned()), "{verb}");
    }
    assert_eq!(refusal(&post(&server, &of("delete")).await).0, 404);
}

async fn a_promotion_can_be_tried(on: On) {
    let server = Server::contracts(on).await;
    ok(register(&server, "RULESET/rules", "1.0.0", "DEPRECATED", rule_set()).await);
    ok(register(&server, "VIEW_DEFINITION/v", "1.0.0", "DRAFT", view("1.0.0")).await);
    let path = format!("{KINDS}/VIEW_DEFINITION/v/1.0.0/promote");
    let tried = ok(post(&server, &format!("{path}?dryRun=true")).await);
    assert_eq!((&tried["status"], tried["warnings"].as_array().unwrap().len()), (&json!("DRAFT"), 1));
    assert_eq!(ok(server.get(&format!("{KINDS}/VIEW_DEFINITION/v")).await)["items"][0]["status"], "DRAFT");
    let done = ok(post(&server, &format!("{path}?dryRun=false")).await);
    assert_eq!((&done["status"], &done["warnings"]), (&json!("ACTIVE"), &tried["warnings"]));
    let again = post(&server, &format!("{path}?dryRun=true")).await;
    assert_eq!(refusal(&again), (409, "wrong_state".to_owned()));
}

/// A status change is decided by the stored version, even if the cache is stale.
#[tokio::test]
async fn another_server_may_have_moved_it() {
    use hansang_contracts::{ContractRegistry as _, Status, StoreRegistry};
    let server = Server::contracts(On::Embedded).await;
    with_versions(&server, &[("1.0.0", "ACTIVE")]).await;
    assert_eq!(server.get(FIRST).await.header("contract-status"), "ACTIVE");
    let other = StoreRegistry::new(server.contracts_db());
    let reference = "CHANGESET:changeset.v1:1.0.0".parse().unwrap();
    other.set_status(&reference, Status::Active, Status::Deprecated, &"other".into()).await.unwrap();
    assert_eq!(
        server.get(FIRST).await.header("contract-status"),
        "ACTIVE",
        "cached until its time to live is over"
    );
    assert_eq!(ok(post(&server, &format!("{FIRST}/restore")).await)["status"], "ACTIVE");
}

async fn every_change_is_in_the_audit_log(on: On) {
    let server = Server::contracts(on).await;
    with_versions(&server, &[("1.0.0", "DRAFT")]).await;
    register(&server, "CHANGESET/changeset.v1", "1.0.0", "DRAFT", change_set(200)).await;
    post(&server, &format!("{FIRST}/promote")).await;
    post(&server, &format!("{FIRST}/promote?dryRun=true")).await;
    post(&server, &format!("{FIRST}/restore")).await;
    server.send(Method::POST, "/api/contracts/cache/invalidate", json!({ "kind": "CHANGESET" })).await;
    server.get(FIRST).await;
    let path = "/api/access/audit?system=contracts";
    let log = ok(server.call(Method::GET, path, &server.admin, None, &[]).await);
    let entry = |one: &Json| {
        let text = |name: &str| one[name].as_str().unwrap_or_default().to_owned();
        [text("operation"), text("subject"), text("outcome"), text("code")].join(" ")
    };
    let mut entries: Vec<String> = log["items"].as_array().unwrap().iter().map(entry).collect();
    entries.reverse();
    let version = "CHANGESET:changeset.v1:1.0.0";
    assert_eq!(
        entries,
        [
            format!("register {version} DONE "),
            format!("register {version} REFUSED version_exists"),
            format!("promote {version} DONE "),
            format!("restore {version} REFUSED wrong_state"),
            "invalidate CHANGESET DONE ".to_owned(),
        ]
    );
}

#[tokio::test]
async fn unknown_and_invalid_members_are_rejected() {
    let server = Server::contracts(On::Embedded).await;
    let spec = change_set(1);
    for (body, code) in [
        (json!({ "spec": spec }), "invalid_body"),
        (json!({ "version": "1.0.0" }), "invalid_body"),
        (json!({ "version": "1.0.0", "spec": [] }), "invalid_body"),
        (json!({ "version": "1.0.0", "spec": "text" }), "invalid_body"),
        (json!({ "version": "1.0.0", "spec": null }), "invalid_body"),
        (json!({ "version": "1.0.0", "spec": spec, "status": null }), "invalid_body"),
        (json!({ "version": "1.0.0", "spec": spec, "checksum": "x" }), "invalid_body"),
        (json!({ "version": "1.0.0", "spec": spec, "createdBy": null }), "invalid_body"),
        (json!({ "version": "1.0", "spec": spec }), "invalid_fields"),
        (json!({ "version": "1.0.0", "spec": spec, "status": "RETIRED" }), "invalid_fields"),
    ] {
        let answer = server.send(Method::POST, CHANGES, body.clone()).await;
        assert_eq!(refusal(&answer), (400, code.to_owned()), "{body}");
    }
    let large = json!({ "version": "1.0.0", "spec": { "text": "x".repeat(400 * 1024) } });
    assert_eq!(refusal(&server.send(Method::POST, CHANGES, large).await), (400, "spec_too_large".to_owned()));
    assert_eq!(ok(server.get(CHANGES).await), json!({ "items": [] }));
}

/// A number that JSON readers would change is rejected, never rounded.
#[tokio::test]
async fn numbers_are_kept_exactly_or_refused() {
    let server = Server::contracts(On::Embedded).await;
    let bearer = format!("Bearer {}", server.editor);
    let headers = [("authorization", &*bearer), ("content-type", "application/json")];
    let path = format!("{KINDS}/ANYTHING/n");
    for (number, status, code) in [
        ("12345678901234567890123456789012345678", 400, "invalid_spec"),
        ("9007199254740993", 400, "invalid_spec"),
        ("0.1234567890123456789", 400, "invalid_spec"),
        ("1e200", 400, "invalid_fields"),
        ("9007199254740992", 201, ""),
    ] {
        let body = format!(r#"{{"version":"1.0.0","spec":{{"n":{number}}}}}"#);
        let answer = server.raw(Method::POST, &path, &headers, body.into()).await;
        assert_eq!((answer.status, &*answer.code()), (status, code), "{number}");
    }
    let kept = server.get(&format!("{path}/1.0.0?draft=true")).await;
    assert!(kept.text.contains(r#""spec":{"n":9007199254740992}"#), "{kept:?}");
}
