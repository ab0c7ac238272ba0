//! The console, from the set-up link to the deletion of a record.

use serde_json::{Value as Json, json};
use thirtyfour::Key;

use super::{Browser, Visitor};
use crate::serve::{self, Server};

pub(super) const PASSWORD: &str = "a table laid complete";

/// Opens a browser that is signed in as the first administrator of a server with demo data.
pub(super) fn administrator(server: &Server, visitor: Visitor) -> Browser {
    let browser = Browser::open(&server.address, visitor);
    browser.go(&format!("/set-up?key={}", server.key.as_deref().unwrap()));
    let labels = match visitor.language {
        "ko" => ["아이디", "이름", "비밀번호", "관리자 만들기", "데이터베이스 정상"],
        _ => ["Login", "Name", "Password", "Create administrator", "Database online"],
    };
    browser.fill(labels[0], "admin");
    browser.fill(labels[1], "김한상");
    browser.fill(labels[2], PASSWORD);
    browser.click(labels[3]);
    browser.sees(labels[4]);
    browser
}

/// Opens another browser on the server of [`administrator`], and signs in there.
pub(super) fn sign_in(server: &Server, login: &str, visitor: Visitor) -> Browser {
    let browser = Browser::open(&server.address, visitor);
    browser.go("/console/sign-in");
    let labels = match visitor.language {
        "ko" => ["아이디", "비밀번호", "로그인"],
        _ => ["Login", "Password", "Sign in"],
    };
    browser.fill(labels[0], login);
    browser.fill(labels[1], PASSWORD);
    browser.click(labels[2]);
    browser.has_loaded("return document.querySelector('summary.user') !== null");
    browser
}

pub(super) fn demo() -> (tempfile::TempDir, Server) {
    let (directory, data) = serve::temporary_data();
    (directory, Server::start(&data, &["--demo"]))
}

/// Calls the API for records with the session of the browser, for each method, path and body. The open page stays.
#[track_caller]
pub(super) fn send(browser: &Browser, calls: &[(&str, &str, Json)]) {
    let script = "const csrf = document.querySelector('input[name=csrf]').value;
        const send = ([method, path, body]) => fetch(`/api/content/entities/${path}`, {
            method,
            headers: { 'content-type': 'application/json', 'x-csrf-token': csrf },
            body: JSON.stringify(body),
        });
        return Promise.all(arguments[0].map(send)).then((answers) => answers.filter(({ ok }) => !ok).length)";
    assert_eq!(browser.run(script, &[json!(calls)]), 0, "calls of the API are refused");
}

/// A server of [plain models](serve::plain_models) with example records, and a browser that is signed in as the administrator.
pub(super) fn records(visitor: Visitor) -> (tempfile::TempDir, Server, Browser) {
    let (directory, data) = serve::temporary_data();
    let server = Server::start(&data, &["--demo", "--models", &serve::plain_models(directory.path())]);
    let browser = administrator(&server, visitor);
    if visitor.scripts {
        let script = "return fetch('/api/content/import?format=records', {
            method: 'POST',
            headers: { 'x-csrf-token': document.querySelector('input[name=csrf]').value },
            body: arguments[0],
        }).then((answer) => answer.json())";
        let sum = browser.run(script, &[include_str!("records.jsonl").into()]);
        assert_eq!(sum["refused"], 0, "{sum}");
    }
    (directory, server, browser)
}

