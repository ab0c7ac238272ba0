//! Reads: lists, the latest version, one version.

use std::sync::Arc;

use axum::Json as Body;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodFilter, on};
use hansang_contracts::{Contract, ContractRegistry as _, Header, Kind, ListAsk, Status, Wanted, latest};
use hansang_core::read::MAX_PAGE;
use hansang_core::{Error, message};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value as Json, json};

use super::condition::has_already;
use super::output::{Items, ListPage, ShownChange, ShownContract, ShownHeader, WholeContract, shown_spec};
use super::{Contracts, Responded, contract, cursor, reference, schema};
use crate::messages as api;
use hansang_access::Role;
use hansang_http::input::{Parameters, PathKey};
use hansang_http::problem::Problem;
use hansang_http::route::{
    Route, cursor_parameter, empty_answer, header_parameter, json_answer, query_parameter,
};
use hansang_server::Caller;
use hansang_server::schema::response;

/// The header with the status of a version, which may change.
const STATUS: HeaderName = HeaderName::from_static("contract-status");
/// The header of a deprecated version (RFC 9745).
const DEPRECATION: HeaderName = HeaderName::from_static("deprecation");

/// A status may change at any time.
const REVALIDATE: HeaderValue = HeaderValue::from_static("private, no-cache");
/// A spec never changes.
const IMMUTABLE: HeaderValue = HeaderValue::from_static("private, max-age=31536000, immutable");
/// A draft may be promoted at any time.
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// The kinds that have contracts.
#[derive(Serialize, JsonSchema)]
struct Kinds {
    kinds: Vec<String>,
}

impl Contracts {
    pub(super) fn version_routes(&self) -> Vec<Route> {
        vec![
            self.kinds_route(),
            self.list_route(),
            self.versions_route(),
            self.latest_route(),
            self.spec_route(),
            self.history_route(),
            self.version_route(),
        ]
    }

    fn kinds_route(&self) -> Route {
        let contracts = self.clone();
        Route {
            answers: vec![(200, json_answer(message!(api::KINDS), response::<Kinds>(self.model())))],
            handler: on(MethodFilter::GET, async move |_: Caller, asked: Parameters| {
                contracts.answer_kinds(asked).await
            }),
            ..self.route(Method::GET, "kinds", "listKinds", message!(api::LIST_KINDS), Role::Viewer)
        }
    }

    fn list_route(&self) -> Route {
        let contracts = self.clone();
        let base = self.route(Method::GET, "kinds/{kind}", "list", message!(api::LIST), Role::Viewer);
        let most = json!({ "type": "integer", "minimum": 1, "maximum": MAX_PAGE });
        let mut parameters = base.parameters;
        parameters.push(query_parameter("status", false, schema::status(), message!(api::STATUS)));
        parameters.push(query_parameter("limit", false, most, message!(api::PAGE_SIZE)));
        parameters.push(cursor_parameter());
        Route {
            parameters,
            answers: vec![(200, json_answer(message!(api::A_PAGE), response::<ListPage>(self.model())))],
            handler: on(MethodFilter::GET, async move |_: Caller, key: PathKey, asked: Parameters| {
                contracts.answer_list(&key, asked).await
            }),
            ..base
        }
    }

    fn versions_route(&self) -> Route {
        let contracts = self.clone();
        let items = response::<Items<ShownHeader>>(self.model());
        let path = "kinds/{kind}/{id}";
        Route {
            answers: vec![(200, json_answer(message!(api::VERSIONS), items))],
            handler: on(MethodFilter::GET, async move |_: Caller, key: PathKey, asked: Parameters| {
                contracts.answer_versions(&key, asked).await
            }),
            ..self.route(Method::GET, path, "listVersions", message!(api::LIST_VERSIONS), Role::Viewer)
        }
    }

    fn latest_route(&self) -> Route {
        let contracts = self.clone();
        let path = "kinds/{kind}/{id}/latest";
        let base = self.route(Method::GET, path, "latest", message!(api::LATEST), Role::Viewer);
        let mut parameters = base.parameters;
        parameters.push(query_parameter("range", false, schema::range(), message!(api::RANGE)));
        let truth = json!({ "type": "boolean" });
        parameters.push(query_parameter("preReleases", false, truth, message!(api::PRE_RELEASES)));
        Route {
            parameters,
            answers: vec![(
                200,
                json_answer(message!(api::THE_CONTRACT), response::<WholeContract>(self.model())),
            )],
            handler: on(MethodFilter::GET, async move |_: Caller, key: PathKey, asked: Parameters| {
                contracts.answer_latest(&key, asked).await
            }),
            ..base
        }
    }

