//! The files that were made from documents: one's own, and those of all users in a project.

use futures_util::FutureExt as _;
use std::collections::BTreeMap;

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use hansang_access::Role;
use hansang_core::Error;
use hansang_core::db::{Ask, TypedListing};
use hansang_documents::{
    Artifact, artifacts_of_project, artifacts_of_user, artifacts_of_user_in_project, find_project,
    query_projects,
};
use hansang_http::guard::role_missing;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_server::Caller;
use hansang_ui::address;
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::page::Pager;
use hansang_ui::time::Moment;

use super::project::Head;
use super::{Pages, START, words};
use crate::actions::by;
use crate::types::is_picture;

/// The number of files of a page.
const ROWS: u32 = 48;

#[derive(Template)]
#[template(path = "documents/artifacts.html")]
struct Gallery {
    frame: Frame,
    /// The project, if only its files are shown.
    head: Option<Head>,
    tiles: Vec<Tile>,
    projects: Vec<(String, String)>,
    project: String,
    everyone: bool,
    /// Whether the reader may choose the files of all users.
    may_see_all: bool,
    pages: Pager,
}

/// A file in the gallery.
struct Tile {
    name: String,
    /// The address of its page; none for a file of another user.
    address: Option<String>,
    /// The address of a picture.
    picture: Option<String>,
    icon: &'static str,
    about: String,
    project: String,
    owner: String,
    created: Moment,
}

pub(super) fn routes(pages: &Pages) -> Vec<Route> {
    let shows = pages.clone();
    let list =
        on(MethodFilter::GET, async move |caller: Caller, view: View| show(&shows, &caller, view).await);
    vec![Route::page(&format!("{START}/artifacts"), pages.needs(Role::Viewer), list)]
}

async fn list(
    pages: &Pages,
    by: &str,
    project: &str,
    everyone: bool,
    ask: Ask,
) -> Result<TypedListing<Artifact>, Error> {
    let documents = pages.documents();
    match project {
        "" => artifacts_of_user(documents, by, ask).await,
        project if everyone => artifacts_of_project(documents, project, ask).await,
        project => artifacts_of_user_in_project(documents, by, project, ask).await,
    }
}

/// The address of the file of an artifact.
pub(super) fn file_address(artifact_id: &str) -> String {
    format!("/api/documents/artifacts/{artifact_id}/file")
}

async fn show(pages: &Pages, caller: &Caller, view: View) -> Result<Response, Problem> {
    let by = by(caller)?;
    let asked = view.asked();
    let project = asked.text("project").to_owned();
    let may_see_all = view.role_in(pages.name()) >= Some(Role::Admin);
    let everyone = asked.text("whose") == "all" && !project.is_empty();
    if everyone && !may_see_all {
        return Err(role_missing(pages.name(), Role::Admin).into());
    }
    let head = match &*project {
        "" => None,
        id => {
            let found = pages.read("project", find_project(pages.documents(), id).boxed()).await?;
            Some(Head::of(pages, &view, &found))
        }
    };
    let ask = Ask { limit: Some(ROWS), cursor: asked.get("cursor").map(str::to_owned), ..Ask::default() };
    let found = pages.read("artifacts", list(pages, &by, &project, everyone, ask).boxed()).await?;
    let all = pages.read("projects", query_projects(pages.documents()).boxed()).await?;
    let names: BTreeMap<&str, &str> =
        all.iter().map(|project| (&*project.project_id, &*project.text.name)).collect();
    let people = pages.console.people(found.items.iter().map(|one| &*one.user_id)).await;
    let tile = |one: &Artifact| {
        let own = one.user_id == by;
        Tile {
            name: one.filename.clone(),
            address: own.then(|| format!("{START}/artifacts/{}", one.artifact_id)),
            picture: (own && is_picture(&one.content_type)).then(|| file_address(&one.artifact_id)),
            icon: words::icon(&one.content_type),
            about: about(one),
            project: names.get(&*one.project_id).map(|name| (*name).to_owned()).unwrap_or_default(),
            owner: if own { String::new() } else { people.name(&one.user_id) },
            created: view.time(one.created_at),
        }
    };
    let title = view.say("Results", "결과 파일").to_owned();
    let shown = Gallery {
        tiles: found.items.iter().map(tile).collect(),
        projects: all.iter().map(|one| (one.project_id.clone(), one.text.name.clone())).collect(),
        pages: Pager::of(&found, &address::with(&view.here, &[])),
        frame: pages.frame(view, &title),
        head,
        project,
        everyone,
        may_see_all,
    };
    Ok(page(StatusCode::OK, &shown))
}

/// Format and size of a file.
pub(super) fn about(one: &Artifact) -> String {
    let format = words::format(&one.content_type, &one.filename);
    let size = words::size(one.file_size);
    if format.is_empty() { size } else { format!("{format} · {size}") }
}
