//! The compatibility rules: of everything, of kinds and of contracts.

use axum::Json as Body;
use axum::http::Method;
use axum::response::IntoResponse as _;
use axum::routing::{MethodFilter, on};
use hansang_contracts::{CompatibilityRule, ContractRegistry as _, Kind, Mode, RuleScope, rule_of};
use hansang_core::{Error, Message, message};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Contracts, Responded, contract, schema};
use crate::messages as api;
use hansang_access::Role;
use hansang_http::input::{Members, Parameters, PathKey};
use hansang_http::json::{parse, present};
use hansang_http::route::{Route, json_answer, json_body};
use hansang_server::Caller;
use hansang_server::schema::response;

/// The compatibility rule that counts somewhere.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ShownRule {
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[schemars(schema_with = "modes")]
    compatibility: &'static str,
    /// Whether a version is compared with all served versions before it, instead of the last active one.
    transitive: bool,
    /// Where it is set; absent if it is set nowhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "scopes")]
    set_on: Option<&'static str>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SentRule {
    compatibility: String,
    #[serde(default, deserialize_with = "present")]
    transitive: Option<bool>,
}

/// An operation on rules: its name and its description.
type Named = (&'static str, Message);

/// The paths of rules, and the operations that read, set and remove each.
fn paths() -> [(&'static str, [Named; 3]); 3] {
    [
        (
            "rules",
            [
                ("globalRule", message!(api::GLOBAL_RULE)),
                ("setGlobalRule", message!(api::SET_GLOBAL_RULE)),
                ("removeGlobalRule", message!(api::REMOVE_GLOBAL_RULE)),
            ],
        ),
        (
            "rules/{kind}",
            [
                ("rule", message!(api::RULE)),
                ("setRule", message!(api::SET_RULE)),
                ("removeRule", message!(api::REMOVE_RULE)),
            ],
        ),
        (
            "rules/{kind}/{id}",
            [
                ("contractRule", message!(api::CONTRACT_RULE)),
                ("setContractRule", message!(api::SET_CONTRACT_RULE)),
                ("removeContractRule", message!(api::REMOVE_CONTRACT_RULE)),
            ],
        ),
    ]
}

impl Contracts {
    pub(super) fn rule_routes(&self) -> Vec<Route> {
        paths().into_iter().flat_map(|(path, named)| self.routes_of_rule(path, named)).collect()
    }

    fn routes_of_rule(&self, path: &str, [get, set, remove]: [Named; 3]) -> [Route; 3] {
        let (reads, sets, removes) = (self.clone(), self.clone(), self.clone());
        let answer = || json_answer(message!(api::THE_RULE), response::<ShownRule>(self.model()));
        let body = json!({ "compatibility": modes_schema(), "transitive": { "type": "boolean" } });
        let (kind, id) = (path.contains("{kind}"), path.contains("{id}"));
        let scope = move |key: &PathKey| scope(key, kind, id);
        [
            Route {
                answers: vec![(200, answer())],
                handler: on(MethodFilter::GET, async move |_: Caller, key: PathKey, asked: Parameters| {
                    asked.finish()?;
                    reads.answer_rule(scope(&key)?).await
                }),
                ..self.route(Method::GET, path, get.0, get.1, Role::Viewer)
            },
            Route {
                body: Some(json_body(schema::closed(body, &["compatibility"]))),
                answers: vec![(200, answer())],
                refusals: &[409, 413, 415, 422],
                handler: on(
                    MethodFilter::PUT,
                    async move |caller: Caller, key: PathKey, asked: Parameters, members: Members| {
                        asked.finish()?;
                        sets.answer_set_rule(&caller, scope(&key)?, members).await
                    },
                ),
                ..self.route(Method::PUT, path, set.0, set.1, Role::Admin)
            },
            Route {
                answers: vec![(200, answer())],
                handler: on(
                    MethodFilter::DELETE,
                    async move |caller: Caller, key: PathKey, asked: Parameters| {
                        asked.finish()?;
                        let scope = scope(&key)?;
                        removes.set_rule(&caller, &scope, None).await?;
                        removes.answer_rule(scope).await
                    },
                ),
                ..self.route(Method::DELETE, path, remove.0, remove.1, Role::Admin)
            },
        ]
    }

    /// Sets a compatibility rule; `None` removes it.
    pub(crate) async fn set_rule(
        &self,
        caller: &Caller,
        scope: &RuleScope,
        rule: Option<CompatibilityRule>,
    ) -> Result<(), Error> {
        let subject = match rule {
            Some(rule) if rule.transitive => format!("{scope} {} transitive", rule.mode),
            Some(rule) => format!("{scope} {}", rule.mode),
            None => format!("{scope} removed"),
        };
        self.write(caller, "setRule", &subject, self.registry.set_rule(scope, rule)).await
    }

    async fn answer_rule(&self, scope: RuleScope) -> Responded {
        let (rule, from) = self.read("rule", rule_of(&*self.registry, scope.clone())).await?;
        Ok(Body(ShownRule::of(&scope, rule, from.as_ref())).into_response())
    }

    async fn answer_set_rule(
        &self,
        caller: &Caller,
        scope: RuleScope,
        Members(members): Members,
    ) -> Responded {
        let SentRule { compatibility, transitive } = parse(members)?;
        let mode: Mode = compatibility.parse()?;
        let rule = CompatibilityRule { mode, transitive: transitive.unwrap_or_default() };
        self.set_rule(caller, &scope, Some(rule)).await?;
        Ok(Body(ShownRule::of(&scope, rule, Some(&scope))).into_response())
    }
}

/// The scope in a path.
fn scope(key: &PathKey, has_kind: bool, has_id: bool) -> Result<RuleScope, Error> {
    Ok(match (has_kind, has_id) {
        (false, _) => RuleScope::All,
        (true, false) => RuleScope::Kind(key.text("kind").parse()?),
        (true, true) => {
            let (kind, id) = contract(key)?;
            RuleScope::Contract(kind, id)
        }
    })
}

impl ShownRule {
    fn of(scope: &RuleScope, rule: CompatibilityRule, from: Option<&RuleScope>) -> Self {
        let (kind, id) = match scope {
            RuleScope::All => (None, None),
            RuleScope::Kind(kind) => (Some(kind), None),
            RuleScope::Contract(kind, id) => (Some(kind), Some(id)),
        };
        Self {
            kind: kind.map(Kind::to_string),
            id: id.map(|id| id.to_string()),
            compatibility: rule.mode.name(),
            transitive: rule.transitive,
            set_on: from.map(|from| match from {
                RuleScope::All => SCOPES[0],
                RuleScope::Kind(_) => SCOPES[1],
                RuleScope::Contract(..) => SCOPES[2],
            }),
        }
    }
}

/// The names of scopes.
const SCOPES: [&str; 3] = ["ALL", "KIND", "CONTRACT"];

fn scopes(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "enum": SCOPES })
}

fn modes(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "enum": Mode::ALL.map(Mode::name) })
}

fn modes_schema() -> serde_json::Value {
    json!({ "enum": Mode::ALL.map(Mode::name) })
}