    fn version_route(&self) -> Route {
        let contracts = self.clone();
        let path = "kinds/{kind}/{id}/{version}";
        let base = self.route(Method::GET, path, "load", message!(api::LOAD), Role::Viewer);
        let mut parameters = base.parameters;
        let truth = json!({ "type": "boolean" });
        parameters.push(query_parameter("draft", false, truth, message!(api::DRAFT)));
        let tags = json!({ "type": "string" });
        parameters.push(header_parameter("If-None-Match", tags, message!(api::IF_NONE_MATCH)));
        let mut found = json_answer(message!(api::THE_CONTRACT), response::<ShownContract>(self.model()));
        found.json["headers"] = headers_schema();
        let mut same = empty_answer(message!(api::NOT_MODIFIED));
        same.json["headers"] = headers_schema();
        Route {
            parameters,
            answers: vec![(200, found), (304, same)],
            handler: on(
                MethodFilter::GET,
                async move |_: Caller, key: PathKey, asked: Parameters, headers: HeaderMap| {
                    contracts.answer_version(&key, asked, &headers).await
                },
            ),
            ..base
        }
    }

    fn spec_route(&self) -> Route {
        let contracts = self.clone();
        let path = "kinds/{kind}/{id}/{version}/spec";
        let base = self.route(Method::GET, path, "loadSpec", message!(api::LOAD_SPEC), Role::Viewer);
        let mut parameters = base.parameters;
        let truth = json!({ "type": "boolean" });
        parameters.push(query_parameter("draft", false, truth, message!(api::DRAFT)));
        let tags = json!({ "type": "string" });
        parameters.push(header_parameter("If-None-Match", tags, message!(api::IF_NONE_MATCH)));
        let tag = json!({ "ETag": { "required": true, "schema": tag_schema("") } });
        let mut found = json_answer(message!(api::THE_SPEC), schema::spec());
        found.json["headers"] = tag.clone();
        let mut same = empty_answer(message!(api::NOT_MODIFIED));
        same.json["headers"] = tag;
        Route {
            parameters,
            answers: vec![(200, found), (304, same)],
            handler: on(
                MethodFilter::GET,
                async move |_: Caller, key: PathKey, asked: Parameters, headers: HeaderMap| {
                    contracts.answer_spec(&key, asked, &headers).await
                },
            ),
            ..base
        }
    }

    fn history_route(&self) -> Route {
        let contracts = self.clone();
        let path = "kinds/{kind}/{id}/{version}/history";
        let items = response::<Items<ShownChange>>(self.model());
        Route {
            answers: vec![(200, json_answer(message!(api::CHANGES), items))],
            handler: on(MethodFilter::GET, async move |_: Caller, key: PathKey, asked: Parameters| {
                contracts.answer_history(&key, asked).await
            }),
            ..self.route(Method::GET, path, "history", message!(api::HISTORY), Role::Viewer)
        }
    }

    async fn answer_kinds(&self, asked: Parameters) -> Responded {
        asked.finish()?;
        let kinds = self.read("listKinds", self.registry.kinds()).await?;
        Ok(Body(Kinds { kinds: kinds.iter().map(Kind::to_string).collect() }).into_response())
    }

    async fn answer_list(&self, key: &PathKey, mut asked: Parameters) -> Responded {
        let kind: Kind = key.text("kind").parse()?;
        let status = asked.take("status").map(|status| status.parse::<Status>()).transpose()?;
        let cursor = asked.take("cursor").map(|cursor| cursor::opened(&cursor)).transpose()?;
        let ask = ListAsk { status, limit: asked.number("limit")?, cursor };
        asked.finish()?;
        let page = self.read("list", self.registry.list(&kind, &ask)).await?;
        Ok(Body(ListPage::of(page)).into_response())
    }

    async fn answer_versions(&self, key: &PathKey, asked: Parameters) -> Responded {
        let (kind, id) = contract(key)?;
        asked.finish()?;
        let headers = self.read("listVersions", self.registry.versions(&kind, &id)).await?;
        Ok(Body(Items::<ShownHeader>::of(&headers)).into_response())
    }

