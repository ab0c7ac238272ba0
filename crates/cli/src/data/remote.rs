//! Items of a running server: the client of its HTTP API. The server knows the model.

use std::path::Path;

use clap::ValueEnum as _;
use reqwest::{Method, RequestBuilder, Url};
use serde_json::{Value as Json, json};

use super::arguments::{self, Argument, Given};
use super::{Delete, Get, Page, Put, Query};
use hansang_command::Failure;
use hansang_command::{Connection, Does, Unanswered};

/// Query parameters with a fixed meaning, which cannot be arguments of a pattern.
const OPTIONS: [&str; 5] = ["limit", "cursor", "order", "consistent", "fields"];

/// A model on a server.
pub(super) struct Server {
    connection: Connection,
    model: String,
}

impl Server {
    pub(super) fn new(connection: Connection, model: &Path) -> Result<Self, Failure> {
        let model = model.to_str().filter(|name| !name.contains(['/', '\\']) && !name.ends_with(".yaml"));
        let model = model.ok_or_else(|| {
            Failure::usage("a server knows models by their names: write MODEL without folders and .yaml")
        })?;
        Ok(Self { connection, model: model.to_owned() })
    }

    pub(super) async fn get(&self, ask: &Get) -> Result<Option<Json>, Failure> {
        let mut body = json!({ "entity": ask.entity, "keys": [arguments::object(&ask.key)?] });
        if ask.consistent {
            body["consistent"] = json!(true);
        }
        if let Some(fields) = &ask.fields {
            body["fields"] = json!(fields);
        }
        let request = self.connection.request(Method::POST, self.path(&["batch-get"])?).json(&body);
        let item = self.one_item(request, Does::Read, &ask.key).await?;
        Ok(Some(item).filter(|item| !item.is_null()))
    }

    pub(super) async fn put(&self, ask: &Put, fields: &[Argument]) -> Result<Json, Failure> {
        let mut item = json!({ "entity": ask.entity, "fields": arguments::object(fields)? });
        if let Some(version) = ask.version {
            item["version"] = json!(version);
        }
        let verb = if ask.create { "create" } else { "put" };
        self.transact(json!({ verb: item }), fields).await
    }

    pub(super) async fn delete(&self, ask: &Delete) -> Result<(), Failure> {
        let mut item = json!({ "entity": ask.entity, "key": arguments::object(&ask.key)? });
        if let Some(version) = ask.version {
            item["version"] = json!(version);
        }
        self.transact(json!({ "delete": item }), &ask.key).await?;
        Ok(())
    }

    pub(super) async fn query(&self, ask: &Query, cursor: Option<String>) -> Result<Page, Failure> {
        arguments::check_names(&ask.arguments)?;
        let mut url = self.path(&["patterns", &ask.pattern])?;
        {
            let mut pairs = url.query_pairs_mut();
            for Argument { name, value } in &ask.arguments {
                let name = if OPTIONS.contains(&&**name) { &format!("arg.{name}") } else { name };
                pairs.append_pair(name, &value.in_address());
            }
            let order = ask.order.and_then(|order| order.to_possible_value());
            let options = [
                ("limit", ask.limit.map(|limit| limit.to_string())),
                ("cursor", cursor),
                ("order", order.map(|order| order.get_name().to_owned())),
                ("consistent", ask.consistent.then(|| "true".to_owned())),
                ("fields", ask.fields.as_ref().map(|fields| fields.join(","))),
            ];
            for (name, value) in options {
                if let Some(value) = value {
                    pairs.append_pair(name, &value);
                }
            }
        }
        let mut answer = self.send(self.connection.request(Method::GET, url), Does::Read, &[]).await?;
        let Json::Array(items) = answer["items"].take() else {
            return Err(self.connection.stranger(Does::Read).into());
        };
        let cursor = |json: &Json| json.as_str().map(str::to_owned);
        Ok(Page { items, next: cursor(&answer["next"]), previous: cursor(&answer["previous"]) })
    }

    async fn transact(&self, operation: Json, given: &[Argument]) -> Result<Json, Failure> {
        let body = json!({ "operations": [operation] });
        let request = self.connection.request(Method::POST, self.path(&["transactions"])?).json(&body);
        self.one_item(request, Does::Write, given).await
    }

    async fn one_item(
        &self,
        request: RequestBuilder,
        does: Does,
        given: &[Argument],
    ) -> Result<Json, Failure> {
        let mut answer = self.send(request, does, given).await?;
        match answer["items"].take() {
            Json::Array(mut items) if items.len() == 1 => Ok(items.remove(0)),
            _ => Err(self.connection.stranger(does).into()),
        }
    }

    async fn send(&self, request: RequestBuilder, does: Does, given: &[Argument]) -> Result<Json, Failure> {
        match self.connection.send(request, does).await {
            Ok(answer) => Ok(answer.body),
            Err(Unanswered::Refused(refusal)) => {
                let hint = |field: &str| {
                    let json = given.iter().filter(|one| one.name == field).find_map(looks_like_json)?;
                    Some(format!("a server takes `{field}={json}` as text: `{field}:={json}` is JSON"))
                };
                Err(Failure::Message { text: refusal.text(hint), code: refusal.exit_code() })
            }
            Err(lost) => Err(lost.into()),
        }
    }

    fn path(&self, names: &[&str]) -> Result<Url, Failure> {
        let names = [&["api", self.model.as_str()], names].concat();
        let wrong = |name: &str| Failure::usage(format!("`{name}` is not a name"));
        self.connection.path(&names).map_err(wrong)
    }
}

/// Text that may have been meant as JSON, such as a number or a list.
fn looks_like_json(argument: &Argument) -> Option<&str> {
    let Given::Text(text) = &argument.value else { return None };
    serde_json::from_str::<Json>(text).is_ok_and(|json| !json.is_string()).then_some(text)
}
