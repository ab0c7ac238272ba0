//! Lists: what is sorted, how many records there are, times of the reader, and references beyond the first page.

use axum::http::Method;
use serde_json::json;

use hansang_server::Settings;
use hansang_testserver::{On, Response, SHOP, Server, Visitor, has, in_order, lacks, settings};

hansang_testserver::on_each_store! {
    a_list_of_several_pages_says_what_is_sorted,
    counts_and_references_are_bounded,
    ranges_are_in_the_zone_of_the_reader,
    any_attribute_can_be_a_column,
    a_list_shows_what_it_is_sorted_by,
    mixed_results_are_grouped_and_show_amounts,
    an_empty_list_has_a_next_step,
    the_server_may_have_a_zone,
}

/// The content model with this number of categories.
async fn site(on: On, categories: usize) -> Server {
    // The accounts of tests have roles in the system `shop`.
    let model =
        include_str!("../../../../../models/content.yaml").replacen("model: content", "model: shop", 1);
    let server = Server::with(on, &[&model], settings()).await;
    for number in 0..categories {
        let category = json!({ "id": format!("c{number:03}"), "title": format!("Title {number:03}"), "order": number % 7 });
        assert_eq!(server.send(Method::POST, "/api/shop/entities/Category", category).await.status, 201);
    }
    server
}

/// The address of the first link whose text starts like this.
fn link(page: &Response, text: &str) -> String {
    let mut links = page.text.split("<a ").skip(1).filter(|link| link.contains("href=\""));
    let found = links.find(|link| link.split_once('>').is_some_and(|(_, rest)| rest.starts_with(text)));
    let found = found.unwrap_or_else(|| panic!("no {text}: {}", page.text));
    found.split("href=\"").nth(1).unwrap().split('"').next().unwrap().replace("&#38;", "&")
}

async fn a_list_of_several_pages_says_what_is_sorted(on: On) {
    let server = site(on, 12).await;
    let visitor = Visitor::sign_in(&server, "viewer", "en").await;
    let list = "/console/systems/shop/entities/Category?limit=10";
    let newest = visitor.get(list).await;
    in_order(&newest, &["aria-sort=\"descending\"", "Created"]);
    lacks(&newest, &["Only the rows on this page are sorted", "Title 001<"]);
    // The whole list in the order of its index.
    let oldest = visitor.get(&link(&newest, "Created")).await;
    in_order(&oldest, &["aria-sort=\"ascending\"", "Title 000", "Title 001", "Title 009"]);
    lacks(&oldest, &["Title 010", "Only the rows"]);
    // Any other column sorts this page, and the page says so.
    let second = visitor.get(&link(&oldest, "Next")).await;
    let sorted = visitor.get(&link(&second, "Category<")).await;
    in_order(
        &sorted,
        &[
            "Only the rows on this page are sorted",
            "Sort the whole list by Created",
            "Title 010",
            "Title 011",
        ],
    );
    lacks(&sorted, &["Title 009"]);
    let reversed = visitor.get(&link(&sorted, "Category<")).await;
    in_order(&reversed, &["Title 011", "Title 010"]);
    // A list of one page is sorted as a whole.
    let all = visitor.get("/console/systems/shop/entities/Category?sort=order&dir=desc&limit=100").await;
    in_order(&all, &["Title 006", "Title 005", "Title 000"]);
    lacks(&all, &["Only the rows"]);
}

