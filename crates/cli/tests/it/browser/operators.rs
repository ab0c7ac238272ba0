//! Operators change events, and everyone searches and tries the API.

use thirtyfour::Key;

use super::Visitor;
use super::console::{administrator, demo, tab_to};
use super::entry::make;

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
    make(&browser, "soon", 5);
    browser.is_at("/console/entry/board/soon");
    browser.sees("Upcoming First come, first served");
    // Without a reload: the page that was opened is still there.
    browser.run("window.stayed = true", &[]);
    browser.sees("Open First come, first served");
    browser.does_not_see("Upcoming");
    assert_eq!(browser.run("return window.stayed", &[]), true);
}

#[test]
fn everything_is_searched_by_keyboard() {
    let (_directory, server) = demo();
    let browser = administrator(&server, Visitor::default());
    browser.go("/console/search");
    browser.press("launch");
    browser.press(Key::Enter);
    browser.sees("Launch party");
    browser.accessible();
    tab_to(&browser, "Launch party / 출시 기념 파티");
    browser.press(Key::Enter);
    browser.is_at("/console/entry/events/launch-party");
    browser.go("/console/search?q=ruleset.product");
    browser.sees("Contract");
    browser.go("/console/search?q=no-such-thing");
    browser.sees("No results");
    browser.accessible();
    let phone = Visitor { language: "ko", width: 390, height: 820, ..Visitor::default() };
    let browser = super::Browser::open(&server.address, phone);
    browser.go("/api/docs?q=이벤트");
    browser.sees("작업 검색");
    browser.no_sideways_scroll();
    browser.accessible();
}

#[test]
fn an_operation_is_tried_with_the_rights_of_the_reader() {
    let (_directory, server) = demo();
    let browser = administrator(&server, Visitor::default());
    browser.go("/api/docs?q=event.get");
    browser.accessible();
    browser.click("GET /api/entry/events/{eventId}");
    browser.run("document.getElementById('entry.event.get').open = true", &[]);
    browser.sees("Try it");
    browser.accessible();
    let send = "const form = document.getElementById('entry.event.get').querySelector('form');
        form.querySelector('input').value = 'launch-party';
        form.querySelector('button').click();";
    browser.run(send, &[]);
    browser.sees("200 OK");
    browser.sees("\"capacityTotal\": 20");
    browser.no_sideways_scroll();
}
