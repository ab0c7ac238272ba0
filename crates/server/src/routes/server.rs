//! The server itself: its metrics and its description.

use std::sync::Arc;

use axum::http::{HeaderMap, header};
use axum::response::Redirect;
use axum::routing::{MethodFilter, on};
use serde_json::{Value as Json, json};

use crate::app::{App, Caller};
use crate::messages::api;
use hansang_access::{EVERYWHERE, Role};
use hansang_core::message;
use hansang_http::document::Document;
use hansang_http::metrics::Figure;
use hansang_http::route::Described;
use hansang_http::route::{Needs, Route};

/// The path of the metrics.
pub(crate) const METRICS: &str = "/metrics";

/// The operations in the description of the API.
pub(crate) fn routes(app: &App) -> Vec<Route> {
    let app = app.clone();
    let text = json!({ "text/plain": { "schema": { "type": "string" } } });
    let shown = [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")];
    vec![Route {
        summary: message!(api::METRICS),
        tag: "server".to_owned(),
        answers: vec![(200, Described::new(message!(api::THE_METRICS), json!({ "content": text })))],
        ..Route::page(
            METRICS,
            Needs::Metrics,
            on(MethodFilter::GET, async move |_: Caller| (shown, render(&app))),
        )
    }]
}

fn render(app: &App) -> String {
    let figures: Vec<Figure> = app.services().iter().flat_map(|service| service.figures()).collect();
    app.metrics().render(&figures)
}

/// The description itself.
pub(crate) fn pages(document: &Json) -> Vec<Route> {
    let document = Arc::new(Document::new("application/json", document.to_string()));
    let respond = move |headers: HeaderMap| {
        // Clients may cache it, and revalidate.
        let response = ([(header::CACHE_CONTROL, "no-cache")], document.respond(&headers));
        std::future::ready(response)
    };
    vec![
        Route::page("/", Needs::Nothing, on(MethodFilter::GET, async || Redirect::to("/console"))),
        Route::page("/api/openapi.json", Needs::Nothing, on(MethodFilter::GET, respond)),
    ]
}

/// The requirement for the metrics, unless they are public.
pub(crate) fn readers_of_metrics() -> Needs {
    Needs::Role(EVERYWHERE.to_owned(), Role::Viewer)
}
