//! Search everywhere: systems, pages, entities, access patterns and records, and whatever systems add.
//!
//! Records are found by access patterns that take one text or none, never by a scan. Only what the visitor may open is
//! found.

use std::sync::Arc;

use askama::Template;
use axum::Json as Body;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodFilter, on};
use serde::Serialize;

use super::Console;
use crate::Service;
use hansang_access::{EVERYWHERE, Role};
use hansang_http::route::{Needs, Route};
use hansang_ui::frame::{Frame, Section, View, page};

mod records;

/// The maximum number of characters of a search.
const MAX_TEXT: usize = 200;
/// The maximum number of results of one kind.
const MAX_OF_KIND: usize = 10;

/// A result of a search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Hit {
    /// The kind of thing, in the language of the visitor.
    pub kind: String,
    /// The title.
    pub title: String,
    /// A short description.
    pub detail: String,
    /// The address of its page.
    pub address: String,
    /// The language of the title, if it is not that of the visitor.
    #[serde(skip)]
    pub language: &'static str,
}

impl Hit {
    /// A result.
    #[must_use]
    pub fn new(
        kind: impl Into<String>,
        title: impl Into<String>,
        detail: impl Into<String>,
        address: impl Into<String>,
    ) -> Self {
        let (kind, title, detail) = (kind.into(), title.into(), detail.into());
        Self { kind, title, detail, address: address.into(), language: "" }
    }

    /// The same result with a title in English.
    #[must_use]
    pub fn in_english(self) -> Self {
        Self { language: "en", ..self }
    }

    /// Whether the title or the description contains a text, in any case.
    #[must_use]
    pub fn contains(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        self.title.to_lowercase().contains(&text) || self.detail.to_lowercase().contains(&text)
    }
}

#[derive(Template)]
#[template(path = "console/search.html")]
struct Search {
    frame: Frame,
    text: String,
    groups: Vec<(String, Vec<Hit>)>,
    /// Whether a system could not be searched.
    partial: bool,
}

/// The results of a search as JSON.
#[derive(Serialize)]
struct Found {
    hits: Vec<Hit>,
    partial: bool,
}

pub(super) fn route(console: &Console) -> Route {
    let console = console.clone();
    let handler = on(MethodFilter::GET, async move |view: View, headers: HeaderMap| {
        show(&console, view, &headers).await
    });
    Route::page("/console/search", Needs::SignedIn, handler)
}

async fn show(console: &Console, view: View, headers: &HeaderMap) -> Response {
    let text: String = view.asked().text("q").trim().chars().take(MAX_TEXT).collect();
    let Found { hits, partial } = found(console, &view, &text).await;
    let accept = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
    if accept.is_some_and(|accept| accept.starts_with("application/json")) {
        return Body(Found { hits, partial }).into_response();
    }
    let title = view.say("Search", "검색").to_owned();
    let search =
        Search { frame: console.frame(view, &title, Section::Home), text, groups: grouped(hits), partial };
    page(StatusCode::OK, &search)
}

async fn found(console: &Console, view: &View, text: &str) -> Found {
    let mut found = Found { hits: Vec::new(), partial: false };
    if text.is_empty() {
        return found;
    }
    let fixed = pages(console, view).into_iter().chain(designs(console, view));
    found.hits.extend(fixed.filter(|hit| hit.contains(text)));
    found.hits.extend(console.library.search(view, text));
    for service in console.seen(view) {
        let own = service.search(view, text).await;
        let records = match view.role_in(&service.db().model().name) {
            Some(_) => records::find(&**service, view, text).await,
            None => Ok(Vec::new()),
        };
        for result in [own, records] {
            match result {
                Ok(hits) => found.hits.extend(hits),
                Err(error) => {
                    tracing::warn!(%error, system = %service.db().model().name, "search failed");
                    found.partial = true;
                }
            }
        }
    }
    found.hits = grouped(found.hits).into_iter().flat_map(|(_, hits)| hits).collect();
    found
}

