//! Forms that were submitted with an expired session: their values are kept until the visitor has signed in again.
//!
//! 1. A refused form is attached to its response as [`Kept`], and the sign-in page carries its values.
//! 2. After signing in, the values are posted to the page of the form with [`MARK`] in the query. Nothing is saved: the
//!    page is read again, with the values as its [`Draft`].

use axum::extract::Request;
use axum::http::{Method, Uri};
use axum::response::{IntoResponse as _, Response};

use crate::HttpCode;
use crate::form::{Form, local};
use crate::guard::{self, Guard, is_form};
use crate::input::whole_body;

/// The end of the query of a request that shows a form again instead of submitting it.
pub const MARK: &str = ".draft=1";
/// The field with the page of a form.
pub const PAGE: &str = ".page";
/// The prefix of kept fields on the sign-in page.
pub const PREFIX: &str = "kept.";

/// A form that was refused because its session has ended, in the extensions of the response.
#[derive(Clone, Debug)]
pub struct Kept {
    /// The page with the form.
    pub page: String,
    /// Names and values, without secrets.
    pub values: Vec<(String, String)>,
}

/// The values that a form shows again, in the extensions of the request.
#[derive(Clone, Debug)]
pub struct Draft(pub Form);

impl Kept {
    /// The values of a submitted form, which stood on this page unless the form names another.
    fn of(sent: &Form, here: &str) -> Self {
        let page = sent.get(PAGE).filter(|page| local(page) == *page).unwrap_or(here);
        let is_kept = |name: &str| name != "csrf" && name != PAGE && !is_secret(name);
        let values = sent.pairs().filter(|(name, _)| is_kept(name));
        let values = values.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        Self { page: page.to_owned(), values }
    }

    /// The values that the sign-in page sent back.
    #[must_use]
    pub fn sent_back(sent: &Form) -> Option<Self> {
        let page = sent.get(PAGE).filter(|page| local(page) == *page)?;
        let values = sent.pairs().filter_map(|(name, value)| Some((name.strip_prefix(PREFIX)?, value)));
        let values = values.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        Some(Self { page: page.to_owned(), values })
    }

    /// The address that shows a form again, if the form names its page.
    #[must_use]
    pub fn back(sent: &Form) -> Option<String> {
        sent.get(PAGE).map(|_| Self::of(sent, "/console").address())
    }

    /// The address that shows the form again.
    #[must_use]
    pub fn address(&self) -> String {
        format!("{}{}{MARK}", self.page, if self.page.contains('?') { '&' } else { '?' })
    }
}

/// Whether a field holds a secret, by its name: a page never shows one again.
fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["password", "passwd", "secret", "token", "credential", "apikey", "api_key", "api-key", "privatekey"]
        .iter()
        .any(|part| name.contains(part))
}

/// Checks a request of a page like [`guard::check`]. A refused form is kept in the response.
///
/// # Errors
/// The response to a request that may not pass.
pub async fn check(guard: &Guard, request: Request) -> Result<Request, Response> {
    let is_ours = request.headers().get("sec-fetch-site").is_none_or(|site| site != "cross-site");
    if *request.method() != Method::POST || !is_form(request.headers()) || !is_ours {
        return guard::check(guard, request).await.map_err(|problem| problem.into_response());
    }
    let (parts, body) = request.into_parts();
    let body = whole_body(Request::from_parts(parts.clone(), body), &());
    let body = body.await.map_err(|problem| problem.into_response())?;
    let here = parts.uri.path_and_query().map_or("/console", |here| here.as_str()).to_owned();
    let request = Request::from_parts(parts, body.clone().into());
    guard::check(guard, request).await.map_err(|problem| {
        let expired = [HttpCode::NotSignedIn.into(), HttpCode::CsrfMissing.into()].contains(&problem.code)
            || problem.status == axum::http::StatusCode::UNAUTHORIZED;
        let mut response = problem.into_response();
        if expired {
            response.extensions_mut().insert(Kept::of(&Form::parse(&body), &here));
        }
        response
    })
}

/// Turns a request with [`MARK`] into a read of the same page, with the submitted values as its [`Draft`], and returns
/// whether it has. Others stay as they are.
#[must_use]
pub fn as_draft(mut request: Request) -> (Request, bool) {
    let sent = request.extensions().get::<Form>().cloned();
    match (sent, unmarked(request.uri())) {
        (Some(sent), Some(uri)) if *request.method() == Method::POST => {
            *request.uri_mut() = uri;
            *request.method_mut() = Method::GET;
            *request.body_mut() = axum::body::Body::empty();
            request.extensions_mut().insert(Draft(sent));
            (request, true)
        }
        _ => (request, false),
    }
}

/// The address without [`MARK`]; `None` if it has none.
pub(crate) fn unmarked(uri: &Uri) -> Option<Uri> {
    let bare = uri.path_and_query()?.as_str().strip_suffix(MARK)?.strip_suffix(['?', '&'])?;
    bare.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_not_kept() {
        let sent = Form::parse(b"csrf=x&name=a+b&newPassword=secret&.page=%2Fconsole%2Fsettings");
        let kept = Kept::of(&sent, "/console/settings/own");
        assert_eq!((&*kept.page, kept.values.len()), ("/console/settings", 1));
        assert_eq!(kept.address(), "/console/settings?.draft=1");
        for name in ["secret", "webhookSecret", "clientToken", "API_KEY", "oldPassword"] {
            let sent = Form::parse(format!("{name}=hunter2&title=x").as_bytes());
            let kept = Kept::of(&sent, "/console/x");
            assert_eq!(kept.values, [("title".to_owned(), "x".to_owned())], "{name}");
        }
        let elsewhere = Kept::of(&Form::parse(b".page=https%3A%2F%2Fevil.example"), "/console/x?a=b");
        assert_eq!(elsewhere.address(), "/console/x?a=b&.draft=1");
    }

    #[test]
    fn only_marked_requests_show_a_form_again() {
        assert_eq!(unmarked(&"/console/x?a=b&.draft=1".parse().unwrap()).unwrap(), "/console/x?a=b");
        assert_eq!(unmarked(&"/console/x?.draft=1".parse().unwrap()).unwrap(), "/console/x");
        for other in ["/console/x", "/console/x?a=.draft", "/console/x.draft=1"] {
            assert!(unmarked(&other.parse().unwrap()).is_none(), "{other}");
        }
        let request = Request::post("/console/x?.draft=1").body(axum::body::Body::empty()).unwrap();
        assert!(!as_draft(request).1, "without a checked form nothing is shown");
    }
}
