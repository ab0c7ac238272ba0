//! The compatibility rules of kinds.

use axum::Json as Body;
use axum::http::Method;
use axum::response::IntoResponse as _;
use axum::routing::{MethodFilter, on};
use hansang_contracts::{CompatibilityRule, ContractRegistry as _, Kind, Mode};
use hansang_core::{Error, message};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Contracts, Responded, schema};
use crate::messages as api;
use hansang_access::Role;
use hansang_http::input::{Members, Parameters, PathKey};
use hansang_http::json::{parse, present};
use hansang_http::route::{Route, json_answer, json_body};
use hansang_server::Caller;
use hansang_server::schema::response;

/// The path of a rule.
const PATH: &str = "rules/{kind}";

/// The compatibility rule of a kind.
#[derive(Serialize, JsonSchema)]
struct ShownRule {
    kind: String,
    #[schemars(schema_with = "modes")]
    compatibility: &'static str,
    /// Whether a version is compared with all served versions before it, instead of the last active one.
    transitive: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SentRule {
    compatibility: String,
    #[serde(default, deserialize_with = "present")]
    transitive: Option<bool>,
}

impl Contracts {
    pub(super) fn rule_routes(&self) -> Vec<Route> {
        let (read, write) = (self.clone(), self.clone());
        let answer = || json_answer(message!(api::THE_RULE), response::<ShownRule>(self.model()));
        let body = json!({ "compatibility": modes_schema(), "transitive": { "type": "boolean" } });
        vec![
            Route {
                answers: vec![(200, answer())],
                handler: on(MethodFilter::GET, async move |_: Caller, key: PathKey, asked: Parameters| {
                    read.answer_rule(&key, asked).await
                }),
                ..self.route(Method::GET, PATH, "rule", message!(api::RULE), Role::Viewer)
            },
            Route {
                body: Some(json_body(schema::closed(body, &["compatibility"]))),
                answers: vec![(200, answer())],
                refusals: &[409, 413, 415, 422],
                handler: on(
                    MethodFilter::PUT,
                    async move |caller: Caller, key: PathKey, asked: Parameters, members: Members| {
                        write.answer_set_rule(&caller, &key, asked, members).await
                    },
                ),
                ..self.route(Method::PUT, PATH, "setRule", message!(api::SET_RULE), Role::Admin)
            },
        ]
    }

    /// Sets the compatibility rule of a kind.
    pub(crate) async fn set_rule(
        &self,
        caller: &Caller,
        kind: &Kind,
        rule: CompatibilityRule,
    ) -> Result<(), Error> {
        let transitive = if rule.transitive { " transitive" } else { "" };
        let subject = format!("{kind} {}{transitive}", rule.mode);
        self.write(caller, "setRule", &subject, self.registry.set_rule(kind, rule)).await
    }

    async fn answer_rule(&self, key: &PathKey, asked: Parameters) -> Responded {
        asked.finish()?;
        let kind: Kind = key.text("kind").parse()?;
        let rule = self.read("rule", self.registry.rule(&kind)).await?;
        Ok(Body(ShownRule::of(&kind, rule)).into_response())
    }

    async fn answer_set_rule(
        &self,
        caller: &Caller,
        key: &PathKey,
        asked: Parameters,
        Members(members): Members,
    ) -> Responded {
        asked.finish()?;
        let kind: Kind = key.text("kind").parse()?;
        let SentRule { compatibility, transitive } = parse(members)?;
        let mode: Mode = compatibility.parse()?;
        let rule = CompatibilityRule { mode, transitive: transitive.unwrap_or_default() };
        self.set_rule(caller, &kind, rule).await?;
        Ok(Body(ShownRule::of(&kind, rule)).into_response())
    }
}

impl ShownRule {
    fn of(kind: &Kind, rule: CompatibilityRule) -> Self {
        Self { kind: kind.to_string(), compatibility: rule.mode.name(), transitive: rule.transitive }
    }
}

fn modes(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "enum": Mode::ALL.map(Mode::name) })
}

fn modes_schema() -> serde_json::Value {
    json!({ "enum": Mode::ALL.map(Mode::name) })
}
