//! The pages of editors and managers.

use std::sync::{Arc, LazyLock};

use axum::http::HeaderMap;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use hansang_access::Role;
use hansang_content::Content;
use hansang_core::Error;
use hansang_http::guard::role_missing;
use hansang_http::problem::Problem;
use hansang_http::route::{Needs, Route};
use hansang_server::{Caller, Calls, Console};
use hansang_ui::assets::Asset;
use hansang_ui::frame::{Frame, Section, Tab, View};
use hansang_ui::notice::Notice;

use crate::actions::{Change, MANAGER, act};
use crate::desk::Desk;

mod banners;
mod categories;
mod company;
mod conflict;
mod dashboard;
mod delete_post;
mod editor;
mod erase_person;
mod form;
mod history;
mod inbox;
mod inquiry;
mod list;
mod media;
mod new_post;
mod ordered;
mod posts;
mod publication;
mod share;
mod templates;
mod users;
mod webhooks;
mod words;

/// The path of the pages.
const START: &str = "/console/content";

static SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new("content-pages.js", "text/javascript; charset=utf-8", include_str!("pages/pages.js").into())
});

/// The state of the pages.
#[derive(Clone)]
struct Pages {
    console: Console,
    calls: Calls,
    desk: Arc<Desk>,
}

/// All pages of editors and managers.
pub(crate) fn routes(console: &Console, desk: &Arc<Desk>) -> Vec<Route> {
    let pages = Pages { console: console.clone(), calls: console.calls(&desk.db), desk: desk.clone() };
    let mut routes = vec![
        dashboard::route(&pages),
        posts::route(&pages),
        new_post::route(&pages),
        delete_post::route(&pages),
        history::route(&pages),
        company::route(&pages),
        inbox::route(&pages),
        erase_person::route(&pages),
    ];
    routes.extend(editor::routes(&pages));
    routes.extend(share::routes(&pages));
    routes.extend(categories::routes(&pages));
    routes.extend(banners::routes(&pages));
    routes.extend(media::routes(&pages));
    routes.extend(inquiry::routes(&pages));
    routes.extend(templates::routes(&pages));
    routes.extend(users::routes(&pages));
    routes.extend(webhooks::routes(&pages));
    let script = on(MethodFilter::GET, async |headers: HeaderMap| SCRIPT.response(&headers));
    routes.push(Route::page("/assets/content-pages.js", Needs::Nothing, script));
    routes
}

/// The tabs above the pages.
pub(crate) fn tabs(view: &View) -> Vec<Tab> {
    let mut tabs = vec![
        (START, view.say("Overview", "한눈에"), "dashboard"),
        ("/console/content/posts", view.say("Posts", "글"), "posts"),
        ("/console/content/categories", view.say("Categories", "카테고리"), "categories"),
    ];
    let role = view.role_in("content");
    if role >= Some(Role::Editor) {
        tabs.extend([
            ("/console/content/banners", view.say("Banners", "배너"), "banners"),
            ("/console/content/media", view.say("Media", "미디어"), "media"),
            ("/console/content/inquiries", view.say("Inquiries", "문의"), "inquiries"),
        ]);
    }
    if role >= Some(MANAGER) {
        tabs.extend([
            ("/console/content/company", view.say("Company", "회사 정보"), "company"),
            ("/console/content/authors", view.say("Authors", "작성자"), "authors"),
            ("/console/content/webhooks", view.say("Webhooks", "웹훅"), "webhooks"),
        ]);
    }
    tabs
}

/// The address of the script of lists and forms.
pub(crate) fn script() -> &'static str {
    SCRIPT.address()
}

impl Pages {
    fn name(&self) -> &str {
        &self.desk.db.model().name
    }

    fn content(&self) -> &Content {
        &self.desk.content
    }

    fn frame(&self, view: View, title: &str) -> Frame {
        self.console.frame(view, title, Section::System(self.name().to_owned()))
    }

    fn needs(&self, role: Role) -> Needs {
        Needs::Role(self.name().to_owned(), role)
    }

    fn is_manager(&self, view: &View) -> bool {
        view.role_in(self.name()) >= Some(MANAGER)
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
        act(action, &self.calls, &self.desk, caller, input).await
    }

    /// Reads for a page, measured.
    async fn read<T>(
        &self,
        operation: &str,
        read: impl Future<Output = Result<T, Error>> + Send,
    ) -> Result<T, Problem> {
        Ok(self.calls.measured(operation, read).await?)
    }

    /// The address of the public site.
    fn site(&self, path: &str) -> String {
        format!("{}{path}", self.desk.settings.site)
    }
}

/// The redirect to a page after a change.
fn done(notice: Notice, address: &str) -> Response {
    Redirect::to(&notice.at(address)).into_response()
}
