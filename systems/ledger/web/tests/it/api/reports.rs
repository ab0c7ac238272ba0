//! Reads of figures.

use axum::http::Method;
use hansang_testserver::{On, ok, refusal};
use serde_json::json;

use super::{API, add, food, get, send, start};

hansang_testserver::on_each_store!(
    reports_show_what_was_entered,
    lines_come_in_pages_and_are_found,
    recalculation_repairs_what_another_program_broke,
);

/// L17, L22, L24, Ls1, Ls16, Ls19, Ls26: a month, a period, a year, the net worth, the days and the people.
async fn reports_show_what_was_entered(on: On) {
    let server = start(on).await;
    add(&server, food("2025-01-31", "마트", 50_000)).await;
    add(&server, food("2025-03-01", "마트", 70_000)).await;
    add(&server, json!({ "kind": "INCOME", "name": "배우자1", "detail": "월급", "date": "2025-03-01", "amount": 100_000 })).await;
    add(&server, json!({ "kind": "SAVINGS", "name": "적금1", "date": "2025-01-05", "amount": 20_000 })).await;
    assert_eq!(get(&server, "months").await["items"], json!(["2025.01", "2025.03"]));
    let period = get(&server, "period?from=2025.01&to=2025.03").await;
    let spent = |index: usize| period["items"][index]["totals"]["totalExpense"].clone();
    assert_eq!([spent(0), spent(1), spent(2)], [json!(50_000), json!(0), json!(70_000)]);
    let worth = get(&server, "net-worth?from=2024.12&to=2025.03").await;
    let worth: Vec<_> =
        worth["items"].as_array().unwrap().iter().map(|one| one["netWorth"].clone()).collect();
    assert_eq!(worth, [0, 20_000, 20_000, 20_000]);
    let names = |index: usize| period["items"][index]["entries"].as_array().unwrap().len();
    assert_eq!([names(0), names(1), names(2)], [2, 0, 2]);
    add(&server, json!({ "kind": "SAVINGS", "name": "적금1", "date": "2024-11-30", "amount": 5_000 })).await;
    assert_eq!(get(&server, "months/2025.03").await["balances"]["cashAccumulated"], 25_000);
    let year = get(&server, "years/2025").await;
    let food_row = year["items"].as_array().unwrap().iter().find(|row| row["name"] == "식비").unwrap();
    assert_eq!((&food_row["total"], &food_row["months"][2]), (&json!(120_000), &json!(70_000)));
    let days = get(&server, "months/2025.03/calendar").await;
    assert_eq!(days["days"], json!({ "2025-03-01": { "earned": 100_000, "spent": 70_000, "saved": 0 } }));
    let people = get(&server, "months/2025.03/people").await;
    assert_eq!(people["people"]["배우자1"]["earned"], 100_000);
    let codes = get(&server, "codes").await;
    assert_eq!(codes["lists"]["NAME"], json!(["배우자1", "배우자2"]));
    assert_eq!(codes["accounts"]["투자용"], json!(["청약", "연금저축", "주식", "코인"]));
}

/// Lines by date, page by page, and by their words.
async fn lines_come_in_pages_and_are_found(on: On) {
    let server = start(on).await;
    for day in 1..=5 {
        add(&server, food(&format!("2025-01-0{day}"), &format!("가게 {day}"), day)).await;
    }
    add(&server, food("2025-02-01", "약국", 1)).await;
    let first = get(&server, "months/2025.01/lines?limit=3").await;
    let next = first["next"].as_str().unwrap();
    let second = get(&server, &format!("months/2025.01/lines?limit=3&cursor={next}")).await;
    let dates = |page: &serde_json::Value| -> Vec<String> {
        let lines = page["items"].as_array().unwrap().iter();
        lines.map(|line| line["date"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(dates(&first), ["2025-01-01", "2025-01-02", "2025-01-03"]);
    assert_eq!(
        (dates(&second), &second["next"]),
        (vec!["2025-01-04".into(), "2025-01-05".into()], &json!(null))
    );
    let found = get(&server, "lines?from=2025.01&to=2025.02&q=%EA%B0%80%EA%B2%8C&limit=2").await;
    assert_eq!(dates(&found), ["2025-01-05", "2025-01-04"]);
    let none = get(&server, "lines?from=2025.01&to=2025.02&kind=INCOME").await;
    assert_eq!(none["items"], json!([]));
    for (path, code) in [
        ("months/2025.01/lines?limit=0", "invalid_fields"),
        ("months/2025.01/lines?limit=1001", "invalid_fields"),
        ("months/2025.01/lines?cursor=abc", "invalid_cursor"),
        ("lines?from=2025.01&to=2025.02&kind=FOOD", "kind_unknown"),
    ] {
        assert_eq!(refusal(&server.get(&format!("{API}/{path}")).await), (400, code.to_owned()), "{path}");
    }
}

/// Ls15: a recalculation says what differs, and corrects it from the lines.
async fn recalculation_repairs_what_another_program_broke(on: On) {
    let server = start(on).await;
    add(&server, food("2025-01-02", "점심", 9_000)).await;
    let db = super::ledger(&server).db;
    let fields = [("yearMonth", "2025.01".into()), ("category", "식비".into()), ("amount", 1.into())];
    let fields = fields.map(|(name, value): (&str, hansang_core::Value)| (name.into(), value)).into();
    db.put("LivingExpense", fields, None).await.unwrap();
    let check = ok(send(&server, Method::POST, "recalculate", json!({ "check": true })).await);
    assert_eq!(check["months"], 1);
    assert!(!check["problems"].as_array().unwrap().is_empty(), "{check}");
    let later = ok(send(&server, Method::POST, "recalculate", json!({ "from": "2025.02" })).await);
    assert_eq!(later, json!({ "months": 0, "problems": [] }));
    ok(send(&server, Method::POST, "recalculate", json!({})).await);
    super::is_right(&server).await;
    assert_eq!(get(&server, "months/2025.01").await["entries"][0]["amount"], 9_000);
}