    async fn answer_latest(&self, key: &PathKey, mut asked: Parameters) -> Responded {
        let (kind, id) = contract(key)?;
        let wanted = asked.take("range").map(|range| range.parse::<Wanted>());
        let wanted = wanted.transpose().map_err(|error| renamed(error, "range"))?;
        let pre_releases = asked.truth("preReleases")?.unwrap_or_default();
        asked.finish()?;
        let latest = latest(&*self.registry, &kind, &id, wanted.as_ref(), pre_releases);
        let found = self.read("latest", latest).await?;
        Ok(Body(WholeContract::from(&*found)).into_response())
    }

    async fn answer_version(&self, key: &PathKey, asked: Parameters, headers: &HeaderMap) -> Responded {
        Ok(with_version(&*self.loaded("load", key, asked).await?, headers))
    }

    async fn answer_spec(&self, key: &PathKey, asked: Parameters, headers: &HeaderMap) -> Responded {
        let found = self.loaded("loadSpec", key, asked).await?;
        let Header { status, checksum, .. } = &found.header;
        let caching = if *status == Status::Draft { NO_STORE } else { IMMUTABLE };
        Ok(tagged(format!("\"{checksum}\""), caching, headers, || Body(shown_spec(&found)).into_response()))
    }

    /// The requested version; a draft only if drafts are requested.
    async fn loaded(
        &self,
        operation: &str,
        key: &PathKey,
        mut asked: Parameters,
    ) -> Result<Arc<Contract>, Problem> {
        let reference = reference(key)?;
        let drafts = asked.truth("draft")?.unwrap_or_default();
        asked.finish()?;
        let load = async {
            match drafts {
                true => self.registry.fetch(&reference).await,
                false => self.registry.load(&reference).await,
            }
        };
        Ok(self.read(operation, load).await?)
    }

    async fn answer_history(&self, key: &PathKey, asked: Parameters) -> Responded {
        let reference = reference(key)?;
        asked.finish()?;
        let changes = self.read("history", self.registry.history(&reference)).await?;
        Ok(Body(Items::<ShownChange>::of(&changes)).into_response())
    }
}

/// Renames the field of a refusal to that of the parameter.
pub(super) fn renamed(error: Error, name: &str) -> Error {
    let rename = |one| hansang_core::validate::Violation { attribute: name.to_owned(), ..one };
    Error::fields(error.violations.into_iter().map(rename).collect())
}

/// A version, or 304 if the caller has it with the same status, which is in a header.
fn with_version(contract: &Contract, asked: &HeaderMap) -> Response {
    let Header { status, checksum, .. } = &contract.header;
    let caching = if *status == Status::Draft { NO_STORE } else { REVALIDATE };
    let tag = format!("\"{checksum}-{status}\"");
    let mut response = tagged(tag, caching, asked, || Body(ShownContract::from(contract)).into_response());
    let headers = response.headers_mut();
    headers.insert(STATUS, HeaderValue::from_static(status.name()));
    if let Some(since) = deprecated_since(&contract.header) {
        headers.insert(DEPRECATION, since);
    }
    response
}

/// A response with a tag, or 304 if the caller has it.
fn tagged(
    tag: String,
    caching: HeaderValue,
    asked: &HeaderMap,
    whole: impl FnOnce() -> Response,
) -> Response {
    let mut response =
        if has_already(asked, &tag) { StatusCode::NOT_MODIFIED.into_response() } else { whole() };
    let headers = response.headers_mut();
    if let Ok(tag) = HeaderValue::try_from(tag) {
        headers.insert(header::ETAG, tag);
    }
    headers.insert(header::CACHE_CONTROL, caching);
    response
}

/// The time of the deprecation, or of the registration as deprecated. A file may state neither.
fn deprecated_since(header: &Header) -> Option<HeaderValue> {
    let changed = header.status_changed.as_ref().map(|changed| changed.at);
    let since = changed.or(header.created_at).filter(|_| header.status == Status::Deprecated)?;
    HeaderValue::try_from(format!("@{}", since.as_second())).ok()
}

/// The tag of a checksum, and what follows it.
fn tag_schema(behind: &str) -> Json {
    json!({ "type": "string", "pattern": format!("^\"sha256:[0-9a-f]{{64}}{behind}\"$") })
}

fn headers_schema() -> Json {
    let text = |pattern: &str| json!({ "type": "string", "pattern": pattern });
    json!({
        "ETag": { "required": true, "schema": tag_schema("-(DRAFT|ACTIVE|DEPRECATED)") },
        "Contract-Status": { "required": true, "schema": schema::status() },
        "Deprecation": { "required": false, "schema": text("^@-?[0-9]+$") },
    })
}
