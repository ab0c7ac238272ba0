use axum::body::Body;
use axum::http::Method;
use expect_test::expect;
use serde_json::{Value as Json, json};

use hansang_testserver::On;
use hansang_testserver::Server;
use hansang_testserver::{Response, ok, refusal};

hansang_testserver::on_each_store! {
    a_record_is_made_read_replaced_changed_and_deleted,
    writes_with_old_versions_are_rejected,
    a_singleton_has_one_address,
    some_fields_and_strong_reads_can_be_asked_for,
    invalid_bodies_are_explained_by_field,
    taken_keys_and_unique_values_are_conflicts,
    bad_requests_are_refused_with_a_code,
    keys_are_escaped_in_paths,
}

const ITEMS: &str = "/api/shop/entities/Item";

/// A record without generated fields.
fn without_own(mut record: Json) -> Json {
    let fields = record.as_object_mut().unwrap();
    fields.retain(|name, _| !["version", "createdAt", "updatedAt"].contains(&name.as_str()));
    record
}

async fn made(server: &Server, number: u32) -> Response {
    let body = json!({ "shelf": "a", "number": number, "name": format!("item {number}"), "color": "red" });
    server.send(Method::POST, ITEMS, body).await
}

async fn a_record_is_made_read_replaced_changed_and_deleted(on: On) {
    let server = Server::start(on).await;
    let answer = made(&server, 7).await;
    assert_eq!((answer.status, answer.header("location")), (201, "/api/shop/entities/Item/a/7"));
    let read = server.get("/api/shop/entities/Item/a/7").await;
    assert_eq!((read.status, read.json()), (200, answer.json()));
    expect![[r#"
        200 etag "1"
        {
          "$entity": "Item",
          "color": "red",
          "createdAt": "…",
          "name": "item 7",
          "number": 7,
          "price": 0,
          "shelf": "a",
          "state": "draft",
          "stock": 10,
          "updatedAt": "…",
          "version": 1
        }"#]]
    .assert_eq(&read.shown());

    let body = json!({ "name": "better", "price": 1.50 });
    let replaced = server.send(Method::PUT, "/api/shop/entities/Item/a/7", body).await;
    expect![[r#"
        200 etag "2"
        {
          "$entity": "Item",
          "createdAt": "…",
          "name": "better",
          "number": 7,
          "price": 1.5,
          "shelf": "a",
          "state": "draft",
          "stock": 10,
          "updatedAt": "…",
          "version": 2
        }"#]]
    .assert_eq(&replaced.shown());
    assert_eq!(replaced.json()["createdAt"], read.json()["createdAt"]);
    // A record can be sent back as it was read: only the version and the time change.
    let mut back = replaced.json();
    back["updatedAt"] = "1970-01-01T00:00:00Z".into();
    let again = server.send(Method::PUT, "/api/shop/entities/Item/a/7", back).await;
    assert_eq!((again.status, &again.json()["version"], again.header("etag")), (200, &json!(3), "\"3\""));
    assert_eq!(without_own(again.json()), without_own(replaced.json()));

    let changes = json!({ "stock": { "$add": -3 }, "color": "blue", "notes": ["x"] });
    let changed = ok(server.send(Method::PATCH, "/api/shop/entities/Item/a/7", changes).await);
    assert_eq!(
        (&changed["stock"], &changed["color"], &changed["version"]),
        (&json!(7), &json!("blue"), &json!(4))
    );
    let changes = json!({ "color": null, "notes": { "$append": ["y"] }, "state": "live" });
    let changed = server.send(Method::PATCH, "/api/shop/entities/Item/a/7", changes).await;
    expect![[r#"
        200 etag "5"
        {
          "$entity": "Item",
          "createdAt": "…",
          "name": "better",
          "notes": [
            "x",
            "y"
          ],
          "number": 7,
          "price": 1.5,
          "shelf": "a",
          "state": "live",
          "stock": 7,
          "updatedAt": "…",
          "version": 5
        }"#]]
    .assert_eq(&changed.shown());

    let gone = server.call(Method::DELETE, "/api/shop/entities/Item/a/7", &server.editor, None, &[]).await;
    assert_eq!((gone.status, gone.text.as_str()), (204, ""));
    let again = server.call(Method::DELETE, "/api/shop/entities/Item/a/7", &server.editor, None, &[]).await;
    expect![[r#"
        404
        {
          "type": "about:blank",
          "title": "Not Found",
          "status": 404,
          "code": "not_found",
          "detail": "there is no such Item",
          "traceId": "…"
        }"#]]
    .assert_eq(&again.shown());
    assert_eq!(refusal(&server.get("/api/shop/entities/Item/a/7").await), (404, "not_found".to_owned()));
}

async fn writes_with_old_versions_are_rejected(on: On) {
    let server = Server::start(on).await;
    made(&server, 1).await;
    let path = "/api/shop/entities/Item/a/1";
    let patch = |tag: &'static str| {
        let (server, body) = (&server, json!({ "name": "mine" }));
        async move { server.call(Method::PATCH, path, &server.editor, Some(body), &[("if-match", tag)]).await }
    };
    assert_eq!(patch("\"1\"").await.status, 200);
    expect![[r#"
        412
        {
          "type": "about:blank",
          "title": "Precondition Failed",
          "status": 412,
          "code": "changed_meanwhile",
          "detail": "this Item was changed in the meantime: read it again",
          "traceId": "…"
        }"#]]
    .assert_eq(&patch("\"1\"").await.shown());
    assert_eq!(refusal(&patch("1").await), (400, "invalid_if_match".to_owned()));
    assert_eq!(refusal(&patch("W/\"1\"").await), (400, "invalid_if_match".to_owned()));
    let stale = server.call(Method::DELETE, path, &server.editor, None, &[("if-match", "\"1\"")]).await;
    assert_eq!(stale.status, 412);
    let body = Some(json!({ "name": "n" }));
    let late = server.call(Method::PUT, path, &server.editor, body.clone(), &[("if-match", "\"1\"")]).await;
    assert_eq!(late.status, 412);
    let none = server.call(Method::PUT, path, &server.editor, body.clone(), &[("if-none-match", "*")]).await;
    assert_eq!(refusal(&none), (409, "already_exists".to_owned()));
    let new = "/api/shop/entities/Item/a/2";
    let first = server.call(Method::PUT, new, &server.editor, body, &[("if-none-match", "*")]).await;
    assert_eq!(first.status, 201);
}

async fn a_singleton_has_one_address(on: On) {
    let server = Server::start(on).await;
    let path = "/api/shop/entities/Opening/-";
    assert_eq!(server.get(path).await.status, 404);
    assert_eq!(server.send(Method::PUT, path, json!({ "hours": "9-5" })).await.status, 200);
    assert_eq!(ok(server.get(path).await)["hours"], "9-5");
    let tag = [("if-match", "\"1\"")];
    let answer = server.call(Method::DELETE, path, &server.editor, None, &tag).await;
    assert_eq!(refusal(&answer), (400, "invalid_if_match".to_owned()));
}

async fn some_fields_and_strong_reads_can_be_asked_for(on: On) {
    let server = Server::start(on).await;
    made(&server, 3).await;
    let some = ok(server.get("/api/shop/entities/Item/a/3?fields=name&consistent=true").await);
    assert_eq!(some, json!({ "$entity": "Item", "shelf": "a", "number": 3, "name": "item 3" }));
    for (query, code) in [
        ("fields=nmae", "invalid_fields"),
        ("consistent=yes", "invalid_parameter"),
        ("limit=3", "unknown_parameter"),
        ("fields=name&fields=color", "malformed_query"),
        ("fields=%ff", "malformed_query"),
    ] {
        let answer = server.get(&format!("/api/shop/entities/Item/a/3?{query}")).await;
        assert_eq!(refusal(&answer), (400, code.to_owned()), "{query}");
    }
}

async fn invalid_bodies_are_explained_by_field(on: On) {
    let server = Server::start(on).await;
    let body = json!({ "shelf": "a#b", "number": 10_000, "nmae": "x", "stock": "many", "version": 3 });
    let answer = server.send(Method::POST, ITEMS, body).await;
    expect![[r#"
        400
        {
          "type": "about:blank",
          "title": "Bad Request",
          "status": 400,
          "code": "invalid_fields",
          "detail": "`name` is required; `nmae` is not an attribute of Item; `number` must be at most 9999; `shelf` is part of a key and must not contain `#`; `stock` must be a whole number; `version` is written by Hansang and cannot be given",
          "traceId": "…",
          "errors": [
            {
              "field": "name",
              "message": "is required"
            },
            {
              "field": "nmae",
              "message": "is not an attribute of Item"
            },
            {
              "field": "number",
              "message": "must be at most 9999"
            },
            {
              "field": "shelf",
              "message": "is part of a key and must not contain `#`"
            },
            {
              "field": "stock",
              "message": "must be a whole number"
            },
            {
              "field": "version",
              "message": "is written by Hansang and cannot be given"
            }
          ]
        }"#]].assert_eq(&answer.shown());
}

async fn taken_keys_and_unique_values_are_conflicts(on: On) {
    let server = Server::start(on).await;
    made(&server, 1).await;
    expect![[r#"
        409
        {
          "type": "about:blank",
          "title": "Conflict",
          "status": 409,
          "code": "already_exists",
          "detail": "this Item already exists",
          "traceId": "…"
        }"#]]
    .assert_eq(&made(&server, 1).await.shown());
    let with_code = |number: u32| json!({ "shelf": "b", "number": number, "name": "n", "code": "A1" });
    assert_eq!(server.send(Method::POST, ITEMS, with_code(1)).await.status, 201);
    expect![[r#"
        409
        {
          "type": "about:blank",
          "title": "Conflict",
          "status": 409,
          "code": "not_unique",
          "detail": "another Item already has this code",
          "traceId": "…",
          "errors": [
            {
              "field": "code",
              "message": "is taken"
            }
          ]
        }"#]]
    .assert_eq(&server.send(Method::POST, ITEMS, with_code(2)).await.shown());
    let sold = server.send(Method::PATCH, "/api/shop/entities/Item/a/1", json!({ "state": "sold" })).await;
    expect![[r#"
        409
        {
          "type": "about:blank",
          "title": "Conflict",
          "status": 409,
          "code": "wrong_state",
          "detail": "`state` of this Item can become sold only from live",
          "traceId": "…"
        }"#]]
    .assert_eq(&sold.shown());
}

async fn bad_requests_are_refused_with_a_code(on: On) {
    let server = Server::start(on).await;
    let bearer = format!("Bearer {}", server.editor);
    let send = |content: &'static str, body: &'static str| {
        let (server, bearer) = (&server, bearer.clone());
        async move {
            let headers = [("authorization", &*bearer), ("content-type", content)];
            refusal(&server.raw(Method::POST, ITEMS, &headers, Body::from(body)).await)
        }
    };
    assert_eq!(send("application/json", "{").await, (400, "malformed_json".to_owned()));
    assert_eq!(send("application/json", "[]").await, (400, "malformed_json".to_owned()));
    assert_eq!(send("application/json", "\u{0}").await, (400, "malformed_json".to_owned()));
    assert_eq!(send("text/plain", "{}").await, (415, "wrong_content_type".to_owned()));
    assert_eq!(send("", "{}").await, (415, "wrong_content_type".to_owned()));
    let large = Body::from(format!("{{\"name\": \"{}\"}}", "x".repeat(1024 * 1024)));
    let headers = [("authorization", &*bearer), ("content-type", "application/json")];
    let answer = server.raw(Method::POST, ITEMS, &headers, large).await;
    assert_eq!(refusal(&answer), (413, "body_too_large".to_owned()));
    let deep = Body::from("[".repeat(10_000));
    assert_eq!(server.raw(Method::POST, ITEMS, &headers, deep).await.status, 400);
    for path in [
        "/api/shop/entities/Nothing/a",
        "/api/shop/entities/Item/a",
        "/api/none",
        "/api/shop/../shop",
        "//",
        "/api/shop/entities/Item/a/1/",
    ] {
        assert_eq!(refusal(&server.get(path).await), (404, "no_such_path".to_owned()), "{path}");
    }
    for key in ["a/x", "a%00/1", "a%23b/1", "%ff/1", "a/99999999999999999999"] {
        let answer = server.get(&format!("{ITEMS}/{key}")).await;
        assert_eq!(answer.status, 400, "{key}: {answer:?}");
    }
    let answer = server.call(Method::POST, "/api/shop/entities/Item/a/1", &server.editor, None, &[]).await;
    assert_eq!(refusal(&answer), (405, "method_not_allowed".to_owned()));
    let entity = json!({ "$entity": "Opening", "shelf": "a", "number": 1, "name": "n" });
    assert_eq!(refusal(&server.send(Method::POST, ITEMS, entity).await), (400, "wrong_entity".to_owned()));
    let other = json!({ "shelf": "b", "name": "n" });
    let answer = server.send(Method::PUT, "/api/shop/entities/Item/a/1", other).await;
    assert_eq!(refusal(&answer), (400, "key_mismatch".to_owned()));
    for body in [
        json!({}),
        json!({ "stock": { "$sub": 1 } }),
        json!({ "stock": { "$add": "1" } }),
        json!({ "shelf": "b" }),
    ] {
        let answer = server.send(Method::PATCH, "/api/shop/entities/Item/a/1", body.clone()).await;
        assert_eq!(answer.status, 400, "{body}: {answer:?}");
    }
}

async fn keys_are_escaped_in_paths(on: On) {
    let server = Server::start(on).await;
    let body = json!({ "shelf": "가 나/다?%", "number": 1, "name": "n" });
    let made = server.send(Method::POST, ITEMS, body).await;
    let place = made.header("location").to_owned();
    assert_eq!(ok(server.get(&place).await), made.json());
}
