//! Items that another program wrote, or that are older than the model: they are readable as they are, and can be
//! repaired.

use axum::http::Method;
use hansang_core::value::json::item_from_plain;
use serde_json::{Value as Json, json};

use hansang_testserver::{On, SHOP, Server, Visitor, has, ok, refusal};

hansang_testserver::on_each_store! {
    a_page_has_items_that_break_rules,
    an_update_keeps_unknown_attributes_and_repairs,
    a_write_is_answered_after_the_model_lost_an_attribute,
    an_unknown_parameter_never_writes,
    a_page_ends_at_its_size_limit,
    a_batch_of_large_records_is_refused,
}

const ITEM: &str = "/api/shop/entities/Item/a/1";
const SHELF: &str = "/api/shop/patterns/itemsOfShelf?shelf=a";

/// Stores an item of shelf `a` as another program would.
async fn put(server: &Server, sk: &str, fields: Json) {
    let mut item = json!({
        "PK": "SHELF#a", "SK": sk, "shelf": "a", "number": 1, "name": "one", "price": 0, "stock": 10,
        "state": "draft", "version": 1, "createdAt": "2026-11-16T00:00:00Z", "updatedAt": "2026-11-16T00:00:00Z",
    });
    for (name, value) in fields.as_object().unwrap() {
        item[name] = value.clone();
    }
    let mut item = item_from_plain(&item).unwrap();
    item.retain(|_, value| value.as_str() != Some("-"));
    let db = server.db(SHOP);
    db.store().batch_put(db.table(), vec![item]).await.unwrap();
}

fn fields(record: &Json) -> Vec<&str> {
    record["$problems"].as_array().unwrap().iter().map(|one| one["field"].as_str().unwrap()).collect()
}

async fn a_page_has_items_that_break_rules(on: On) {
    let server = Server::start(on).await;
    put(&server, "ITEM#0001", json!({})).await;
    put(&server, "ITEM#0002", json!({ "number": 2, "maker": "ann" })).await;
    put(&server, "ITEM#0003", json!({ "number": 3, "notes": null })).await;
    put(&server, "ITEM#0004", json!({ "number": 4, "createdAt": "2026-11-16T00:00:00.123Z" })).await;
    put(&server, "ITEM#0005", json!({ "number": 5, "updatedAt": "2026-11-16T00:00:00+00:00" })).await;
    put(&server, "ITEM#0006", json!({ "number": 6, "stock": -1 })).await;
    put(&server, "ITEM#0007", json!({ "number": 7, "name": "-" })).await;
    put(&server, "ITEM#8", json!({ "number": 8 })).await;
    let page = ok(server.get(SHELF).await);
    let items = page["items"].as_array().unwrap();
    assert_eq!((items.len(), items[0].get("$problems")), (8, None));
    let expected = ["maker", "notes", "createdAt", "updatedAt", "stock", "name"];
    for (item, field) in items[1..7].iter().zip(expected) {
        assert_eq!((fields(item), &item["$entity"]), (vec![field], &json!("Item")), "{item}");
    }
    assert_eq!(
        (&items[1]["maker"], &items[3]["createdAt"]),
        (&json!("ann"), &json!("2026-11-16T00:00:00.123Z"))
    );
    assert_eq!((&items[7]["$item"]["SK"]["S"], fields(&items[7])), (&json!("ITEM#8"), vec!["PK"]));
    assert_eq!(ok(server.get("/api/shop/entities/Item/a/2").await), items[1]);
    let keys = json!({ "entity": "Item", "keys": [{ "shelf": "a", "number": 6 }] });
    let found = ok(server.send(Method::POST, "/api/shop/batch-get", keys).await);
    assert_eq!(fields(&found["items"][0]), ["stock"]);
    let lines = server.get("/api/shop/export?format=records").await;
    assert_eq!(lines.text.lines().count(), 7);

    let visitor = Visitor::sign_in(&server, "editor", "en").await;
    let list = visitor.get("/console/systems/shop/patterns/itemsOfShelf?shelf=a").await;
    assert_eq!((list.status, list.text.matches(">Problems<").count()), (200, 6));
    has(&list, &["Not of this model", "ITEM#8"]);
    let one = visitor.get("/console/systems/shop/entities/Item/record?shelf=a&number=2").await;
    has(&one, &["<code>maker</code> is not an attribute of Item", "ann"]);
    assert_eq!(visitor.get("/console/systems/shop/entities/Item/change?shelf=a&number=2").await.status, 200);
}