#[test]
fn records_are_explored_edited_and_deleted() {
    let (_directory, _server, browser) = records(Visitor::default());
    browser.sees("Welcome! You are the administrator");
    browser.sees("Database online");
    browser.accessible();

    browser.click("Website");
    browser.sees("All lists run as Get or Query, never Scan.");
    browser.accessible();
    browser.screenshot("system");

    browser.click("Categories");
    browser.sees("All categories");
    browser.click("Request details 0.5 read units");
    browser.sees("KeyConditionExpression");
    browser.accessible();
    browser.screenshot("explore");

    // A new record, first with an invalid field.
    browser.go("/console/systems/content/entities/Category/new");
    browser.fill("Title", "Notices <b>&</b> news");
    browser.fill("Slug", "Not A Slug");
    browser.fill("Menu position", "-1");
    browser.click("Create");
    browser.sees("Nothing was saved: see the fields below.");
    browser.sees("Must be at least 0");
    browser.accessible();
    browser.screenshot("validation");
    assert_eq!(browser.value("Title"), "Notices <b>&</b> news");
    browser.fill("Slug", "notices");
    browser.fill("Menu position", "7");
    browser.click("Create");
    browser.sees("Created.");
    browser.sees("Notices <b>&</b> news");
    browser.accessible();
    browser.screenshot("record");

    // Immutable fields cannot be edited; the others can.
    browser.click("Edit");
    browser.sees("Edit Notices");
    browser.fill("Title", "Notices");
    browser.accessible();
    browser.click("Save");
    browser.sees("Saved.");
    browser.does_not_see("<b>&</b>");

    browser.click("Delete");
    browser.sees("This can't be undone.");
    browser.accessible();
    browser.screenshot("delete");
    browser.click("Cancel");
    browser.sees("Fields");
    browser.click("Delete");
    browser.sees("This can't be undone.");
    browser.click("Delete");
    browser.sees("Deleted.");
    browser.go("/console/systems/content/patterns/categoryBySlug?slug=notices");
    browser.sees("No results");
    browser.go("/console");
    browser.sees("The systems on this server and their activity");
    browser.accessible();
    browser.screenshot("home");
}

#[test]
fn korean_dark_theme_on_a_phone() {
    let visitor = Visitor { language: "ko", dark: true, width: 380, height: 820, ..Visitor::default() };
    let (_directory, _server, browser) = records(visitor);
    browser.sees("환영합니다");
    let pages = [
        ("/console", Some("phone-home")),
        ("/console/systems/content", None),
        ("/console/systems/content/entities/Post", Some("phone-explore")),
        ("/console/systems/content/patterns/postsInCategory", None),
        ("/console/systems/content/entities/Post/new", Some("phone-create")),
        ("/console/systems/content/import", None),
        ("/console/systems/content/model", None),
        ("/console/systems/contracts/model", None),
        ("/console/docs/serve", None),
        ("/console/search?q=백업", None),
        ("/console/settings", None),
        ("/console/settings/tokens", None),
        ("/console/settings/accounts", None),
        ("/console/settings/audit", None),
        ("/console/design", None),
        ("/console/nowhere", None),
        ("/api/docs", None),
        ("/api/docs/content", None),
    ];
    for (page, picture) in pages {
        browser.go(page);
        browser.no_sideways_scroll();
        browser.tables_fit();
        browser.accessible();
        if let Some(picture) = picture {
            browser.screenshot(picture);
        }
    }
    browser.go("/console/systems/content/entities/Category/new");
    browser.click("만들기");
    browser.sees("필수 항목입니다");
    // Changes the language and the theme, and stays on the page.
    browser.click("김한상");
    browser.click("English");
    browser.sees("Create Category");
    browser.accessible();
}

/// Waits until the page has a chosen theme.
pub(super) fn has_theme(browser: &Browser, theme: &str) {
    browser.until(|| {
        match browser.run("return document.documentElement.dataset.theme ?? ''", &[]) == theme {
            true => Ok(()),
            false => Err(format!("the theme is not {theme}")),
        }
    });
}

