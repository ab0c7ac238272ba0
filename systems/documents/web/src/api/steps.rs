//! Steps for processors: claim, heartbeat, complete, fail, skip, release.
//!
//! A lease belongs to the account that claimed and to the name of its processor, so no other account can use it.

use std::sync::Arc;

use axum::Json as Body;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::IntoResponse as _;
use axum::routing::{MethodFilter, on};
use hansang_access::Role;
use hansang_core::validate::violation;
use hansang_core::{Error, Message, message};
use hansang_documents::{
    DocumentsCode, Lease, StepName, claim, complete, fail, find_step, heartbeat, messages as domain, release,
    skip,
};
use hansang_http::input::{Members, Parameters, PathKey};
use hansang_http::route::{Route, empty_answer, json_answer, json_body};
use hansang_server::Caller;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json};

use super::sent::{SentClaim, SentComplete, SentFail, SentHeartbeat, SentLease, SentSkip};
use super::{Api, Asked, Responded, body_schema, output};
use crate::actions::by;
use crate::code::WebCode;
use crate::figures::Count;
use crate::messages as api;
use crate::state::State;

impl Api {
    pub(super) fn step_routes(&self) -> Vec<Route> {
        let until = output::object(&[("until", json!({ "type": "string", "format": "date-time" }))]);
        let step = || output::of(self.model(), "Step");
        vec![
            self.claim_route(),
            self.under_lease::<SentHeartbeat, _>(
                "heartbeat",
                (message!(api::HEARTBEAT), message!(api::THE_LEASE), until),
                async move |state, asked| {
                    let lease = lease(&asked, &asked.body.processor, asked.body.attempt)?;
                    let until = heartbeat(&state.documents, &lease, &asked.body.progress()).await?;
                    Ok(json!({ "until": output::time(until) }))
                },
            ),
            self.under_lease::<SentComplete, _>(
                "complete",
                (message!(api::COMPLETE), message!(api::THE_STEP), step()),
                async move |state, asked| {
                    let lease = lease(&asked, &asked.body.processor, asked.body.attempt)?;
                    complete(&state.documents, &lease, asked.body.outcome()).await?;
                    ended(&state, &lease, Count::Completed).await
                },
            ),
            self.under_lease::<SentFail, _>(
                "fail",
                (message!(api::FAIL), message!(api::THE_STEP), step()),
                async move |state, asked| {
                    let lease = lease(&asked, &asked.body.processor, asked.body.attempt)?;
                    fail(&state.documents, &lease, &asked.body.error, asked.body.retry).await?;
                    ended(&state, &lease, Count::Failed).await
                },
            ),
            self.under_lease::<SentSkip, _>(
                "skip",
                (message!(api::SKIP), message!(api::THE_STEP), step()),
                async move |state, asked| {
                    let lease = lease(&asked, &asked.body.processor, asked.body.attempt)?;
                    skip(&state.documents, &lease, &asked.body.reason).await?;
                    ended(&state, &lease, Count::Skipped).await
                },
            ),
            self.under_lease::<SentLease, _>(
                "release",
                (message!(api::RELEASE), message!(api::THE_STEP), step()),
                async move |state, asked| {
                    let lease = lease(&asked, &asked.body.processor, asked.body.attempt)?;
                    release(&state.documents, &lease).await?;
                    now(&state, &lease).await
                },
            ),
        ]
    }

