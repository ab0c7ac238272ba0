//! Compatibility rules, exceptions from them, and the history that keeps the reasons.

use axum::http::Method;
use serde_json::{Value as Json, json};

use super::{KINDS, post, register};
use crate::server::Server;
use hansang_testserver::On;
use hansang_testserver::{Response, ok, refusal};

hansang_testserver::on_each_store! {
    the_narrowest_rule_counts,
    an_override_is_audited_and_kept,
    references_may_lead_nowhere_if_an_administrator_allows_it,
    pre_releases_are_the_latest_only_on_request,
}

const RULES: &str = "/api/contracts/rules";
const PATH: &str = "ENTITY_SCHEMA/e";

fn entity(fields: &[&str]) -> Json {
    let field = |name: &&str| json!({ "name": name, "type": "string" });
    json!({ "entityType": "PRODUCT", "fields": fields.iter().map(field).collect::<Vec<_>>() })
}

async fn admin(server: &Server, method: Method, path: &str, body: Option<Json>) -> Response {
    server.call(method, path, &server.admin, body, &[]).await
}

async fn promote(server: &Server, token: &str, query: &str) -> Response {
    let path = format!("{KINDS}/{PATH}/1.1.0/promote{query}");
    server.call(Method::POST, &path, token, None, &[]).await
}

/// An active version with two fields, and a draft without one of them.
async fn begun(on: On) -> Server {
    let server = Server::contracts(on).await;
    ok(register(&server, PATH, "1.0.0", "ACTIVE", entity(&["a", "b"])).await);
    ok(register(&server, PATH, "1.1.0", "DRAFT", entity(&["a"])).await);
    server
}

async fn the_narrowest_rule_counts(on: On) {
    let server = begun(on).await;
    let (kind, own) = (format!("{RULES}/ENTITY_SCHEMA"), format!("{RULES}/{PATH}"));
    let shown = ok(server.get(&own).await);
    assert_eq!(
        shown,
        json!({ "kind": "ENTITY_SCHEMA", "id": "e", "compatibility": "NONE", "transitive": false })
    );
    for (path, mode, from, fits) in
        [(RULES, "FULL", "ALL", false), (&*kind, "NONE", "KIND", true), (&*own, "FORWARD", "CONTRACT", false)]
    {
        let body = || Some(json!({ "compatibility": mode }));
        let refused = server.call(Method::PUT, path, &server.editor, body(), &[]).await;
        assert_eq!(refusal(&refused), (403, "role_missing".to_owned()), "{path}");
        assert_eq!(ok(admin(&server, Method::PUT, path, body()).await)["setOn"], from);
        let shown = ok(server.get(&own).await);
        assert_eq!((&shown["compatibility"], &shown["setOn"]), (&json!(mode), &json!(from)));
        let checked = promote(&server, &server.editor, "?dryRun=true").await;
        assert_eq!(checked.status == 200, fits, "{path}: {checked:?}");
    }
    assert_eq!(ok(admin(&server, Method::DELETE, &own, None).await)["setOn"], "KIND");
    assert_eq!(ok(admin(&server, Method::DELETE, &kind, None).await)["setOn"], "ALL");
    assert_eq!(ok(admin(&server, Method::DELETE, RULES, None).await).get("setOn"), None);
    let (path, body) = (format!("{RULES}/ENTITY_SCHEMA/nobody"), json!({ "compatibility": "FULL" }));
    assert_eq!(admin(&server, Method::PUT, &path, Some(body)).await.status, 404);
}

