//! The style sheet, the script and the icons, embedded in the program.
//!
//! Each address contains a hash of the file, so that browsers may cache it indefinitely.

use std::sync::{Arc, LazyLock};

use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodFilter, on};
use hansang_http::document::Document;
use hansang_http::route::{Needs, Route};

use crate::frame::Shell;

/// A file that pages load.
#[derive(Debug)]
pub struct Asset {
    document: Document,
    address: String,
}

/// The script of all pages.
pub static SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new("console.js", "text/javascript; charset=utf-8", include_str!("script.js").into())
});
/// The symbols of all icons.
pub(crate) const SPRITE: &str = include_str!("icons.svg");
/// The file with the symbols of all icons.
pub static ICONS: LazyLock<Asset> = LazyLock::new(|| Asset::new("icons.svg", "image/svg+xml", SPRITE.into()));
/// The icon of the site.
pub static ICON: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("icon.svg", "image/svg+xml", include_str!("icon.svg").into()));

/// The style sheet of the components, followed by those of pages.
#[must_use]
pub fn style<'s>(pages: impl IntoIterator<Item = &'s str>) -> Asset {
    let own = [include_str!("style.css"), include_str!("parts.css"), include_str!("svg/svg.css")];
    let mut body = own.join("\n");
    for page in pages {
        body.push('\n');
        body.push_str(page);
    }
    Asset::new("console.css", "text/css; charset=utf-8", body)
}

impl Asset {
    /// A file of these bytes. The name is that of its address below `/assets/`.
    #[must_use]
    pub fn new(name: &str, media: &'static str, body: String) -> Self {
        let document = Document::new(media, body);
        let address = format!("/assets/{name}?{}", &document.hash()[..12]);
        Self { document, address }
    }

    /// The address on this server.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The response with the file.
    pub fn response(&self, headers: &HeaderMap) -> Response {
        let kept = [(header::CACHE_CONTROL, "public, max-age=31536000, immutable")];
        (kept, self.document.respond(headers)).into_response()
    }
}

/// The routes of the files.
#[must_use]
pub fn routes(shell: &Arc<Shell>) -> Vec<Route> {
    let shell = shell.clone();
    let style = on(MethodFilter::GET, async move |headers: HeaderMap| shell.style.response(&headers));
    let script = on(MethodFilter::GET, async |headers: HeaderMap| SCRIPT.response(&headers));
    let icon = on(MethodFilter::GET, async |headers: HeaderMap| ICON.response(&headers));
    let icons = on(MethodFilter::GET, async |headers: HeaderMap| ICONS.response(&headers));
    [("console.css", style), ("console.js", script), ("icon.svg", icon), ("icons.svg", icons)]
        .map(|(name, handler)| Route::page(&format!("/assets/{name}"), Needs::Nothing, handler))
        .into()
}
