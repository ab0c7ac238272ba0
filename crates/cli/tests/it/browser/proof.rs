//! Tests of the browser itself on a static page: its input works, and its checks find problems.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use thirtyfour::Key;

use super::{Browser, Visitor};

/// Serves the page, which shows the requested language, for every request.
fn page() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    // A thread for each, because Chromium opens connections in advance.
    std::thread::spawn(move || {
        listener.incoming().map_while(Result::ok).for_each(|stream| {
            std::thread::spawn(move || answer(&stream));
        });
    });
    address
}

fn answer(mut stream: &TcpStream) -> std::io::Result<()> {
    let head: Vec<String> = BufReader::new(stream)
        .lines()
        .map_while(Result::ok)
        .take_while(|line| !line.is_empty())
        .map(|line| line.to_lowercase())
        .collect();
    let language = head.iter().find_map(|line| line.strip_prefix("accept-language: ")).unwrap_or("nothing");
    let body = include_str!("proof.html").replace("LANGUAGE", language);
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )
}

/// The message of a failed check.
fn refusal(check: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(check)).expect_err("this check must fail");
    panic.downcast_ref::<String>().unwrap().clone()
}

#[test]
fn the_settings_of_a_visitor_apply() {
    let address = page();
    let visitor = Visitor { language: "ko", dark: true, width: 380, ..Visitor::default() };
    let browser = Browser::open(&address, visitor);
    browser.go("/");
    browser.sees("asked for in ko");
    browser.sees("Proof with scripts at night");
    browser.does_not_see("without scripts");
    assert_eq!(browser.width(), 380);

    let visitor = Visitor { scripts: false, ..Visitor::default() };
    let browser = Browser::open(&address, visitor);
    browser.go("/");
    browser.sees("asked for in en");
    browser.sees("without scripts");
    browser.does_not_see("with scripts");
    assert_eq!(browser.width(), 1280);
    browser.fill("Login", "after");
    browser.click("Send it");
    browser.is_at("/sent?login=after&colour=r&day=");
}

#[test]
fn input_reaches_the_page() {
    let browser = Browser::open(&page(), Visitor::default());
    browser.go("/");
    assert_eq!(browser.value("Login"), "before");
    browser.fill("Login", "");
    browser.click("Send it");
    assert_ne!(browser.complaint("Login"), "", "it is required");
    browser.fill("Login", "한상");
    assert_eq!(browser.complaint("Login"), "");
    browser.fill("Colour", "Blue");
    browser.fill("Day", "2026-11-16");
    browser.click("Sure");
    browser.click("Send it");
    browser.is_at("/sent?login=%ED%95%9C%EC%83%81&colour=b&day=2026-11-16&sure=on");
    browser.click("Another page");
    browser.is_at("/other");
    browser.click("a[href='/other']");

    browser.press(Key::Tab);
    assert_eq!(browser.focused(), "Login");
    browser.press(Key::Tab);
    assert_eq!(browser.focused(), "Colour");
    browser.press(Key::Shift + Key::Tab);
    assert_eq!(browser.focused(), "Login");
    // The whole field is selected, so typing replaces it.
    browser.press("typed" + Key::Enter);
    browser.is_at("/sent?login=typed&colour=r&day=");
}

#[test]
fn checks_find_problems() {
    let mut browser = Browser::open(&page(), Visitor::default());
    browser.go("/start");
    browser.accessible();
    browser.no_sideways_scroll();
    let load = browser.requests();
    assert_eq!((load.urls.len(), load.elsewhere.len()), (1, 0), "{:?}", load.urls);
    assert!(load.bytes > include_str!("proof.html").len() as u64, "{}", load.bytes);
    let picture = browser.home.path().join("proof.png");
    browser.photograph(&picture);
    assert!(std::fs::read(picture).unwrap().starts_with(b"\x89PNG"));

    browser.patience = Duration::ZERO;
    for (check, parts) in [
        (
            refusal(|| browser.sees("no such text")),
            &["\"no such text\" cannot be seen", "/start", "Sure"][..],
        ),
        (refusal(|| browser.sees("never seen")), &["cannot be seen"]),
        (refusal(|| browser.does_not_see("asked for")), &["can be seen"]),
        (refusal(|| browser.is_at("/elsewhere")), &["/elsewhere", "/start"]),
        (refusal(|| browser.click("Nothing")), &["0 things", "Send it"]),
        (refusal(|| browser.click("Twin")), &["2 things"]),
        (refusal(|| browser.fill("Send it", "x")), &["0 things", "Login"]),
        (refusal(|| browser.fill("Colour", "Green")), &["Green"]),
    ] {
        for part in parts {
            assert!(check.contains(part), "{part}: {check}");
        }
    }

    let put = "document.querySelector('main').insertAdjacentHTML('beforeend', arguments[0])";
    browser.run(put, &["<button id=nameless></button>".into()]);
    let found = refusal(|| browser.accessible());
    assert!(found.contains("button-name (critical) at [\"#nameless\"]"), "{found}");
    browser.run(put, &[format!("<p id=wide>{}</p>", "wide".repeat(1000)).into()]);
    let found = refusal(|| browser.no_sideways_scroll());
    assert!(found.contains("id=\"wide\""), "{found}");
    browser.patience = Duration::from_secs(20);
    let other = page();
    browser.run("new Image().src = arguments[0]", &[format!("{other}/picture").into()]);
    let elsewhere = browser.until(|| match browser.requests().elsewhere {
        none if none.is_empty() => Err("the request to another host is not listed".to_owned()),
        some => Ok(some),
    });
    assert_eq!(elsewhere, [format!("{other}/picture")]);
}

#[test]
fn a_browser_ends_with_its_story() {
    let address = page();
    let mut left = Vec::new();
    refusal(|| {
        let mut browser = Browser::open(&address, Visitor::default());
        browser.patience = Duration::ZERO;
        let of_chromium =
            browser.web.capabilities().get("goog:chromeOptions").unwrap()["debuggerAddress"].clone();
        left.push(of_chromium.as_str().unwrap().to_owned());
        left.push(browser.driver.address.trim_start_matches("http://").to_owned());
        left.push(browser.home.path().display().to_string());
        assert!(TcpStream::connect(&left[0]).is_ok() && TcpStream::connect(&left[1]).is_ok());
        browser.go("/");
        browser.sees("no such text");
    });
    let [chromium, driver, home] = left.try_into().unwrap();
    assert!(TcpStream::connect(&chromium).is_err(), "Chromium still answers at {chromium}");
    assert!(TcpStream::connect(&driver).is_err(), "chromedriver still answers at {driver}");
    assert!(!std::path::Path::new(&home).exists(), "{home} is still there");
}