async fn counts_and_references_are_bounded(on: On) {
    let server = site(on, 60).await;
    let user = json!({ "id": "kim", "displayName": "Kim", "role": "editor" });
    assert_eq!(server.send(Method::POST, "/api/shop/entities/User", user).await.status, 201);
    let visitor = Visitor::sign_in(&server, "editor", "en").await;
    let overview = visitor.get("/console/systems/shop").await;
    in_order(
        &overview,
        &[
            "Users</a></th>",
            "data-label=\"Records\">1<",
            "Categories</a></th>",
            "data-label=\"Records\">50+<",
        ],
    );

    // The first page of categories is offered; the others are found by a search.
    let form = visitor.get("/console/systems/shop/entities/Post/new").await;
    let choices = "/console/systems/shop/entities/Post/choices/categoryId";
    has(&form, &[&format!("data-search=\"{choices}\""), "label=\"Title 059\"", "label=\"Kim\""]);
    lacks(&form, &["Title 003", "choices/authorId\""]);
    let found = visitor.get(&format!("{choices}?q=TITLE%20003")).await.json();
    assert_eq!(found, json!([{ "value": "c003", "label": "Title 003" }]));
    assert_eq!(visitor.get(&format!("{choices}?q=c01")).await.json().as_array().unwrap().len(), 10);
    let viewer = Visitor::sign_in(&server, "viewer", "en").await;
    assert_eq!(viewer.get(&format!("{choices}?q=nothing")).await.json(), json!([]));
    assert_eq!(Visitor::signed_out(&server).get(choices).await.status, 303);
    // A record shows the title of what it refers to, on whatever page that is.
    let post =
        json!({ "id": "p1", "categoryId": "c003", "authorId": "kim", "title": "Post", "contents": "" });
    assert_eq!(server.send(Method::POST, "/api/shop/entities/Post", post).await.status, 201);
    let change = visitor.get("/console/systems/shop/entities/Post/change?categoryId=c003&id=p1").await;
    has(&change, &["Title 003"]);
}

async fn ranges_are_in_the_zone_of_the_reader(on: On) {
    let server = site(on, 0).await;
    let visitor = Visitor::sign_in(&server, "viewer", "ko").await;
    let cookie = format!("{}; hansang_zone=Asia%2FSeoul", visitor.cookie);
    let seoul = Visitor { cookie, ..visitor };
    let list = "/console/systems/shop/entities/Post";
    has(&seoul.get(list).await, &["type=\"datetime-local\"", "시간대: Asia/Seoul", "필터 및 검색"]);
    let asked = seoul.get(&format!("{list}?from=2026-11-16T08:30&to=2026-11-17T09:00")).await;
    assert_eq!(asked.status, 200, "{}", asked.text);
    has(&asked, &["2026-11-15T23:30:00", "value=\"2026-11-16T08:30", "value=\"2026-11-17T09:00"]);
    // A value that no picker can show stays as typed, with its problem.
    let wrong = seoul.get(&format!("{list}?from=yesterday")).await;
    assert_eq!(wrong.status, 400);
    has(&wrong, &["type=\"text\" value=\"yesterday\"", "날짜와 시각"]);
}

/// The visitor after choosing columns, with the cookies of the choice.
async fn choose<'s>(visitor: Visitor<'s>, list: &str, columns: &[&str]) -> Visitor<'s> {
    let mut sent = vec![("list", list), ("next", "/console")];
    sent.extend(columns.iter().map(|column| ("column", *column)));
    let chosen = visitor.post("/console/columns", &sent).await;
    assert_eq!(chosen.status, 303, "{}", chosen.text);
    let cookies = chosen.headers.get_all("set-cookie").iter().map(|cookie| cookie.to_str().unwrap());
    let mut cookie = visitor.cookie.clone();
    for one in cookies {
        cookie = format!("{cookie}; {}", one.split(';').next().unwrap());
    }
    Visitor { cookie, ..visitor }
}

async fn any_attribute_can_be_a_column(on: On) {
    let server = site(on, 2).await;
    let visitor = Visitor::sign_in(&server, "viewer", "en").await;
    let list = "/console/systems/shop/entities/Category";
    // The usual columns with values are shown; all others can be chosen.
    let page = visitor.get(list).await;
    has(&page, &["value=\"order\" checked", "value=\"slug\">", "value=\"desc\">", "value=\"id\">"]);
    lacks(&page, &["value=\"title\""]);
    let visitor = choose(visitor, "shop/Category", &[".title", "id", "desc"]).await;
    let page = visitor.get(list).await;
    // A chosen column without values stays chosen.
    has(&page, &["data-label=\"ID\"", "c001", "value=\"desc\" checked", "data-label=\"Description\""]);
    lacks(&page, &["data-label=\"Menu position\"", "value=\"order\" checked"]);
}

