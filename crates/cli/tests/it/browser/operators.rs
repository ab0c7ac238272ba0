//! Operators change events, and everyone searches and tries the API.

use serde_json::json;
use thirtyfour::Key;

use super::console::{PASSWORD, administrator, demo, sign_in, tab_to, tab_to_element};
use super::entry::{make, open_now};
use super::{Browser, Visitor};
use crate::serve::Server;

#[test]
fn an_event_is_edited_copied_and_deleted() {
    let (_directory, server) = demo();
    let browser = administrator(&server, Visitor::default());
    browser.go("/console/entry/board/spring-sale");
    browser.sees("Upcoming");
    browser.click("Edit");
    browser.fill("Title", "Summer sale");
    browser.accessible();
    browser.click("Save");
    browser.sees("Saved.");
    browser.sees("Summer sale");
    browser.click("Duplicate");
    browser.sees("Copy of Summer sale");
    // Only a lottery has a cut-off.
    let shows = "return getComputedStyle(document.querySelector('[name=lotteryCutoffAt]').closest('.field')).display !== 'none'";
    assert_eq!(browser.run(shows, &[]), false);
    browser.run("document.querySelector('[name=eventType]').value = 'LOTTERY'", &[]);
    assert_eq!(browser.run(shows, &[]), true);
    browser.run("document.querySelector('[name=eventType]').value = 'FIRST_COME'", &[]);
    browser.accessible();
    browser.click("Create");
    browser.sees("Created.");
    browser.click("Delete");
    browser.sees("This can't be undone.");
    browser.accessible();
    browser.click("Delete");
    browser.sees("Deleted.");
    browser.is_at("/console/entry");

    browser.go("/console/entry/board/launch-party");
    // The board is live; the pages after it show the moment they were opened.
    browser.sees("Full First come, first served");
    browser.click("Winners");
    browser.sees("Download CSV");
    browser.accessible();
    browser.go("/console/entry/events/launch-party");
    browser.sees("All places are taken.");
    browser.accessible();
    // The board says when it no longer follows.
    browser.go("/console/entry/board/launch-party");
    browser.does_not_see("Connection lost.");
    drop(server);
    browser.sees("Connection lost.");
}

#[test]
fn the_badge_of_the_board_follows_the_event() {
    let (_directory, server) = demo();
    let browser = administrator(&server, Visitor::default());
    // It cannot open before the page was seen, however slow the machine is.
    make(&browser, "soon", 1800);
    browser.is_at("/console/entry/board/soon");
    browser.sees("Upcoming First come, first served");
    // Without a reload: the page that was opened is still there.
    browser.run("window.stayed = true", &[]);
    open_now(&browser, "soon");
    browser.sees("Open First come, first served");
    browser.does_not_see("Upcoming");
    assert_eq!(browser.run("return window.stayed", &[]), true);
}

#[test]
fn everything_is_searched_by_keyboard() {
    let (_directory, server) = demo();
    let browser = administrator(&server, Visitor::default());
    // From any page.
    browser.go("/console/settings");
    browser.press(Key::Control + "k");
    browser.press("launch");
    browser.press(Key::Enter);
    browser.sees("Launch party");
    browser.accessible();
    tab_to(&browser, "Launch party / 출시 기념 파티");
    browser.press(Key::Enter);
    browser.is_at("/console/entry/events/launch-party");
    browser.go("/console/search?q=ruleset.product");
    browser.sees("Contract");
    // Posts by their title, documents by their name, transactions by their note.
    for (text, page) in [
        ("정오에 68도인 국", "/console/content/posts/"),
        ("영수증 스캔", "/console/documents/projects/"),
        ("블루클럽", "/console/ledger/lines/"),
    ] {
        browser.go(&format!("/console/search?q={text}"));
        browser.sees(text);
        let links = format!("return document.querySelectorAll('main a[href^=\"{page}\"]').length > 0");
        assert_eq!(browser.run(&links, &[]), true, "{text}: {}", browser.text());
    }
    browser.go("/console/search?q=no-such-thing");
    browser.sees("No results");
    browser.accessible();
    // The documentation is in English; its chapters are found by Korean words.
    browser.click("김한상");
    browser.click("한국어");
    browser.sees("검색 결과가 없습니다");
    for (text, chapter) in [
        ("백필", "content#adding-an-entity-and-an-index"),
        ("마이그레이션", "contracts#from-files-to-a-table"),
        ("응모", "entry"),
        ("한글 파일", "documents"),
        ("카드 내역", "ledger#importing-from-banks"),
    ] {
        browser.go(&format!("/console/search?q={text}"));
        browser.click(&format!("main a[href='/console/docs/{chapter}']"));
        browser.is_at(&format!("/console/docs/{chapter}"));
        browser.sees("이 문서는 영어로만 제공됩니다.");
    }
    browser.press(Key::Control + "k");
    browser.press("예산");
    browser.press(Key::Enter);
    browser.sees("가계부 화면");
    browser.accessible();
    browser.screenshot("search");
    let phone = Visitor { language: "ko", width: 390, height: 820, ..Visitor::default() };
    let browser = sign_in(&server, "admin", phone);
    tab_to(&browser, "검색");
    browser.press("정오에 68도인 국");
    browser.opens(Key::Enter);
    browser.no_sideways_scroll();
    browser.accessible();
    tab_to_element(&browser, "main a[href^='/console/content/posts/']");
    browser.opens(Key::Enter);
    browser.sees("게시 일시");
    browser.go("/api/docs?q=이벤트");
    browser.sees("작업 검색");
    browser.no_sideways_scroll();
    browser.accessible();
}

