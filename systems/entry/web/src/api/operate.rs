//! Operations of operators.

use std::time::Duration;

use axum::Json as Body;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::IntoResponse as _;
use axum::routing::{MethodFilter, on};
use hansang_core::kind::Kind;
use hansang_core::kind::time::Precision;
use hansang_core::messages::fields;
use hansang_core::validate::{Violation, violation};
use hansang_core::{Error, message};
use hansang_entry::events::{Allocation, NewEvent};
use hansang_entry::{EventType, messages};
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::json;

use super::output::{ShownDraw, ShownEvent};
use super::{Entries, Responded, event_id, schema};
use crate::actions::{ANNOUNCE, CLOSE, CREATE, DRAW, EventAction, PAUSE, Places, RESUME, SET_CAPACITY};
use crate::messages as api;
use hansang_access::Role;
use hansang_http::HttpCode;
use hansang_http::input::{Members, Parameters, PathKey};
use hansang_http::json::{parse, present, whole};
use hansang_http::problem::Problem;
use hansang_http::route::segment;
use hansang_http::route::{Route, json_answer, json_body};
use hansang_server::Caller;
use hansang_server::schema::response;

/// The actions without other parameters than the event, by the last segment of their path.
const EVENT_ACTIONS: [(&str, EventAction); 4] =
    [("pause", PAUSE), ("resume", RESUME), ("close", CLOSE), ("announce", ANNOUNCE)];

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Sent {
    #[serde(default, deserialize_with = "present")]
    event_id: Option<String>,
    title: String,
    event_type: String,
    opens_at: String,
    closes_at: String,
    #[serde(default, deserialize_with = "whole")]
    capacity_total: Option<i64>,
    #[serde(default, deserialize_with = "whole")]
    winners: Option<i64>,
    #[serde(default, deserialize_with = "present")]
    lottery_cutoff_at: Option<String>,
    #[serde(default, deserialize_with = "whole")]
    settle_seconds: Option<i64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SentPlaces {
    #[serde(deserialize_with = "whole")]
    places: Option<i64>,
}

impl Entries {
    pub(super) fn operate_routes(&self) -> Vec<Route> {
        let mut routes = vec![self.create_route(), self.places_route(), self.draw_route()];
        routes.extend(EVENT_ACTIONS.map(|(name, action)| self.event_action_route(name, action)));
        routes
    }

    fn create_route(&self) -> Route {
        let entries = self.clone();
        Route {
            body: Some(json_body(schema::new_event(self.model()))),
            answers: vec![(201, json_answer(message!(api::MADE), response::<ShownEvent>(self.model())))],
            refusals: &[409, 413, 415],
            handler: on(
                MethodFilter::POST,
                async move |caller: Caller, asked: Parameters, members: Members| {
                    entries.answer_create(&caller, asked, members).await
                },
            ),
            ..self.route(Method::POST, "events", CREATE.name, CREATE.summary(), self.needs(Role::Editor))
        }
    }

    fn places_route(&self) -> Route {
        let entries = self.clone();
        let sent =
            schema::closed(json!({ "places": schema::positive(self.model(), "capacityTotal") }), &["places"]);
        let path = "events/{eventId}/places";
        Route {
            body: Some(json_body(sent)),
            answers: vec![(200, json_answer(message!(api::CHANGED), response::<ShownEvent>(self.model())))],
            refusals: &[409, 412, 413, 415],
            handler: on(
                MethodFilter::PUT,
                async move |caller: Caller, key: PathKey, asked: Parameters, members: Members| {
                    entries.answer_places(&caller, &key, asked, members).await
                },
            ),
            ..self.route(
                Method::PUT,
                path,
                SET_CAPACITY.name,
                SET_CAPACITY.summary(),
                self.needs(Role::Editor),
            )
        }
    }

    fn draw_route(&self) -> Route {
        let entries = self.clone();
        let path = "events/{eventId}/draw";
        Route {
            answers: vec![(200, json_answer(message!(api::DRAWN), response::<ShownDraw>(self.model())))],
            refusals: &[409, 412],
            handler: on(MethodFilter::POST, async move |caller: Caller, key: PathKey, asked: Parameters| {
                entries.answer_draw(&caller, &key, asked).await
            }),
            ..self.route(Method::POST, path, DRAW.name, DRAW.summary(), self.needs(Role::Editor))
        }
    }

    fn event_action_route(&self, name: &str, action: EventAction) -> Route {
        let entries = self.clone();
        let path = format!("events/{{eventId}}/{name}");
        let needs = self.needs(Role::Editor);
        Route {
            answers: vec![(200, json_answer(message!(api::DONE), response::<ShownEvent>(self.model())))],
            refusals: &[409, 412],
            handler: on(MethodFilter::POST, async move |caller: Caller, key: PathKey, asked: Parameters| {
                asked.finish()?;
                let event = entries.act(&action, &caller, event_id(&key)?).await?;
                Ok::<_, Problem>(Body(ShownEvent::of(event, entries.now())))
            }),
            ..self.route(Method::POST, &path, action.name, action.summary(), needs)
        }
    }

    async fn answer_create(
        &self,
        caller: &Caller,
        asked: Parameters,
        Members(members): Members,
    ) -> Responded {
        asked.finish()?;
        let new = new_event(parse(members)?)?;
        let event = self.act(&CREATE, caller, new).await?;
        let id = segment(&event.id.as_str().into());
        let location = format!("/api/{}/events/{id}", self.model().name);
        let body = Body(ShownEvent::of(event, self.now()));
        let mut response = (StatusCode::CREATED, body).into_response();
        if let Ok(location) = HeaderValue::try_from(location) {
            response.headers_mut().insert(header::LOCATION, location);
        }
        Ok(response)
    }

    async fn answer_places(
        &self,
        caller: &Caller,
        key: &PathKey,
        asked: Parameters,
        Members(members): Members,
    ) -> Responded {
        asked.finish()?;
        let SentPlaces { places } = parse(members)?;
        let places = places.unwrap_or_default();
        if places < 1 {
            return Err(Error::fields(vec![violation("places", message!(fields::AT_LEAST, 1))]).into());
        }
        let places = Places { event_id: event_id(key)?, was: None, total: places };
        let event = self.act(&SET_CAPACITY, caller, places).await?;
        Ok(Body(ShownEvent::of(event, self.now())).into_response())
    }

    async fn answer_draw(&self, caller: &Caller, key: &PathKey, asked: Parameters) -> Responded {
        asked.finish()?;
        let figures = self.act(&DRAW, caller, event_id(key)?).await?;
        Ok(Body(ShownDraw::from(figures)).into_response())
    }
}

/// The event in a body. All problems of its fields are reported at once.
fn new_event(sent: Sent) -> Result<NewEvent, Error> {
    let mut violations = Vec::new();
    let mut kept = |time: Result<Timestamp, Violation>| {
        time.unwrap_or_else(|violation| {
            violations.push(violation);
            Timestamp::UNIX_EPOCH
        })
    };
    let opens_at = kept(time("opensAt", &sent.opens_at));
    let closes_at = kept(time("closesAt", &sent.closes_at));
    let cutoff_at = sent.lottery_cutoff_at.map(|cutoff| kept(time("lotteryCutoffAt", &cutoff)));
    let settle = sent.settle_seconds.map(|seconds| {
        u64::try_from(seconds).unwrap_or_else(|_| {
            violations.push(violation("settleSeconds", message!(fields::AT_LEAST, 0)));
            0
        })
    });
    if !violations.is_empty() {
        return Err(Error::fields(violations));
    }
    let event_type: EventType = sent.event_type.parse()?;
    let allocation = match (event_type, sent.capacity_total, sent.winners, cutoff_at) {
        (EventType::FirstCome, Some(places), None, None) => Allocation::FirstCome(places),
        (EventType::Lottery, None, Some(winners), Some(cutoff_at)) => {
            Allocation::Lottery { winners, cutoff_at }
        }
        _ => {
            return Err(Error::invalid(HttpCode::InvalidBody, message!(messages::ALLOCATION_FIELDS)));
        }
    };
    let settle = settle.map(Duration::from_secs);
    Ok(NewEvent { id: sent.event_id, title: sent.title, opens_at, closes_at, allocation, settle })
}

/// Parses the time of a field.
pub(super) fn time(name: &str, text: &str) -> Result<Timestamp, Violation> {
    let kind = Kind::Timestamp(Precision::Millis);
    let wrong = || violation(name, kind.must_be());
    let exact = kind.from_text(text).map_err(|problem| violation(name, problem))?;
    exact.as_str().and_then(|text| text.parse().ok()).ok_or_else(wrong)
}
