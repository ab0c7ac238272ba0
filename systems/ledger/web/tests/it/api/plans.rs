//! Codes, rules, budgets and goals.

use axum::http::Method;
use hansang_testserver::{On, ok, refusal};
use serde_json::json;

use super::{add, food, get, order, part, send, start};

hansang_testserver::on_each_store!(codes_are_replaced_and_assigned, rules_budgets_and_goals_are_kept);

/// L28, Ls18: a new category is only a code; a removed one keeps its history.
async fn codes_are_replaced_and_assigned(on: On) {
    let server = start(on).await;
    add(&server, food("2025-01-02", "점심", 9_000)).await;
    let list = "codes/LIVING_EXPENSE_CATEGORY";
    let codes = json!({ "codes": ["반려동물", "교통비"] });
    assert_eq!(ok(send(&server, Method::PUT, list, codes.clone()).await), codes);
    let gone = send(&server, Method::POST, "lines", food("2025-02-02", "점심", 1)).await;
    assert_eq!(refusal(&gone), (400, "code_unknown".to_owned()));
    add(&server, food("2025-01-03", "환불", -1_000)).await;
    let pet = json!({ "kind": "LIVING_EXPENSE", "name": "반려동물", "date": "2025-02-02", "amount": 1 });
    add(&server, pet).await;
    assert_eq!(get(&server, "months/2025.01").await["totals"]["totalExpense"], 8_000);

    let accounts = json!({ "accounts": { "비상금": ["파킹통장"], "투자용": ["주식"] } });
    assert_eq!(ok(send(&server, Method::PUT, "accounts", accounts.clone()).await), accounts);
    let kinds = json!({ "accounts": {}, "groups": { "비상금": "SAVINGS" } });
    ok(send(&server, Method::PUT, "assignments", kinds).await);
    let parked = json!({ "kind": "SAVINGS", "name": "파킹통장", "date": "2025-02-02", "amount": 5 });
    add(&server, parked).await;
    let wrong = json!({ "kind": "INVESTMENT", "name": "파킹통장", "date": "2025-02-02", "amount": 5 });
    let wrong = send(&server, Method::POST, "lines", wrong).await;
    assert_eq!(refusal(&wrong), (400, "account_of_other_kind".to_owned()));
    for (path, body, status, code) in [
        (list, json!({ "codes": ["a", "a"] }), 400, "code_repeated"),
        (list, json!({ "codes": ["a#b"] }), 400, "name_invalid"),
        ("codes/YEAR_MONTH", json!({ "codes": ["2025.13"] }), 400, "month_invalid"),
        ("codes/COLORS", json!({ "codes": [] }), 404, "code_list_unknown"),
        ("accounts", json!({ "accounts": { "a#b": [] } }), 400, "name_invalid"),
        ("accounts", json!({ "accounts": { "a": 1 } }), 400, "invalid_fields"),
        ("assignments", json!({ "accounts": { "a": "FOOD" }, "groups": {} }), 400, "invalid_fields"),
        ("assignments", json!({ "accounts": { "주식": "INCOME" }, "groups": {} }), 400, "kind_unknown"),
        ("assignments", json!({ "accounts": { "없음": "SAVINGS" }, "groups": {} }), 400, "code_unknown"),
    ] {
        let answer = send(&server, Method::PUT, path, body.clone()).await;
        assert_eq!(refusal(&answer), (status, code.to_owned()), "{path} {body}");
    }
}

/// Ls22: a rule enters its months; a budget and a goal follow the figures.
async fn rules_budgets_and_goals_are_kept(on: On) {
    let server = start(on).await;
    let rule = json!({
        "kind": "FIXED_EXPENSE", "name": "주거", "text": "월세", "amount": 800_000, "day": 31, "from": "2025.01",
        "until": "2025.02",
    });
    let made = send(&server, Method::POST, "rules", rule.clone()).await;
    assert_eq!((made.status, &made.json()["next"]), (201, &json!("2025-01-31")));
    let path = format!("rules/{}", made.json()["ruleId"].as_str().unwrap());
    let mut more = rule.clone();
    more["amount"] = 850_000.into();
    assert_eq!(ok(send(&server, Method::PUT, &path, more).await)["amount"], 850_000);
    hansang_ledger::run_rules(&super::ledger(&server)).await.unwrap();
    assert_eq!(get(&server, "rules").await["items"][0]["doneThrough"], "2025.02");
    assert_eq!(get(&server, "months/2025.02").await["totals"]["totalExpense"], 850_000);
    let mut wrong = rule;
    wrong["until"] = "2024.12".into();
    assert_eq!(refusal(&send(&server, Method::POST, "rules", wrong).await), (400, "rule_invalid".to_owned()));
    assert_eq!(order(&server, Method::DELETE, &path).await.status, 204);
    assert_eq!(refusal(&order(&server, Method::DELETE, &path).await), (404, "rule_unknown".to_owned()));

    let budget = json!({
        "kind": "LIVING_EXPENSE", "category": "식비", "month": "2025.01", "amount": 10_000, "rollover": true,
    });
    ok(send(&server, Method::PUT, "budgets", budget.clone()).await);
    assert_eq!(get(&server, "budgets").await["items"], json!([budget]));
    add(&server, food("2025-01-02", "점심", 9_000)).await;
    add(&server, food("2025-02-02", "회식", 12_000)).await;
    let february = get(&server, "months/2025.02/budgets").await;
    assert_eq!(
        (&february["items"][0]["carried"], &february["items"][0]["left"]),
        (&json!(1_000), &json!(-1_000))
    );

    let goal = format!("goals/{}", part("여행"));
    ok(send(&server, Method::PUT, &goal, json!({ "amount": 1_000_000, "month": "2026.06" })).await);
    let saved = json!({ "kind": "SHORT_SAVINGS", "name": "여행", "detail": "적립", "date": "2025-02-01", "amount": 600_000 });
    add(&server, saved).await;
    let shown = get(&server, "goals?month=2025.02").await;
    assert_eq!(
        (&shown["items"][0]["balance"], &shown["items"][0]["reached"]),
        (&json!(600_000), &json!("2025.03"))
    );
    assert_eq!(order(&server, Method::DELETE, &goal).await.status, 204);
    assert_eq!(refusal(&order(&server, Method::DELETE, &goal).await), (404, "goal_unknown".to_owned()));
}
