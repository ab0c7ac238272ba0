//! Two callers at once, people and their sign-ins, and what imports have learned.

use axum::http::Method;
use hansang_testserver::{On, ok, refusal};
use serde_json::json;

use super::{add, food, get, order, part, send, start, upload};

hansang_testserver::on_each_store!(
    nothing_is_overwritten_unseen,
    sign_ins_are_named,
    the_history_is_filtered,
    rows_are_imported_anyway_and_never,
);

/// A list, the accounts and an entry are replaced only if they are what the caller read, if it says what that was.
async fn nothing_is_overwritten_unseen(on: On) {
    let server = start(on).await;
    let put = async |path: &str, body| send(&server, Method::PUT, path, body).await;
    let stale = put("codes/NAME", json!({ "codes": ["나"], "was": ["너"] })).await;
    assert_eq!(refusal(&stale), (409, "codes_changed".to_owned()));
    ok(put("codes/NAME", json!({ "codes": ["나", "너"], "was": ["배우자1", "배우자2"] })).await);
    let stale = put("accounts", json!({ "accounts": { "투자용": ["주식"] }, "was": {} })).await;
    assert_eq!(refusal(&stale), (409, "codes_changed".to_owned()));
    let was = get(&server, "codes").await["accounts"].clone();
    ok(put("accounts", json!({ "accounts": { "투자용": ["주식"] }, "was": was })).await);
    add(&server, food("2025-01-02", "점심", 9_000)).await;
    let entry = format!("months/2025.01/entries/LIVING_EXPENSE/{}/-", part("식비"));
    let stale = put(&entry, json!({ "amount": 5_000, "was": 8_000 })).await;
    assert_eq!(refusal(&stale), (412, "entry_changed".to_owned()));
    assert_eq!(ok(put(&entry, json!({ "amount": 5_000, "was": 9_000 })).await)["amount"], 5_000);
}

/// Ls18: a sign-in is a person of the list; what it enters counts for this person.
async fn sign_ins_are_named(on: On) {
    let server = start(on).await;
    let by = add(&server, food("2025-01-02", "점심", 9_000)).await["by"].as_str().unwrap().to_owned();
    let path = format!("sign-ins/{by}");
    let unknown = send(&server, Method::PUT, &path, json!({ "name": "누구" })).await;
    assert_eq!(refusal(&unknown), (400, "code_unknown".to_owned()));
    ok(send(&server, Method::PUT, &path, json!({ "name": "배우자2" })).await);
    assert_eq!(get(&server, "sign-ins").await["names"][&by], "배우자2");
    let people = get(&server, "people?from=2025.01&to=2025.02").await;
    assert_eq!(people["people"]["배우자2"]["spent"], 9_000);
    assert_eq!(order(&server, Method::DELETE, &path).await.status, 204);
    assert_eq!(get(&server, "people?from=2025.01&to=2025.02").await["people"][&by]["spent"], 9_000);
}

/// The changes of one line, entry or month.
async fn the_history_is_filtered(on: On) {
    let server = start(on).await;
    let id = add(&server, food("2025-01-02", "점심", 9_000)).await["lineId"].as_str().unwrap().to_owned();
    add(&server, food("2025-02-02", "저녁", 9_000)).await;
    let count = async |query: &str| {
        get(&server, &format!("history?{query}")).await["items"].as_array().unwrap().len()
    };
    assert_eq!(count("limit=50").await, 2);
    assert_eq!(count(&format!("line={id}")).await, 1);
    assert_eq!(count("month=2025.02").await, 1);
    let food = format!("kind=LIVING_EXPENSE&name={}", part("식비"));
    assert_eq!((count(&food).await, count(&format!("{food}&month=2025.03")).await), (2, 0));
    assert_eq!(count("import=01KA9Z6Q3N8V5T2R7W4Y1M0CDE").await, 0);
    let half = server.get("/api/ledger/history?kind=INCOME").await;
    assert_eq!(refusal(&half), (400, "invalid_fields".to_owned()));
}

/// A transfer is imported anyway, and a merchant never again, until it is forgotten.
async fn rows_are_imported_anyway_and_never(on: On) {
    let server = start(on).await;
    let file = "날짜,타입,내용,금액\n2025-01-02,이체,적금,5000\n2025-01-03,지출,내 통장,7000\n";
    let choices = json!({
        "2": { "anyway": true, "kind": "SAVINGS", "name": "적금1" }, "3": { "never": true },
    });
    let query = format!("choices={}", part(&choices.to_string()));
    let seen = ok(upload(&server, &format!("imports/preview?{query}"), file).await);
    let shown: Vec<_> =
        seen["rows"].as_array().unwrap().iter().map(|row| (&row["status"], &row["usual"])).collect();
    assert_eq!(shown, [(&json!("new"), &json!("ignored")), (&json!("ignored"), &json!(null))]);
    let done = upload(&server, &format!("imports?file=bank.csv&{query}"), file).await;
    assert_eq!(done.status, 201, "{done:?}");
    assert_eq!(get(&server, "months/2025.01").await["totals"]["totalSavings"], 5_000);
    let learned = get(&server, "learned").await;
    assert_eq!(learned["sources"], json!(["bank"]));
    let merchants = learned["merchants"].as_array().unwrap();
    assert_eq!((merchants.len(), &merchants[0]["merchant"]), (2, &json!("내통장")));
    let path = format!("learned/merchants/{}", part("내통장"));
    assert_eq!(order(&server, Method::DELETE, &path).await.status, 204);
    let again = order(&server, Method::DELETE, &path).await;
    assert_eq!(refusal(&again), (404, "learned_unknown".to_owned()));
    let seen = ok(upload(&server, "imports/preview", file).await);
    assert_eq!(
        (&seen["rows"][0]["status"], &seen["rows"][1]["status"]),
        (&json!("duplicate"), &json!("new"))
    );
}
