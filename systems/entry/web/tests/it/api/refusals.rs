//! Rejected requests, each with its code and without a write.

use axum::http::Method;
use serde_json::{Value as Json, json};

use super::{
    EVENTS, HOUR, decide_all, enter, entered, everything, first_come, from_now, guests, lottery, operate,
};
use crate::server::Server;
use hansang_testserver::On;
use hansang_testserver::refusal;

hansang_testserver::on_each_store! {
    invalid_entries_are_rejected_without_a_write,
    invalid_operations_are_rejected_without_a_write,
    invalid_events_are_rejected,
}

async fn invalid_entries_are_rejected_without_a_write(on: On) {
    let server = Server::entry(on).await;
    let [ann] = guests(&server).await;
    for event in ["paused", "closed", "past"] {
        first_come(&server, event, 5).await;
    }
    for (event, verb) in [("paused", "pause"), ("closed", "close")] {
        assert_eq!(operate(&server, event, verb).await.status, 200);
    }
    server.later(HOUR * 2);
    let body = json!({
        "eventId": "future", "title": "Later", "eventType": "FIRST_COME", "capacityTotal": 1,
        "opensAt": from_now(&server, 3600), "closesAt": from_now(&server, 7200),
    });
    assert_eq!(server.send(Method::POST, EVENTS, body).await.status, 201);
    let long = "x".repeat(65);
    let longer = "x".repeat(3000);
    let before = everything(&server).await;
    for (event, status, code) in [
        ("nowhere", 404, "event_unknown"),
        ("future", 409, "event_not_open"),
        ("paused", 409, "event_paused"),
        ("closed", 409, "event_closed"),
        ("past", 409, "event_closed"),
        ("a%23b", 400, "invalid_fields"),
        ("a%00b", 400, "invalid_fields"),
        ("a%0Ab", 400, "invalid_fields"),
        ("a%C2%85b", 400, "invalid_fields"),
        ("%FF", 400, "malformed_path"),
        (&*long, 400, "invalid_fields"),
        (&*longer, 400, "invalid_fields"),
    ] {
        let answer = enter(&server, event, &ann).await;
        assert_eq!(refusal(&answer), (status, code.to_owned()), "{event}");
        // The time is known only of an event that opens later.
        let wait =
            answer.headers.get("retry-after").map(|wait| wait.to_str().unwrap().parse::<u64>().unwrap());
        assert_eq!(wait.is_some(), event == "future", "{event}: {wait:?}");
        assert!(wait.is_none_or(|wait| (3500..=3600).contains(&wait)), "{event}: {wait:?}");
    }
    assert_eq!(everything(&server).await, before);
}

