//! The import wizard, as a browser without scripts sees it.

use hansang_ledger::import::{imports, resume_imports};
use hansang_ledger::{Kind, NewLine, Subject, add_line, lines_of_month, month};
use hansang_testserver::{On, Visitor, has, lacks};

use crate::pages::start;

const IMPORT: &str = "/console/ledger/import";

const BANKSALAD: &str = "\
날짜,시간,타입,대분류,소분류,내용,금액,화폐,결제수단,메모
2026-02-04,09:10,지출,카페/간식,커피,스타벅스,-4500,KRW,카드,
2026-02-05,12:00,지출,기타,기타,행복상회 1호,-12300,KRW,카드,
2026-02-10,00:00,수입,급여,월급,회사,3000000,KRW,통장,
2026-02-11,00:00,이체,이체,내계좌이체,적금,-500000,KRW,통장,
2026-02-30,10:00,지출,카페/간식,커피,없는 날짜,-4500,KRW,카드,
";

/// Uploads a file and returns the address of its review.
async fn review(editor: &Visitor<'_>, name: &str, bytes: &[u8]) -> String {
    let sent = editor.upload(IMPORT, name, bytes).await;
    assert_eq!(sent.status, 303, "{}", sent.text);
    sent.header("location").to_owned()
}

/// Ls23: a file is uploaded, reviewed, corrected, imported, and undone as a whole.
async fn a_file_is_reviewed_imported_and_undone(on: On) {
    let (server, ledger) = start(on).await;
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    has(&editor.get(IMPORT).await, &["아직 가져온 파일이 없습니다", "enctype=\"multipart/form-data\""]);
    let here = review(&editor, "뱅크샐러드.csv", BANKSALAD.as_bytes()).await;
    let page = editor.get(&here).await;
    has(&page, &["전체 5", "새 내역 3", "제외 1", "오류 1", "내 계좌 간 이체", "2026-02-30", "3건 가져오기"]);
    lacks(&editor.get(&format!("{here}?effect=ignored")).await, &["스타벅스"]);
    let february = "2026.02".parse().unwrap();
    assert!(lines_of_month(&ledger, february).await.unwrap().is_empty(), "nothing is written yet");

    // A row with a problem stops the import.
    let stopped = editor.post(&here, &[("do", "apply")]).await;
    assert_eq!(stopped.status, 400, "{}", stopped.text);
    has(&stopped, &["6행", "스타벅스"]);
    assert!(imports(&ledger).await.unwrap().is_empty());

    // A person corrects a category, leaves out a row, and excludes what cannot be imported.
    let choices = [
        ("row", "2"),
        ("row", "3"),
        ("include:3", "yes"),
        ("was:3", "living#기타#"),
        ("entry:3", "living#문화생활#"),
        ("effect", "new"),
        ("page", "1"),
        ("do", "exclude"),
    ];
    let saved = editor.post(&here, &choices).await;
    assert_eq!(
        (saved.status, saved.header("location")),
        (303, &*format!("{here}?effect=new&page=1&done=decided"))
    );
    has(&editor.get(&here).await, &["제외 3", "직접 제외함", "2건 가져오기"]);
    let done = editor.post(&here, &[("do", "apply")]).await;
    assert_eq!((done.status, done.header("location")), (303, &*here), "{}", done.text);
    has(&editor.get(&here).await, &["2건을 가져왔습니다", "이 가져오기 되돌리기"]);
    // The second press of the button shows the same result.
    assert_eq!(editor.post(&here, &[("do", "apply")]).await.status, 303);
    let culture = Subject::new(Kind::LivingExpense, "문화생활", None).unwrap();
    let stored = month(&ledger, february).await.unwrap();
    assert_eq!((stored.totals.total_income, stored.totals.total_expense), (3_000_000, 12_300));
    assert!(stored.entries.iter().any(|entry| entry.subject == culture));

    // The same file again: duplicates, and the correction was learned.
    let again = review(&editor, "뱅크샐러드.csv", BANKSALAD.as_bytes()).await;
    has(&editor.get(&again).await, &["중복 2", "새 내역 1", "이미 가져온 내역"]);
    let other = BANKSALAD.replace("행복상회 1호", "행복상회 2호");
    let other = review(&editor, "뱅크샐러드.csv", other.as_bytes()).await;
    has(&editor.get(&other).await, &["value=\"living#문화생활#\" selected"]);
    assert_eq!(editor.post(&other, &[("do", "discard")]).await.status, 303);
    assert_eq!(editor.get(&other).await.status, 404);

    has(&editor.get(IMPORT).await, &["뱅크샐러드.csv", "2건", "완료"]);
    assert_eq!(editor.post(&format!("{here}/undo"), &[]).await.status, 303);
    assert_eq!(month(&ledger, february).await.unwrap().totals.total_income, 0);
    has(&editor.get(&here).await, &["되돌렸습니다"]);
    let twice = editor.post(&format!("{here}/undo"), &[]).await;
    assert_eq!(twice.status, 409, "{}", twice.text);
    has(&editor.get(&again).await, &["새 내역 3"]);
}

