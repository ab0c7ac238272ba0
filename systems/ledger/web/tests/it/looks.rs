//! Looking back and putting right: entries as a whole, searches, the history of one thing, and what was learned.

use hansang_ledger::import::learned;
use hansang_ledger::{
    CodeType, Kind, Ledger, ListChange, ListName, NewLine, Subject, add_line, budgets_of_month, change_list,
    lines_of_month, month,
};
use hansang_testserver::{On, Visitor, has, lacks};

use crate::pages::start;

const SHEET: &str = "/console/ledger/sheet/living";

async fn enter(ledger: &Ledger, by: &str, on: &str, name: &str, text: &str, amount: i64) {
    let subject = Subject::new(Kind::LivingExpense, name, None).unwrap();
    let date = hansang_ledger::date(on).unwrap();
    add_line(ledger, by, NewLine { id: None, subject, date, text: text.to_owned(), amount }).await.unwrap();
}

/// An emptied field deletes an entry of one transaction; a longer one is moved and deleted from its transactions.
async fn entries_are_deleted_and_moved(on: On) {
    let (server, ledger) = start(on).await;
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    let at = "2026.02".parse().unwrap();
    enter(&ledger, "ann", "2026-02-01", "식비", "점심", 9000).await;
    enter(&ledger, "ann", "2026-02-02", "교통비", "버스", 1500).await;
    enter(&ledger, "ann", "2026-02-03", "교통비", "택시", 8000).await;
    let form = [
        ("month", "2026.02"),
        ("living#식비#", ""),
        ("was:living#식비#", "9000"),
        ("living#교통비#", " "),
        ("was:living#교통비#", "9500"),
    ];
    let refused = editor.post(SHEET, &form).await;
    assert_eq!(refused.status, 422, "{}", refused.text);
    has(&refused, &["내역이 2건 있는 항목입니다"]);
    assert_eq!(month(&ledger, at).await.unwrap().totals.total_expense, 9500);
    let stale =
        editor.post(SHEET, &[("month", "2026.02"), ("living#교통비#", ""), ("was:living#교통비#", "1")]);
    has(&stale.await, &["현재 9,500원"]);

    let lines = "/console/ledger/lines?month=2026.02&entry=living%23%EA%B5%90%ED%86%B5%EB%B9%84%23";
    has(&editor.get(lines).await, &["내역째 옮기기", "내역째 지우기", "이 항목의 변경 기록"]);
    let entry = ("entry", "living#교통비#");
    let page = "/console/ledger/entry";
    let same = editor.post(page, &[("month", "2026-02"), entry, ("do", "move"), ("to", "2026-02")]).await;
    assert_eq!(same.status, 400);
    has(&same, &["이미 2026.02에 있는 항목입니다", "택시"]);
    let moved = editor.post(page, &[("month", "2026-02"), entry, ("do", "move"), ("to", "2026-03")]).await;
    assert_eq!(moved.status, 303, "{}", moved.text);
    let march = "2026.03".parse().unwrap();
    assert_eq!(month(&ledger, march).await.unwrap().totals.total_expense, 9500);
    let deleted = editor.post(page, &[("month", "2026-03"), entry, ("do", "delete")]).await;
    assert_eq!(deleted.status, 303);
    assert!(lines_of_month(&ledger, march).await.unwrap().is_empty());
    let offered = deleted.header("set-cookie").to_owned();
    let undo = offered.split(['=', ':', ';']).find(|part| part.starts_with("/console/ledger/history/"));
    assert_eq!(editor.post(undo.unwrap(), &[]).await.status, 303, "{offered}");
    assert_eq!(lines_of_month(&ledger, march).await.unwrap().len(), 2);
    let viewer = Visitor::sign_in(&server, "viewer", "ko").await;
    assert_eq!(viewer.post(page, &[("month", "2026-03"), entry, ("do", "delete")]).await.status, 403);
    lacks(
        &viewer
            .get("/console/ledger/lines?month=2026.03&entry=living%23%EA%B5%90%ED%86%B5%EB%B9%84%23")
            .await,
        &["내역째"],
    );
}