/// The results by kind, each with a maximum number.
fn grouped(hits: Vec<Hit>) -> Vec<(String, Vec<Hit>)> {
    let mut groups: Vec<(String, Vec<Hit>)> = Vec::new();
    for hit in hits {
        match groups.iter_mut().find(|(kind, _)| *kind == hit.kind) {
            Some((_, known)) if known.len() >= MAX_OF_KIND || known.contains(&hit) => {}
            Some((_, known)) => known.push(hit),
            None => groups.push((hit.kind.clone(), vec![hit])),
        }
    }
    groups
}

/// The systems, their own pages, and the pages that every visitor has.
fn pages(console: &Console, view: &View) -> Vec<Hit> {
    let (system, page) = (view.say("System", "시스템"), view.say("Page", "화면"));
    let mut hits = Vec::new();
    for service in console.seen(view) {
        let model = service.db().model();
        let tabs = service.tabs(view);
        let start =
            tabs.first().map_or_else(|| format!("/console/systems/{}", model.name), |tab| tab.0.to_owned());
        let doc = model.doc.in_language(view.language);
        let title = model.title_in(view.language);
        hits.push(Hit::new(system, &*title, format!("{} · {doc}", model.name), start));
        hits.extend(tabs.iter().map(|(address, label, _)| Hit::new(page, *label, &*title, *address)));
        let own = |label: &str, rest: &str| {
            Hit::new(page, label, &*title, format!("/console/systems/{}{rest}", model.name))
        };
        let least = if tabs.is_empty() { Role::Viewer } else { Role::Admin };
        if view.role_in(&model.name) >= Some(least) {
            hits.push(own(view.say("Data", "데이터"), ""));
            hits.push(own(view.say("Model", "모델"), "/model"));
        }
        if view.role_in(&model.name) >= Some(Role::Editor) && service.has_generic_writes() {
            hits.push(own(view.say("Import", "가져오기"), "/import"));
        }
    }
    let server = view.say("Server", "서버");
    if view.role_in(EVERYWHERE) == Some(Role::Admin) {
        hits.push(Hit::new(page, view.say("Accounts", "계정"), server, "/console/settings/accounts"));
        hits.push(Hit::new(page, view.say("Audit log", "감사 로그"), server, "/console/settings/audit"));
    }
    for (address, english, korean) in [
        ("/console", "Home", "홈"),
        ("/console/settings", "Settings", "설정"),
        ("/console/settings/tokens", "API tokens", "API 토큰"),
        ("/console/docs", "Documentation", "도움말"),
        ("/api/docs", "API reference", "API 문서"),
    ] {
        hits.push(Hit::new(page, view.say(english, korean), server, address));
    }
    hits
}

/// The entities and access patterns of the systems in which the visitor has a role.
fn designs(console: &Console, view: &View) -> Vec<Hit> {
    let (entity, pattern) = (view.say("Entity", "엔티티"), view.say("Access pattern", "접근 패턴"));
    let has_role = |service: &&Arc<dyn Service>| view.role_in(&service.db().model().name).is_some();
    let mut hits = Vec::new();
    for service in console.seen(view).filter(has_role) {
        let model = service.db().model();
        let at = |rest: String| format!("/console/systems/{}/{rest}", model.name);
        hits.extend(model.entities.iter().map(|one| {
            let detail = format!("{} · {} · {}", model.name, one.name, one.doc.in_language(view.language));
            Hit::new(entity, one.title_in(view.language), detail, at(format!("entities/{}", one.name)))
        }));
        let (reserved, role) = (service.reserved(), view.role_in(&model.name));
        let readable = model.patterns.iter().filter(|one| reserved.may_query(role, one));
        hits.extend(readable.map(|one| {
            let detail = format!("{} · {} · {}", model.name, one.name, one.doc.in_language(view.language));
            Hit::new(pattern, one.title_in(view.language), detail, at(format!("patterns/{}", one.name)))
        }));
    }
    hits
}
