//! The stylesheet, the script and the icon: small enough to be part of the program.
//!
//! Each address contains what the file is, so that browsers may keep it for good.

use std::fmt::Write as _;
use std::sync::LazyLock;

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodFilter, on};
use sha2::{Digest as _, Sha256};

use crate::route::{Needs, Route};

/// A file that pages load.
pub(crate) struct Asset {
    name: &'static str,
    media: &'static str,
    body: &'static str,
    address: LazyLock<String>,
}

pub(crate) static STYLE: Asset = Asset {
    name: "console.css",
    media: "text/css; charset=utf-8",
    body: concat!(
        include_str!("style.css"),
        "\n",
        include_str!("../svg/svg.css"),
        "\n",
        include_str!("model.css"),
        "\n",
        include_str!("settings.css"),
        "\n",
        include_str!("contracts.css"),
        "\n",
        include_str!("entry.css")
    ),
    address: LazyLock::new(|| address(&STYLE)),
};
pub(crate) static SCRIPT: Asset = Asset {
    name: "console.js",
    media: "text/javascript; charset=utf-8",
    body: include_str!("script.js"),
    address: LazyLock::new(|| address(&SCRIPT)),
};
pub(crate) static ICON: Asset = Asset {
    name: "icon.svg",
    media: "image/svg+xml",
    body: include_str!("icon.svg"),
    address: LazyLock::new(|| address(&ICON)),
};

impl Asset {
    /// Where browsers find it.
    pub(crate) fn address(&'static self) -> &'static str {
        &self.address
    }

    fn response(&'static self) -> Response {
        let headers = [
            (header::CONTENT_TYPE, HeaderValue::from_static(self.media)),
            (header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable")),
        ];
        (headers, self.body).into_response()
    }
}

fn address(asset: &Asset) -> String {
    let mut address = format!("/assets/{}?", asset.name);
    for byte in &Sha256::digest(asset.body)[..6] {
        let _ = write!(address, "{byte:02x}");
    }
    address
}

/// The files.
pub(super) fn routes() -> Vec<Route> {
    let route = |asset: &'static Asset| {
        let handler = on(MethodFilter::GET, async move || asset.response());
        Route::page(&format!("/assets/{}", asset.name), Needs::Nothing, handler)
    };
    [&STYLE, &SCRIPT, &ICON].map(route).into()
}