async fn invalid_operations_are_rejected_without_a_write(on: On) {
    let server = Server::entry(on).await;
    let [ann] = guests(&server).await;
    first_come(&server, "concert", 2).await;
    lottery(&server, "raffle", 2).await;
    let id = entered(&server, "concert", &ann).await;
    decide_all(&server, "concert").await;
    let missing = "01JZZZZZZZZZZZZZZZZZZZZZZZ";
    let watch_missing = format!("operator/requests/{missing}");
    let redrive_missing = format!("requests/{missing}/redrive");
    let redrive_decided = format!("requests/{id}/redrive");
    let before = everything(&server).await;
    for (method, path, body, status, code) in [
        (Method::PUT, "events/concert/places", json!({ "places": 0 }), 400, "invalid_fields"),
        (Method::PUT, "events/concert/places", json!({ "places": -1 }), 400, "invalid_fields"),
        (Method::PUT, "events/raffle/places", json!({ "places": -1 }), 400, "invalid_fields"),
        (Method::PUT, "events/concert/places", json!({ "places": 1.5 }), 400, "invalid_body"),
        (Method::PUT, "events/concert/places", json!({ "places": null }), 400, "invalid_body"),
        (Method::PUT, "events/concert/places", json!({}), 400, "invalid_body"),
        (Method::PUT, "events/nowhere/places", json!({ "places": 1 }), 404, "event_unknown"),
        (Method::POST, "events/raffle/draw", Json::Null, 409, "draw_too_early"),
        (Method::POST, "events/concert/draw", Json::Null, 409, "not_a_lottery"),
        (Method::POST, "events/nowhere/draw", Json::Null, 404, "event_unknown"),
        (Method::POST, "events/concert/resume", Json::Null, 409, "event_wrong_state"),
        (Method::POST, "events/concert/announce", Json::Null, 409, "event_not_closed"),
        (Method::POST, "events/nowhere/pause", Json::Null, 404, "event_unknown"),
        (Method::POST, "events/a%23b/close", Json::Null, 400, "invalid_fields"),
        (Method::POST, "events/concert/pause?now=true", Json::Null, 400, "unknown_parameter"),
        (Method::GET, "events/nowhere/board", Json::Null, 404, "event_unknown"),
        (Method::GET, "events/nowhere/board/live", Json::Null, 404, "event_unknown"),
        (Method::GET, "events/nowhere/requests", Json::Null, 404, "event_unknown"),
        (Method::GET, "events/concert/requests?limit=0", Json::Null, 400, "invalid_page_size"),
        (Method::GET, "events/concert/requests?cursor=abc", Json::Null, 400, "invalid_cursor"),
        (Method::GET, "operator/requests/x", Json::Null, 400, "invalid_fields"),
        (Method::GET, &*watch_missing, Json::Null, 404, "request_unknown"),
        (Method::POST, &*redrive_missing, Json::Null, 404, "request_unknown"),
        (Method::POST, &*redrive_decided, Json::Null, 409, "request_not_failed"),
    ] {
        let body = Some(body).filter(|body| !body.is_null());
        let path = format!("/api/entry/{path}");
        let answer = server.call(method, &path, &server.editor, body, &[]).await;
        assert_eq!(refusal(&answer), (status, code.to_owned()), "{path}");
    }
    assert_eq!(everything(&server).await, before);
}

async fn invalid_events_are_rejected(on: On) {
    let server = Server::entry(on).await;
    first_come(&server, "taken", 1).await;
    let good = json!({
        "eventId": "fine", "title": "Fine", "eventType": "FIRST_COME", "capacityTotal": 1,
        "opensAt": from_now(&server, 60), "closesAt": from_now(&server, 120),
    });
    let with = |changes: Json| {
        let mut body = good.clone();
        for (name, value) in changes.as_object().unwrap() {
            match value {
                Json::Null => drop(body.as_object_mut().unwrap().remove(name)),
                value => body[name] = value.clone(),
            }
        }
        body
    };
    let cutoff = |seconds| {
        json!({
            "eventType": "LOTTERY", "capacityTotal": null, "winners": 1,
            "lotteryCutoffAt": from_now(&server, seconds),
        })
    };
    let before = everything(&server).await;
    for (changes, status, code) in [
        (json!({ "eventId": "taken" }), 409, "event_exists"),
        (json!({ "eventId": "a#b" }), 400, "invalid_fields"),
        (json!({ "eventId": "a\u{0}" }), 400, "invalid_fields"),
        (json!({ "eventId": "" }), 400, "invalid_fields"),
        (json!({ "eventId": "x".repeat(65) }), 400, "invalid_fields"),
        (json!({ "title": "" }), 400, "invalid_fields"),
        (json!({ "title": null }), 400, "invalid_body"),
        (json!({ "eventType": "AUCTION" }), 400, "event_type_unknown"),
        (json!({ "capacityTotal": -1 }), 400, "event_invalid"),
        (json!({ "capacityTotal": null }), 400, "invalid_body"),
        (json!({ "winners": 1 }), 400, "invalid_body"),
        (json!({ "opensAt": "tomorrow" }), 400, "invalid_fields"),
        (json!({ "closesAt": from_now(&server, 1) }), 400, "event_invalid"),
        (json!({ "settleSeconds": -1 }), 400, "invalid_fields"),
        (json!({ "settleSeconds": 3601 }), 400, "invalid_fields"),
        (json!({ "status": "closed" }), 400, "invalid_body"),
        (cutoff(121), 400, "event_invalid"),
        (cutoff(59), 400, "event_invalid"),
    ] {
        let answer = server.send(Method::POST, EVENTS, with(changes.clone())).await;
        assert_eq!(refusal(&answer), (status, code.to_owned()), "{changes}");
    }
    assert_eq!(everything(&server).await, before);
    assert_eq!(server.send(Method::POST, EVENTS, good).await.status, 201);
}
