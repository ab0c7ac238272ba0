//! Search: designs and records, as far as the visitor may see them.

use axum::http::Method;
use serde_json::json;

use hansang_testserver::{On, SHOP, Server, Visitor, has, lacks, settings};

#[tokio::test]
async fn designs_and_records_are_found_without_a_scan() {
    let server = Server::with(On::Embedded, &[SHOP], settings()).await;
    server.guest("guest").await;
    let body = json!({ "shelf": "aisle", "number": 7, "name": "Lamp <b>" });
    assert_eq!(server.send(Method::POST, "/api/shop/entities/Item", body).await.status, 201);
    let viewer = Visitor::sign_in(&server, "viewer", "en").await;
    let guest = Visitor::sign_in(&server, "guest", "en").await;
    has(&viewer.get("/console/search?q=SHOP").await, &["<h2>System</h2>", "/console/systems/shop"]);
    has(&viewer.get("/console/search?q=item").await, &["href=\"/console/systems/shop/entities/Item\""]);
    let found = viewer.get("/console/search?q=aisle").await;
    has(&found, &["aisle", "/console/systems/shop/entities/Item/record?"]);
    lacks(&found, &["Lamp <b>"]);
    for text in ["item", "aisle", "shop"] {
        let none = guest.get(&format!("/console/search?q={text}")).await;
        lacks(&none, &["/console/systems/"]);
    }
    has(&guest.get("/console/search?q=aisle").await, &["No results"]);
    let long = "x".repeat(5000);
    assert_eq!(viewer.get(&format!("/console/search?q={long}")).await.status, 200);
    let hostile = viewer.get("/console/search?q=%3Cscript%3E").await;
    lacks(&hostile, &["<script>alert", "value=\"<script"]);
}

#[tokio::test]
async fn pages_are_found_by_those_who_may_open_them() {
    let server = Server::with(On::Embedded, &[SHOP], settings()).await;
    let pages = [
        ("accounts", "/console/settings/accounts", "admin"),
        ("audit", "/console/settings/audit", "admin"),
        ("import", "/console/systems/shop/import", "editor"),
        ("model", "/console/systems/shop/model", "viewer"),
        ("data", "/console/systems/shop", "viewer"),
    ];
    let ranks = ["viewer", "editor", "admin"];
    for (rank, login) in ranks.iter().enumerate() {
        let visitor = Visitor::sign_in(&server, login, "en").await;
        for (text, address, least) in pages {
            let found = visitor.get(&format!("/console/search?q={text}")).await;
            let link = format!("<a href=\"{address}\">");
            let may = rank >= ranks.iter().position(|one| *one == least).unwrap();
            assert_eq!(found.text.contains(&link), may, "{login} {text}: {}", found.text);
            assert!(!may || visitor.get(address).await.status == 200, "{login} {address}");
        }
    }
}
