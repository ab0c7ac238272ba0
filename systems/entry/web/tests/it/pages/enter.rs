//! Entering, and the results.

use super::*;

/// Es8: with the rule on the page of the event.
#[tokio::test]
async fn an_entry_is_shown_until_its_result_and_a_second_click_shows_the_same() {
    let server = Server::entry(On::Embedded).await;
    server.guest("ann").await;
    server.guest("bob").await;
    server.open_event("e1", Allocation::FirstCome(1)).await;
    let ann = Visitor::sign_in(&server, "ann", "en").await;
    let bob = Visitor::sign_in(&server, "bob", "ko").await;
    has(&ann.get(MINE).await, &["No entries yet"]);
    let page = ann.get("/console/entry/events/e1").await;
    has(&page, &["id=\"enter\">Enter</button>", "Closes in", "data-until=", "more than 7 seconds earlier"]);

    let first = ann.enter("e1").await;
    let again = ann.post("/console/entry/events/e1", &[]).await;
    let address = format!("/console/entry/requests/{first}");
    assert_eq!((again.status, again.header("location")), (303, &*format!("{address}?done=entered-before")));
    has(&ann.get(again.header("location")).await, &["You have already entered. Here is your entry."]);
    let entered = ann.get("/console/entry/events/e1").await;
    has(&entered, &["You have entered this event.", &format!("href=\"{address}\"")]);
    lacks(&entered, &["id=\"enter\""]);
    let second = bob.enter("e1").await;
    // Each entry is in the audit log, and a second click is not.
    let log = server.get_as_admin("/api/access/audit?system=entry").await;
    assert_eq!(log.matches("\"event.enter\"").count(), 2, "{log}");

    // Requests of other users are not found.
    for (visitor, theirs) in [(&bob, &first), (&ann, &second)] {
        let hidden = visitor.get(&format!("/console/entry/requests/{theirs}")).await;
        let none = visitor.get("/console/entry/requests/01JCD0000000000000000000AB").await;
        assert_eq!((hidden.status, none.status), (404, 404));
    }
    assert_eq!(ann.get("/console/entry/requests/nonsense").await.status, 404);

    let waiting = ann.get(&address).await;
    in_order(
        &waiting,
        &[
            &format!("data-stream=\"/api/entry/requests/{first}/live\" data-event=\"status\""),
            "<li class=\"done\"><strong>Received</strong>",
            "<li class=\"now\" aria-current=\"step\"><strong>Waiting</strong>",
            "<li class=\"next\"><strong>Processing</strong>",
            "<li class=\"next\"><strong>Result</strong>",
            "You&#39;ll have a result shortly.",
            "You are number 1 in line · less than a minute",
            "Refresh",
        ],
    );
    server.decided("e1").await;
    let given = ann.get(&address).await;
    in_order(
        &given,
        &[
            "<li class=\"done\"><strong>Processing",
            "<li class=\"done\"><strong>Confirmed",
            "Your place is confirmed.",
        ],
    );
    lacks(&given, &["data-stream", "Refresh", "in line", "aria-current=\"step\""]);
    let refused = bob.get(&format!("/console/entry/requests/{second}")).await;
    has(&refused, &["탈락", "먼저 접수된 응모로 자리가 모두 찼습니다."]);
    in_order(
        &ann.get(MINE).await,
        &[&address, "Event &#60;e1&#62;", "First come, first served", "Confirmed"],
    );
    lacks(&ann.get(MINE).await, &[&second]);
}

