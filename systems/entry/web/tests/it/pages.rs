//! Events, as a browser without scripts sees them.

mod board;
mod draw;
mod edit;
mod enter;
mod letters;
mod new;
mod requests;

use std::time::Duration;

use axum::http::Method;
use hansang_core::db::Operation;
use hansang_core::plan::{Change, Path};
use hansang_core::write::Update;
use hansang_core::{Item, Value};
use hansang_entry::events::{Allocation, NewEvent, create};
use hansang_entry::{Entry, decide};
use jiff::Timestamp;

use crate::server::Server;
use hansang_testserver::On;
use hansang_testserver::Response;
use hansang_testserver::Visitor;
use hansang_testserver::{has, in_order, lacks};

const EVENTS: &str = "/console/entry";
const MINE: &str = "/console/entry/mine";
const LETTERS: &str = "/console/entry/dead-letters";
const NEW: &str = "/console/entry/new";

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(3600);

impl Server {
    fn verbs(&self) -> &Entry {
        &self.entry
    }

    fn now(&self) -> Timestamp {
        self.verbs().db.clock().moment().now
    }

    /// Creates an event that has been open for a minute and closes in an hour.
    async fn open_event(&self, id: &str, allocation: Allocation) {
        self.event(id, allocation, self.now() - MINUTE).await;
    }

    /// Creates an event that opens at a time and closes an hour later.
    async fn event(&self, id: &str, allocation: Allocation, opens_at: Timestamp) {
        let new = NewEvent {
            id: Some(id.to_owned()),
            title: format!("Event <{id}>"),
            opens_at,
            closes_at: opens_at + HOUR,
            allocation,
            settle: Some(Duration::from_secs(7)),
        };
        create(self.verbs(), new).await.unwrap();
    }

    /// Creates an open lottery that draws one winner in half an hour.
    async fn lottery(&self, id: &str) {
        let allocation = Allocation::Lottery { winners: 1, cutoff_at: self.now() + 30 * MINUTE };
        self.open_event(id, allocation).await;
    }

    /// Decides all requests.
    async fn decided(&self, id: &str) {
        self.later(10 * SECOND);
        decide(self.verbs(), id, &format!("test-{}", self.now()), &[]).await.unwrap();
        self.later(SECOND);
    }

    /// Sends a GET to the API as an administrator.
    async fn get_as_admin(&self, path: &str) -> String {
        self.call(Method::GET, path, &self.admin, None, &[]).await.text
    }

    /// Marks a request as failed.
    async fn failed(&self, id: &str) {
        let said = [
            ("resultCode", "FAILED_WORKER"),
            ("failureClass", "NON_RETRYABLE"),
            ("errorMessage", "undecided"),
        ];
        for (status, more) in [("PROCESSING", &[][..]), ("FAILED_FINAL", &said)] {
            let changes = more.iter().copied().chain([("status", status)]);
            let set = |(name, value): (&str, &str)| {
                (Path { root: name.into(), inside: Vec::new() }, Change::Set(Value::from(value)))
            };
            let key = Item::from([("requestId".into(), Value::from(id))]);
            let update = Update { key, changes: changes.map(set).collect(), expected_version: None };
            let operation = Operation::Update { entity: "Request".into(), update, guards: Vec::new() };
            self.verbs().db.commit(vec![operation]).await.unwrap();
        }
    }
}

/// Enters events through their forms.
trait Enters {
    /// Enters an event, and returns the id of the request.
    async fn enter(&self, id: &str) -> String;
}

impl Enters for Visitor<'_> {
    async fn enter(&self, id: &str) -> String {
        let done = self.post(&format!("{EVENTS}/events/{id}"), &[]).await;
        assert_eq!(done.status, 303, "{}", done.text);
        let page = done.header("location").strip_prefix("/console/entry/requests/").unwrap();
        page.split('?').next().unwrap().to_owned()
    }
}

