//! Lists, records, forms and imports, as their users see them.

use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};
use thirtyfour::Key;

use super::console::{records, send, tab_to, tab_to_element};
use super::{Browser, Visitor};

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
    requests_are_copied(&browser);
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

/// The requests of a record with their cost, and the commands that are copied.
fn requests_are_copied(browser: &Browser) {
    browser.click("Request details 2 read units");
    browser.sees("GetItem");
    browser.accessible();
    // Where the browser refuses the clipboard, the text is selected.
    browser.tell("Browser.grantPermissions", json!({ "permissions": ["geolocation"] }));
    browser.click("[data-copy=curl]");
    browser.until(|| match browser.run("return getSelection().toString()", &[]).as_str() {
        Some(text) if text.starts_with("curl ") => Ok(()),
        other => Err(format!("{other:?} is selected")),
    });
    let permissions = json!(["clipboardReadWrite", "clipboardSanitizedWrite"]);
    browser.tell("Browser.grantPermissions", json!({ "permissions": permissions }));
    for (command, begins) in [("aws-1", "aws dynamodb get-item "), ("curl", "curl ")] {
        browser.click(&format!("[data-copy={command}]"));
        browser.until(|| {
            let read =
                "navigator.clipboard.readText().then(arguments[0], (error) => arguments[0](String(error)))";
            let copied = browser.run_async(read, &[]);
            match copied.as_str() {
                Some(text) if text.starts_with(begins) => Ok(()),
                _ => Err(format!("{copied} was copied")),
            }
        });
    }
    // The bar at the top never covers the focus.
    tab_to(browser, "Open the audit log");
    let hidden = "const [bar, own] = [document.querySelector('header.bar'), document.activeElement]
            .map((one) => one.getBoundingClientRect());
        return own.top < bar.bottom ? document.activeElement.outerHTML : ''";
    for _ in 0..12 {
        browser.press(Key::Shift + Key::Tab);
        assert_eq!(browser.run(hidden, &[]), "");
    }
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
    browser.resize(390, 844);
    let category = json!({ "id": "press", "title": "보도", "slug": "press" });
    send(&browser, &[("POST", "Category", category)]);
    let post = json!({ "id": "moved", "categoryId": "press", "title": "이사했습니다", "contents": "새 사무실입니다." });
    send(&browser, &[("POST", "Post", post)]);
    a_record_is_followed_by_keyboard(&browser);
    a_conflict_is_resolved_by_keyboard(&browser);
}

/// From a list to a record, its history and request, what it refers to, and back.
fn a_record_is_followed_by_keyboard(browser: &Browser) {
    // More activities than the page of a record searches.
    let others: Vec<(&str, &str, Json)> = (0..200)
        .map(|number| {
            ("POST", "User", json!({ "displayName": format!("사용자 {number}"), "role": "viewer" }))
        })
        .collect();
    send(browser, &others);
    browser.go("/console/systems/content/entities/Post");
    tab_to(browser, "이사했습니다");
    browser.opens(Key::Enter);
    browser.sees("이 항목을 변경한 기록을 찾지 못했습니다.");
    browser.no_sideways_scroll();
    browser.accessible();
    tab_to_element(browser, "details.card > summary");
    browser.press(Key::Enter);
    browser.sees("aws dynamodb");
    browser.no_sideways_scroll();
    browser.accessible();
    tab_to(browser, "이전 변경 더 찾기");
    browser.opens(Key::Enter);
    browser.sees("생성 · 20");
    browser.sees("더 이전의 변경은 없습니다.");
    browser.no_sideways_scroll();
    browser.accessible();
    tab_to(browser, "보도");
    browser.opens(Key::Enter);
    tab_to(browser, "모두 보기: 글");
    browser.opens(Key::Enter);
    browser.sees("카테고리별");
    tab_to(browser, "이사했습니다");
    browser.opens(Key::Enter);
    tab_to(browser, "← 글");
    browser.opens(Key::Enter);
    browser.sees("카테고리별");
    browser.does_not_see("새 사무실입니다.");
}

