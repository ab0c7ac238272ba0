//! The public site, as visitors and programs read it.

mod attacks;
mod contact;
mod pages;
mod programs;
mod themes;
mod times;

use std::sync::Arc;

use axum::body::Body;
use axum::http::Method;
use hansang_command::{Config, Given};
use hansang_content::MODEL;
use hansang_content_web::ContentSystem;
use hansang_server::System;
use hansang_testserver::{On, Response, Server, settings};

/// A server with the example site.
pub(crate) async fn example(on: On) -> Server {
    with(on, &[]).await
}

/// A server with the example site and these settings.
pub(crate) async fn with(on: On, values: &[(&'static str, &str)]) -> Server {
    let system: Arc<dyn System> = Arc::new(ContentSystem);
    let mut server = Server::of_system(on, system.clone(), settings()).await;
    server.serve(&system, server.db(MODEL), values, &[7; 32]).await;
    let given = Given {
        file: None,
        values: values.iter().map(|(name, value)| (*name, (*value).to_owned())).collect(),
    };
    let config = Config::resolve(system.settings().to_vec(), given, |_| None).unwrap();
    let own = server.db(MODEL);
    let opening = hansang_server::Opening {
        config: &config,
        db: own.clone(),
        own,
        queue: None,
        open_files: hansang_testserver::open_files,
        open_cache: hansang_testserver::open_cache,
        secret: &[7; 32],
        local: false,
        before: None,
    };
    system.open(opening).await.unwrap().fill_demo().await.unwrap();
    server
}

/// A page of the site for a visitor with a language.
pub(crate) async fn open(server: &Server, path: &str, language: &str) -> Response {
    let headers = [("accept-language", language), ("host", "www.example.com")];
    server.page(Method::GET, path, &headers, Body::empty()).await
}
