//! The first administrator, signing in and out, and the caller's own password.

use axum::Json as Body;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodFilter, on};
use hansang_core::{Error, ErrorKind, message};
use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::{grants_json, grants_schema, login_schema, name_schema, object_schema, route};
use crate::app::{App, Caller};
use crate::messages::api;
use crate::{ServerCode, messages};
use hansang_access::{AuditOutcome, Audited, Grants, Identity, NewAccount, Secret, SignedIn, Via};
use hansang_http::guard::{COOKIE, DEVICE, cookie};
use hansang_http::input::Members;
use hansang_http::json::parse;
use hansang_http::problem::Problem;
use hansang_http::route::{Needs, Route, empty_answer, json_answer, json_body};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SetUp {
    secret: String,
    login: String,
    name: String,
    password: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SignIn {
    login: String,
    password: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewPassword {
    old: String,
    new: String,
}

pub(super) fn routes(app: &App) -> Vec<Route> {
    let text = || json!({ "type": "string" });
    let (set_up_app, sign_in_app, sign_out_app, password_app) =
        (app.clone(), app.clone(), app.clone(), app.clone());
    vec![
        Route {
            body: Some(json_body(object_schema(
                json!({
                    "secret": text(), "login": login_schema(), "name": name_schema(), "password": password_schema(),
                }),
                &["secret", "login", "name", "password"],
            ))),
            answers: vec![(201, json_answer(message!(api::MADE_AND_SIGNED_IN), session_schema()))],
            refusals: &[401, 409, 413, 415],
            handler: on(MethodFilter::POST, async move |caller: Caller, members: Members| {
                let SetUp { secret, login, name, password } = parse(members.0)?;
                let signed_in = set_up(&set_up_app, &caller, &secret, login, name, password).await?;
                Ok::<_, Problem>(session(&set_up_app, StatusCode::CREATED, &signed_in))
            }),
            ..route(Method::POST, "set-up", "setUp", message!(api::SET_UP), Needs::Nothing)
        },
        Route {
            body: Some(json_body(object_schema(
                json!({ "login": text(), "password": text() }),
                &["login", "password"],
            ))),
            answers: vec![(201, json_answer(message!(api::SIGNED_IN), session_schema()))],
            refusals: &[401, 413, 415],
            handler: on(
                MethodFilter::POST,
                async move |caller: Caller, headers: HeaderMap, members: Members| {
                    let SignIn { login, password } = parse(members.0)?;
                    let device = cookie(&headers, DEVICE);
                    let signed_in = sign_in(&sign_in_app, &caller, device, &login, &password).await?;
                    Ok::<_, Problem>(session(&sign_in_app, StatusCode::CREATED, &signed_in))
                },
            ),
            ..route(Method::POST, "session", "signIn", message!(api::SIGN_IN), Needs::Nothing)
        },
        Route {
            answers: vec![(200, json_answer(message!(api::THE_CALLER), session_schema()))],
            refusals: &[],
            handler: on(MethodFilter::GET, async move |caller: Caller| {
                Body(caller.identity.as_ref().map(identity_json))
            }),
            ..route(Method::GET, "session", "whoAmI", message!(api::WHO_AM_I), Needs::SignedIn)
        },
        Route {
            answers: vec![(204, empty_answer(message!(api::SIGNED_OUT)))],
            refusals: &[],
            handler: on(MethodFilter::DELETE, async move |caller: Caller, headers: HeaderMap| {
                sign_out(&sign_out_app, &caller, &headers).await
            }),
            ..route(Method::DELETE, "session", "signOut", message!(api::SIGN_OUT), Needs::SignedIn)
        },
        Route {
            body: Some(json_body(object_schema(
                json!({ "old": text(), "new": password_schema() }),
                &["old", "new"],
            ))),
            answers: vec![(204, empty_answer(message!(api::PASSWORD_CHANGED)))],
            handler: on(MethodFilter::PUT, async move |caller: Caller, members: Members| {
                let NewPassword { old, new } = parse(members.0)?;
                change_password(&password_app, &caller, old, new).await?;
                Ok::<_, Problem>(StatusCode::NO_CONTENT)
            }),
            ..route(
                Method::PUT,
                "password",
                "changePassword",
                message!(api::CHANGE_PASSWORD),
                Needs::SignedIn,
            )
        },
    ]
}

/// Creates the first administrator, and signs them in. A wrong link leaves no entry in the audit log, because
/// unauthenticated clients could fill it.
pub(crate) async fn set_up(
    app: &App,
    caller: &Caller,
    secret: &str,
    login: String,
    name: String,
    password: String,
) -> Result<SignedIn, Error> {
    let new = NewAccount {
        login: login.clone(),
        name,
        password: Secret::new(password.clone()),
        grants: Grants::default(),
    };
    app.access().check_set_up_link(secret, &caller.origin).await?;
    app.audited(caller, ("access", "setUp", &login), app.access().set_up(secret, new)).await?;
    sign_in(app, caller, None, &login, &password).await
}

/// Signs a user in. Throttled attempts leave no entry: they would fill the audit log.
pub(crate) async fn sign_in(
    app: &App,
    caller: &Caller,
    device: Option<&str>,
    login: &str,
    password: &str,
) -> Result<SignedIn, Error> {
    let access = app.access();
    let work = access.sign_in_on(device, login, password, &caller.origin);
    let result = app.metrics().observe("access", "signIn", work).await;
    let (outcome, code) = match &result {
        Ok(_) => (AuditOutcome::Done, None),
        Err(error) if matches!(error.kind, ErrorKind::Limited | ErrorKind::Unavailable) => return result,
        Err(error) => (AuditOutcome::Refused, Some(error.code.as_str())),
    };
    let who = result.as_ref().ok().map(|signed_in| &signed_in.identity);
    let (origin, subject) = (&caller.origin, Some(login));
    let audited = Audited { who, origin, system: "access", operation: "signIn", subject };
    access.audit(audited, outcome, code).await?;
    result
}

/// Ends the session of the caller; the response removes the cookie.
pub(crate) async fn sign_out(app: &App, caller: &Caller, headers: &HeaderMap) -> Result<Response, Problem> {
    let Some(secret) = cookie(headers, COOKIE) else {
        return Err(Error::invalid(ServerCode::NoSession, message!(messages::NO_SESSION)).into());
    };
    app.audited(caller, ("access", "signOut", ""), app.access().sign_out(secret)).await?;
    let gone = format!("{COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax{}", secure(app));
    let mut response = StatusCode::NO_CONTENT.into_response();
    if let Ok(value) = HeaderValue::try_from(gone) {
        response.headers_mut().insert(header::SET_COOKIE, value);
    }
    Ok(response)
}

/// Changes the password of the caller.
pub(crate) async fn change_password(
    app: &App,
    caller: &Caller,
    old: String,
    new: String,
) -> Result<(), Error> {
    let identity = caller.signed_in()?;
    let (old, new) = (Secret::new(old), Secret::new(new));
    let work = app.access().change_password(identity, &old, &new, &caller.origin);
    app.audited(caller, ("access", "changePassword", &identity.id), work).await
}

/// A response that starts a session: its secret is in the cookie alone.
pub(crate) fn session(app: &App, status: StatusCode, signed_in: &SignedIn) -> Response {
    let mut response = (status, Body(identity_json(&signed_in.identity))).into_response();
    for cookie in session_cookies(app, signed_in) {
        if let Ok(value) = HeaderValue::try_from(cookie) {
            response.headers_mut().append(header::SET_COOKIE, value);
        }
    }
    response
}

/// The cookie of a session, which ends with the browser or with the session, and the cookie of the device, which lasts
/// for a year.
pub(crate) fn session_cookies(app: &App, signed_in: &SignedIn) -> [String; 2] {
    let (session, device, secure) = (signed_in.secret.expose(), signed_in.device.expose(), secure(app));
    [
        format!("{COOKIE}={session}; Path=/; HttpOnly; SameSite=Lax{secure}"),
        format!("{DEVICE}={device}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax{secure}"),
    ]
}

fn secure(app: &App) -> &'static str {
    if app.settings().tls { "; Secure" } else { "" }
}

fn identity_json(identity: &Identity) -> Json {
    let csrf = match &identity.via {
        Via::Session { csrf, .. } => Some(csrf),
        _ => None,
    };
    json!({ "id": identity.id, "name": identity.name, "grants": grants_json(&identity.grants), "csrf": csrf })
}

fn session_schema() -> Json {
    object_schema(
        json!({
            "id": { "type": "string" },
            "name": { "type": "string" },
            "grants": grants_schema(),
            "csrf": {
                "type": ["string", "null"],
                "description": "To be sent as `x-csrf-token` with every write of a session.",
            },
        }),
        &["id", "name", "grants", "csrf"],
    )
}

pub(super) fn password_schema() -> Json {
    json!({ "type": "string", "minLength": 10, "maxLength": 256, "format": "password" })
}
