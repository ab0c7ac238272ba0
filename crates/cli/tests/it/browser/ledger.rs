//! The ledger: entered on a phone and on a sheet, imported, and reported down to its lines.

use serde_json::json;
use thirtyfour::Key;

use super::console::{administrator, demo};
use super::{Browser, Visitor};

const BANKSALAD: &str = "\
날짜,시간,타입,대분류,소분류,내용,금액,화폐,결제수단,메모
2026-02-04,09:10,지출,카페/간식,커피,스타벅스 강남,-4500,KRW,카드,
2026-02-05,12:00,지출,교통,택시,카카오T,-12300,KRW,카드,
2026-02-10,00:00,수입,급여,월급,회사,3000000,KRW,통장,
2026-02-11,00:00,이체,이체,내계좌이체,적금,-500000,KRW,통장,
";

/// All pages with a fixed address.
const PAGES: [&str; 18] = [
    "/console/ledger",
    "/console/ledger/lines",
    "/console/ledger/calendar",
    "/console/ledger/sheet/income",
    "/console/ledger/sheet/living",
    "/console/ledger/sheet/short",
    "/console/ledger/reports",
    "/console/ledger/budgets",
    "/console/ledger/goals",
    "/console/ledger/recurring",
    "/console/ledger/codes",
    "/console/ledger/accounts",
    "/console/ledger/import",
    "/console/ledger/export",
    "/console/ledger/history",
    "/console/ledger/add",
    "/console/ledger?month=2001.01",
    "/console/ledger/reports?from=2001-01&to=2001-12",
];

