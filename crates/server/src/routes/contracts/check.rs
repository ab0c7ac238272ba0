//! What is different between versions, and what a spec would be told before it is registered.

use std::sync::Arc;

use axum::Json as Body;
use axum::http::Method;
use axum::response::IntoResponse as _;
use axum::routing::{MethodFilter, on};
use hansang_contracts::checksum::{checksum, same_checksum};
use hansang_contracts::{
    Bump, Compatibility, Contract, ContractError, ContractRef, ContractRegistry as _, Difference, Kind,
    Status, check_spec, compatibility, contract_version, diff,
};
use hansang_core::validate::{Violation, violation};
use hansang_core::value::json::to_plain;
use hansang_core::{Error, Item};
use semver::Version;
use serde::Deserialize;
use serde_json::{Map, Value as Json, json};

use super::versions::renamed;
use super::{Answer, Contracts, contract, output, schema};
use crate::Role;
use crate::app::Asking;
use crate::input::{Members, Parameters, PathKey, item};
use crate::route::{Route, json_answer, json_body, query_parameter};
use crate::routes::batch::{parse, present};

/// A spec that is not registered.
#[derive(Clone, Debug)]
pub(crate) struct Unregistered {
    pub(crate) kind: Kind,
    pub(crate) id: Arc<str>,
    pub(crate) spec: Item,
    /// The version that it comes after; the highest active one before it, if nobody says.
    pub(crate) against: Option<Version>,
    /// The version that it is to have.
    pub(crate) version: Option<Version>,
}

/// What a spec would be told.
#[derive(Clone, Debug)]
pub(crate) struct Checked {
    /// Why it could not be served; nothing, if it could.
    pub(crate) problems: Vec<Violation>,
    /// What its author should know.
    pub(crate) warnings: Vec<String>,
    /// How it fits the version before it, if there is one.
    pub(crate) compared: Option<Compared>,
}

/// How a spec fits the version before it.
#[derive(Clone, Debug)]
pub(crate) struct Compared {
    pub(crate) against: Version,
    pub(crate) found: Compatibility,
    /// Whether its own version says so, where it has one.
    pub(crate) fits: Option<bool>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sent {
    spec: Map<String, Json>,
    #[serde(default, deserialize_with = "present")]
    against: Option<String>,
    #[serde(default, deserialize_with = "present")]
    version: Option<String>,
}

impl Contracts {
    pub(super) fn check_routes(&self) -> Vec<Route> {
        vec![self.diff_route(), self.compatibility_route(), self.check_route()]
    }

    /// What a spec would be told if it were registered to be served.
    pub(crate) async fn check(&self, new: &Unregistered) -> Result<Checked, Error> {
        self.read("check", self.checked(new)).await
    }

    async fn checked(&self, new: &Unregistered) -> Result<Checked, ContractError> {
        let registry = &*self.registry;
        let (mut problems, warnings) = match check_spec(registry, &new.kind, &new.spec).await {
            Ok(warnings) => (Vec::new(), warnings),
            Err(ContractError::Refused(refusal)) => (problems(refusal), Vec::new()),
            Err(other) => return Err(other),
        };
        let versions = registry.versions(&new.kind, &new.id).await?;
        let own = versions.iter().find(|header| Some(&header.reference.version) == new.version.as_ref());
        let counted = checksum(&new.spec).unwrap_or_default();
        if own.is_some_and(|header| !same_checksum(&header.checksum, &counted)) {
            let problem = "is registered with another spec: give this one a new version";
            problems.push(violation("version", problem));
        }
        let before = |version: &Version| new.version.as_ref().is_none_or(|own| version < own);
        let mut active = versions.iter().filter(|header| header.status == Status::Active);
        let newest = active.rfind(|header| before(&header.reference.version));
        let against = new.against.clone().or_else(|| Some(newest?.reference.version.clone()));
        let compared = match against {
            None => None,
            Some(version) => Some(self.compared(new, version).await?),
        };
        Ok(Checked { problems, warnings, compared })
    }

