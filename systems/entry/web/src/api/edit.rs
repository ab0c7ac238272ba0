//! Changing and deleting events.

use std::time::Duration;

use axum::Json as Body;
use axum::http::{Method, StatusCode};
use axum::response::IntoResponse as _;
use axum::routing::{MethodFilter, on};
use hansang_core::messages::fields;
use hansang_core::validate::violation;
use hansang_core::{Error, message};
use hansang_entry::events::EventChanges;
use serde::Deserialize;
use serde_json::json;

use super::operate::time;
use super::output::ShownEvent;
use super::{Entries, Responded, attribute, event_id, schema};
use crate::actions::{DELETE, EDIT};
use crate::messages as api;
use hansang_access::Role;
use hansang_http::input::{Members, Parameters, PathKey};
use hansang_http::json::{parse, present, whole};
use hansang_http::route::{Route, empty_answer, json_answer, json_body};
use hansang_server::Caller;
use hansang_server::schema::response;

/// The path of one event.
const PATH: &str = "events/{eventId}";

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct SentChanges {
    #[serde(default, deserialize_with = "present")]
    title: Option<String>,
    #[serde(default, deserialize_with = "present")]
    opens_at: Option<String>,
    #[serde(default, deserialize_with = "present")]
    closes_at: Option<String>,
    #[serde(default, deserialize_with = "present")]
    lottery_cutoff_at: Option<String>,
    #[serde(default, deserialize_with = "whole")]
    settle_seconds: Option<i64>,
}

impl Entries {
    pub(super) fn edit_routes(&self) -> Vec<Route> {
        vec![self.edit_route(), self.delete_route()]
    }

    fn edit_route(&self) -> Route {
        let entries = self.clone();
        let of = |name: &str| attribute(self.model(), "Event", name);
        let changes = schema::closed(
            json!({
                "title": of("title"),
                "opensAt": schema::time(),
                "closesAt": schema::time(),
                "lotteryCutoffAt": schema::time(),
                "settleSeconds": of("settleSeconds"),
            }),
            &[],
        );
        Route {
            body: Some(json_body(changes)),
            answers: vec![(200, json_answer(message!(api::CHANGED), response::<ShownEvent>(self.model())))],
            refusals: &[409, 412, 413, 415],
            handler: on(
                MethodFilter::PATCH,
                async move |caller: Caller, key: PathKey, asked: Parameters, members: Members| {
                    entries.answer_edit(&caller, &key, asked, members).await
                },
            ),
            ..self.route(Method::PATCH, PATH, EDIT.name, EDIT.summary(), self.needs(Role::Editor))
        }
    }

    fn delete_route(&self) -> Route {
        let entries = self.clone();
        Route {
            answers: vec![(204, empty_answer(message!(api::DELETED)))],
            refusals: &[409, 412],
            handler: on(
                MethodFilter::DELETE,
                async move |caller: Caller, key: PathKey, asked: Parameters| {
                    entries.answer_delete(&caller, &key, asked).await
                },
            ),
            ..self.route(Method::DELETE, PATH, DELETE.name, DELETE.summary(), self.needs(Role::Editor))
        }
    }

    async fn answer_edit(
        &self,
        caller: &Caller,
        key: &PathKey,
        asked: Parameters,
        Members(members): Members,
    ) -> Responded {
        asked.finish()?;
        let changes = changes(parse(members)?)?;
        let event = self.act(&EDIT, caller, (event_id(key)?, changes)).await?;
        Ok(Body(ShownEvent::of(event, self.now())).into_response())
    }

    async fn answer_delete(&self, caller: &Caller, key: &PathKey, asked: Parameters) -> Responded {
        asked.finish()?;
        self.act(&DELETE, caller, event_id(key)?).await?;
        Ok(StatusCode::NO_CONTENT.into_response())
    }
}

/// The changes in a body. All problems of its fields are reported at once.
fn changes(sent: SentChanges) -> Result<EventChanges, Error> {
    let mut violations = Vec::new();
    let mut at = |name: &str, text: Option<String>| {
        text.and_then(|text| time(name, &text).map_err(|problem| violations.push(problem)).ok())
    };
    let opens_at = at("opensAt", sent.opens_at);
    let closes_at = at("closesAt", sent.closes_at);
    let cutoff_at = at("lotteryCutoffAt", sent.lottery_cutoff_at);
    let settle = sent.settle_seconds.map(u64::try_from);
    if matches!(settle, Some(Err(_))) {
        violations.push(violation("settleSeconds", message!(fields::AT_LEAST, 0)));
    }
    if !violations.is_empty() {
        return Err(Error::fields(violations));
    }
    let settle = settle.and_then(Result::ok).map(Duration::from_secs);
    Ok(EventChanges { title: sent.title, opens_at, closes_at, cutoff_at, settle, was: None })
}
