//! The check in front of every operation: the caller, their role, and the origin of the request.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{ConnectInfo, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::Response;
use hansang_core::{Error, ErrorKind, message};
use subtle::ConstantTimeEq as _;

use crate::form::Form;
use crate::input::{Accepted, media_type, whole_body};
use crate::kept;
use crate::limits::Limiter;
use crate::problem::Problem;
use crate::route::Needs;
use crate::trace::TraceId;
use crate::upload::{self, Begun, Streamed, StreamedUpload, Upload};
use crate::{HttpCode, messages};
use hansang_access::{
    Access, AuditOutcome, Audited, Credentials, Identity, Origin, Role, Via, system_message,
};

/// The cookie of a session.
pub const COOKIE: &str = "hansang_session";
/// The cookie of a known device.
pub const DEVICE: &str = "hansang_device";
/// The header with the CSRF secret of the session.
pub const CSRF: &str = "x-csrf-token";
/// The interval at which the caller of a running stream is checked.
const STREAM_CHECK: Duration = Duration::from_secs(3);
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
    /// The name of the operation in the audit log, such as `content.Post.create`.
    pub operation: String,
    /// The requirement on the caller.
    pub needs: Needs,
    /// The system that a token must reach.
    pub reach: Option<Reach>,
    /// The parameters that the operation takes.
    pub accepted: Accepted,
}

/// A system, and the operations for which a token must reach it: see [`Identity::reaches`].
#[derive(Clone, Debug)]
pub struct Reach {
    /// The name of the system.
    pub system: Arc<str>,
    /// Whether reads need it too. Pages that only show something do not.
    pub reads: bool,
}

/// Identifies the caller of a request and checks that it may pass.
pub async fn check(guard: &Guard, mut request: Request) -> Result<Request, Problem> {
    let origin = origin(&request);
    let identity = guard.identity(request.method(), request.headers()).await?;
    match guard.allow(&mut request, identity.as_ref()).await {
        Ok(()) => {}
        Err(problem) => return Err(guard.refuse(identity.as_ref(), &origin, problem).await),
    }
    request.extensions_mut().insert(Caller { identity, origin });
    Ok(request)
}

/// Runs the handler of a request that passed. An attempt that the handler refuses (403) gets an entry in the audit log,
/// unless the handler wrote one.
pub async fn run(
    guard: &Guard,
    request: Request,
    respond: impl AsyncFnOnce(Request) -> Response,
) -> Response {
    let caller = request.extensions().get::<Caller>().filter(|caller| caller.identity.is_some()).cloned();
    let Some(Caller { identity, origin }) = caller else { return respond(request).await };
    let (response, has_entry) = Access::noting_entries(respond(request)).await;
    if response.status() == StatusCode::FORBIDDEN && !has_entry {
        let code = response.extensions().get::<Problem>().map(|problem| problem.code.as_str());
        guard.audit_refusal(identity.as_ref(), &origin, code).await;
    }
    response
}

impl Guard {
    /// Checks what an identified caller may do, and the origin of a write.
    async fn allow(&self, request: &mut Request, identity: Option<&Identity>) -> Result<(), Problem> {
        if let Some(identity) = identity {
            self.check_role(request.method(), identity)?;
        }
        // A form that is shown again is a read.
        if kept::unmarked(request.uri()).is_none() {
            self.accepted.check(request.method(), request.uri().query())?;
        }
        if !request.method().is_safe() {
            check_site(request.headers())?;
            if let Some(Via::Session { csrf, .. }) = identity.map(|identity| &identity.via) {
                let sent = std::mem::take(request);
                *request = check_forgery(sent, csrf).await?;
            }
        }
        Ok(())
    }

    /// Writes a refused attempt (403) to the audit log.
    async fn refuse(&self, who: Option<&Identity>, origin: &Origin, problem: Problem) -> Problem {
        if problem.status == StatusCode::FORBIDDEN && who.is_some() {
            self.audit_refusal(who, origin, Some(problem.code.as_str())).await;
        }
        problem
    }