/// A viewer reads with the same form, and is told that a change is not allowed.
fn a_viewer_is_refused(server: &Server, administrator: &Browser) {
    let create = "return fetch('/api/access/accounts', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-csrf-token': document.querySelector('input[name=csrf]').value },
        body: JSON.stringify(arguments[0]),
    }).then((answer) => answer.text().then((text) => [answer.status, text]))";
    let account =
        json!({ "login": "viewer", "name": "Viewer", "password": PASSWORD, "grants": { "*": "viewer" } });
    let answer = administrator.run(create, &[account]);
    assert_eq!(answer[0], 201, "{answer}");
    let browser = sign_in(server, "viewer", Visitor::default());
    browser.go("/api/docs/entry?q=event.");
    for (operation, answer) in [("entry.event.get", "200 OK"), ("entry.event.pause", "403 Forbidden")] {
        browser.click(&format!("[id='{operation}'] > summary"));
        let fill =
            "document.getElementById(arguments[0]).querySelector('[data-in=path]').value = 'launch-party'";
        browser.run(fill, &[operation.into()]);
        browser.click(&format!("[id='{operation}'] form[data-try] button.primary"));
        browser.sees(answer);
    }
}

#[test]
fn an_operation_is_tried_with_the_rights_of_the_reader() {
    let (_directory, server) = demo();
    let browser = administrator(&server, Visitor::default());
    browser.go("/api/docs?q=event.get");
    browser.accessible();
    browser.click("GET /api/entry/events/{eventId}");
    browser.sees("Try it");
    browser.accessible();
    let send = "const form = document.getElementById('entry.event.get').querySelector('form');
        form.querySelector('input').value = 'launch-party';
        form.querySelector('button').click();";
    browser.run(send, &[]);
    browser.sees("200 OK");
    browser.sees("\"capacityTotal\": 20");
    browser.no_sideways_scroll();
    let sample = "const one = document.getElementById('entry.event.get');
        one.querySelector('.sample').open = true;
        one.scrollIntoView({ behavior: 'instant' })";
    browser.run(sample, &[]);
    browser.resize(1280, 1100);
    browser.accessible();
    browser.screenshot("api");
    for (language, part) in [("cURL", "curl -X GET"), ("Python", "import "), ("TypeScript", "await fetch(")] {
        let sample = "const operation = document.getElementById('entry.event.get');
            const sample = [...operation.querySelectorAll('.sample')]
                .find((one) => one.firstChild.textContent === arguments[0]);
            sample.open = true;
            return sample.querySelector('pre').innerText";
        let text = browser.run(sample, &[language.into()]).as_str().unwrap().to_owned();
        assert!(text.contains(part) && text.contains("/api/entry/events/<eventId>"), "{text}");
    }
    browser.accessible();
    a_viewer_is_refused(&server, &browser);

    // A link within the page opens what it leads to, too.
    browser.run("location.hash = '#entry.event.list'", &[]);
    browser.until(|| match browser.run("return document.getElementById('entry.event.list').open", &[]) {
        open if open == true => Ok(()),
        open => Err(format!("the operation is open: {open}")),
    });
    // On a phone, in Korean, by the keyboard alone.
    browser.click("김한상");
    browser.click("한국어");
    browser.sees("작업 필터");
    browser.resize(390, 820);
    browser.go("/api/docs/entry");
    tab_to(&browser, "작업 필터");
    browser.press("event.get");
    browser.press(Key::Enter);
    browser.is_at("/api/docs/entry?q=event.get");
    tab_to_element(&browser, "[id='entry.event.get'] > summary");
    browser.press(Key::Enter);
    tab_to_element(&browser, "[id='entry.event.get'] [data-in=path]");
    browser.press("launch-party");
    tab_to_element(&browser, "[id='entry.event.get'] button.primary");
    browser.press(Key::Enter);
    browser.sees("200 OK");
    browser.no_sideways_scroll();
    browser.accessible();
}