async fn an_update_keeps_unknown_attributes_and_repairs(on: On) {
    let server = Server::start(on).await;
    put(&server, "ITEM#0001", json!({ "maker": "ann", "stock": -1, "name": "-" })).await;
    let patch = async |body: Json| server.send(Method::PATCH, ITEM, body).await;
    let changed = ok(patch(json!({ "price": 2 })).await);
    assert_eq!((fields(&changed), &changed["maker"]), (vec!["maker", "name", "stock"], &json!("ann")));
    let changed = ok(patch(json!({ "stock": 3, "name": "one" })).await);
    assert_eq!(fields(&changed), ["maker"]);
    // The record can be sent back as it was read, and keeps the attribute also if it is left out.
    let replaced = ok(server.send(Method::PUT, ITEM, changed.clone()).await);
    assert_eq!((fields(&replaced), &replaced["maker"]), (vec!["maker"], &json!("ann")));
    let mut other = changed;
    other["maker"] = "bob".into();
    assert_eq!(refusal(&server.send(Method::PUT, ITEM, other).await), (400, "invalid_fields".to_owned()));
    let replaced = ok(server.send(Method::PUT, ITEM, json!({ "name": "two" })).await);
    assert_eq!(replaced["maker"], "ann");
    assert_eq!(refusal(&patch(json!({ "nothing": null })).await), (400, "invalid_fields".to_owned()));
    assert_eq!(refusal(&patch(json!({ "maker": "bob" })).await), (400, "invalid_fields".to_owned()));
    let repaired = ok(patch(json!({ "maker": null })).await);
    assert_eq!((repaired.get("maker"), repaired.get("$problems")), (None, None));
}

async fn a_write_is_answered_after_the_model_lost_an_attribute(on: On) {
    let mut server = Server::start(on).await;
    let body = json!({ "shelf": "a", "number": 1, "name": "one", "notes": ["x"] });
    ok(server.send(Method::POST, "/api/shop/entities/Item", body).await);
    let without = SHOP.replace("      notes:  { list: string, optional: true }\n", "");
    assert_ne!(without, SHOP);
    server.load(&[&without]).await;
    let changed = ok(server.send(Method::PATCH, ITEM, json!({ "name": "two" })).await);
    assert_eq!(
        (&changed["name"], &changed["notes"], &changed["version"]),
        (&json!("two"), &json!(["x"]), &json!(2))
    );
    let audit = server.call(Method::GET, "/api/audit", &server.admin, None, &[]).await;
    assert!(!audit.text.contains("FAILED"), "{}", audit.text);
}

