//! The check in front of every operation: the caller, their role, and the origin of the request.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{ConnectInfo, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, header};
use hansang_core::{Error, message};
use subtle::ConstantTimeEq as _;

use crate::form::Form;
use crate::input::{Accepted, media_type, whole_body};
use crate::kept;
use crate::limits::Limiter;
use crate::problem::Problem;
use crate::route::Needs;
use crate::trace::TraceId;
use crate::upload::{self, Upload};
use crate::{HttpCode, messages};
use hansang_access::{Access, Credentials, Identity, Origin, Role, Via, system_message};

/// The cookie of a session.
pub const COOKIE: &str = "hansang_session";
/// The cookie of a known device.
pub const DEVICE: &str = "hansang_device";
/// The header with the CSRF secret of the session.
pub const CSRF: &str = "x-csrf-token";
/// The media type of a form.
const FORM: &str = "application/x-www-form-urlencoded";

/// The caller of an operation.
#[derive(Clone)]
pub struct Caller {
    /// Absent where an operation needs no identity.
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
    /// The parameters that the operation takes.
    pub accepted: Accepted,
}

/// Identifies the caller of a request and checks that it may pass.
pub async fn check(guard: &Guard, mut request: Request) -> Result<Request, Problem> {
    let origin = origin(&request);
    let identity = guard.identity(request.headers()).await?;
    // A form that is shown again is a read.
    if kept::unmarked(request.uri()).is_none() {
        guard.accepted.check(request.method(), request.uri().query())?;
    }
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
        let credentials = credentials(headers).ok_or_else(not_signed_in)?;
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

/// The error of a caller who lacks a role.
pub fn role_missing(system: &str, role: Role) -> Error {
    let message = message!(messages::ROLE_MISSING, role.message(), system_message(system));
    Error::forbidden(HttpCode::RoleMissing, message)
}

/// A write with only a cookie may be forged by another site: only our pages know the CSRF secret. Scripts send it as a
/// header and forms as a field, for which the form has to be read.
async fn check_forgery(request: Request, csrf: &str) -> Result<Request, Problem> {
    let is_ours = |given: &[u8]| bool::from(given.ct_eq(csrf.as_bytes()));
    if let Some(given) = request.headers().get(CSRF) {
        return if is_ours(given.as_bytes()) { Ok(request) } else { Err(forged().into()) };
    }
    let media = media_type(request.headers());
    if !matches!(media.as_deref(), Some(FORM | upload::MEDIA_TYPE)) {
        return Err(forged().into());
    }
    let (parts, body) = request.into_parts();
    let body = whole_body(Request::from_parts(parts.clone(), body), &()).await?;
    if media.as_deref() == Some(upload::MEDIA_TYPE) {
        let sent = Upload::parse(&parts.headers, body).await?;
        if !is_ours(sent.form.text("csrf").as_bytes()) {
            return Err(forged().into());
        }
        let mut request = Request::from_parts(parts, Body::empty());
        request.extensions_mut().insert(sent);
        return Ok(request);
    }
    let sent = Form::parse(&body);
    if !is_ours(sent.text("csrf").as_bytes()) {
        return Err(forged().into());
    }
    let mut request = Request::from_parts(parts, body.into());
    request.extensions_mut().insert(sent);
    Ok(request)
}

/// Whether a request carries a form.
pub(crate) fn is_form(headers: &HeaderMap) -> bool {
    media_type(headers).as_deref() == Some(FORM)
}

fn forged() -> Error {
    Error::forbidden(HttpCode::CsrfMissing, message!(messages::FORGED, CSRF))
}

fn not_signed_in() -> Error {
    Error::unauthenticated(HttpCode::NotSignedIn, message!(messages::NOT_SIGNED_IN))
}

/// Rejects forms of other sites, which browsers mark. This includes signing in.
fn check_site(headers: &HeaderMap) -> Result<(), Error> {
    if headers.get("sec-fetch-site").is_some_and(|site| site == "cross-site") {
        return Err(Error::forbidden(HttpCode::OtherSite, message!(messages::OTHER_SITE)));
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

/// The signed-in account of a request, for pages that show the navigation to it but need no role.
pub async fn visitor(access: &Access, headers: &HeaderMap) -> Option<Identity> {
    access.identify(credentials(headers)?).await.ok()
}

/// The value of a cookie.
pub fn cookie<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = all.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(known, _)| *known == name).map(|(_, value)| value)
}

/// The address and the trace of a request.
fn origin(request: &Request) -> Origin {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(address)| address.ip());
    let trace = request.extensions().get::<TraceId>().map(ToString::to_string).unwrap_or_default();
    Origin { address: peer.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED)), trace }
}

/// Takes the client address from the header of the proxy. Only the last entry was written by that proxy; the client may
/// have forged those before it.
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
    /// The identity of the caller, where the operation needs one.
    pub fn signed_in(&self) -> Result<&Identity, Error> {
        self.identity.as_ref().ok_or_else(not_signed_in)
    }
}

impl<S: Sync> FromRequestParts<S> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        // Every operation has a guard, which inserts the caller.
        parts.extensions.get::<Self>().cloned().ok_or_else(|| Problem::internal(HttpCode::Unguarded))
    }
}
