//! The cache of the registry on this server.

use axum::Json as Body;
use axum::http::Method;
use axum::response::IntoResponse as _;
use axum::routing::{MethodFilter, on};
use hansang_contracts::messages::errors;
use hansang_contracts::{CacheSettings, ContractRef, Kind, Statistics};
use hansang_core::{Error, message};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use super::{Contracts, Responded, schema};
use crate::messages as api;
use hansang_access::Role;
use hansang_http::HttpCode;
use hansang_http::input::{Members, Parameters};
use hansang_http::json::{parse, present};
use hansang_http::route::{Route, json_answer, json_body};
use hansang_server::Caller;
use hansang_server::schema::response;

/// The part of the cache to drop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Dropped {
    /// Everything.
    All,
    /// The versions of a kind.
    Kind(Kind),
    /// One version.
    One(ContractRef),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    #[serde(default, deserialize_with = "present")]
    kind: Option<String>,
    #[serde(default, deserialize_with = "present")]
    id: Option<String>,
    #[serde(default, deserialize_with = "present")]
    version: Option<String>,
}

/// The statistics of the cache since the server started.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ShownStatistics {
    settings: ShownSettings,
    entries: u64,
    hits: u64,
    misses: u64,
    evictions: u64,
    expirations: u64,
    loads: u64,
    failures: u64,
    load_microseconds: u64,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ShownSettings {
    entries: u64,
    ttl_seconds: u64,
}

/// The number of dropped versions.
#[derive(Serialize, JsonSchema)]
struct Invalidated {
    dropped: u64,
}

impl Contracts {
    pub(super) fn cache_routes(&self) -> Vec<Route> {
        let (read, drop) = (self.clone(), self.clone());
        let numbers = Route {
            answers: vec![(
                200,
                json_answer(message!(api::LOADS), response::<ShownStatistics>(self.model())),
            )],
            refusals: &[],
            handler: on(MethodFilter::GET, async move |_: Caller, asked: Parameters| {
                read.answer_cache(asked)
            }),
            ..self.route(Method::GET, "cache", "cache", message!(api::CACHE), Role::Viewer)
        };
        let invalidate = Route {
            body: Some(json_body(self.dropped_schema())),
            answers: vec![(200, json_answer(message!(api::EVICTED), response::<Invalidated>(self.model())))],
            refusals: &[413, 415],
            handler: on(
                MethodFilter::POST,
                async move |caller: Caller, asked: Parameters, members: Members| {
                    drop.answer_invalidate(&caller, asked, members).await
                },
            ),
            ..self.route(
                Method::POST,
                "cache/invalidate",
                "invalidate",
                message!(api::INVALIDATE),
                Role::Editor,
            )
        };
        vec![numbers, invalidate]
    }

    /// Drops cached versions and returns their number.
    pub(crate) async fn invalidate(&self, caller: &Caller, dropped: &Dropped) -> Result<u64, Error> {
        let registry = &self.registry;
        let work = async {
            Ok(match dropped {
                Dropped::All => registry.invalidate_all(),
                Dropped::Kind(kind) => registry.invalidate_kind(kind),
                Dropped::One(reference) => registry.invalidate(reference),
            })
        };
        let subject = match dropped {
            Dropped::All => "*".to_owned(),
            Dropped::Kind(kind) => kind.to_string(),
            Dropped::One(reference) => reference.to_string(),
        };
        self.write(caller, "invalidate", &subject, work).await
    }

    fn answer_cache(&self, asked: Parameters) -> Responded {
        asked.finish()?;
        let (statistics, settings) = (self.registry.statistics(), self.registry.settings());
        Ok(Body(ShownStatistics::of(&statistics, settings)).into_response())
    }

    async fn answer_invalidate(
        &self,
        caller: &Caller,
        asked: Parameters,
        Members(members): Members,
    ) -> Responded {
        asked.finish()?;
        let dropped = dropped(parse(members)?)?;
        let count = self.invalidate(caller, &dropped).await?;
        Ok(Body(Invalidated { dropped: count }).into_response())
    }

    fn dropped_schema(&self) -> Json {
        let (model, kind) = (self.model(), schema::any_kind(self.model()));
        let version = json!({
            "kind": kind,
            "id": schema::attribute(model, "id"),
            "version": schema::attribute(model, "version"),
        });
        json!({ "anyOf": [
            schema::closed(json!({}), &[]),
            schema::closed(json!({ "kind": kind }), &["kind"]),
            schema::closed(version, &["kind", "id", "version"]),
        ] })
    }
}

fn dropped(named: Named) -> Result<Dropped, Error> {
    match named {
        Named { kind: None, id: None, version: None } => Ok(Dropped::All),
        Named { kind: Some(kind), id: None, version: None } => Ok(Dropped::Kind(kind.parse()?)),
        Named { kind: Some(kind), id: Some(id), version: Some(version) } => {
            ContractRef::new(&kind, &id, &version).map(Dropped::One)
        }
        _ => Err(Error::invalid(HttpCode::InvalidBody, message!(errors::INVALIDATE))),
    }
}

impl ShownStatistics {
    fn of(numbers: &Statistics, settings: CacheSettings) -> Self {
        Self {
            settings: ShownSettings { entries: settings.entries, ttl_seconds: settings.ttl.as_secs() },
            entries: numbers.entries,
            hits: numbers.hits,
            misses: numbers.misses,
            evictions: numbers.evictions,
            expirations: numbers.expirations,
            loads: numbers.loads,
            failures: numbers.failures,
            load_microseconds: u64::try_from(numbers.load_time.as_micros()).unwrap_or(u64::MAX),
        }
    }
}
