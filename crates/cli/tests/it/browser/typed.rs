//! Nothing typed is lost: a change of language, going back, an expired session.

use thirtyfour::Key;

use super::console::{PASSWORD, administrator, demo, has_theme, records, tab_to};
use super::{Browser, Visitor};

const NEW: &str = "/console/systems/content/entities/Category/new";

#[test]
fn typed_values_survive_a_change_of_language_and_going_back() {
    let (_directory, _server, browser) = records(Visitor::default());
    browser.go(NEW);
    browser.fill("Title", "Half of a title");
    browser.fill("Menu position", "12");
    browser.click("김한상");
    browser.click("한국어");
    browser.sees("카테고리 만들기");
    assert_eq!(browser.value("제목"), "Half of a title");
    assert_eq!(browser.value("메뉴 순서"), "12");
    browser.click("김한상");
    browser.click("어두운 테마");
    has_theme(&browser, "dark");
    assert_eq!(browser.value("제목"), "Half of a title");

    // Another page, and back.
    browser.go("/console");
    browser.sees("이 서버의 시스템과 활동 현황입니다");
    browser.run("history.back()", &[]);
    browser.sees("카테고리 만들기");
    browser.until(|| match browser.value("제목").as_str() {
        "Half of a title" => Ok(()),
        other => Err(format!("the title is {other:?}")),
    });
    // A new visit is an empty form.
    browser.go("/console");
    browser.go(NEW);
    browser.sees("카테고리 만들기");
    assert_eq!(browser.value("제목"), "");
}

/// Ends the session of the browser, as its expiry does.
fn expire(browser: &Browser) {
    browser.tell("Network.clearBrowserCookies", serde_json::json!({}));
}

fn through_an_expired_session(browser: &Browser, scripts: bool) {
    browser.go(NEW);
    browser.fill("Title", "Typed before <b>");
    browser.fill("Slug", "typed");
    expire(browser);
    browser.click("Create");
    browser.sees("Your session has ended");
    // axe is a script.
    if scripts {
        browser.accessible();
    }
    browser.fill("Login", "admin");
    browser.fill("Password", "a table laid complete");
    browser.click("Sign in");
    if !scripts {
        browser.sees("Nothing has been saved yet");
        browser.click("Continue");
    }
    browser.sees("Your input is still here.");
    if scripts {
        browser.accessible();
    }
    assert_eq!(browser.value("Title"), "Typed before <b>");
    assert_eq!(browser.value("Slug"), "typed");
    browser.click("Create");
    browser.sees("Created.");
}

#[test]
fn typed_values_survive_an_expired_session() {
    let (_directory, _server, browser) = records(Visitor::default());
    through_an_expired_session(&browser, true);
}

#[test]
fn typed_values_survive_an_expired_session_without_scripts() {
    let (_directory, _server, browser) = records(Visitor { scripts: false, ..Visitor::default() });
    through_an_expired_session(&browser, false);
}

/// A post that is being written on a phone, in Korean: its session ends before the automatic save.
#[test]
fn a_post_that_is_typed_survives_an_expired_session() {
    let (_directory, server) = demo();
    let phone = Visitor { language: "ko", width: 390, height: 844, ..Visitor::default() };
    let browser = administrator(&server, phone);
    browser.go("/console/content/posts/new");
    browser.fill("제목", "Half of a post");
    browser.click("만들기");
    browser.sees("만들었습니다.");
    expire(&browser);
    browser.fill("제목", "A whole title");
    browser.fill("내용", "Typed **words**");
    browser.sees("아직 저장되지 않음");
    browser.click("저장");
    browser.sees("세션이 끝났습니다.");
    browser.no_sideways_scroll();
    browser.accessible();
    tab_to(&browser, "아이디");
    browser.press("admin");
    browser.press(Key::Tab);
    browser.press(PASSWORD);
    browser.press(Key::Enter);
    browser.sees("입력한 내용이 그대로 있습니다.");
    browser.no_sideways_scroll();
    browser.accessible();
    assert_eq!(browser.value("제목"), "A whole title");
    assert_eq!(browser.value("내용"), "Typed **words**");
    assert_eq!(browser.run("return document.querySelector('#preview strong').textContent", &[]), "words");
    browser.click("저장");
    browser.sees("저장했습니다.");
    assert_eq!(browser.value("제목"), "A whole title");
}

#[test]
fn typed_values_survive_a_change_of_language_without_scripts() {
    let (_directory, _server, browser) = records(Visitor { scripts: false, ..Visitor::default() });
    for page in [NEW, "/console/contracts/register"] {
        browser.go(page);
        browser.fill(if page == NEW { "Title" } else { "ID" }, "half-typed");
        browser.click("한국어");
        browser.sees("입력한 내용이 그대로 있습니다. 아직 저장되지 않았습니다.");
        assert_eq!(browser.value(if page == NEW { "제목" } else { "ID" }), "half-typed");
        browser.click("English");
        browser.sees("Your input is still here.");
    }
    // Where the visitor is not signed in, and where a form has fields of its own.
    browser.go("/console/settings");
    browser.click("김한상");
    browser.click("Sign out");
    browser.sees("You are signed out.");
    browser.fill("Login", "half-typed");
    browser.click("main button[value=ko]");
    browser.sees("계정이 없나요?");
    assert_eq!(browser.value("아이디"), "half-typed");
}
