use axum::http::Method;
use expect_test::expect;
use serde_json::{Value as Json, json};

use hansang_testserver::On;
use hansang_testserver::Server;
use hansang_testserver::{ok, refusal};

hansang_testserver::on_each_store! {
    pages_go_both_ways,
    arguments_are_typed_and_options_too,
    a_cursor_belongs_to_its_query,
    one_record_by_a_unique_value_and_the_only_one,
    an_argument_may_be_called_limit,
}

async fn filled(on: On) -> Server {
    let server = Server::start(on).await;
    let lines: String = (0..25)
        .map(|number| {
            let color = if number % 5 == 0 { "red" } else { "blue" };
            let json = json!({ "$entity": "Item", "shelf": "a", "number": number, "name": format!("n{number:02}"), "color": color });
            format!("{json}\n")
        })
        .collect();
    let headers = [("authorization", &*format!("Bearer {}", server.editor))];
    let answer = server.raw(Method::POST, "/api/shop/import?format=records", &headers, lines.into()).await;
    assert_eq!(ok(answer)["stored"], 25);
    server
}

fn numbers(page: &Json) -> Vec<i64> {
    page["items"].as_array().unwrap().iter().map(|item| item["number"].as_i64().unwrap()).collect()
}

async fn pages_go_both_ways(on: On) {
    let server = filled(on).await;
    let path = "/api/shop/patterns/itemsOfShelf?shelf=a&limit=10";
    let first = ok(server.get(path).await);
    assert_eq!((numbers(&first), &first["previous"]), ((0..10).collect(), &Json::Null));
    let go = |page: &Json, way: &str| format!("{path}&cursor={}", page[way].as_str().unwrap());
    let second = ok(server.get(&go(&first, "next")).await);
    let third = ok(server.get(&go(&second, "next")).await);
    assert_eq!((numbers(&third), &third["next"]), ((20..25).collect(), &Json::Null));
    let back = ok(server.get(&go(&third, "previous")).await);
    assert_eq!((numbers(&back), numbers(&second)), ((10..20).collect(), (10..20).collect()));
    let front = ok(server.get(&go(&back, "previous")).await);
    assert_eq!(front["items"], first["items"]);
    let path = go(&first, "next").replace("limit=10", "limit=2");
    let small = server.get(&path).await;
    expect![[r#"
        200
        {
          "items": [
            {
              "$entity": "Item",
              "color": "red",
              "createdAt": "…",
              "name": "n10",
              "number": 10,
              "price": 0,
              "shelf": "a",
              "state": "draft",
              "stock": 10,
              "updatedAt": "…",
              "version": 1
            },
            {
              "$entity": "Item",
              "color": "blue",
              "createdAt": "…",
              "name": "n11",
              "number": 11,
              "price": 0,
              "shelf": "a",
              "state": "draft",
              "stock": 10,
              "updatedAt": "…",
              "version": 1
            }
          ],
          "next": "…",
          "previous": "…"
        }"#]]
    .assert_eq(&small.shown());
}

async fn arguments_are_typed_and_options_too(on: On) {
    let server = filled(on).await;
    let some = ok(server.get("/api/shop/patterns/itemsOfShelf?shelf=a&from=3&to=5&order=descending").await);
    assert_eq!(numbers(&some), [5, 4, 3]);
    let red = ok(server.get("/api/shop/patterns/itemsByColor?color=red&fields=name").await);
    assert_eq!(red["items"][1], json!({ "$entity": "Item", "shelf": "a", "number": 5, "name": "n05" }));
    for (query, code) in [
        ("", "invalid_fields"),
        ("shelf=a&from=x", "invalid_fields"),
        ("shelf=a&colour=red", "unknown_parameter"),
        ("shelf=a&limit=0", "invalid_page_size"),
        ("shelf=a&limit=1001", "invalid_page_size"),
        ("shelf=a&limit=99999999999", "invalid_parameter"),
        ("shelf=a&order=up", "invalid_parameter"),
        ("shelf=a&cursor=abc", "invalid_cursor"),
        ("shelf=a&fields=none", "invalid_fields"),
        ("shelf=a%23b", "invalid_fields"),
    ] {
        let answer = server.get(&format!("/api/shop/patterns/itemsOfShelf?{query}")).await;
        assert_eq!(refusal(&answer), (400, code.to_owned()), "{query}");
    }
    let strong = server.get("/api/shop/patterns/itemsByColor?color=red&consistent=true").await;
    expect![[r#"
        400
        {
          "type": "about:blank",
          "title": "Bad Request",
          "status": 400,
          "code": "no_strong_read_on_index",
          "detail": "`itemsByColor` reads the index `GSI1`, which has no strongly consistent reads: read without strong consistency",
          "traceId": "…"
        }"#]].assert_eq(&strong.shown());
}

async fn a_cursor_belongs_to_its_query(on: On) {
    let server = filled(on).await;
    let first = ok(server.get("/api/shop/patterns/itemsOfShelf?shelf=a&limit=2").await);
    let cursor = first["next"].as_str().unwrap();
    for query in [format!("shelf=b&cursor={cursor}"), format!("shelf=a&order=descending&cursor={cursor}")] {
        let answer = server.get(&format!("/api/shop/patterns/itemsOfShelf?{query}")).await;
        assert_eq!(answer.status, 400, "{answer:?}");
    }
}

async fn one_record_by_a_unique_value_and_the_only_one(on: On) {
    let server = Server::start(on).await;
    let body = json!({ "shelf": "z", "number": 1, "name": "n", "code": "X9" });
    server.send(Method::POST, "/api/shop/entities/Item", body).await;
    assert_eq!(numbers(&ok(server.get("/api/shop/patterns/itemByCode?code=X9").await)), [1]);
    assert_eq!(ok(server.get("/api/shop/patterns/itemByCode?code=Y9").await)["items"], json!([]));
    assert_eq!(ok(server.get("/api/shop/patterns/opening").await)["items"], json!([]));
}

/// A model with an argument that has the name of an option of the API.
async fn an_argument_may_be_called_limit(on: On) {
    let model = r#"
model: odd
table: { name: Odd, key: { pk: PK, sk: SK } }
entities:
  Rule:
    key: { PK: "LIMIT#{limit}", SK: "RULE#{name}" }
    attributes: { limit: string, name: string }
patterns:
  rules: { entity: Rule, given: [limit] }
"#;
    let server = Server::with(on, &[model], hansang_testserver::settings()).await;
    let body = Some(json!({ "limit": "high", "name": "one" }));
    let made = server.call(Method::POST, "/api/odd/entities/Rule", &server.admin, body, &[]).await;
    assert_eq!(made.status, 201);
    let path = "/api/odd/patterns/rules?arg.limit=high&limit=1";
    let found = ok(server.call(Method::GET, path, &server.admin, None, &[]).await);
    assert_eq!(found["items"][0]["name"], "one");
    let other = server.call(Method::GET, path, &server.viewer, None, &[]).await;
    assert_eq!(refusal(&other), (403, "role_missing".to_owned()));
}