async fn an_override_is_audited_and_kept(on: On) {
    let server = begun(on).await;
    ok(admin(&server, Method::PUT, RULES, Some(json!({ "compatibility": "FULL" }))).await);
    assert_eq!(refusal(&promote(&server, &server.editor, "").await), (409, "incompatible".to_owned()));
    let reason = "?override=no%20one%20reads%20b";
    let refused = promote(&server, &server.editor, reason).await;
    assert_eq!(refusal(&refused), (403, "role_missing".to_owned()));
    assert_eq!(promote(&server, &server.admin, "?override=").await.status, 400);
    let moved = ok(promote(&server, &server.admin, reason).await);
    assert_eq!(moved["status"], "ACTIVE");
    assert!(moved["warnings"][0].as_str().unwrap().contains("was allowed with a reason"), "{moved}");
    let history = format!("{KINDS}/{PATH}/1.1.0/history");
    let kept = ok(server.get(&history).await)["items"][0].clone();
    assert_eq!(
        ["from", "to", "reason"].map(|name| kept[name].as_str().unwrap().to_owned()),
        ["DRAFT", "ACTIVE", "no one reads b"]
    );
    let log = ok(admin(&server, Method::GET, "/api/access/audit?system=contracts", None).await);
    let entry = log["items"]
        .as_array()
        .unwrap()
        .iter()
        .find(|entry| entry["operation"] == "promote" && entry["outcome"] == "DONE");
    assert_eq!(entry.unwrap()["subject"], "ENTITY_SCHEMA:e:1.1.0 override: no one reads b");
    // A restoration is checked too.
    ok(post(&server, &format!("{KINDS}/{PATH}/1.1.0/deprecate")).await);
    let restore = format!("{KINDS}/{PATH}/1.1.0/restore");
    let refused = server.call(Method::POST, &restore, &server.editor, None, &[]).await;
    assert_eq!(refusal(&refused), (409, "incompatible".to_owned()));
    ok(admin(&server, Method::POST, &format!("{restore}?override=again"), None).await);
    let kept: Vec<Json> = ok(server.get(&history).await)["items"].as_array().unwrap().clone();
    assert_eq!((kept.len(), &kept[2]["reason"]), (3, &json!("again")));
    let missing = server.get(&format!("{KINDS}/{PATH}/9.0.0/history")).await;
    assert_eq!(refusal(&missing), (404, "contract_not_found".to_owned()));
}

async fn references_may_lead_nowhere_if_an_administrator_allows_it(on: On) {
    let server = Server::contracts(on).await;
    let view = json!({ "requiredSlices": ["CORE"], "ruleSetRef": "nowhere@1.0.0" });
    let draft = ok(register(&server, "VIEW_DEFINITION/v", "1.0.0", "DRAFT", view.clone()).await);
    assert!(draft["warnings"][0].as_str().unwrap().contains("RULESET:nowhere:1.0.0"), "{draft}");
    let path = format!("{KINDS}/VIEW_DEFINITION/v?allowMissing=true");
    let body = || Some(json!({ "version": "1.1.0", "status": "ACTIVE", "spec": view }));
    let refused = server.call(Method::POST, &path, &server.editor, body(), &[]).await;
    assert_eq!(refusal(&refused), (403, "role_missing".to_owned()));
    let made = admin(&server, Method::POST, &path, body()).await;
    assert_eq!((made.status, made.json()["warnings"].as_array().unwrap().len()), (201, 1));
    let path = format!("{KINDS}/VIEW_DEFINITION/v/1.0.0/promote");
    let refused = server.call(Method::POST, &path, &server.editor, None, &[]).await;
    assert_eq!(refusal(&refused), (409, "reference_missing".to_owned()));
    ok(admin(&server, Method::POST, &format!("{path}?allowMissing=true"), None).await);
}

async fn pre_releases_are_the_latest_only_on_request(on: On) {
    let server = Server::contracts(on).await;
    let latest = async |query: &str| server.get(&format!("{KINDS}/{PATH}/latest{query}")).await;
    ok(register(&server, PATH, "1.1.0-rc.1", "ACTIVE", entity(&["a"])).await);
    assert_eq!(refusal(&latest("").await), (404, "no_active_version".to_owned()));
    ok(register(&server, PATH, "1.0.0", "ACTIVE", entity(&["a"])).await);
    for (query, version) in [
        ("", "1.0.0"),
        ("?range=%5E1", "1.0.0"),
        ("?preReleases=true", "1.1.0-rc.1"),
        ("?range=%5E1&preReleases=true", "1.1.0-rc.1"),
        ("?range=1.1.0-rc.1", "1.1.0-rc.1"),
    ] {
        assert_eq!(ok(latest(query).await)["version"], version, "{query}");
    }
}
