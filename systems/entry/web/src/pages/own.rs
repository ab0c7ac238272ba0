//! Operations on the caller's own requests. The user is always the signed-in account, never a parameter.

use std::sync::Arc;

use hansang_core::Error;
use hansang_core::db::Ask;
use hansang_entry::{Event, Request, RequestPage, Submitted};

use super::{PART, Pages};
use crate::api::user;
use hansang_http::problem::Problem;
use hansang_server::Caller;

impl Pages {
    /// Enters an event.
    pub(super) async fn submit(&self, caller: &Caller, event_id: &str) -> Result<Submitted, Problem> {
        // The form itself needs no token, so one is issued here.
        let token = match self.door.token_secret {
            Some(_) => Some(self.issue(caller, event_id).await?.0),
            None => None,
        };
        self.enter(caller, event_id, token.as_deref()).await
    }

    /// The caller's request in an event, if there is one.
    pub(super) async fn entered(&self, caller: &Caller, event_id: &str) -> Result<Option<String>, Error> {
        let user = user(caller)?;
        self.calls.measured("event.entered", hansang_entry::entered(self.entry(), event_id, &user)).await
    }

    /// One of the caller's requests, as the caller may see it, and its event.
    pub(super) async fn own_request(
        &self,
        caller: &Caller,
        id: &str,
    ) -> Result<(Request, Arc<Event>), Error> {
        let user = user(caller)?;
        let request =
            self.calls.measured("request.get", hansang_entry::request_of(self.entry(), &user, id)).await?;
        let event = self.event(&request.event_id).await?;
        Ok((request.as_seen(&event), event))
    }

    /// A page of the caller's requests.
    pub(super) async fn own_requests(&self, caller: &Caller, ask: Ask) -> Result<RequestPage, Error> {
        let user = user(caller)?;
        self.calls.measured("request.mine", hansang_entry::requests_of_user(self.entry(), &user, ask)).await
    }

    /// The address of the stream of a request.
    pub(super) fn request_stream(&self, id: &str) -> String {
        self.address(&["requests", id, "live"])
    }

    /// The address of the stream of a board.
    pub(super) fn board_stream(&self, id: &str) -> String {
        self.address(&["events", id, "board", "live"])
    }

    /// The address of the proof of a draw.
    pub(super) fn proof(&self, id: &str) -> String {
        self.address(&["events", id, "draw"])
    }

    /// An address of the API.
    fn address(&self, parts: &[&str]) -> String {
        let parts = parts.iter().map(|part| percent_encoding::utf8_percent_encode(part, PART).to_string());
        format!("/api/{}/{}", self.name(), parts.collect::<Vec<_>>().join("/"))
    }
}
