//! Lines and entries: every change keeps totals and balances right.

use axum::http::Method;
use hansang_testserver::{On, ok, refusal};
use serde_json::json;

use super::{API, add, food, get, is_right, order, part, send, start};

hansang_testserver::on_each_store!(
    lines_are_added_changed_and_deleted,
    entries_are_created_replaced_added_to_moved_and_deleted,
    the_documents_month_adds_up,
    a_changed_line_is_not_overwritten,
    every_change_is_in_the_history_and_can_be_undone,
);

/// Ls7, Ls14: a line changes its entry and its month; the same line sent twice is one line.
async fn lines_are_added_changed_and_deleted(on: On) {
    let server = start(on).await;
    let id = "01KA9Z6Q3N8V5T2R7W4Y1M0CDE";
    let mut line = food("2025-01-31", "커피", 4_500);
    line["lineId"] = id.into();
    for _ in 0..2 {
        assert_eq!(add(&server, line.clone()).await["lineId"], id);
    }
    line["amount"] = 1.into();
    assert_eq!(refusal(&send(&server, Method::POST, "lines", line).await), (409, "line_exists".to_owned()));
    let path = format!("lines/2025.01/{id}");
    assert_eq!(get(&server, &path).await["text"], "커피");
    assert_eq!(get(&server, "months/2025.01").await["totals"]["totalExpense"], 4_500);

    let change = json!({ "amount": -4_500, "date": "2025-02-01", "text": "환불" });
    let changed = ok(send(&server, Method::PATCH, &path, change).await);
    assert_eq!((&changed["month"], &changed["kind"]), (&json!("2025.02"), &json!("LIVING_EXPENSE")));
    assert_eq!(get(&server, "months/2025.01").await["entries"], json!([]));
    assert_eq!(get(&server, "months/2025.02").await["totals"]["totalExpense"], -4_500);
    assert_eq!(order(&server, Method::DELETE, &path).await.status, 404);
    let path = format!("lines/2025.02/{id}");
    assert_eq!(order(&server, Method::DELETE, &path).await.status, 204);
    assert_eq!(refusal(&server.get(&format!("{API}/{path}")).await), (404, "line_unknown".to_owned()));
    is_right(&server).await;
}

/// Ls8, Ls21: create refuses an existing entry; replace, add, move and delete change one.
async fn entries_are_created_replaced_added_to_moved_and_deleted(on: On) {
    let server = start(on).await;
    let pay = json!({ "kind": "INCOME", "name": "배우자1", "detail": "월급", "amount": 3_500_000 });
    let made = send(&server, Method::POST, "months/2025.01/entries", pay.clone()).await;
    assert_eq!((made.status, &made.json()["amount"]), (201, &json!(3_500_000)));
    let again = send(&server, Method::POST, "months/2025.01/entries", pay).await;
    assert_eq!(refusal(&again), (409, "entry_exists".to_owned()));

    let entry = format!("months/2025.01/entries/INCOME/{}/{}", part("배우자1"), part("월급"));
    let set = ok(send(&server, Method::PUT, &entry, json!({ "amount": 3_600_000 })).await);
    assert_eq!(set["amount"], 3_600_000);
    let more = json!({ "amount": 50_000, "text": "수당" });
    let added = ok(send(&server, Method::POST, &format!("{entry}/add"), more).await);
    assert_eq!(added["amount"], 3_650_000);
    let shown = get(&server, &entry).await;
    let sources: Vec<&str> =
        shown["lines"].as_array().unwrap().iter().map(|line| line["source"].as_str().unwrap()).collect();
    assert_eq!((shown["amount"].as_i64(), sources.len()), (Some(3_650_000), 3), "{shown}");
    assert!(sources.contains(&"adjustment"), "{sources:?}");
    let first = get(&server, &format!("{entry}?limit=2")).await;
    let rest = get(&server, &format!("{entry}?limit=2&cursor={}", first["next"].as_str().unwrap())).await;
    assert_eq!((first["lines"].as_array().unwrap().len(), &rest["lines"][0]), (2, &shown["lines"][2]));

    let moved = send(&server, Method::POST, &format!("{entry}/move"), json!({ "to": "2025.03" })).await;
    assert_eq!(moved.status, 200, "{moved:?}");
    let same = send(&server, Method::POST, &format!("{entry}/move"), json!({ "to": "2025.01" })).await;
    assert_eq!(refusal(&same), (400, "same_month".to_owned()));
    assert_eq!(refusal(&order(&server, Method::DELETE, &entry).await), (404, "entry_unknown".to_owned()));
    let copied = ok(order(&server, Method::POST, "months/2025.04/copy").await);
    assert_eq!(copied["count"], 1);
    let there = entry.replace("2025.01", "2025.03");
    assert_eq!(order(&server, Method::DELETE, &there).await.status, 204);
    assert_eq!(get(&server, "months/2025.03").await["totals"]["totalIncome"], 0);
    assert_eq!(get(&server, "months/2025.04").await["totals"]["totalIncome"], 3_650_000);
    let first = order(&server, Method::POST, "months/1999.04/copy").await;
    assert_eq!(refusal(&first), (400, "nothing_to_copy".to_owned()));
    is_right(&server).await;
}

