//! The security headers of every response.

use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, COOKIE, HOST, REFERRER_POLICY, SET_COOKIE,
    STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::Response;

use crate::problem::Problem;
use crate::{HttpCode, guard, messages};
use hansang_core::{Error, message};

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

/// Refuses a request with several `Host` headers: a proxy in front may have looked at another one.
///
/// # Errors
/// A problem with the status 400.
pub fn check_host(headers: &HeaderMap) -> Result<(), Problem> {
    if headers.get_all(HOST).iter().nth(1).is_none() {
        return Ok(());
    }
    Err(Error::invalid(HttpCode::SeveralHosts, message!(messages::SEVERAL_HOSTS)).into())
}

/// Browsers accept a cookie with this prefix only from this host, over HTTPS and for every path: another host of the same
/// domain cannot set it.
const HOST_PREFIX: &str = "__Host-";

/// The cookies that have [`HOST_PREFIX`] under HTTPS.
const HOST_COOKIES: [&str; 2] = [guard::COOKIE, guard::DEVICE];

/// Takes the prefix off the cookies of a request under HTTPS, and drops cookies of these names without it.
pub fn accept_host_cookies(headers: &mut HeaderMap) {
    let lines = headers.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok());
    let kept = lines.flat_map(|line| line.split(';')).filter_map(|pair| {
        let (name, value) = pair.trim().split_once('=')?;
        match name.strip_prefix(HOST_PREFIX).filter(|name| HOST_COOKIES.contains(name)) {
            Some(name) => Some(format!("{name}={value}")),
            None if HOST_COOKIES.contains(&name) => None,
            None => Some(pair.trim().to_owned()),
        }
    });
    let kept = kept.collect::<Vec<_>>().join("; ");
    headers.remove(COOKIE);
    if let Some(kept) = HeaderValue::try_from(kept).ok().filter(|kept| !kept.is_empty()) {
        headers.insert(COOKIE, kept);
    }
}

/// Adds the prefix to the cookies of a response under HTTPS.
fn send_host_cookies(headers: &mut HeaderMap) {
    let is_ours = |line: &str| HOST_COOKIES.iter().any(|name| line.split('=').next() == Some(name));
    let lines: Vec<HeaderValue> = headers.get_all(SET_COOKIE).iter().cloned().collect();
    if lines.is_empty() {
        return;
    }
    headers.remove(SET_COOKIE);
    for line in lines {
        let named = line.to_str().ok().filter(|line| is_ours(line));
        let named = named.and_then(|line| HeaderValue::try_from(format!("{HOST_PREFIX}{line}")).ok());
        headers.append(SET_COOKIE, named.unwrap_or(line));
    }
}

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
        send_host_cookies(headers);
    }
    // Defaults to `no-store`.
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepted(lines: &[&str]) -> Option<String> {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(COOKIE, HeaderValue::from_str(line).unwrap());
        }
        accept_host_cookies(&mut headers);
        assert!(headers.get_all(COOKIE).iter().count() <= 1);
        headers.get(COOKIE).map(|line| line.to_str().unwrap().to_owned())
    }

    #[test]
    fn only_prefixed_cookies_sign_in_under_https() {
        let both = "hansang_session=forged; __Host-hansang_session=ours; hansang_language=ko";
        assert_eq!(accepted(&[both]).as_deref(), Some("hansang_session=ours; hansang_language=ko"));
        assert_eq!(accepted(&["hansang_session=forged", "hansang_device=x"]), None);
        assert_eq!(accepted(&["__Host-other=1; a=b=c"]).as_deref(), Some("__Host-other=1; a=b=c"));
        assert_eq!(accepted(&[]), None);
    }

    #[test]
    fn cookies_are_sent_with_the_prefix_under_https() {
        let mut response = Response::new(axum::body::Body::empty());
        for line in ["hansang_session=a; Path=/; Secure", "hansang_language=ko; Path=/"] {
            response.headers_mut().append(SET_COOKIE, HeaderValue::from_static(line));
        }
        let names = |response: &Response| -> Vec<String> {
            let lines = response.headers().get_all(SET_COOKIE).iter();
            lines.map(|line| line.to_str().unwrap().split('=').next().unwrap().to_owned()).collect()
        };
        response = secure(response, false);
        assert_eq!(names(&response), ["hansang_session", "hansang_language"]);
        response = secure(response, true);
        assert_eq!(names(&response), ["__Host-hansang_session", "hansang_language"]);
    }
}
