//! All versions, unreadable ones included, for audits and comparisons.

use axum::Json as Body;
use axum::http::Method;
use axum::response::IntoResponse as _;
use axum::routing::{MethodFilter, on};
use hansang_contracts::{ContractError, ContractRegistry as _, Found};
use hansang_core::{Error, message};
use schemars::JsonSchema;
use serde::Serialize;

use super::output::{Page, WholeContract};
use super::{Contracts, Responded, cursor};
use crate::messages as api;
use hansang_access::Role;
use hansang_http::input::Parameters;
use hansang_http::route::{Route, cursor_parameter, json_answer};
use hansang_server::Caller;
use hansang_server::schema::response;

/// A stored version, or the reason that it cannot be read.
#[derive(Serialize, JsonSchema)]
struct ShownFound {
    place: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    contract: Option<WholeContract>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ShownError>,
}

#[derive(Serialize, JsonSchema)]
struct ShownError {
    code: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    reference: Option<String>,
    reason: String,
}

impl Contracts {
    pub(super) fn walk_route(&self) -> Route {
        let contracts = self.clone();
        Route {
            parameters: vec![cursor_parameter()],
            answers: vec![(
                200,
                json_answer(message!(api::A_PAGE), response::<Page<ShownFound>>(self.model())),
            )],
            handler: on(MethodFilter::GET, async move |_: Caller, asked: Parameters| {
                contracts.answer_walk(asked).await
            }),
            ..self.route(Method::GET, "walk", "walk", message!(api::WALK), Role::Admin)
        }
    }

    async fn answer_walk(&self, mut asked: Parameters) -> Responded {
        let from = asked.take("cursor").map(|cursor| cursor::opened(&cursor)).transpose()?;
        asked.finish()?;
        let walked = self.read("walk", self.registry.walk(from.as_deref())).await?;
        let found = walked.found.iter().map(shown).collect::<Result<Vec<_>, Error>>()?;
        Ok(Body(Page::<ShownFound>::of(found, walked.next.as_deref())).into_response())
    }
}

fn shown(found: &Found) -> Result<ShownFound, Error> {
    let place = found.location.clone();
    let error = match &found.contract {
        Ok(contract) => {
            return Ok(ShownFound { place, contract: Some((&**contract).into()), error: None });
        }
        Err(ContractError::Unavailable(outage)) => return Err(outage.clone()),
        Err(error) => error,
    };
    let Error { code, message, .. } = Error::from(error.clone());
    let (reference, reason) = match error {
        ContractError::Corrupted { reference, reason } | ContractError::Integrity { reference, reason } => {
            (Some(reference.to_string()), reason.to_string())
        }
        _ => (None, message.to_string()),
    };
    let error = ShownError { code: code.as_str().to_owned(), reference, reason };
    Ok(ShownFound { place, contract: None, error: Some(error) })
}