/// L15, L16, Ls9, Ls10, Ls11, Ls12, Ls13: the document's example as it stands there.
async fn the_documents_month_adds_up(on: On) {
    let server = start(on).await;
    let opening = json!({
        "cashAccumulated": 13_500_000, "investmentAccumulated": 7_000_000,
        "shortSavingsBalances": { "운동": 400_000, "여행": 700_000, "경조비": 300_000 },
    });
    assert_eq!(send(&server, Method::PUT, "opening", opening.clone()).await.status, 200);
    assert_eq!(get(&server, "opening").await, opening);
    for (kind, name, detail, amount) in [
        ("INCOME", "배우자1", Some("월급"), 7_000_000),
        ("FIXED_EXPENSE", "대출", None, 1_800_000),
        ("LIVING_EXPENSE", "식비", None, 500_000),
        ("SAVINGS", "적금1", None, 1_500_000),
        ("INVESTMENT", "주식", None, 1_000_000),
        ("SHORT_SAVINGS", "운동", Some("적립"), 100_000),
        ("SHORT_SAVINGS", "여행", Some("적립"), 100_000),
    ] {
        let mut entry = json!({ "kind": kind, "name": name, "amount": amount });
        if let Some(detail) = detail {
            entry["detail"] = detail.into();
        }
        let made = send(&server, Method::POST, "months/2025.01/entries", entry).await;
        assert_eq!(made.status, 201, "{made:?}");
    }
    let month = get(&server, "months/2025.01").await;
    assert_eq!(
        month["totals"],
        json!({
            "totalIncome": 7_000_000, "totalExpense": 2_300_000, "totalSavings": 1_500_000,
            "totalInvestment": 1_000_000, "totalShortSavings": 200_000, "netAsset": 2_000_000,
            "savingsRate": 385,
        })
    );
    assert_eq!(
        month["balances"],
        json!({
            "cashAccumulated": 15_000_000, "investmentAccumulated": 8_000_000,
            "shortSavingsBalances": { "운동": 500_000, "여행": 800_000, "경조비": 300_000 },
        })
    );
    is_right(&server).await;
}

/// A change or deletion that expects an older state of a line is refused.
async fn a_changed_line_is_not_overwritten(on: On) {
    let server = start(on).await;
    let line = add(&server, food("2025-01-02", "점심", 9_000)).await;
    let path = format!("{API}/lines/2025.01/{}", line["lineId"].as_str().unwrap());
    let seq = format!("\"{}\"", line["seq"]);
    let change = async |amount: i64| {
        let body = Some(json!({ "amount": amount }));
        server.call(Method::PATCH, &path, &server.editor, body, &[("if-match", &seq)]).await
    };
    assert_eq!(change(9_500).await.status, 200);
    assert_eq!(refusal(&change(10_000).await), (412, "line_changed".to_owned()));
    let delete = server.call(Method::DELETE, &path, &server.editor, None, &[("if-match", &seq)]).await;
    assert_eq!(refusal(&delete), (412, "line_changed".to_owned()));
    let wrong = server.call(Method::DELETE, &path, &server.editor, None, &[("if-match", "9500")]).await;
    assert_eq!(refusal(&wrong), (400, "invalid_if_match".to_owned()));
    assert_eq!(get(&server, "months/2025.01").await["totals"]["totalExpense"], 9_500);
}

/// Changes are listed with who and what; one is undone once, and only if nothing later depends on it.
async fn every_change_is_in_the_history_and_can_be_undone(on: On) {
    let server = start(on).await;
    let line = add(&server, food("2025-01-02", "점심", 9_000)).await;
    let path = format!("lines/2025.01/{}", line["lineId"].as_str().unwrap());
    ok(send(&server, Method::PATCH, &path, json!({ "amount": 8_000 })).await);
    let first = get(&server, "history?limit=1").await;
    let change = &first["items"][0];
    assert_eq!((&change["action"], first["items"].as_array().unwrap().len()), (&json!("line.change"), 1));
    assert_eq!(change["lines"][0]["before"]["amount"], 9_000);
    assert_eq!(change["lines"][0]["after"]["amount"], 8_000);
    let next = first["next"].as_str().unwrap();
    let second = get(&server, &format!("history?limit=1&cursor={next}")).await;
    assert_eq!(second["items"][0]["action"], "line.add");

    let (added, changed) = (second["items"][0]["seq"].as_i64().unwrap(), change["seq"].as_i64().unwrap());
    let blocked = order(&server, Method::POST, &format!("history/{added}/undo")).await;
    assert_eq!(refusal(&blocked), (409, "undo_blocked".to_owned()));
    let undone = ok(order(&server, Method::POST, &format!("history/{changed}/undo")).await);
    assert_eq!(get(&server, &format!("history/{changed}")).await["undoneBy"], undone["seq"]);
    let again = order(&server, Method::POST, &format!("history/{changed}/undo")).await;
    assert_eq!(refusal(&again), (409, "undone_already".to_owned()));
    assert_eq!(get(&server, "months/2025.01").await["totals"]["totalExpense"], 9_000);
    let missing = order(&server, Method::POST, "history/4711/undo").await;
    assert_eq!(refusal(&missing), (404, "change_unknown".to_owned()));
    is_right(&server).await;
}
