//! Everything there is, what cannot be read included: for audits and comparisons.

use axum::Json as Body;
use axum::http::Method;
use axum::response::IntoResponse as _;
use axum::routing::{MethodFilter, on};
use hansang_contracts::{ContractError, ContractRegistry as _, Found};
use hansang_core::{Error, message};
use serde_json::{Value as Json, json};

use super::{Contracts, Responded, cursor, output, schema};
use crate::messages as api;
use hansang_access::Role;
use hansang_http::input::Parameters;
use hansang_http::route::{Route, cursor_parameter, json_answer};
use hansang_server::Caller;

impl Contracts {
    pub(super) fn walk_route(&self) -> Route {
        let contracts = self.clone();
        Route {
            parameters: vec![cursor_parameter()],
            answers: vec![(200, json_answer(message!(api::A_PAGE), schema::page(self.found_schema())))],
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
        let found = walked.found.iter().map(found_json).collect::<Result<_, Error>>()?;
        Ok(Body(output::page(found, walked.next.as_deref())).into_response())
    }

    fn found_schema(&self) -> Json {
        let error = json!({ "code": schema::text(), "reference": schema::text(), "reason": schema::text() });
        let properties = json!({
            "place": schema::text(),
            "contract": schema::whole(self.model()),
            "error": schema::closed(error, &["code", "reason"]),
        });
        schema::closed(properties, &["place"])
    }
}

fn found_json(found: &Found) -> Result<Json, Error> {
    let place = &found.location;
    let error = match &found.contract {
        Ok(contract) => return Ok(json!({ "place": place, "contract": output::whole(contract) })),
        Err(ContractError::Unavailable(outage)) => return Err(outage.clone()),
        Err(error) => error,
    };
    let told = Error::from(error.clone());
    let json = match error {
        ContractError::Corrupted { reference, reason } | ContractError::Integrity { reference, reason } => {
            json!({ "code": told.code, "reference": reference.to_string(), "reason": reason.to_string() })
        }
        _ => json!({ "code": told.code, "reason": told.message.to_string() }),
    };
    Ok(json!({ "place": place, "error": json }))
}
