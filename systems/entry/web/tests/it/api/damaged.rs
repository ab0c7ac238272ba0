//! Requests whose items were damaged by another program.

use hansang_core::plan::{Action, Change, Guards, Key, Path, Write};

use super::{EVENTS, decide_all, entered, entry, first_come, guests, own};
use crate::server::Server;
use hansang_testserver::{On, Visitor, has, ok};

hansang_testserver::on_each_store! {
    a_damaged_request_is_set_aside_and_shown_to_operators,
}

async fn a_damaged_request_is_set_aside_and_shown_to_operators(on: On) {
    let server = Server::entry(on).await;
    first_come(&server, "concert", 2).await;
    let guests: [String; 3] = guests(&server).await;
    let mut ids = Vec::new();
    for guest in &guests {
        ids.push(entered(&server, "concert", guest).await);
    }
    let db = &entry(&server).db;
    let key = Key { pk: format!("REQ#{}", ids[1]), sk: "META".to_owned() };
    let path = Path { root: "userId".into(), inside: Vec::new() };
    let action = Action::Update(vec![(path, Change::Remove)]);
    db.store().write(db.table(), Write { key, action, guards: Guards::default() }).await.unwrap();
    decide_all(&server, "concert").await;
    for number in [0, 2] {
        assert_eq!(own(&server, &ids[number], &guests[number]).await.json()["status"], "SUCCEEDED");
    }
    let page = ok(server.get(&format!("{EVENTS}/concert/requests")).await);
    assert_eq!((page["items"].as_array().unwrap().len(), page["damaged"].as_array().unwrap().len()), (2, 1));
    let damaged = &page["damaged"][0];
    assert_eq!((damaged["requestId"].as_str(), &damaged["status"]), (Some(&*ids[1]), &"FAILED_FINAL".into()));
    assert_eq!(ok(server.get(&format!("{EVENTS}/concert/board")).await)["failed"], 1);
    let visitor = Visitor::sign_in(&server, "viewer", "en").await;
    let shown = visitor.get("/console/entry/board/concert/requests").await;
    has(&shown, &["was set aside", &ids[1], "`userId` is required"]);
}
