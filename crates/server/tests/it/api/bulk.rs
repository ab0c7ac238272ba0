use axum::body::Body;
use axum::http::Method;
use expect_test::expect;
use serde_json::{Value as Json, json};

use hansang_testserver::On;
use hansang_testserver::Server;
use hansang_testserver::{Response, ok, refusal};

hansang_testserver::on_each_store! {
    an_export_can_be_imported,
    a_line_is_an_item_or_a_record,
    invalid_lines_are_listed_by_number,
}

async fn import(server: &Server, format: &str, body: impl Into<Body>) -> Response {
    let bearer = format!("Bearer {}", server.editor);
    let path = format!("/api/shop/import?format={format}");
    server.raw(Method::POST, &path, &[("authorization", &*bearer)], body.into()).await
}

async fn export(server: &Server, format: &str) -> Vec<Json> {
    let answer = server.get(&format!("/api/shop/export?format={format}")).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, "application/x-ndjson"));
    answer.text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn record(number: u32) -> Json {
    let mut record =
        json!({ "$entity": "Item", "shelf": "a", "number": number, "name": "n", "tags": ["x", "y"] });
    if number.is_multiple_of(100) {
        record["code"] = format!("C{number}").into();
    }
    record
}

async fn an_export_can_be_imported(on: On) {
    for format in ["items", "records"] {
        let server = Server::start(on).await;
        assert_eq!(export(&server, format).await, Vec::<Json>::new());
        // More than two pages of a scan, and more than two batches of an import.
        let records: String = (0..1300).map(|number| format!("{}\n", record(number))).collect();
        assert_eq!(ok(import(&server, "records", records).await)["stored"], 1300);
        let lines = export(&server, format).await;
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let other = Server::start(on).await;
        let done = ok(import(&other, format, text.trim_end().to_owned()).await);
        assert_eq!((&done["stored"], &done["refused"]), (&json!(lines.len()), &json!(0)), "{done}");
        let page = ok(other.get("/api/shop/patterns/itemsOfShelf?shelf=a&limit=1000").await);
        assert_eq!(page["items"].as_array().unwrap().len(), 1000);
        assert_eq!(
            ok(other.get("/api/shop/patterns/itemByCode?code=C1200").await)["items"][0]["number"],
            1200
        );
        assert_eq!(export(&other, format).await.len(), lines.len());
    }
}

async fn a_line_is_an_item_or_a_record(on: On) {
    let server = Server::start(on).await;
    let body =
        json!({ "shelf": "가", "number": 100, "name": "n", "price": 1.50, "tags": ["y", "x"], "code": "C" });
    server.send(Method::POST, "/api/shop/entities/Item", body).await;
    // The order of a scan is unspecified and depends on the store.
    let sorted = async |format: &str| {
        let mut answer = server.get(&format!("/api/shop/export?format={format}")).await;
        let mut lines: Vec<&str> = answer.text.lines().collect();
        lines.sort_unstable();
        answer.text = lines.join("\n");
        answer.shown()
    };
    expect![[r#"
        200
        {
          "Item": {
            "PK": {
              "S": "SHELF#가"
            },
            "SK": {
              "S": "ITEM#0100"
            },
            "code": {
              "S": "C"
            },
            "createdAt": {
              "S": "…"
            },
            "name": {
              "S": "n"
            },
            "number": {
              "N": "100"
            },
            "price": {
              "N": "1.5"
            },
            "shelf": {
              "S": "가"
            },
            "state": {
              "S": "draft"
            },
            "stock": {
              "N": "10"
            },
            "tags": {
              "SS": [
                "x",
                "y"
              ]
            },
            "updatedAt": {
              "S": "…"
            },
            "version": {
              "N": "1"
            }
          }
        }
        {
          "Item": {
            "PK": {
              "S": "UNIQUE#Item#code#C"
            },
            "SK": {
              "S": "UNIQUE"
            },
            "ownerPK": {
              "S": "SHELF#가"
            },
            "ownerSK": {
              "S": "ITEM#0100"
            }
          }
        }"#]]
    .assert_eq(&sorted("items").await);
    expect![[r#"
        200
        {
          "$entity": "Item",
          "code": "C",
          "createdAt": "…",
          "name": "n",
          "number": 100,
          "price": 1.5,
          "shelf": "가",
          "state": "draft",
          "stock": 10,
          "tags": [
            "x",
            "y"
          ],
          "updatedAt": "…",
          "version": 1
        }"#]]
    .assert_eq(&sorted("records").await);
}

async fn invalid_lines_are_listed_by_number(on: On) {
    let server = Server::start(on).await;
    let lines = "{\"$entity\": \"Item\", \"shelf\": \"a\", \"number\": 1, \"name\": \"n\"}\n\n{\nnull\n{\"name\": 1}\n{\"$entity\": \"Itme\"}\n{\"$entity\": \"Item\", \"shelf\": \"a\"}";
    let done = import(&server, "records", lines).await;
    expect![[r#"
        200
        {
          "stored": 1,
          "refused": 5,
          "problems": [
            {
              "line": 3,
              "code": "malformed_json",
              "message": "the line is not JSON"
            },
            {
              "line": 4,
              "code": "not_a_record",
              "message": "the line must be a JSON object"
            },
            {
              "line": 5,
              "code": "not_a_record",
              "message": "the line must name its entity as `$entity`"
            },
            {
              "line": 6,
              "code": "unknown_entity",
              "message": "the model `shop` has no entity `Itme`: did you mean `Item`?"
            },
            {
              "line": 7,
              "code": "invalid_fields",
              "message": "`name` is required; `number` is required"
            }
          ]
        }"#]]
    .assert_eq(&done.shown());
    let done = ok(import(&server, "items", "{\"Item\": {\"PK\": {\"S\": \"x\"}}}\n{\"PK\": 1}\n").await);
    assert_eq!((&done["stored"], &done["refused"]), (&json!(0), &json!(2)));
    let endless = import(&server, "items", "x".repeat(5 * 1024 * 1024)).await;
    assert_eq!(refusal(&endless), (400, "line_too_long".to_owned()));
    assert_eq!(refusal(&import(&server, "csv", "").await), (400, "invalid_parameter".to_owned()));
}