/// The last month with entries is copied, also behind months without any; it goes back to its sheet and can be undone.
async fn last_month_is_copied(on: On) {
    let (server, ledger) = start(on).await;
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    let copy = [("month", "2026.06"), ("kind", "fixed")];
    let nothing = editor.post("/console/ledger/copy", &copy).await;
    assert_eq!(nothing.status, 400, "{}", nothing.text);
    has(&nothing, &["복사할 이전 달이 없습니다", "월별 입력"]);
    enter(&ledger, "ann", "2026-01-01", "식비", "", 9000).await;
    // The server was off: the months since then have nothing.
    hansang_ledger::close_months(&ledger, "month-end").await.unwrap();
    let copied = editor.post("/console/ledger/copy", &copy).await;
    assert!(copied.header("location").starts_with("/console/ledger/sheet/fixed?month=2026.06"), "{copied:?}");
    let june = "2026.06".parse().unwrap();
    assert_eq!(month(&ledger, june).await.unwrap().totals.total_expense, 9000);
    let offered = copied.header("set-cookie").to_owned();
    let undo = offered.split(['=', ':', ';']).find(|part| part.starts_with("/console/ledger/history/"));
    assert_eq!(editor.post(undo.unwrap(), &[]).await.status, 303, "{offered}");
    assert_eq!(month(&ledger, june).await.unwrap().totals.total_expense, 0);
    editor.post("/console/ledger/copy", &copy).await;
    let again = editor.post("/console/ledger/copy", &copy).await;
    assert!(again.header("location").contains("nothing-copied"), "{again:?}");
}

/// Ls4: transactions are searched over a period and by person, page by page, and the filters do not lose the period.
async fn transactions_are_searched(on: On) {
    let (server, ledger) = start(on).await;
    let viewer = Visitor::sign_in(&server, "viewer", "ko").await;
    for day in 1..=28 {
        for number in 0..8 {
            enter(&ledger, "ann", &format!("2026-01-{day:02}"), "식비", &format!("가게 {number}"), 100).await;
        }
    }
    enter(&ledger, "bob", "2026-02-02", "교통비", "택시", 8000).await;
    let all = viewer.get("/console/ledger/lines?from=2026-01&to=2026-02").await;
    has(&all, &["225건", "30,400원", "name=\"from\" value=\"2026-01\"", "page=2", "택시", ">ann</option>"]);
    let second = viewer.get("/console/ledger/lines?from=2026-01&to=2026-02&page=2").await;
    has(&second, &["225건", "2026-01-01"]);
    lacks(&second, &["택시"]);
    let bob = viewer.get("/console/ledger/lines?from=2026-01&to=2026-02&by=bob&q=택").await;
    has(&bob, &["1건", "8,000원", "/console/ledger/lines?from=2026.01&#38;to=2026.02\""]);
    lacks(&bob, &["가게 1"]);
    has(&viewer.get("/console/ledger/lines?from=2026-02").await, &["1건", "2026년 2월 – 2026년 2월"]);
    let wrong = viewer.get("/console/ledger/lines?from=2026-05&to=2026-01").await;
    assert_eq!(wrong.status, 400);
    has(&wrong, &["기간은 1~240개월"]);
}

/// The history of one transaction, entry, month and import; an import is one row, and undone as a whole.
async fn the_history_is_of_one_thing(on: On) {
    let (server, ledger) = start(on).await;
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    enter(&ledger, "ann", "2026-02-01", "교통비", "버스", 1500).await;
    let mut file = "날짜,내용,금액\n".to_owned();
    for number in 0..100 {
        file.push_str(&format!("2026-03-{:02},가게 {number},1000\n", number % 28 + 1));
    }
    let sent = editor.upload("/console/ledger/import", "카드.csv", file.as_bytes()).await;
    let here = sent.header("location").to_owned();
    assert_eq!(editor.post(&here, &[("do", "apply")]).await.status, 303);
    let id = here.rsplit('/').next().unwrap();

    let history = "/console/ledger/history";
    let all = editor.get(history).await;
    assert_eq!(all.text.matches("카드.csv").count(), 1, "an import is one row");
    has(&all, &["외 9", &format!("action=\"{here}/undo\""), "버스"]);
    let of_import = editor.get(&format!("{history}?import={id}")).await;
    has(&of_import, &["카드.csv", "가져오기 하나"]);
    lacks(&of_import, &["버스"]);
    let february = editor.get(&format!("{history}?month=2026-02")).await;
    has(&february, &["버스", "2026년 2월"]);
    lacks(&february, &["카드.csv"]);
    let line = lines_of_month(&ledger, "2026.02".parse().unwrap()).await.unwrap().remove(0);
    let one = editor.get(&format!("/console/ledger/lines/2026.02/{}", line.line_id)).await;
    has(&one, &[&format!("{history}?line={}", line.line_id)]);
    let of_line = editor.get(&format!("{history}?line={}", line.line_id)).await;
    has(&of_line, &["버스", "내역 하나"]);
    lacks(&of_line, &["카드.csv"]);
    let entry = editor.get(&format!("{history}?entry=living%23%EA%B5%90%ED%86%B5%EB%B9%84%23")).await;
    has(&entry, &["버스"]);
    lacks(&entry, &["카드.csv"]);
    assert_eq!(editor.post(&format!("{here}/undo"), &[]).await.status, 303);
    let undone = editor.get(history).await;
    has(&undone, &["가져오기 되돌리기"]);
    lacks(&undone, &[&format!("action=\"{here}/undo\"")]);
}

