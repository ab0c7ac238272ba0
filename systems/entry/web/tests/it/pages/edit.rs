//! Editing, copying and deleting events, and what full and resized events tell.

use hansang_entry::events::{self, EventChanges};

use super::*;

const EDIT: &str = "/console/entry/board/e1/edit";

#[tokio::test]
async fn an_event_is_edited_until_it_opens_and_then_keeps_its_rule() {
    let server = Server::entry(On::Embedded).await;
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    server.event("e1", Allocation::FirstCome(5), server.now() + HOUR).await;
    let form = editor.get(EDIT).await;
    has(&form, &["Everything but the ID and the type can change", "value=\"Event &#60;e1&#62;\""]);
    lacks(&form, &["readonly", "lotteryCutoffAt", "name=\"eventType\""]);
    let saved = editor.post(EDIT, &[("title", "New"), ("settleSeconds", "9")]).await;
    assert_eq!((saved.status, saved.header("location")), (303, "/console/entry/board/e1?done=saved"));
    let event = events::get(server.verbs(), "e1").await.unwrap();
    assert_eq!((&*event.title, event.settle), ("New", 9 * SECOND));
    assert_eq!(event.closes_at, event.opens_at + HOUR);
    for (field, typed, told) in [
        ("title", "", "id=\"f-title-problem\""),
        ("opensAt", "soon", "Must be a time such as"),
        ("settleSeconds", "-1", "Must be a whole number of at least 0"),
    ] {
        let refused = editor.post(EDIT, &[(field, typed)]).await;
        assert_eq!(refused.status, 400, "{field}: {}", refused.text);
        has(&refused, &[told]);
    }

    server.later(2 * HOUR - MINUTE);
    let form = editor.get(EDIT).await;
    has(&form, &["Participants rely on the locked fields", "readonly"]);
    let refused = editor.post(EDIT, &[("title", "Newer"), ("settleSeconds", "1")]).await;
    assert_eq!(refused.status, 409, "{}", refused.text);
    in_order(&refused, &["value=\"Newer\"", "id=\"f-settleSeconds-problem\">Cannot change any more"]);
    assert_eq!(editor.post(EDIT, &[("title", "Newer")]).await.status, 303);
    assert_eq!(editor.get("/console/entry/board/none/edit").await.status, 404);
}

#[tokio::test]
async fn a_copy_starts_with_the_values_of_the_event() {
    let server = Server::entry(On::Embedded).await;
    server.lottery("e1").await;
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    has(&editor.get("/console/entry/board/e1").await, &["href=\"/console/entry/new?from=e1\">Duplicate"]);
    let form = editor.get("/console/entry/new?from=e1").await;
    has(
        &form,
        &[
            "Copy of Event &#60;e1&#62;",
            "value=\"LOTTERY\" selected",
            "name=\"eventId\" type=\"text\" value=\"\"",
        ],
    );
    assert_eq!(editor.get("/console/entry/new?from=none").await.status, 404);
}

#[tokio::test]
async fn only_an_event_without_entries_is_deleted() {
    let server = Server::entry(On::Embedded).await;
    server.event("e1", Allocation::FirstCome(5), server.now() + HOUR).await;
    server.open_event("e2", Allocation::FirstCome(5)).await;
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    editor.enter("e2").await;
    has(&editor.get("/console/entry/board/e1").await, &["/board/e1/delete"]);
    lacks(&editor.get("/console/entry/board/e2").await, &["/board/e2/delete"]);
    let refused = editor.post("/console/entry/board/e2/delete", &[]).await;
    assert_eq!(refused.status, 409, "{}", refused.text);
    has(&editor.get("/console/entry/board/e1/delete").await, &["This can&#39;t be undone."]);
    let deleted = editor.post("/console/entry/board/e1/delete", &[]).await;
    assert_eq!((deleted.status, deleted.header("location")), (303, "/console/entry?done=deleted"));
    lacks(&editor.get(EVENTS).await, &["/console/entry/events/e1"]);
    assert_eq!(editor.get("/console/entry/board/e1").await.status, 404);
    let log = server.get_as_admin("/api/access/audit?system=entry").await;
    assert!(log.contains("event.delete"), "{log}");
}

