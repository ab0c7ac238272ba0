//! Forms of records: conflicts, rows of lists and maps, pickers, and all of it without scripts.

use serde_json::json;
use thirtyfour::Key;

use super::console::{administrator, records, send, tab_to};
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
    send(&browser, &[("PATCH", "Category/press", json!({ "title": "From elsewhere" }))]);
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
    browser.fill("ID", "press");
    browser.fill("Slug", "press");
    browser.click("Create");
    browser.sees("Created.");
    browser.click("Edit");
    browser.fill("Title", "Press releases");
    browser.click("Save");
    browser.sees("Saved.");
    browser.sees("Press releases");
    browser.click("Edit");
    send(&browser, &[("PATCH", "Category/press", json!({ "title": "From elsewhere" }))]);
    browser.fill("Title", "Typed here");
    browser.click("Save");
    browser.sees("Your version Stored version Title Typed here From elsewhere");
    browser.click("Save");
    browser.sees("Saved.");
    browser.click("Delete");
    browser.sees("This can't be undone.");
    browser.click("Delete");
    browser.sees("Deleted.");
    a_list_without_scripts(&browser);
    an_import_without_scripts(&browser);
}

/// From a list to a record, what refers to it, its request, and back; then rows are deleted together.
fn a_list_without_scripts(browser: &Browser) {
    let category = json!({ "id": "news", "title": "News", "slug": "news" });
    let post =
        |id: &str, title: &str| json!({ "id": id, "categoryId": "news", "title": title, "contents": "Text" });
    let posts = [("POST", "Post", post("a", "A second kitchen")), ("POST", "Post", post("b", "A third one"))];
    send(browser, &[("POST", "Category", category)]);
    send(browser, &posts);
    browser.go("/console/systems/content/entities/Post");
    browser.click("Filter and search");
    browser.fill("Contains", "second kitchen");
    browser.click("Run");
    browser.sees("2 searched");
    browser.click("A second kitchen");
    browser.sees("Stored item");
    browser.click("Request details 1.5 read units");
    browser.sees("aws dynamodb");
    browser.sees("curl");
    browser.sees("No earlier changes.");
    browser.click("News");
    browser.sees("Posts");
    browser.click("Show all: Posts");
    browser.sees("In a category");
    browser.click("A second kitchen");
    browser.click("← Post");
    browser.sees("With selected rows:");
    browser.click("Select A second kitchen");
    browser.click(".bulk button[value=delete]");
    browser.sees("1 record will be deleted.");
    browser.click(".card button.danger");
    browser.sees("Deleted.");
    browser.does_not_see("A second kitchen");
}

fn an_import_without_scripts(browser: &Browser) {
    browser.go("/console/systems/content/import");
    browser.fill("Data", "$entity,id,displayName,role\nUser,cho,Cho,viewer\nUser,lim,Lim,boss\n");
    browser.click("Preview");
    browser.sees("New 1");
    browser.click("1 with errors");
    browser.sees("Refused");
    browser.does_not_see("Cho");
    browser.click("Import 1 record");
    browser.sees("1 imported.");
    browser.sees("1 refused.");
    browser.fill("Data", "$entity,id,displayName,role\nUser,lim,Lim,editor\n");
    browser.click("Preview");
    browser.click("Import 1 record");
    browser.sees("1 imported.");
    browser.does_not_see("refused");
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
        browser.click("Add rows : Links");
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
            rows_are_filled_by_keyboard(&browser);
        }
    }
}

/// On a phone, in Korean. What was typed survives an added row, an error and a change of language.
fn rows_are_filled_by_keyboard(browser: &Browser) {
    browser.click("김한상");
    browser.click("한국어");
    browser.resize(390, 844);
    browser.go("/console/systems/everything/entities/Sample/new");
    tab_to(browser, "Scores 1: 이름");
    browser.press("수학");
    browser.press(Key::Tab);
    browser.press("많음");
    tab_to(browser, "Links 1");
    browser.press("https://example.com/b");
    tab_to(browser, "행 추가 : Links");
    browser.opens(Key::Enter);
    tab_to(browser, "만들기");
    browser.opens(Key::Enter);
    browser.sees("저장하지 않았습니다. 아래 항목을 확인하세요.");
    browser.no_sideways_scroll();
    browser.accessible();
    assert_eq!(browser.value("Links 1"), "https://example.com/b");
    tab_to(browser, "Scores 1: 값");
    browser.press("90");
    browser.opens(Key::Enter);
    browser.sees("만들었습니다.");
    browser.sees("수학");
    browser.no_sideways_scroll();
    browser.accessible();
}
