//! Items behind a running server: the client of its HTTP API. The server knows the model.

use std::path::Path;
use std::time::Duration;

use clap::ValueEnum as _;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{Client, RequestBuilder, StatusCode, Url};
use serde_json::{Value as Json, json};

use super::arguments::{self, Argument, Given};
use super::{Delete, Get, Page, Put, Query};
use crate::failure::Failure;

const CONNECT: Duration = Duration::from_secs(10);
const ANSWER: Duration = Duration::from_secs(60);

/// What an argument of a pattern cannot be called in an address, because an option is.
const OPTIONS: [&str; 5] = ["limit", "cursor", "order", "consistent", "fields"];

/// A model on a server.
pub(super) struct Server {
    client: Client,
    url: Url,
    model: String,
}

/// What a request does, for the case that its answer gets lost.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Does {
    Read,
    Write,
}

impl Server {
    pub(super) fn new(url: &str, token: Option<&str>, model: &Path) -> Result<Self, Failure> {
        let model = model.to_str().filter(|name| !name.contains(['/', '\\']) && !name.ends_with(".yaml"));
        let model = model.ok_or_else(|| {
            Failure::usage("a server knows models by their names: write MODEL without folders and .yaml")
        })?;
        let url = arguments::address(url)?;
        let plain = url.scheme() == "http";
        if plain && token.is_some() && !arguments::is_loopback(&url) {
            let text = format!("a token is not sent to {url} in plain text: write https://, or leave it out");
            return Err(Failure::usage(text));
        }
        let mut client = Client::builder().connect_timeout(CONNECT).timeout(ANSWER).redirect(Policy::none());
        if plain {
            // A proxy would read the token; and without TLS no certificates need to be loaded.
            client = client.no_proxy().tls_certs_only([]);
        }
        if let Some(token) = token {
            let mut value = HeaderValue::from_str(&format!("Bearer {token}"))
                .map_err(|_| Failure::usage("the token has characters that no token has"))?;
            value.set_sensitive(true);
            client = client.default_headers(HeaderMap::from_iter([(AUTHORIZATION, value)]));
        }
        let client = client
            .build()
            .map_err(|error| no_answer(format!("cannot prepare a connection to {url}: {}", cause(&error))))?;
        Ok(Self { client, url, model: model.to_owned() })
    }

    pub(super) async fn get(&self, ask: &Get) -> Result<Option<Json>, Failure> {
        let mut body = json!({ "entity": ask.entity, "keys": [arguments::object(&ask.key)?] });
        if ask.consistent {
            body["consistent"] = json!(true);
        }
        if let Some(fields) = &ask.fields {
            body["fields"] = json!(fields);
        }
        let request = self.client.post(self.path(&["batch-get"])?).json(&body);
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
        let mut answer = self.send(self.client.get(url), Does::Read, &[]).await?;
        let Json::Array(items) = answer["items"].take() else { return Err(self.stranger(Does::Read)) };
        let cursor = |json: &Json| json.as_str().map(str::to_owned);
        Ok(Page { items, next: cursor(&answer["next"]), previous: cursor(&answer["previous"]) })
    }

    async fn transact(&self, operation: Json, given: &[Argument]) -> Result<Json, Failure> {
        let body = json!({ "operations": [operation] });
        let request = self.client.post(self.path(&["transactions"])?).json(&body);
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
            _ => Err(self.stranger(does)),
        }
    }

    /// The JSON object of an answer, or why there is none.
    async fn send(&self, request: RequestBuilder, does: Does, given: &[Argument]) -> Result<Json, Failure> {
        let response = request.send().await.map_err(|error| self.lost(&error, does))?;
        let status = response.status();
        if status.is_redirection() {
            let text = format!("{} redirects to another address: give that one to --server", self.url);
            return Err(no_answer(text));
        }
        let body = response.bytes().await.map_err(|error| self.lost(&error, does))?;
        match serde_json::from_slice::<Json>(&body) {
            Ok(answer) if status == StatusCode::OK && answer.is_object() => Ok(answer),
            Ok(problem) if !status.is_success() && problem["detail"].is_string() => {
                Err(refused(status, &problem, given))
            }
            _ => Err(self.stranger(does)),
        }
    }

    fn path(&self, names: &[&str]) -> Result<Url, Failure> {
        let names = [&["api", self.model.as_str()], names].concat();
        if let Some(name) = names.iter().find(|name| ["", ".", ".."].contains(name)) {
            return Err(Failure::usage(format!("`{name}` is not a name")));
        }
        let mut url = self.url.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().extend(names);
        }
        Ok(url)
    }

    fn lost(&self, error: &reqwest::Error, does: Does) -> Failure {
        let url = &self.url;
        let cause = cause(error);
        if error.is_connect() {
            return no_answer(format!("cannot reach {url}: {cause}; is `hansang serve` running there?"));
        }
        let what = match error.is_timeout() {
            true => format!("{url} did not answer within {} seconds", ANSWER.as_secs()),
            false => format!("the connection to {url} broke: {cause}"),
        };
        no_answer(what + unknown_outcome(does))
    }

    fn stranger(&self, does: Does) -> Failure {
        let text = format!("{} does not answer as `hansang serve` does: is --server right?", self.url);
        no_answer(text + unknown_outcome(does))
    }
}

fn no_answer(text: String) -> Failure {
    Failure::Message { text, code: 5 }
}

fn unknown_outcome(does: Does) -> &'static str {
    match does {
        Does::Read => "",
        Does::Write => "\nnobody knows whether the write was done: read again before you repeat it",
    }
}

/// What the server says, and the exit code of its status.
fn refused(status: StatusCode, problem: &Json, given: &[Argument]) -> Failure {
    let code = match status.as_u16() {
        400 => 2,
        404 => 3,
        409 | 412 => 4,
        429 | 503 => 5,
        401 | 403 => 6,
        _ => 1,
    };
    let detail = visible(&problem["detail"]);
    let mut text = detail.clone();
    for error in problem["errors"].as_array().into_iter().flatten() {
        let (field, message) = (visible(&error["field"]), visible(&error["message"]));
        if !detail.contains(&message) {
            text += &format!("\n  `{field}` {message}");
        }
        if let Some(json) = given.iter().filter(|one| one.name == field).find_map(looks_like_json) {
            text += &format!("\n  a server takes `{field}={json}` as text: `{field}:={json}` is JSON");
        }
    }
    if let (true, Some(_)) = (status.is_server_error(), problem["traceId"].as_str()) {
        text += &format!("\n  trace id: {}", visible(&problem["traceId"]));
    }
    Failure::Message { text, code }
}

/// Text that may have been meant as a number, a list or the like.
fn looks_like_json(argument: &Argument) -> Option<&str> {
    let Given::Text(text) = &argument.value else { return None };
    serde_json::from_str::<Json>(text).is_ok_and(|json| !json.is_string()).then_some(text)
}

/// The text of a stranger, without what would move the cursor of a terminal.
fn visible(json: &Json) -> String {
    json.as_str().unwrap_or_default().chars().filter(|one| !one.is_control() || *one == '\n').collect()
}

/// What lies at the bottom of an error; the layers above say less.
fn cause(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}
