//! Compressed and uncompressed responses.

use std::io::Read as _;

use axum::body::Body;
use axum::http::{HeaderMap, Method, Request};
use serde_json::{Value as Json, json};
use tower::ServiceExt as _;

use hansang_testserver::{On, Server, Visitor};

/// The status, the headers and the bytes of a response.
async fn raw(server: &Server, path: &str, headers: &[(&str, &str)]) -> (u16, HeaderMap, Vec<u8>) {
    let mut request = Request::get(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let response = server.app.router().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    let (parts, body) = response.into_parts();
    let bytes = axum::body::to_bytes(body, usize::MAX).await.unwrap().to_vec();
    (parts.status.as_u16(), parts.headers, bytes)
}

fn unpacked(bytes: &[u8]) -> Json {
    let mut text = String::new();
    flate2::read::GzDecoder::new(bytes).read_to_string(&mut text).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[tokio::test]
async fn the_description_is_compressed_and_cached() {
    let server = Server::start(On::Embedded).await;
    let path = "/api/openapi.json";
    let (_, headers, plain) = raw(&server, path, &[]).await;
    assert!(!headers.contains_key("content-encoding"));
    let (status, headers, packed) = raw(&server, path, &[("accept-encoding", "br, gzip")]).await;
    assert_eq!(
        (status, &headers["content-encoding"], &headers["vary"]),
        (200, &"gzip".parse().unwrap(), &"accept-encoding".parse().unwrap())
    );
    assert!(packed.len() * 4 < plain.len(), "{} of {}", packed.len(), plain.len());
    assert_eq!(unpacked(&packed), serde_json::from_slice::<Json>(&plain).unwrap());
    let tag = headers["etag"].to_str().unwrap();
    let known = [("if-none-match", tag), ("accept-encoding", "gzip")];
    let (status, headers, nothing) = raw(&server, path, &known).await;
    assert_eq!((status, headers["etag"].to_str().unwrap(), nothing.len()), (304, tag, 0));
    assert_eq!(raw(&server, path, &[("if-none-match", "\"other\"")]).await.0, 200);
}

#[tokio::test]
async fn large_lists_are_compressed_and_secrets_are_not() {
    let server = Server::start(On::Embedded).await;
    for number in 0..20 {
        let body = json!({ "shelf": "a", "number": number, "name": "x".repeat(60) });
        assert_eq!(server.send(Method::POST, "/api/shop/entities/Item", body).await.status, 201);
    }
    let bearer = format!("Bearer {}", server.viewer);
    let get = |path: &'static str| {
        let (server, bearer) = (&server, &*bearer);
        async move { raw(server, path, &[("accept-encoding", "gzip"), ("authorization", bearer)]).await }
    };
    let (status, headers, packed) = get("/api/shop/patterns/itemsOfShelf?shelf=a").await;
    assert_eq!((status, &headers["content-encoding"]), (200, &"gzip".parse().unwrap()));
    assert_eq!(unpacked(&packed)["items"].as_array().unwrap().len(), 20);
    // A small response, a record whose tag is a version, a stream.
    for path in [
        "/api/shop/patterns/itemsOfShelf?shelf=b",
        "/api/shop/entities/Item/a/1",
        "/api/shop/export",
        "/api/access/session",
    ] {
        let (status, headers, _) = get(path).await;
        assert_eq!((status, headers.contains_key("content-encoding")), (200, false), "{path}");
    }
    // A page contains the CSRF secret.
    let visitor = Visitor::sign_in(&server, "viewer", "en").await;
    let headers = [("accept-encoding", "gzip"), ("cookie", &*visitor.cookie)];
    let (status, headers, page) = raw(&server, "/console", &headers).await;
    assert_eq!((status, headers.contains_key("content-encoding")), (200, false));
    assert!(String::from_utf8(page).unwrap().contains(&visitor.csrf));
}
