//! Comparison of versions, and checks of a spec.

use axum::http::Method;
use expect_test::expect;
use serde_json::{Value as Json, json};

use super::{CHANGES, KINDS, change_set, register, rule_set, view, with_versions};
use crate::server::Server;
use hansang_testserver::On;
use hansang_testserver::{ok, refusal};

hansang_testserver::on_each_store! {
    two_versions_are_compared,
    a_spec_is_checked_before_it_is_registered,
}

async fn two_versions_are_compared(on: On) {
    let server = Server::contracts(on).await;
    with_versions(&server, &[("1.0.0", "ACTIVE")]).await;
    let mut spec = change_set(100);
    spec["fanout"] = json!({ "enabled": false });
    spec["more"] = json!([null]);
    ok(register(&server, "CHANGESET/changeset.v1", "1.1.0", "DRAFT", spec).await);
    let diff = ok(server.get(&format!("{CHANGES}/diff?from=1.0.0&to=1.1.0")).await);
    let changed = json!({ "path": "/fanout/enabled", "old": true, "new": false });
    assert_eq!(diff, json!({ "items": [changed, { "path": "/more", "new": [null] }] }));
    assert_eq!(ok(server.get(&format!("{CHANGES}/diff?from=1.0.0&to=1.0.0")).await), json!({ "items": [] }));

    let found = ok(server.get(&format!("{CHANGES}/compatibility?from=1.0.0&to=1.1.0")).await);
    assert_eq!((&found["needs"], &found["fits"]), (&json!("major"), &json!(false)));
    let breaking: Vec<&Json> =
        found["changes"].as_array().unwrap().iter().filter(|one| one["breaking"] == true).collect();
    assert_eq!(breaking.len(), 1, "{found}");
    assert_eq!(breaking[0]["path"], "fanout.enabled");
    let same = ok(server.get(&format!("{CHANGES}/compatibility?from=1.0.0&to=1.0.0")).await);
    assert_eq!(same, json!({ "needs": "none", "changes": [], "fits": true }));

    for verb in ["diff", "compatibility"] {
        for (query, status, code) in [
            ("from=1.0.0", 400, "invalid_fields"),
            ("to=1.0.0", 400, "invalid_fields"),
            ("from=1.0.0&to=latest", 400, "invalid_fields"),
            ("from=1.0.0&to=1.1.0&deep=true", 400, "unknown_parameter"),
            ("from=1.0.0&to=9.0.0", 404, "contract_not_found"),
        ] {
            let answer = server.get(&format!("{CHANGES}/{verb}?{query}")).await;
            assert_eq!(refusal(&answer), (status, code.to_owned()), "{verb} {query}");
        }
        let answer = server.get(&format!("{CHANGES}/{verb}?from=1.0.0")).await;
        assert_eq!(answer.json()["errors"][0]["field"], "to");
    }
}

/// Checks a spec as a viewer.
async fn checked(server: &Server, path: &str, body: Json) -> Json {
    let path = format!("{KINDS}/{path}/check");
    ok(server.call(Method::POST, &path, &server.viewer, Some(body), &[]).await)
}

async fn a_spec_is_checked_before_it_is_registered(on: On) {
    let server = Server::contracts(on).await;
    let right = json!({ "problems": [], "warnings": [] });
    assert_eq!(checked(&server, "CHANGESET/changeset.v1", json!({ "spec": change_set(1) })).await, right);
    with_versions(&server, &[("1.0.0", "ACTIVE"), ("2.0.0", "ACTIVE"), ("3.0.0", "DRAFT")]).await;
    let mut spec = change_set(100);
    spec["fanout"] = json!({ "enabled": false });
    for (version, against, expected) in [
        (None, None, json!(["2.0.0", null])),
        (Some("1.5.0"), None, json!(["1.0.0", false])),
        (Some("3.1.0"), None, json!(["2.0.0", true])),
        (Some("3.1.0"), Some("3.0.0"), json!(["3.0.0", false])),
        (Some("0.9.0"), None, json!([null, null])),
    ] {
        let mut body = json!({ "spec": spec });
        for (name, value) in [("version", version), ("against", against)] {
            if let Some(value) = value {
                body[name] = value.into();
            }
        }
        let found = checked(&server, "CHANGESET/changeset.v1", body).await;
        let compared = &found["compatibility"];
        assert_eq!(json!([compared["against"], compared["fits"]]), expected, "{version:?} {against:?}");
        assert!(compared.is_null() || compared["needs"] == "major", "{found}");
    }
    let missing = json!({ "spec": spec, "against": "9.0.0" });
    let answer =
        server.call(Method::POST, &format!("{CHANGES}/check"), &server.viewer, Some(missing), &[]).await;
    assert_eq!(refusal(&answer), (404, "contract_not_found".to_owned()));
    assert_eq!(ok(server.get(CHANGES).await)["items"].as_array().unwrap().len(), 3, "nothing was registered");
}

#[tokio::test]
async fn every_problem_of_a_spec_is_reported() {
    let server = Server::contracts(On::Embedded).await;
    with_versions(&server, &[("1.0.0", "ACTIVE")]).await;
    let wrong = checked(
        &server,
        "CHANGESET/changeset.v1",
        json!({ "spec": { "identity": { "entityKeyFormat": "" } }, "version": "1.0.0" }),
    )
    .await;
    let missing = checked(&server, "VIEW_DEFINITION/v", json!({ "spec": view("^2") })).await;
    let number = checked(&server, "ANY/n", json!({ "spec": { "n": 9_007_199_254_740_993_u64 } })).await;
    let shown: Vec<&Json> = [&wrong, &missing, &number].into_iter().map(|one| &one["problems"]).collect();
    expect![[r#"
        [
          [
            {
              "field": "spec.identity.entityKeyFormat",
              "message": "must not be empty"
            },
            {
              "field": "version",
              "message": "is registered with another spec: give this one a new version"
            }
          ],
          [
            {
              "field": "spec.ruleSetRef",
              "message": "refers to RULESET:rules:^2, which does not exist: register it first"
            }
          ],
          [
            {
              "field": "spec",
              "message": "JSON readers would change the number 9007199254740993: write it as text"
            }
          ]
        ]"#]]
    .assert_eq(&format!("{:#}", json!(shown)));
    ok(register(&server, "RULESET/rules", "2.0.0", "DEPRECATED", rule_set()).await);
    let warned = checked(&server, "VIEW_DEFINITION/v", json!({ "spec": view("^2") })).await;
    assert_eq!((&warned["problems"], warned["warnings"].as_array().unwrap().len()), (&json!([]), 1));
}

#[tokio::test]
async fn invalid_checks_are_rejected() {
    let server = Server::contracts(On::Embedded).await;
    let path = format!("{CHANGES}/check");
    for (body, code) in [
        (json!({}), "invalid_body"),
        (json!({ "spec": 1 }), "invalid_body"),
        (json!({ "spec": {}, "status": "DRAFT" }), "invalid_body"),
        (json!({ "spec": {}, "version": null }), "invalid_body"),
        (json!({ "spec": {}, "version": "1" }), "invalid_fields"),
        (json!({ "spec": {}, "against": "latest" }), "invalid_fields"),
    ] {
        assert_eq!(
            refusal(&server.send(Method::POST, &path, body.clone()).await),
            (400, code.to_owned()),
            "{body}"
        );
    }
    assert_eq!(server.get(&path).await.status, 405);
}
