//! Events, as all signed-in users see them.

use axum::Json as Body;
use axum::http::Method;
use axum::response::IntoResponse as _;
use axum::routing::{MethodFilter, on};
use hansang_core::message;
use hansang_entry::events;
use hansang_entry::lottery::{self, Proof};

use super::output::{Items, ShownEvent};
use super::{Entries, Responded, event_id};
use crate::messages as api;
use hansang_http::input::{Parameters, PathKey};
use hansang_http::route::{Needs, Route, json_answer};
use hansang_server::Caller;
use hansang_server::schema::response;

impl Entries {
    pub(super) fn event_routes(&self) -> Vec<Route> {
        vec![self.list_route(), self.get_route(), self.proof_route()]
    }

    fn list_route(&self) -> Route {
        let entries = self.clone();
        let all = response::<Items<ShownEvent>>(self.model());
        Route {
            answers: vec![(200, json_answer(message!(api::EVENTS), all))],
            handler: on(MethodFilter::GET, async move |_: Caller, asked: Parameters| {
                entries.answer_list(asked).await
            }),
            ..self.route(Method::GET, "events", "event.list", message!(api::LIST_EVENTS), Needs::SignedIn)
        }
    }

    fn get_route(&self) -> Route {
        let entries = self.clone();
        Route {
            answers: vec![(200, json_answer(message!(api::THE_EVENT), response::<ShownEvent>(self.model())))],
            handler: on(MethodFilter::GET, async move |_: Caller, key: PathKey, asked: Parameters| {
                entries.answer_get(&key, asked).await
            }),
            ..self.route(
                Method::GET,
                "events/{eventId}",
                "event.get",
                message!(api::GET_EVENT),
                Needs::SignedIn,
            )
        }
    }

    fn proof_route(&self) -> Route {
        let entries = self.clone();
        let summary = message!(api::PROOF);
        Route {
            answers: vec![(200, json_answer(message!(api::THE_PROOF), response::<Proof>(self.model())))],
            refusals: &[409],
            handler: on(MethodFilter::GET, async move |_: Caller, key: PathKey, asked: Parameters| {
                entries.answer_proof(&key, asked).await
            }),
            ..self.route(Method::GET, "events/{eventId}/draw", "event.proof", summary, Needs::SignedIn)
        }
    }

    async fn answer_list(&self, asked: Parameters) -> Responded {
        asked.finish()?;
        let found = self.calls.measured("event.list", events::list(self.entry())).await?;
        let now = self.now();
        let items = found.into_iter().map(|event| ShownEvent::of(event, now)).collect();
        Ok(Body(Items { items }).into_response())
    }

    async fn answer_get(&self, key: &PathKey, asked: Parameters) -> Responded {
        asked.finish()?;
        let event = self.calls.measured("event.get", events::get(self.entry(), &event_id(key)?)).await?;
        Ok(Body(ShownEvent::of(event, self.now())).into_response())
    }

    async fn answer_proof(&self, key: &PathKey, asked: Parameters) -> Responded {
        asked.finish()?;
        let id = event_id(key)?;
        let proof = lottery::proof(self.entry(), &id);
        Ok(Body(self.calls.measured("event.proof", proof).await?).into_response())
    }
}