#[test]
fn language_and_theme_can_be_chosen() {
    let (_directory, server) = demo();
    let browser = administrator(&server, Visitor::default());
    // By the keyboard alone.
    tab_to(&browser, "김한상");
    browser.press(Key::Enter);
    tab_to(&browser, "한국어");
    browser.opens(Key::Enter);
    browser.sees("이 서버의 시스템과 활동 현황입니다");
    let background = || browser.run("return getComputedStyle(document.body).backgroundColor", &[]);
    let light = background();
    browser.click("김한상");
    browser.click("어두운 테마");
    has_theme(&browser, "dark");
    assert_ne!(background(), light);
    browser.accessible();
    browser.screenshot("home-dark");
    browser.go("/console/design");
    browser.accessible();
    browser.screenshot("design-dark");
    tab_to(&browser, "김한상");
    browser.press(Key::Enter);
    tab_to(&browser, "밝은 테마");
    browser.press(Key::Enter);
    has_theme(&browser, "light");
    assert_eq!(background(), light);
    browser.accessible();
    browser.screenshot("design");
    browser.go("/console/settings/tokens");
    for (name, role) in [("야간 백업", "뷰어"), ("문의 연동", "편집자")] {
        browser.fill("이름", name);
        browser.fill("모든 시스템", role);
        browser.click("토큰 만들기");
        browser.sees("토큰을 만들었습니다");
    }
    browser.click("토큰");
    browser.sees("문의 연동");
    browser.does_not_see("지금 복사하세요");
    browser.accessible();
    browser.screenshot("tokens");
    times_are_in_the_zone_of_the_reader(&browser);
}

/// The time zone is that of the browser, until the account has one.
fn times_are_in_the_zone_of_the_reader(browser: &Browser) {
    browser.tell("Emulation.setTimezoneOverride", json!({ "timezoneId": "Asia/Tehran" }));
    // The first page tells the server.
    browser.go("/console/settings");
    shows_times_of(browser, "Asia/Tehran");
    browser.go("/console/systems/content/patterns/posts");
    browser.click("필터 및 검색");
    browser.sees("시간대: Asia/Tehran");
    browser.go("/console/settings");
    browser.fill("시간대", "Africa/Addis_Ababa");
    browser.click("저장");
    browser.sees("저장했습니다.");
    shows_times_of(browser, "Africa/Addis_Ababa");
}

/// Panics unless times are shown as a browser in this zone shows them.
#[track_caller]
fn shows_times_of(browser: &Browser, zone: &str) {
    browser.go("/console/design");
    let script = "const shown = document.querySelector('main .halves time');
        const format = { timeZone: arguments[0], dateStyle: 'short', timeStyle: 'short' };
        const local = new Intl.DateTimeFormat('sv-SE', format).format(new Date(shown.dateTime));
        return [shown.firstChild.data.trim(), local]";
    let times = browser.run(script, &[zone.into()]);
    assert_eq!(times[0], times[1], "in {zone}");
}

/// Moves the focus to the control with this name with the Tab key.
#[track_caller]
pub(super) fn tab_to(browser: &Browser, name: &str) {
    walk_to(browser, || browser.press(Key::Tab), name);
}

/// Moves the focus back to the control with this name with Shift and the Tab key.
#[track_caller]
pub(super) fn tab_back_to(browser: &Browser, name: &str) {
    walk_to(browser, || browser.press(Key::Shift + Key::Tab), name);
}

/// Moves the focus to the only element with this CSS selector with the Tab key.
#[track_caller]
pub(super) fn tab_to_element(browser: &Browser, selector: &str) {
    let script = "return document.activeElement.matches(arguments[0])";
    for _ in 0..80 {
        browser.press(Key::Tab);
        if browser.run(script, &[selector.into()]) == true {
            return;
        }
    }
    panic!("{selector} is never reached; the focus is on {:?}", browser.focused());
}

#[track_caller]
fn walk_to(browser: &Browser, step: impl Fn(), name: &str) {
    for _ in 0..80 {
        step();
        if browser.focused() == name {
            return;
        }
    }
    panic!("{name:?} is never reached; the focus is on {:?}", browser.focused());
}

#[test]
fn the_keyboard_is_enough() {
    let (_directory, _server, browser) = records(Visitor::default());
    browser.go("/console/sign-in");
    tab_to(&browser, "Login");
    browser.press("admin");
    browser.press(Key::Tab);
    browser.press(PASSWORD);
    browser.press(Key::Enter);
    browser.sees("The systems on this server and their activity");
    tab_to(&browser, "Website");
    browser.press(Key::Enter);
    browser.sees("All lists run as");
    tab_to(&browser, "Create Category");
    browser.press(Key::Enter);
    browser.sees("A section of the site");
    tab_to(&browser, "Title");
    browser.press("By hand");
    tab_to(&browser, "Create");
    browser.press(Key::Enter);
    browser.sees("Created.");
    tab_to(&browser, "Delete");
    browser.press(Key::Enter);
    browser.sees("This can't be undone.");
    tab_to(&browser, "Delete");
    browser.press(Key::Enter);
    browser.sees("Deleted.");
}

