//! The requests of an event, as operators see them.

use axum::Json as Body;
use axum::http::Method;
use axum::response::IntoResponse as _;
use axum::routing::{MethodFilter, on};
use hansang_core::db::Ask;
use hansang_core::{Error, message};
use hansang_entry::{Status, find, log, requests_of_event, requests_with_status};

use super::output::{RequestWithLog, ShownPage, WatchedRequest};
use super::{Entries, Responded, attribute, event_id, page_parameters};
use crate::actions::REDRIVE;
use crate::messages as api;
use hansang_access::Role;
use hansang_http::input::{Parameters, PathKey};
use hansang_http::route::{Route, json_answer, query_parameter};
use hansang_server::Caller;
use hansang_server::schema::response;

impl Entries {
    pub(super) fn request_routes(&self) -> Vec<Route> {
        vec![self.requests_route(), self.watch_route(), self.redrive_route()]
    }

    fn requests_route(&self) -> Route {
        let entries = self.clone();
        let summary = message!(api::REQUESTS);
        let path = "events/{eventId}/requests";
        let base = self.route(Method::GET, path, "event.requests", summary, self.needs(Role::Viewer));
        let mut parameters = base.parameters;
        parameters.extend(page_parameters());
        let status = attribute(self.model(), "Request", "status");
        parameters.push(query_parameter("status", false, status, message!(api::STATUS)));
        let page = response::<ShownPage<WatchedRequest>>(self.model());
        Route {
            parameters,
            answers: vec![(200, json_answer(message!(api::A_PAGE), page))],
            handler: on(MethodFilter::GET, async move |_: Caller, key: PathKey, asked: Parameters| {
                entries.answer_requests(&key, asked).await
            }),
            ..base
        }
    }

    fn watch_route(&self) -> Route {
        let entries = self.clone();
        let summary = message!(api::WATCH);
        let path = "operator/requests/{requestId}";
        Route {
            answers: vec![(
                200,
                json_answer(message!(api::THE_REQUEST), response::<RequestWithLog>(self.model())),
            )],
            handler: on(MethodFilter::GET, async move |_: Caller, key: PathKey, asked: Parameters| {
                entries.answer_watch(&key, asked).await
            }),
            ..self.route(Method::GET, path, "request.watch", summary, self.needs(Role::Viewer))
        }
    }

    fn redrive_route(&self) -> Route {
        let entries = self.clone();
        let path = "requests/{requestId}/redrive";
        Route {
            answers: vec![(
                200,
                json_answer(message!(api::QUEUED_AGAIN), response::<WatchedRequest>(self.model())),
            )],
            refusals: &[409],
            handler: on(MethodFilter::POST, async move |caller: Caller, key: PathKey, asked: Parameters| {
                entries.answer_redrive(&caller, &key, asked).await
            }),
            ..self.route(Method::POST, path, REDRIVE.name, REDRIVE.summary(), self.needs(Role::Editor))
        }
    }

    async fn answer_requests(&self, key: &PathKey, mut asked: Parameters) -> Responded {
        let status: Option<Status> = asked.take("status").map(|status| status.parse()).transpose()?;
        let (event_id, ask) = (event_id(key)?, paging(asked)?);
        let read = async {
            match status {
                Some(status) => requests_with_status(self.entry(), &event_id, &[status], ask).await,
                None => requests_of_event(self.entry(), &event_id, ask).await,
            }
        };
        let page: ShownPage<WatchedRequest> = self.calls.measured("event.requests", read).await?.into();
        Ok(Body(page).into_response())
    }

    async fn answer_watch(&self, key: &PathKey, asked: Parameters) -> Responded {
        asked.finish()?;
        let id = key.text("requestId");
        let read = async { Ok((find(self.entry(), &id).await?, log(self.entry(), &id).await?)) };
        let (request, lines) = self.calls.measured("request.watch", read).await?;
        Ok(Body(RequestWithLog::of(request, lines)).into_response())
    }

    async fn answer_redrive(&self, caller: &Caller, key: &PathKey, asked: Parameters) -> Responded {
        asked.finish()?;
        let request = self.act(&REDRIVE, caller, key.text("requestId")).await?;
        Ok(Body(WatchedRequest::from(request)).into_response())
    }
}

/// Reads the parameters of a page.
pub(super) fn paging(mut asked: Parameters) -> Result<Ask, Error> {
    let ask = Ask { limit: asked.number("limit")?, cursor: asked.take("cursor"), ..Ask::default() };
    asked.finish()?;
    Ok(ask)
}
