//! Documents: files are dropped into a project, processed, read, searched and asked.

use std::path::Path;

use hansang_documents_adapters::fixtures::{PdfPage, pdf};

use super::console::{administrator, demo};
use super::{Browser, Visitor};

const START: &str = "/console/documents";
/// A document with headings, for every story.
const LEASE: &str = "# Lease of the workshop\n\nThe lease runs for two years from 1 March.\n\n## Deposit\n\n\
    The deposit is three months of rent, and is returned when the lease ends.\n\n## Repairs\n\nSmall repairs are paid by the tenant.\n";

/// Creates a project and returns its address.
fn new_project(browser: &Browser, name: &str) -> String {
    browser.go(&format!("{START}/projects/new"));
    browser.fill("Name", name);
    browser.fill("Description", "Contracts of the workshop");
    browser.click("Create project");
    browser.sees("Project created. Now drop files into it.");
    browser.path().split('?').next().unwrap().to_owned()
}

/// A file of this name in a directory.
fn file(directory: &Path, name: &str, text: &str) -> String {
    let file = directory.join(name);
    std::fs::write(&file, text).unwrap();
    file.to_str().unwrap().to_owned()
}

/// Opens the first document of the open list.
fn open_first(browser: &Browser) {
    browser.run("document.querySelector('#documents tbody th a').click()", &[]);
}

/// A new project with a document that is processed, whose page is open. Returns the address of the project.
fn with_lease(browser: &Browser, directory: &Path) -> String {
    let project = new_project(browser, "Contracts");
    browser.fill("Drop files here, or choose them", &file(directory, "lease.md", LEASE));
    browser.sees("Uploaded");
    browser.does_not_see("Waiting to start");
    browser.sees("Done 1");
    open_first(browser);
    browser.sees("Versions of the file");
    project
}

#[test]
fn files_are_dropped_processed_and_read() {
    let (directory, server) = demo();
    let browser = administrator(&server, Visitor::default());
    browser.go(START);
    browser.accessible();
    browser.screenshot("documents");
    browser.go(&format!("{START}/projects/new"));
    browser.accessible();
    browser.click("Create project");
    browser.sees("Enter 1 to 120 characters");
    browser.accessible();
    let project = with_lease(&browser, directory.path());
    browser.sees("Processing");
    browser.sees("Check file");
    browser.accessible();
    browser.screenshot("documents-document");

    browser.click("Read");
    browser.sees("The lease runs for two years");
    browser.fill("Search in this document", "deposit");
    browser.press(thirtyfour::Key::Enter);
    browser.sees("Found on");
    browser.run("document.querySelector('.docs-found a').click()", &[]);
    browser.sees("three months of rent");
    browser.accessible();
    browser.fill("Question", "When is the deposit returned?");
    browser.click("Ask");
    browser.sees("When is the deposit returned?");
    browser.accessible();
    browser.screenshot("documents-page");

    // Two files are dropped anywhere on the page; one of them is there already.
    browser.go(&project);
    let drop = "const data = new DataTransfer();
        data.items.add(new File([arguments[0]], 'copy.md'));
        data.items.add(new File(['Rent is due on the first day of a month.'], 'rent.txt'));
        dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));";
    browser.run(drop, &[LEASE.into()]);
    browser.sees("Uploaded; the project already had this file");
    browser.sees("Done 3");
    browser.accessible();
    browser.screenshot("documents-project");

    a_picture_is_read(&browser, directory.path(), &project);
    browser.go(&project);
    browser.sees("Done 4");

    // Empty files are refused before they are sent.
    browser.run(
        "const data = new DataTransfer(); data.items.add(new File([], 'empty.txt'));
        dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));",
        &[],
    );
    browser.sees("The file is empty.");
    browser.click("Dismiss: empty.txt");
    browser.run("document.querySelector('#documents tbody input').click()", &[]);
    browser.click("#documents button[value=delete]");
    browser.sees("This can't be undone.");
    browser.accessible();
    browser.click("Delete");
    browser.sees("Deleted.");
}