    async fn compared(&self, new: &Unregistered, against: Version) -> Result<Compared, ContractError> {
        let name = ContractRef { kind: new.kind.clone(), id: new.id.clone(), version: against.clone() };
        let old = self.registry.fetch(&name).await?;
        let found = compatibility(&new.kind, &old.spec, &new.spec);
        let fits = new.version.as_ref().map(|version| found.fits(&against, version));
        Ok(Compared { against, found, fits })
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

    async fn answer_diff(&self, key: &PathKey, asked: Parameters) -> Answer {
        let (old, new) = self.two("diff", key, asked).await?;
        let items = diff(&old.spec, &new.spec).iter().map(difference_json).collect();
        Ok(Body(output::items(items)).into_response())
    }

    async fn answer_compatibility(&self, key: &PathKey, asked: Parameters) -> Answer {
        let (old, new) = self.two("compatibility", key, asked).await?;
        let (from, to) = (&old.header.reference.version, &new.header.reference.version);
        let found = compatibility(&old.header.reference.kind, &old.spec, &new.spec);
        let mut json = compatibility_json(&found);
        json["fits"] = found.fits(from, to).into();
        Ok(Body(json).into_response())
    }

    async fn answer_check(&self, key: &PathKey, asked: Parameters, Members(members): Members) -> Answer {
        let (kind, id) = contract(key)?;
        asked.finish()?;
        let sent: Sent = parse(members)?;
        let version = |text: Option<String>, name: &str| {
            let parsed = text.map(|text| contract_version(&text)).transpose();
            parsed.map_err(|error| renamed(error, name))
        };
        let new = Unregistered {
            kind,
            id,
            spec: item(sent.spec)?,
            against: version(sent.against, "against")?,
            version: version(sent.version, "version")?,
        };
        let Checked { problems, warnings, compared } = self.check(&new).await?;
        let problem = |one: &Violation| json!({ "field": one.attribute, "message": one.problem });
        let problems: Vec<Json> = problems.iter().map(problem).collect();
        let mut json = json!({ "problems": problems, "warnings": warnings });
        if let Some(Compared { against, found, fits }) = compared {
            json["compatibility"] = compatibility_json(&found);
            json["compatibility"]["against"] = against.to_string().into();
            if let Some(fits) = fits {
                json["compatibility"]["fits"] = fits.into();
            }
        }
        Ok(Body(json).into_response())
    }

    fn diff_route(&self) -> Route {
        let contracts = self.clone();
        let path = "kinds/{kind}/{id}/diff";
        let base =
            self.route(Method::GET, path, "diff", "What is different between two versions", Role::Viewer);
        let change = json!({ "path": schema::text(), "old": {}, "new": {} });
        let items = schema::items(schema::closed(change, &["path"]));
        Route {
            parameters: self.with_versions(base.parameters),
            answers: vec![(200, json_answer("Each with its JSON pointer.", items))],
            handler: on(MethodFilter::GET, async move |_: Asking, key: PathKey, asked: Parameters| {
                contracts.answer_diff(&key, asked).await
            }),
            ..base
        }
    }

    fn compatibility_route(&self) -> Route {
        let contracts = self.clone();
        let path = "kinds/{kind}/{id}/compatibility";
        let base = self.route(
            Method::GET,
            path,
            "compatibility",
            "What a step between two versions needs",
            Role::Viewer,
        );
        let (mut properties, mut required) = compatibility_schema();
        properties["fits"] = json!({ "type": "boolean" });
        required.push("fits");
        let answer =
            json_answer("The changes and the step they need.", schema::closed(properties, &required));
        Route {
            parameters: self.with_versions(base.parameters),
            answers: vec![(200, answer)],
            handler: on(MethodFilter::GET, async move |_: Asking, key: PathKey, asked: Parameters| {
                contracts.answer_compatibility(&key, asked).await
            }),
            ..base
        }
    }

    fn check_route(&self) -> Route {
        let contracts = self.clone();
        let version = schema::attribute(self.model(), "version");
        let body = json!({ "spec": schema::spec(), "against": version, "version": version });
        Route {
            body: Some(json_body(schema::closed(body, &["spec"]))),
            answers: vec![(200, json_answer("What it would be told.", checked_schema(&version)))],
            refusals: &[409, 413, 415, 422],
            handler: on(
                MethodFilter::POST,
                async move |_: Asking, key: PathKey, asked: Parameters, members: Members| {
                    contracts.answer_check(&key, asked, members).await
                },
            ),
            ..self.route(
                Method::POST,
                "kinds/{kind}/{id}/check",
                "check",
                "What a spec would be told, without registering it",
                Role::Viewer,
            )
        }
    }

    fn with_versions(&self, mut parameters: Vec<Json>) -> Vec<Json> {
        let version = schema::attribute(self.model(), "version");
        parameters.push(query_parameter("from", true, version.clone(), "The version before"));
        parameters.push(query_parameter("to", true, version, "The version after"));
        parameters
    }
}

/// Problems with a spec, by where they are in what was sent.
pub(super) fn of_spec(problems: Vec<Violation>) -> Vec<Violation> {
    let inside = |one: Violation| Violation { attribute: format!("spec.{}", one.attribute), ..one };
    problems.into_iter().map(inside).collect()
}

/// Why a spec is refused, one by one.
fn problems(refusal: Error) -> Vec<Violation> {
    match refusal.code {
        _ if refusal.violations.is_empty() => vec![violation("spec", refusal.message)],
        "reference_missing" => of_spec(refusal.violations),
        _ => refusal.violations,
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

fn compatibility_json(found: &Compatibility) -> Json {
    let change = |one: &hansang_contracts::SpecChange| json!({ "path": one.path, "breaking": one.breaking, "message": one.message });
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

fn compatibility_schema() -> (Json, Vec<&'static str>) {
    let change =
        json!({ "path": schema::text(), "breaking": { "type": "boolean" }, "message": schema::text() });
    let change = schema::closed(change, &["path", "breaking", "message"]);
    let bumps = [Bump::None, Bump::Patch, Bump::Minor, Bump::Major].map(bump);
    let properties = json!({ "needs": { "enum": bumps }, "changes": { "type": "array", "items": change } });
    (properties, vec!["needs", "changes"])
}

fn checked_schema(version: &Json) -> Json {
    let (mut compared, mut required) = compatibility_schema();
    compared["against"] = version.clone();
    compared["fits"] = json!({ "type": "boolean" });
    required.push("against");
    let problem =
        schema::closed(json!({ "field": schema::text(), "message": schema::text() }), &["field", "message"]);
    let properties = json!({
        "problems": { "type": "array", "items": problem },
        "warnings": schema::texts(),
        "compatibility": schema::closed(compared, &required),
    });
    schema::closed(properties, &["problems", "warnings"])
}
