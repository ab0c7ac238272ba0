//! The door in front of every operation: who asks, whether they may, and whether they mean it.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::extract::{ConnectInfo, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, header};
use hansang_core::Error;
use subtle::ConstantTimeEq as _;

use crate::form::Form;
use crate::input::{media_type, whole_body};
use crate::limits::Limiter;
use crate::problem::Problem;
use crate::route::Needs;
use crate::trace::TraceId;
use hansang_access::{Access, Credentials, Identity, Origin, Role, Via};

/// The cookie of a session.
pub const COOKIE: &str = "hansang_session";
/// The header in which a page proves that it is ours.
pub const CSRF: &str = "x-csrf-token";
/// What a form of a page is.
const FORM: &str = "application/x-www-form-urlencoded";

/// Whoever asks, as handlers see them.
#[derive(Clone)]
pub struct Caller {
    /// Absent where an operation is open to everybody.
    pub identity: Option<Identity>,
    /// The address and the trace of the request.
    pub origin: Origin,
}

/// The guard of one operation.
#[derive(Clone)]
pub struct Guard {
    /// Identifies callers.
    pub access: Access,
    /// Limits requests per account.
    pub by_account: Arc<Limiter>,
    /// The requirement on the caller.
    pub needs: Needs,
}

/// Lets a request through, or not.
pub async fn check(guard: &Guard, mut request: Request) -> Result<Request, Problem> {
    let origin = origin(&request);
    let identity = guard.identity(request.headers()).await?;
    if !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS) {
        check_site(request.headers())?;
        if let Some(Via::Session { csrf, .. }) = identity.as_ref().map(|identity| &identity.via) {
            request = check_forgery(request, csrf).await?;
        }
    }
    request.extensions_mut().insert(Caller { identity, origin });
    Ok(request)
}

impl Guard {
    async fn identity(&self, headers: &HeaderMap) -> Result<Option<Identity>, Problem> {
        if self.needs == Needs::Nothing {
            return Ok(None);
        }
        let credentials = credentials(headers).ok_or_else(|| {
            let message = "sign in, or send a token as `Authorization: Bearer …`";
            Error::unauthenticated("not_signed_in", message)
        })?;
        let identity = self.access.identify(credentials).await?;
        self.by_account.account(&identity.id)?;
        if let Needs::Role(system, role) = &self.needs
            && identity.grants.role_in(system) < Some(*role)
        {
            return Err(role_missing(system, *role).into());
        }
        Ok(Some(identity))
    }
}

/// Somebody may not do what needs a role that they do not have.
pub fn role_missing(system: &str, role: Role) -> Error {
    let message = format!("this needs the role {role} of {system}: ask an administrator for it");
    Error::forbidden("role_missing", message)
}

/// A write with nothing but a cookie may come from another site's page: only ours knows the session's
/// second secret. Scripts send it as a header and forms as a field, for which the form has to be read.
async fn check_forgery(request: Request, csrf: &str) -> Result<Request, Problem> {
    let is_ours = |given: &[u8]| bool::from(given.ct_eq(csrf.as_bytes()));
    if let Some(given) = request.headers().get(CSRF) {
        return if is_ours(given.as_bytes()) { Ok(request) } else { Err(forged().into()) };
    }
    if media_type(request.headers()).as_deref() != Some(FORM) {
        return Err(forged().into());
    }
    let (parts, body) = request.into_parts();
    let body = whole_body(Request::from_parts(parts.clone(), body), &()).await?;
    let sent = Form::parse(&body);
    if !is_ours(sent.text("csrf").as_bytes()) {
        return Err(forged().into());
    }
    let mut request = Request::from_parts(parts, body.into());
    request.extensions_mut().insert(sent);
    Ok(request)
}

fn forged() -> Error {
    let message = format!(
        "this form is too old or not ours: open its page again (programs send the `csrf` of their session as `{CSRF}`)"
    );
    Error::forbidden("csrf_missing", message)
}

/// A browser says where a form comes from. Another site must not even sign somebody in here.
fn check_site(headers: &HeaderMap) -> Result<(), Error> {
    if headers.get("sec-fetch-site").is_some_and(|site| site == "cross-site") {
        let message = "this was sent by a page of another site: open the console and do it there";
        return Err(Error::forbidden("other_site", message));
    }
    Ok(())
}

fn credentials(headers: &HeaderMap) -> Option<Credentials<'_>> {
    if let Some(value) = headers.get(header::AUTHORIZATION) {
        let (scheme, secret) = value.to_str().ok()?.split_once(' ')?;
        return scheme.eq_ignore_ascii_case("bearer").then(|| Credentials::Bearer(secret.trim()));
    }
    cookie(headers, COOKIE).map(Credentials::Session)
}

/// The value of a cookie.
pub fn cookie<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = all.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(known, _)| *known == name).map(|(_, value)| value)
}

/// Where a request comes from.
fn origin(request: &Request) -> Origin {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(address)| address.ip());
    let trace = request.extensions().get::<TraceId>().map(ToString::to_string).unwrap_or_default();
    Origin { address: peer.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED)), trace }
}

/// Takes the address of the client from the proxy in front. Only the last entry was written by that
/// proxy; the ones before it, by anybody.
pub fn behind_proxy(request: &mut Request) {
    if let Some(address) = forwarded(request.headers()) {
        request.extensions_mut().insert(ConnectInfo(SocketAddr::new(address, 0)));
    }
}

fn forwarded(headers: &HeaderMap) -> Option<IpAddr> {
    let last = headers.get_all("x-forwarded-for").iter().next_back()?;
    last.to_str().ok()?.rsplit(',').next()?.trim().parse().ok()
}

impl Caller {
    /// Who asks, where somebody must.
    pub fn signed_in(&self) -> Result<&Identity, Error> {
        let message = "sign in, or send a token as `Authorization: Bearer …`";
        self.identity.as_ref().ok_or_else(|| Error::unauthenticated("not_signed_in", message))
    }
}

impl<S: Sync> FromRequestParts<S> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        // Every operation stands behind a guard; without one, nobody gets in.
        parts.extensions.get::<Self>().cloned().ok_or_else(|| Problem::internal("unguarded"))
    }
}
