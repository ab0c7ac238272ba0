//! The public site: pages, feeds and files that anyone can read, in Korean and English.

use std::sync::Arc;

use axum::extract::OriginalUri;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodFilter, MethodRouter, on};
use hansang_core::Error;
use hansang_http::input::PathKey;
use hansang_http::problem::{Problem, no_such_path};
use hansang_http::route::{Needs, Route};
use hansang_server::{Calls, Console};
use jiff::Timestamp;
use serde::Serialize;

use crate::demo;
use crate::desk::Desk;
use crate::fresh::Made;
use crate::outside;

mod about;
mod contact;
mod error;
mod feeds;
mod home;
mod lists;
mod pictures;
mod post;
mod search;
mod theme;
mod visit;

pub(crate) use theme::Theme;
use visit::{Head, Visit};

/// The site as it is served.
#[derive(Clone)]
struct Site {
    desk: Arc<Desk>,
    calls: Calls,
    /// Whether visitors use HTTPS.
    tls: bool,
}

/// A page before it is rendered.
struct Page<C> {
    /// The template.
    template: &'static str,
    /// What a search engine and a browser are told.
    head: Head,
    /// What the template shows.
    context: C,
    /// The time at which the page changes by itself.
    until: Option<Timestamp>,
}

/// All pages of the site.
pub(crate) fn routes(console: &Console, desk: &Arc<Desk>) -> Vec<Route> {
    let site = Site { desk: desk.clone(), calls: console.calls(&desk.db), tls: console.app.settings().tls };
    let mut routes = vec![site.home()];
    routes.extend(site.lists());
    routes.extend(site.post_pages());
    routes.push(site.about());
    routes.push(site.search());
    routes.extend(site.contact());
    routes.extend(site.feeds());
    routes.push(site.assets());
    routes.push(example());
    routes.push(media(desk));
    routes.push(site.unknown());
    routes
}

/// The files of media.
fn media(desk: &Arc<Desk>) -> Route {
    let desk = desk.clone();
    let handler = on(MethodFilter::GET, async move |key: PathKey| {
        let (id, name) = (key.text("id"), key.text("name"));
        Ok::<_, Problem>(outside::file(&desk.content, &desk.outside, &id, &name).await?)
    });
    Route::page("/media/{id}/{name}", Needs::Nothing, handler)
}

/// The pictures of the example site.
fn example() -> Route {
    let handler = on(MethodFilter::GET, async |key: PathKey| {
        let file = demo::file(&key.text("name")).ok_or_else(no_such_path)?;
        let head = [(header::CONTENT_TYPE, "image/png"), (header::CACHE_CONTROL, "public, max-age=86400")];
        Ok::<_, Problem>((head, file))
    });
    Route::page("/media/example/{name}", Needs::Nothing, handler)
}

impl Site {
    /// A page that is kept by caches, or an error page.
    fn page<C, F, R>(&self, path: &str, read: R) -> Route
    where
        C: Serialize + Send + 'static,
        F: Future<Output = Result<Page<C>, Error>> + Send + 'static,
        R: Fn(Arc<Desk>, Arc<Visit>, String) -> F + Clone + Send + Sync + 'static,
    {
        self.route(path, move |site: Self, visit: Visit, headers: HeaderMap, key: String| {
            let read = read.clone();
            async move {
                let visit = Arc::new(visit);
                let make = async {
                    let read = read(site.desk.clone(), visit.clone(), key);
                    let page = site.calls.measured("site.page", read).await?;
                    site.render(&visit, page).await
                };
                site.desk.fresh.respond(visit.name(), &headers, make).await
            }
        })
    }

    /// A page with its own response. The text is the parameter of the path.
    fn route<F, H>(&self, path: &str, handle: H) -> Route
    where
        F: Future<Output = Result<Response, Problem>> + Send + 'static,
        H: Fn(Self, Visit, HeaderMap, String) -> F + Clone + Send + Sync + 'static,
    {
        let site = self.clone();
        let handler = on(
            MethodFilter::GET,
            async move |OriginalUri(uri): OriginalUri, headers: HeaderMap, key: PathKey| {
                let mut visit = site.visit(&uri, &headers);
                visit.key = key.0.clone();
                match handle(site.clone(), visit.clone(), headers, key.text("name")).await {
                    Ok(response) => visit.finish(response),
                    Err(problem) => site.refuse(&visit, &problem).await,
                }
            },
        );
        self.public(path, handler)
    }

    fn public(&self, path: &str, handler: MethodRouter) -> Route {
        let whole = format!("{}{path}", self.desk.settings.site);
        let whole = if whole.is_empty() { "/".to_owned() } else { whole };
        Route {
            operation: format!("content.site{}", path.replace('/', ".")),
            ..Route::page(&whole, Needs::Nothing, handler)
        }
    }

    fn visit(&self, uri: &Uri, headers: &HeaderMap) -> Visit {
        Visit::of(&self.desk.settings, self.tls, uri, headers)
    }

    /// Renders a page in the theme.
    async fn render<C: Serialize>(&self, visit: &Visit, page: Page<C>) -> Result<Made, Problem> {
        let frame = visit.frame(&self.desk.content).await?;
        let text = self.desk.theme.render(page.template, visit, &frame, &page.head, &page.context)?;
        Ok(Made { media: "text/html; charset=utf-8", text, until: page.until })
    }

    /// Renders a page that no cache may keep.
    async fn once<C: Serialize>(
        &self,
        visit: &Visit,
        status: StatusCode,
        page: Page<C>,
    ) -> Result<Response, Problem> {
        let made = self.render(visit, page).await?;
        let response = (status, [(header::CONTENT_TYPE, made.media)], made.text).into_response();
        Ok(visit.finish(response))
    }
}
