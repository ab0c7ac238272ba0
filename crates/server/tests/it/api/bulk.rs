use axum::body::Body;
use axum::http::Method;
use serde_json::{Value as Json, json};

use crate::server::{Answer, Server, ok, refusal};

async fn import(server: &Server, format: &str, body: impl Into<Body>) -> Answer {
    let bearer = format!("Bearer {}", server.editor);
    let path = format!("/api/shop/import?format={format}");
    server.raw(Method::POST, &path, &[("authorization", &*bearer)], body.into()).await
}

async fn export(server: &Server, format: &str) -> Vec<Json> {
    let answer = server.get(&format!("/api/shop/export?format={format}")).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, "application/x-ndjson"));
    answer.text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[tokio::test]
async fn what_goes_out_goes_in_again() {
    for format in ["items", "records"] {
        let server = Server::start().await;
        assert_eq!(export(&server, format).await, Vec::<Json>::new());
        for number in 0..1300 {
            let code = (number % 100 == 0).then(|| format!("C{number}"));
            let mut body = json!({ "shelf": "a", "number": number, "name": "n", "tags": ["x", "y"] });
            if let Some(code) = code {
                body["code"] = code.into();
            }
            server.send(Method::POST, "/api/shop/entities/Item", body).await;
        }
        let lines = export(&server, format).await;
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let other = Server::start().await;
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

#[tokio::test]
async fn lines_that_cannot_be_stored_are_told_by_number() {
    let server = Server::start().await;
    let lines = "{\"$entity\": \"Item\", \"shelf\": \"a\", \"number\": 1, \"name\": \"n\"}\n\n{\nnull\n{\"name\": 1}\n{\"$entity\": \"Itme\"}\n{\"$entity\": \"Item\", \"shelf\": \"a\"}";
    let done = ok(import(&server, "records", lines).await);
    assert_eq!((&done["stored"], &done["refused"]), (&json!(1), &json!(5)));
    let told: Vec<(i64, &str)> = done["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|problem| (problem["line"].as_i64().unwrap(), problem["code"].as_str().unwrap()))
        .collect();
    let mut told = told;
    told.sort_unstable();
    assert_eq!(
        told,
        [
            (3, "malformed_json"),
            (4, "not_a_record"),
            (5, "not_a_record"),
            (6, "unknown_entity"),
            (7, "invalid_fields")
        ]
    );
    let done = ok(import(&server, "items", "{\"Item\": {\"PK\": {\"S\": \"x\"}}}\n{\"PK\": 1}\n").await);
    assert_eq!((&done["stored"], &done["refused"]), (&json!(0), &json!(2)));
    let endless = import(&server, "items", "x".repeat(5 * 1024 * 1024)).await;
    assert_eq!(refusal(&endless), (400, "line_too_long".to_owned()));
    assert_eq!(refusal(&import(&server, "csv", "").await), (400, "invalid_parameter".to_owned()));
}
