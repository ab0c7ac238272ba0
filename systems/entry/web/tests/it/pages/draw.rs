//! Lotteries: the rule, the secrecy of results, and the proof.

use super::*;

/// Es31
#[tokio::test]
async fn a_result_is_secret_until_it_is_announced() {
    let server = Server::entry(On::Embedded).await;
    server.guest("ann").await;
    server.guest("bob").await;
    server.lottery("e1").await;
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    let ann = Visitor::sign_in(&server, "ann", "en").await;
    let bob = Visitor::sign_in(&server, "bob", "en").await;
    let event = hansang_entry::events::get(server.verbs(), "e1").await.unwrap();
    let hash = event.seed_hash.unwrap();
    let before = ann.get("/console/entry/events/e1").await;
    in_order(&before, &["Lottery", "1 winner", "has the same chance", &hash, "Published with the results"]);
    has(&before, &["Published when the list is fixed, before the seed"]);
    lacks(&before, &["verify-draw"]);
    let requests = [ann.enter("e1").await, bob.enter("e1").await];
    let own = async |visitor: &Visitor<'_>, place: usize| {
        visitor.get(&format!("/console/entry/requests/{}", requests[place])).await
    };
    has(&own(&ann, 0).await, &["You are in the draw. Winners are drawn after the event closes."]);

    let draw = "/console/entry/board/e1/draw";
    let early = editor.get(draw).await;
    has(&early, &["Not drawn yet", &hash]);
    lacks(&early, &["draw-now"]);
    let too_early = editor.post("/console/entry/board/e1/draw-now", &[]).await;
    assert_eq!(too_early.status, 409, "{}", too_early.text);
    has(&too_early, &["<code>e1</code> cannot be drawn before"]);

    server.later(31 * MINUTE);
    has(&editor.get(draw).await, &["href=\"/console/entry/board/e1/draw-now\">Draw now</a>"]);
    // The draw succeeds once no entry can be on its way.
    let done = loop {
        let done = editor.post("/console/entry/board/e1/draw-now", &[]).await;
        if done.status != 503 {
            break done;
        }
        server.later(10 * SECOND);
    };
    assert_eq!(
        (done.status, done.header("location")),
        (303, "/console/entry/board/e1/draw?done=drawn"),
        "{}",
        done.text
    );
    let drawn = editor.get(draw).await;
    in_order(
        &drawn,
        &[
            "Announce",
            "Entries",
            "<dd>2</dd>",
            "Winners",
            "<dd>1</dd>",
            "Hash of the entries",
            "Published with",
        ],
    );
    server.later(SECOND);
    let fixed = hansang_entry::events::get(server.verbs(), "e1").await.unwrap().entries_hash.unwrap();
    let committed = ann.get("/console/entry/events/e1").await;
    in_order(&committed, &[&hash, "Hash of the entries", &fixed, "Published with the results"]);
    for (visitor, place) in [(&ann, 0), (&bob, 1)] {
        let page = own(visitor, place).await;
        has(&page, &["Your result appears here when it is announced.", "data-stream"]);
        lacks(&page, &["Confirmed", "Not selected"]);
        lacks(&visitor.get(MINE).await, &["Confirmed", "Not selected"]);
    }

    let done = editor.post("/console/entry/board/e1/announce", &[]).await;
    assert_eq!(done.header("location"), "/console/entry/board/e1?done=announced", "{}", done.text);
    let seed = hansang_entry::events::get(server.verbs(), "e1").await.unwrap().seed.unwrap();
    let results = [own(&ann, 0).await.text, own(&bob, 1).await.text];
    assert_eq!(results.iter().filter(|page| page.contains("Your place is confirmed.")).count(), 1);
    assert_eq!(results.iter().filter(|page| page.contains("You were not selected.")).count(), 1);
    for page in [ann.get("/console/entry/events/e1").await, editor.get(draw).await] {
        let proof = "href=\"/api/entry/events/e1/draw\" download=\"proof.json\"";
        in_order(&page, &[&hash, &seed, "hansang entry verify-draw proof.json", proof]);
    }
    has(&ann.get("/console/entry/events/e1").await, &["The event is over, and its results are announced."]);
}

#[tokio::test]
async fn only_a_lottery_has_a_draw() {
    let server = Server::entry(On::Embedded).await;
    server.open_event("e1", Allocation::FirstCome(1)).await;
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    assert_eq!(editor.get("/console/entry/board/e1/draw").await.status, 404);
    assert_eq!(editor.post("/console/entry/board/e1/draw-now", &[]).await.status, 409);
    lacks(&editor.get("/console/entry/board/e1").await, &["/draw"]);
}
