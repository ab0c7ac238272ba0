//! Every operation of the description, called without permission.

use std::collections::BTreeSet;

use axum::body::Body;
use axum::http::Method;
use serde_json::{Value as Json, json};

use hansang_testserver::On;
use hansang_testserver::refusal;
use hansang_testserver::{Server, Visitor};

hansang_testserver::on_each_store! {
    every_operation_needs_a_token,
    every_operation_needs_its_role,
    tokens_of_others_are_not_found,
    the_description_is_complete,
    a_new_entity_needs_no_new_program,
}

/// The operations: method, path with a value for each parameter, and requirement on the caller.
fn operations(document: &Json) -> Vec<(Method, String, String)> {
    let mut all = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        let filled: Vec<&str> =
            path.split('/').map(|part| if part.starts_with('{') { "1" } else { part }).collect();
        for (method, operation) in methods.as_object().unwrap() {
            let method: Method = method.to_uppercase().parse().unwrap();
            all.push((method, filled.join("/"), operation["x-needs"].as_str().unwrap().to_owned()));
        }
    }
    all
}

/// The public operations. A new one has to be added to this list.
const OPEN: [&str; 2] = ["POST /api/access/session", "POST /api/access/set-up"];

async fn every_operation_needs_a_token(on: On) {
    let server = Server::start(on).await;
    let mut open = Vec::new();
    for (method, path, needs) in operations(&server.document) {
        if needs == "nothing" {
            open.push(format!("{method} {path}"));
            continue;
        }
        for token in ["", "hst_wrong", "not.a.token"] {
            let answer = server.call(method.clone(), &path, token, Some(json!({})), &[]).await;
            assert_eq!(answer.status, 401, "{method} {path} with `{token}`: {answer:?}");
            assert_eq!(answer.header("www-authenticate"), "Bearer");
        }
    }
    open.sort();
    assert_eq!(open, OPEN);
}

async fn every_operation_needs_its_role(on: On) {
    let server = Server::start(on).await;
    let mut seen = BTreeSet::new();
    for (method, path, needs) in operations(&server.document) {
        let (wrong, token) = match &*needs {
            "editor of shop" => (true, &server.viewer),
            "admin of *" => (true, &server.editor),
            needs if needs.starts_with("viewer of *") => (true, &server.editor),
            "viewer of shop" | "signed in" | "nothing" => (false, &server.editor),
            other => panic!("no token without permission is known for {method} {path}: {other}"),
        };
        seen.insert(needs.clone());
        let answer = server.call(method.clone(), &path, token, Some(json!({})), &[]).await;
        if wrong {
            assert_eq!(refusal(&answer), (403, "role_missing".to_owned()), "{method} {path}");
        } else {
            // Tokens are managed by their owner, signed in, and not by a token of other systems.
            let by_session = answer.status == 403 && answer.json()["code"] == "session_needed";
            assert!(by_session || answer.status != 403, "{method} {path}: {answer:?}");
            assert!(!by_session || path.starts_with("/api/access/tokens"), "{method} {path}: {answer:?}");
        }
    }
    assert_eq!(seen.len(), 6, "{seen:?}");
}

async fn tokens_of_others_are_not_found(on: On) {
    let server = Server::start(on).await;
    let list = server.call(Method::GET, "/api/access/tokens", &server.admin, None, &[]).await.json();
    let id = list["items"][0]["id"].as_str().unwrap();
    let path = format!("/api/access/tokens/{id}");
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    let session = [("cookie", &*editor.cookie), ("x-csrf-token", &*editor.csrf)];
    let answer = server.raw(Method::DELETE, &path, &session, Body::empty()).await;
    assert_eq!(answer.status, 404, "{answer:?}");
    let own = server.raw(Method::GET, "/api/access/tokens", &session, Body::empty()).await.json();
    assert!(own["items"].as_array().unwrap().iter().all(|token| token["id"] != *id));
    let answer = server.call(Method::DELETE, &path, &server.admin, None, &[]).await;
    assert_eq!(answer.status, 204);
    let answer = server.call(Method::GET, "/api/access/tokens", &server.admin, None, &[]).await;
    assert_eq!(answer.status, 401, "a revoked token ends at once");
}

/// Every reference of the description resolves, and every operation has a unique name.
async fn the_description_is_complete(on: On) {
    let server = Server::start(on).await;
    let mut names = BTreeSet::new();
    for methods in server.document["paths"].as_object().unwrap().values() {
        for operation in methods.as_object().unwrap().values() {
            assert!(names.insert(operation["operationId"].as_str().unwrap()), "{operation}");
        }
    }
    let text = server.document.to_string();
    for reference in text.split("\"$ref\":\"#").skip(1) {
        let pointer = reference.split('"').next().unwrap();
        assert!(server.document.pointer(pointer).is_some(), "{pointer}");
    }
    let index = server.get("/api/docs").await;
    assert_eq!(index.status, 200);
    let mut pages = String::new();
    for tag in server.document["tags"].as_array().unwrap() {
        let path = format!("/api/docs/{}", tag["name"].as_str().unwrap());
        assert!(index.text.contains(&path), "{path}");
        let page = server.get(&path).await;
        assert_eq!(page.status, 200);
        for link in page.text.split("href=\"#").skip(1) {
            let id = link.split('"').next().unwrap();
            assert!(page.text.contains(&format!("id=\"{id}\"")), "{path} has no {id}");
        }
        pages.push_str(&page.text);
    }
    assert!(names.iter().all(|name| pages.contains(&format!("id=\"{name}\""))));
}

/// A model that is loaded later is served like one that was loaded at the start.
async fn a_new_entity_needs_no_new_program(on: On) {
    let mut server = Server::start(on).await;
    let body = Some(json!({ "day": "monday", "note": "x" }));
    let path = "/api/shop/entities/Note";
    let before = server.call(Method::POST, path, &server.editor, body.clone(), &[]).await;
    assert_eq!(before.status, 404);
    let entity = "  Note:\n    key: { PK: \"NOTE#{day}\", SK: NOTE }\n    attributes: { day: string, note: string }\npatterns:";
    let model = hansang_testserver::SHOP.replace("patterns:", entity);
    server.load(&[&model]).await;
    let after = server.call(Method::POST, path, &server.editor, body, &[]).await;
    assert_eq!(after.status, 201, "{after:?}");
    assert_eq!(server.get("/api/shop/entities/Note/monday").await.status, 200);
}