/// A file that is looked at again is not read again, unless it is another one; what changed in the ledger is seen.
async fn a_review_is_made_once(on: On) {
    let (server, ledger) = start(on).await;
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    let here = review(&editor, "뱅크샐러드.csv", BANKSALAD.as_bytes()).await;
    has(&editor.get(&here).await, &["새 내역 3"]);
    // Its content is gone from the table: what is shown now was kept.
    let id = here.rsplit('/').next().unwrap();
    let part = |name: &str, value: hansang_core::Value| (name.into(), value);
    let key = [part("uploadId", id.into()), part("number", 0_i64.into())].into();
    ledger.db.delete("UploadPart", key, None).await.unwrap();
    has(&editor.get(&here).await, &["새 내역 3"]);
    let coffee = NewLine {
        id: None,
        subject: Subject::new(Kind::LivingExpense, "식비", None).unwrap(),
        date: hansang_ledger::date("2026-02-04").unwrap(),
        text: "라테".to_owned(),
        amount: 4500,
    };
    add_line(&ledger, "ann", coffee).await.unwrap();
    has(&editor.get(&here).await, &["새 내역 2", "이미 입력함 1", "입력된 내역과 날짜·금액이 같음", "라테"]);
    // A person may say that it is another purchase.
    let both = [("row", "2"), ("left:2", "duplicate"), ("include:2", "yes"), ("do", "save")];
    assert_eq!(editor.post(&here, &both).await.status, 303);
    has(&editor.get(&here).await, &["새 내역 3", "직접 추가함"]);
}

/// Ls23: duplicates, transfers and changed amounts are imported anyway if a person says so; a merchant is never imported
/// again.
async fn what_is_left_out_can_be_imported(on: On) {
    let (server, ledger) = start(on).await;
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    let here = review(&editor, "뱅크샐러드.csv", BANKSALAD.as_bytes()).await;
    has(&editor.get(&here).await, &["name=\"left:5\" value=\"ignored\"", "이 가맹점은 항상 제외"]);
    // An entry for the transfer, and a merchant that is never imported.
    let choices = [
        ("row", "2"),
        ("include:2", "yes"),
        ("was:2", "living#식비#"),
        ("entry:2", "living#식비#"),
        ("row", "3"),
        ("include:3", "yes"),
        ("was:3", "living#기타#"),
        ("entry:3", "never"),
        ("row", "5"),
        ("left:5", "ignored"),
        ("was:5", "living#기타#"),
        ("entry:5", "savings#적금1#"),
        ("do", "exclude"),
    ];
    assert_eq!(editor.post(&here, &choices).await.status, 303);
    let page = editor.get(&here).await;
    has(&page, &["직접 추가함: 내 계좌 간 이체", "가져오지 않기로 한 가맹점", "3건 가져오기"]);
    // The box of a row that would be left out takes it back.
    let back =
        [("row", "5"), ("left:5", "ignored"), ("was:5", "savings#적금1#"), ("entry:5", "savings#적금1#")];
    assert_eq!(editor.post(&here, &[&back[..], &[("do", "save")]].concat()).await.status, 303);
    has(&editor.get(&here).await, &["2건 가져오기"]);
    assert_eq!(editor.post(&here, &choices).await.status, 303);
    assert_eq!(editor.post(&here, &[("do", "apply")]).await.status, 303);
    let february = "2026.02".parse().unwrap();
    let stored = month(&ledger, february).await.unwrap();
    assert_eq!((stored.totals.total_savings, stored.totals.total_expense), (500_000, 4_500));

    // The same file: duplicates, one of which is wanted once more.
    let again = review(&editor, "뱅크샐러드.csv", BANKSALAD.as_bytes()).await;
    has(&editor.get(&again).await, &["중복 3", "가져오지 않기로 한 가맹점"]);
    let twice = [("row", "2"), ("left:2", "duplicate"), ("include:2", "yes"), ("do", "exclude")];
    assert_eq!(editor.post(&again, &twice).await.status, 303);
    has(&editor.get(&again).await, &["직접 추가함: 이미 가져온 내역", "1건 가져오기"]);
    assert_eq!(editor.post(&again, &[("do", "apply")]).await.status, 303);
    assert_eq!(month(&ledger, february).await.unwrap().totals.total_expense, 9_000);

    // Another amount at the same place and day: a correction, or a new purchase.
    let corrected = BANKSALAD.replace("-4500,KRW,카드,\n2026-02-05", "-4700,KRW,카드,\n2026-02-05");
    let changed = review(&editor, "뱅크샐러드.csv", corrected.as_bytes()).await;
    has(&editor.get(&changed).await, &["금액 변경 1", "name=\"new:2\""]);
    let as_new = [
        ("row", "2"),
        ("include:2", "yes"),
        ("new:2", "yes"),
        ("was:2", "living#식비#"),
        ("entry:2", "living#식비#"),
        ("do", "exclude"),
    ];
    assert_eq!(editor.post(&changed, &as_new).await.status, 303);
    has(&editor.get(&changed).await, &["새 내역 1", "직접 추가함: 기존 4,500원"]);
    assert_eq!(editor.post(&changed, &[("do", "apply")]).await.status, 303);
    assert_eq!(month(&ledger, february).await.unwrap().totals.total_expense, 13_700);
}