async fn an_unknown_parameter_never_writes(on: On) {
    let server = Server::start(on).await;
    put(&server, "ITEM#0001", json!({})).await;
    let dry = server.call(Method::DELETE, &format!("{ITEM}?dryRun=true"), &server.editor, None, &[]).await;
    assert_eq!(refusal(&dry), (400, "unknown_parameter".to_owned()));
    let read = server.get(&format!("{ITEM}?filed=name")).await;
    let detail = read.json()["detail"].as_str().unwrap().to_owned();
    assert_eq!(
        (read.status, detail.contains("`filed`"), detail.contains("fields")),
        (400, true, true),
        "{detail}"
    );
    for (method, path) in [
        (Method::POST, "/api/shop/entities/Item?dryRun=true"),
        (Method::PUT, "/api/shop/entities/Item/a/1?dryRun=true"),
        (Method::PATCH, "/api/shop/entities/Item/a/1?dryRun=true"),
        (Method::POST, "/api/shop/transactions?dryRun=true"),
        (Method::POST, "/api/shop/batch-get?dryRun=true"),
        (Method::POST, "/api/shop/import?dryRun=true"),
    ] {
        let answer = server.send(method, path, json!({ "name": "x" })).await;
        assert_eq!(refusal(&answer), (400, "unknown_parameter".to_owned()), "{path}");
    }
    let visitor = Visitor::sign_in(&server, "editor", "en").await;
    let path = "/console/systems/shop/entities/Item/delete?shelf=a&number=1";
    let page = visitor.get(path).await;
    let was = page.text.split("name=\"was\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    assert_eq!(visitor.post(&format!("{path}&dryRun=true"), &[("was", was)]).await.status, 400);
    assert_eq!(ok(server.get(ITEM).await)["version"], 1);
    assert_eq!(visitor.post(path, &[("was", was)]).await.status, 303);
}

async fn a_page_ends_at_its_size_limit(on: On) {
    let server = Server::start(on).await;
    for number in 0..6 {
        let fields = json!({ "number": number, "notes": ["x".repeat(300 * 1024)] });
        put(&server, &format!("ITEM#{number:04}"), fields).await;
    }
    let mut numbers = Vec::new();
    let mut path = format!("{SHELF}&limit=1000");
    loop {
        let answer = server.get(&path).await;
        assert!(answer.text.len() < 1200 * 1024, "{}", answer.text.len());
        let page = ok(answer);
        numbers.push(page["items"].as_array().unwrap().len());
        match page["next"].as_str() {
            Some(next) => path = format!("{SHELF}&limit=1000&cursor={next}"),
            None => break,
        }
    }
    assert_eq!(numbers, [3, 3]);
}

/// Generated clients send defaults: where absence means unchanged, they would overwrite stored values.
#[tokio::test]
async fn schemas_of_changes_have_no_defaults() {
    fn defaults(json: &Json) -> usize {
        match json {
            Json::Object(members) => {
                usize::from(members.contains_key("default")) + members.values().map(defaults).sum::<usize>()
            }
            Json::Array(values) => values.iter().map(defaults).sum(),
            _ => 0,
        }
    }
    let server = Server::start(On::Embedded).await;
    let schemas = &server.document["components"]["schemas"];
    assert_eq!(defaults(&schemas["shop.Item.Move"]), 0, "{}", schemas["shop.Item.Move"]);
    assert_eq!(defaults(&schemas["shop.Item.Patch"]), 0, "{}", schemas["shop.Item.Patch"]);
    assert_eq!(schemas["shop.Item.Put"]["properties"]["state"].get("default"), None);
    assert!(defaults(&schemas["shop.Item.Input"]) > 0);
}

async fn a_batch_of_large_records_is_refused(on: On) {
    let server = Server::start(on).await;
    for number in 0..15 {
        let fields = json!({ "number": number, "notes": ["x".repeat(300 * 1024)] });
        put(&server, &format!("ITEM#{number:04}"), fields).await;
    }
    let ask = async |count: u64, more: Json| {
        let keys: Vec<Json> = (0..count).map(|number| json!({ "shelf": "a", "number": number })).collect();
        let mut body = json!({ "entity": "Item", "keys": keys });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        server.call(Method::POST, "/api/shop/batch-get", &server.editor, Some(body), &[]).await
    };
    let some = ask(12, json!({})).await;
    assert_eq!((some.status, some.json()["items"].as_array().unwrap().len()), (200, 12));
    let refused = ask(15, json!({})).await;
    assert_eq!((refused.status, &refused.json()["code"]), (400, &json!("too_many_bytes")));
    let named = ask(15, json!({ "fields": ["shelf", "number", "name"] })).await;
    assert_eq!((named.status, named.json()["items"].as_array().unwrap().len()), (200, 15));
}