    fn claim_route(&self) -> Route {
        let api = self.clone();
        let operation = "step.claim";
        let handler =
            on(MethodFilter::POST, async move |caller: Caller, Members(members): Members| -> Responded {
                let body: SentClaim = hansang_http::json::parse(members)?;
                let owner = owner(&by(&caller)?, &body.processor)?;
                let claimed = async {
                    if body.names.is_empty() {
                        return Err(Error::fields(vec![violation("names", message!(api::NAMES_MISSING))]));
                    }
                    for name in &body.names {
                        if let Some(claimed) = claim(&api.state.documents, *name, &owner).await? {
                            api.state.figures.add(Count::Claimed);
                            return Ok(Some(claimed));
                        }
                    }
                    Ok(None)
                };
                Ok(match api.calls.measured(operation, claimed).await? {
                    Some(claimed) => Body(output::claimed(&claimed)).into_response(),
                    None => StatusCode::NO_CONTENT.into_response(),
                })
            });
        Route {
            body: Some(json_body(body_schema::<SentClaim>())),
            answers: vec![
                (200, json_answer(message!(api::CLAIMED), output::claimed_schema(self.model()))),
                (204, empty_answer(message!(api::NOTHING_DUE))),
            ],
            refusals: &[409, 413, 415],
            handler,
            ..self.route(Method::POST, "steps/claim", operation, message!(api::CLAIM), Role::Editor)
        }
    }

    /// An operation of the processor that has a lease. The step itself records who did what and when.
    fn under_lease<B, F>(
        &self,
        verb: &'static str,
        (summary, description, schema): (Message, Message, Json),
        run: impl Fn(Arc<State>, Asked<B>) -> F + Clone + Send + Sync + 'static,
    ) -> Route
    where
        B: DeserializeOwned + JsonSchema + Send + 'static,
        F: Future<Output = Result<Json, Error>> + Send + 'static,
    {
        let api = self.clone();
        let operation = format!("step.{verb}");
        let measured = operation.clone();
        let handler = on(
            MethodFilter::POST,
            async move |caller: Caller,
                        key: PathKey,
                        parameters: Parameters,
                        headers: HeaderMap,
                        Members(members): Members|
                        -> Responded {
                let body: B = hansang_http::json::parse(members)?;
                let asked = Asked { by: by(&caller)?, key, parameters, headers, body };
                let done = api.calls.measured(&measured, run(api.state.clone(), asked)).await?;
                Ok(Body(done).into_response())
            },
        );
        Route {
            body: Some(json_body(body_schema::<B>())),
            answers: vec![(200, json_answer(description, schema))],
            refusals: &[409, 413, 415],
            handler,
            ..self.route(
                Method::POST,
                &format!("steps/{{workflow_id}}/{{name}}/{verb}"),
                &operation,
                summary,
                Role::Editor,
            )
        }
    }
}

/// The owner of the leases of a processor: its name, and the account that it works for.
pub(super) fn owner(by: &str, processor: &str) -> Result<String, Error> {
    let processor = processor.trim();
    if !(1..=100).contains(&processor.chars().count()) || processor.chars().any(char::is_control) {
        return Err(Error::fields(vec![violation("processor", message!(api::PROCESSOR_INVALID))]));
    }
    Ok(format!("{processor}@{by}"))
}

/// The lease that a request names by its path, its account and its body.
pub(super) fn lease<B>(asked: &Asked<B>, processor: &str, attempt: i64) -> Result<Lease, Error> {
    let workflow_id = asked.text("workflow_id");
    hansang_documents::check_id("workflow_id", &workflow_id)?;
    let name = step_name(&asked.text("name"))?;
    Ok(Lease { workflow_id, name, owner: owner(&asked.by, processor)?, attempt })
}

/// A kind of step by its name.
pub(super) fn step_name(text: &str) -> Result<StepName, Error> {
    StepName::named(text).ok_or_else(|| {
        let all = StepName::ALL.map(StepName::name).join(", ");
        Error::not_found(WebCode::StepMismatch, message!(api::STEP_UNKNOWN, text, all))
    })
}

/// The step of a lease as it is now.
async fn now(state: &State, lease: &Lease) -> Result<Json, Error> {
    let step = find_step(&state.documents, &lease.workflow_id, lease.name).await?;
    let lost = || Error::conflict(DocumentsCode::LeaseLost, message!(domain::LEASE_LOST));
    step.map(|step| output::record(&step)).ok_or_else(lost)
}

async fn ended(state: &State, lease: &Lease, count: Count) -> Result<Json, Error> {
    state.figures.add(count);
    now(state, lease).await
}
