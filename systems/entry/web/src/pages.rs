//! Events that people enter: pages for whoever enters, and for whoever runs them.
//!
//! Anybody who is signed in may enter, and sees what is theirs. What all visitors of a page see alike is read
//! once a second for all of them: when an event opens, everybody looks at once.

use std::sync::Arc;

use hansang_core::db::Ask;
use hansang_core::{Db, Error};
use hansang_entry::{Entry, Event, events as verbs};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use hansang_server::Console;
use hansang_ui::frame::{Frame, Place, Tab, View};
use hansang_server::Calls;
use hansang_http::route::{Needs, Route};
use crate::api::Entries as Api;
use crate::Door;
use hansang_access::Role;

mod act;
mod board;
mod draw;
mod event;
mod events;
mod letters;
mod mine;
mod new;
mod own;
mod pace;
mod places;
mod request;
mod requests;
mod rule;
mod shared;
mod words;

use pace::Glance;
use shared::Shared;

/// Where the pages are.
const START: &str = "/console/entry";
/// How many rows a list shows at once.
const ROWS: u32 = 25;
/// What stands for itself in a part of a path.
const PART: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_');

/// The pages of events.
#[derive(Clone)]
struct Entries {
    console: Console,
    calls: Calls,
    door: Arc<EntryDoor>,
    /// What the API does is done in the same way here.
    api: Api,
    known: Arc<Known>,
}

/// What visitors share.
#[derive(Default)]
struct Known {
    lists: Shared<Arc<[Event]>>,
    events: Shared<Arc<Event>>,
    boards: Shared<Arc<Glance>>,
}

/// Every page of events.
pub(super) fn routes(console: &Console, db: &Db, door: &Arc<EntryDoor>) -> Vec<Route> {
    let calls = console.calls(db);
    let entries = Entries {
        console: console.clone(),
        api: Api::new(&console.app, calls.clone(), door.clone()),
        calls,
        door: door.clone(),
        known: Arc::default(),
    };
    let mut routes = vec![
        events::route(&entries),
        event::route(&entries),
        request::route(&entries),
        mine::route(&entries),
        new::route(&entries),
        board::route(&entries),
        places::route(&entries),
        draw::route(&entries),
        requests::route(&entries),
    ];
    routes.extend(requests::one::routes(&entries));
    routes.extend(letters::routes(&entries));
    routes.extend(act::routes(&entries));
    routes
}

/// The tabs that somebody can open.
pub(super) fn tabs(frame: &Frame, system: &str) -> Vec<Tab> {
    let mut tabs = vec![
        (START, frame.say("Events", "이벤트"), "events"),
        ("/console/entry/mine", frame.say("My entries", "내 응모"), "mine"),
    ];
    if frame.is_viewer(system) {
        tabs.push(("/console/entry/dead-letters", frame.say("Dead letters", "처리 못 한 메시지"), "letters"));
    }
    tabs
}

impl Entries {
    fn name(&self) -> &str {
        &self.calls.db.model().name
    }

    fn entry(&self) -> &Entry {
        &self.door.entry
    }

    fn frame(&self, view: View, title: &str) -> Frame {
        self.console.frame(view, title, Place::System(self.name().to_owned()))
    }

    fn needs(&self, role: Role) -> Needs {
        Needs::Role(self.name().to_owned(), role)
    }

    /// All events, as they were at most a second ago.
    async fn list(&self) -> Result<Arc<[Event]>, Error> {
        let ask = |_| self.calls.measured("event.list", async { Ok(verbs::list(self.entry()).await?.into()) });
        self.known.lists.get("", self.entry().db.clock(), ask).await
    }

    /// An event, as it was at most a second ago.
    async fn event(&self, id: &str) -> Result<Arc<Event>, Error> {
        let ask =
            |_| self.calls.measured("event.get", async { Ok(Arc::new(verbs::get(self.entry(), id).await?)) });
        self.known.events.get(id, self.entry().db.clock(), ask).await
    }

    /// An event at a glance, and how it went lately, as it was at most a second ago.
    async fn glance(&self, id: &str) -> Result<Arc<Glance>, Error> {
        let clock = self.entry().db.clock();
        let ask = |last: Option<Arc<Glance>>| {
            let board = self.calls.measured("event.board", hansang_entry::board(self.entry(), id));
            async move { Ok(Arc::new(Glance::after(last.as_deref(), board.await?, clock.moment().now))) }
        };
        self.known.boards.get(id, clock, ask).await
    }

    /// Something was done with an event: whoever looks next sees it.
    async fn changed(&self, id: &str) {
        self.known.lists.forget("").await;
        self.known.events.forget(id).await;
        self.known.boards.forget(id).await;
    }
}

/// A page of a list, as the address says.
fn asked(view: &View) -> Ask {
    let cursor = Some(view.asked().text("cursor").to_owned()).filter(|cursor| !cursor.is_empty());
    Ask { limit: Some(ROWS), cursor, ..Ask::default() }
}

/// The address of a page about something. Ids can contain whatever separates the parts of a path.
fn at(page: &str, id: &str) -> String {
    format!("{START}/{page}/{}", utf8_percent_encode(id, PART))
}

/// The address of a page below the board of an event.
fn below_board(id: &str, page: &str) -> String {
    format!("{}/{page}", at("board", id))
}
