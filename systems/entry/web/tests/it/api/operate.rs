//! Operations of operators.

use axum::http::Method;
use expect_test::expect;
use serde_json::{Value as Json, json};

use super::{
    EVENTS, HOUR, REQUESTS, decide_all, enter, entered, failed, first_come, from_now, guests, operate, own,
};
use crate::server::Server;
use hansang_testserver::On;
use hansang_testserver::{ok, refusal};

hansang_testserver::on_each_store! {
    an_event_is_made_shown_and_listed,
    an_event_is_paused_resumed_closed_and_announced,
    the_capacity_never_falls_below_the_taken_seats,
    requests_are_listed_in_queue_order_with_their_log,
    a_failed_request_is_decided_again,
    an_event_is_edited_and_deleted,
    requests_are_filtered_by_status,
}

async fn an_event_is_made_shown_and_listed(on: On) {
    let server = Server::entry(on).await;
    let body = json!({
        "eventId": "a/b 상?", "title": "Concert", "eventType": "FIRST_COME", "capacityTotal": 2,
        "opensAt": "2026-11-16T09:00:00+09:00", "closesAt": "2026-11-17T00:00:00Z",
    });
    let made = server.send(Method::POST, EVENTS, body).await;
    let location = made.header("location").to_owned();
    expect![[r#"
        201
        {
          "eventId": "a/b 상?",
          "title": "Concert",
          "eventType": "FIRST_COME",
          "status": "open",
          "phase": "open",
          "opensAt": "…",
          "closesAt": "…",
          "settleSeconds": 3,
          "capacityTotal": 2
        }"#]]
    .assert_eq(&made.shown());
    assert_eq!(made.json()["opensAt"], "2026-11-16T00:00:00.000Z");
    let [ann] = guests(&server).await;
    let shown = server.call(Method::GET, &location, &ann, None, &[]).await;
    assert_eq!(ok(shown), made.json());
    let unnamed = json!({
        "title": "Raffle", "eventType": "LOTTERY", "winners": 3, "opensAt": from_now(&server, 60),
        "lotteryCutoffAt": from_now(&server, 120), "closesAt": from_now(&server, 180), "settleSeconds": 0,
    });
    let unnamed = ok(server.send(Method::POST, EVENTS, unnamed).await);
    assert_eq!((unnamed["eventId"].as_str().unwrap().len(), &unnamed["phase"]), (26, &json!("before")));
    let listed = ok(server.call(Method::GET, EVENTS, &ann, None, &[]).await);
    assert_eq!(listed["items"], json!([unnamed, made.json()]), "sorted by opening time, latest first");
}

/// Es28
async fn an_event_is_paused_resumed_closed_and_announced(on: On) {
    let server = Server::entry(on).await;
    first_come(&server, "concert", 1).await;
    let [ann, bob] = guests(&server).await;
    let id = entered(&server, "concert", &ann).await;
    let turned = async |verb: &str| ok(operate(&server, "concert", verb).await)["status"].clone();
    assert_eq!(turned("pause").await, "paused");
    assert_eq!(refusal(&enter(&server, "concert", &bob).await), (409, "event_paused".to_owned()));
    decide_all(&server, "concert").await;
    assert_eq!(own(&server, &id, &ann).await.json()["status"], "QUEUED", "nothing is decided while paused");
    assert_eq!(turned("resume").await, "open");
    assert_eq!(turned("close").await, "closed");
    assert_eq!(refusal(&enter(&server, "concert", &bob).await), (409, "event_closed".to_owned()));
    let early = operate(&server, "concert", "announce").await;
    assert_eq!(refusal(&early), (409, "not_decided".to_owned()));
    decide_all(&server, "concert").await;
    let announced = ok(operate(&server, "concert", "announce").await);
    assert!(announced["announcedAt"].is_string() && announced["status"] == "announced");
}

/// Es29
async fn the_capacity_never_falls_below_the_taken_seats(on: On) {
    let server = Server::entry(on).await;
    first_come(&server, "concert", 2).await;
    let people: [String; 3] = guests(&server).await;
    for who in &people[..2] {
        entered(&server, "concert", who).await;
    }
    decide_all(&server, "concert").await;
    let path = format!("{EVENTS}/concert/places");
    let below = server.send(Method::PUT, &path, json!({ "places": 1 })).await;
    assert_eq!(refusal(&below), (409, "capacity_below_given".to_owned()));
    assert_eq!(ok(server.send(Method::PUT, &path, json!({ "places": 3.0 })).await)["capacityTotal"], 3);
    let id = entered(&server, "concert", &people[2]).await;
    decide_all(&server, "concert").await;
    assert_eq!(own(&server, &id, &people[2]).await.json()["resultCode"], "SUCCESS");
    let board = ok(server.get(&format!("{EVENTS}/concert/board")).await);
    assert_eq!(
        (&board["capacity"], &board["succeeded"]),
        (&json!({ "total": 3, "remaining": 0 }), &json!(3))
    );
}

/// Es27
async fn requests_are_listed_in_queue_order_with_their_log(on: On) {
    let server = Server::entry(on).await;
    first_come(&server, "concert", 1).await;
    let people: [String; 3] = guests(&server).await;
    let mut ids = Vec::new();
    for who in &people {
        ids.push(entered(&server, "concert", who).await);
    }
    let path = format!("{EVENTS}/concert/requests");
    let first = ok(server.get(&format!("{path}?limit=2")).await);
    let next = ok(server.get(&format!("{path}?limit=2&cursor={}", first["next"].as_str().unwrap())).await);
    let of = |page: &Json| page["items"].as_array().unwrap().clone();
    let listed: Vec<_> = of(&first)
        .iter()
        .chain(&of(&next))
        .map(|one| one["requestId"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(listed, ids);
    let board = ok(server.get(&format!("{EVENTS}/concert/board")).await);
    assert_eq!((&board["queued"], &board["oldestQueuedAt"]), (&json!(3), &of(&first)[0]["queuedAt"]));
    assert_eq!(board["queue"]["visible"], 3);

    decide_all(&server, "concert").await;
    let watched = ok(server.get(&format!("/api/entry/operator/requests/{}", ids[1])).await);
    let steps: Vec<_> = watched["log"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| (line["from"].clone(), line["to"].clone()))
        .collect();
    let names = [Json::Null, json!("RECEIVED"), json!("QUEUED"), json!("PROCESSING"), json!("REJECTED")];
    let expected: Vec<_> = names.windows(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect();
    assert_eq!(steps, expected);
    assert_eq!((&watched["resultCode"], &watched["attempts"]), (&json!("REJECTED_CAPACITY"), &json!(1)));
}

async fn a_failed_request_is_decided_again(on: On) {
    let server = Server::entry(on).await;
    first_come(&server, "concert", 1).await;
    let [ann, bob] = guests(&server).await;
    let id = failed(&server, "concert", &ann).await;
    let seen = own(&server, &id, &ann).await;
    assert_eq!(
        (&seen.json()["failureClass"], seen.json()["errorMessage"].as_str(), seen.header("retry-after")),
        (&json!("NON_RETRYABLE"), Some("it could not be decided"), "")
    );
    let path = format!("{REQUESTS}/{id}/redrive");
    let again = ok(server.call(Method::POST, &path, &server.editor, None, &[]).await);
    assert_eq!((&again["status"], again.get("failureClass")), (&json!("QUEUED"), None));
    entered(&server, "concert", &bob).await;
    server.later(HOUR / 60);
    decide_all(&server, "concert").await;
    assert_eq!(
        own(&server, &id, &ann).await.json()["resultCode"],
        "SUCCESS",
        "it kept its position in the queue"
    );
    let twice = server.call(Method::POST, &path, &server.editor, None, &[]).await;
    assert_eq!(refusal(&twice), (409, "request_not_failed".to_owned()));
}

async fn an_event_is_edited_and_deleted(on: On) {
    let server = Server::entry(on).await;
    first_come(&server, "concert", 2).await;
    let body = json!({
        "eventId": "later", "title": "Later", "eventType": "FIRST_COME", "capacityTotal": 2,
        "opensAt": from_now(&server, 60), "closesAt": from_now(&server, 120),
    });
    assert_eq!(server.send(Method::POST, EVENTS, body).await.status, 201);
    let later = format!("{EVENTS}/later");
    let closes = from_now(&server, 600);
    let changes = json!({ "title": "Sooner", "closesAt": closes, "settleSeconds": 9 });
    let edited = ok(server.send(Method::PATCH, &later, changes).await);
    assert_eq!(
        (&edited["title"], &edited["closesAt"], &edited["settleSeconds"]),
        (&json!("Sooner"), &json!(closes), &json!(9))
    );
    let fixed = json!({ "title": "x", "settleSeconds": 1, "opensAt": closes });
    let refused = server.send(Method::PATCH, &format!("{EVENTS}/concert"), fixed).await;
    assert_eq!(refusal(&refused), (409, "event_fixed".to_owned()));
    assert_eq!(refused.json()["errors"].as_array().map(Vec::len), Some(2), "{}", refused.text);
    let wrong = json!({ "settleSeconds": -1, "opensAt": "soon" });
    let refused = server.send(Method::PATCH, &later, wrong).await;
    assert_eq!(refusal(&refused), (400, "invalid_fields".to_owned()));
    let [ann] = guests(&server).await;
    for (method, body) in [(Method::PATCH, Some(json!({}))), (Method::DELETE, None)] {
        assert_eq!(server.call(method, &later, &ann, body, &[]).await.status, 403);
    }
    let delete = async |id: &str| {
        server.call(Method::DELETE, &format!("{EVENTS}/{id}"), &server.editor, None, &[]).await
    };
    assert_eq!(refusal(&delete("concert").await), (409, "event_running".to_owned()));
    assert_eq!(delete("later").await.status, 204);
    assert_eq!(refusal(&delete("later").await), (404, "event_unknown".to_owned()));
}

async fn requests_are_filtered_by_status(on: On) {
    let server = Server::entry(on).await;
    first_come(&server, "concert", 1).await;
    let people: [String; 3] = guests(&server).await;
    for who in &people {
        entered(&server, "concert", who).await;
    }
    decide_all(&server, "concert").await;
    let count = async |status: &str| {
        let page = server.get(&format!("{EVENTS}/concert/requests?status={status}")).await;
        ok(page)["items"].as_array().unwrap().len()
    };
    assert_eq!((count("SUCCEEDED").await, count("REJECTED").await, count("QUEUED").await), (1, 2, 0));
    let wrong = server.get(&format!("{EVENTS}/concert/requests?status=LOST")).await;
    assert_eq!(refusal(&wrong), (400, "status_unknown".to_owned()));
}
