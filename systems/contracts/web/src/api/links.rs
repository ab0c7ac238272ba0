//! The references of a version, and the referrers of a contract.

use axum::Json as Body;
use axum::http::Method;
use axum::response::IntoResponse as _;
use axum::routing::{MethodFilter, on};
use hansang_contracts::references::{Reference, references};
use hansang_contracts::{ContractRegistry as _, Referrer, in_spec};
use hansang_core::{Error, ErrorKind, message};
use schemars::JsonSchema;
use serde::Serialize;

use super::output::{Items, ShownReference};
use super::{Contracts, Responded, contract, reference};
use crate::messages as api;
use hansang_access::Role;
use hansang_http::input::{Parameters, PathKey};
use hansang_http::route::{Route, json_answer};
use hansang_server::Caller;
use hansang_server::schema::response;

/// A reference in a spec.
#[derive(Serialize, JsonSchema)]
struct ShownMention {
    kind: String,
    id: String,
    /// A version, or a range of them.
    #[serde(rename = "version")]
    wanted: String,
    path: String,
}

/// A version that refers to a contract.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("x-entity" = "Contract"))]
struct ShownReferrer {
    #[serde(flatten)]
    from: ShownReference,
    wanted: Vec<String>,
}

impl Contracts {
    pub(super) fn link_routes(&self) -> Vec<Route> {
        let (named, naming) = (self.clone(), self.clone());
        let path = "kinds/{kind}/{id}/{version}/references";
        let references = Route {
            answers: vec![(
                200,
                json_answer(message!(api::REFERENCES), response::<Items<ShownMention>>(self.model())),
            )],
            handler: on(MethodFilter::GET, async move |_: Caller, key: PathKey, asked: Parameters| {
                named.answer_references(&key, asked).await
            }),
            ..self.route(Method::GET, path, "listReferences", message!(api::LIST_REFERENCES), Role::Viewer)
        };
        let path = "kinds/{kind}/{id}/referrers";
        let referrers = Route {
            answers: vec![(
                200,
                json_answer(message!(api::REFERRERS), response::<Items<ShownReferrer>>(self.model())),
            )],
            handler: on(MethodFilter::GET, async move |_: Caller, key: PathKey, asked: Parameters| {
                naming.answer_referrers(&key, asked).await
            }),
            ..self.route(Method::GET, path, "listReferrers", message!(api::LIST_REFERRERS), Role::Viewer)
        };
        vec![referrers, references]
    }

    async fn answer_references(&self, key: &PathKey, asked: Parameters) -> Responded {
        let reference = reference(key)?;
        asked.finish()?;
        let found = self.read("listReferences", self.registry.fetch(&reference)).await?;
        let named = references(&reference.kind, &found.spec).map_err(|problems| {
            // Only a draft can have invalid references.
            Error { kind: ErrorKind::Conflict, ..Error::fields(in_spec(problems)) }
        })?;
        Ok(Body(Items::<ShownMention>::of(&named)).into_response())
    }

    async fn answer_referrers(&self, key: &PathKey, asked: Parameters) -> Responded {
        let (kind, id) = contract(key)?;
        asked.finish()?;
        let found = self.read("listReferrers", self.registry.referrers(&kind, &id)).await?;
        Ok(Body(Items::<ShownReferrer>::of(&found)).into_response())
    }
}

impl From<&Reference> for ShownMention {
    fn from(reference: &Reference) -> Self {
        Self {
            kind: reference.kind.to_string(),
            id: reference.id.to_string(),
            wanted: reference.wanted.to_string(),
            path: reference.path.clone(),
        }
    }
}

impl From<&Referrer> for ShownReferrer {
    fn from(referrer: &Referrer) -> Self {
        Self { from: (&referrer.from).into(), wanted: referrer.wanted.clone() }
    }
}
