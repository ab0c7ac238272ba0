//! Imports, exports and restoring one.

use std::io::Write as _;

use axum::http::Method;
use hansang_testserver::{On, ok, refusal};
use serde_json::json;

use super::{API, add, food, get, is_right, order, send, start, upload};

hansang_testserver::on_each_store!(
    a_file_is_previewed_imported_and_undone,
    a_mapping_and_choices_are_sent_along,
    bad_files_import_nothing,
    an_export_is_restored,
);

const CARD: &str = "\
이용일,가맹점명,이용금액
2025-01-04,스타벅스,\"4,500\"
2025-01-04,스타벅스,\"4,500\"
2025-01-05,카카오T,12300
합계,,21300
";

/// Ls23: every row is shown before anything is written; the same file again adds nothing; one import is one undo.
async fn a_file_is_previewed_imported_and_undone(on: On) {
    let server = start(on).await;
    let seen = ok(upload(&server, "imports/preview", CARD).await);
    assert_eq!(
        seen["counts"],
        json!({ "new": 3, "duplicate": 0, "changed": 0, "entered": 0, "ignored": 1, "refused": 0 })
    );
    assert_eq!(seen["rows"][2]["entry"], json!({ "kind": "LIVING_EXPENSE", "name": "교통비" }));
    assert_eq!((&seen["rows"][3]["line"], &seen["rows"][3]["reason"]), (&json!(5), &json!("no_date")));
    assert_eq!(get(&server, "imports").await["items"], json!([]));

    let made = upload(&server, "imports?file=card.csv&profile=card", CARD).await;
    assert_eq!((made.status, &made.json()["added"]), (201, &json!(3)));
    assert_eq!(get(&server, "months/2025.01").await["totals"]["totalExpense"], 21_300);
    let again = ok(upload(&server, "imports/preview", CARD).await);
    assert_eq!((&again["profile"], &again["counts"]["duplicate"]), (&json!("card"), &json!(3)));
    assert_eq!(upload(&server, "imports", CARD).await.json()["added"], 0);

    let path = format!("imports/{}", made.json()["importId"].as_str().unwrap());
    let undone = ok(order(&server, Method::POST, &format!("{path}/undo")).await);
    assert_eq!(undone["status"], "undone");
    assert_eq!(undone["undoneBy"], made.json()["by"]);
    let twice = order(&server, Method::POST, &format!("{path}/undo")).await;
    assert_eq!(refusal(&twice), (409, "import_wrong_state".to_owned()));
    assert_eq!(get(&server, &path).await["status"], "undone");
    assert_eq!(get(&server, "months/2025.01").await["entries"], json!([]));
    is_right(&server).await;
}

/// Rows are excluded or get another entry, which is remembered.
async fn a_mapping_and_choices_are_sent_along(on: On) {
    let server = start(on).await;
    let seen = ok(upload(&server, "imports/preview", CARD).await);
    let choices = json!({ "2": { "exclude": true }, "4": { "kind": "LIVING_EXPENSE", "name": "문화생활" } });
    let query = form_urlencoded::Serializer::new(String::new())
        .append_pair("mapping", &seen["mapping"].to_string())
        .append_pair("choices", &choices.to_string())
        .append_pair("profile", "card")
        .finish();
    let made = ok(upload(&server, &format!("imports?{query}"), CARD).await);
    assert_eq!(made["added"], 2);
    let entries = get(&server, "months/2025.01").await["entries"].clone();
    assert_eq!(entries[0], json!({ "kind": "LIVING_EXPENSE", "name": "문화생활", "amount": 12_300 }));
    for (query, fields) in [
        ("mapping=1", vec!["mapping"]),
        ("mapping=%7B&choices=%5B%5D", vec!["mapping", "choices"]),
        ("choices=%7B%22x%22%3A%7B%7D%7D", vec!["choices"]),
        ("profile=a%23b&file=", vec!["file", "profile"]),
    ] {
        let answer = upload(&server, &format!("imports?{query}"), CARD).await;
        assert_eq!(refusal(&answer), (400, "invalid_fields".to_owned()), "{query}");
        let errors = answer.json()["errors"].clone();
        let found: Vec<&str> =
            errors.as_array().unwrap().iter().map(|error| error["field"].as_str().unwrap()).collect();
        assert_eq!(found, fields, "{query}");
    }
}