pub(super) fn set_offline(browser: &Browser, offline: bool) {
    let conditions =
        json!({ "offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1 });
    browser.tell("Network.enable", json!({}));
    browser.tell("Network.emulateNetworkConditions", conditions);
}

/// One thumb: the pad, a category, save. What is typed offline is kept and sent later, once.
#[test]
fn an_amount_is_added_on_a_phone() {
    let (_directory, server) = demo();
    let visitor = Visitor { language: "ko", width: 390, height: 844, ..Visitor::default() };
    let browser = administrator(&server, visitor);
    browser.go("/console/ledger/add");
    let load = browser.requests();
    assert!(load.bytes < 30 * 1024, "{} bytes", load.bytes);
    assert!(load.elsewhere.is_empty(), "{:?}", load.elsewhere);
    browser.no_sideways_scroll();
    browser.accessible();
    for key in ["1", "2", "000", "+", "3", "5", "00"] {
        browser.click(key);
    }
    browser.sees("= 15,500");
    browser.fill("항목", "교통비");
    browser.fill("내용", "택시 두 번");
    browser.screenshot("phone-ledger-add");
    browser.click("저장");
    browser.sees("저장했습니다.");

    set_offline(&browser, true);
    browser.click("9");
    browser.click("000");
    browser.fill("내용", "지하에서 산 커피");
    browser.click("저장");
    browser.sees("오프라인입니다.");
    browser.sees("1건 전송 대기");
    set_offline(&browser, false);
    browser.run("dispatchEvent(new Event('online'))", &[]);
    browser.does_not_see("1건 전송 대기");
    browser.go("/console/ledger/lines");
    browser.sees("택시 두 번");
    browser.sees("15,500원");
    browser.sees("지하에서 산 커피");
    browser.sees("9,000원");
    browser.no_sideways_scroll();
    browser.accessible();
}

/// Enter goes from field to field, sums are calculated, and the last Enter saves.
#[test]
fn a_month_is_filled_in_by_keyboard() {
    let (_directory, server) = demo();
    let browser = administrator(&server, Visitor { language: "ko", ..Visitor::default() });
    browser.go("/console/ledger/sheet/living?month=2031.05");
    browser.run("document.querySelector('input.amount').focus()", &[]);
    for text in ["12000+3500", "1,200원"] {
        browser.press(text);
        browser.press(Key::Enter);
    }
    let count = browser.run("return document.querySelectorAll('input.amount').length", &[]).as_u64().unwrap();
    for _ in 2..count {
        browser.press(Key::Enter);
    }
    browser.sees("저장했습니다.");
    browser.sees("16,700원");
    assert_eq!(browser.run("return document.querySelector('input.amount').value", &[]), "15,500");
    browser.accessible();
}

/// A file of Banksalad is reviewed, imported, and undone as a whole.
#[test]
fn a_file_is_imported_and_undone() {
    let (_directory, server) = demo();
    let browser = administrator(&server, Visitor { language: "ko", ..Visitor::default() });
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("뱅크샐러드.csv");
    std::fs::write(&file, BANKSALAD).unwrap();
    browser.go("/console/ledger/import");
    browser.fill("파일", file.to_str().unwrap());
    browser.click("올리고 확인하기");
    browser.sees("내 계좌 간 이체");
    browser.sees("스타벅스 강남");
    browser.accessible();
    browser.screenshot("ledger-import");
    browser.click("열 바꾸기");
    browser.sees("지출이 음수로 적혀 있음");
    browser.accessible();
    browser.click("내용 확인");
    browser.fill("항목 3", "생활비 · 기타");
    browser.click("3건 가져오기");
    browser.sees("3건을 가져왔습니다.");
    browser.accessible();
    browser.go("/console/ledger/lines?month=2026.02&q=카카오T");
    browser.sees("12,300원");
    browser.go("/console/ledger/import");
    browser.run("document.querySelector('.changes button').click()", &[]);
    browser.sees("가져오기를 되돌렸습니다.");
    browser.accessible();
    browser.go("/console/ledger/lines?month=2026.02&q=카카오T");
    browser.does_not_see("12,300원");
}

/// The report of a period leads to the lines of a category.
#[test]
fn a_report_leads_to_its_lines() {
    let (_directory, server) = demo();
    let browser = administrator(&server, Visitor { language: "ko", height: 1000, ..Visitor::default() });
    browser.go("/console/ledger");
    browser.screenshot("ledger");
    browser.go("/console/ledger/reports");
    browser.sees("어디에 썼나");
    browser.screenshot("ledger-reports");
    browser.run("document.querySelector('.chart-donut a:not([tabindex])').dispatchEvent(new MouseEvent('click', { bubbles: true }))", &[]);
    browser.sees("한 달만 보기");
    browser.accessible();
}

/// A category is added and moved on a phone, and an account is assigned by choosing.
#[test]
fn names_and_accounts_are_arranged_on_a_phone() {
    let (_directory, server) = demo();
    let visitor = Visitor { language: "ko", width: 390, height: 844, ..Visitor::default() };
    let browser = administrator(&server, visitor);
    browser.go("/console/ledger/codes");
    browser.fill("새 이름: 생활비 카테고리", "반려동물");
    browser.press(Key::Enter);
    browser.sees("반려동물");
    browser.click("위로: 반려동물");
    // The last name cannot be moved down: the name is the last but one now.
    browser.click("아래로: 반려동물");
    browser.click("위로: 반려동물");
    browser.click("지우기: 생활용품");
    browser.does_not_see("생활용품");
    browser.go("/console/ledger/accounts");
    browser.fill("구분: 청약", "저축");
    browser.sees("저장했습니다.");
    browser.fill("저축 전체", "12000000");
    browser.press(Key::Enter);
    browser.sees("저장했습니다.");
    assert_eq!(browser.run("return document.querySelector('[name=cash]').value", &[]), "12,000,000");
    browser.go("/console/ledger/sheet/savings");
    browser.sees("청약");
}

#[test]
fn every_page_of_the_ledger_is_accessible() {
    let (_directory, server) = demo();
    let phone = Visitor { language: "ko", dark: true, width: 390, height: 844, ..Visitor::default() };
    let browser = administrator(&server, phone);
    for page in PAGES {
        browser.go(page);
        browser.no_sideways_scroll();
        browser.accessible();
    }
    browser.resize(1280, 800);
    for page in PAGES {
        browser.go(page);
        browser.no_sideways_scroll();
        browser.accessible();
    }
}
