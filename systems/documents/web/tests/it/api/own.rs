//! What belongs to a user: artifacts, conversations, agents.

use axum::http::Method;
use hansang_testserver::{On, Response, ok, on_each_store, refusal};
use serde_json::{Value as Json, json};

use super::{API, Ground, all, id, start};

/// A request of the viewer.
async fn of_viewer(ground: &Ground, method: Method, path: &str, body: Option<Json>) -> Response {
    ground.call(method, &format!("{API}/{path}"), &ground.viewer, body, &[]).await
}

/// D14 to D17, Ds14: artifacts are those of their user, who alone reads and deletes them.
async fn artifacts_belong_to_their_user(on: On) {
    let ground = start(on).await;
    let (one, two) = (ground.project("one").await, ground.project("two").await);
    let make = async |project: &str, name: &str| {
        let path = format!("projects/{project}/artifacts?filename={name}");
        ok(ground.bytes(Method::POST, &path, &[("content-type", "text/markdown")], "# text").await)
    };
    let first = make(&one, "a.md").await;
    make(&two, "b.md").await;
    assert_eq!((id(&first, "content_type"), &first["file_size"]), ("text/markdown", &json!(6)));
    assert_eq!(all(&ok(ground.order(Method::GET, "artifacts").await), "filename"), ["b.md", "a.md"]);
    assert_eq!(
        all(&ok(ground.order(Method::GET, "artifacts?order=ascending").await), "filename"),
        ["a.md", "b.md"]
    );
    let of_one = format!("projects/{one}/artifacts");
    assert_eq!(all(&ok(ground.order(Method::GET, &of_one).await), "filename"), ["a.md"]);
    assert_eq!(ok(ground.see(&of_one).await)["items"], json!([]));
    let all_of_one = format!("{API}/{of_one}/all");
    assert_eq!(
        all(&ok(ground.call(Method::GET, &all_of_one, &ground.admin, None, &[]).await), "filename"),
        ["a.md"]
    );

    let path = format!("artifacts/{}", id(&first, "artifact_id"));
    assert_eq!(ok(ground.order(Method::GET, &path).await), first);
    let file = ground.order(Method::GET, &format!("{path}/file")).await;
    assert_eq!((file.status, &*file.text), (200, "# text"));
    assert!(file.header("content-disposition").contains("a.md"));
    for of_other in [&path, &format!("{path}/file")] {
        assert_eq!(refusal(&ground.see(of_other).await), (403, "artifact_foreign".to_owned()));
    }
    let refused = of_viewer(&ground, Method::DELETE, &path, None).await;
    assert_eq!(refusal(&refused), (403, "not_owner".to_owned()));
    assert_eq!(ground.order(Method::DELETE, &path).await.status, 204);
    assert_eq!(refusal(&ground.order(Method::GET, &path).await), (404, "artifact_unknown".to_owned()));
}

/// Ds3, Ds6, D25: conversations with their messages, by their user alone, also a viewer.
async fn conversations_belong_to_their_user(on: On) {
    let ground = start(on).await;
    let project = ground.project("p").await;
    let path = format!("projects/{project}/sessions");
    let made = of_viewer(&ground, Method::POST, &path, Some(json!({ "session_name": "질문" }))).await;
    assert_eq!((made.status, made.header("etag")), (201, "\"1\""));
    let session = format!("{path}/{}", id(&made.json(), "session_id"));
    assert_eq!(all(&ok(ground.see(&path).await), "session_name"), ["질문"]);
    assert_eq!(ok(ground.order(Method::GET, &path).await)["items"], json!([]));
    assert_eq!(refusal(&ground.order(Method::GET, &session).await), (404, "session_unknown".to_owned()));

    let renamed = json!({ "session_name": "다른 이름" });
    let url = format!("{API}/{session}");
    let put = async |tag: &str| {
        ground.call(Method::PUT, &url, &ground.viewer, Some(renamed.clone()), &[("if-match", tag)]).await
    };
    assert_eq!(id(&ok(put("\"1\"").await), "session_name"), "다른 이름");
    assert_eq!(refusal(&put("\"1\"").await), (412, "changed".to_owned()));

    let messages = format!("{session}/messages");
    for (role, content) in [("user", "몇 쪽?"), ("assistant", "두 쪽")] {
        let message = json!({ "role": role, "content": content });
        assert_eq!(of_viewer(&ground, Method::POST, &messages, Some(message)).await.status, 201);
    }
    assert_eq!(all(&ok(ground.see(&messages).await), "content"), ["몇 쪽?", "두 쪽"]);
    assert_eq!(
        all(&ok(ground.see(&format!("{messages}?order=descending&limit=1")).await), "role"),
        ["assistant"]
    );
    let foreign = ground.make(Method::POST, &messages, json!({ "role": "user", "content": "x" })).await;
    assert_eq!(refusal(&foreign), (404, "session_unknown".to_owned()));
    // The generic operations show no conversations: they do not know whose they are.
    for entity in ["Session", "Message", "Agent"] {
        let path = format!("{API}/entities/{entity}/a/b/c");
        assert_eq!(ground.get(&path).await.status, 404, "{entity}");
    }
    assert_eq!(of_viewer(&ground, Method::DELETE, &session, None).await.status, 204);
    assert_eq!(ground.see(&messages).await.status, 404);
}

/// Ds3, D26: agents are created, changed by their revision, and deleted by their user.
async fn agents_belong_to_their_user(on: On) {
    let ground = start(on).await;
    let project = ground.project("p").await;
    let path = format!("projects/{project}/agents");
    let text = json!({ "name": "요약", "content": "짧게" });
    let made = ok(ground.make(Method::POST, &path, text.clone()).await);
    let agent = format!("{path}/{}", id(&made, "agent_id"));
    assert_eq!(all(&ok(ground.order(Method::GET, &path).await), "name"), ["요약"]);
    assert_eq!(refusal(&ground.see(&agent).await), (404, "agent_unknown".to_owned()));
    let changed = json!({ "name": "번역", "content": "영어로" });
    assert_eq!(id(&ok(ground.edit(Method::PUT, &agent, 1, changed).await), "name"), "번역");
    assert_eq!(refusal(&ground.edit(Method::PUT, &agent, 1, text).await), (412, "changed".to_owned()));
    assert_eq!(ground.order(Method::DELETE, &agent).await.status, 204);
    assert_eq!(ok(ground.order(Method::GET, &path).await)["items"], json!([]));
}

on_each_store!(
    artifacts_belong_to_their_user,
    conversations_belong_to_their_user,
    agents_belong_to_their_user,
);
