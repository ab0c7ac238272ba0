//! Checks a spec before it is registered.

use std::sync::Arc;

use axum::Json as Body;
use axum::http::Method;
use axum::response::IntoResponse as _;
use axum::routing::{MethodFilter, on};
use hansang_contracts::checksum::{checksum, same_checksum};
use hansang_contracts::messages::specs;
use hansang_contracts::{
    Compatibility, ContractError, ContractRef, ContractRegistry as _, Header, Kind, Status, check_spec,
    compatibility, contract_version, verdicts,
};
use hansang_core::validate::{Violation, violation};
use hansang_core::{Error, Item, Message, message};
use schemars::JsonSchema;
use semver::Version;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json, json};

use super::compare::ShownCompatibility;
use super::versions::renamed;
use super::{Contracts, Responded, contract, schema};
use crate::messages as api;
use hansang_access::Role;
use hansang_http::input::{Members, Parameters, PathKey, item};
use hansang_http::json::{parse, present};
use hansang_http::route::{Route, json_answer, json_body};
use hansang_server::Caller;
use hansang_server::schema::response;

/// A spec that is not registered.
#[derive(Clone, Debug)]
pub(crate) struct Unregistered {
    pub(crate) kind: Kind,
    pub(crate) id: Arc<str>,
    pub(crate) spec: Item,
    /// The version to compare with; by default the highest active one before it.
    pub(crate) against: Option<Version>,
    /// The version it will have.
    pub(crate) version: Option<Version>,
}

/// The result of a check.
#[derive(Clone, Debug)]
pub(crate) struct Checked {
    /// The reasons that it could not be served.
    pub(crate) problems: Vec<Violation>,
    /// The warnings for its author.
    pub(crate) warnings: Vec<Message>,
    /// The comparison with the version before, if there is one.
    pub(crate) compared: Option<Compared>,
}

/// The comparison of a spec with the version before.
#[derive(Clone, Debug)]
pub(crate) struct Compared {
    pub(crate) against: Version,
    pub(crate) found: Compatibility,
    /// Whether its version fits the changes, if it has one.
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

/// The result of a check.
#[derive(Serialize, JsonSchema)]
struct ShownCheck {
    problems: Vec<ShownProblem>,
    warnings: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    compatibility: Option<ShownComparison>,
}

#[derive(Serialize, JsonSchema)]
struct ShownProblem {
    field: String,
    message: String,
}

/// The changes since the version before.
#[derive(Serialize, JsonSchema)]
struct ShownComparison {
    #[serde(flatten)]
    compatibility: ShownCompatibility,
    against: String,
    /// Whether the version of the spec fits the changes, if it was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    fits: Option<bool>,
}

impl Contracts {
    /// Checks a spec as if it were registered to be served.
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
        let versions = match (&new.against, &new.version) {
            // No other versions are needed.
            (Some(_), None) => Vec::new(),
            _ => registry.versions(&new.kind, &new.id).await?,
        };
        let own = versions.iter().find(|header| Some(&header.reference.version) == new.version.as_ref());
        let counted = checksum(&new.spec).unwrap_or_default();
        if own.is_some_and(|header| !same_checksum(&header.checksum, &counted)) {
            problems.push(violation("version", message!(specs::VERSION_TAKEN)));
        }
        let before = |version: &Version| new.version.as_ref().is_none_or(|own| version < own);
        // A pre-release promises nothing.
        let is_active =
            |header: &&Header| header.status == Status::Active && header.reference.version.pre.is_empty();
        let mut active = versions.iter().filter(is_active);
        let newest = active.rfind(|header| before(&header.reference.version));
        let blocked = self.blocked(new).await?;
        let against = new.against.clone().or_else(|| blocked.clone());
        let against = against.or_else(|| Some(newest?.reference.version.clone()));
        if let Some(version) = blocked {
            let message = message!(specs::INCOMPATIBLE, version.to_string());
            problems.push(violation("compatibility", message));
        }
        let compared = match against {
            None => None,
            Some(version) => Some(self.compared(new, version).await?),
        };
        Ok(Checked { problems, warnings, compared })
    }

    /// The version with which the rule of the kind requires compatibility that the spec does not have.
    async fn blocked(&self, new: &Unregistered) -> Result<Option<Version>, ContractError> {
        let Some(version) = new.version.clone() else { return Ok(None) };
        let name = ContractRef { kind: new.kind.clone(), id: new.id.clone(), version };
        let all = verdicts(&*self.registry, &name, &new.spec).await?;
        Ok(all.into_iter().find(|verdict| verdict.blocked).map(|verdict| verdict.against))
    }

    async fn compared(&self, new: &Unregistered, against: Version) -> Result<Compared, ContractError> {
        let name = ContractRef { kind: new.kind.clone(), id: new.id.clone(), version: against.clone() };
        let old = self.registry.fetch(&name).await?;
        let found = compatibility(&new.kind, &old.spec, &new.spec);
        let fits = new.version.as_ref().map(|version| found.fits(&against, version));
        Ok(Compared { against, found, fits })
    }

    async fn answer_check(&self, key: &PathKey, asked: Parameters, Members(members): Members) -> Responded {
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
        let Checked { problems, warnings, compared: compared_to } = self.check(&new).await?;
        let problem =
            |one: &Violation| ShownProblem { field: one.attribute.clone(), message: one.problem.to_string() };
        let compared = |Compared { against, found, fits }| ShownComparison {
            compatibility: (&found).into(),
            against: against.to_string(),
            fits,
        };
        let checked = ShownCheck {
            problems: problems.iter().map(problem).collect(),
            warnings: warnings.iter().map(ToString::to_string).collect(),
            compatibility: compared_to.map(compared),
        };
        Ok(Body(checked).into_response())
    }

    pub(super) fn check_route(&self) -> Route {
        let contracts = self.clone();
        let version = schema::attribute(self.model(), "version");
        let body = json!({ "spec": schema::spec(), "against": version, "version": version });
        Route {
            body: Some(json_body(schema::closed(body, &["spec"]))),
            answers: vec![(200, json_answer(message!(api::CHECKED), response::<ShownCheck>(self.model())))],
            refusals: &[409, 413, 415, 422],
            handler: on(
                MethodFilter::POST,
                async move |_: Caller, key: PathKey, asked: Parameters, members: Members| {
                    contracts.answer_check(&key, asked, members).await
                },
            ),
            ..self.route(Method::POST, "kinds/{kind}/{id}/check", "check", message!(api::CHECK), Role::Viewer)
        }
    }
}

/// The reasons of a refusal.
fn problems(refusal: Error) -> Vec<Violation> {
    match refusal.violations.is_empty() {
        true => vec![violation("spec", refusal.message)],
        false => refusal.violations,
    }
}