async fn a_list_shows_what_it_is_sorted_by(on: On) {
    let texts: String = (0..9).map(|number| format!("t{number}: string?, ")).collect();
    let model = format!(
        "model: shop\ntable: {{ name: Wide, key: {{ pk: PK, sk: SK }}, indexes: {{ GSI1: {{ pk: GSI1PK, sk: GSI1SK }} }} }}\nentities:\n  Wide:\n    key: {{ PK: \"W#{{id}}\", SK: W }}\n    index: {{ GSI1: {{ GSI1PK: ALL, GSI1SK: \"{{rank}}\" }} }}\n    attributes: {{ id: string, {texts}rank: string }}\npatterns:\n  all: {{ entity: Wide, index: GSI1 }}\n"
    );
    let server = Server::with(on, &[&model], settings()).await;
    for (id, rank) in [("one", "b"), ("two", "a")] {
        let texts = (0..9).map(|number| (format!("t{number}"), json!("text")));
        let mut body: serde_json::Map<_, _> = texts.collect();
        body.extend([("id".to_owned(), json!(id)), ("rank".to_owned(), json!(rank))]);
        assert_eq!(server.send(Method::POST, "/api/shop/entities/Wide", body.into()).await.status, 201);
    }
    let visitor = Visitor::sign_in(&server, "viewer", "en").await;
    let page = visitor.get("/console/systems/shop/entities/Wide").await;
    in_order(&page, &["aria-sort=\"ascending\"", ">two<", ">one<"]);
    has(&page, &["data-label=\"Rank\""]);
    lacks(&page, &["data-label=\"T8\""]);
}

async fn mixed_results_are_grouped_and_show_amounts(on: On) {
    let model = include_str!("../../../../../models/ledger.yaml").replacen("model: ledger", "model: shop", 1);
    let server = Server::with(on, &[&model], settings()).await;
    let entries = [
        ("FixedExpense", json!({ "yearMonth": "2026.11", "expenseType": "Rent", "amount": 700_000 })),
        ("LivingExpense", json!({ "yearMonth": "2026.11", "category": "Food", "amount": 123_456 })),
        ("AccountCodes", json!({ "codes": { "Bank": ["Main", "Travel"] } })),
    ];
    for (entity, body) in entries {
        let made = server.send(Method::POST, &format!("/api/shop/entities/{entity}"), body).await;
        assert_eq!(made.status, 201, "{}", made.text);
    }
    let visitor = Visitor::sign_in(&server, "viewer", "en").await;
    let mixed = visitor.get("/console/systems/shop/patterns/monthExpenses?yearMonth=2026-11").await;
    in_order(&mixed, &["<h3 class=\"group\">Fixed", "700,000", "<h3 class=\"group\">Living", "123,456"]);
    // A record without a short field has a row that can be opened.
    let codes = visitor.get("/console/systems/shop/patterns/accountCodes").await;
    let record = link(&codes, "<span class=\"cut\">Account list");
    assert!(record.starts_with("/console/systems/shop/entities/AccountCodes/record"), "{record}");
    has(&visitor.get(&record).await, &["Main", "Travel"]);
}

async fn an_empty_list_has_a_next_step(on: On) {
    let server = site(on, 0).await;
    let visitor = Visitor::sign_in(&server, "editor", "en").await;
    let list = "/console/systems/shop/entities/Category";
    let empty = visitor.get(list).await;
    in_order(&empty, &["No data yet", &format!("href=\"{list}/new?.list="), ">Create Category</a>"]);
    lacks(&empty, &["No record matches"]);
    has(&visitor.get(&format!("{list}?search=x")).await, &["No record matches these parameters."]);
}

