//! Imports of files: uploads, long previews, and the verdict on every line.

use axum::http::Method;
use hansang_testserver::{On, SHOP, Server, Visitor, has, in_order, lacks, settings};
use serde_json::json;

const IMPORT: &str = "/console/systems/shop/import";

/// Lines of which every tenth is refused.
fn lines(count: usize) -> String {
    let line = |number: usize| match number % 10 {
        0 => format!("Item,d,{number},\n"),
        _ => format!("Item,d,{number},\"Line {number}\"\n"),
    };
    "$entity,shelf,number,name\n".to_owned() + &(1..=count).map(line).collect::<String>()
}

/// On one store: the check of a line is tested on each.
#[tokio::test]
async fn all_lines_of_a_file_are_listed_page_by_page() {
    let server = Server::with(On::Embedded, &[SHOP], settings()).await;
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    // A file is sent without scripts, and the page says how large it may be.
    let form = editor.get(IMPORT).await;
    has(
        &form,
        &[
            "enctype=\"multipart/form-data\"",
            "<input type=\"file\" id=\"file\" name=\"file\"",
            "At most 4 MB.",
        ],
    );
    let text = lines(250);
    let preview = editor.upload(IMPORT, "items.csv", text.as_bytes()).await;
    assert_eq!(preview.status, 200, "{}", preview.text);
    in_order(
        &preview,
        &["All 250", "New 225", "25 with errors", "d · 1<", "d · 99<", "Page 1 of 3", "Import 225 records"],
    );
    let sent = |more: (&'static str, &'static str)| [("text", &*text), ("shown", ""), more];
    let last = editor.post(IMPORT, &sent(("page", "3"))).await;
    in_order(&last, &["d · 249<", "Page 3 of 3"]);
    lacks(&last, &["d · 1<"]);
    let errors = editor.post(IMPORT, &sent(("filter", "refused"))).await;
    assert_eq!(errors.text.matches(">Refused</span>").count(), 25, "{}", errors.text);
    lacks(&errors, &["Page 1 of", "d · 249<"]);
    // The verdict on all lines is a file.
    let results = editor.post(IMPORT, &sent(("results", "yes"))).await;
    assert_eq!(results.header("content-disposition"), "attachment; filename=\"results.csv\"");
    assert_eq!(results.text.lines().count(), 251, "{}", results.text);
    assert!(
        results.text.starts_with("Line,Result,Type,Record,Reason\r\n2,New,Item,d · 1,\r\n"),
        "{}",
        results.text
    );
    assert!(results.text.contains("\r\n11,Refused,"), "{}", results.text);
    assert_eq!(server.get("/api/shop/entities/Item/d/1").await.status, 404);
    let stored = editor.post(IMPORT, &sent(("confirm", "yes"))).await;
    assert_eq!((stored.status, stored.header("location").contains("stored=225&refused=25")), (307, true));
}

#[tokio::test]
async fn files_that_are_no_text_are_refused_in_words() {
    let server = Server::with(On::Embedded, &[SHOP], settings()).await;
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    let korean = [0xC1, 0xA6, 0xB8, 0xF1];
    has(
        &editor.upload(IMPORT, "items.csv", &korean).await,
        &["The file is not UTF-8 text", "role=\"alert\""],
    );
    has(&editor.upload(IMPORT, "items.csv", b"").await, &["There is nothing to import"]);
    let large = vec![b'x'; 4 * 1024 * 1024 + 1];
    has(&editor.upload(IMPORT, "items.csv", &large).await, &["The file has more than 4 MB"]);
    // The mark that spreadsheets put first, and their line ends.
    let marked = b"\xEF\xBB\xBF{\"$entity\":\"Opening\",\"hours\":\"9-18\"}\r\n";
    has(&editor.upload(IMPORT, "items.jsonl", marked).await, &["Import 1 record<"]);
    let body = json!({ "hours": "9-18" });
    assert_eq!(server.send(Method::POST, "/api/shop/entities/Opening", body).await.status, 201);
}