/// The budget of a category that was removed is still there, and can be ended.
async fn a_budget_outlives_its_category(on: On) {
    let (server, ledger) = start(on).await;
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    let budget =
        |amount| [("month", "2026.02"), ("kind", "living"), ("category", "의료비"), ("amount", amount)];
    for amount in ["40000", "50000"] {
        assert_eq!(editor.post("/console/ledger/budgets", &budget(amount)).await.status, 303);
    }
    let list = ListName::Codes(CodeType::LivingExpenseCategory);
    change_list(&ledger, "ann", &list, &ListChange::Remove("의료비".to_owned())).await.unwrap();
    let page = editor.get("/console/ledger/budgets?month=2026.02").await;
    has(&page, &["의료비", "value=\"50,000\"", "예산 변경 이력"]);
    let refused = editor.post("/console/ledger/budgets", &budget("60000")).await;
    assert_eq!(refused.status, 400, "{}", refused.text);
    assert_eq!(editor.post("/console/ledger/budgets", &budget("")).await.status, 303);
    assert!(budgets_of_month(&ledger, "2026.02".parse().unwrap()).await.unwrap().is_empty());
}

/// Ls23: what imports have learned is shown, and can be forgotten.
async fn what_was_learned_can_be_forgotten(on: On) {
    let (server, ledger) = start(on).await;
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    let file = "날짜,내용,금액\n2026-02-04,행복상회 1호,4500\n2026-02-05,내 통장,4500\n";
    let sent = editor.upload("/console/ledger/import", "카드.csv", file.as_bytes()).await;
    let here = sent.header("location").to_owned();
    let choices = [
        ("row", "2"),
        ("include:2", "yes"),
        ("was:2", "living#기타#"),
        ("entry:2", "living#문화생활#"),
        ("row", "3"),
        ("was:3", "living#기타#"),
        ("entry:3", "never"),
        ("do", "apply"),
    ];
    assert_eq!(editor.post(&here, &choices).await.status, 303);
    let page = "/console/ledger/learned";
    has(&editor.get(page).await, &["카드", "행복상회호", "생활비 · 문화생활", "내통장", "항상 제외"]);
    assert_eq!(editor.post(page, &[("merchant", "내통장")]).await.status, 303);
    assert_eq!(editor.post(page, &[("merchant", "내통장")]).await.status, 303);
    assert_eq!(editor.post(page, &[("source", "카드")]).await.status, 303);
    let left = learned(&ledger).await.unwrap();
    assert_eq!((left.sources.len(), left.merchants.len()), (0, 1));
    let viewer = Visitor::sign_in(&server, "viewer", "ko").await;
    assert_eq!(viewer.post(page, &[("merchant", "행복상회호")]).await.status, 403);
}

/// A chosen month is shown on every page that has a month.
async fn the_month_is_the_same_everywhere(on: On) {
    let (server, _ledger) = start(on).await;
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    let shown = editor.get("/console/ledger?month=2025.03").await;
    let kept = shown.header("set-cookie").split(';').next().unwrap().to_owned();
    let cookie = format!("{}; {kept}", editor.cookie);
    let returned = Visitor { cookie, ..Visitor::sign_in(&server, "editor", "ko").await };
    for page in ["", "/lines", "/sheet/income", "/calendar", "/budgets"] {
        has(&returned.get(&format!("/console/ledger{page}")).await, &["2025년 3월"]);
    }
}

hansang_testserver::on_each_store!(
    entries_are_deleted_and_moved,
    last_month_is_copied,
    transactions_are_searched,
    the_history_is_of_one_thing,
    a_budget_outlives_its_category,
    what_was_learned_can_be_forgotten,
    the_month_is_the_same_everywhere,
);