/// The picture of a page of a PDF file stands beside its text, and the words that are searched for are marked on it. A new
/// version of the file is sent in parts.
fn a_picture_is_read(browser: &Browser, directory: &Path, project: &str) {
    let write = |name: &str, lines: &[&str]| {
        let path = directory.join(name);
        std::fs::write(&path, pdf("Plan", &[PdfPage::of(lines)])).unwrap();
        path.to_str().unwrap().to_owned()
    };
    browser.go(project);
    browser.fill(
        "Drop files here, or choose them",
        &write("plan.pdf", &["Plan", "The workshop has two ovens."]),
    );
    browser.sees("Done 4");
    browser.click("plan.pdf");
    browser.sees("Version 1");
    let document = browser.path();
    browser.go(&format!("{document}/pages/1?q=ovens"));
    browser.sees("The workshop has two ovens.");
    let image = "const image = document.querySelector('.docs-picture img');
        const answer = () => arguments[0](image.naturalWidth);
        if (image.complete) answer(); else image.onload = image.onerror = answer;";
    assert!(browser.run_async(image, &[]).as_u64() > Some(100), "the picture is not shown");
    let mark = "const mark = document.querySelector('.docs-picture rect.word').getBoundingClientRect();
        const page = document.querySelector('.docs-picture img').getBoundingClientRect();
        return mark.width > 5 && mark.left > page.left && mark.right < page.right && mark.top > page.top
            && mark.bottom < page.bottom;";
    assert_eq!(browser.run(mark, &[]), true, "the word is not marked on the picture");
    browser.accessible();
    browser.go(&document);
    browser.click("Upload a new version");
    browser.fill("File", &write("plan-2.pdf", &["Plan", "The workshop has three ovens."]));
    browser.sees("Version 2");
    browser.sees("plan-2.pdf");
    browser.sees("three ovens");
    browser.go(&format!("{document}/pages/1"));
    browser.sees("The workshop has three ovens.");
}

#[test]
fn a_project_is_searched_and_asked() {
    let (directory, server) = demo();
    let browser = administrator(&server, Visitor::default());
    let project = with_lease(&browser, directory.path());
    browser.go(&format!("{project}/search"));
    browser.accessible();
    browser.fill("Search all documents", "returned deposit");
    browser.press(thirtyfour::Key::Enter);
    browser.sees("found");
    browser.accessible();
    browser.screenshot("documents-search");
    browser.run("document.querySelector('.docs-results a').click()", &[]);
    browser.sees("Questions about this page");

    browser.go(&format!("{project}/agents"));
    browser.click("Create an agent");
    browser.fill("Name", "Lawyer");
    browser.fill("Instructions", "Answer briefly");
    browser.accessible();
    browser.click("Save");
    browser.sees("Created.");
    browser.accessible();

    browser.go(&format!("{project}/conversations"));
    browser.fill("Ask about the documents", "Who pays small repairs?");
    browser.fill("Agent", "Lawyer");
    browser.accessible();
    browser.click("Ask");
    browser.sees("Small repairs are paid by the tenant");
    browser.sees("lease.md");
    browser.accessible();
    browser.screenshot("documents-chat");
    browser.click("Rename");
    browser.fill("Name", "Repairs");
    browser.click("Save");
    browser.sees("Saved.");
    browser.click("Delete");
    browser.sees("The conversation is deleted");
    browser.click("Delete");
    browser.sees("No conversations yet");

    browser.go(&format!("{START}/artifacts"));
    browser.accessible();
    browser.screenshot("documents-results");
    browser.go(&format!("{START}/cache"));
    browser.accessible();
}

#[test]
fn documents_work_on_a_phone_in_korean() {
    let (directory, server) = demo();
    let phone = Visitor { language: "ko", dark: true, width: 390, height: 844, ..Visitor::default() };
    let browser = administrator(&server, phone);
    browser.go(&format!("{START}/projects/new"));
    browser.fill("이름", "계약서");
    browser.click("프로젝트 만들기");
    browser.sees("프로젝트를 만들었습니다.");
    let project = browser.path().split('?').next().unwrap().to_owned();
    let text = "# 임대차 계약\n\n보증금은 석 달 치 월세이며 계약이 끝나면 돌려준다.\n";
    browser.fill("파일을 여기에 끌어 놓거나 선택하세요", &file(directory.path(), "임대차.md", text));
    browser.sees("올렸습니다");
    browser.sees("완료 1");
    browser.screenshot("phone-documents-project");
    open_first(&browser);
    browser.sees("파일 버전");
    let document = browser.path();
    let pages = [
        START.to_owned(),
        format!("{START}/projects/new"),
        format!("{START}/artifacts"),
        format!("{START}/cache"),
        project.clone(),
        format!("{project}/edit"),
        format!("{project}/delete"),
        format!("{project}/search?q=보증금"),
        format!("{project}/conversations"),
        format!("{project}/agents"),
        format!("{project}/agents/new"),
        document.clone(),
        format!("{document}/reanalyse"),
        format!("{document}/delete"),
        format!("{document}/pages/1?q=보증금"),
        format!("{document}/pages/1?edit=1"),
    ];
    for page in pages {
        browser.go(&page);
        browser.no_sideways_scroll();
        browser.accessible();
    }
    browser.go(&format!("{document}/pages/1?q=보증금"));
    browser.screenshot("phone-documents-page");
}

#[test]
fn documents_work_without_scripts() {
    let (directory, server) = demo();
    let browser = administrator(&server, Visitor { scripts: false, ..Visitor::default() });
    new_project(&browser, "Plain");
    browser.fill("Upload a file", &file(directory.path(), "plain.txt", "Text without scripts"));
    browser.click("Upload");
    browser.sees("Uploaded. Processing has started.");
    browser.sees("plain.txt");
    browser.click("plain.txt");
    browser.sees("Versions of the file");
}
