//! The pages, for people who drop files into a project and read what came out of them.

use std::sync::{Arc, LazyLock};

use axum::http::HeaderMap;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use hansang_access::Role;
use hansang_core::Error;
use hansang_documents::Documents;
use hansang_http::guard::role_missing;
use hansang_http::problem::Problem;
use hansang_http::route::{Needs, Route};
use hansang_server::{Caller, Calls, Console};
use hansang_ui::assets::Asset;
use hansang_ui::frame::{Frame, Section, Tab, View};
use hansang_ui::notice::Notice;

use crate::actions::{Change, act};
use crate::state::State;

mod agents;
mod answers;
mod artifact;
mod artifacts;
mod cache;
mod chat;
mod conversations;
mod document;
mod edit_project;
mod find;
mod form;
mod marks;
mod messages;
mod pictures;
mod project;
mod projects;
mod reader;
mod reanalyse;
mod removal;
mod run;
mod search;
mod sent;
mod words;
mod workspace;

/// The path of the pages.
const START: &str = "/console/documents";

static SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    let script =
        [include_str!("pages/follow.js"), include_str!("pages/upload.js"), include_str!("pages/reader.js")];
    Asset::new("documents-pages.js", "text/javascript; charset=utf-8", script.concat())
});

/// The state of the pages.
#[derive(Clone)]
struct Pages {
    console: Console,
    calls: Calls,
    state: Arc<State>,
}

/// All pages.
pub(crate) fn routes(console: &Console, state: &Arc<State>) -> Vec<Route> {
    let pages = Pages { console: console.clone(), calls: console.calls(&state.db), state: state.clone() };
    let mut routes = vec![projects::route(&pages), search::route(&pages)];
    routes.extend(edit_project::routes(&pages));
    routes.extend(workspace::routes(&pages));
    routes.extend(removal::routes(&pages));
    routes.extend(document::routes(&pages));
    routes.extend(reanalyse::routes(&pages));
    routes.extend(reader::routes(&pages));
    routes.extend(artifacts::routes(&pages));
    routes.extend(artifact::routes(&pages));
    routes.extend(conversations::routes(&pages));
    routes.extend(chat::routes(&pages));
    routes.extend(agents::routes(&pages));
    routes.extend(cache::routes(&pages));
    let script = on(MethodFilter::GET, async |headers: HeaderMap| SCRIPT.response(&headers));
    routes.push(Route::page("/assets/documents-pages.js", Needs::Nothing, script));
    routes
}

/// The tabs above the pages.
pub(crate) fn tabs(view: &View) -> Vec<Tab> {
    let mut tabs = vec![
        (START, view.say("Projects", "프로젝트"), "projects"),
        ("/console/documents/artifacts", view.say("Results", "결과 파일"), "artifacts"),
    ];
    if view.role_in("documents") >= Some(Role::Admin) {
        tabs.push(("/console/documents/cache", view.say("Cache", "캐시"), "cache"));
    }
    tabs
}

/// The address of the script of these pages.
pub(crate) fn script() -> &'static str {
    SCRIPT.address()
}

impl Pages {
    fn name(&self) -> &str {
        &self.state.db.model().name
    }

    fn documents(&self) -> &Documents {
        &self.state.documents
    }

    fn frame(&self, view: View, title: &str) -> Frame {
        self.console.frame(view, title, Section::System(self.name().to_owned()))
    }

    fn needs(&self, role: Role) -> Needs {
        Needs::Role(self.name().to_owned(), role)
    }

    fn is_editor(&self, view: &View) -> bool {
        view.role_in(self.name()) >= Some(Role::Editor)
    }

    /// Checks that a visitor of a page that viewers see may change something.
    fn check_editor(&self, view: &View) -> Result<(), Error> {
        if self.is_editor(view) { Ok(()) } else { Err(role_missing(self.name(), Role::Editor)) }
    }

    /// Makes a change, as the API does.
    async fn act<I, O>(&self, action: &Change<I, O>, caller: &Caller, input: I) -> Result<O, Error> {
        act(action, &self.calls, &self.state, caller, input).await
    }

    /// Reads for a page, measured.
    async fn read<T>(
        &self,
        operation: &str,
        read: impl Future<Output = Result<T, Error>> + Send,
    ) -> Result<T, Problem> {
        Ok(self.calls.measured(operation, read).await?)
    }
}

/// The redirect to a page after a change.
fn done(notice: Notice, address: &str) -> Response {
    Redirect::to(&notice.at(address)).into_response()
}
