//! The requests of whoever asks.

use std::collections::HashMap;
use std::collections::hash_map::Entry as Place;

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

/// The longest time that whoever asks again is told to wait, in seconds.
const LONGEST: i64 = 10;

impl Entries {
    pub(super) fn mine_routes(&self) -> Vec<Route> {
        vec![self.mine_route(), self.own_route()]
    }

    fn mine_route(&self) -> Route {
        let entries = self.clone();
        let summary = message!(api::MINE);
        let page = hansang_server::schema::page(&schema::request(self.model()));
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
        let mut found = json_answer(message!(api::THE_REQUEST), schema::request(self.model()));
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
            Ok(RequestPage { requests: self.seen(page.requests).await?, ..page })
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

    /// A request of whoever asks, as they may see it.
    pub(super) async fn own(&self, caller: &Caller, id: &str) -> Result<Request, Error> {
        let request = request_of(self.entry(), &user(caller)?, id).await?;
        if is_open(&request) {
            return Ok(request);
        }
        let event = events::get(self.entry(), &request.event_id).await?;
        Ok(request.as_seen(&event))
    }

    /// Requests as their user may see them. Each event is read once, and only where it matters.
    async fn seen(&self, requests: Vec<Request>) -> Result<Vec<Request>, Error> {
        let mut known: HashMap<String, Event> = HashMap::new();
        let mut seen = Vec::with_capacity(requests.len());
        for request in requests {
            if is_open(&request) {
                seen.push(request);
                continue;
            }
            let event = match known.entry(request.event_id.clone()) {
                Place::Occupied(place) => place.into_mut(),
                Place::Vacant(place) => place.insert(events::get(self.entry(), &request.event_id).await?),
            };
            seen.push(request.as_seen(event));
        }
        Ok(seen)
    }
}

/// Whether all of a request is its user's to see, whatever its event says.
fn is_open(request: &Request) -> bool {
    request.event_type == EventType::FirstCome || !request.status.is_final()
}

/// In how many seconds to look again: the longer it takes, the less often.
fn wait(since: Timestamp, now: Timestamp) -> i64 {
    (now.as_second() - since.as_second()).div_euclid(LONGEST).clamp(1, LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_waits_longer_looks_less_often() {
        let since = Timestamp::from_second(1_900_000_000).unwrap();
        let after = |seconds: i64| wait(since, Timestamp::from_second(1_900_000_000 + seconds).unwrap());
        assert_eq!([-5, 0, 19, 20, 45, 99, 100, 100_000].map(after), [1, 1, 1, 2, 4, 9, 10, 10]);
    }
}
