//! What is different between two versions, and what a step from one to the other needs.

use std::sync::Arc;

use axum::Json as Body;
use axum::http::Method;
use axum::response::IntoResponse as _;
use axum::routing::{MethodFilter, on};
use hansang_contracts::{
    Bump, Compatibility, Contract, ContractRef, Difference, SpecChange, compatibility, contract_version, diff,
};
use hansang_core::value::json::to_plain;
use hansang_core::{Error, message};
use serde_json::{Value as Json, json};

use super::versions::renamed;
use super::{Contracts, Responded, contract, output, schema};
use crate::messages as api;
use hansang_access::Role;
use hansang_http::input::{Parameters, PathKey};
use hansang_http::route::{Described, Route, json_answer, query_parameter};
use hansang_server::Caller;

impl Contracts {
    pub(super) fn compare_routes(&self) -> Vec<Route> {
        vec![self.diff_route(), self.compatibility_route()]
    }

    fn diff_route(&self) -> Route {
        let contracts = self.clone();
        let path = "kinds/{kind}/{id}/diff";
        let base = self.route(Method::GET, path, "diff", message!(api::DIFF), Role::Viewer);
        let change = json!({ "path": schema::text(), "old": {}, "new": {} });
        let items = schema::items(schema::closed(change, &["path"]));
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
        let (mut properties, mut required) = compatibility_schema();
        properties["fits"] = json!({ "type": "boolean" });
        required.push("fits");
        let answer = json_answer(message!(api::STEP), schema::closed(properties, &required));
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
        let items = diff(&old.spec, &new.spec).iter().map(difference_json).collect();
        Ok(Body(output::items(items)).into_response())
    }

    async fn answer_compatibility(&self, key: &PathKey, asked: Parameters) -> Responded {
        let (old, new) = self.two("compatibility", key, asked).await?;
        let (from, to) = (&old.header.reference.version, &new.header.reference.version);
        let found = compatibility(&old.header.reference.kind, &old.spec, &new.spec);
        let mut json = compatibility_json(&found);
        json["fits"] = found.fits(from, to).into();
        Ok(Body(json).into_response())
    }

    fn with_versions(&self, mut parameters: Vec<Described>) -> Vec<Described> {
        let version = schema::attribute(self.model(), "version");
        parameters.push(query_parameter("from", true, version.clone(), message!(api::FROM)));
        parameters.push(query_parameter("to", true, version, message!(api::TO)));
        parameters
    }
}

fn difference_json(difference: &Difference) -> Json {
    let mut json = json!({ "path": difference.path });
    for (name, value) in [("old", &difference.old), ("new", &difference.new)] {
        if let Some(value) = value {
            json[name] = to_plain(value);
        }
    }
    json
}

/// A comparison, without whether a version fits it.
pub(super) fn compatibility_json(found: &Compatibility) -> Json {
    let change = |one: &SpecChange| json!({ "path": one.path, "breaking": one.breaking, "message": one.message.to_string() });
    let changes: Vec<Json> = found.changes.iter().map(change).collect();
    json!({ "needs": bump(found.needs), "changes": changes })
}

fn bump(needed: Bump) -> &'static str {
    match needed {
        Bump::None => "none",
        Bump::Patch => "patch",
        Bump::Minor => "minor",
        Bump::Major => "major",
    }
}

pub(super) fn compatibility_schema() -> (Json, Vec<&'static str>) {
    let change =
        json!({ "path": schema::text(), "breaking": { "type": "boolean" }, "message": schema::text() });
    let change = schema::closed(change, &["path", "breaking", "message"]);
    let bumps = [Bump::None, Bump::Patch, Bump::Minor, Bump::Major].map(bump);
    let properties = json!({ "needs": { "enum": bumps }, "changes": { "type": "array", "items": change } });
    (properties, vec!["needs", "changes"])
}
