//! The board of an event, and its actions.

use hansang_entry::events;

use super::*;

const BOARD: &str = "/console/entry/board/e1";

/// Es26
#[tokio::test]
async fn the_board_counts_requests_by_status() {
    let server = Server::entry(On::Embedded).await;
    server.open_event("e1", Allocation::FirstCome(2)).await;
    for login in ["ann", "bob", "eve"] {
        server.guest(login).await;
        Visitor::sign_in(&server, login, "en").await.enter("e1").await;
    }
    let viewer = Visitor::sign_in(&server, "viewer", "en").await;
    let figure = |name: &str, count: &str| format!("<dt>{name}</dt><dd>{count}</dd>");
    let before = viewer.get(BOARD).await;
    has(
        &before,
        &[
            &figure("Waiting", "3"),
            &figure("Confirmed", "0"),
            &figure("Messages waiting", "3"),
            &figure("Dead letters", "0"),
            "data-stream=\"/api/entry/events/e1/board/live\" data-event=\"board\"",
            "Measured since",
            "Left: 2",
        ],
    );
    server.decided("e1").await;
    let after = viewer.get(BOARD).await;
    has(
        &after,
        &[
            &figure("Waiting", "0"),
            &figure("Confirmed", "2"),
            &figure("Not selected", "1"),
            &figure("Longest wait", "–"),
            "Taken: 2",
        ],
    );
    // Three decisions within the eleven seconds between two samples.
    has(&after, &["Decisions per second: 0.2"]);
    let korean = Visitor::sign_in(&server, "viewer", "ko").await;
    has(&korean.get(BOARD).await, &["확정", "초당 처리 수", "측정 시작", "현재 위치"]);
    assert_eq!(viewer.get("/console/entry/board/none").await.status, 404);
    // The chart of the last minutes has the times of the reader.
    has(&viewer.get(BOARD).await, &["<th scope=\"row\">00:00:"]);
    let cookie = format!("{}; hansang_zone=Asia%2FSeoul", viewer.cookie);
    let seoul = Visitor { cookie, ..viewer }.get(BOARD).await;
    has(&seoul, &["<th scope=\"row\">09:00:"]);
    lacks(&seoul, &["<th scope=\"row\">00:00:"]);
}

#[tokio::test]
async fn each_action_on_an_event_has_a_confirmation() {
    let server = Server::entry(On::Embedded).await;
    server.open_event("e1", Allocation::FirstCome(2)).await;
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    editor.enter("e1").await;
    let board = editor.get(BOARD).await;
    has(&board, &["/e1/pause", "/e1/close", "/e1/places"]);
    lacks(&board, &["/e1/resume", "/e1/announce"]);
    has(
        &editor.get("/console/entry/board/e1/pause").await,
        &["keeps their place in line", ">Pause</button>"],
    );
    for (act, done, told) in [("pause", "paused", "Event paused."), ("resume", "resumed", "Event resumed.")] {
        let answer = editor.post(&format!("{BOARD}/{act}"), &[]).await;
        assert_eq!((answer.status, answer.header("location")), (303, &*format!("{BOARD}?done={done}")));
        has(&editor.get(answer.header("location")).await, &[told]);
        // A second attempt is rejected, and the page says so.
        let again = editor.post(&format!("{BOARD}/{act}"), &[]).await;
        assert_eq!(again.status, 409, "{}", again.text);
        has(&again, &["role=\"alert\"", "Not possible now.", "<code>e1</code> is "]);
    }
    has(
        &editor.get("/console/entry/board/e1/close").await,
        &["1 entry has no result yet.", ">Close</button>"],
    );
    assert_eq!(editor.post("/console/entry/board/e1/announce", &[]).await.status, 409);
    assert_eq!(editor.post("/console/entry/board/e1/close", &[]).await.status, 303);
    let closed = editor.get(BOARD).await;
    // The charts have tables of the same figures.
    in_order(
        &closed,
        &["Show as a table", "Taken</th>", "Left</th>", "Show as a table", "Decisions per second</th>"],
    );
    has(&closed, &["Results can be announced once 1 waiting entry is processed."]);
    lacks(&closed, &["/e1/announce", "/e1/pause", "/e1/resume", "/e1/close"]);
    let undecided = editor.post("/console/entry/board/e1/announce", &[]).await;
    assert_eq!(undecided.status, 409);
    has(&undecided, &["<code>e1</code> still has undecided entries"]);
    server.decided("e1").await;
    server.later(MINUTE);
    has(&editor.get(BOARD).await, &["/e1/announce"]);
    let announced = editor.post("/console/entry/board/e1/announce", &[]).await;
    assert_eq!(announced.status, 303, "{}", announced.text);
    let board = editor.get(BOARD).await;
    has(&board, &["Results announced"]);
    lacks(&board, &["/e1/announce", "/e1/places"]);
    let log = server.get_as_admin("/api/access/audit?system=entry").await;
    for operation in ["event.pause", "event.resume", "event.close", "event.announce"] {
        assert!(log.contains(operation), "{operation}: {log}");
    }
}