#[test]
fn it_works_without_scripts() {
    let (_directory, _server, browser) = records(Visitor { scripts: false, ..Visitor::default() });
    browser.go("/console/systems/content/patterns/posts?limit=10");
    browser.sees("Results");
    browser.click("김한상");
    browser.click("Sign out");
    browser.sees("You are signed out.");
    browser.go("/console/systems/content");
    browser.fill("Login", "admin");
    browser.fill("Password", "not the password");
    browser.click("Sign in");
    browser.sees("Incorrect login or password");
    browser.fill("Password", PASSWORD);
    browser.click("Sign in");
    browser.sees("All lists run as Get or Query, never Scan.");
    // Search, the API reference and the time zone.
    browser.fill("Search", "website");
    browser.press(Key::Enter);
    browser.click("Data");
    browser.sees("All lists run as Get or Query, never Scan.");
    browser.go("/api/docs");
    browser.fill("Search operations", "create category");
    browser.press(Key::Enter);
    browser.click("POST /api/content/entities/Category");
    browser.click("[id='content.Category.create'] > summary");
    for (language, part) in [("cURL", "curl -X POST"), ("Python", "import "), ("TypeScript", "await fetch(")]
    {
        browser.click(language);
        browser.sees(part);
    }
    browser.go("/console/settings");
    browser.fill("Time zone", "Africa/Addis_Ababa");
    browser.click("Save");
    browser.sees("Saved.");
    shows_times_of(&browser, "Africa/Addis_Ababa");
}

#[test]
fn a_first_visit_is_light() {
    let (_directory, server) = demo();
    let browser = administrator(&server, Visitor::default());
    let load = browser.requests();
    assert!(load.urls.len() > 2, "{:?}", load.urls);
    assert_eq!(load.elsewhere, [""; 0]);
    let fresh = Browser::open(&server.address, Visitor::default());
    fresh.go("/console");
    fresh.sees("Sign in");
    let load = fresh.requests();
    assert_eq!(load.elsewhere, [""; 0]);
    assert!(load.bytes < 60_000, "{} bytes: {:?}", load.bytes, load.urls);
    // The page after signing in is small, too.
    fresh.fill("Login", "admin");
    fresh.fill("Password", PASSWORD);
    fresh.click("Sign in");
    fresh.sees("The systems on this server and their activity");
    let home = fresh.requests();
    assert_eq!(home.elsewhere, [""; 0]);
    assert!(load.bytes + home.bytes < 60_000, "{} and {} bytes: {:?}", load.bytes, home.bytes, home.urls);
}

#[test]
fn concurrent_changes_are_reported() {
    let (_directory, _server, browser) = records(Visitor::default());
    browser.go("/console/systems/content/patterns/categories");
    browser.sees("Request details");
    // Changes of other entities do not count: the one of a user arrives before that of a category is made.
    browser.run(
        "const csrf = document.querySelector('input[name=csrf]').value;
         const create = (entity, fields) => fetch(`/api/content/entities/${entity}`, {
           method: 'POST',
           headers: { 'content-type': 'application/json', 'x-csrf-token': csrf },
           body: JSON.stringify(fields),
         });
         const source = new EventSource('/console/live');
         const isOpen = new Promise((done) => source.addEventListener('open', done));
         const arrives = new Promise((done) => source.addEventListener('change', done));
         const isLive = new Promise((done) => {
           const look = () => (document.body.classList.contains('live') ? done() : setTimeout(look, 10));
           look();
         });
         return Promise.all([isOpen, isLive])
           .then(() => create('User', { displayName: 'Kim', role: 'viewer' }))
           .then(() => arrives)
           .then(() => create('Category', { title: 'From elsewhere' }))
           .then((answer) => answer.status)",
        &[],
    );
    browser.sees("Changes since this page was read: 1");
    browser.click("Refresh");
    browser.sees("From elsewhere");
}
