//! The parts that pages are made of, on the page that shows all of them.

use thirtyfour::Key;

use super::console::{administrator, demo, tab_back_to, tab_to};
use super::{Browser, Visitor};

const DESIGN: &str = "/console/design";

/// The names of the rows of the data table, from top to bottom.
fn rows(browser: &Browser) -> String {
    let script =
        "return [...document.querySelectorAll('.data tbody th')].map((row) => row.innerText).join(' ')";
    browser.run(script, &[]).as_str().unwrap().to_owned()
}

#[test]
fn every_part_is_accessible_at_every_width() {
    let (_directory, server) = demo();
    let browser = administrator(&server, Visitor { language: "ko", ..Visitor::default() });
    for width in [1280, 390] {
        browser.resize(width, 844);
        for page in [DESIGN, "/console", "/console/settings", "/console/settings/audit", "/console/nowhere"] {
            browser.go(page);
            browser.accessible();
            browser.no_sideways_scroll();
        }
    }
}

#[test]
fn a_table_is_sorted_chosen_and_walked_by_keyboard() {
    let (_directory, server) = demo();
    let browser = administrator(&server, Visitor::default());
    browser.go(DESIGN);
    assert_eq!(rows(&browser), "Rent Food Salary Transport");
    browser.click("Amount");
    browser.is_at("/console/design?sort=amount&dir=asc");
    assert_eq!(rows(&browser), "Rent Food Transport Salary");
    browser.run("document.querySelector('.data tbody th a').focus()", &[]);
    browser.press(Key::Down + Key::Down);
    assert_eq!(browser.focused(), "Transport");

    // The header stays while the rows scroll.
    let sticks = "const box = document.querySelector('.data .wide');
        box.style.maxHeight = '6rem';
        box.scrollTop = 60;
        const [header, own] = [box.querySelector('thead th'), box].map((one) => one.getBoundingClientRect().top);
        return box.scrollTop > 0 && Math.abs(header - own) < 2";
    assert_eq!(browser.run(sticks, &[]), true);
    browser.run("document.querySelector('.data .wide').style.maxHeight = ''", &[]);

    // Actions appear with the first selected row.
    browser.does_not_see("1 selected");
    browser.click("Select Rent");
    browser.sees("1 selected");
    browser.click("View");
    browser.click(".data input[name=column][value=code]");
    browser.click(".data details[open] button.primary");
    browser.is_at("/console/design?sort=amount&dir=asc");
    browser.sees("CODE#Salary");

    // A button copies the text beside it, and says so.
    browser.click("[data-copy=sample]");
    browser.sees("Copied");
    // The month picker goes to the month before, and to a chosen one.
    let month = || {
        let script = "return document.querySelector('form.month input').value";
        browser.run(script, &[]).as_str().unwrap_or_default().to_owned()
    };
    let first = month();
    browser.click("Previous month");
    browser.until(|| match month() {
        other if !other.is_empty() && other < first => Ok(()),
        other => Err(format!("the month is {other} after {first}")),
    });
    let choose = "const input = document.querySelector('form.month input');
        input.value = '2031-05';
        input.dispatchEvent(new Event('change', { bubbles: true }));";
    browser.run(choose, &[]);
    browser.is_at("/console/design?month=2031-05");
    a_view_is_chosen_by_keyboard(&browser);
}

