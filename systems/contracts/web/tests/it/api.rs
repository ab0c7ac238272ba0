//! The registry of contracts over HTTP.

use axum::http::Method;
use serde_json::{Value as Json, json};

use crate::server::Server;
use hansang_testserver::{Response, ok};

mod changes;
mod check;
pub(crate) mod fail_closed;
mod lists;
mod load;
mod rules;
mod who;

const KINDS: &str = "/api/contracts/kinds";
/// The path of the contract that most tests use, and of its first version.
const CHANGES: &str = "/api/contracts/kinds/CHANGESET/changeset.v1";
const FIRST: &str = "/api/contracts/kinds/CHANGESET/changeset.v1/1.0.0";

/// The spec of a change set.
fn change_set(bytes: u64) -> Json {
    json!({
        "identity": { "entityKeyFormat": "{ENTITY_TYPE}#{tenantId}#{entityId}" },
        "payload": { "externalizationPolicy": { "thresholdBytes": bytes } },
        "fanout": { "enabled": true },
    })
}

/// The spec of a view that refers to a rule set.
fn view(version: &str) -> Json {
    json!({ "requiredSlices": ["CORE"], "ruleSetRef": { "id": "rules", "version": version } })
}

fn rule_set() -> Json {
    json!({ "entityType": "PRODUCT", "impactMap": {}, "joins": [], "slices": [{ "type": "CORE" }], "indexes": [] })
}

async fn register(server: &Server, path: &str, version: &str, status: &str, spec: Json) -> Response {
    let path = format!("{KINDS}/{path}");
    let body = json!({ "version": version, "status": status, "spec": spec });
    server.send(Method::POST, &path, body).await
}

/// Registers versions of the change set, each with its status.
async fn with_versions(server: &Server, versions: &[(&str, &str)]) {
    for (version, status) in versions {
        ok(register(server, "CHANGESET/changeset.v1", version, status, change_set(100)).await);
    }
}

async fn post(server: &Server, path: &str) -> Response {
    server.call(Method::POST, path, &server.editor, None, &[]).await
}

async fn forget_all(server: &Server) -> Json {
    ok(server.send(Method::POST, "/api/contracts/cache/invalidate", json!({})).await)
}

/// One member of each item of a list.
fn each(list: &Json, name: &str) -> Vec<String> {
    let items = list["items"].as_array().unwrap();
    items.iter().map(|item| item[name].as_str().unwrap().to_owned()).collect()
}
