//! The data explorer, as a browser without scripts sees it.

use axum::http::Method;
use futures_util::future::join_all;
use hansang_access::{AuditOutcome, Audited, Origin};
use serde_json::json;

use hansang_testserver::On;
use hansang_testserver::Visitor;
use hansang_testserver::{Response, SHOP, Server, has, in_order, lacks, settings};

hansang_testserver::on_each_store! {
    a_record_is_made_looked_at_changed_and_deleted,
    errors_are_shown_at_the_field_in_both_languages,
    patterns_are_forms_with_pages_both_ways,
    a_download_can_be_imported_after_a_preview,
    the_history_of_a_record_is_shown,
    unchanged_line_ends_are_kept,
    every_page_needs_its_role,
    a_conflict_shows_both_versions,
    lists_are_of_entities_in_the_language_of_the_reader,
    a_record_shows_its_references_in_both_directions,
    every_line_of_an_import_says_its_effect,
    refused_lines_are_mended_and_sent_again,
    all_problems_of_a_form_are_shown_at_once,
    lists_are_rows_of_a_form,
    an_import_stores_its_lines_in_order,
    references_are_typed_by_title,
    a_lifecycle_offers_its_legal_states,
    a_record_without_a_feed_has_the_changes_of_the_audit_log,
    earlier_changes_are_searched_to_the_end_of_the_audit_log,
    times_of_a_record_are_relative_and_commands_are_copied,
    edits_lead_back_to_the_list,
    selected_rows_are_downloaded_and_deleted,
}

const NEW: &str = "/console/systems/shop/entities/Item/new";
const KEY: &str = "shelf=a&number=7";

fn item(name: &str) -> Vec<(&str, &str)> {
    vec![("shelf", "a"), ("number", "7"), ("name", name), ("color", "red"), ("tags", "[\"x\", \"y\"]")]
}

fn record(what: &str) -> String {
    format!("/console/systems/shop/entities/Item/{what}?{KEY}")
}