/// A full event says so and offers no button; resizing says what it means for those who were rejected.
#[tokio::test]
async fn a_full_event_offers_no_entry() {
    let server = Server::entry(On::Embedded).await;
    server.open_event("e1", Allocation::FirstCome(2)).await;
    for name in ["ann", "bob", "eve"] {
        hansang_entry::submit(server.verbs(), "e1", name).await.unwrap();
    }
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    has(&editor.get("/console/entry/events/e1").await, &["2 of 2 places left", "id=\"enter\""]);
    lacks(&editor.get("/console/entry/board/e1/places").await, &["were not selected"]);
    server.decided("e1").await;
    let full = editor.get("/console/entry/events/e1").await;
    has(&full, &["Full", "0 of 2 places left", "All places are taken."]);
    lacks(&full, &["id=\"enter\""]);
    has(&editor.get(EVENTS).await, &[">Full<", "0 of 2 places left"]);
    has(
        &editor.get("/console/entry/board/e1/places").await,
        &["1 entry was not selected, and this does not change."],
    );
    let korean = Visitor::sign_in(&server, "viewer", "ko").await;
    has(
        &korean.get("/console/entry/events/e1").await,
        &["정원 마감", "2자리 중 0자리 남음", "자리가 모두 찼습니다."],
    );
}

/// A lottery that is closed early can be drawn and announced early.
#[tokio::test]
async fn a_closed_lottery_is_drawn_early() {
    let server = Server::entry(On::Embedded).await;
    server.lottery("e1").await;
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    editor.enter("e1").await;
    has(&editor.get("/console/entry/board/e1/draw").await, &["Close the event to draw earlier."]);
    assert_eq!(editor.post("/console/entry/board/e1/close", &[]).await.status, 303);
    has(
        &editor.get("/console/entry/board/e1").await,
        &["Results can be announced once the draw is complete."],
    );
    for _ in 0..3 {
        server.later(10 * SECOND);
        editor.post("/console/entry/board/e1/draw-now", &[]).await;
    }
    has(&editor.get("/console/entry/board/e1").await, &["/e1/announce"]);
    assert_eq!(editor.post("/console/entry/board/e1/announce", &[]).await.status, 303);
}

/// The value of a hidden field.
fn hidden(page: &Response, name: &str) -> String {
    let (_, rest) = page.text.split_once(&format!("name=\"{name}\" value=\"")).unwrap();
    rest.split('"').next().unwrap().to_owned()
}

/// The second of two editors sees both versions, and saves on purpose.
#[tokio::test]
async fn an_edit_from_a_stale_form_shows_both_versions() {
    let server = Server::entry(On::Embedded).await;
    server.event("e1", Allocation::FirstCome(5), server.now() + HOUR).await;
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    let was = hidden(&editor.get(EDIT).await, "was");
    let changes = EventChanges { title: Some("Of another".to_owned()), ..EventChanges::default() };
    events::edit(server.verbs(), "e1", changes).await.unwrap();
    let mine = [("title", "Mine"), ("settleSeconds", "7"), ("was", &*was)];
    let refused = editor.post(EDIT, &mine).await;
    assert_eq!(refused.status, 412, "{}", refused.text);
    in_order(
        &refused,
        &[
            "The event has changed",
            "Your version",
            "Stored version",
            "<td>Mine</td><td>Of another</td>",
            "value=\"Mine\"",
        ],
    );
    lacks(&refused, &["<td>7</td>"]);
    assert_eq!(events::get(server.verbs(), "e1").await.unwrap().title, "Of another");
    let now = hidden(&refused, "was");
    assert_ne!(now, was);
    let saved = editor.post(EDIT, &[("title", "Mine"), ("was", &*now)]).await;
    assert_eq!(saved.status, 303, "{}", saved.text);
    assert_eq!(events::get(server.verbs(), "e1").await.unwrap().title, "Mine");
}

#[tokio::test]
async fn places_from_a_stale_form_show_both_numbers() {
    let server = Server::entry(On::Embedded).await;
    server.open_event("e1", Allocation::FirstCome(5)).await;
    server.lottery("e2").await;
    let korean = Visitor::sign_in(&server, "editor", "ko").await;
    for (id, shown) in [("e1", "5"), ("e2", "1")] {
        let places = format!("/console/entry/board/{id}/places");
        assert_eq!(hidden(&korean.get(&places).await, "was"), shown);
        events::resize(server.verbs(), id, 8).await.unwrap();
        let refused = korean.post(&places, &[("places", "6"), ("was", shown)]).await;
        assert_eq!(refused.status, 412, "{}", refused.text);
        in_order(&refused, &["내 버전", "저장된 버전", "<td>6</td><td>8</td>", "value=\"6\""]);
        assert_eq!(hidden(&refused, "was"), "8");
        assert_eq!(korean.post(&places, &[("places", "6"), ("was", "8")]).await.status, 303);
    }
}
