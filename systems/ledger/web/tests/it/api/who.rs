//! Permissions.

use std::time::Duration;

use axum::http::Method;
use hansang_access::{Grants, NewAccount, NewToken, Origin, Secret};
use hansang_testserver::{On, Server, refusal};
use serde_json::json;

use super::{API, food, start};

hansang_testserver::on_each_store!(viewers_read_and_editors_write);

/// Viewers read everything and change nothing; strangers see nothing; records are written by no one.
async fn viewers_read_and_editors_write(on: On) {
    let server = start(on).await;
    let line = || Some(food("2025-01-01", "", 1));
    let path = format!("{API}/lines");
    let viewer = server.call(Method::POST, &path, &server.viewer, line(), &[]).await;
    assert_eq!(viewer.status, 403, "{viewer:?}");
    assert_eq!(server.call(Method::POST, &path, "", line(), &[]).await.status, 401);
    assert_eq!(server.call(Method::GET, &format!("{API}/codes"), "", None, &[]).await.status, 401);
    assert_eq!(server.call(Method::POST, &path, &server.editor, line(), &[]).await.status, 201);
    assert_eq!(server.get(&format!("{API}/months/2025.01")).await.status, 200);
    let guest = guest(&server).await;
    assert_eq!(
        server.call(Method::GET, &format!("{API}/months/2025.01"), &guest, None, &[]).await.status,
        403
    );
    assert_eq!(server.call(Method::POST, &path, &guest, line(), &[]).await.status, 403);
    let fields = json!({ "codes": ["x"] });
    let record = format!("{API}/entities/CodeList/NAME");
    let written = server.call(Method::PUT, &record, &server.admin, Some(fields), &[]).await;
    assert_eq!(refusal(&written).0, 405, "{written:?}");

    // Every change needs an editor, every read a viewer.
    for (path, methods) in server.document["paths"].as_object().unwrap() {
        let Some(own) = path.strip_prefix("/api/ledger/") else { continue };
        for (method, operation) in methods.as_object().unwrap() {
            let needs = operation["x-needs"].as_str().unwrap();
            let expected = match (method.as_str(), own) {
                (_, "backup") => "admin of *",
                ("get", _) => "viewer of ledger",
                ("post", "batch-get") => "viewer of ledger",
                _ => "editor of ledger",
            };
            assert_eq!(needs, expected, "{method} {path}");
        }
    }
}

/// The token of an account without a role.
async fn guest(server: &Server) -> String {
    let origin = Origin { address: [127, 0, 0, 1].into(), trace: "test".to_owned() };
    let (login, password) = ("guest".to_owned(), Secret::new("correct horse"));
    let new = NewAccount { login: login.clone(), name: login, password, grants: Grants::default() };
    server.access.create_account(new).await.unwrap();
    let signed_in = server.access.sign_in("guest", "correct horse", &origin).await.unwrap();
    let expires = super::ledger(server).db.clock().moment().now + Duration::from_secs(20 * 3600);
    let new = NewToken { name: "guest".to_owned(), grants: Grants::default(), expires };
    let created = server.access.create_token(&signed_in.identity, new).await.unwrap();
    created.secret.expose().to_owned()
}
