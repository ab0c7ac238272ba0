//! What every response tells the browser to be careful about.

use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;

/// Pages load what this server has and nothing else: no inline script or style, no frame.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; \
                      connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

const ALWAYS: [(HeaderName, &str); 5] = [
    (CONTENT_SECURITY_POLICY, POLICY),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    ),
];

/// Puts the headers on every response. `tls` says whether clients come by HTTPS, to this server or
/// to a proxy before it: only then may a browser be told to never come in another way.
///
/// A handler may set stricter values of its own for caching; it cannot loosen the rest. This is the
/// outermost layer, so that refusals of all others have the headers too.
pub fn secured(router: Router, tls: bool) -> Router {
    router.layer(from_fn_with_state(tls, middleware))
}

async fn middleware(State(tls): State<bool>, request: Request, next: Next) -> Response {
    secure(next.run(request).await, tls)
}

/// Puts the headers on one response: see [`secured`].
pub(crate) fn secure(mut response: Response, tls: bool) -> Response {
    let headers = response.headers_mut();
    for (name, value) in ALWAYS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if tls {
        let two_years = HeaderValue::from_static("max-age=63072000");
        headers.insert(STRICT_TRANSPORT_SECURITY, two_years);
    }
    // What is not said to be the same for everybody is kept by nobody.
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}