/// Both versions of a record that was changed elsewhere. A reload of the saved record sends nothing again.
fn a_conflict_is_resolved_by_keyboard(browser: &Browser) {
    tab_to(browser, "이사했습니다");
    browser.opens(Key::Enter);
    tab_to(browser, "편집");
    browser.opens(Key::Enter);
    send(browser, &[("PATCH", "Post/press/moved", json!({ "title": "다른 곳에서 고친 제목" }))]);
    tab_to(browser, "제목");
    browser.press("여기서 고친 제목");
    browser.opens(Key::Enter);
    browser.sees("다른 곳에서 고친 제목");
    browser.sees("내 버전");
    assert_eq!(browser.value("제목"), "여기서 고친 제목");
    browser.no_sideways_scroll();
    browser.accessible();
    tab_to(browser, "저장");
    browser.opens(Key::Enter);
    browser.sees("저장했습니다.");
    browser.run("location.reload()", &[]);
    browser.does_not_see("저장했습니다.");
    browser.sees("여기서 고친 제목");
    browser.does_not_see("내 버전");
}

#[test]
fn refused_lines_of_an_import_are_shown_with_reasons() {
    let (directory, _server, browser) = records(Visitor::default());
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
    // A file whose lines are new, replace a record, leave it as it is, and are refused. Each kind can be shown alone.
    let file = directory.path().join("users.csv");
    let lines = "$entity,id,displayName,role\nUser,u001,김하나,admin\nUser,u002,둘,editor\nUser,u009,아홉,viewer\nUser,u010,열,boss\n";
    std::fs::write(&file, lines).unwrap();
    browser.fill("File", file.to_str().unwrap());
    browser.click("Preview file");
    browser.sees("New 1");
    browser.sees("1 with errors");
    browser.sees("Import 2 records");
    browser.click("Unchanged 1");
    browser.sees("김하나");
    browser.does_not_see("아홉");
    browser.accessible();
    browser.click("Replace 1");
    browser.sees("둘");
    browser.does_not_see("김하나");
    browser.click("Import 2 records");
    browser.sees("2 imported.");
    browser.sees("1 refused.");
}

/// Refused lines are downloaded with their reasons, mended and sent again: on a phone, in Korean, by the keyboard alone.
#[test]
fn refused_lines_of_an_import_are_mended() {
    let visitor = Visitor { language: "ko", width: 390, height: 820, ..Visitor::default() };
    let (directory, _server, browser) = records(visitor);
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
    let refused = downloaded(&browser, directory.path(), || {
        tab_to(&browser, "오류 줄 내려받기");
        browser.press(Key::Enter);
    });
    let text = std::fs::read_to_string(&refused).unwrap();
    assert!(text.contains("lim") && !text.contains("cho"), "{text}");
    std::fs::write(&refused, text.replace("boss", "editor")).unwrap();
    tab_to(&browser, "1건 가져오기");
    browser.press(Key::Enter);
    browser.sees("1건을 가져왔습니다.");
    browser.fill("파일", refused.to_str().unwrap());
    tab_to(&browser, "파일 미리보기");
    browser.press(Key::Enter);
    browser.sees("새 항목 1");
    tab_to(&browser, "1건 가져오기");
    browser.press(Key::Enter);
    browser.sees("1건을 가져왔습니다.");
    browser.sees("데이터");
}

/// The file that is downloaded by a step of a story.
fn downloaded(browser: &Browser, directory: &Path, step: impl Fn()) -> PathBuf {
    let place = directory.join("downloads");
    let settings = json!({ "behavior": "allow", "downloadPath": place });
    browser.tell("Browser.setDownloadBehavior", settings);
    step();
    browser.until(|| {
        let files = std::fs::read_dir(&place).map_err(|error| error.to_string())?;
        let mut paths = files.map(|file| file.unwrap().path());
        // Until it is complete the file has another end, and an empty one has its name.
        let is_whole = |path: &PathBuf| {
            path.extension().is_some_and(|end| end == "csv")
                && path.metadata().is_ok_and(|file| file.len() > 0)
        };
        paths.find(is_whole).ok_or("no file yet".to_owned())
    })
}