/// The zone of the server goes before that of the browser; an account may choose its own.
async fn the_server_may_have_a_zone(on: On) {
    let zone = hansang_ui::time::zone("Asia/Seoul");
    let server =
        Server::with(on, &[hansang_testserver::SHOP], Settings { time_zone: zone, ..settings() }).await;
    let body = json!({ "shelf": "a", "number": 7, "name": "x" });
    assert_eq!(server.send(Method::POST, "/api/shop/entities/Item", body).await.status, 201);
    let visitor = Visitor::sign_in(&server, "viewer", "en").await;
    let record = "/console/systems/shop/entities/Item/record?shelf=a&number=7";
    has(&visitor.get(record).await, &["title=\"2026-11-16 00:00:00 UTC\">2026-11-16 09:00"]);
    let cookie = format!("{}; hansang_zone=Europe%2FParis", visitor.cookie);
    let paris = Visitor { cookie, ..visitor };
    has(&paris.get(record).await, &[">2026-11-16 09:00"]);
    let chosen = paris.post("/console/settings", &[("do", "zone"), ("zone", "Europe/Paris")]).await;
    assert_eq!(chosen.status, 303, "{}", chosen.text);
    has(&paris.get(record).await, &[">2026-11-16 01:00"]);
}

/// Each filter in force has a link to the list without it; what is required has none.
#[tokio::test]
async fn filters_are_removed_one_by_one() {
    let server = Server::with(On::Embedded, &[SHOP], settings()).await;
    let viewer = Visitor::sign_in(&server, "viewer", "en").await;
    let list = "/console/systems/shop/entities/Item/views/itemsOfShelf";
    let page = viewer.get(&format!("{list}?shelf=a&from=3&search=milk")).await;
    let chip = |text: &str, rest: &str| format!("<a class=\"chip\" href=\"{list}?{rest}\">{text}");
    has(
        &page,
        &[
            &chip("Contains: milk", "shelf=a&#38;from=3"),
            &chip("Number from: 3", "shelf=a&#38;search=milk"),
            &format!("<form class=\"filters\" method=\"get\" action=\"{list}\""),
            "Clear all",
        ],
    );
    lacks(&page, &["Shelf: a"]);
    lacks(&viewer.get(&format!("{list}?shelf=a")).await, &["class=\"chip\""]);
}

/// Cancel, and the record that was created, lead back to the list that the form was opened from.
#[tokio::test]
async fn a_new_record_leads_back_to_its_list() {
    let server = Server::with(On::Embedded, &[SHOP], settings()).await;
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    let list = "/console/systems/shop/entities/Item/views/itemsOfShelf?shelf=a";
    let page = editor.get(list).await;
    let link = page.text.split("class=\"button primary\" href=\"").nth(1).unwrap().split('"').next().unwrap();
    assert!(link.starts_with("/console/systems/shop/entities/Item/new?.list="), "{link}");
    let back = "href=\"/console/systems/shop/entities/Item/views/itemsOfShelf?shelf=a\">Cancel";
    has(&editor.get(link).await, &[back, &format!("action=\"{link}\"")]);
    let made = editor.post(link, &[("shelf", "a"), ("number", "1"), ("name", "Milk")]).await;
    assert_eq!(made.status, 303, "{}", made.text);
    has(
        &editor.get(made.header("location")).await,
        &["href=\"/console/systems/shop/entities/Item/views/itemsOfShelf?shelf=a\">← Item"],
    );
    // Without a list it is that of the entity.
    let new = "/console/systems/shop/entities/Item/new";
    has(&editor.get(new).await, &["href=\"/console/systems/shop/entities/Item\">Cancel"]);
}

/// The operations of the last hour are a table, too, and the overview of a system becomes cards on a phone.
#[tokio::test]
async fn figures_and_lists_have_tables() {
    let server = Server::with(On::Embedded, &[SHOP], settings()).await;
    let viewer = Visitor::sign_in(&server, "viewer", "en").await;
    let body = json!({ "hours": "9-18" });
    assert_eq!(server.send(Method::POST, "/api/shop/entities/Opening", body).await.status, 201);
    has(
        &viewer.get("/console/systems/shop").await,
        &["<div class=\"data\"><div class=\"wide\"", "data-label=\"About\""],
    );
    let home = viewer.get("/console").await;
    in_order(
        &home,
        &["class=\"chart-hit\"", "<title>", "Operations per minute</summary>", "<th scope=\"row\">"],
    );
}
