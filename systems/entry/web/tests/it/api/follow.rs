//! Streams of server-sent events.

use hansang_server::Settings;
use serde_json::json;

use super::{
    EVENTS, HOUR, REQUESTS, Stream, decide_all, entered, first_come, guests, lottery, operate, own, put_to,
};
use crate::server::{Server, settings};
use hansang_testserver::On;
use hansang_testserver::ok;

hansang_testserver::on_each_store! {
    each_step_of_a_request_is_sent_until_its_result,
    the_board_is_sent_repeatedly,
}

/// Es24
async fn each_step_of_a_request_is_sent_until_its_result(on: On) {
    let server = Server::entry(on).await;
    first_come(&server, "concert", 1).await;
    let [ann] = guests(&server).await;
    let id = entered(&server, "concert", &ann).await;
    let path = format!("{REQUESTS}/{id}/live");
    let mut steps = Stream::open(&server, &path, &ann).await;
    assert_eq!(steps.next("status").await.unwrap()["status"], "QUEUED");
    put_to(&server, &id, &[("status", "PROCESSING"), ("startedAt", "2026-11-16T00:00:00.000Z")]).await;
    assert_eq!(steps.next("status").await.unwrap()["status"], "PROCESSING");
    put_to(&server, &id, &[("status", "QUEUED")]).await;
    assert_eq!(steps.next("status").await.unwrap()["status"], "QUEUED", "it is tried again");
    decide_all(&server, "concert").await;
    // If both steps fall between two polls, only the last one is sent.
    let mut last = steps.next("status").await.unwrap();
    if last["status"] == "PROCESSING" {
        last = steps.next("status").await.unwrap();
    }
    assert_eq!(last, own(&server, &id, &ann).await.json());
    assert_eq!((&last["status"], &last["resultCode"]), (&json!("SUCCEEDED"), &json!("SUCCESS")));
    assert_eq!(steps.next("status").await, None, "the stream ends");

    // A late client gets only the final status.
    let mut late = Stream::open(&server, &path, &ann).await;
    assert_eq!(late.next("status").await.unwrap(), last);
    assert_eq!(late.next("status").await, None);
}

#[tokio::test]
async fn the_result_of_a_lottery_is_sent_when_it_is_announced() {
    let server = Server::entry(On::Embedded).await;
    lottery(&server, "raffle", 1).await;
    let [ann] = guests(&server).await;
    let id = entered(&server, "raffle", &ann).await;
    let mut steps = Stream::open(&server, &format!("{REQUESTS}/{id}/live"), &ann).await;
    assert_eq!(steps.next("status").await.unwrap()["status"], "QUEUED");
    server.later(HOUR);
    decide_all(&server, "raffle").await;
    let hidden = steps.next("status").await.unwrap();
    assert_eq!((hidden["status"].as_str(), hidden.get("resultCode")), (Some("PROCESSING"), None));
    ok(operate(&server, "raffle", "close").await);
    ok(operate(&server, "raffle", "announce").await);
    assert_eq!(steps.next("status").await.unwrap()["resultCode"], "SUCCESS");
    assert_eq!(steps.next("status").await, None);
}

/// Es26
async fn the_board_is_sent_repeatedly(on: On) {
    let server = Server::entry(on).await;
    first_come(&server, "concert", 1).await;
    let [ann] = guests(&server).await;
    let path = format!("{EVENTS}/concert/board/live");
    let mut board = Stream::open(&server, &path, &server.viewer).await;
    let first = board.next("board").await.unwrap();
    assert_eq!((&first["queued"], &first["capacity"]["remaining"]), (&json!(0), &json!(1)));
    assert_eq!(first["decidedPerSecond"].as_f64(), Some(0.0));
    entered(&server, "concert", &ann).await;
    decide_all(&server, "concert").await;
    // A board is read again after a second of the server's clock.
    server.later(HOUR / 360);
    let mut next = board.next("board").await.unwrap();
    while next["succeeded"] == 0 {
        next = board.next("board").await.unwrap();
    }
    assert_eq!((&next["succeeded"], &next["capacity"]["remaining"]), (&json!(1), &json!(0)));
    assert!(next["at"].as_str() > first["at"].as_str());
    // One decision within ten seconds, on a clock that goes on a little; a single read has the same rate.
    let once = ok(server.get(&format!("{EVENTS}/concert/board")).await);
    for board in [next, once] {
        let rate = board["decidedPerSecond"].as_f64().unwrap();
        assert!((0.09..=0.1).contains(&rate), "{board}");
    }
}

/// An open stream must not use a slot, nor keep the server from stopping.
#[tokio::test]
async fn streams_use_no_slot_and_end_when_the_server_stops() {
    let server = Server::entry_with(On::Embedded, Settings { max_requests: 1, ..settings() }).await;
    first_come(&server, "concert", 1).await;
    let [ann] = guests(&server).await;
    let id = entered(&server, "concert", &ann).await;
    let mut steps = Stream::open(&server, &format!("{REQUESTS}/{id}/live"), &ann).await;
    let mut board = Stream::open(&server, &format!("{EVENTS}/concert/board/live"), &server.viewer).await;
    assert!(steps.next("status").await.is_some() && board.next("board").await.is_some());
    assert_eq!(own(&server, &id, &ann).await.status, 200);
    server.app.drain();
    assert_eq!((steps.next("status").await, board.next("board").await), (None, None));
    let mut late = Stream::open(&server, &format!("{REQUESTS}/{id}/live"), &ann).await;
    assert_eq!(late.next("status").await, None, "no new stream while stopping");
}
