//! Nothing typed is lost: every form is shown again as it was filled in, after an expired session or a change of language
//! without scripts.

use hansang_testserver::{On, Visitor, has};

use crate::pages::start;

const FILE: &str = "\
날짜,시간,타입,대분류,소분류,내용,금액,화폐,결제수단,메모
2026-02-04,09:10,지출,카페/간식,커피,스타벅스,-4500,KRW,카드,
2026-02-11,00:00,이체,이체,내계좌이체,적금,-500000,KRW,통장,
";

/// On one store: forms do not depend on it.
#[tokio::test]
async fn every_form_keeps_what_was_typed() {
    let (server, ledger) = start(On::Embedded).await;
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    let today = ledger.today().to_string();
    let id = "01KA9Z6Q3N8V5T2R7W4Y1M0CDE";
    let line =
        [("amount", "4500"), ("entry", "living#식비#"), ("text", "커피"), ("date", &*today), ("id", id)];
    assert_eq!(editor.post("/console/ledger/add", &line).await.status, 303);
    let accounts = "/console/ledger/accounts";
    let group = [("do", "add-group"), ("group", "단기"), ("kind", "short")];
    assert_eq!(editor.post(accounts, &group).await.status, 303);
    let account = [("do", "add"), ("list", "단기"), ("new", "캠핑카")];
    assert_eq!(editor.post(accounts, &account).await.status, 303);
    let month = hansang_ledger::Month::of(ledger.today());
    let review = editor.upload("/console/ledger/import", "뱅크샐러드.csv", FILE.as_bytes()).await;
    assert_eq!(review.status, 303, "{}", review.text);
    let review = review.header("location").to_owned();
    let pages = [
        "/console/ledger/sheet/income".to_owned(),
        "/console/ledger/sheet/living?month=2025.11".to_owned(),
        "/console/ledger/sheet/short".to_owned(),
        "/console/ledger/add".to_owned(),
        "/console/ledger/budgets".to_owned(),
        "/console/ledger/goals".to_owned(),
        "/console/ledger/accounts".to_owned(),
        "/console/ledger/codes".to_owned(),
        "/console/ledger/recurring".to_owned(),
        format!("/console/ledger/lines/{month}/{id}"),
        format!("{review}/columns"),
        review,
    ];
    for page in pages {
        assert!(editor.keeps_typed(&page).await > 0, "{page} has no fields");
    }
}

/// A sheet that is shown again is saved into its own month, and still knows the amounts that were typed over.
#[tokio::test]
async fn a_sheet_that_is_shown_again_is_the_same_sheet() {
    let (server, _) = start(On::Embedded).await;
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    let sheet = "/console/ledger/sheet/living";
    let typed = [("month", "2025.03"), ("living#식비#", "7000"), ("was:living#식비#", "5000")];
    let again = editor.post(&format!("{sheet}?.draft=1"), &typed).await;
    assert_eq!(again.status, 200, "{}", again.text);
    has(&again, &["name=\"month\" value=\"2025.03\"", "name=\"was:living#식비#\" value=\"5000\""]);
    has(&editor.get(sheet).await, &["name=\".language\" value=\"en\""]);
}