/// Wrong columns, a million lines, 50 MB, a bomb, half a file: a message, and nothing is imported.
async fn bad_files_import_nothing(on: On) {
    let server = start(on).await;
    let mut bomb = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    bomb.start_file("xl/worksheets/sheet1.xml", zip::write::SimpleFileOptions::default()).unwrap();
    let zeros = vec![b'0'; 1024 * 1024];
    for _ in 0..450 {
        bomb.write_all(&zeros).unwrap();
    }
    let bomb = bomb.finish().unwrap().into_inner();
    assert!(bomb.len() < 1024 * 1024, "{}", bomb.len());
    let million = format!("날짜,금액\n{}", "2025-01-01,1\n".repeat(1_000_001));
    let wrong_rows = "날짜,내용,금액\n2025-01-01,커피,4500\n2025-13-01,커피,4500\n2025-01-03,커피,4.5\n";
    let half = CARD.rsplit_once("12300").unwrap().0.replace("카카오T", "\"카카오");
    for (name, bytes, status, code, said) in [
        ("wrong columns", b"a,b\n1,2\n".to_vec(), 400, "mapping_invalid", "날짜"),
        ("a million lines", million.into_bytes(), 400, "file_too_large", "1000000"),
        ("50 MB", vec![b'a'; 50 * 1024 * 1024 + 1], 413, "file_too_large", "50 MB"),
        ("bomb", bomb, 400, "file_too_large", "50 MB"),
        ("half a workbook", b"PK\x03\x04rest".to_vec(), 400, "file_invalid", "damaged"),
        ("half a file", half.into_bytes(), 400, "file_invalid", "line 4"),
        ("wrong rows", wrong_rows.as_bytes().to_vec(), 400, "import_refused", "line 3"),
        ("nothing", Vec::new(), 400, "mapping_invalid", "날짜"),
    ] {
        let answer = upload(&server, "imports", bytes).await;
        assert_eq!(refusal(&answer), (status, code.to_owned()), "{name}");
        let detail = answer.json()["detail"].as_str().unwrap().to_owned();
        assert!(detail.contains(said), "{name}: {detail}");
    }
    assert_eq!(get(&server, "imports").await["items"], json!([]));
    assert_eq!(get(&server, "months").await["items"], json!([]));
    let missing = order(&server, Method::POST, "imports/01KA9Z6Q3N8V5T2R7W4Y1M0CDE/undo").await;
    assert_eq!(refusal(&missing), (404, "import_unknown".to_owned()));
}

/// Ls24: CSV, a journal, and JSON that an empty ledger is restored from.
async fn an_export_is_restored(on: On) {
    let server = start(on).await;
    add(&server, food("2025-01-02", "=점심", 9_000)).await;
    let kinds = json!({ "accounts": { "청약": "SAVINGS" }, "groups": {} });
    ok(send(&server, Method::PUT, "assignments", kinds).await);
    let csv = server.get(&format!("{API}/exports/csv")).await;
    assert!(csv.text.contains("2025-01-02,LIVING_EXPENSE,식비,,'=점심,9000"), "{}", csv.text);
    assert_eq!(csv.header("content-disposition"), "attachment; filename=\"ledger.csv\"");
    let journal = server.get(&format!("{API}/exports/hledger")).await;
    assert!(journal.text.contains("expenses:living:식비  9000 KRW"), "{}", journal.text);
    let whole = server.get(&format!("{API}/exports/json")).await.json();

    assert_eq!(ok(send(&server, Method::POST, "restore", whole.clone()).await)["count"], 0);
    let empty = start(on).await;
    assert_eq!(ok(send(&empty, Method::POST, "restore", whole.clone()).await)["count"], 1);
    assert_eq!(get(&empty, "months/2025.01").await["totals"]["totalExpense"], 9_000);
    assert_eq!(get(&empty, "codes").await["accountKinds"], json!({ "청약": "SAVINGS" }));
    is_right(&empty).await;
    let other = start(on).await;
    for amount in 1..=2 {
        add(&other, food("2025-01-02", "점심", amount)).await;
    }
    let refused = send(&other, Method::POST, "restore", whole.clone()).await;
    assert_eq!(refusal(&refused), (409, "not_empty".to_owned()));
    let newer =
        json!({ "version": 3, "opening": whole["opening"], "codes": {}, "accounts": {}, "lines": [] });
    let newer = send(&other, Method::POST, "restore", newer).await;
    assert_eq!(refusal(&newer), (400, "export_version".to_owned()));
    let wrong = send(&other, Method::POST, "restore", json!({ "version": 1, "lines": [{}] })).await;
    assert_eq!(refusal(&wrong), (400, "invalid_body".to_owned()));
}
