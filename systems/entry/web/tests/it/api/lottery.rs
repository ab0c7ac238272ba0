//! Lotteries: results are secret until they are announced, and then anyone can repeat the draw.

use axum::http::Method;
use hansang_entry::lottery::{Proof, hash_of_entries, verify};
use serde_json::json;

use super::{EVENTS, HOUR, REQUESTS, entered, everything, guests, lottery, operate, own};
use crate::server::Server;
use hansang_testserver::On;
use hansang_testserver::{ok, refusal};

hansang_testserver::on_each_store! {
    a_lottery_is_drawn_announced_and_verified,
}

/// Es18, Es31
async fn a_lottery_is_drawn_announced_and_verified(on: On) {
    let server = Server::entry(on).await;
    let made = lottery(&server, "raffle", 1).await;
    assert_eq!(made["seedHash"].as_str().unwrap().len(), 64, "public before the first entry");
    assert_eq!(made.get("entriesHash"), None, "the list is not fixed yet");
    let [ann, bob] = guests(&server).await;
    let of_ann = entered(&server, "raffle", &ann).await;
    let of_bob = entered(&server, "raffle", &bob).await;

    let before = everything(&server).await;
    let early = operate(&server, "raffle", "draw").await;
    assert_eq!(refusal(&early), (409, "draw_too_early".to_owned()));
    let proof = format!("{EVENTS}/raffle/draw");
    assert_eq!(refusal(&server.get(&proof).await), (409, "not_announced".to_owned()));
    assert_eq!(everything(&server).await, before);

    server.later(HOUR);
    let mut drawn = operate(&server, "raffle", "draw").await;
    // A draw waits for entries that are still on their way after the cut-off.
    while drawn.status == 503 {
        assert_eq!(drawn.json()["code"], "draw_under_way");
        drawn = operate(&server, "raffle", "draw").await;
    }
    let drawn = ok(drawn);
    assert_eq!((&drawn["entries"], refusal(&server.get(&proof).await).0), (&json!(2), 409));
    // The list is fixed: its hash is public, and the seed is not.
    let fixed = ok(server.call(Method::GET, &format!("{EVENTS}/raffle"), &ann, None, &[]).await);
    let mut entries = [of_ann.clone(), of_bob.clone()];
    entries.sort();
    assert_eq!(fixed["entriesHash"], json!(hash_of_entries(&entries)));
    assert_eq!((&fixed["entriesHash"], fixed.get("seed")), (&drawn["entriesHash"], None));
    let listed = ok(server.call(Method::GET, EVENTS, &ann, None, &[]).await);
    assert_eq!(listed["items"][0]["entriesHash"], fixed["entriesHash"]);
    let places = format!("{EVENTS}/raffle/places");
    let late = server.send(Method::PUT, &places, json!({ "places": 2 })).await;
    assert_eq!(refusal(&late), (409, "already_drawn".to_owned()));

    for (id, who) in [(&of_ann, &ann), (&of_bob, &bob)] {
        let hidden = own(&server, id, who).await;
        assert_eq!((&hidden.json()["status"], hidden.header("retry-after")), (&json!("PROCESSING"), "10"));
        assert!(hidden.json().get("resultCode").is_none() && hidden.json().get("finishedAt").is_none());
        let listed = ok(server.call(Method::GET, REQUESTS, who, None, &[]).await);
        assert_eq!(listed["items"][0], hidden.json(), "the list does not reveal the result");
    }

    ok(operate(&server, "raffle", "close").await);
    let announced = ok(operate(&server, "raffle", "announce").await);
    assert_eq!((&announced["status"], &announced["phase"]), (&json!("announced"), &json!("announced")));
    let told = server.call(Method::GET, &proof, &ann, None, &[]).await;
    let proof: Proof = serde_json::from_value(ok(told)).unwrap();
    assert!(verify(&proof).is_empty());
    assert_eq!(json!(proof.entries_hash), fixed["entriesHash"]);
    assert_eq!((&*proof.seed_hash, proof.winning.len()), (made["seedHash"].as_str().unwrap(), 1));
    for (id, who) in [(&of_ann, &ann), (&of_bob, &bob)] {
        let expected = if proof.winning.contains(id) { "SUCCESS" } else { "REJECTED_LOTTERY_LOSE" };
        assert_eq!(own(&server, id, who).await.json()["resultCode"], expected);
    }
}
