//! Permissions, and operations that no role may call.

use std::collections::BTreeSet;

use axum::http::Method;
use serde_json::json;

use super::{CHANGES, FIRST, change_set, with_versions};
use crate::server::Server;
use hansang_testserver::On;
use hansang_testserver::{ok, refusal};

const OWN: [&str; 28] = [
    "cache",
    "check",
    "compatibility",
    "contractRule",
    "deprecate",
    "diff",
    "globalRule",
    "history",
    "invalidate",
    "latest",
    "list",
    "listKinds",
    "listReferences",
    "listReferrers",
    "listVersions",
    "load",
    "loadSpec",
    "promote",
    "register",
    "removeContractRule",
    "removeGlobalRule",
    "removeRule",
    "restore",
    "rule",
    "setContractRule",
    "setGlobalRule",
    "setRule",
    "walk",
];

/// Rs21, R28. Only the registry writes: the record operations of the model are read-only.
#[tokio::test]
async fn only_the_registry_writes() {
    let server = Server::contracts(On::Embedded).await;
    let mut reads = BTreeSet::new();
    let mut own = BTreeSet::new();
    for (path, methods) in server.document["paths"].as_object().unwrap() {
        let Some(_) = path.strip_prefix("/api/contracts/") else { continue };
        for operation in methods.as_object().unwrap().values() {
            let name = operation["operationId"].as_str().unwrap().strip_prefix("contracts.").unwrap();
            let needs = operation["x-needs"].as_str().unwrap();
            if OWN.contains(&name) {
                own.insert(name);
            } else {
                let expected = if name == "backup" { "admin of *" } else { "viewer of contracts" };
                assert_eq!(needs, expected, "{name}");
                reads.insert(name);
            }
        }
    }
    assert_eq!(own, OWN.into());
    let expected = [
        "Change.get",
        "Contract.get",
        "GlobalRule.get",
        "Kind.get",
        "Reference.get",
        "Rule.get",
        "allOfKind",
        "backup",
        "batchGet",
        "changes",
        "contract",
        "contractsOfKind",
        "export",
        "kinds",
        "referrers",
        "rulesOfContracts",
        "versions",
    ];
    assert_eq!(reads, expected.into());

    with_versions(&server, &[("1.0.0", "ACTIVE")]).await;
    let record = "/api/contracts/entities/Contract/CHANGESET/changeset.v1/1.0.0";
    assert_eq!(ok(server.get(record).await)["status"], "ACTIVE");
    for (method, path) in [
        (Method::POST, "/api/contracts/entities/Contract"),
        (Method::PUT, record),
        (Method::PATCH, record),
        (Method::DELETE, record),
        (Method::POST, "/api/contracts/transactions"),
        (Method::POST, "/api/contracts/import"),
        (Method::DELETE, FIRST),
        (Method::PUT, FIRST),
        (Method::DELETE, CHANGES),
    ] {
        let answer = server.call(method.clone(), path, &server.admin, Some(json!({})), &[]).await;
        assert!([404, 405].contains(&answer.status), "{method} {path}: {answer:?}");
    }
}

#[tokio::test]
async fn a_viewer_reads_an_editor_writes_and_only_an_administrator_walks() {
    let server = Server::contracts(On::Embedded).await;
    with_versions(&server, &[("1.0.0", "DRAFT")]).await;
    let body = || Some(json!({ "version": "1.0.0", "spec": change_set(100) }));
    let writes = [
        (CHANGES.to_owned(), body()),
        (format!("{FIRST}/promote"), None),
        (format!("{FIRST}/promote?dryRun=true"), None),
        (format!("{FIRST}/deprecate"), None),
        (format!("{FIRST}/restore"), None),
        ("/api/contracts/cache/invalidate".to_owned(), Some(json!({}))),
    ];
    for (path, body) in writes {
        let answer = server.call(Method::POST, &path, &server.viewer, body.clone(), &[]).await;
        assert_eq!(refusal(&answer), (403, "role_missing".to_owned()), "{path}");
        let answer = server.call(Method::POST, &path, &server.editor, body, &[]).await;
        assert_ne!(answer.status, 403, "{path}");
    }
    let walk = "/api/contracts/walk";
    for token in [&server.viewer, &server.editor] {
        let answer = server.call(Method::GET, walk, token, None, &[]).await;
        assert_eq!(refusal(&answer), (403, "role_missing".to_owned()));
    }
    assert_eq!(server.call(Method::GET, walk, &server.admin, None, &[]).await.status, 200);
    for path in [CHANGES, FIRST, walk, "/api/contracts/cache", "/api/contracts/kinds"] {
        let answer = server.call(Method::GET, path, "", None, &[]).await;
        assert_eq!(refusal(&answer), (401, "not_signed_in".to_owned()), "{path}");
    }
}

/// The author is the caller; only an administrator may name another one.
#[tokio::test]
async fn the_author_of_a_version_is_the_caller() {
    let server = Server::contracts(On::Embedded).await;
    let body = |version: &str, by: Option<&str>| {
        let mut body = json!({ "version": version, "spec": change_set(1) });
        if let Some(by) = by {
            body["createdBy"] = by.into();
        }
        Some(body)
    };
    let send = async |token: &str, body| server.call(Method::POST, CHANGES, token, body, &[]).await;
    let own = ok(send(&server.editor, body("1.0.0", None)).await)["createdBy"].as_str().unwrap().to_owned();
    let session = ok(server.call(Method::GET, "/api/access/session", &server.editor, None, &[]).await);
    assert_eq!(session["id"], *own, "the same id as in the audit log");
    assert_eq!(send(&server.editor, body("1.1.0", Some(&own))).await.status, 201);
    let other = send(&server.editor, body("1.2.0", Some("somebody"))).await;
    assert_eq!(refusal(&other), (403, "role_missing".to_owned()));
    // Refusals of the handler are in the audit log once.
    let path = "/api/access/audit?system=contracts";
    let log = ok(server.call(Method::GET, path, &server.admin, None, &[]).await);
    let refused = log["items"].as_array().unwrap().iter().filter(|entry| entry["outcome"] == "REFUSED");
    let refused: Vec<_> =
        refused.map(|entry| ["actorName", "operation", "code"].map(|name| entry[name].clone())).collect();
    assert_eq!(refused, [["editor", "register", "role_missing"]]);
    let named = ok(send(&server.admin, body("1.2.0", Some("somebody else"))).await);
    assert_eq!(named["createdBy"], "somebody else");
    for wrong in ["", "a\nb", &"x".repeat(129)] {
        let answer = send(&server.admin, body("1.3.0", Some(wrong))).await;
        assert_eq!(refusal(&answer), (400, "invalid_fields".to_owned()), "{wrong}");
    }
}

#[tokio::test]
async fn every_operation_is_in_the_handbook() {
    let server = Server::contracts(On::Embedded).await;
    let page = server.get("/api/docs/contracts").await;
    for name in OWN {
        assert!(page.text.contains(&format!("id=\"contracts.{name}\"")), "{name}");
    }
}
