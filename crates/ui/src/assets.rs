//! The style sheet, the script and the icon: small enough to be part of the program.
//!
//! Each address contains a hash of the file, so that browsers may cache it for good.

use std::fmt::Write as _;
use std::sync::{Arc, LazyLock};

use axum::body::Bytes;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodFilter, on};
use hansang_http::route::{Needs, Route};
use sha2::{Digest as _, Sha256};

use crate::frame::Shell;

/// A file that pages load.
#[derive(Debug)]
pub struct Asset {
    media: &'static str,
    body: Bytes,
    address: String,
}

/// The script of all pages.
pub static SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new("console.js", "text/javascript; charset=utf-8", include_str!("script.js").into())
});
/// The icon of the site.
pub static ICON: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("icon.svg", "image/svg+xml", include_str!("icon.svg").into()));

/// The style sheet of the parts, followed by those of pages.
#[must_use]
pub fn style<'s>(pages: impl IntoIterator<Item = &'s str>) -> Asset {
    let mut body = format!("{}\n{}", include_str!("style.css"), include_str!("svg/svg.css"));
    for page in pages {
        body.push('\n');
        body.push_str(page);
    }
    Asset::new("console.css", "text/css; charset=utf-8", body)
}

impl Asset {
    fn new(name: &str, media: &'static str, body: String) -> Self {
        let mut address = format!("/assets/{name}?");
        for byte in &Sha256::digest(body.as_bytes())[..6] {
            let _ = write!(address, "{byte:02x}");
        }
        Self { media, body: body.into(), address }
    }

    /// The address on this server.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    fn response(&self) -> Response {
        let headers = [
            (header::CONTENT_TYPE, HeaderValue::from_static(self.media)),
            (header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable")),
        ];
        (headers, self.body.clone()).into_response()
    }
}

/// The routes of the files.
#[must_use]
pub fn routes(shell: &Arc<Shell>) -> Vec<Route> {
    let shell = shell.clone();
    let style = on(MethodFilter::GET, async move || shell.style.response());
    let script = on(MethodFilter::GET, async || SCRIPT.response());
    let icon = on(MethodFilter::GET, async || ICON.response());
    [("console.css", style), ("console.js", script), ("icon.svg", icon)]
        .map(|(name, handler)| Route::page(&format!("/assets/{name}"), Needs::Nothing, handler))
        .into()
}
