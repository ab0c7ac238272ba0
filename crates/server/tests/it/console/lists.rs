//! Lists: what is sorted, how many records there are, times of the reader, and references beyond the first page.

use axum::http::Method;
use serde_json::json;

use hansang_testserver::{On, Response, Server, Visitor, has, in_order, lacks, settings};

hansang_testserver::on_each_store! {
    a_list_of_several_pages_says_what_is_sorted,
    counts_and_references_are_bounded,
    ranges_are_in_the_zone_of_the_reader,
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
        &["Users</a></th><td class=\"number\">1<", "Categories</a></th><td class=\"number\">50+<"],
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
