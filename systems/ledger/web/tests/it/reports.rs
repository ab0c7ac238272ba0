//! Reports, exports, and what is new since the last visit.

use std::time::Duration;

use hansang_ledger::{Export, Kind, Ledger, Month, NewLine, Subject, add_line, export, lines_of_month};
use hansang_testserver::{On, Visitor, has, in_order, lacks};

use crate::pages::start;

async fn add(
    ledger: &Ledger,
    by: &str,
    date: &str,
    (kind, name, detail): (Kind, &str, Option<&str>),
    amount: i64,
) {
    let subject = Subject::new(kind, name, detail).unwrap();
    let date = hansang_ledger::date(date).unwrap();
    let new = NewLine { id: None, subject, date, text: "내용".to_owned(), amount };
    add_line(ledger, by, new).await.unwrap();
}

const FOOD: (Kind, &str, Option<&str>) = (Kind::LivingExpense, "식비", None);
const RENT: (Kind, &str, Option<&str>) = (Kind::FixedExpense, "주거", None);
const PAY: (Kind, &str, Option<&str>) = (Kind::Income, "배우자1", Some("월급"));
const SAVED: (Kind, &str, Option<&str>) = (Kind::Savings, "적금1", None);

async fn fill(ledger: &Ledger) {
    add(ledger, "ann", "2025-03-05", FOOD, 100_000).await;
    add(ledger, "ann", "2026-01-05", FOOD, 90_000).await;
    add(ledger, "ann", "2026-02-05", FOOD, 150_000).await;
    add(ledger, "bob", "2026-02-06", RENT, 800_000).await;
    add(ledger, "ann", "2026-02-25", PAY, 3_000_000).await;
    add(ledger, "ann", "2026-02-26", SAVED, 900_000).await;
}

/// L22, Ls25, Ls26: a period with its figures, which stays chosen; the category by month with total, average and last year; a click leads to lines.
async fn a_period_is_reported_down_to_its_lines(on: On) {
    let (server, ledger) = start(on).await;
    fill(&ledger).await;
    let viewer = Visitor::sign_in(&server, "viewer", "ko").await;
    let page = viewer.get("/console/ledger/reports?from=2026-01&to=2026-12").await;
    has(&page, &["3,000,000원", "1,040,000원", "저축률 <strong>30.0%</strong>", "2026년 항목별", "+140%"]);
    // The row of food: the total, the average of eleven months, last year, then January and February.
    let row = [
        "<tr class=\"\"><th scope=\"row\">식비</th>",
        "240,000원",
        "21,818원",
        "100,000원",
        ">90,000<",
        ">150,000<",
    ];
    in_order(&page, &row);
    in_order(&page, &["사람별", "배우자1", "3,000,000원"]);
    let kept = page.header("set-cookie").to_owned();
    assert!(kept.starts_with("hansang_period=2026.01-2026.12;"), "{kept}");
    let returned = Visitor {
        cookie: format!("{}; hansang_period=2026.01-2026.02", viewer.cookie),
        ..Visitor::sign_in(&server, "viewer", "ko").await
    };
    has(&returned.get("/console/ledger/reports").await, &["2026년 1월 – 2026년 2월"]);
    // The part of the ring leads to the lines of the period.
    let link =
        page.text.split("href=\"/console/ledger/lines?from=").nth(1).unwrap().split('"').next().unwrap();
    let link = format!("/console/ledger/lines?from={}", link.replace("&amp;", "&").replace("&#38;", "&"));
    let lines = viewer.get(&link).await;
    has(&lines, &["2026년 1월 – 2026년 12월", "800,000원"]);
    lacks(&lines, &["150,000원"]);
    for (wrong, message) in
        [("from=2026-05&to=2026-01", "기간은 1~240개월"), ("from=1950-01&to=2026-01", "기간은 1~240개월")]
    {
        let page = viewer.get(&format!("/console/ledger/reports?{wrong}")).await;
        assert_eq!(page.status, 400, "{wrong}");
        has(&page, &[message]);
    }
    has(
        &viewer.get("/console/ledger/reports?from=2010-01&to=2010-02").await,
        &["이 기간에는 데이터가 없습니다"],
    );
}

