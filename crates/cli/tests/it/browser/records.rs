//! Lists, records, forms and imports, as their users see them.

use thirtyfour::Key;

use super::Visitor;
use super::console::{records, tab_to};

#[test]
fn a_list_opens_records_and_leads_back() {
    let (_directory, _server, browser) = records(Visitor::default());
    browser.go("/console/systems/content/entities/Category/new");
    browser.fill("Title", "Press");
    browser.fill("ID", "press");
    browser.click("Create");
    browser.sees("Created.");
    browser.go("/console/systems/content/entities/User/new");
    browser.fill("Name", "Lee");
    browser.fill("ID", "lee");
    browser.click("Create");
    browser.sees("Created.");
    // References are chosen by title.
    browser.go("/console/systems/content/entities/Post");
    browser.click("Create Post");
    browser.accessible();
    browser.fill("Category", "Nowhere");
    browser.fill("Author", "Lee");
    browser.fill("Title", "We moved");
    browser.fill("Contents", "New office.");
    browser.click("Create");
    browser.sees("Is neither the key nor the title of a record of Category: choose one from the list");
    browser.accessible();
    // A title that is typed stands for its record.
    assert_eq!(browser.value("Author"), "lee");
    browser.fill("Category", "Press");
    browser.click("Create");
    browser.sees("Created.");
    browser.accessible();
    browser.click("Press");
    browser.sees("We moved");
    browser.accessible();
    browser.click("Show all: Posts");
    browser.sees("In a category");
    browser.click("We moved");
    browser.sees("New office.");
    browser.click("← Post");
    browser.sees("In a category");
    browser.accessible();
    // Selected rows are deleted together.
    browser.click("Select We moved");
    browser.sees("1 selected");
    browser.click("Delete");
    browser.sees("This can't be undone.");
    browser.accessible();
    browser.click(".card button.danger");
    browser.sees("Deleted.");
    browser.does_not_see("We moved");
}

#[test]
fn lists_of_every_entity_work_on_a_phone_in_korean() {
    let visitor = Visitor { language: "ko", width: 390, height: 844, ..Visitor::default() };
    let (_directory, _server, browser) = records(visitor);
    for (entity, title) in
        [("Post", "글"), ("Category", "카테고리"), ("ContactInquiry", "문의"), ("CorpInfo", "회사 정보")]
    {
        browser.go(&format!("/console/systems/content/entities/{entity}"));
        browser.sees(title);
        browser.no_sideways_scroll();
        browser.tables_fit();
        browser.accessible();
    }
    // The design of the system: rows are cards there, too.
    browser.go("/console/systems/content/model");
    browser.sees("접근 패턴");
    browser.accessible();
    let links = "return [...document.querySelectorAll('[aria-labelledby=entities] th a')].map((link) => link.pathname)";
    let entities: Vec<String> = serde_json::from_value(browser.run(links, &[])).unwrap();
    assert!(entities.len() > 5, "{entities:?}");
    for page in ["/console/systems/content/model".to_owned()].into_iter().chain(entities) {
        browser.go(&page);
        // A card shows the name of a column before its value.
        let shown = "return getComputedStyle(document.querySelector('td[data-label]'), '::before').content";
        assert_ne!(browser.run(shown, &[]), "none", "{page}");
        browser.run("document.querySelectorAll('main details').forEach((one) => (one.open = true))", &[]);
        browser.no_sideways_scroll();
        browser.tables_fit();
    }
    browser.go("/console/systems/content/model/entities/ContactInquiry");
    browser.accessible();
    browser.go("/console/systems/content/model/entities/Post");
    browser.screenshot("phone-model");
    browser.resize(1280, 800);
    browser.screenshot("model");
}

#[test]
fn refused_lines_of_an_import_are_shown_with_reasons() {
    let (_directory, _server, browser) = records(Visitor::default());
    browser.go("/console/systems/content/import");
    let lines = "$entity,id,displayName,role,title,order\n\
        User,cho,Cho,viewer,,\n\
        User,lim,Lim,boss,,\n\
        Category,press,,,Press,4\n\
        Category,events,,,Events,-1\n\
        Page,about,,,About us,5\n";
    browser.fill("Data", lines);
    browser.click("Preview");
    browser.sees("3 with errors");
    browser.sees("Refused");
    browser.accessible();
    browser.screenshot("import");
    browser.fill("Data", "{\"$entity\":\"User\",\"displayName\":\"Cho\",\"role\":\"viewer\"}");
    browser.click("Preview");
    browser.sees("New 1");
    browser.click("Import 1 record");
    browser.sees("1 imported.");
    browser.accessible();
}

/// Refused lines are downloaded with their reasons, mended and sent again: on a phone, in Korean, by the keyboard alone.
#[test]
fn refused_lines_of_an_import_are_mended() {
    let visitor = Visitor { language: "ko", width: 390, height: 820, ..Visitor::default() };
    let (_directory, _server, browser) = records(visitor);
    browser.go("/console/systems/content/import");
    browser.fill("데이터", "$entity,id,displayName,role\nUser,cho,조,viewer\nUser,lim,임,boss\n");
    tab_to(&browser, "미리보기");
    browser.press(Key::Enter);
    browser.sees("오류 1건");
    browser.sees("거부");
    browser.no_sideways_scroll();
    // A reason is one text, not a column for each of its parts.
    let parts = "return document.querySelector('td[data-label=이유]:not(.none)').childElementCount";
    assert_eq!(browser.run(parts, &[]), 1);
    let boxes = "return document.querySelector('td[data-label=이유] code').getClientRects().length";
    assert_eq!(browser.run(boxes, &[]), 1);
    browser.accessible();
    // The file that the button sends.
    let file = browser.run_async(
        "const done = arguments[0];
         const form = document.querySelector('button[name=refused]').form;
         const fields = new URLSearchParams(new FormData(form));
         fields.set('refused', 'yes');
         fetch(form.action, { method: 'POST', body: fields }).then((answer) => answer.text()).then(done)",
        &[],
    );
    let file = file.as_str().unwrap();
    assert!(file.contains("lim") && !file.contains("cho"), "{file}");
    tab_to(&browser, "1건 가져오기");
    browser.press(Key::Enter);
    browser.sees("1건을 가져왔습니다.");
    browser.fill("데이터", &file.replace("boss", "editor"));
    tab_to(&browser, "미리보기");
    browser.press(Key::Enter);
    browser.sees("새 항목 1");
    tab_to(&browser, "1건 가져오기");
    browser.press(Key::Enter);
    browser.sees("1건을 가져왔습니다.");
    browser.sees("데이터");
}
