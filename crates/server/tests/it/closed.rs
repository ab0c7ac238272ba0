//! Entities that only the operations of their system write.

use std::sync::Arc;

use axum::http::Method;
use hansang_server::Records;
use hansang_testserver::{On, SHOP, Server, Visitor, has, lacks, ok, refusal};
use serde_json::json;

hansang_testserver::on_each_store! {
    only_open_entities_are_written_generically,
}

async fn only_open_entities_are_written_generically(on: On) {
    let server = Server::start(on).await;
    let item = json!({ "shelf": "a", "number": 1, "name": "one" });
    ok(server.send(Method::POST, "/api/shop/entities/Item", item.clone()).await);
    let db = server.db(SHOP).closing(["Item"]);
    server.app.load(vec![Arc::new(Records::new(db))]);

    // They are read as before, and the others are written as before.
    assert_eq!(ok(server.get("/api/shop/entities/Item/a/1").await)["name"], "one");
    ok(server.send(Method::PUT, "/api/shop/entities/Opening/-", json!({ "hours": "9-18" })).await);
    assert_eq!(server.send(Method::POST, "/api/shop/entities/Item", item.clone()).await.status, 404);
    assert_eq!(server.send(Method::PUT, "/api/shop/entities/Item/a/1", item.clone()).await.status, 405);
    let create = json!({ "operations": [{ "create": { "entity": "Item", "fields": item } }] });
    let refused = server.send(Method::POST, "/api/shop/transactions", create).await;
    assert_eq!(refusal(&refused), (409, "closed_entity".to_owned()));
    let detail = refused.json()["detail"].as_str().unwrap().to_owned();
    assert!(detail.ends_with("Item is written by the operations of `shop` alone: see its API"), "{detail}");

    let export = server.get("/api/shop/export").await.text;
    let records = "{\"$entity\":\"Item\",\"shelf\":\"a\",\"number\":2,\"name\":\"two\"}\n\
                   {\"$entity\":\"Opening\",\"hours\":\"10-18\"}\n";
    for (format, lines, stored) in [("records", records, 1), ("items", &*export, 1)] {
        let path = format!("/api/shop/import?format={format}");
        let token = format!("Bearer {}", server.editor);
        let headers = [("authorization", &*token), ("content-type", "application/x-ndjson")];
        let sum = ok(server.raw(Method::POST, &path, &headers, lines.to_owned().into()).await);
        assert_eq!(sum["stored"], stored, "{sum}");
        assert_eq!(sum["problems"][0]["code"], "closed_entity", "{sum}");
    }

    let editor = Visitor::sign_in(&server, "editor", "en").await;
    lacks(
        &editor.get("/console/systems/shop/entities/Item").await,
        &["Create Item", "/entities/Item/new", "value=\"delete\""],
    );
    lacks(
        &editor.get("/console/systems/shop/entities/Item/record?shelf=a&number=1").await,
        &["Edit", "Delete"],
    );
    assert_eq!(editor.get("/console/systems/shop/entities/Item/new").await.status, 404);
    let overview = editor.get("/console/systems/shop").await;
    has(&overview, &["/entities/Opening/new"]);
    lacks(&overview, &["/entities/Item/new"]);
}