/// Ls24: every format can be downloaded; JSON can be restored into an empty ledger, after a confirmation.
async fn a_ledger_is_exported_and_restored(on: On) {
    let (server, ledger) = start(on).await;
    fill(&ledger).await;
    let viewer = Visitor::sign_in(&server, "viewer", "ko").await;
    has(&viewer.get("/console/ledger/export").await, &["Excel", "hledger"]);
    lacks(&viewer.get("/console/ledger/export").await, &["복원하기"]);
    let csv = viewer.get("/console/ledger/export/csv").await;
    assert!(csv.header("content-disposition").ends_with(".csv\""), "{csv:?}");
    has(&csv, &["2026-02-05,LIVING_EXPENSE,식비"]);
    has(&viewer.get("/console/ledger/export/journal").await, &["expenses:living:식비  150000 KRW"]);
    let book = viewer.get("/console/ledger/export/xlsx").await;
    assert_eq!(book.status, 200);
    assert_eq!(viewer.get("/console/ledger/export/pdf").await.status, 404);
    let json = viewer.get("/console/ledger/export/json").await;
    let exported: Export = serde_json::from_str(&json.text).unwrap();
    assert_eq!(exported, export(&ledger).await.unwrap());
    assert_eq!(viewer.upload("/console/ledger/restore", "a.json", b"{}").await.status, 403);

    let (server, other) = start(on).await;
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    let restore = "/console/ledger/restore";
    let unsure = editor.upload(restore, "ledger.json", json.text.as_bytes()).await;
    assert_eq!(unsure.status, 400);
    has(&unsure, &["확인란에 표시하세요"]);
    let sure =
        |bytes: &'static [u8]| editor.upload_with(restore, "ledger.json", bytes, &[("confirm", "true")]);
    has(&sure(b"{\"version\":1}").await, &["가계부를 내보낸 파일이 아닙니다"]);
    let done = editor.upload_with(restore, "ledger.json", json.text.as_bytes(), &[("confirm", "true")]).await;
    assert_eq!(done.status, 303, "{}", done.text);
    assert_eq!(export(&other).await.unwrap().lines.len(), exported.lines.len());
    add(&other, "ann", "2026-03-05", FOOD, 1).await;
    let full = editor.upload_with(restore, "ledger.json", json.text.as_bytes(), &[("confirm", "true")]).await;
    assert_eq!(full.status, 409);
    has(&full, &["빈 가계부에 복원하세요"]);
}

/// Changes by others since the last visit are on the overview; own ones are not.
async fn the_overview_tells_what_is_new(on: On) {
    let (server, ledger) = start(on).await;
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    let today = ledger.today().to_string();
    add(&ledger, "someone", &today, FOOD, 1000).await;
    lacks(&editor.get("/console/ledger").await, &["새 소식"]);
    server.later(Duration::from_secs(3600));
    add(&ledger, "someone", &today, FOOD, 2345).await;
    let form = [("amount", "777"), ("entry", "living#교통비#"), ("text", ""), ("date", &*today)];
    assert_eq!(editor.post("/console/ledger/add", &form).await.status, 303);
    for _ in 0..2 {
        let page = editor.get("/console/ledger").await;
        in_order(&page, &["지난 방문 이후 새 소식", "someone", "2,345원"]);
        let news = page.text.split("새 소식").nth(1).unwrap().split("</section>").next().unwrap();
        assert!(!news.contains("777") && !news.contains("1,000"), "{news}");
    }
    server.later(Duration::from_secs(3600));
    lacks(&editor.get("/console/ledger").await, &["새 소식"]);
    let month = Month::of(ledger.today());
    assert_eq!(lines_of_month(&ledger, month).await.unwrap().len(), 3);
}

hansang_testserver::on_each_store!(
    a_period_is_reported_down_to_its_lines,
    a_ledger_is_exported_and_restored,
    the_overview_tells_what_is_new,
);
