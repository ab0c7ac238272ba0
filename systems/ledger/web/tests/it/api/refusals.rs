//! Bad input: each problem at its field, all at once, and nothing is written.

use axum::http::Method;
use hansang_testserver::{On, refusal};
use serde_json::{Value as Json, json};

use super::{API, food, get, send, start};

hansang_testserver::on_each_store!(every_problem_of_a_body_is_reported_at_its_field, bad_reads_are_refused);

fn errors(json: &Json) -> Vec<(String, String)> {
    let text = |json: &Json| json.as_str().unwrap().to_owned();
    let all = json["errors"].as_array().cloned().unwrap_or_default();
    all.iter().map(|error| (text(&error["field"]), text(&error["message"]))).collect()
}

/// Ls4, Ls5, Ls6, Ls17
async fn every_problem_of_a_body_is_reported_at_its_field(on: On) {
    let server = start(on).await;
    let huge: Json = serde_json::from_str("1e40").unwrap();
    for (body, fields) in [
        (json!({}), vec!["kind", "name", "date", "amount"]),
        (
            json!({ "kind": "FOOD", "name": "식비", "date": "2025-02-30", "amount": 4.5 }),
            vec!["kind", "date", "amount"],
        ),
        (
            json!({ "kind": "INCOME", "name": "a#b", "detail": "월급", "date": "2025-01-01", "amount": huge }),
            vec!["name", "amount"],
        ),
        (
            json!({ "kind": "INCOME", "name": "배우자1", "date": "1800-01-01", "amount": "1" }),
            vec!["detail", "date", "amount"],
        ),
        (
            json!({ "kind": "INCOME", "name": "배우자1", "detail": "a\u{1}", "date": "2025-01-01", "amount": 1 }),
            vec!["detail"],
        ),
        (
            json!({ "kind": "SAVINGS", "name": "적금1", "detail": "x", "date": "2025-01-01", "amount": 1, "color": 1 }),
            vec!["detail", "color"],
        ),
        (
            json!({ "kind": "SHORT_SAVINGS", "name": "여행", "detail": "x", "date": "20250101", "amount": 1 }),
            vec!["detail", "date"],
        ),
        (
            json!({ "kind": 1, "name": 2, "date": 3, "amount": null, "text": 4, "lineId": "x" }),
            vec!["lineId", "kind", "name", "date", "amount", "text"],
        ),
    ] {
        let answer = send(&server, Method::POST, "lines", body.clone()).await;
        assert_eq!(refusal(&answer), (400, "invalid_fields".to_owned()), "{body}");
        let found: Vec<String> = errors(&answer.json()).into_iter().map(|(field, _)| field).collect();
        assert_eq!(found, fields, "{body}: {}", answer.text);
    }
    let mut long = food("2025-01-01", &"가".repeat(201), 1);
    assert_eq!(
        refusal(&send(&server, Method::POST, "lines", long.clone()).await),
        (400, "text_too_long".to_owned())
    );
    long["text"] = "".into();
    long["name"] = "없는분류".into();
    assert_eq!(refusal(&send(&server, Method::POST, "lines", long).await), (400, "code_unknown".to_owned()));
    for (method, path, body, code) in [
        (
            Method::POST,
            "months/2025.13/entries",
            json!({ "kind": "SAVINGS", "name": "적금1", "amount": 1 }),
            "month_invalid",
        ),
        (Method::POST, "months/2025.01/entries/FOOD/x/-/move", json!({ "to": "2025.02" }), "kind_unknown"),
        (Method::PUT, "months/2025.01/entries/SAVINGS/a%23b/-", json!({ "amount": 1 }), "name_invalid"),
        (
            Method::PUT,
            "months/2025.01/entries/SAVINGS/%EC%A0%81%EA%B8%881/-",
            json!({ "amount": 1.5 }),
            "invalid_fields",
        ),
        (Method::PUT, "opening", json!({ "cashAccumulated": 0.1 }), "invalid_fields"),
        (
            Method::PUT,
            "budgets",
            json!({ "kind": "INCOME", "category": "x", "month": "2025.01", "amount": 1 }),
            "kind_unknown",
        ),
        (
            Method::PUT,
            "budgets",
            json!({ "kind": "LIVING_EXPENSE", "category": "식비", "month": "2025.1", "amount": -1 }),
            "invalid_fields",
        ),
        (
            Method::POST,
            "rules",
            json!({ "kind": "SAVINGS", "name": "적금1", "amount": 1, "day": 32, "yearly": 13, "from": "x" }),
            "invalid_fields",
        ),
        (Method::PUT, "goals/x", json!({ "amount": 0 }), "amount_invalid"),
        (Method::POST, "recalculate", json!({ "from": "2025.13", "check": "yes" }), "invalid_fields"),
        (Method::POST, "lines?dry=true", food("2025-01-01", "", 1), "unknown_parameter"),
    ] {
        let answer = send(&server, method, path, body.clone()).await;
        assert_eq!(refusal(&answer), (400, code.to_owned()), "{path} {body}");
    }
    assert_eq!(get(&server, "months").await["items"], json!([]));
    assert_eq!(get(&server, "history").await["items"], json!([]));
}

/// Ls2, Ls5
async fn bad_reads_are_refused(on: On) {
    let server = start(on).await;
    for (path, status, code) in [
        ("months/2025.13", 400, "month_invalid"),
        ("months/202501/lines", 400, "month_invalid"),
        ("period?from=1025.01&to=2025.01", 400, "invalid_fields"),
        ("period?from=1925.01&to=2925.01", 400, "period_invalid"),
        ("period?from=2025.02&to=2025.01", 400, "period_invalid"),
        ("period", 400, "invalid_fields"),
        ("net-worth?from=1900.01&to=2900.01", 400, "period_invalid"),
        ("lines?from=1900.01&to=2900.01", 400, "period_invalid"),
        ("years/1", 400, "invalid_fields"),
        ("years/next", 400, "invalid_fields"),
        ("months/2025.01/entries/SAVINGS/x/-", 404, "entry_unknown"),
        ("history/first", 400, "invalid_fields"),
        ("history/99", 404, "change_unknown"),
        ("history?cursor=abc", 400, "invalid_cursor"),
        ("imports/x", 400, "invalid_fields"),
        ("imports/01KA9Z6Q3N8V5T2R7W4Y1M0CDE", 404, "import_unknown"),
        ("goals?month=soon", 400, "month_invalid"),
    ] {
        assert_eq!(refusal(&server.get(&format!("{API}/{path}")).await), (status, code.to_owned()), "{path}");
    }
}
