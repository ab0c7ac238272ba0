//! The overview of a month and the report of a year on paper.

use std::process::Command;

use base64::Engine as _;
use serde_json::json;

use super::console::{administrator, demo};
use super::{Browser, Visitor};

/// A word of a page: where it starts and ends, in points.
struct Word {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

/// A printed page: its size in points, and its words.
struct Page {
    width: f64,
    height: f64,
    words: Vec<Word>,
}

/// Prints the open page. Returns its pages and their text without spaces.
fn print(browser: &Browser) -> (Vec<Page>, String) {
    let printed =
        browser.ask("Page.printToPDF", json!({ "preferCSSPageSize": true, "printBackground": true }));
    let bytes = base64::engine::general_purpose::STANDARD.decode(printed["data"].as_str().unwrap()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.pdf");
    std::fs::write(&file, bytes).unwrap();
    let read = |option: &str| {
        let output = Command::new("pdftotext").args([option]).arg(&file).arg("-").output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let mut pages: Vec<Page> = Vec::new();
    for line in read("-bbox").lines().map(str::trim) {
        let number = |name: &str| -> f64 {
            line.split_once(&format!("{name}=\"")).unwrap().1.split_once('"').unwrap().0.parse().unwrap()
        };
        if line.starts_with("<page ") {
            pages.push(Page { width: number("width"), height: number("height"), words: Vec::new() });
        } else if line.starts_with("<word ") {
            let word = Word {
                left: number("xMin"),
                right: number("xMax"),
                top: number("yMin"),
                bottom: number("yMax"),
            };
            pages.last_mut().unwrap().words.push(word);
        }
    }
    (pages, without_spaces(&read("-layout")))
}

fn without_spaces(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Checks that a page is A4, and that no word is outside of it.
fn check(pages: &[Page], is_landscape: bool) {
    let size = if is_landscape { [842.0, 595.0] } else { [595.0, 842.0] };
    for (number, page) in (1..).zip(pages) {
        let is_a4 = (page.width - size[0]).abs() < 2.0 && (page.height - size[1]).abs() < 2.0;
        assert!(is_a4, "page {number} is {} × {}", page.width, page.height);
        assert!(!page.words.is_empty(), "page {number} is empty");
        let outside = page.words.iter().filter(|word| {
            word.left < 0.0 || word.top < 0.0 || word.right > page.width || word.bottom > page.height
        });
        assert_eq!(outside.count(), 0, "page {number}");
    }
}

/// The texts of these elements.
fn texts(browser: &Browser, selector: &str) -> Vec<String> {
    let script = "return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent)";
    serde_json::from_value(browser.run(script, &[selector.into()])).unwrap()
}

/// Checks that all of these texts are printed. A narrow cell puts 원 on a line of its own.
fn has_all(text: &str, wanted: &[String], least: usize) {
    assert!(wanted.len() >= least, "{wanted:?}");
    for one in wanted {
        let plain = without_spaces(one);
        assert!(text.contains(plain.trim_end_matches('원')), "{one:?} is not printed: {text}");
    }
}

/// L15, L16: the overview of a month has all totals, balances and entries on A4.
#[test]
fn a_month_is_printed_on_a4() {
    let (_directory, server) = demo();
    let browser = administrator(&server, Visitor { language: "ko", ..Visitor::default() });
    browser.go("/console/ledger");
    let before = browser.run("return document.querySelector('a[rel=prev]').getAttribute('href')", &[]);
    browser.go(before.as_str().unwrap());
    browser.sees("남은 돈");
    let (pages, text) = print(&browser);
    assert!((1..=4).contains(&pages.len()), "{} pages", pages.len());
    check(&pages, false);
    has_all(&text, &texts(&browser, ".total .sum, .tile strong"), 8);
    has_all(&text, &texts(&browser, ".print-only th, .print-only td"), 30);
}

/// The report of a year has all categories with all months on A4, none cut off at the edge.
#[test]
fn a_year_is_printed_on_a4() {
    let (_directory, server) = demo();
    let browser = administrator(&server, Visitor { language: "ko", ..Visitor::default() });
    browser.go("/console/ledger/reports");
    browser.sees("항목별");
    let (pages, text) = print(&browser);
    assert!((2..=5).contains(&pages.len()), "{} pages", pages.len());
    check(&pages, true);
    has_all(&text, &texts(&browser, ".months th, .months td"), 100);
}
