//! The API, as programs use it. Every response is compared with the description.

mod inquiries;
mod managed;
mod media;
mod posts;
mod who;

use std::sync::Arc;

use axum::http::Method;
use hansang_content_web::ContentSystem;
use hansang_testserver::{On, Response, Server, ok, settings};
use serde_json::{Value as Json, json};

pub(crate) const API: &str = "/api/content";

pub(crate) async fn start(on: On) -> Server {
    let server = Server::of_system(on, Arc::new(ContentSystem), settings()).await;
    let news = json!({ "id": "news", "title": "회사 소식", "slug": "news", "order": 1 });
    assert_eq!(send(&server, Method::POST, "categories", news).await.status, 201);
    server
}

/// A read of a visitor, who is not signed in.
pub(crate) async fn visit(server: &Server, path: &str) -> Response {
    server.call(Method::GET, &format!("{API}/{path}"), "", None, &[]).await
}

/// A change by the editor.
pub(crate) async fn send(server: &Server, method: Method, path: &str, body: Json) -> Response {
    server.send(method, &format!("{API}/{path}"), body).await
}

/// A change by the editor of a revision.
pub(crate) async fn edit(
    server: &Server,
    method: Method,
    path: &str,
    revision: i64,
    body: Option<Json>,
) -> Response {
    let tag = format!("\"{revision}\"");
    server.call(method, &format!("{API}/{path}"), &server.editor, body, &[("if-match", &tag)]).await
}

/// A new post with this id that is not published.
pub(crate) async fn write(server: &Server, id: &str, title: &str) -> Json {
    let post =
        json!({ "id": id, "categoryId": "news", "title": title, "contents": format!("**{title}** 본문") });
    ok(send(server, Method::POST, "posts", post).await)
}

/// A new post with this id that is published now.
pub(crate) async fn publish(server: &Server, id: &str, title: &str) -> Json {
    write(server, id, title).await;
    ok(edit(server, Method::POST, &format!("posts/{id}/publish"), 1, Some(json!({}))).await)
}