#[tokio::test]
async fn early_and_late_visitors_see_when_and_why() {
    let server = Server::entry(On::Embedded).await;
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    server.event("e1", Allocation::FirstCome(5), server.now() + MINUTE).await;
    let address = "/console/entry/events/e1";
    let early = editor.get(address).await;
    has(&early, &["Upcoming", "Opens in", "id=\"enter\" disabled", "data-enables=\"enter\""]);
    let refused = editor.post(address, &[]).await;
    assert_eq!(refused.status, 409, "{}", refused.text);
    in_order(&refused, &["role=\"alert\"", "Entries open at ", "Rules"]);

    server.later(2 * MINUTE);
    assert_eq!(editor.post("/console/entry/board/e1/pause", &[]).await.status, 303);
    let paused = editor.get(address).await;
    has(&paused, &["Paused", "The event is paused. Please come back later."]);
    lacks(&paused, &["id=\"enter\"", "data-until"]);
    assert_eq!(editor.post(address, &[]).await.status, 409);

    assert_eq!(editor.post("/console/entry/board/e1/close", &[]).await.status, 303);
    let closed = editor.get(address).await;
    has(&closed, &["Closed", "Entries are closed."]);
    lacks(&closed, &["id=\"enter\""]);
    has(&editor.post(address, &[]).await, &["role=\"alert\">Your entry was not accepted."]);
    has(&editor.get(MINE).await, &["No entries yet"]);

    for method in
        [editor.get("/console/entry/events/none").await, editor.post("/console/entry/events/none", &[]).await]
    {
        assert_eq!(method.status, 404, "{}", method.text);
    }
    let korean = Visitor::sign_in(&server, "viewer", "ko").await;
    has(
        &korean.get(address).await,
        &["응모가 마감되었습니다.", "7초 넘게 먼저 접수된 응모", "선착순", "5자리"],
    );
}

#[tokio::test]
async fn a_failed_entry_shows_its_cause() {
    let server = Server::entry(On::Embedded).await;
    server.open_event("e1", Allocation::FirstCome(1)).await;
    let visitor = Visitor::sign_in(&server, "viewer", "en").await;
    let request = visitor.enter("e1").await;
    server.failed(&request).await;
    let page = visitor.get(&format!("/console/entry/requests/{request}")).await;
    has(
        &page,
        &["<li class=\"failed\"><strong>Failed</strong>", "It is kept, and our staff will process it again."],
    );
    lacks(&page, &["Enter again", "data-stream", "It could not be decided"]);
}

#[tokio::test]
async fn own_entries_are_paged_both_ways() {
    let server = Server::entry(On::Embedded).await;
    let visitor = Visitor::sign_in(&server, "viewer", "en").await;
    for number in 10..37 {
        let id = format!("e{number}");
        server.open_event(&id, Allocation::FirstCome(1)).await;
        visitor.enter(&id).await;
    }
    let first = visitor.get(MINE).await;
    in_order(&first, &["&#60;e36&#62;", "&#60;e12&#62;", "rel=\"next\""]);
    lacks(&first, &["&#60;e11&#62;", "rel=\"prev\""]);
    let to = |page: &Response, rel: &str| {
        let (_, rest) = page.text.split_once(&format!("rel=\"{rel}\" href=\"")).unwrap();
        rest.split('"').next().unwrap().to_owned()
    };
    let second = visitor.get(&to(&first, "next")).await;
    in_order(&second, &["&#60;e11&#62;", "&#60;e10&#62;"]);
    lacks(&second, &["rel=\"next\""]);
    in_order(&visitor.get(&to(&second, "prev")).await, &["&#60;e36&#62;", "&#60;e12&#62;"]);
    assert_eq!(visitor.get("/console/entry/mine?cursor=nonsense").await.status, 400);
}

/// The rate limit counts entries of pages and of the API together.
#[tokio::test]
async fn pages_and_the_api_share_the_rate_limit() {
    let mut server = Server::entry(On::Embedded).await;
    server.reopen(&[("rate-entries", "1")], &[]).await;
    // A new account each time: a slow machine may need more than a second for both entries.
    for number in 0..100 {
        let login = format!("guest-{number}");
        server.guest(&login).await;
        let guest = Visitor::sign_in(&server, &login, "en").await;
        guest.post("/console/entry/events/nowhere", &[]).await;
        let headers = [("cookie", &*guest.cookie), ("x-csrf-token", &*guest.csrf)];
        let path = "/api/entry/events/nowhere/entries";
        if server.call(Method::POST, path, "", None, &headers).await.status == 429 {
            return;
        }
    }
    panic!("each way in counts for itself");
}
