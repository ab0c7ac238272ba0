//! Entering an event. The audit entry is part of the transaction that stores the request; a second entry of a user writes
//! nothing.

use std::time::Duration;

use axum::Json as Body;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::IntoResponse as _;
use axum::routing::{MethodFilter, on};
use hansang_core::{Error, message};
use hansang_entry::{Entrant, EntryCode, Submitted, events, messages, token};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value as Json, json};

use super::output::time;
use super::{Entries, Responded, event_id, schema, user};
use crate::messages as api;
use hansang_http::input::{Parameters, PathKey};
use hansang_http::problem::Problem;
use hansang_http::route::{Needs, Route, header_parameter, json_answer};
use hansang_server::Caller;
use hansang_server::schema::response;

/// The header of the entry token.
const TOKEN: &str = "entry-token";
/// The time to live of an entry token.
const TOKEN_TTL: Duration = Duration::from_secs(60);

/// An accepted entry.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("x-entity" = "Request"))]
struct Taken {
    request_id: String,
    /// Whether the caller had entered before; the request is then the first one.
    duplicate: bool,
}

/// An entry token.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Issued {
    token: String,
    #[schemars(extend("format" = "date-time"))]
    expires_at: String,
}

impl Entries {
    pub(super) fn enter_routes(&self) -> Vec<Route> {
        vec![self.enter_route(), self.token_route()]
    }

    /// Submits an entry for the caller. The rate limit is checked before anything is read or audited.
    pub(crate) async fn enter(
        &self,
        caller: &Caller,
        event_id: &str,
        shown: Option<&str>,
    ) -> Result<Submitted, Problem> {
        let user = user(caller)?;
        self.door.rates.account(&user)?;
        // The table with all entities, some of which are not served.
        let calls = self.app.calls(&self.entry().db);
        let enter = async |db| {
            if let Some(secret) = &self.door.token_secret {
                token::check(secret, event_id, &user, shown.unwrap_or_default(), self.now())?;
            }
            self.door.gate.submit_entrant(event_id, Entrant { user_id: user.clone(), db }).await
        };
        Ok(calls.audited_write(caller, "event.enter", event_id, enter).await?)
    }

    /// Issues an entry token for the caller. Returns it with its expiry.
    pub(crate) async fn issue(&self, caller: &Caller, event_id: &str) -> Result<(String, Timestamp), Error> {
        let user = user(caller)?;
        let Some(secret) = &self.door.token_secret else {
            return Err(Error::conflict(EntryCode::EntryTokensOff, message!(messages::TOKENS_OFF)));
        };
        let event = self.calls.measured("event.token", events::get(self.entry(), event_id)).await?;
        // Tokens have whole seconds.
        let end = self.now() + TOKEN_TTL;
        let end = Timestamp::from_second(end.as_second()).unwrap_or(end);
        Ok((token::sign(secret, &event.id, &user, end), end))
    }

    fn enter_route(&self) -> Route {
        let entries = self.clone();
        let path = "events/{eventId}/entries";
        let base = self.route(Method::POST, path, "event.enter", message!(api::ENTER), Needs::SignedIn);
        let mut parameters = base.parameters;
        let described = message!(api::ENTRY_TOKEN);
        parameters.push(header_parameter("Entry-Token", schema::text(), described));
        let mut taken = json_answer(message!(api::ENTERED), response::<Taken>(self.model()));
        taken.json["headers"] = headers_schema();
        Route {
            parameters,
            answers: vec![(202, taken)],
            refusals: &[409],
            handler: on(
                MethodFilter::POST,
                async move |caller: Caller, key: PathKey, asked: Parameters, headers: HeaderMap| {
                    entries.answer_enter(&caller, &key, asked, &headers).await
                },
            ),
            ..base
        }
    }

    fn token_route(&self) -> Route {
        let entries = self.clone();
        let path = "events/{eventId}/token";
        let summary = message!(api::ISSUE_TOKEN);
        Route {
            answers: vec![(200, json_answer(message!(api::TOKEN_ISSUED), response::<Issued>(self.model())))],
            refusals: &[409],
            handler: on(MethodFilter::POST, async move |caller: Caller, key: PathKey, asked: Parameters| {
                asked.finish()?;
                let (token, end) = entries.issue(&caller, &event_id(&key)?).await?;
                Ok::<_, Problem>(Body(Issued { token, expires_at: time(end) }))
            }),
            ..self.route(Method::POST, path, "event.token", summary, Needs::SignedIn)
        }
    }

    async fn answer_enter(
        &self,
        caller: &Caller,
        key: &PathKey,
        asked: Parameters,
        headers: &HeaderMap,
    ) -> Responded {
        asked.finish()?;
        let shown = headers.get(TOKEN).and_then(|token| token.to_str().ok());
        let Submitted { request_id, duplicate } = self.enter(caller, &event_id(key)?, shown).await?;
        let location = format!("/api/{}/requests/{request_id}", self.model().name);
        let body = Body(Taken { request_id, duplicate });
        let mut response = (StatusCode::ACCEPTED, body).into_response();
        let headers = response.headers_mut();
        if let Ok(location) = HeaderValue::try_from(location) {
            headers.insert(header::LOCATION, location);
        }
        headers.insert(header::RETRY_AFTER, HeaderValue::from(1));
        Ok(response)
    }
}

fn headers_schema() -> Json {
    json!({
        "Location": { "required": true, "schema": schema::text(), "description": "Where the request is" },
        "Retry-After": { "required": true, "schema": schema::count(), "description": "When to look there" },
    })
}