#[tokio::test]
async fn all_users_may_enter_and_only_operators_see_more() {
    let server = Server::entry(On::Embedded).await;
    server.guest("guest").await;
    server.lottery("e1").await;
    let guest = Visitor::sign_in(&server, "guest", "en").await;
    let viewer = Visitor::sign_in(&server, "viewer", "en").await;
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    let request = guest.enter("e1").await;
    let board = format!("{EVENTS}/board/e1");
    let below = |page: &str| format!("{board}/{page}");
    let one = format!("{EVENTS}/operator/requests/{request}");
    let everybody = [EVENTS.to_owned(), format!("{EVENTS}/events/e1"), MINE.to_owned()];
    let looks =
        [board.clone(), below("requests"), below("download"), below("draw"), one.clone(), LETTERS.to_owned()];
    let acts = ["pause", "resume", "close", "announce", "draw-now", "places", "edit", "delete"]
        .map(below)
        .into_iter()
        .chain([NEW.to_owned()]);
    let acts: Vec<String> = acts.collect();
    for address in everybody.iter().chain(&looks).chain(&acts) {
        let away = Visitor::signed_out(&server).get(address).await;
        assert_eq!(away.status, 303, "{address}");
        assert!(away.header("location").starts_with("/console/sign-in?next=%2Fconsole%2Fentry"), "{away:?}");
        assert_eq!(editor.get(address).await.status, 200, "{address}");
    }
    for address in &everybody {
        let page = guest.get(address).await;
        assert_eq!(page.status, 200, "{address}");
        lacks(
            &page,
            &["/console/entry/board", "/console/entry/new", "dead-letters", "/console/systems/entry"],
        );
    }
    for address in looks.iter().chain(&acts) {
        assert_eq!(guest.get(address).await.status, 403, "{address}");
    }
    for address in &looks {
        let page = viewer.get(address).await;
        assert_eq!(page.status, 200, "{address}");
        lacks(&page, &["/pause", "/close", "/announce", "/draw-now", "/places", "/redrive", NEW]);
    }
    let posts = acts.iter().cloned().chain([format!("{one}/redrive"), format!("{LETTERS}/redrive")]);
    let mut forged = Visitor::sign_in(&server, "editor", "en").await;
    forged.csrf = "wrong".to_owned();
    for address in posts {
        for visitor in [&guest, &viewer, &forged] {
            assert_eq!(visitor.post(&address, &[("places", "5")]).await.status, 403, "{address}");
        }
    }
    assert_eq!(forged.post(&everybody[1], &[]).await.status, 403);
    has(&viewer.get(&board).await, &["Open", "1 winner"]);
}

#[tokio::test]
async fn all_users_find_the_system_and_roles_limit_its_data() {
    let server = Server::entry(On::Embedded).await;
    server.guest("guest").await;
    let guest = Visitor::sign_in(&server, "guest", "en").await;
    // Participants land on the events.
    let home = guest.get("/console").await;
    assert_eq!((home.status, home.header("location")), (303, "/console/entry"));
    let page = guest.get(EVENTS).await;
    has(&page, &["No events yet", "Events that you can enter appear here.", "My entries"]);
    lacks(&page, &[">Data<", ">Model<"]);
    assert_eq!(guest.get("/console/systems/entry").await.status, 403);
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    has(&editor.get("/console").await, &["Requests since start"]);
    // The pages of records are for administrators: viewers and editors have the pages of events.
    let viewer = Visitor::sign_in(&server, "viewer", "en").await;
    for page in [EVENTS, MINE, LETTERS] {
        lacks(&viewer.get(page).await, &[">Data<", ">Model<"]);
        lacks(&editor.get(page).await, &[">Data<", ">Model<"]);
    }
    let admin = Visitor::sign_in(&server, "admin", "en").await;
    for (address, tab) in [
        (EVENTS, "Events"),
        (MINE, "My entries"),
        (LETTERS, "Dead letters"),
        ("/console/systems/entry", "Data"),
        ("/console/systems/entry/model", "Model"),
    ] {
        let page = admin.get(address).await;
        let (_, rest) = page.text.split_once("<nav class=\"tabs\"").unwrap();
        let (nav, _) = rest.split_once("</nav>").unwrap();
        assert!(nav.contains(&format!("aria-current=\"page\">{tab}</a>")), "{address}: {nav}");
    }
    has(&editor.get(EVENTS).await, &["Create the first one", NEW]);
    let korean = Visitor::sign_in(&server, "viewer", "ko").await;
    has(&korean.get(EVENTS).await, &["아직 이벤트가 없습니다", "내 응모", "처리 실패 메시지"]);
}

