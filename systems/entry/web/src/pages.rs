//! The console pages of events, for participants and for operators.
//!
//! All signed-in users may enter, and see their own requests. Reads that do not depend on the visitor are cached for a
//! second, because everyone loads the page when an event opens.

use std::ops::Deref;
use std::sync::Arc;

use hansang_core::db::Ask;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::Door;
use crate::api::Entries;
use hansang_access::Role;
use hansang_http::route::{Needs, Route};
use hansang_server::Console;
use hansang_ui::frame::{Frame, Section, Tab, View};

mod act;
mod board;
mod download;
mod draw;
mod edit;
mod event;
mod events;
mod fields;
mod letters;
mod mine;
mod new;
mod own;
mod pace;
mod places;
mod request;
mod requests;
mod rule;
mod words;

pub(crate) use pace::Glance;

/// The path of the pages.
const START: &str = "/console/entry";
/// The page size of lists.
const PAGE_SIZE: u32 = 25;
/// The characters that are escaped in a path segment.
const PART: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_');

/// The state of the pages.
#[derive(Clone)]
struct Pages {
    console: Console,
    /// The operations, shared with the API.
    entries: Entries,
}

/// All pages of events.
pub(crate) fn routes(console: &Console, door: &Arc<Door>) -> Vec<Route> {
    let entries = Pages { console: console.clone(), entries: Entries::new(&console.app, door.clone()) };
    let mut routes = vec![
        events::route(&entries),
        event::route(&entries),
        request::route(&entries),
        mine::route(&entries),
        new::route(&entries),
        edit::route(&entries),
        download::route(&entries),
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

/// The tabs that a visitor can open.
pub(crate) fn tabs(view: &View, system: &str) -> Vec<Tab> {
    let mut tabs = vec![
        (START, view.say("Events", "이벤트"), "events"),
        ("/console/entry/mine", view.say("My entries", "내 응모"), "mine"),
    ];
    if view.role_in(system).is_some() {
        tabs.push(("/console/entry/dead-letters", view.say("Dead letters", "처리 실패 메시지"), "letters"));
    }
    tabs
}

impl Pages {
    fn name(&self) -> &str {
        &self.entries.calls.db.model().name
    }

    fn frame(&self, view: View, title: &str) -> Frame {
        self.console.frame(view, title, Section::System(self.name().to_owned()))
    }

    fn needs(&self, role: Role) -> Needs {
        Needs::Role(self.name().to_owned(), role)
    }
}

impl Deref for Pages {
    type Target = Entries;

    fn deref(&self) -> &Entries {
        &self.entries
    }
}

/// The page of a list in a query.
fn asked(view: &View) -> Ask {
    let cursor = Some(view.asked().text("cursor").to_owned()).filter(|cursor| !cursor.is_empty());
    Ask { limit: Some(PAGE_SIZE), cursor, ..Ask::default() }
}

/// The address of a page about an event or a request, with its id escaped.
fn at(page: &str, id: &str) -> String {
    format!("{START}/{page}/{}", utf8_percent_encode(id, PART))
}

/// The address of an event for participants.
pub(crate) fn event_address(id: &str) -> String {
    at("events", id)
}

/// The address of an entry for operators.
pub(crate) fn request_address(id: &str) -> String {
    requests::one::address(id)
}

/// The address of a page below the board of an event.
fn below_board(id: &str, page: &str) -> String {
    format!("{}/{page}", at("board", id))
}
