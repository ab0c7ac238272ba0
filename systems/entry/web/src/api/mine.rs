//! The caller's own requests.

use std::collections::hash_map::{self, HashMap};

use axum::Json as Body;
use axum::http::{HeaderValue, Method, header};
use axum::response::IntoResponse as _;
use axum::routing::{MethodFilter, on};
use hansang_core::{Error, message};
use hansang_entry::{Event, EventType, Request, RequestPage, events, request_of, requests_of_user};
use jiff::Timestamp;
use serde_json::json;

use super::output::{ShownPage, ShownRequest};
use super::{Entries, Responded, page_parameters, requests, schema, user};
use crate::messages as api;
use hansang_http::input::{Parameters, PathKey};
use hansang_http::route::{Needs, Route, json_answer};
use hansang_server::Caller;
use hansang_server::schema::response;

/// The maximum of `Retry-After`, in seconds.
const MAX_RETRY_AFTER: i64 = 10;

impl Entries {
    pub(super) fn mine_routes(&self) -> Vec<Route> {
        vec![self.mine_route(), self.own_route()]
    }

    fn mine_route(&self) -> Route {
        let entries = self.clone();
        let summary = message!(api::MINE);
        let page = response::<ShownPage<ShownRequest>>(self.model());
        Route {
            parameters: page_parameters().into(),
            answers: vec![(200, json_answer(message!(api::PAGE_OF_MINE), page))],
            handler: on(MethodFilter::GET, async move |caller: Caller, asked: Parameters| {
                entries.answer_mine(&caller, asked).await
            }),
            ..self.route(Method::GET, "requests", "request.mine", summary, Needs::SignedIn)
        }
    }

    fn own_route(&self) -> Route {
        let entries = self.clone();
        let mut found = json_answer(message!(api::THE_REQUEST), response::<ShownRequest>(self.model()));
        found.json["headers"] = json!({ "Retry-After": {
            "required": false, "schema": schema::count(), "description": "When to ask again, while it has no result",
        } });
        Route {
            answers: vec![(200, found)],
            handler: on(MethodFilter::GET, async move |caller: Caller, key: PathKey, asked: Parameters| {
                entries.answer_own(&caller, &key, asked).await
            }),
            ..self.route(
                Method::GET,
                "requests/{requestId}",
                "request.get",
                message!(api::GET_REQUEST),
                Needs::SignedIn,
            )
        }
    }

    async fn answer_mine(&self, caller: &Caller, asked: Parameters) -> Responded {
        let (user, ask) = (user(caller)?, requests::paging(asked)?);
        let read = async {
            let page = requests_of_user(self.entry(), &user, ask).await?;
            // Only operators see damaged requests.
            Ok(RequestPage { requests: self.seen(page.requests).await?, damaged: Vec::new(), ..page })
        };
        let page: ShownPage<ShownRequest> = self.calls.measured("request.mine", read).await?.into();
        Ok(Body(page).into_response())
    }

    async fn answer_own(&self, caller: &Caller, key: &PathKey, asked: Parameters) -> Responded {
        asked.finish()?;
        let id = key.text("requestId");
        let request = self.calls.measured("request.get", self.own(caller, &id)).await?;
        let wait = (!request.status.is_final()).then(|| wait(request.requested_at, self.now()));
        let mut response = Body(ShownRequest::from(request)).into_response();
        if let Some(wait) = wait {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(wait));
        }
        Ok(response)
    }

    /// One of the caller's requests, as the caller may see it.
    pub(super) async fn own(&self, caller: &Caller, id: &str) -> Result<Request, Error> {
        let request = request_of(self.entry(), &user(caller)?, id).await?;
        if is_open(&request) {
            return Ok(request);
        }
        let event = events::get(self.entry(), &request.event_id).await?;
        Ok(request.as_seen(&event))
    }

    /// Requests as their user may see them. Reads each event once, and only if it matters.
    async fn seen(&self, requests: Vec<Request>) -> Result<Vec<Request>, Error> {
        let mut known: HashMap<String, Event> = HashMap::new();
        let mut seen = Vec::with_capacity(requests.len());
        for request in requests {
            if is_open(&request) {
                seen.push(request);
                continue;
            }
            let event = match known.entry(request.event_id.clone()) {
                hash_map::Entry::Occupied(slot) => slot.into_mut(),
                hash_map::Entry::Vacant(slot) => {
                    slot.insert(events::get(self.entry(), &request.event_id).await?)
                }
            };
            seen.push(request.as_seen(event));
        }
        Ok(seen)
    }
}

/// Whether the user may see the whole request, independent of the event.
fn is_open(request: &Request) -> bool {
    request.event_type == EventType::FirstCome || !request.status.is_final()
}

/// The seconds until the next poll, which grow with the waiting time.
fn wait(since: Timestamp, now: Timestamp) -> i64 {
    (now.as_second() - since.as_second()).div_euclid(MAX_RETRY_AFTER).clamp(1, MAX_RETRY_AFTER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_poll_interval_grows() {
        let since = Timestamp::from_second(1_900_000_000).unwrap();
        let after = |seconds: i64| wait(since, Timestamp::from_second(1_900_000_000 + seconds).unwrap());
        assert_eq!([-5, 0, 19, 20, 45, 99, 100, 100_000].map(after), [1, 1, 1, 2, 4, 9, 10, 10]);
    }
}
