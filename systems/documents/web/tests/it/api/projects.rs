//! Projects.

use axum::http::Method;
use hansang_testserver::{On, ok, on_each_store, refusal};
use serde_json::json;

use super::{all, id, start};

/// D2, D3, Ds9: a project is created, read, changed by its revision, archived and deleted.
async fn a_project_lives(on: On) {
    let ground = start(on).await;
    let new = json!({ "name": "식단표", "language": "ko", "color": "#8A3B12", "ocr": "auto", "ocr_languages": "kor+eng" });
    let made = ground.make(Method::POST, "projects", new).await;
    assert_eq!((made.status, made.header("etag")), (201, "\"1\""));
    let made = made.json();
    let path = format!("projects/{}", id(&made, "project_id"));
    assert_eq!((id(&made, "status"), id(&made, "language")), ("active", "ko"));
    assert_eq!(ok(ground.see(&path).await), made);

    let text = json!({ "name": "Menus" });
    let missing = ground.make(Method::PUT, &path, text.clone()).await;
    assert_eq!(refusal(&missing), (428, "revision_required".to_owned()));
    let changed = ok(ground.edit(Method::PUT, &path, 1, text.clone()).await);
    assert_eq!(
        (id(&changed, "name"), &changed["color"], &changed["revision"]),
        ("Menus", &json!(null), &json!(2))
    );
    assert_eq!(refusal(&ground.edit(Method::PUT, &path, 1, text).await), (412, "changed".to_owned()));

    let archive = format!("{path}/archive");
    let archived = ok(ground.edit(Method::POST, &archive, 2, json!({ "archived": true })).await);
    assert_eq!(id(&archived, "status"), "archived");
    let upload = ground.bytes(Method::PUT, &format!("{path}/files/a.txt"), &[], "text").await;
    assert_eq!(refusal(&upload), (409, "project_archived".to_owned()));
    assert_eq!(ok(ground.see("projects?status=archived").await)["total"], 1);
    assert_eq!(ok(ground.see("projects?status=active").await)["total"], 0);

    assert_eq!(ground.order(Method::DELETE, &path).await.status, 204);
    assert_eq!(refusal(&ground.see(&path).await), (404, "project_unknown".to_owned()));
    let again = ground.order(Method::DELETE, &path).await;
    assert_eq!(refusal(&again), (404, "project_unknown".to_owned()));
    assert_eq!(ok(ground.see("projects").await)["items"], json!([]));
}

/// D4, Ds2: projects are listed in pages, the newest first or the oldest; wrong input is named.
async fn projects_are_listed(on: On) {
    let ground = start(on).await;
    let mut made = Vec::new();
    for number in 0..5 {
        made.push(ground.project(&format!("p{number}")).await);
    }
    for (order, expected) in
        [("ascending", made.clone()), ("descending", made.iter().rev().cloned().collect::<Vec<_>>())]
    {
        let (mut found, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = ok(ground.see(&format!("projects?limit=2&order={order}{cursor}")).await);
            found.extend(all(&page, "project_id").into_iter().map(str::to_owned));
            match page["next"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => break,
            }
        }
        assert_eq!(found, expected, "{order}");
    }
    assert_eq!(ground.see("projects?cursor=x").await.status, 400);
    assert_eq!(ground.see("projects?status=none").await.status, 400);
    assert_eq!(ground.see("projects?order=none").await.status, 400);
    assert_eq!(ground.see("projects?other=1").await.status, 400);
    for wrong in
        [json!({}), json!({ "name": "" }), json!({ "name": "a", "ocr": "x" }), json!({ "name": "a", "b": 1 })]
    {
        let refused = ground.make(Method::POST, "projects", wrong.clone()).await;
        assert_eq!(refused.status, 400, "{wrong}: {refused:?}");
    }
}

/// Ds7: deleting a project removes documents, runs, segments, artifacts, conversations and agents of all users, and files.
async fn deleting_a_project_leaves_nothing(on: On) {
    let ground = start(on).await;
    let project = ground.project("p").await;
    let path = format!("projects/{project}");
    let document = ground.upload(&project, "a.txt", "내용").await;
    ground.process(&["하나", "둘"]).await;
    let workflow = id(&document["workflow"], "workflow_id").to_owned();
    let artifact = ground.bytes(Method::POST, &format!("{path}/artifacts?filename=a.md"), &[], "# a").await;
    let artifact = id(&ok(artifact), "artifact_id").to_owned();
    ok(ground.make(Method::POST, &format!("{path}/sessions"), json!({ "session_name": "s" })).await);
    ok(ground.make(Method::POST, &format!("{path}/agents"), json!({ "name": "a", "content": "c" })).await);
    let members = ok(ground.see(&format!("{path}/members")).await);
    assert_eq!(members["items"].as_array().unwrap().len(), 1);
    assert_eq!(ground.order(Method::DELETE, &path).await.status, 204);
    assert_eq!(refusal(&ground.see(&format!("{path}/documents")).await).0, 404);
    assert_eq!(ok(ground.see(&format!("workflows/{workflow}/segments")).await)["items"], json!([]));
    assert_eq!(ok(ground.see(&format!("workflows/{workflow}/steps")).await)["items"], json!([]));
    assert_eq!(ground.order(Method::GET, &format!("artifacts/{artifact}")).await.status, 404);
    let folder = ground.directory.path().join("files/projects").join(&project);
    assert!(!folder.exists(), "{}", folder.display());
}

/// D18, D21, D23, D24: lists come from the cache, never older than a change; administrators see and drop what is cached.
async fn lists_are_cached(on: On) {
    let ground = start(on).await;
    ground.project("a").await;
    ground.later(std::time::Duration::from_secs(60));
    for _ in 0..3 {
        ok(ground.see("projects").await);
    }
    let statistics = async || {
        let path = format!("{}/cache", super::API);
        ok(ground.call(Method::GET, &path, &ground.admin, None, &[]).await)
    };
    let before = statistics().await;
    assert_eq!((id(&before, "kind"), before["fills"].as_u64()), ("memory", Some(1)));
    assert_eq!(before["hits"].as_u64(), Some(2));
    ground.project("b").await;
    assert_eq!(ok(ground.see("projects").await)["total"], 2);
    let path = format!("{}/cache/invalidate", super::API);
    let invalidate = async |key: &str| {
        ground.call(Method::POST, &path, &ground.admin, Some(json!({ "key": key })), &[]).await
    };
    let count = statistics().await["invalidations"].as_u64().unwrap();
    for key in ["query_projects", "session_list:u:p", "agent_list:u:p"] {
        ok(invalidate(key).await);
    }
    assert_eq!(statistics().await["invalidations"].as_u64().unwrap(), count + 3);
    for key in ["other", "session_list:u", "agent_list:u:p:q", "agent_list::p"] {
        assert_eq!(refusal(&invalidate(key).await), (400, "id_invalid".to_owned()), "{key}");
    }
}

on_each_store!(a_project_lives, projects_are_listed, deleting_a_project_leaves_nothing, lists_are_cached,);