    async fn audit_refusal(&self, who: Option<&Identity>, origin: &Origin, code: Option<&str>) {
        let (system, operation) = self.operation.split_once('.').unwrap_or(("server", &self.operation));
        let attempt = Audited { who, origin, system, operation, subject: None };
        if let Err(error) = self.access.audit(attempt, AuditOutcome::Refused, code).await {
            tracing::error!(%error, "a refused attempt is not in the audit log");
        }
    }

    async fn identity(&self, method: &Method, headers: &HeaderMap) -> Result<Option<Identity>, Problem> {
        if self.needs == Needs::Nothing {
            return Ok(None);
        }
        let credentials = credentials(headers).ok_or_else(not_signed_in)?;
        let identity = match method.is_safe() {
            true => self.access.identify_reader(credentials).await?,
            false => self.access.identify(credentials).await?,
        };
        self.by_account.account(&identity.id)?;
        Ok(Some(identity))
    }

    /// Completes when the caller of a running stream has lost the right to it.
    pub async fn revoked(self, headers: HeaderMap) {
        let Some(credentials) = credentials(&headers).filter(|_| self.needs != Needs::Nothing) else {
            return std::future::pending().await;
        };
        loop {
            tokio::time::sleep(STREAM_CHECK).await;
            let allowed = match self.access.identify(credentials).await {
                Ok(identity) => self.check_role(&Method::GET, &identity),
                Err(error) => Err(error),
            };
            if allowed
                .is_err_and(|error| matches!(error.kind, ErrorKind::Unauthenticated | ErrorKind::Forbidden))
            {
                return;
            }
        }
    }

    fn check_role(&self, method: &Method, identity: &Identity) -> Result<(), Error> {
        if let Needs::Role(system, role) = &self.needs
            && identity.grants.role_in(system) < Some(*role)
        {
            return Err(role_missing(system, *role));
        }
        if let Some(Reach { system, reads }) = &self.reach
            && (*reads || !method.is_safe())
            && !identity.reaches(system)
        {
            return Err(role_missing(system, Role::Viewer));
        }
        Ok(())
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
    if media.as_deref() == Some(upload::MEDIA_TYPE) && parts.extensions.get::<Streamed>().is_some() {
        let sent = StreamedUpload::begin(&parts.headers, body).await?;
        if !is_ours(sent.form.text("csrf").as_bytes()) {
            return Err(forged().into());
        }
        let mut request = Request::from_parts(parts, Body::empty());
        request.extensions_mut().insert(Begun::new(sent));
        return Ok(request);
    }
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
    address(last.to_str().ok()?.rsplit(',').next()?.trim())
}

/// An address, with or without a port: some proxies send `192.0.2.1:4711` and `[2001:db8::1]:4711`.
fn address(text: &str) -> Option<IpAddr> {
    let bracketed = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let with_port = || text.parse().ok().map(|address: SocketAddr| address.ip());
    bracketed.unwrap_or(text).parse().ok().or_else(with_port)
}

impl Caller {
    /// The identity of the caller, where the operation needs one.
    pub fn signed_in(&self) -> Result<&Identity, Error> {
        self.identity.as_ref().ok_or_else(not_signed_in)
    }

    /// The role of the caller in a system.
    #[must_use]
    pub fn role_in(&self, system: &str) -> Option<Role> {
        self.identity.as_ref()?.grants.role_in(system)
    }
}

impl<S: Sync> FromRequestParts<S> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        // Every operation has a guard, which inserts the caller.
        parts.extensions.get::<Self>().cloned().ok_or_else(|| Problem::internal(HttpCode::Unguarded))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_proxies_may_have_ports() {
        for (text, expected) in [
            ("192.0.2.1", Some("192.0.2.1")),
            ("192.0.2.1:4711", Some("192.0.2.1")),
            ("2001:db8::1", Some("2001:db8::1")),
            ("[2001:db8::1]", Some("2001:db8::1")),
            ("[2001:db8::1]:4711", Some("2001:db8::1")),
            ("192.0.2.1:", None),
            ("192.0.2.1:99999", None),
            ("unknown", None),
        ] {
            assert_eq!(address(text).map(|address| address.to_string()).as_deref(), expected, "{text}");
        }
    }
}
