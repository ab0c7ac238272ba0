//! Forms of records: conflicts, rows of lists and maps, pickers, and all of it without scripts.

use super::console::{administrator, records};
use super::{Browser, Visitor};
use crate::serve::{self, Server};

const NEW: &str = "/console/systems/content/entities/Category/new";

#[test]
fn a_conflict_shows_both_versions() {
    let (_directory, _server, browser) = records(Visitor::default());
    browser.go(NEW);
    browser.fill("Title", "Press");
    browser.fill("ID", "press");
    browser.click("Create");
    browser.sees("Created.");
    browser.click("Edit");
    browser.sees("Edit Press");
    let saved = "return fetch('/api/content/entities/Category/press', {
        method: 'PATCH',
        headers: { 'content-type': 'application/json', 'x-csrf-token': document.querySelector('input[name=csrf]').value },
        body: JSON.stringify({ title: 'From elsewhere' }),
    }).then((answer) => answer.status)";
    assert_eq!(browser.run(saved, &[]), 200);
    browser.fill("Title", "Typed here");
    browser.click("Save");
    browser.sees("This record was changed elsewhere. Review, then save again");
    browser.sees("Your version Stored version Title Typed here From elsewhere");
    browser.accessible();
    assert_eq!(browser.value("Title"), "Typed here");
    browser.click("Save");
    browser.sees("Saved.");
    browser.sees("Typed here");
}

#[test]
fn records_are_created_edited_and_deleted_without_scripts() {
    let (_directory, _server, browser) = records(Visitor { scripts: false, ..Visitor::default() });
    browser.go(NEW);
    browser.fill("Slug", "Not A Slug");
    browser.click("Create");
    browser.sees("Nothing was saved: see the fields below.");
    browser.fill("Title", "Press");
    browser.fill("Slug", "press");
    browser.click("Create");
    browser.sees("Created.");
    browser.click("Edit");
    browser.fill("Title", "Press releases");
    browser.click("Save");
    browser.sees("Saved.");
    browser.sees("Press releases");
    browser.click("Delete");
    browser.sees("This can't be undone.");
    browser.click("Delete");
    browser.sees("Deleted.");
}

/// A server of the model with every type of attribute.
fn everything(visitor: Visitor) -> (tempfile::TempDir, Server, Browser) {
    let (directory, data) = serve::temporary_data();
    let model = crate::root().join("tools/everything.yaml");
    let server = Server::start(&data, &["--models", model.to_str().unwrap()]);
    let browser = administrator(&server, visitor);
    (directory, server, browser)
}

#[test]
fn lists_and_maps_are_rows_and_times_have_pickers() {
    for scripts in [true, false] {
        let (_directory, _server, browser) = everything(Visitor { scripts, ..Visitor::default() });
        browser.go("/console/systems/everything/entities/Sample/new");
        browser.fill("Links 1", "https://example.com/a");
        browser.click("Add rows: Links");
        browser.fill("Links 2", "not an address");
        browser.fill("Scores 1: name", "math");
        browser.fill("Scores 1: value", "90");
        browser.fill("On", "2026-02-04T09:30:00");
        browser.click("Create");
        browser.sees("Nothing was saved: see the fields below.");
        assert_eq!(browser.value("Links 1"), "https://example.com/a");
        assert_eq!(browser.value("Links 2"), "not an address");
        assert_eq!(browser.value("On"), "2026-02-04T09:30");
        browser.fill("Links 2", "");
        browser.click("Create");
        browser.sees("Created.");
        browser.sees("https://example.com/a");
        browser.sees("math");
        browser.click("Edit");
        browser.fill("Scores 1: name", "");
        browser.fill("Scores 1: value", "");
        browser.click("Save");
        browser.sees("Saved.");
        browser.does_not_see("math");

        browser.go("/console/systems/everything/entities/Month/new");
        if scripts {
            browser.accessible();
        }
    }
}
