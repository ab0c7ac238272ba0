//! Events that people enter: pages for whoever enters, and for whoever runs them.
//!
//! Anybody who is signed in may enter, and sees what is theirs. What all visitors of a page see alike is read
//! once a second for all of them: when an event opens, everybody looks at once.

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
mod words;

pub(crate) use pace::Glance;

/// Where the pages are.
const START: &str = "/console/entry";
/// How many rows a list shows at once.
const ROWS: u32 = 25;
/// What stands for itself in a part of a path.
const PART: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_');

/// The pages of events.
#[derive(Clone)]
struct Pages {
    console: Console,
    /// The operations, the same as those of the API.
    entries: Entries,
}

/// Every page of events.
pub(crate) fn routes(console: &Console, door: &Arc<Door>) -> Vec<Route> {
    let entries = Pages { console: console.clone(), entries: Entries::new(&console.app, door.clone()) };
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

/// The tabs that a visitor can open.
pub(crate) fn tabs(view: &View, system: &str) -> Vec<Tab> {
    let mut tabs = vec![
        (START, view.say("Events", "이벤트"), "events"),
        ("/console/entry/mine", view.say("My entries", "내 응모"), "mine"),
    ];
    if view.role_in(system).is_some() {
        tabs.push(("/console/entry/dead-letters", view.say("Dead letters", "처리 못 한 메시지"), "letters"));
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
