//! The differences between two versions, and the version bump that they require.

use std::sync::Arc;

use axum::Json as Body;
use axum::http::Method;
use axum::response::IntoResponse as _;
use axum::routing::{MethodFilter, on};
use hansang_contracts::{
    Bump, Compatibility, Contract, ContractRef, Difference, SpecChange, compatibility, contract_version, diff,
};
use hansang_core::value::json::to_plain;
use hansang_core::{Error, Value, message};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;

use super::output::Items;
use super::versions::renamed;
use super::{Contracts, Responded, contract, schema};
use crate::messages as api;
use hansang_access::Role;
use hansang_http::input::{Parameters, PathKey};
use hansang_http::route::{Described, Route, json_answer, query_parameter};
use hansang_server::Caller;
use hansang_server::schema::response;

/// A difference between two specs.
#[derive(Serialize, JsonSchema)]
struct ShownDifference {
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    old: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    new: Option<Json>,
}

/// The changes from one spec to another, and the version bump that they require.
#[derive(Serialize, JsonSchema)]
pub(super) struct ShownCompatibility {
    needs: ShownBump,
    changes: Vec<ShownChange>,
}

/// The changes between two versions, and whether the second one fits them.
#[derive(Serialize, JsonSchema)]
struct ShownStep {
    #[serde(flatten)]
    compatibility: ShownCompatibility,
    fits: bool,
}

#[derive(Serialize, JsonSchema)]
struct ShownChange {
    path: String,
    breaking: bool,
    message: String,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum ShownBump {
    None,
    Patch,
    Minor,
    Major,
}

impl Contracts {
    pub(super) fn compare_routes(&self) -> Vec<Route> {
        vec![self.diff_route(), self.compatibility_route()]
    }

    fn diff_route(&self) -> Route {
        let contracts = self.clone();
        let path = "kinds/{kind}/{id}/diff";
        let base = self.route(Method::GET, path, "diff", message!(api::DIFF), Role::Viewer);
        let items = response::<Items<ShownDifference>>(self.model());
        Route {
            parameters: self.with_versions(base.parameters),
            answers: vec![(200, json_answer(message!(api::DIFFERENCES), items))],
            handler: on(MethodFilter::GET, async move |_: Caller, key: PathKey, asked: Parameters| {
                contracts.answer_diff(&key, asked).await
            }),
            ..base
        }
    }

    fn compatibility_route(&self) -> Route {
        let contracts = self.clone();
        let path = "kinds/{kind}/{id}/compatibility";
        let base = self.route(Method::GET, path, "compatibility", message!(api::COMPATIBILITY), Role::Viewer);
        let answer = json_answer(message!(api::STEP), response::<ShownStep>(self.model()));
        Route {
            parameters: self.with_versions(base.parameters),
            answers: vec![(200, answer)],
            handler: on(MethodFilter::GET, async move |_: Caller, key: PathKey, asked: Parameters| {
                contracts.answer_compatibility(&key, asked).await
            }),
            ..base
        }
    }

    /// Two versions of a contract, whatever their status.
    async fn two(
        &self,
        operation: &str,
        key: &PathKey,
        mut asked: Parameters,
    ) -> Result<(Arc<Contract>, Arc<Contract>), Error> {
        let (kind, id) = contract(key)?;
        let mut named = |name: &str| {
            let text = asked.take(name).unwrap_or_default();
            contract_version(&text).map_err(|error| renamed(error, name))
        };
        let (from, to) = (named("from")?, named("to")?);
        asked.finish()?;
        let reference = |version| ContractRef { kind: kind.clone(), id: id.clone(), version };
        let load = async {
            let old = self.registry.fetch(&reference(from)).await?;
            Ok((old, self.registry.fetch(&reference(to)).await?))
        };
        self.read(operation, load).await
    }

    async fn answer_diff(&self, key: &PathKey, asked: Parameters) -> Responded {
        let (old, new) = self.two("diff", key, asked).await?;
        let differences = diff(&old.spec, &new.spec);
        Ok(Body(Items::<ShownDifference>::of(&differences)).into_response())
    }

    async fn answer_compatibility(&self, key: &PathKey, asked: Parameters) -> Responded {
        let (old, new) = self.two("compatibility", key, asked).await?;
        let (from, to) = (&old.header.reference.version, &new.header.reference.version);
        let found = compatibility(&old.header.reference.kind, &old.spec, &new.spec);
        let step = ShownStep { compatibility: (&found).into(), fits: found.fits(from, to) };
        Ok(Body(step).into_response())
    }

    fn with_versions(&self, mut parameters: Vec<Described>) -> Vec<Described> {
        let version = schema::attribute(self.model(), "version");
        parameters.push(query_parameter("from", true, version.clone(), message!(api::FROM)));
        parameters.push(query_parameter("to", true, version, message!(api::TO)));
        parameters
    }
}

impl From<&Difference> for ShownDifference {
    fn from(difference: &Difference) -> Self {
        let plain = |value: &Option<Value>| value.as_ref().map(to_plain);
        Self { path: difference.path.clone(), old: plain(&difference.old), new: plain(&difference.new) }
    }
}

impl From<&Compatibility> for ShownCompatibility {
    fn from(found: &Compatibility) -> Self {
        Self { needs: found.needs.into(), changes: found.changes.iter().map(ShownChange::from).collect() }
    }
}

impl From<&SpecChange> for ShownChange {
    fn from(change: &SpecChange) -> Self {
        Self { path: change.path.clone(), breaking: change.breaking, message: change.message.to_string() }
    }
}

impl From<Bump> for ShownBump {
    fn from(bump: Bump) -> Self {
        match bump {
            Bump::None => Self::None,
            Bump::Patch => Self::Patch,
            Bump::Minor => Self::Minor,
            Bump::Major => Self::Major,
        }
    }
}
