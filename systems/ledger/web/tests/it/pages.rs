//! The pages, as a browser without scripts sees them.

use std::sync::Arc;

use hansang_ledger::{CodeType, Kind, Ledger, Month, Subject, lines_of_month, month};
use hansang_ledger_web::LedgerSystem;
use hansang_testserver::{On, Server, Visitor, has, lacks, settings};

const SHEET: &str = "/console/ledger/sheet/living";
const ADD: &str = "/console/ledger/add";

pub(crate) async fn start(on: On) -> (Server, Ledger) {
    let server = Server::of_system(on, Arc::new(LedgerSystem), settings()).await;
    let ledger = Ledger::new(server.db(hansang_ledger::MODEL));
    (server, ledger)
}

fn this_month(ledger: &Ledger) -> Month {
    Month::of(ledger.today())
}

/// L27: the sheet offers every code. A total that is typed becomes an entry, and the overview adds it up.
async fn a_month_is_filled_in_on_its_sheet(on: On) {
    let (server, ledger) = start(on).await;
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    let now = this_month(&ledger);
    has(&editor.get("/console/ledger").await, &["아직 입력한 내역이 없습니다"]);
    has(&editor.get(SHEET).await, &["식비", "교통비", "의료비", "문화생활", "기타"]);
    let text = now.to_string();
    let form = [
        ("month", &*text),
        ("living#식비#", "12000+3500"),
        ("was:living#식비#", ""),
        ("living#교통비#", "1,000원"),
        ("was:living#교통비#", ""),
        ("living#기타#", ""),
        ("was:living#기타#", ""),
    ];
    let saved = editor.post(SHEET, &form).await;
    assert_eq!(saved.status, 303, "{}", saved.text);
    let stored = month(&ledger, now).await.unwrap();
    assert_eq!((stored.totals.total_expense, stored.entries.len()), (16_500, 2));
    has(&editor.get(SHEET).await, &["value=\"15,500\"", "16,500원"]);
    has(&editor.get("/console/ledger").await, &["16,500원", "−16,500원", "식비"]);
}

/// A field whose entry was changed elsewhere is not overwritten, and nothing that was typed is lost.
async fn a_stale_sheet_overwrites_nothing(on: On) {
    let (server, ledger) = start(on).await;
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    let text = this_month(&ledger).to_string();
    let fill = |was: &'static str, typed: &'static str| {
        [("month", text.clone()), ("living#식비#", typed.to_owned()), ("was:living#식비#", was.to_owned())]
    };
    let send = async |form: [(&str, String); 3]| {
        let form: Vec<(&str, &str)> = form.iter().map(|(name, value)| (*name, &**value)).collect();
        editor.post(SHEET, &form).await
    };
    assert_eq!(send(fill("", "5000")).await.status, 303);
    let stale = send(fill("", "7000")).await;
    assert_eq!(stale.status, 422, "{}", stale.text);
    has(&stale, &["value=\"7000\"", "현재 5,000원"]);
    let wrong = send(fill("5000", "12x")).await;
    assert_eq!(wrong.status, 422);
    has(&wrong, &["value=\"12x\"", "원 단위로 입력하세요"]);
    assert_eq!(month(&ledger, this_month(&ledger)).await.unwrap().totals.total_expense, 5000);
    assert_eq!(send(fill("5000", "7000")).await.status, 303);
    assert_eq!(month(&ledger, this_month(&ledger)).await.unwrap().totals.total_expense, 7000);
}