/// Columns and density are chosen and rows selected by the keyboard alone. The choice stays.
fn a_view_is_chosen_by_keyboard(browser: &Browser) {
    browser.go(DESIGN);
    browser.click("More");
    browser.sees("Duplicate");
    browser.no_sideways_scroll();
    tab_to(browser, "View");
    browser.press(Key::Enter);
    browser.does_not_see("Duplicate");
    browser.sees("Row height");
    browser.accessible();
    browser.press(Key::Tab);
    browser.press(Key::Escape);
    browser.does_not_see("Row height");
    assert_eq!(browser.focused(), "View");
    browser.press(Key::Enter);
    tab_to(browser, "Count");
    browser.press(" ");
    tab_to(browser, "Comfortable");
    browser.press(Key::Down + "");
    assert_eq!(browser.focused(), "Compact");
    tab_to(browser, "Apply");
    browser.opens(Key::Enter);
    browser.go("/console");
    browser.go(DESIGN);
    browser.sees("CODE#Salary");
    browser.does_not_see("1,284 1");
    let shown = "return [document.querySelectorAll('.data.compact').length,
        document.querySelectorAll('.data th a[href*=\"sort=count\"]').length]";
    assert_eq!(browser.run(shown, &[]), serde_json::json!([1, 0]));

    tab_to(browser, "Select Rent");
    browser.press(" ");
    browser.press(Key::Down + "");
    assert_eq!(browser.focused(), "Select Food");
    browser.press(" ");
    browser.sees("2 selected");
    browser.accessible();
    tab_back_to(browser, "Delete");
    browser.opens(Key::Enter);
    browser.sees("Deleted.");
    browser.accessible();
    tab_back_to(browser, "Undo");
    browser.opens(Key::Enter);
    browser.sees("Restored.");
    tab_back_to(browser, "Dismiss");
    browser.press(Key::Enter);
    browser.does_not_see("Restored.");
}

#[test]
fn a_change_is_undone_in_its_notice() {
    let (_directory, server) = demo();
    let browser = administrator(&server, Visitor { scripts: false, ..Visitor::default() });
    browser.go(DESIGN);
    browser.click("Toast with undo");
    browser.sees("Deleted.");
    browser.click("Undo");
    browser.sees("Restored.");
    browser.does_not_see("Undo");

    // The table, its columns and its selection, and the month.
    browser.click("Amount");
    browser.is_at("/console/design?sort=amount&dir=asc");
    browser.click("View");
    browser.click(".data input[name=column][value=code]");
    browser.click(".data details[open] button.primary");
    browser.sees("CODE#Salary");
    assert_eq!(rows(&browser), "Rent Food Transport Salary");
    browser.sees("With selected rows:");
    browser.click("Select Rent");
    browser.click(".bulk button");
    browser.sees("Deleted.");
    browser.run("document.querySelector('form.month input').value = '2031-05'", &[]);
    browser.click("form.month button");
    browser.is_at("/console/design?month=2031-05");
}

#[test]
fn a_phone_has_a_drawer_and_cards() {
    let (_directory, server) = demo();
    let phone = Visitor { language: "ko", width: 390, height: 844, ..Visitor::default() };
    let browser = administrator(&server, phone);
    browser.does_not_see("시스템 웹사이트");
    browser.click("메뉴");
    browser.sees("시스템 웹사이트");
    browser.accessible();
    browser.press(Key::Escape);
    browser.does_not_see("시스템 웹사이트");
    browser.go(DESIGN);
    let script = "return getComputedStyle(document.querySelector('.data tbody tr')).display";
    assert_eq!(browser.run(script, &[]), "grid");
    // Cards are sorted and selected, and menus and dialogs fit the screen.
    browser.click("더 보기");
    browser.sees("복제");
    browser.no_sideways_scroll();
    browser.click("정렬");
    browser.does_not_see("복제");
    browser.no_sideways_scroll();
    browser.click(".data details[open] a[href*='sort=amount']");
    browser.is_at("/console/design?sort=amount&dir=asc");
    assert_eq!(rows(&browser), "월세 식비 교통 급여");
    browser.click("선택 월세");
    browser.sees("1개 선택");
    browser.click("보기");
    browser.sees("행 높이");
    browser.no_sideways_scroll();
    browser.accessible();
    browser.click("대화 상자 열기");
    browser.sees("이름, 제목 또는 키를 입력하세요.");
    browser.no_sideways_scroll();
    browser.accessible();
    browser.go("/console/settings");
    browser.press(Key::Control + "k");
    assert_eq!(browser.focused(), "검색");
}