#[tokio::test]
async fn events_that_can_be_entered_come_first_and_pages_go_both_ways() {
    let server = Server::entry(On::Embedded).await;
    let now = server.now();
    for number in 0..23 {
        server.event(&format!("old{number}"), Allocation::FirstCome(1), now - 3 * HOUR).await;
    }
    server.event("soon", Allocation::FirstCome(1200), now + 26 * HOUR).await;
    server.open_event("open", Allocation::FirstCome(1)).await;
    let visitor = Visitor::sign_in(&server, "viewer", "en").await;
    let page = visitor.get(EVENTS).await;
    in_order(
        &page,
        &[
            "Event &#60;open&#62;",
            "Open",
            "1 of 1 places left",
            "Closes in",
            "Event &#60;soon&#62;",
            "Upcoming",
            "1,200 places",
            "Opens in",
            "1d 01:",
            "Event &#60;old",
            "Closed",
        ],
    );
    assert_eq!(page.text.matches("<article").count(), 24);
    has(&page, &["rel=\"next\" href=\"/console/entry?page=2\"", "href=\"/console/entry/board/open\""]);
    let second = visitor.get("/console/entry?page=2").await;
    assert_eq!(second.text.matches("<article").count(), 1);
    has(&second, &["rel=\"prev\" href=\"/console/entry?page=1\""]);
    lacks(&second, &["rel=\"next\""]);
}

/// Events are found by title by everyone, entries only by operators.
#[tokio::test]
async fn events_and_entries_are_found_by_search() {
    let server = Server::entry(On::Embedded).await;
    server.guest("guest").await;
    server.open_event("e1", Allocation::FirstCome(1)).await;
    let guest = Visitor::sign_in(&server, "guest", "en").await;
    let viewer = Visitor::sign_in(&server, "viewer", "ko").await;
    let request = guest.enter("e1").await;
    let found = guest.get("/console/search?q=event+%3Ce1").await;
    has(&found, &["<h2>Event</h2>", "href=\"/console/entry/events/e1\">Event &#60;e1&#62;</a>"]);
    has(&guest.get("/console/search?q=my+ent").await, &["href=\"/console/entry/mine\">My entries</a>"]);
    let none = guest.get(&format!("/console/search?q={request}")).await;
    has(&none, &["No results"]);
    has(
        &viewer.get(&format!("/console/search?q={request}")).await,
        &[
            "<h2>응모</h2>",
            &format!("/console/entry/operator/requests/{request}"),
            "/console/systems/entry/entities/Request/record?",
        ],
    );
    lacks(&guest.get("/console/search?q=IdempotencyLock").await, &["/console/systems/entry"]);
    has(
        &viewer.get("/console/search?q=idempotencylock").await,
        &["/console/systems/entry/entities/IdempotencyLock"],
    );
    has(
        &viewer.get("/console/search?q=requestsOfEvent").await,
        &["/console/systems/entry/patterns/requestsOfEvent"],
    );
    has(&viewer.get("/console/search").await, &["전체 검색"]);
    let headers = [("cookie", &*guest.cookie), ("accept", "application/json")];
    let json = server.page(Method::GET, "/console/search?q=e1", &headers, axum::body::Body::empty()).await;
    let hits: serde_json::Value = serde_json::from_str(&json.text).unwrap();
    assert_eq!(hits["hits"][0]["address"], "/console/entry/events/e1", "{}", json.text);
    assert_eq!(Visitor::signed_out(&server).get("/console/search?q=e1").await.status, 303);
}
