//! Media through the API.

use axum::body::Body;
use axum::http::Method;
use hansang_content::MODEL;
use hansang_testserver::{On, Response, Server, ok, on_each_store, refusal};
use serde_json::{Value as Json, json};

use super::API;
use crate::site::with;

const PICTURE: &[u8] = include_bytes!("../../../src/demo/soup.png");

async fn upload(server: &Server, query: &str, bytes: &'static [u8]) -> Response {
    let token = format!("Bearer {}", server.editor);
    let headers = [("authorization", &*token), ("content-type", "application/octet-stream")];
    server.raw(Method::POST, &format!("{API}/media?{query}"), &headers, Body::from(bytes)).await
}

async fn read(server: &Server, path: &str) -> Response {
    server.call(Method::GET, &format!("{API}/{path}"), &server.editor, None, &[]).await
}

async fn call(server: &Server, method: Method, path: &str, revision: i64, body: Option<Json>) -> Response {
    let tag = format!("\"{revision}\"");
    server.call(method, &format!("{API}/{path}"), &server.editor, body, &[("if-match", &tag)]).await
}

/// A picture is uploaded, listed with its sizes, described, and deleted when nothing shows it.
async fn media_are_kept_through_the_api(on: On) {
    let folder = tempfile::tempdir().unwrap();
    let server = with(on, &[("content-files", folder.path().to_str().unwrap())]).await;
    let new = upload(&server, "filename=soup.png&alt=%EA%B5%AD", PICTURE).await;
    let tag = new.header("etag").to_owned();
    let new = ok(new);
    assert_eq!((&new["contentType"], &new["alt"]), (&json!("image/png"), &json!("국")));
    assert_eq!(format!("\"{}\"", new["revision"]), tag);
    let sizes = new["sizes"].as_array().unwrap();
    assert!(sizes.iter().any(|size| size["width"] == 320), "{new}");
    let id = new["id"].as_str().unwrap();
    let listed = ok(read(&server, "media").await);
    assert_eq!(listed["items"][0]["id"], id);

    let one = format!("media/{id}");
    let revision = new["revision"].as_i64().unwrap();
    let text = json!({ "filename": "국.png", "alt": "된장국", "focusX": 30, "focusY": 60 });
    let changed = ok(call(&server, Method::PUT, &one, revision, Some(text.clone())).await);
    assert_eq!((&changed["focusX"], &changed["filename"]), (&json!(30), &json!("국.png")));
    let stale = call(&server, Method::PUT, &one, revision, Some(text)).await;
    assert_eq!(refusal(&stale).0, 412);
    let half =
        call(&server, Method::PUT, &one, revision + 1, Some(json!({ "filename": "a", "focusX": 1 }))).await;
    assert_eq!(half.json()["errors"][0]["field"], "focusY");

    let content = hansang_content::Content::new(server.db(MODEL));
    let category = hansang_content::categories(&content).await.unwrap()[0].id.clone();
    let contents = format!("![]({})", sizes[0]["url"].as_str().unwrap());
    let post = json!({ "id": "shows", "categoryId": category, "title": "국", "contents": contents });
    ok(server.send(Method::POST, &format!("{API}/posts"), post).await);
    let used = ok(read(&server, &one).await);
    assert_eq!(used["uses"], json!([{ "kind": "post", "id": "shows" }]));
    let kept = call(&server, Method::DELETE, &one, revision + 1, None).await;
    assert_eq!(refusal(&kept).0, 409);
    assert_eq!(call(&server, Method::DELETE, "posts/shows", 1, None).await.status, 204);
    let now = ok(read(&server, &one).await)["revision"].as_i64().unwrap();
    assert_eq!(call(&server, Method::DELETE, &one, now, None).await.status, 204);
    assert_eq!(read(&server, &one).await.status, 404);

    assert_eq!(upload(&server, "filename=a.jpg", b"<html>").await.status, 400);
    assert_eq!(upload(&server, "alt=x", PICTURE).await.status, 400);
}

on_each_store!(media_are_kept_through_the_api);