/// A line is added, sent twice, changed, deleted, and every step is in the history and can be undone.
async fn a_line_is_added_changed_and_undone(on: On) {
    let (server, ledger) = start(on).await;
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    let (now, today) = (this_month(&ledger), ledger.today().to_string());
    has(&editor.get(ADD).await, &["빠른 입력", "식비", "배우자1 · 월급"]);
    let id = "01KA9Z6Q3N8V5T2R7W4Y1M0CDE";
    let line =
        [("amount", "4500"), ("entry", "living#식비#"), ("text", "<커피>"), ("date", &*today), ("id", id)];
    for _ in 0..2 {
        assert_eq!(editor.post(ADD, &line).await.status, 303);
    }
    let lines = lines_of_month(&ledger, now).await.unwrap();
    assert_eq!(lines.len(), 1, "{lines:?}");
    has(&editor.get("/console/ledger/lines").await, &["&#60;커피&#62;", "4,500원"]);
    lacks(&editor.get("/console/ledger/lines?q=버스").await, &["&#60;커피&#62;"]);
    has(&editor.get("/console/ledger/calendar").await, &["4,500원"]);

    let page = format!("/console/ledger/lines/{now}/{id}");
    has(&editor.get(&page).await, &["value=\"4,500\""]);
    let wrong =
        editor.post(&page, &[("amount", "much"), ("entry", ""), ("text", ""), ("date", "2026-02-30")]).await;
    assert_eq!(wrong.status, 400, "{}", wrong.text);
    has(&wrong, &["value=\"much\"", "항목을 선택하세요"]);
    let changed =
        [("amount", "-4500"), ("entry", "living#식비#"), ("text", "환불"), ("date", &*today), ("do", "save")];
    assert_eq!(editor.post(&page, &changed).await.status, 303);
    assert_eq!(month(&ledger, now).await.unwrap().totals.total_expense, -4500);
    has(&editor.get("/console/ledger/lines").await, &["−4,500원"]);

    let history = editor.get("/console/ledger/history").await;
    has(&history, &["수정", "추가", "되돌리기"]);
    let last =
        history.text.split("/console/ledger/history/").nth(1).unwrap().split('/').next().unwrap().to_owned();
    assert_eq!(editor.post(&format!("/console/ledger/history/{last}/undo"), &[]).await.status, 303);
    assert_eq!(month(&ledger, now).await.unwrap().totals.total_expense, 4500);
    let again = editor.post(&format!("/console/ledger/history/{last}/undo"), &[]).await;
    assert_eq!(again.status, 409);
    has(&again, &["이미 되돌렸습니다"]);
    let deleted = editor.post(&page, &[("do", "delete")]).await;
    assert_eq!(deleted.status, 303);
    assert!(lines_of_month(&ledger, now).await.unwrap().is_empty());
    // The notice offers to take it back.
    let offered = deleted.header("set-cookie").to_owned();
    let undo = offered.split(['=', ':', ';']).find(|part| part.starts_with("/console/ledger/history/"));
    assert_eq!(editor.post(undo.unwrap(), &[]).await.status, 303, "{offered}");
    assert_eq!(lines_of_month(&ledger, now).await.unwrap().len(), 1);
}

/// Two people have one line open: the second one sees both, and decides; a deletion asks again too.
async fn two_people_change_one_line(on: On) {
    let (server, ledger) = start(on).await;
    let (one, two) =
        (Visitor::sign_in(&server, "editor", "ko").await, Visitor::sign_in(&server, "editor", "ko").await);
    let (now, today) = (this_month(&ledger), ledger.today().to_string());
    let id = "01KA9Z6Q3N8V5T2R7W4Y1M0CDE";
    let line =
        [("amount", "4500"), ("entry", "living#식비#"), ("text", "커피"), ("date", &*today), ("id", id)];
    assert_eq!(one.post(ADD, &line).await.status, 303);
    let page = format!("/console/ledger/lines/{now}/{id}");
    let seq = |page: &hansang_testserver::Response| {
        let behind = page.text.split("name=\"seq\" value=\"").nth(1).unwrap();
        behind.split('"').next().unwrap().to_owned()
    };
    let (first, second) = (seq(&one.get(&page).await), seq(&two.get(&page).await));
    let form = async |by: &Visitor<'_>, amount: &str, seq: &str, what: &str| {
        let fields = [
            ("amount", amount),
            ("entry", "living#식비#"),
            ("text", "커피"),
            ("date", &*today),
            ("seq", seq),
            ("do", what),
        ];
        by.post(&page, &fields).await
    };
    assert_eq!(form(&one, "5000", &first, "save").await.status, 303);
    let stale = form(&two, "6000", &second, "save").await;
    assert_eq!(stale.status, 412, "{}", stale.text);
    has(&stale, &["현재 저장된 내용", "5,000원", "value=\"6000\""]);
    let gone = form(&two, "6000", &second, "delete").await;
    assert_eq!(gone.status, 412);
    assert_eq!(month(&ledger, now).await.unwrap().totals.total_expense, 5000);
    assert_eq!(form(&two, "6000", &seq(&stale), "save").await.status, 303);
    assert_eq!(month(&ledger, now).await.unwrap().totals.total_expense, 6000);
}

