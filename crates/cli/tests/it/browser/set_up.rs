//! The set-up link of a new server, and the pages without an account.

use super::{Browser, Visitor};
use crate::serve::{self, Server};

fn link(server: &Server) -> String {
    format!("/set-up?key={}", server.key.as_deref().unwrap())
}

#[test]
fn the_link_makes_one_administrator() {
    let (_directory, data) = serve::temporary_data();
    let server = Server::start(&data, &[]);
    let browser = Browser::open(&server.address, Visitor::default());
    browser.go(&link(&server));
    browser.sees("Create the first administrator. This link works once.");
    browser.fill("Name", "한상 Kim");
    browser.click("Create administrator");
    assert_ne!(browser.complaint("Login"), "", "it is required");
    assert_eq!(browser.path(), link(&server), "nothing was sent");

    browser.fill("Login", "admin");
    browser.fill("Password", "short");
    browser.click("Create administrator");
    browser.sees("Must have at least 10 characters");
    assert_eq!(browser.value("Login"), "admin");
    assert_eq!(browser.value("Name"), "한상 Kim");
    assert_eq!(browser.value("Password"), "", "a password is never sent back in a page");
    browser.accessible();

    browser.fill("Password", "long enough pw");
    browser.click("Create administrator");
    browser.sees("Welcome! You are the administrator. The link has been used up.");

    browser.go(&link(&server));
    browser.sees("This link was used already or has expired");
    browser.does_not_see("Password");
}

#[test]
fn pages_without_an_account_are_accessible() {
    let (_directory, data) = serve::temporary_data();
    let server = Server::start(&data, &[]);
    for language in ["en", "ko"] {
        let browser = Browser::open(&server.address, Visitor { language, ..Visitor::default() });
        browser.go(&link(&server));
        let load = browser.requests();
        assert_eq!(load.elsewhere, [""; 0]);
        assert!(load.urls.len() > 1 && load.bytes < 60_000, "{} bytes: {:?}", load.bytes, load.urls);
        is_accessible(&browser);
    }
    let browser = Browser::open(&server.address, Visitor { dark: true, ..Visitor::default() });
    browser.go(&link(&server));
    is_accessible(&browser);
    browser.go("/api/docs");
    is_accessible(&browser);
}

fn is_accessible(browser: &Browser) {
    for width in [1280, 380] {
        browser.resize(width, 800);
        assert_eq!(browser.width(), u64::from(width));
        browser.accessible();
        browser.no_sideways_scroll();
    }
}
