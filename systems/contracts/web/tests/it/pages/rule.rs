//! The compatibility rule of a kind, and its verdict on promotions.

use axum::http::Method;
use serde_json::json;

use super::{LIST, Registers as _, at};
use crate::server::Server;
use hansang_testserver::On;
use hansang_testserver::Visitor;
use hansang_testserver::{has, in_order, lacks, ok, refusal};

const RULE: &str = "/console/contracts/rule?kind=ENTITY_SCHEMA";

fn entity(fields: &[&str]) -> String {
    let field = |name: &&str| json!({ "name": name, "type": "string" });
    json!({ "entityType": "PRODUCT", "fields": fields.iter().map(field).collect::<Vec<_>>() }).to_string()
}

#[tokio::test]
async fn a_rule_blocks_promotions_on_pages_and_in_the_api() {
    let server = Server::contracts(On::Embedded).await;
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    let admin = Visitor::sign_in(&server, "admin", "en").await;
    editor.registered("ENTITY_SCHEMA", "e", "1.0.0", "ACTIVE", &entity(&["a", "b"])).await;
    editor.registered("ENTITY_SCHEMA", "e", "1.1.0", "DRAFT", &entity(&["a"])).await;
    let promote = at("promote", "ENTITY_SCHEMA", "e", "1.1.0");
    // Without a rule a breaking change is a warning.
    let asked = editor.get(&promote).await;
    in_order(
        &asked,
        &["notice warn", "does not announce its changes", "Compatibility with 1.0.0", "Breaking"],
    );
    has(&asked, &[">Promote</button>"]);

    let list = format!("{LIST}?kind=ENTITY_SCHEMA");
    lacks(&editor.get(&list).await, &["Change rule"]);
    assert_eq!(editor.get(RULE).await.status, 403);
    assert_eq!(editor.post(RULE, &[("compatibility", "FULL")]).await.status, 403);
    has(&admin.get(&list).await, &["No compatibility rule", "Change rule"]);
    has(&admin.get(RULE).await, &["Forward: existing readers can read new data", "INHERIT\" selected"]);
    assert_eq!(admin.post(RULE, &[("compatibility", "SOME")]).await.status, 400);
    let saved = admin.post(RULE, &[("compatibility", "FORWARD"), ("transitive", "true")]).await;
    assert_eq!((saved.status, saved.header("location")), (303, &*format!("{list}&done=saved")));
    has(&editor.get(&list).await, &["Forward compatible · all earlier versions"]);

    let asked = editor.get(&promote).await;
    in_order(&asked, &["notice bad", "is not compatible with 1.0.0", "Compatibility with 1.0.0", "Breaking"]);
    lacks(&asked, &["notice good", "notice warn", ">Promote</button>"]);
    assert_eq!(editor.post(&promote, &[]).await.status, 409);
    let path = "/api/contracts/kinds/ENTITY_SCHEMA/e/1.1.0/promote";
    let refused = server.call(Method::POST, path, &server.editor, None, &[]).await;
    assert_eq!(refusal(&refused), (409, "incompatible".to_owned()));
    let form = [
        ("kind", "ENTITY_SCHEMA"),
        ("id", "e"),
        ("version", "1.2.0"),
        ("status", "ACTIVE"),
        ("spec", &*entity(&["a"])),
        ("do", "check"),
    ];
    let checked = editor.post("/console/contracts/register", &form).await;
    has(&checked, &["notice bad", "The compatibility rule forbids the changes since 1.0.0"]);
    lacks(&checked, &["notice good", "notice warn"]);
    let korean = Visitor::sign_in(&server, "editor", "ko").await;
    has(&korean.get(&promote).await, &["호환성 규칙(FORWARD)"]);

    let log = admin.get("/console/settings/audit?system=contracts").await;
    has(&log, &["contracts.setRule", "ENTITY_SCHEMA FORWARD transitive"]);
}

