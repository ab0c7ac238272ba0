//! Pages: one frame, one stylesheet.

use axum::http::header;
use axum::response::{IntoResponse, Response};

/// The stylesheet of every page.
pub(crate) const STYLE: &str = include_str!("page/style.css");

/// A whole page.
pub(crate) struct Html(String);

impl Html {
    /// A page with this title and body; both are HTML already.
    pub(crate) fn new(title: &str, body: &str) -> Self {
        Self(format!(
            "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
             content=\"width=device-width, initial-scale=1\"><meta name=\"color-scheme\" content=\"light dark\">\
             <title>{title}</title><link rel=\"stylesheet\" href=\"/assets/style.css\"></head>\
             <body>{body}</body></html>"
        ))
    }
}

impl Html {
    pub(crate) fn into_bytes(self) -> bytes::Bytes {
        self.0.into()
    }
}

impl IntoResponse for Html {
    fn into_response(self) -> Response {
        ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], self.0).into_response()
    }
}

/// Text as HTML shows it.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => out.push(other),
        }
    }
    out
}
