//! Events: created, entered, and followed to their results.

use std::time::Duration;

use jiff::Timestamp;
use thirtyfour::Key;

use super::console::{administrator, demo, tab_to};
use super::{Browser, Visitor};

/// A time from now, in the format of a time field.
fn from_now(seconds: i64) -> String {
    let at = Timestamp::now() + Duration::from_secs(seconds.unsigned_abs());
    at.strftime("%Y-%m-%dT%H:%M:%S").to_string()
}

/// Creates an event with one seat that opens in this many seconds and has no settle window.
pub(super) fn make(browser: &Browser, id: &str, opens_in: i64) {
    browser.go("/console/entry/new");
    browser.fill("Title", "A seat at the table");
    browser.fill("ID", id);
    browser.fill("Places", "1");
    browser.fill("Opens", &from_now(opens_in));
    browser.fill("Closes", &from_now(3600));
    browser.fill("Fairness window (seconds)", "0");
    browser.click("Create");
    browser.sees("Created.");
}

/// Opens an upcoming event now, as an operator elsewhere would. The open page stays.
pub(super) fn open_now(browser: &Browser, id: &str) {
    let script = "const [id, opensAt] = arguments;
        return fetch(`/api/entry/events/${id}`, {
            method: 'PATCH',
            headers: { 'content-type': 'application/json', 'x-csrf-token': document.querySelector('input[name=csrf]').value },
            body: JSON.stringify({ opensAt }),
        }).then((answer) => answer.text().then((text) => [answer.status, text]))";
    let answer = browser.run(script, &[id.into(), format!("{:.3}", Timestamp::now()).into()]);
    assert_eq!(answer[0], 200, "{answer}");
}

#[test]
fn an_event_is_created_entered_and_decided() {
    let (_directory, server) = demo();
    let browser = administrator(&server, Visitor::default());
    browser.click("Events");
    browser.sees("Launch party");
    browser.sees("Closes in");
    browser.accessible();
    browser.screenshot("entry");

    // First with invalid fields, each with its message.
    browser.click("New event");
    browser.click("Create");
    browser.sees("Must be a time such as");
    browser.accessible();
    make(&browser, "seat", 0);
    browser.sees("Messages waiting");
    browser.accessible();

    browser.click("Participant view");
    browser.sees("Places go in the order in which entries were received");
    browser.accessible();
    browser.click("Enter");
    // The page updates itself, without a reload.
    browser.sees("Your place is confirmed.");
    browser.accessible();
    browser.screenshot("entry-request");
    browser.go("/console/entry/events/seat");
    browser.click("View your entry");
    browser.sees("Your place is confirmed.");
    browser.go("/console/entry/mine");
    browser.sees("Confirmed");
    browser.accessible();

    browser.go("/console/entry/board/seat/requests");
    browser.sees("Confirmed");
    browser.accessible();
    browser.run("document.querySelector('tbody th a').click()", &[]);
    browser.sees("Waiting → Processing");
    browser.accessible();
    the_board(&browser);
}

/// The actions on an open event.
fn the_board(browser: &Browser) {
    browser.go("/console/entry/board/launch-party");
    // More entries than seats.
    browser.sees("Launch party");
    browser.click("Pause");
    browser.sees("keeps their place in line");
    browser.accessible();
    browser.click("Pause");
    browser.sees("Event paused.");
    browser.click("Change places");
    browser.fill("Places", "1");
    browser.click("Save");
    browser.sees("its capacity cannot be 1");
    browser.accessible();
    browser.go("/console/entry/board/launch-party");
    browser.click("Resume");
    browser.click("Resume");
    browser.sees("Event resumed.");
    browser.accessible();
    browser.screenshot("entry-board");
    browser.go("/console/entry/board/concert-tickets/draw");
    browser.sees("Not drawn yet");
    browser.accessible();
    browser.go("/console/entry/dead-letters");
    browser.sees("No dead letters");
    browser.accessible();
}

#[test]
fn the_button_works_once_the_event_opens() {
    let (_directory, server) = demo();
    let browser = administrator(&server, Visitor::default());
    make(&browser, "soon", 1800);
    browser.go("/console/entry/events/soon");
    browser.sees("Opens in");
    assert_eq!(browser.run("return document.getElementById('enter').disabled", &[]), true);
    browser.accessible();
    open_now(&browser, "soon");
    // Moves the clock of the page instead of waiting: its countdown does not ask the server.
    assert_eq!(browser.run("return document.getElementById('enter').disabled", &[]), true);
    browser.run("const now = Date.now; Date.now = () => now() + 1800000;", &[]);
    browser.sees("Open now.");
    browser.click("Enter");
    browser.sees("Your place is confirmed.");
}

#[test]
fn korean_dark_theme_on_a_phone() {
    let (_directory, server) = demo();
    let visitor = Visitor { language: "ko", dark: true, width: 380, height: 820, ..Visitor::default() };
    let browser = administrator(&server, visitor);
    for page in [
        "/console/entry",
        "/console/entry/events/launch-party",
        "/console/entry/events/concert-tickets",
        "/console/entry/events/spring-sale",
        "/console/entry/mine",
        "/console/entry/new",
        "/console/entry/board/launch-party",
        "/console/entry/board/launch-party/requests",
        "/console/entry/board/launch-party/close",
        "/console/entry/board/launch-party/places",
        "/console/entry/board/launch-party/edit",
        "/console/entry/new?from=concert-tickets",
        "/console/entry/board/concert-tickets",
        "/console/entry/board/concert-tickets/draw",
        "/console/entry/dead-letters",
    ] {
        browser.go(page);
        browser.no_sideways_scroll();
        browser.accessible();
    }
    browser.go("/console/entry/events/concert-tickets");
    browser.sees("같은 확률로");
    browser.click("응모하기");
    browser.sees("추첨 대상입니다.");
    browser.no_sideways_scroll();
    browser.accessible();
    browser.screenshot("phone-entry");
    // An operator pauses an event by the keyboard alone. The board is live, and keeps the focus.
    browser.go("/console/entry/board/launch-party");
    tab_to(&browser, "일시 중지");
    browser.opens(Key::Enter);
    browser.no_sideways_scroll();
    browser.accessible();
    tab_to(&browser, "일시 중지");
    browser.opens(Key::Enter);
    browser.sees("이벤트를 일시 중지했습니다.");
    browser.no_sideways_scroll();
    browser.accessible();
}

#[test]
fn it_works_without_scripts_and_by_keyboard() {
    let (_directory, server) = demo();
    let browser = administrator(&server, Visitor { scripts: false, ..Visitor::default() });
    browser.go("/console/entry/events/concert-tickets");
    tab_to(&browser, "Enter");
    browser.press(Key::Enter);
    browser.sees("You are in the draw");
    browser.click("Refresh");
    browser.sees("You are in the draw");
    browser.go("/console/entry/events/concert-tickets");
    browser.sees("You have entered this event.");
    // An operator's forms.
    make(&browser, "plain", 0);
    browser.click("Pause");
    browser.click("Pause");
    browser.sees("Event paused.");
    browser.click("Entries");
    browser.sees("No entries");
}