/// Ls18: a sign-in is a person, so that a report has one row for what it entered and what it earned.
async fn sign_ins_are_people(on: On) {
    let (server, ledger) = start(on).await;
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    let today = ledger.today().to_string();
    for (entry, amount) in [("income#배우자1#월급", "3000000"), ("living#식비#", "12000")] {
        let line = [("amount", amount), ("entry", entry), ("text", ""), ("date", &*today)];
        assert_eq!(editor.post(ADD, &line).await.status, 303);
    }
    let codes = "/console/ledger/codes";
    let page = editor.get(codes).await;
    has(&page, &["로그인 계정", "정하지 않음"]);
    let id = page.text.split("name=\"sign-in\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    let form = [("do", "person"), ("sign-in", id), ("person", "배우자1")];
    assert_eq!(editor.post(codes, &form).await.status, 303);
    let this = this_month(&ledger);
    let people = hansang_ledger::people(&ledger, this).await.unwrap();
    assert_eq!((people["배우자1"].earned, people["배우자1"].spent, people.len()), (3_000_000, 12_000, 2));
    has(&editor.get(codes).await, &["<option value=\"배우자1\" selected>"]);
    has(&editor.get("/console/ledger/history").await, &["로그인 계정 변경", "정하지 않음 → 배우자1"]);
    let viewer = Visitor::sign_in(&server, "viewer", "ko").await;
    assert_eq!(viewer.post(codes, &form).await.status, 403);
}

/// L28: a new category is only a code change. Budgets and goals follow the figures.
async fn categories_budgets_goals_and_rules_are_kept(on: On) {
    let (server, ledger) = start(on).await;
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    let now = this_month(&ledger);
    let living = "LIVING_EXPENSE_CATEGORY";
    let codes =
        editor.post("/console/ledger/codes", &[("list", living), ("do", "add"), ("new", " 반려동물 ")]).await;
    assert_eq!(codes.status, 303, "{}", codes.text);
    has(&editor.get(SHEET).await, &["반려동물"]);

    let text = now.to_string();
    let budget = [("month", &*text), ("kind", "living"), ("category", "반려동물"), ("amount", "50000")];
    assert_eq!(editor.post("/console/ledger/budgets", &budget).await.status, 303);
    let line = [
        ("amount", "60000"),
        ("entry", "living#반려동물#"),
        ("text", ""),
        ("date", &*ledger.today().to_string()),
    ]
    .map(|(name, value)| (name, value.to_owned()));
    let line: Vec<(&str, &str)> = line.iter().map(|(name, value)| (*name, &**value)).collect();
    assert_eq!(editor.post(ADD, &line).await.status, 303);
    has(&editor.get("/console/ledger/budgets").await, &["예산 초과", "−10,000원"]);

    let wrong = [("month", &*text), ("kind", "living"), ("category", "식비"), ("amount", "1x")];
    let wrong = editor.post("/console/ledger/budgets", &wrong).await;
    assert_eq!(wrong.status, 422);
    has(&wrong, &["value=\"1x\"", "aria-invalid", "원 단위로 입력하세요", "예산 초과"]);

    let wrong = editor
        .post("/console/ledger/goals", &[("account", "여행"), ("amount", "1.5"), ("month", "내년")])
        .await;
    assert_eq!(wrong.status, 400);
    has(&wrong, &["value=\"1.5\"", "value=\"내년\"", "원 단위로 입력하세요", "올바른 연월이 아닙니다"]);
    let goal = [("account", "여행"), ("amount", "1000000"), ("month", "2027-06")];
    assert_eq!(editor.post("/console/ledger/goals", &goal).await.status, 303);
    has(&editor.get("/console/ledger/goals").await, &["value=\"1,000,000\"", "0%"]);

    let from = text.replace('.', "-");
    let rule = [
        ("entry", "fixed#주거#"),
        ("amount", "800000"),
        ("text", "월세"),
        ("day", "31"),
        ("yearly", ""),
        ("from", &*from),
        ("until", ""),
    ];
    let made = editor.post("/console/ledger/recurring", &rule).await;
    assert_eq!(made.status, 303, "{}", made.text);
    has(&editor.get("/console/ledger/recurring").await, &["월세", "매월 말일", "800,000원"]);
    let subject = Subject::new(Kind::FixedExpense, "주거", None).unwrap();
    let stored = hansang_ledger::rules(&ledger).await.unwrap().remove(0);
    assert_eq!(stored.subject, subject);
    let page = format!("/console/ledger/recurring?rule={}", stored.rule_id);
    has(&editor.get(&page).await, &["반복 항목 수정", "value=\"800,000\""]);
    let mut changed = rule.to_vec();
    changed[1].1 = "85만";
    changed.push(("rule", &stored.rule_id));
    let wrong = editor.post("/console/ledger/recurring", &changed).await;
    assert_eq!(wrong.status, 400);
    has(&wrong, &["반복 항목 수정", "value=\"85만\""]);
    changed[1].1 = "850000";
    assert_eq!(editor.post("/console/ledger/recurring", &changed).await.status, 303);
    let rules = hansang_ledger::rules(&ledger).await.unwrap();
    assert_eq!((rules.len(), rules[0].amount), (1, 850_000));
    // The history says what became of each.
    let history = editor.get("/console/ledger/history").await;
    has(&history, &["800,000원 → ", "+ 반려동물", "부터 50,000원", "여행 1,000,000원"]);
}

/// Names move one step at a time; a list that was changed elsewhere is not overwritten, and nothing that was typed is lost.
async fn names_are_moved_and_removed(on: On) {
    let (server, _ledger) = start(on).await;
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    let codes = "/console/ledger/codes";
    let list = async || ledger_codes(&server).await;
    let step = async |name: &str, step: &str| {
        editor.post(codes, &[("list", "NAME"), ("code", name), ("do", step)]).await.status
    };
    has(&editor.get(codes).await, &["위로: 배우자2", "아래로: 배우자1", "지우기: 식비"]);
    assert_eq!(step("배우자2", "up").await, 303);
    assert_eq!(list().await, ["배우자2", "배우자1"]);
    assert_eq!(step("배우자1", "remove").await, 303);
    assert_eq!(list().await, ["배우자2"]);
    let wrong = editor.post(codes, &[("list", "NAME"), ("do", "add"), ("new", "a#b")]).await;
    assert_eq!(wrong.status, 422);
    has(&wrong, &["value=\"a#b\"", "aria-invalid"]);
    let stale = [("list", "NAME"), ("do", "replace"), ("was", "배우자1\n배우자2"), ("codes", "나\n너")];
    let refused = editor.post(codes, &stale).await;
    assert_eq!(refused.status, 422);
    has(&refused, &["그사이 목록이 바뀌었습니다", "나\n너", "<details class=\"text\" open>"]);
    let fresh = [("list", "NAME"), ("do", "replace"), ("was", "배우자2"), ("codes", "나\r\n너\r\n")];
    assert_eq!(editor.post(codes, &fresh).await.status, 303);
    assert_eq!(list().await, ["나", "너"]);
}

async fn ledger_codes(server: &Server) -> Vec<String> {
    // A ledger of its own, so that no codes are cached.
    let ledger = Ledger::new(server.db(hansang_ledger::MODEL));
    ledger.codes().await.unwrap().list(CodeType::Name).to_vec()
}

/// Opening balances are in every month; accounts move between kinds, and groups come and go.
async fn accounts_and_opening_balances_are_kept(on: On) {
    let (server, ledger) = start(on).await;
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    let accounts = "/console/ledger/accounts";
    has(&editor.get(accounts).await, &["시작 잔액", "name=\"short:여행\"", "청약", "위로: 코인"]);
    let opening = [
        ("do", "opening"),
        ("cash", "13,500,000원"),
        ("investment", "7000000"),
        ("short:여행", "400000"),
        ("short:운동", "x"),
    ];
    let wrong = editor.post(accounts, &opening).await;
    assert_eq!(wrong.status, 400);
    has(&wrong, &["value=\"x\"", "value=\"13,500,000원\"", "원 단위로 입력하세요"]);
    assert_eq!(editor.post(accounts, &opening[..4]).await.status, 303);
    let now = month(&ledger, this_month(&ledger)).await.unwrap().balances;
    assert_eq!((now.cash_accumulated, now.investment_accumulated), (13_500_000, 7_000_000));
    assert_eq!(now.short_savings_balances, [("여행".to_owned(), 400_000)].into());

    let assign = [("do", "assign"), ("code", "청약"), ("kind", "savings")];
    assert_eq!(editor.post(accounts, &assign).await.status, 303);
    has(&editor.get("/console/ledger/sheet/savings").await, &["청약"]);
    lacks(&editor.get("/console/ledger/sheet/investment").await, &["청약"]);
    let group = [("do", "add-group"), ("group", "비상금"), ("kind", "savings")];
    assert_eq!(editor.post(accounts, &group).await.status, 303);
    let twice = editor.post(accounts, &group).await;
    assert_eq!(twice.status, 422);
    has(&twice, &["두 번 있습니다", "value=\"비상금\""]);
    let parked = [("list", "비상금"), ("do", "add"), ("new", "파킹통장")];
    assert_eq!(editor.post(accounts, &parked).await.status, 303);
    has(&editor.get("/console/ledger/sheet/savings").await, &["파킹통장"]);
    let taken = editor.post(accounts, &[("list", "비상금"), ("do", "add"), ("new", "주식")]).await;
    assert_eq!(taken.status, 422);
    has(&taken, &["value=\"주식\""]);
    let full = editor.post(accounts, &[("do", "remove-group"), ("group", "비상금")]).await;
    assert_eq!(full.status, 422);
    has(&full, &["먼저 계좌를 지우세요"]);
    has(
        &editor.get("/console/ledger/history").await,
        &["청약: 그룹과 같음 → 저축", "+ 파킹통장", "저축 0원 → 13,500,000원"],
    );
}

/// A viewer sees everything and changes nothing.
async fn viewers_change_nothing(on: On) {
    let (server, ledger) = start(on).await;
    let viewer = Visitor::sign_in(&server, "viewer", "en").await;
    let text = this_month(&ledger).to_string();
    has(&viewer.get(SHEET).await, &["Month sheet", "readonly"]);
    lacks(&viewer.get("/console/ledger").await, &["Quick add"]);
    assert_eq!(viewer.get(ADD).await.status, 403);
    let form = [("month", &*text), ("living#식비#", "5"), ("was:living#식비#", "")];
    for (page, form) in [
        (SHEET, &form[..]),
        ("/console/ledger/codes", &[("list", "NAME"), ("do", "add"), ("new", "x")]),
        ("/console/ledger/accounts", &[("do", "opening"), ("cash", "1")]),
        (
            "/console/ledger/budgets",
            &[("month", &*text), ("kind", "living"), ("category", "식비"), ("amount", "1")],
        ),
        ("/console/ledger/goals", &[("account", "여행"), ("amount", "1")]),
        ("/console/ledger/recurring", &[("do", "delete"), ("rule", "x")]),
        ("/console/ledger/history/1/undo", &[]),
        ("/console/ledger/copy", &[("month", &*text)]),
    ] {
        assert_eq!(viewer.post(page, form).await.status, 403, "{page}");
    }
    assert!(lines_of_month(&ledger, this_month(&ledger)).await.unwrap().is_empty());
}

/// The month in an address sticks on other pages.
async fn the_month_sticks(on: On) {
    let (server, _ledger) = start(on).await;
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    let shown = editor.get("/console/ledger?month=2025.03").await;
    has(&shown, &["2025년 3월"]);
    assert!(
        shown.header("set-cookie").starts_with("hansang_month=2025.03;"),
        "{:?}",
        shown.header("set-cookie")
    );
    has(&editor.get("/console/ledger/calendar?month=2025-02").await, &["2025년 2월"]);
    has(&editor.get("/console/ledger?month=2025.13").await, &["한눈에"]);
}

hansang_testserver::on_each_store!(
    a_month_is_filled_in_on_its_sheet,
    a_stale_sheet_overwrites_nothing,
    a_line_is_added_changed_and_undone,
    two_people_change_one_line,
    sign_ins_are_people,
    categories_budgets_goals_and_rules_are_kept,
    names_are_moved_and_removed,
    accounts_and_opening_balances_are_kept,
    viewers_change_nothing,
    the_month_sticks,
);