async fn a_record_is_made_looked_at_changed_and_deleted(on: On) {
    let server = Server::start(on).await;
    let visitor = Visitor::sign_in(&server, "editor", "en").await;
    assert!(visitor.get(NEW).await.text.contains("Create Item"));
    let made = visitor.post(NEW, &item("<script>alert(1)</script>")).await;
    assert_eq!((made.status, made.header("location")), (303, &*format!("{}&done=created", record("record"))));
    let page = visitor.get(&record("record")).await;
    assert!(!page.text.contains("<script>alert") && page.text.contains("alert(1)"), "{}", page.text);
    // The item as it is stored, beside the request that read it.
    for part in ["SHELF#a", "ITEM#0007", "GSI1PK", "GetItem", "ConsistentRead", "1 read unit<"] {
        assert!(page.text.contains(part), "{part}: {}", page.text);
    }

    // The same form again: the record exists already, and the input stays.
    let again = visitor.post(NEW, &item("second")).await;
    assert_eq!(again.status, 409);
    assert!(
        again.text.contains("value=\"second\"") && again.text.contains("role=\"alert\""),
        "{}",
        again.text
    );

    let form = visitor.get(&record("change")).await;
    let was = form.text.split("name=\"was\" value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let mut fields = item("renamed");
    fields.extend([("was", &*was), ("price", "2.50"), ("color", ""), ("state", "live")]);
    fields.retain(|pair| *pair != ("color", "red"));
    let saved = visitor.post(&record("change"), &fields).await;
    assert_eq!(saved.status, 303, "{}", saved.text);
    let api = server.get("/api/shop/entities/Item/a/7").await.json();
    assert_eq!(
        (&api["name"], &api["price"], &api["state"]),
        (&json!("renamed"), &json!(2.5), &json!("live"))
    );
    assert_eq!((api.get("color"), &api["version"]), (None, &json!(2)));

    // The form is of an older version.
    let stale = visitor.post(&record("change"), &fields).await;
    assert_eq!(stale.status, 412);
    assert!(stale.text.contains("This record was changed elsewhere"), "{}", stale.text);

    let asked = visitor.get(&record("delete")).await;
    assert!(asked.text.contains("This can&#39;t be undone"), "{}", asked.text);
    let was = asked.text.split("name=\"was\" value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    assert_eq!(visitor.post(&record("delete"), &[("was", "another")]).await.status, 412);
    let gone = visitor.post(&record("delete"), &[("was", &was)]).await;
    assert_eq!(
        (gone.status, gone.header("location")),
        (303, "/console/systems/shop/entities/Item?done=deleted")
    );
    // A repeated click finds no record, and says so.
    let second = visitor.post(&record("delete"), &[("was", &was)]).await;
    assert_eq!(second.status, 404);
    assert!(second.text.contains("Not found"), "{}", second.text);
}

async fn errors_are_shown_at_the_field_in_both_languages(on: On) {
    let server = Server::start(on).await;
    let wrong = [("shelf", "a#b"), ("number", "many"), ("name", ""), ("tags", "no list")];
    for (language, text) in [("en", "Must be a whole number"), ("ko", "정수")] {
        let visitor = Visitor::sign_in(&server, "editor", language).await;
        let answer = visitor.post(NEW, &wrong).await;
        assert_eq!(answer.status, 400);
        assert!(answer.text.contains(text), "{}", answer.text);
        assert!(answer.text.contains("id=\"f-number-problem\""), "{}", answer.text);
        assert!(answer.text.contains("value=\"a#b\""), "{}", answer.text);
    }
    assert_eq!(server.get("/api/shop/patterns/itemsOfShelf?shelf=a").await.json()["items"], json!([]));
}

async fn patterns_are_forms_with_pages_both_ways(on: On) {
    let server = Server::start(on).await;
    for number in 0..30 {
        let body =
            json!({ "shelf": "b", "number": number, "name": format!("thing {number}"), "color": "blue" });
        assert_eq!(server.send(Method::POST, "/api/shop/entities/Item", body).await.status, 201);
    }
    let visitor = Visitor::sign_in(&server, "viewer", "en").await;
    let base = "/console/systems/shop/patterns/itemsOfShelf";
    let form = visitor.get(base).await;
    assert!(form.status == 200 && !form.text.contains("Request details"), "nothing was asked yet");
    let empty = visitor.get(&format!("{base}?shelf=")).await;
    assert!(empty.status == 400 && empty.text.contains("f-shelf-problem"), "{}", empty.text);

    let first = visitor.get(&format!("{base}?shelf=b&limit=10")).await;
    let rows = |text: &str| text.matches("<th role=\"rowheader\"").count();
    assert_eq!(rows(&first.text), 10);
    assert!(first.text.contains("KeyConditionExpression") && first.text.contains("SHELF#b"));
    assert!(!first.text.contains("rel=\"prev\""));
    let second = visitor.get(&link(&first.text, "next")).await;
    assert!(rows(&second.text) == 10 && second.text.contains("thing 19"), "{}", second.text);
    let back = visitor.get(&link(&second.text, "prev")).await;
    assert!(back.text.contains("thing 9") && !back.text.contains("thing 10"), "{}", back.text);

    let found = visitor.get(&format!("{base}?shelf=b&search=THING+2")).await;
    assert!(rows(&found.text) == 11 && found.text.contains("30 searched"), "{}", found.text);
    assert!(visitor.get(&format!("{base}?shelf=b&cursor=nonsense")).await.status == 400);

    let csv = visitor.get(&format!("{base}/download?shelf=b&format=csv")).await;
    assert_eq!(csv.header("content-disposition"), "attachment; filename=\"shop-itemsOfShelf.csv\"");
    assert!(csv.text.lines().count() == 31 && csv.text.contains("Item,b,29,thing 29,blue"), "{}", csv.text);
    let json = visitor.get(&format!("{base}/download?shelf=b&format=json")).await;
    assert_eq!(json.text.lines().count(), 30);
    let some = visitor.get(&format!("{base}/download?shelf=b&format=json&search=THING+2")).await;
    assert_eq!(some.text.lines().count(), 11, "what is searched for is what is downloaded");
}

fn link(text: &str, rel: &str) -> String {
    let tag = text.split(&format!("rel=\"{rel}\" href=\"")).nth(1).unwrap();
    tag.split('"').next().unwrap().replace("&#38;", "&").replace("&amp;", "&")
}

async fn a_download_can_be_imported_after_a_preview(on: On) {
    let server = Server::start(on).await;
    let body = json!({ "shelf": "c", "number": 1, "name": "=1+1, \"quoted\"", "tags": ["x"], "price": 1.5 });
    assert_eq!(server.send(Method::POST, "/api/shop/entities/Item", body).await.status, 201);
    let visitor = Visitor::sign_in(&server, "editor", "en").await;
    let base = "/console/systems/shop/patterns/itemsOfShelf/download?shelf=c&format=";
    let before = server.get("/api/shop/patterns/itemsOfShelf?shelf=c").await.json();
    for format in ["csv", "json"] {
        let file = visitor.get(&format!("{base}{format}")).await.text;
        server.call(Method::DELETE, "/api/shop/entities/Item/c/1", &server.editor, None, &[]).await;
        let import = "/console/systems/shop/import";
        let preview = visitor.post(import, &[("text", &file)]).await;
        assert!(preview.text.contains("Import 1 record<"), "{format}: {}", preview.text);
        let none = server.get("/api/shop/patterns/itemsOfShelf?shelf=c").await.json();
        assert_eq!(none["items"], json!([]), "a preview stores nothing");
        let stored = visitor.post(import, &[("text", &file), ("confirm", "yes")]).await;
        assert_eq!(
            (stored.status, stored.header("location")),
            (303, "/console/systems/shop/import?stored=1&refused=0")
        );
        has(&visitor.get(stored.header("location")).await, &["1 imported."]);
        let after = server.get("/api/shop/patterns/itemsOfShelf?shelf=c").await.json();
        for name in ["name", "tags", "price", "state", "shelf", "number"] {
            assert_eq!(after["items"][0][name], before["items"][0][name], "{format}: {name}");
        }
    }
    let mixed = "$entity,shelf,number,name\nItem,d,1,good\nItem,d,many,bad\nNothing,d,2,bad\n";
    let preview = visitor.post("/console/systems/shop/import", &[("text", mixed)]).await;
    assert!(
        preview.text.contains("Import 1 record<") && preview.text.contains("2 with errors"),
        "{}",
        preview.text
    );
    // Refused lines come back to be corrected. The page that shows them stores nothing, however often it is reloaded.
    let sent = [("text", mixed), ("confirm", "yes")];
    let stored = visitor.post("/console/systems/shop/import", &sent).await;
    assert_eq!(stored.status, 307, "{}", stored.text);
    let back = stored.header("location");
    server.call(Method::DELETE, "/api/shop/entities/Item/d/1", &server.editor, None, &[]).await;
    for _ in 0..2 {
        let shown = visitor.post(back, &sent).await;
        assert_eq!(shown.status, 200, "{}", shown.text);
        has(&shown, &["1 imported.", "2 refused", "Item,d,many,bad"]);
    }
    assert_eq!(server.get("/api/shop/entities/Item/d/1").await.status, 404);
    let broken = visitor.post("/console/systems/shop/import", &[("text", "$entity,\"shelf")]).await;
    assert!(broken.text.contains("never closed"), "{}", broken.text);
}

async fn the_history_of_a_record_is_shown(on: On) {
    let model = SHOP.replace("  created: createdAt", "  streams: true\n  created: createdAt");
    let server = Server::with(on, &[&model], settings()).await;
    let visitor = Visitor::sign_in(&server, "editor", "en").await;
    assert_eq!(visitor.post(NEW, &item("before it")).await.status, 303);
    let change = json!({ "name": "after it" });
    assert_eq!(server.send(Method::PATCH, "/api/shop/entities/Item/a/7", change).await.status, 200);
    let page = visitor.get(&record("record")).await;
    match on {
        On::Embedded => {
            assert!(page.text.contains("before it") && page.text.contains("Changed ·"), "{}", page.text);
        }
        _ => has(&page, &["From the audit log"]),
    }
}

/// A table without a change feed has the changes that the audit log names.
async fn a_record_without_a_feed_has_the_changes_of_the_audit_log(on: On) {
    let server = Server::start(on).await;
    let visitor = Visitor::sign_in(&server, "editor", "en").await;
    assert_eq!(visitor.post(NEW, &item("before it")).await.status, 303);
    let other = json!({ "shelf": "a", "number": 8, "name": "another" });
    assert_eq!(server.send(Method::POST, "/api/shop/entities/Item", other).await.status, 201);
    let change = json!({ "name": "after it" });
    assert_eq!(server.send(Method::PATCH, "/api/shop/entities/Item/a/7", change).await.status, 200);
    let page = visitor.get(&record("record")).await;
    in_order(&page, &["<h2>History</h2>", "Changed · <time", "Created · <time", "From the audit log"]);
    lacks(&page, &["/console/settings/audit"]);
    let history = page.text.split("<h2>History</h2>").nth(1).unwrap();
    assert_eq!(history.matches("<li>").count(), 2, "{history}");
}

/// More activities than one page searches lie between the changes of a record.
async fn earlier_changes_are_searched_to_the_end_of_the_audit_log(on: On) {
    let server = Server::start(on).await;
    let visitor = Visitor::sign_in(&server, "editor", "en").await;
    assert_eq!(visitor.post(NEW, &item("before it")).await.status, 303);
    let origin = Origin { address: "127.0.0.1".parse().unwrap(), trace: "other".to_owned() };
    let other = Audited { who: None, origin: &origin, system: "shop", operation: "other", subject: None };
    for _ in 0..25 {
        let entries = (0..50).map(|_| server.access.audit(other, AuditOutcome::Done, None));
        assert!(join_all(entries).await.iter().all(Result::is_ok));
    }
    let change = json!({ "name": "after it" });
    assert_eq!(server.send(Method::PATCH, "/api/shop/entities/Item/a/7", change).await.status, 200);

    let first = visitor.get(&record("record")).await;
    in_order(&first, &["Changed · <time", "Searched 200 activities of this system, back to 2026-11-16 "]);
    lacks(&first, &["Created · <time", "No earlier changes", "Latest changes"]);
    // A search goes on until it finds something, but not through the whole log at once.
    let second = visitor.get(&labelled(&first, "Search earlier changes")).await;
    in_order(&second, &["No change of this record was found", "Searched 1000 activities", "Latest changes"]);
    lacks(&second, &["Changed · <time", "Created · <time", "No earlier changes"]);
    let korean = Visitor::sign_in(&server, "viewer", "ko").await;
    let last = korean.get(&labelled(&second, "Search earlier changes")).await;
    in_order(
        &last,
        &["생성 · <time", "이 시스템의 활동 52건을 2026-11-16 ", "더 이전의 변경은 없습니다.", "최근 변경"],
    );
    lacks(&last, &["이전 변경 더 찾기"]);
    let back = visitor.get(&labelled(&second, "Latest changes")).await;
    in_order(&back, &["Changed · <time", "Searched 200 activities"]);
    assert_eq!(visitor.get(&format!("{}&.earlier=forged", record("record"))).await.status, 400);
}

/// The address of the link with this text.
fn labelled(page: &Response, text: &str) -> String {
    let before = page.text.split(&format!("\">{text}</a>")).next().unwrap();
    let address = before.rsplit("href=\"").next().unwrap();
    address.replace("&#38;", "&").split('#').next().unwrap().to_owned()
}

/// Forms normalise line ends, and an input of one line has none.
async fn unchanged_line_ends_are_kept(on: On) {
    let model = SHOP.replace("      code:   {", "      memo:   string?\n      code:   {");
    let server = Server::with(on, &[&model], settings()).await;
    let body = json!({ "shelf": "a", "number": 7, "name": "x", "memo": "one\r\ntwo\rthree" });
    assert_eq!(server.send(Method::POST, "/api/shop/entities/Item", body).await.status, 201);
    let visitor = Visitor::sign_in(&server, "editor", "en").await;
    let form = visitor.get(&record("change")).await;
    assert!(form.text.contains("<textarea id=\"f-memo\""), "{}", form.text);
    let was = form.text.split("name=\"was\" value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let sent = [("was", &*was), ("memo", "one\r\ntwo\r\nthree"), ("price", "3")];
    assert_eq!(visitor.post(&record("change"), &sent).await.status, 303);
    let stored = server.get("/api/shop/entities/Item/a/7").await.json();
    assert_eq!((&stored["memo"], &stored["price"]), (&json!("one\r\ntwo\rthree"), &json!(3)));
}

async fn every_page_needs_its_role(on: On) {
    let server = Server::start(on).await;
    let pages = [
        ("/console/systems/shop", "viewer"),
        ("/console/systems/shop/patterns/itemsOfShelf", "viewer"),
        ("/console/systems/shop/entities/Item", "viewer"),
        ("/console/systems/shop/entities/Item/views/itemsOfShelf", "viewer"),
        ("/console/systems/shop/patterns/itemsOfShelf/download?shelf=a&format=csv", "viewer"),
        ("/console/systems/shop/entities/Opening/record", "viewer"),
        ("/console/systems/shop/import", "editor"),
        (NEW, "editor"),
        ("/console/systems/shop/entities/Opening/change", "editor"),
        ("/console/systems/shop/entities/Opening/delete", "editor"),
    ];
    let viewer = Visitor::sign_in(&server, "viewer", "en").await;
    let anonymous = Visitor::signed_out(&server);
    for (path, role) in pages {
        let answer = anonymous.get(path).await;
        assert_eq!(answer.status, 303, "{path}");
        assert!(
            answer.header("location").starts_with("/console/sign-in?next=%2Fconsole%2Fsystems"),
            "{path}"
        );
        let expected = if role == "editor" { 403 } else { 200 };
        let status = viewer.get(path).await.status;
        assert!(status == expected || (status == 404 && expected == 200), "{path}: {status}");
    }
    let page = viewer.get("/console/systems/shop").await;
    assert!(!page.text.contains(NEW), "what one may not is not offered");
    assert_eq!(viewer.post(NEW, &item("x")).await.status, 403);
    // A page of another site has the cookie but not the CSRF secret.
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    let forged = Visitor { csrf: "x".to_owned(), ..editor };
    let answer = forged.post(NEW, &item("x")).await;
    assert_eq!(answer.status, 403);
    assert!(answer.text.contains("Nothing has been saved yet"), "{}", answer.text);
    assert_eq!(server.get("/api/shop/entities/Item/a/7").await.status, 404);
}

/// The content model with one category and one post.
async fn site(on: On) -> Server {
    // The accounts of tests have roles in the system `shop`.
    let model =
        include_str!("../../../../../models/content.yaml").replacen("model: content", "model: shop", 1);
    let server = Server::with(on, &[&model], settings()).await;
    let category = json!({ "id": "news", "title": "News" });
    assert_eq!(server.send(Method::POST, "/api/shop/entities/Category", category).await.status, 201);
    let user = json!({ "id": "kim", "displayName": "Kim", "role": "editor" });
    assert_eq!(server.send(Method::POST, "/api/shop/entities/User", user).await.status, 201);
    let post = json!({
        "id": "p1", "categoryId": "news", "authorId": "kim", "title": "First post", "contents": "Hello", "state": "draft",
    });
    assert_eq!(server.send(Method::POST, "/api/shop/entities/Post", post).await.status, 201);
    server
}

async fn a_conflict_shows_both_versions(on: On) {
    let server = Server::start(on).await;
    let visitor = Visitor::sign_in(&server, "editor", "en").await;
    assert_eq!(visitor.post(NEW, &item("first")).await.status, 303);
    let form = visitor.get(&record("change")).await;
    let was = form.text.split("name=\"was\" value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let change = json!({ "name": "theirs" });
    assert_eq!(server.send(Method::PATCH, "/api/shop/entities/Item/a/7", change).await.status, 200);
    let answer = visitor.post(&record("change"), &[("was", &*was), ("name", "mine")]).await;
    assert_eq!(answer.status, 412);
    for part in ["Your version", "Stored version", "mine</pre>", "theirs</pre>", "value=\"mine\""] {
        assert!(answer.text.contains(part), "{part}: {}", answer.text);
    }
    // Saving again replaces the stored version that was shown.
    let was =
        answer.text.split("name=\"was\" value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    assert_eq!(visitor.post(&record("change"), &[("was", &*was), ("name", "mine")]).await.status, 303);
    assert_eq!(server.get("/api/shop/entities/Item/a/7").await.json()["name"], "mine");
}

async fn lists_are_of_entities_in_the_language_of_the_reader(on: On) {
    let server = site(on).await;
    let words = [
        ("en", ["Posts", "Create Post", "All posts", "In a category", "Draft", "Author", "Request details"]),
        ("ko", ["글", "글 만들기", "모든 글", "카테고리별", "초안", "작성자", "조회 요청"]),
    ];
    for (language, words) in words {
        let visitor = Visitor::sign_in(&server, "editor", language).await;
        let list = visitor.get("/console/systems/shop/entities/Post").await;
        assert_eq!(list.status, 200);
        for word in words.into_iter().chain(["First post", "News", "Kim", "aws dynamodb query", "curl -H"]) {
            assert!(list.text.contains(word), "{word}: {}", list.text);
        }
        let system = visitor.get("/console/systems/shop").await;
        assert!(system.text.contains(words[0]), "{}", system.text);
        let form = visitor.get("/console/systems/shop/entities/Post/new").await;
        assert!(form.text.contains("<option value=\"news\" label=\"News\">"), "{}", form.text);
        assert!(form.text.contains(&format!(">{}</option>", words[4])), "{}", form.text);
    }
}

async fn a_record_shows_its_references_in_both_directions(on: On) {
    let server = site(on).await;
    let visitor = Visitor::sign_in(&server, "viewer", "en").await;
    let list = visitor.get("/console/systems/shop/entities/Post").await;
    let address = list.text.split("href=\"/console/systems/shop/entities/Post/record?").nth(1).unwrap();
    let address = address.split('"').next().unwrap().replace("&#38;", "&").replace("&amp;", "&");
    let post = visitor.get(&format!("/console/systems/shop/entities/Post/record?{address}")).await;
    assert!(post.text.contains("<h1 translate=\"no\">First post</h1>"), "{}", post.text);
    assert!(post.text.contains("entities/Category/record?id=news\">News</a>"), "{}", post.text);
    // The way back leads to the list that the record was opened from.
    assert!(post.text.contains("href=\"/console/systems/shop/entities/Post\">← Post"), "{}", post.text);
    let category = visitor.get("/console/systems/shop/entities/Category/record?id=news").await;
    assert!(category.text.contains(">First post</a>"), "{}", category.text);
    assert!(
        category.text.contains("entities/Post/views/postsInCategory?categoryId=news"),
        "{}",
        category.text
    );
    // The request that found the post is among those of the page.
    in_order(&category, &["Request details", "<h3>GetItem", "<h3>Query"]);
    // The type of a record has the title of its entity.
    let korean = Visitor::sign_in(&server, "viewer", "ko").await;
    let shown = korean.get("/console/systems/shop/entities/Category/record?id=news").await;
    in_order(&shown, &["<dt>종류</dt><dd>", "카테고리</span>"]);
    // A list of another site is no way back.
    let forged = "/console/systems/shop/entities/Category/record?id=news&.list=https%3A%2F%2Fexample.com";
    assert!(!visitor.get(forged).await.text.contains("href=\"https://example.com"));
}

async fn every_line_of_an_import_says_its_effect(on: On) {
    let server = site(on).await;
    let visitor = Visitor::sign_in(&server, "editor", "en").await;
    let lines = [
        r#"{"$entity":"User","id":"kim","displayName":"Kim","role":"editor"}"#,
        r#"{"$entity":"User","id":"kim","displayName":"Kim 2","role":"editor"}"#,
        r#"{"$entity":"User","id":"lee","displayName":"Lee","role":"viewer"}"#,
        r#"{"$entity":"Category","id":"a","title":"A","slug":"same"}"#,
        r#"{"$entity":"Category","id":"b","title":"B","slug":"same"}"#,
        r#"{"$entity":"User","id":"cho","displayName":"","role":"boss"}"#,
    ];
    let text = lines.join("\n");
    let import = "/console/systems/shop/import";
    let preview = visitor.post(import, &[("text", &text)]).await;
    for part in ["New 2", "Replace 1", "Unchanged 1", "2 with errors", "Import 3 records"] {
        assert!(preview.text.contains(part), "{part}: {}", preview.text);
    }
    // The second slug is refused by the preview as it is by the import.
    let stored = visitor.post(import, &[("text", &text), ("confirm", "yes")]).await;
    assert_eq!(stored.status, 307, "{}", stored.text);
    has(&visitor.post(stored.header("location"), &[("text", &text)]).await, &["3 imported.", "2 refused."]);
    assert_eq!(server.get("/api/shop/entities/User/kim").await.json()["displayName"], "Kim 2");
    assert_eq!(server.get("/api/shop/entities/Category/b").await.status, 404);
}

async fn refused_lines_are_mended_and_sent_again(on: On) {
    let server = Server::start(on).await;
    let visitor = Visitor::sign_in(&server, "editor", "en").await;
    let import = "/console/systems/shop/import";
    let text = "$entity,shelf,number,name\nItem,d,1,good\nItem,d,many,bad\n";
    let file = visitor.post(import, &[("text", text), ("refused", "yes")]).await;
    assert_eq!(file.header("content-disposition"), "attachment; filename=\"refused.csv\"");
    assert!(file.text.starts_with("$entity,shelf,number,name,$reason\r\nItem,d,many,bad,"), "{}", file.text);
    assert!(!file.text.contains("good"), "{}", file.text);
    let mended = file.text.replace("many", "2");
    let stored = visitor.post(import, &[("text", &mended), ("confirm", "yes")]).await;
    has(&visitor.get(stored.header("location")).await, &["1 imported."]);
    assert_eq!(server.get("/api/shop/entities/Item/d/2").await.json()["name"], "bad");
    let json = "{\"$entity\":\"Item\",\"shelf\":\"e\"}\n";
    let file = visitor.post(import, &[("text", json), ("refused", "yes")]).await;
    assert!(file.text.contains("\"$reason\":") && file.text.contains("number"), "{}", file.text);
    // Lines that are no objects keep their reason too.
    let file = visitor.post(import, &[("text", "[1]\n{broken\n"), ("refused", "yes")]).await;
    let lines: Vec<serde_json::Value> =
        file.text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&lines[0]["$line"], &lines[1]["$line"]), (&json!("[1]"), &json!("{broken")));
    assert!(lines.iter().all(|line| line["$reason"].is_string()), "{}", file.text);
}

/// A line sees those before it, in the preview and when it is stored.
async fn an_import_stores_its_lines_in_order(on: On) {
    let server = Server::start(on).await;
    let visitor = Visitor::sign_in(&server, "editor", "en").await;
    let import = "/console/systems/shop/import";
    let has_code = json!({ "shelf": "a", "number": 1, "name": "one", "code": "X" });
    assert_eq!(server.send(Method::POST, "/api/shop/entities/Item", has_code).await.status, 201);
    // The first line gives up the code that the second one takes; the last two have the same key.
    let lines = [
        r#"{"$entity":"Item","shelf":"a","number":1,"name":"one"}"#,
        r#"{"$entity":"Item","shelf":"a","number":2,"name":"two","code":"X"}"#,
        r#"{"$entity":"Item","shelf":"a","number":3,"name":"first"}"#,
        r#"{"$entity":"Item","shelf":"a","number":3,"name":"last"}"#,
    ];
    let text = lines.join("\n");
    let preview = visitor.post(import, &[("text", &text)]).await;
    in_order(&preview, &["New 2", "Replace 2", "Import 4 records"]);
    lacks(&preview, &["with errors"]);
    let stored = visitor.post(import, &[("text", &text), ("confirm", "yes")]).await;
    assert_eq!(stored.header("location"), "/console/systems/shop/import?stored=4&refused=0");
    let item = async |number: u32| server.get(&format!("/api/shop/entities/Item/a/{number}")).await.json();
    assert_eq!(item(1).await.get("code"), None);
    assert_eq!(item(2).await["code"], "X");
    assert_eq!(item(3).await["name"], "last");
}

/// A form offers the states that a record can start in, then those that can follow.
async fn a_lifecycle_offers_its_legal_states(on: On) {
    let model = SHOP.replace(
        "live: [sold] }, default: draft }",
        "live: [sold] }, initial: [draft, live], default: draft }",
    );
    let server = Server::with(on, &[&model], settings()).await;
    let visitor = Visitor::sign_in(&server, "editor", "en").await;
    let states = |page: &Response| -> Vec<String> {
        let select =
            page.text.split("<select id=\"f-state\"").nth(1).unwrap().split("</select>").next().unwrap();
        let options = select.split("<option value=\"").skip(1);
        options
            .map(|option| option.split('"').next().unwrap().to_owned())
            .filter(|one| !one.is_empty())
            .collect()
    };
    assert_eq!(states(&visitor.get(NEW).await), ["draft", "live"]);
    assert_eq!(visitor.post(NEW, &item("x")).await.status, 303);
    assert_eq!(states(&visitor.get(&record("change")).await), ["draft", "live"]);
    let live = json!({ "state": "live" });
    assert_eq!(server.send(Method::PATCH, "/api/shop/entities/Item/a/7", live).await.status, 200);
    assert_eq!(states(&visitor.get(&record("change")).await), ["live", "sold"]);
}

async fn all_problems_of_a_form_are_shown_at_once(on: On) {
    let server = Server::start(on).await;
    let visitor = Visitor::sign_in(&server, "editor", "en").await;
    // One value cannot be converted, one is missing, and one breaks a rule.
    let wrong = [("shelf", "a"), ("number", "many"), ("name", ""), ("stock", "-1")];
    let answer = visitor.post(NEW, &wrong).await;
    assert_eq!(answer.status, 400);
    for field in ["number", "name", "stock"] {
        assert!(answer.text.contains(&format!("id=\"f-{field}-problem\"")), "{field}: {}", answer.text);
    }
}

async fn lists_are_rows_of_a_form(on: On) {
    let server = Server::start(on).await;
    let visitor = Visitor::sign_in(&server, "editor", "en").await;
    let mut sent = vec![("shelf", "a"), ("number", "7"), ("name", "rows"), ("notes.rows", "yes")];
    sent.extend([("notes.value", "one"), ("notes.value", ""), ("notes.value", "two")]);
    // The button adds rows, keeps what was typed and stores nothing.
    let mut more = sent.clone();
    more.push((".more", "notes"));
    let form = visitor.post(NEW, &more).await;
    assert_eq!(form.status, 200);
    assert_eq!(form.text.matches("name=\"notes.value\"").count(), 6, "{}", form.text);
    assert!(form.text.contains("value=\"rows\"") && form.text.contains("value=\"two\""), "{}", form.text);
    assert_eq!(server.get("/api/shop/entities/Item/a/7").await.status, 404);
    assert_eq!(visitor.post(NEW, &sent).await.status, 303);
    let stored = server.get("/api/shop/entities/Item/a/7").await.json();
    assert_eq!(stored["notes"], json!(["one", "two"]));
    let edit = visitor.get(&record("change")).await;
    assert!(edit.text.contains("name=\"notes.value\" value=\"two\""), "{}", edit.text);
}

async fn times_of_a_record_are_relative_and_commands_are_copied(on: On) {
    let server = Server::start(on).await;
    let visitor = Visitor::sign_in(&server, "editor", "en").await;
    assert_eq!(visitor.post(NEW, &item("x")).await.status, 303);
    let page = visitor.get(&record("record")).await;
    in_order(
        &page,
        &["<dt>Created</dt><dd><time class=\"nowrap\" datetime=\"2026-11-16T", " UTC\">", "class=\"ago\""],
    );
    in_order(
        &page,
        &["data-copy=\"aws-1\"", "id=\"aws-1\">aws dynamodb", "data-copy=\"curl\"", "id=\"curl\">curl"],
    );
}

/// Page 2 of a sorted list, then a record, a change and a deletion: each leads back to that page in that order.
async fn edits_lead_back_to_the_list(on: On) {
    let server = Server::start(on).await;
    for number in 0..12 {
        let body = json!({ "shelf": "b", "number": number, "name": format!("thing {number}") });
        assert_eq!(server.send(Method::POST, "/api/shop/entities/Item", body).await.status, 201);
    }
    let visitor = Visitor::sign_in(&server, "editor", "en").await;
    let base = "/console/systems/shop/entities/Item/views/itemsOfShelf?shelf=b&limit=10";
    let first = visitor.get(base).await;
    let second = format!("{}&sort=stock&dir=desc", link(&first.text, "next"));
    let list = visitor.get(&second).await;
    has(&list, &["thing 10", "thing 11"]);
    let href = |page: &Response, start: &str| {
        let found =
            page.text.split(&format!("href=\"{start}")).nth(1).unwrap_or_else(|| panic!("{}", page.text));
        format!("{start}{}", found.split('"').next().unwrap().replace("&#38;", "&"))
    };
    let page = visitor.get(&href(&list, "/console/systems/shop/entities/Item/record?")).await;
    let leads_back = |page: &Response| {
        let back =
            page.text.split("href=\"").map(|rest| rest.split('"').next().unwrap().replace("&#38;", "&"));
        assert!(back.into_iter().any(|one| one == second), "{second}: {}", page.text);
    };
    leads_back(&page);
    let change = href(&page, "/console/systems/shop/entities/Item/change?");
    let form = visitor.get(&change).await;
    let was = |page: &Response| {
        page.text.split("name=\"was\" value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned()
    };
    let saved = visitor.post(&change, &[("was", &*was(&form)), ("name", "renamed")]).await;
    assert_eq!(saved.status, 303, "{}", saved.text);
    let page = visitor.get(saved.header("location")).await;
    has(&page, &["renamed", "Saved."]);
    leads_back(&page);
    let delete = href(&page, "/console/systems/shop/entities/Item/delete?");
    let asked = visitor.get(&delete).await;
    let gone = visitor.post(&delete, &[("was", &*was(&asked))]).await;
    assert_eq!(gone.header("location"), format!("{second}&done=deleted"));
}

async fn selected_rows_are_downloaded_and_deleted(on: On) {
    let server = Server::start(on).await;
    for number in 0..4 {
        let body = json!({ "shelf": "b", "number": number, "name": format!("thing {number}") });
        assert_eq!(server.send(Method::POST, "/api/shop/entities/Item", body).await.status, 201);
    }
    let list = "/console/systems/shop/entities/Item/views/itemsOfShelf?shelf=b";
    let viewer = Visitor::sign_in(&server, "viewer", "en").await;
    let page = viewer.get(list).await;
    has(
        &page,
        &["name=\"row\" value=\"shelf=b&#38;number=1\"", "aria-label=\"Select b · 1\"", "Download CSV"],
    );
    lacks(&page, &["value=\"delete\""]);
    let selected = "/console/systems/shop/entities/Item/selected";
    has(
        &page,
        &[
            "entities/Item/selected?.list=%2Fconsole%2Fsystems%2Fshop%2Fentities%2FItem%2Fviews%2FitemsOfShelf%3Fshelf%3Db",
        ],
    );
    let selected =
        &format!("{selected}?.list=/console/systems/shop/entities/Item/views/itemsOfShelf%3Fshelf%3Db");
    let rows = |action| [("row", "shelf=b&number=1"), ("row", "shelf=b&number=2"), ("do", action)];
    let csv = viewer.post(selected, &rows("csv")).await;
    assert_eq!(csv.header("content-disposition"), "attachment; filename=\"shop-Item.csv\"");
    assert!(csv.text.lines().count() == 3 && csv.text.contains("Item,b,2,thing 2"), "{}", csv.text);
    assert_eq!(viewer.post(selected, &rows("json")).await.text.lines().count(), 2);
    let deleted = &selected.replace("/selected?", "/selected/delete?");
    assert_eq!(viewer.post(deleted, &rows("delete")).await.status, 403);

    let editor = Visitor::sign_in(&server, "editor", "en").await;
    has(&editor.get(list).await, &["value=\"delete\""]);
    let none = editor.post(selected, &[("do", "delete")]).await;
    assert_eq!(none.header("location"), format!("{list}&done=none-selected"));
    let asked = editor.post(selected, &rows("delete")).await;
    in_order(&asked, &["Delete 2 records", "can&#39;t be undone", "b · 1", "b · 2"]);
    lacks(&asked, &["b · 3"]);
    let was: Vec<String> = asked
        .text
        .split("name=\"was\" value=\"")
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap().to_owned())
        .collect();
    // One of them is changed meanwhile: the other one is deleted, and the page says which one is left.
    let change = json!({ "name": "changed" });
    assert_eq!(server.send(Method::PATCH, "/api/shop/entities/Item/b/2", change).await.status, 200);
    let mut sent = rows("delete").to_vec();
    sent.extend(was.iter().map(|was| ("was", &**was)));
    has(&asked, &["/entities/Item/selected/delete?.list=%2Fconsole"]);
    let left = editor.post(deleted, &sent).await;
    assert_eq!(left.status, 409);
    in_order(&left, &["These records were not deleted", "b · 2", "was changed elsewhere"]);
    lacks(&left, &["b · 1"]);
    assert_eq!(server.get("/api/shop/entities/Item/b/1").await.status, 404);
    assert_eq!(server.get("/api/shop/entities/Item/b/2").await.status, 200);
}

/// A typed title stands for the only record that has it; anything else is refused at its field, with all other problems.
async fn references_are_typed_by_title(on: On) {
    let server = site(on).await;
    let visitor = Visitor::sign_in(&server, "editor", "en").await;
    let new = "/console/systems/shop/entities/Post/new";
    let post = |category: &'static str, author: &'static str| {
        [
            ("categoryId", category),
            ("id", "typed"),
            ("title", "Typed"),
            ("contents", "x"),
            ("authorId", author),
        ]
    };
    let refused = visitor.post(new, &post("Sports", "Kim")).await;
    assert_eq!(refused.status, 400, "{}", refused.text);
    has(
        &refused,
        &[
            "Is neither the key nor the title of a record of Category: choose one from the list",
            "value=\"kim\"",
        ],
    );
    let made = visitor.post(new, &post("News", "Kim")).await;
    assert_eq!(made.status, 303, "{}", made.text);
    let stored = server.get("/api/shop/entities/Post/news/typed").await.json();
    assert_eq!((&stored["categoryId"], &stored["authorId"]), (&json!("news"), &json!("kim")));

    // Two records of one title are told apart by their keys.
    let second = json!({ "id": "kim2", "displayName": "Kim", "role": "editor" });
    assert_eq!(server.send(Method::POST, "/api/shop/entities/User", second).await.status, 201);
    let change = "/console/systems/shop/entities/Post/change?categoryId=news&id=typed";
    let form = visitor.get(change).await;
    let was = form.text.split("name=\"was\" value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let refused = visitor.post(change, &[("was", &was), ("authorId", "Kim")]).await;
    assert_eq!(refused.status, 400, "{}", refused.text);
    has(&refused, &["Is the title of several records of User: choose one from the list by its key"]);
    // A stored reference stays, even if its record is gone.
    server.call(Method::DELETE, "/api/shop/entities/User/kim", &server.editor, None, &[]).await;
    let kept = visitor.post(change, &[("was", &was), ("authorId", "kim"), ("title", "Other")]).await;
    assert_eq!(kept.status, 303, "{}", kept.text);
}