#[tokio::test]
async fn administrators_make_exceptions_when_they_promote_and_restore() {
    let server = Server::contracts(On::Embedded).await;
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    let admin = Visitor::sign_in(&server, "admin", "en").await;
    editor.registered("ENTITY_SCHEMA", "e", "1.0.0", "ACTIVE", &entity(&["a", "b"])).await;
    editor.registered("ENTITY_SCHEMA", "e", "1.1.0", "DRAFT", &entity(&["a"])).await;
    assert_eq!(admin.post(RULE, &[("compatibility", "FORWARD")]).await.status, 303);
    let to = |page: &str| at(page, "ENTITY_SCHEMA", "e", "1.1.0");

    let asked = editor.get(&to("promote")).await;
    has(&asked, &["is not compatible with 1.0.0", "An administrator can make an exception."]);
    lacks(&asked, &["name=\"override\"", ">Promote</button>"]);
    let form = [("override", "No reader uses b")];
    assert_eq!(editor.post(&to("promote"), &form).await.status, 403);
    let asked = admin.get(&to("promote")).await;
    has(&asked, &["Make an exception", "name=\"override\"", "name=\"allowMissing\"", ">Promote</button>"]);
    // Without a reason, or with one that is too long, nothing changes, and what was typed stays.
    assert_eq!(admin.post(&to("promote"), &[("override", "  ")]).await.status, 409);
    let long = "x".repeat(257);
    let refused = admin.post(&to("promote"), &[("override", &long), ("allowMissing", "true")]).await;
    assert_eq!(refused.status, 400);
    has(&refused, &["aria-invalid", &long, "value=\"true\" checked"]);
    assert_eq!(admin.post(&to("promote"), &form).await.status, 303);
    has(&editor.get(&to("version")).await, &["tag good\">Active", "No reader uses b"]);
    has(&admin.get("/console/settings/audit?system=contracts").await, &["override: No reader uses b"]);

    assert_eq!(editor.post(&to("deprecate"), &[]).await.status, 303);
    // No exception helps with a deprecated version that is deprecated again.
    for visitor in [&editor, &admin] {
        let again = visitor.post(&to("deprecate"), &[]).await;
        assert_eq!(again.status, 409);
        has(&again, &["already has this status", "Back to version"]);
        lacks(&again, &["Make an exception", "An administrator can make an exception."]);
    }
    let asked = editor.get(&to("restore")).await;
    has(&asked, &["is not compatible with 1.0.0", "An administrator can make an exception."]);
    let korean = Visitor::sign_in(&server, "admin", "ko").await;
    has(
        &korean.get(&to("restore")).await,
        &["예외 허용", "호환성 규칙을 무시하는 사유", ">다시 활성화</button>"],
    );
    assert_eq!(admin.post(&to("restore"), &form).await.status, 303);

    // An exception for a reference that leads nowhere.
    let spec = r#"{"entityType": "PRODUCT", "changeSetRef": "none@1.0.0", "slices": [{"type": "CORE"}]}"#;
    editor.registered("RULESET", "r", "1.0.0", "DRAFT", spec).await;
    let rules = at("promote", "RULESET", "r", "1.0.0");
    has(&admin.get(&rules).await, &["which does not exist", "Make an exception"]);
    assert_eq!(admin.post(&rules, &[("allowMissing", "true")]).await.status, 303);
    // No exception helps with a spec that is wrong.
    editor.registered("CHANGESET", "c", "1.0.0", "DRAFT", r#"{"identity": {"entityKeyFormat": 7}}"#).await;
    let broken = admin.get(&at("promote", "CHANGESET", "c", "1.0.0")).await;
    has(&broken, &["must be text", "Back to version"]);
    lacks(&broken, &["Make an exception"]);
}

#[tokio::test]
async fn rules_are_read_and_set_through_the_api() {
    let server = Server::contracts(On::Embedded).await;
    let path = "/api/contracts/rules/ENTITY_SCHEMA";
    let none = json!({ "kind": "ENTITY_SCHEMA", "compatibility": "NONE", "transitive": false });
    assert_eq!(ok(server.get(path).await), none);
    let full = json!({ "compatibility": "FULL" });
    let put = async |token: &str, body: &serde_json::Value| {
        server.call(Method::PUT, path, token, Some(body.clone()), &[]).await
    };
    assert_eq!(put(&server.editor, &full).await.status, 403);
    assert_eq!(refusal(&put(&server.admin, &full).await), (404, "contract_not_found".to_owned()));
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    editor.registered("ENTITY_SCHEMA", "e", "1.0.0", "DRAFT", &entity(&["a"])).await;
    assert_eq!(ok(put(&server.admin, &full).await)["compatibility"], "FULL");
    assert_eq!(ok(server.get(path).await)["compatibility"], "FULL");
    let wrong = put(&server.admin, &json!({ "compatibility": "SOME" })).await;
    assert_eq!(refusal(&wrong), (400, "compatibility_mode_unknown".to_owned()));
}
