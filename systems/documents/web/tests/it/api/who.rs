//! Who may do what, and what the generic operations may not.

use axum::http::Method;
use hansang_testserver::{On, on_each_store, refusal};
use serde_json::json;

use super::{API, start};

/// Viewers read and ask; editors change and process; administrators see the cache.
async fn every_operation_has_its_role(on: On) {
    let ground = start(on).await;
    let people = [("", 0), (&*ground.viewer, 1), (&*ground.editor, 2), (&*ground.admin, 3)];
    let operations = [
        (Method::GET, "projects", 1),
        (Method::GET, "projects/none", 1),
        (Method::GET, "projects/none/members", 1),
        (Method::GET, "projects/none/progress", 1),
        (Method::GET, "projects/none/progress/live", 1),
        (Method::GET, "projects/none/documents", 1),
        (Method::GET, "projects/none/duplicates?sha256=0", 1),
        (Method::GET, "projects/none/documents/none", 1),
        (Method::GET, "projects/none/documents/none/file", 1),
        (Method::GET, "projects/none/documents/none/versions", 1),
        (Method::GET, "projects/none/documents/none/workflows", 1),
        (Method::GET, "projects/none/documents/none/workflows/none", 1),
        (Method::GET, "projects/none/documents/none/artifacts", 1),
        (Method::GET, "projects/none/search?q=a", 1),
        (Method::GET, "workflows/none/segments", 1),
        (Method::GET, "workflows/none/segments/1", 1),
        (Method::GET, "workflows/none/segments/1/image", 1),
        (Method::GET, "workflows/none/segments/1/marks?q=a", 1),
        (Method::GET, "workflows/none/steps", 1),
        (Method::GET, "artifacts", 1),
        (Method::GET, "artifacts/none", 1),
        (Method::GET, "artifacts/none/file", 1),
        (Method::DELETE, "artifacts/none", 1),
        (Method::GET, "projects/none/artifacts", 1),
        (Method::GET, "projects/none/sessions", 1),
        (Method::POST, "projects/none/sessions", 1),
        (Method::PUT, "projects/none/sessions/none", 1),
        (Method::DELETE, "projects/none/sessions/none", 1),
        (Method::GET, "projects/none/sessions/none/messages", 1),
        (Method::POST, "projects/none/sessions/none/messages", 1),
        (Method::POST, "projects/none/sessions/none/ask", 1),
        (Method::GET, "projects/none/agents", 1),
        (Method::POST, "projects/none/agents", 1),
        (Method::PUT, "projects/none/agents/none", 1),
        (Method::DELETE, "projects/none/agents/none", 1),
        (Method::POST, "projects", 2),
        (Method::PUT, "projects/none", 2),
        (Method::POST, "projects/none/archive", 2),
        (Method::DELETE, "projects/none", 2),
        (Method::PUT, "projects/none/files/a.txt", 2),
        (Method::POST, "projects/none/documents", 2),
        (Method::DELETE, "projects/none/documents/none", 2),
        (Method::POST, "projects/none/documents/none/versions", 2),
        (Method::DELETE, "projects/none/documents/none/versions/1", 2),
        (Method::GET, "projects/none/documents/none/versions/1/content", 2),
        (Method::PUT, "projects/none/documents/none/versions/1/content", 2),
        (Method::POST, "projects/none/documents/none/versions/1/finish", 2),
        (Method::POST, "projects/none/documents/none/reprocess", 2),
        (Method::POST, "projects/none/documents/none/cancel", 2),
        (Method::PUT, "projects/none/documents/none/segments/1/text", 2),
        (Method::POST, "workflows/none/segments/1/questions", 2),
        (Method::POST, "projects/none/artifacts?filename=a", 2),
        (Method::POST, "steps/claim", 2),
        (Method::POST, "steps/none/parse/heartbeat", 2),
        (Method::POST, "steps/none/parse/segments?processor=a&attempt=1", 2),
        (Method::PUT, "steps/none/parse/images/1?processor=a&attempt=1", 2),
        (Method::POST, "steps/none/parse/complete", 2),
        (Method::POST, "steps/none/parse/fail", 2),
        (Method::POST, "steps/none/parse/skip", 2),
        (Method::POST, "steps/none/parse/release", 2),
        (Method::GET, "projects/none/artifacts/all", 3),
        (Method::GET, "cache", 3),
        (Method::POST, "cache/invalidate", 3),
    ];
    for (method, path, least) in operations {
        for (token, role) in people {
            let body = (method != Method::GET).then(|| json!({}));
            let answer = ground.call(method.clone(), &format!("{API}/{path}"), token, body, &[]).await;
            let refused = matches!(answer.status, 401 | 403);
            assert_eq!(refused, role < least, "{method} {path} by {role}: {answer:?}");
        }
    }
}

/// What the verbs own is read, and not written, by the generic operations.
async fn generic_writes_are_closed(on: On) {
    let ground = start(on).await;
    let project = ground.project("p").await;
    let new = json!({ "name": "x", "created_by": "u" });
    let refused = ground.make(Method::POST, "entities/Project", new).await;
    assert!([404, 405, 409].contains(&refused.status), "{refused:?}");
    let refused = ground.order(Method::DELETE, &format!("entities/Project/{project}")).await;
    assert!([404, 405, 409].contains(&refused.status), "{refused:?}");
    assert_eq!(ground.see(&format!("entities/Project/{project}")).await.status, 200);
    let line = json!({ "$entity": "Project", "project_id": "x", "name": "x", "created_by": "u" });
    let transaction = json!({ "operations": [{ "create": line }] });
    let refused = ground.make(Method::POST, "transaction", transaction).await;
    assert!(refused.status >= 400, "{refused:?}");
    assert_eq!(refusal(&ground.see("projects/x").await), (404, "project_unknown".to_owned()));
}

on_each_store!(every_operation_has_its_role, generic_writes_are_closed);