/// A tab from before says why an action is not possible now, and offers no button.
#[tokio::test]
async fn a_confirmation_says_why_an_action_is_not_possible() {
    let server = Server::entry(On::Embedded).await;
    server.open_event("e1", Allocation::FirstCome(2)).await;
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    editor.enter("e1").await;
    let page = async |act: &str| editor.get(&format!("{BOARD}/{act}")).await;
    let not_now = [
        ("resume", "<code>e1</code> is open and cannot become open"),
        ("announce", "<code>e1</code> is open: close it before you announce it"),
        ("draw-now", "<code>e1</code> is not a lottery"),
        ("delete", "<code>e1</code> can be deleted before it opens"),
    ];
    for (act, told) in not_now {
        let shown = page(act).await;
        has(&shown, &["Not possible now.", told, "Back to the event"]);
        lacks(&shown, &["class=\"danger\">", &format!("action=\"{BOARD}/{act}\"")]);
    }
    has(&page("pause").await, &[">Pause</button>"]);
    events::close(server.verbs(), "e1").await.unwrap();
    for (act, told) in [
        ("pause", "<code>e1</code> is closed and cannot become paused"),
        ("close", "<code>e1</code> is closed and cannot become closed"),
        ("announce", "<code>e1</code> still has undecided entries"),
    ] {
        let shown = page(act).await;
        has(&shown, &["Not possible now.", told]);
        lacks(&shown, &[&format!("action=\"{BOARD}/{act}\"")]);
    }
    server.decided("e1").await;
    has(&page("announce").await, &[">Announce results</button>", "seed of a lottery is published"]);
    let korean = Visitor::sign_in(&server, "editor", "ko").await;
    has(&korean.get(&format!("{BOARD}/close")).await, &["지금은 할 수 없습니다.", "이벤트로 돌아가기"]);
}

#[tokio::test]
async fn the_capacity_form_rejects_less_than_the_taken_seats() {
    let server = Server::entry(On::Embedded).await;
    server.open_event("e1", Allocation::FirstCome(2)).await;
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    editor.enter("e1").await;
    server.decided("e1").await;
    let places = "/console/entry/board/e1/places";
    has(&editor.get(places).await, &["value=\"2\"", "At least 1, because that many places are taken."]);
    for (typed, status, told) in [
        ("0", 400, "Must be a whole number of at least 1"),
        ("many", 400, "Must be a whole number"),
        ("-1", 400, "Must be a whole number"),
        ("", 400, "Must be a whole number"),
    ] {
        let refused = editor.post(places, &[("places", typed)]).await;
        assert_eq!(refused.status, status, "{typed}: {}", refused.text);
        in_order(&refused, &[&format!("value=\"{typed}\""), "id=\"f-places-problem\"", told]);
    }
    let changed = editor.post(places, &[("places", "1,500")]).await;
    assert_eq!((changed.status, changed.header("location")), (303, "/console/entry/board/e1?done=saved"));
    has(&editor.get(BOARD).await, &["1,500 places", "Left: 1,499"]);
    let korean = Visitor::sign_in(&server, "editor", "ko").await;
    has(&korean.get(places).await, &["이미 1자리를 배정했으므로 그보다 적게 줄일 수 없습니다."]);
}
