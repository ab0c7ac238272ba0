//! The parts that pages are made of, on the page that shows all of them.

use thirtyfour::Key;

use super::console::{administrator, demo};
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

    // Actions appear with the first selected row.
    browser.does_not_see("1 selected");
    browser.click("Select Rent");
    browser.sees("1 selected");
    browser.click("View");
    browser.click(".data input[name=column][value=code]");
    browser.click(".data details[open] button.primary");
    browser.is_at("/console/design?sort=amount&dir=asc");
    browser.sees("CODE#Salary");
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
}

#[test]
fn a_phone_has_a_drawer_and_cards() {
    let (_directory, server) = demo();
    let phone = Visitor { width: 390, height: 844, ..Visitor::default() };
    let browser = administrator(&server, phone);
    browser.does_not_see("SYSTEMS");
    browser.click("Menu");
    browser.sees("SYSTEMS");
    browser.accessible();
    browser.press(Key::Escape);
    browser.does_not_see("SYSTEMS");
    browser.go(DESIGN);
    let script = "return getComputedStyle(document.querySelector('.data tbody tr')).display";
    assert_eq!(browser.run(script, &[]), "grid");
    browser.go("/console/settings");
    browser.press(Key::Control + "k");
    assert_eq!(browser.focused(), "Search");
}
