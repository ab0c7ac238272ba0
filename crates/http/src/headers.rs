//! The security headers of every response.

use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderName, HeaderValue};
use axum::response::Response;

/// Allows content of this server only: no inline script or style, no frame.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; \
                      connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/// The policy of a [`PublicPage`].
const PUBLIC: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data: https:; \
                      font-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/// Marks a page of a public site in the extensions of its response. It may show pictures of other sites, which its texts
/// link to, and fonts of its own.
#[derive(Clone, Copy, Debug)]
pub struct PublicPage;

const ALWAYS: [(HeaderName, &str); 4] = [
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    ),
];

/// Puts the security headers on a response.
///
/// `tls` says whether clients use HTTPS, to this server or to a proxy in front of it: only then is HSTS sent. A handler
/// may set a caching header of its own; it cannot loosen the rest.
#[must_use]
pub fn secure(mut response: Response, tls: bool) -> Response {
    let is_public = response.extensions().get::<PublicPage>().is_some();
    let headers = response.headers_mut();
    let policy = if is_public { PUBLIC } else { POLICY };
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    for (name, value) in ALWAYS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if tls {
        let two_years = HeaderValue::from_static("max-age=63072000");
        headers.insert(STRICT_TRANSPORT_SECURITY, two_years);
    }
    // Defaults to `no-store`.
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}
