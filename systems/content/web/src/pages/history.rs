//! The history of a post: its versions, what each changed, and their restoration.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use futures_util::FutureExt as _;
use hansang_access::Role;
use hansang_content::{PostVersion, VersionEvent, Working, versions, working};
use hansang_core::db::Ask;
use hansang_http::input::PathKey;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_server::Caller;
use hansang_ui::form::{Form, Problems};
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::html::Html;
use hansang_ui::page::Pager;
use hansang_ui::time::Moment;

use super::conflict::marked;
use super::words::event_name;
use super::{Pages, START, done, editor};
use crate::actions::RESTORE_VERSION;
use crate::notices;

/// The number of versions of a page.
const ROWS: u32 = 20;

#[derive(Template)]
#[template(path = "content/history.html")]
struct History {
    frame: Frame,
    id: String,
    post: String,
    revision: i64,
    versions: Vec<Version>,
    /// The version that is shown in full.
    shown: Option<Change>,
    pages: Pager,
    problems: Problems,
}

/// A row of the list.
struct Version {
    revision: i64,
    address: String,
    event: String,
    is_published: bool,
    by: String,
    at: Moment,
    is_shown: bool,
}

/// What a version changed.
struct Change {
    revision: i64,
    is_first: bool,
    title: Html,
    contents: Html,
    can_restore: bool,
}

pub(super) fn route(pages: &Pages) -> Route {
    let (shows, restores) = (pages.clone(), pages.clone());
    let handler = on(MethodFilter::GET, async move |view: View, key: PathKey| {
        show(&shows, view, StatusCode::OK, &key.text("id"), Problems::default()).await
    })
    .on(MethodFilter::POST, async move |caller: Caller, view: View, key: PathKey, sent: Form| {
        restore(&restores, &caller, view, &key.text("id"), &sent).await
    });
    Route::page(&format!("{START}/posts/{{id}}/history"), pages.needs(Role::Viewer), handler)
}

async fn show(
    pages: &Pages,
    view: View,
    status: StatusCode,
    id: &str,
    problems: Problems,
) -> Result<Response, Problem> {
    let content = pages.content();
    let asked = view.asked();
    let ask = Ask { limit: Some(ROWS), cursor: asked.get("cursor").map(str::to_owned), ..Ask::default() };
    let read = async {
        let now = working(content, id).await?;
        let listed = versions(content, id, ask).await?;
        // The last row of the page is compared with the version before it.
        let older = match listed.next.clone() {
            Some(cursor) => {
                let ask = Ask { limit: Some(1), cursor: Some(cursor), ..Ask::default() };
                versions(content, id, ask).await?.versions.pop()
            }
            None => None,
        };
        Ok((now, listed, older))
    };
    let (now, listed, older) = pages.read("versions", read.boxed()).await?;
    let people = pages.console.people(listed.versions.iter().map(|version| &*version.by)).await;
    let wanted =
        asked.text("version").parse().ok().or_else(|| listed.versions.first().map(|one| one.revision));
    let title = view.say("History", "변경 기록").to_owned();
    let frame = pages.frame(view, &title);
    let view = &frame.view;
    let here = format!("{}/history", editor::at(id));
    let position = listed.versions.iter().position(|version| Some(version.revision) == wanted);
    let shown = position.map(|index| {
        let before = listed.versions.get(index + 1).or(older.as_ref());
        change(pages, view, &now, &listed.versions[index], before)
    });
    let at = |revision: i64| match asked.get("cursor") {
        Some(cursor) => format!("{here}?cursor={cursor}&version={revision}"),
        None => format!("{here}?version={revision}"),
    };
    let row = |version: &PostVersion| Version {
        revision: version.revision,
        address: at(version.revision),
        event: event_name(view, version.event).to_owned(),
        is_published: version.event == VersionEvent::Published,
        by: people.name(&version.by),
        at: view.time(version.at),
        is_shown: Some(version.revision) == wanted,
    };
    let versions = listed.versions.iter().map(row).collect();
    let history = History {
        id: id.to_owned(),
        post: now.text().title.clone(),
        revision: now.post.revision,
        versions,
        pages: Pager::at(&here, None, listed.next.as_deref()),
        shown,
        problems,
        frame,
    };
    Ok(page(status, &history))
}

fn change(
    pages: &Pages,
    view: &View,
    now: &Working,
    version: &PostVersion,
    before: Option<&PostVersion>,
) -> Change {
    let old = before.map(|before| &before.text);
    let (title, contents) = old.map(|old| (&*old.title, &*old.contents)).unwrap_or_default();
    Change {
        revision: version.revision,
        is_first: before.is_none(),
        title: marked(title, &version.text.title),
        contents: marked(contents, &version.text.contents),
        can_restore: pages.is_editor(view) && version.text != *now.text(),
    }
}

async fn restore(
    pages: &Pages,
    caller: &Caller,
    view: View,
    id: &str,
    sent: &Form,
) -> Result<Response, Problem> {
    pages.check_editor(&view)?;
    let number = |name: &str| sent.text(name).parse().unwrap_or(-1);
    match pages.act(&RESTORE_VERSION, caller, (id.to_owned(), number("version"), number("revision"))).await {
        Ok(_) => Ok(done(notices::VERSION_RESTORED, &editor::at(id))),
        Err(error) => {
            let problem = Problem::from(error);
            let problems = Problems::of_error(&problem, &[], view.language);
            show(pages, view, problem.status, id, problems).await
        }
    }
}