/// A file without known titles: a person chooses the columns, and they are remembered.
async fn columns_are_chosen_and_remembered(on: On) {
    let (server, ledger) = start(on).await;
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    let file = "내 은행\n언제,무엇,얼마\n2026-02-04,커피,4500\n2026-02-05,버스,1500\n";
    let columns = review(&editor, "bank.csv", file.as_bytes()).await;
    assert!(columns.ends_with("/columns"), "{columns}");
    has(&editor.get(&columns).await, &["A 내 은행", "제목 행", "출처"]);
    let form = |header: &'static str, amount: &'static str, action: &'static str| {
        [
            ("profile", "우리 은행"),
            ("header", header),
            ("date", "0"),
            ("text", "1"),
            ("amount", amount),
            ("do", action),
        ]
    };
    has(&editor.post(&columns, &form("2", "", "show")).await, &["A 언제", "C 얼마"]);
    let wrong = editor.post(&columns, &form("2", "", "save")).await;
    assert_eq!(wrong.status, 400, "{}", wrong.text);
    has(&wrong, &["날짜와 금액 열을 고르세요"]);
    let saved = editor.post(&columns, &form("2", "2", "save")).await;
    assert_eq!(saved.status, 303, "{}", saved.text);
    let here = saved.header("location").to_owned();
    has(&editor.get(&here).await, &["새 내역 2", "우리 은행"]);
    assert_eq!(editor.post(&here, &[("do", "apply")]).await.status, 303);
    assert_eq!(month(&ledger, "2026.02".parse().unwrap()).await.unwrap().totals.total_expense, 6000);
    let next = review(&editor, "march.csv", "언제,무엇,얼마\n2026-03-04,커피,4500\n".as_bytes()).await;
    assert!(!next.ends_with("/columns"));
    has(&editor.get(&next).await, &["새 내역 1", "우리 은행"]);
}

/// Files that are no tables, or cut off, or empty, have a message, and nothing is kept.
async fn files_that_cannot_be_read_are_refused(on: On) {
    let (server, ledger) = start(on).await;
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    for (bytes, message) in [
        (&b""[..], "파일을 선택하세요"),
        (b"PK\x03\x04half a workbook", "엑셀 파일이 손상되었거나 일부만 있습니다"),
        ("날짜,금액\n2026-02-04,\"4".as_bytes(), "중간에서 끊겼습니다"),
        (b"\xFF\xFF\x81", "파일의 글자를 읽을 수 없습니다"),
    ] {
        let refused = editor.upload(IMPORT, "file.xlsx", bytes).await;
        assert_eq!(refused.status, 400, "{}", refused.text);
        has(&refused, &[message]);
    }
    let forged = Visitor { csrf: "wrong".to_owned(), ..Visitor::sign_in(&server, "editor", "ko").await };
    assert_eq!(forged.upload(IMPORT, "a.csv", BANKSALAD.as_bytes()).await.status, 403);
    let viewer = Visitor::sign_in(&server, "viewer", "ko").await;
    assert_eq!(viewer.upload(IMPORT, "a.csv", BANKSALAD.as_bytes()).await.status, 403);
    assert_eq!(editor.get(&format!("{IMPORT}/01KA9Z6Q3N8V5T2R7W4Y1M0CDE")).await.status, 404);
    assert!(imports(&ledger).await.unwrap().is_empty());
}

/// A large file is paged, its import shows its progress, and the worker completes it.
async fn a_large_file_is_completed_by_the_worker(on: On) {
    let (server, ledger) = start(on).await;
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    // More than the size of other requests: three megabytes.
    let (mut file, note) = ("날짜,내용,금액,메모\n".to_owned(), "x".repeat(1000));
    for number in 0..3000 {
        let (month, day) = (number % 12 + 1, number % 28 + 1);
        file.push_str(&format!("2026-{month:02}-{day:02},가게 {number},1000,{note}\n"));
    }
    let here = review(&editor, "year.csv", file.as_bytes()).await;
    let first = editor.get(&here).await;
    has(&first, &["New 3000", "page=2", "Import 3000 rows"]);
    has(&editor.get(&format!("{here}?page=60")).await, &["가게 2999"]);
    assert_eq!(editor.post(&here, &[("do", "apply")]).await.status, 303);
    let running = editor.get(&here).await;
    has(&running, &["of 3000 rows are done", "<progress max=\"3000\""]);
    assert_eq!(running.header("refresh"), "2");
    resume_imports(&ledger).await.unwrap();
    has(&editor.get(&here).await, &["3000 transactions imported."]);
    assert_eq!(month(&ledger, "2026.05".parse().unwrap()).await.unwrap().totals.total_expense, 250_000);
}

hansang_testserver::on_each_store!(
    a_file_is_reviewed_imported_and_undone,
    a_review_is_made_once,
    what_is_left_out_can_be_imported,
    columns_are_chosen_and_remembered,
    files_that_cannot_be_read_are_refused,
    a_large_file_is_completed_by_the_worker,
);
