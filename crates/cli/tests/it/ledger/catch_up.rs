//! A server that was off for months.

use std::time::{Duration, Instant};

use serde_json::Value as Json;

use crate::hansang;
use crate::serve::{Server, temporary_data};

/// L25: the worker of a server enters what rules missed, and gives every month totals and balances.
#[test]
fn a_server_catches_up_after_months() {
    let (_directory, data) = temporary_data();
    let place = ["--data", data.to_str().unwrap()];
    let run = |arguments: &[&str]| {
        let (code, out, err) = hansang(&[&["ledger"], arguments, &place].concat());
        assert_eq!(code, 0, "{arguments:?}: {out}{err}");
        out
    };
    assert_eq!(hansang(&[&["table", "create", "ledger"], &place[..]].concat()).0, 0);
    run(&["add", "SAVINGS", "적금1", "700", "--date", "2024-11-03"]);
    run(&[
        "rules",
        "--add",
        "FIXED_EXPENSE",
        "주거",
        "800000",
        "--day",
        "31",
        "--from",
        "2024.12",
        "--until",
        "2025.06",
    ]);
    let server = Server::start(&data, &[]);
    let token = server.token();
    let read = |path: &str| -> Json {
        let response = server.get(&format!("/api/ledger/{path}"), &token);
        assert_eq!(response.status(), 200);
        serde_json::from_str(&response.text().unwrap()).unwrap()
    };
    let began = Instant::now();
    let months = loop {
        let months = read("period?from=2024.11&to=2025.07")["items"].as_array().unwrap().clone();
        let is_done = months.iter().all(|month| month["balances"]["cashAccumulated"] == 700)
            && read("rules")["items"][0]["doneThrough"] == "2025.06";
        if is_done {
            break months;
        }
        assert!(began.elapsed() < Duration::from_secs(60), "{months:#?}");
        std::thread::yield_now();
    };
    let spent: Vec<i64> =
        months.iter().map(|month| month["totals"]["totalExpense"].as_i64().unwrap()).collect();
    assert_eq!(spent, [0, 800_000, 800_000, 800_000, 800_000, 800_000, 800_000, 800_000, 0]);
    let february = read("months/2025.02/lines");
    assert_eq!(february["items"][0]["date"], "2025-02-28");
    // The totals and balances of every month are stored, also of those without entries.
    drop(server);
    let said = run(&["recalculate", "--check"]);
    let months: usize = said.split_whitespace().next().unwrap().parse().unwrap();
    assert!(months > 18, "{said}");
}