#[test]
fn a_dialog_shows_a_page_and_gives_the_focus_back() {
    let (_directory, server) = demo();
    let browser = administrator(&server, Visitor::default());
    browser.go(DESIGN);
    browser.click("Open a dialog");
    browser.sees("Search everything");
    let open = "return document.querySelectorAll('dialog[open]').length";
    assert_eq!(browser.run(open, &[]), 1);
    browser.accessible();
    browser.press(Key::Escape);
    browser.does_not_see("Search everything");
    assert_eq!((browser.path().as_str(), browser.focused().as_str()), (DESIGN, "Open a dialog"));
}

#[test]
fn charts_fit_their_boxes_and_show_their_figures() {
    let (_directory, server) = demo();
    let browser = administrator(&server, Visitor::default());
    let too_wide = "return [...document.querySelectorAll('main svg.chart')].filter((chart) => {
          const [own, box] = [chart, chart.closest('.card')].map((one) => one.getBoundingClientRect());
          return own.width < 50 || own.left < box.left || own.right > box.right + 0.5;
        }).map((chart) => chart.getAttribute('class'))";
    for width in [1280, 390] {
        browser.resize(width, 844);
        browser.go(DESIGN);
        assert_eq!(browser.run(too_wide, &[]), serde_json::json!([]), "at {width} pixels");
    }
    // The pointer and the finger show the figures of a bar.
    for event in ["pointermove", "pointerdown"] {
        browser.go(DESIGN);
        let tip = browser.run(
            "const bar = document.querySelector('.chart-box .chart :has(> title)');
             bar.dispatchEvent(new PointerEvent(arguments[0], { bubbles: true, clientX: 9, clientY: 99 }));
             const tip = document.querySelector('.tip');
             return tip.hidden ? '' : tip.textContent",
            &[serde_json::json!(event)],
        );
        assert!(tip.as_str().unwrap().chars().any(|letter| letter.is_ascii_digit()), "{event}: {tip}");
    }
}

#[test]
fn a_file_is_dropped_on_its_field() {
    let (directory, server) = demo();
    let browser = administrator(&server, Visitor::default());
    let file = directory.path().join("dropped.csv");
    std::fs::write(&file, "a,b\n").unwrap();
    browser.go(DESIGN);
    let place = browser.run(
        "const field = document.querySelector('input.drop');
         field.scrollIntoView({ block: 'center' });
         const { left, top, width, height } = field.getBoundingClientRect();
         return { x: left + width / 2, y: top + height / 2 }",
        &[],
    );
    for kind in ["dragEnter", "dragOver", "drop"] {
        let data = serde_json::json!({ "items": [], "files": [file], "dragOperationsMask": 1 });
        let event = serde_json::json!({ "type": kind, "x": place["x"], "y": place["y"], "data": data });
        browser.tell("Input.dispatchDragEvent", event);
    }
    browser.until(|| match browser.run("return document.querySelector('input.drop').files[0]?.name", &[]) {
        name if name == "dropped.csv" => Ok(()),
        other => Err(format!("the file is {other}")),
    });
    the_other_fields(&browser);
}

/// Amounts, counts, references, dates and times, which are typed as their users type them.
fn the_other_fields(browser: &Browser) {
    browser.go(DESIGN);
    tab_to(browser, "Date");
    browser.press("11162026");
    tab_to(browser, "Time");
    browser.press("0930PM");
    tab_to(browser, "Month");
    browser.press("May");
    browser.press(Key::Tab + "2031");
    tab_to(browser, "Amount");
    browser.press("98765");
    browser.press(Key::Tab);
    assert_eq!(browser.focused(), "Rate");
    let values = "return ['date', 'clock', 'of-month', 'money', 'percent']
        .map((name) => document.querySelector(`.grid-form [name=${name}]`).value)";
    let typed = serde_json::json!(["2026-11-16", "21:30", "2031-05", "98,765", "3.5"]);
    assert_eq!(browser.run(values, &[]), typed);
    browser.click("More: Seats");
    assert_eq!(browser.value("Seats"), "4");
    browser.click("Less: Seats");
    browser.click("Less: Seats");
    assert_eq!(browser.value("Seats"), "2");
    browser.sees("Notices");
    browser.fill("Category", "c002");
    browser.sees("Events");
    browser.accessible();
}
