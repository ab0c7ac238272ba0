//! Tokens for programs.

use axum::Json as Body;
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodFilter, on};
use hansang_core::db::TypedListing;
use hansang_core::{Error, ErrorKind, message};
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Map, Value as Json, json};

use super::{grants_json, grants_schema, name_schema, object_schema, route};
use crate::app::{App, Caller};
use crate::messages;
use crate::messages::api;
use hansang_access::{CreatedToken, NewToken, Paging, Token, must_administer};
use hansang_access::{Grants, Role};
use hansang_http::HttpCode;
use hansang_http::input::{Members, Parameters, PathKey};
use hansang_http::json::parse;
use hansang_http::messages as http;
use hansang_http::problem::Problem;
use hansang_http::route::Described;
use hansang_http::route::{
    Needs, Route, cursor_parameter, empty_answer, json_answer, json_body, path_parameter, query_parameter,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    name: String,
    grants: Map<String, Json>,
    expires: String,
}

pub(super) fn routes(app: &App) -> Vec<Route> {
    let (list_app, create_app, revoke_app) = (app.clone(), app.clone(), app.clone());
    let mut with_secret = token_schema();
    with_secret["properties"]["secret"] = json!({ "type": "string", "description": "Shown this once." });
    vec![
        Route {
            parameters: paging_parameters(),
            answers: vec![(200, json_answer(message!(api::TOKENS), page_schema(&token_schema())))],
            refusals: &[],
            handler: on(MethodFilter::GET, async move |caller: Caller, asked: Parameters| {
                list(&list_app, &caller, asked).await
            }),
            ..route(Method::GET, "tokens", "listTokens", message!(api::LIST_TOKENS), Needs::SignedIn)
        },
        Route {
            body: Some(json_body(object_schema(
                json!({
                    "name": name_schema(),
                    "grants": grants_schema(),
                    "expires": { "type": "string", "format": "date-time" },
                }),
                &["name", "grants", "expires"],
            ))),
            answers: vec![(201, json_answer(message!(api::TOKEN_MADE), with_secret))],
            handler: on(MethodFilter::POST, async move |caller: Caller, members: Members| {
                create(&create_app, &caller, parse(members.0)?).await
            }),
            ..route(Method::POST, "tokens", "createToken", message!(api::CREATE_TOKEN), Needs::SignedIn)
        },
        Route {
            parameters: vec![path_parameter("id", json!({ "type": "string" }), message!(api::TOKEN_ID))],
            answers: vec![(204, empty_answer(message!(api::TOKEN_REVOKED)))],
            refusals: &[],
            handler: on(MethodFilter::DELETE, async move |caller: Caller, key: PathKey| {
                revoke_token(&revoke_app, &caller, &key.text("id")).await?;
                Ok::<_, Problem>(StatusCode::NO_CONTENT)
            }),
            ..route(
                Method::DELETE,
                "tokens/{id}",
                "revokeToken",
                message!(api::REVOKE_TOKEN),
                Needs::SignedIn,
            )
        },
    ]
}

async fn list(app: &App, caller: &Caller, asked: Parameters) -> Result<Response, Problem> {
    let tokens = app.access().own_tokens(caller.signed_in()?, paging(asked)?).await?;
    Ok(Body(page(&tokens, token_json)).into_response())
}

async fn create(app: &App, caller: &Caller, wanted: Wanted) -> Result<Response, Problem> {
    let expires: Timestamp = wanted
        .expires
        .parse()
        .map_err(|_| Error::invalid(HttpCode::InvalidBody, message!(messages::NOT_A_TIME)))?;
    let new = NewToken { name: wanted.name, grants: grants(wanted.grants)?, expires };
    let created = create_token(app, caller, new).await?;
    let mut json = token_json(&created.token);
    json["secret"] = created.secret.expose().into();
    Ok((StatusCode::CREATED, Body(json)).into_response())
}

/// Creates a token of the caller.
pub(crate) async fn create_token(app: &App, caller: &Caller, new: NewToken) -> Result<CreatedToken, Error> {
    let name = new.name.clone();
    let work = app.access().create_token(caller.signed_in()?, new);
    app.audited(caller, ("access", "createToken", &name), work).await
}

/// Revokes a token of the caller, or for an administrator any token.
pub(crate) async fn revoke_token(app: &App, caller: &Caller, id: &str) -> Result<(), Error> {
    let identity = caller.signed_in()?;
    let work = async {
        match app.access().revoke_own_token(identity, id).await {
            Err(error) if error.kind == ErrorKind::NotFound && must_administer(identity).is_ok() => {
                app.access().revoke_token(id).await
            }
            result => result,
        }
    };
    app.audited(caller, ("access", "revokeToken", id), work).await
}

/// Grants in a request.
pub(super) fn grants(members: Map<String, Json>) -> Result<Grants, Error> {
    let role = |(system, role): (String, Json)| {
        let role: Role = role.as_str().unwrap_or_default().parse()?;
        Ok((system, role))
    };
    members.into_iter().map(role).collect::<Result<_, Error>>().map(Grants)
}

/// The requested page of a list.
pub(super) fn paging(asked: Parameters) -> Result<Paging, Error> {
    let (rest, ask) = asked.question()?;
    if let Some(name) = rest.keys().next() {
        return Err(Error::invalid(HttpCode::UnknownParameter, message!(http::UNKNOWN_PARAMETER, name)));
    }
    Ok(Paging { limit: ask.limit, cursor: ask.cursor })
}

pub(super) fn paging_parameters() -> Vec<Described> {
    let whole = json!({ "type": "integer", "minimum": 1, "maximum": 1000 });
    vec![query_parameter("limit", false, whole, message!(api::PAGE_SIZE)), cursor_parameter()]
}

pub(super) fn page<T>(listing: &TypedListing<T>, one: impl Fn(&T) -> Json) -> Json {
    let items: Vec<Json> = listing.items.iter().map(one).collect();
    json!({ "items": items, "next": listing.next, "previous": listing.previous })
}

pub(super) fn page_schema(item: &Json) -> Json {
    crate::schema::page(item)
}

fn token_json(token: &Token) -> Json {
    json!({
        "id": token.id,
        "name": token.name,
        "grants": grants_json(&token.grants),
        "created": token.created.to_string(),
        "expires": token.expires.to_string(),
        "lastUsedOn": token.last_used_on,
    })
}

fn token_schema() -> Json {
    let time = json!({ "type": "string", "format": "date-time" });
    object_schema(
        json!({
            "id": { "type": "string" },
            "name": { "type": "string" },
            "grants": grants_schema(),
            "created": time,
            "expires": time,
            "lastUsedOn": { "type": ["string", "null"] },
        }),
        &["id", "name", "grants", "created", "expires", "lastUsedOn"],
    )
}
