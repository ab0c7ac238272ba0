//! The records of one entity: create, read, replace, change, delete.

use std::sync::Arc;

use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodFilter, on};
use hansang_core::db::GetOptions;
use hansang_core::export::attribute_schema;
use hansang_core::message::Argument;
use hansang_core::model::Entity;
use hansang_core::{CoreCode, Db, Error, Item, Message, message};
use serde_json::{Value as Json, json};

use super::changes;
use crate::app::{Caller, Calls};
use crate::messages::api;
use crate::output::with_record;
use crate::schema::{self, Sent};
use crate::{ServerCode, messages};
use hansang_access::Role;
use hansang_core::messages::items;
use hansang_http::HttpCode;
use hansang_http::input::{Expected, Members, Parameters, PathKey, expected};
use hansang_http::problem::Problem;
use hansang_http::route::Described;
use hansang_http::route::{
    Needs, Route, consistent_parameter, empty_answer, fields_parameter, header_parameter, if_match_parameter,
    json_answer, json_body, path_parameter, reference, segment,
};

/// The operations on the records of an entity.
pub(super) fn routes(calls: &Calls, entity: &Arc<Entity>) -> Vec<Route> {
    let records = Records { calls: calls.clone(), entity: entity.clone() };
    vec![
        records.create_route(),
        records.read_route(),
        records.replace_route(),
        records.change_route(),
        records.delete_route(),
    ]
}

#[derive(Clone)]
struct Records {
    calls: Calls,
    entity: Arc<Entity>,
}

impl Records {
    fn create_route(&self) -> Route {
        let records = self.clone();
        let created = json_answer(message!(api::MADE_WITH_GENERATED), reference(&self.record_name()));
        Route {
            path: self.collection(),
            body: Some(json_body(self.sent(Sent::Input))),
            answers: vec![(201, created)],
            refusals: &[409, 413, 415],
            handler: on(MethodFilter::POST, async move |caller: Caller, members: Members| {
                records.create(caller, members).await
            }),
            ..self.route(Method::POST, "create", message!(api::MAKE, self.title()), Role::Editor)
        }
    }

    fn read_route(&self) -> Route {
        let records = self.clone();
        let least = self.calls.reserved.role(&self.entity.name);
        let mut parameters = self.key_parameters();
        parameters.push(consistent_parameter(true));
        parameters.push(fields_parameter(schema::fields([&*self.entity])));
        Route {
            parameters,
            answers: vec![(200, json_answer(message!(api::THE_RECORD), reference(&self.record_name())))],
            refusals: &[],
            handler: on(MethodFilter::GET, async move |caller: Caller, key: PathKey, asked: Parameters| {
                records.read(caller, key, asked).await
            }),
            ..self.route(Method::GET, "get", message!(api::READ, self.title()), least)
        }
    }

    fn replace_route(&self) -> Route {
        let records = self.clone();
        let record = reference(&self.record_name());
        Route {
            parameters: self.guarded_parameters(true),
            body: Some(json_body(self.sent(Sent::Put))),
            answers: vec![
                (200, json_answer(message!(api::STORED), record.clone())),
                (201, json_answer(message!(api::MADE), record)),
            ],
            refusals: &[409, 412, 413, 415],
            handler: on(
                MethodFilter::PUT,
                async move |caller: Caller, key: PathKey, headers: HeaderMap, members: Members| {
                    records.replace(caller, key, &headers, members).await
                },
            ),
            ..self.route(Method::PUT, "put", message!(api::STORE, self.title()), Role::Editor)
        }
    }

    fn change_route(&self) -> Route {
        let records = self.clone();
        Route {
            parameters: self.guarded_parameters(false),
            body: Some(json_body(self.sent(Sent::Patch))),
            answers: vec![(200, json_answer(message!(api::CHANGED), reference(&self.record_name())))],
            refusals: &[409, 412, 413, 415],
            handler: on(
                MethodFilter::PATCH,
                async move |caller: Caller, key: PathKey, headers: HeaderMap, members: Members| {
                    records.change(caller, key, &headers, members).await
                },
            ),
            ..self.route(Method::PATCH, "update", message!(api::CHANGE, self.title()), Role::Editor)
        }
    }

    fn delete_route(&self) -> Route {
        let records = self.clone();
        Route {
            parameters: self.guarded_parameters(false),
            answers: vec![(204, empty_answer(message!(api::GONE)))],
            refusals: &[409, 412],
            handler: on(
                MethodFilter::DELETE,
                async move |caller: Caller, key: PathKey, headers: HeaderMap| {
                    records.delete(caller, key, &headers).await
                },
            ),
            ..self.route(Method::DELETE, "delete", message!(api::DELETE, self.title()), Role::Editor)
        }
    }

    async fn create(&self, caller: Caller, members: Members) -> Result<Response, Problem> {
        let fields = members.fields(&self.entity)?;
        let name = self.operation("create");
        let entity = &self.entity.name;
        let write = async |db: Db| db.create(entity, fields).await;
        let record = self.calls.audited_write(&caller, &name, entity, write).await?;
        let mut response = with_record(StatusCode::CREATED, &record);
        if let Ok(location) = self.location(&record.fields).try_into() {
            response.headers_mut().insert(axum::http::header::LOCATION, location);
        }
        Ok(response)
    }

    async fn read(&self, _asking: Caller, key: PathKey, asked: Parameters) -> Result<Response, Problem> {
        let options: GetOptions = asked.get_options()?;
        let key = key.of(&self.entity)?;
        let read = self.db().get(&self.entity.name, &key, &options);
        let found = self.calls.measured(&self.operation("get"), read).await?;
        Ok(with_record(StatusCode::OK, &found.ok_or_else(|| self.missing())?))
    }

    async fn replace(
        &self,
        caller: Caller,
        key: PathKey,
        headers: &HeaderMap,
        members: Members,
    ) -> Result<Response, Problem> {
        let expected = expected(headers, &self.entity)?;
        let key = key.of(&self.entity)?;
        let subject = self.location(&key);
        let fields = self.with_key(key, members.fields(&self.entity)?)?;
        let name = self.operation("put");
        if expected == Expected::Absent {
            let write = async |db: Db| db.create(&self.entity.name, fields).await;
            let record = self.calls.audited_write(&caller, &name, &subject, write).await?;
            return Ok(with_record(StatusCode::CREATED, &record));
        }
        let write = async |db: Db| db.put(&self.entity.name, fields, version(expected)).await;
        let record = self.calls.audited_write(&caller, &name, &subject, write).await?;
        Ok(with_record(StatusCode::OK, &record))
    }

    async fn change(
        &self,
        caller: Caller,
        key: PathKey,
        headers: &HeaderMap,
        members: Members,
    ) -> Result<Response, Problem> {
        let expected = version(self.expected_version(headers)?);
        let key = key.of(&self.entity)?;
        let subject = self.location(&key);
        let update = changes::update(&self.entity, key, members.0, expected)?;
        let write = async |db: Db| db.update(&self.entity.name, update).await;
        let record = self.calls.audited_write(&caller, &self.operation("update"), &subject, write).await?;
        Ok(with_record(StatusCode::OK, &record))
    }

    async fn delete(&self, caller: Caller, key: PathKey, headers: &HeaderMap) -> Result<Response, Problem> {
        let expected = version(self.expected_version(headers)?);
        let key = key.of(&self.entity)?;
        let subject = self.location(&key);
        let write = async |db: Db| db.delete(&self.entity.name, key, expected).await;
        self.calls.audited_write(&caller, &self.operation("delete"), &subject, write).await?;
        Ok(StatusCode::NO_CONTENT.into_response())
    }

    /// The expected version of a record that must exist.
    fn expected_version(&self, headers: &HeaderMap) -> Result<Expected, Error> {
        match expected(headers, &self.entity)? {
            Expected::Absent => {
                Err(Error::invalid(HttpCode::InvalidIfMatch, message!(messages::ONLY_WITH_PUT)))
            }
            said => Ok(said),
        }
    }

    /// The fields of the body, with the key of the path.
    fn with_key(&self, key: Item, mut fields: Item) -> Result<Item, Error> {
        for (name, value) in key {
            let attribute = self.entity.attribute(&name);
            let exact = |value| attribute.and_then(|attribute| attribute.kind.coerce(value).ok());
            let same = fields.get(&name).is_none_or(|given| exact(given.clone()) == exact(value.clone()));
            if !same {
                let message = message!(messages::KEY_MISMATCH, name);
                return Err(Error::invalid(ServerCode::KeyMismatch, message));
            }
            fields.insert(name, value);
        }
        Ok(fields)
    }

    fn db(&self) -> &Db {
        &self.calls.db
    }

    fn operation(&self, verb: &str) -> String {
        format!("{}.{verb}", self.entity.name)
    }

    /// The title of the entity in every language of the model.
    fn title(&self) -> Argument {
        let title = &self.entity.title;
        if title.is_empty() { Argument::from(&self.entity.name) } else { Argument::Words(title.clone()) }
    }

    fn missing(&self) -> Error {
        Error::not_found(CoreCode::NotFound, message!(items::NOT_FOUND, &self.entity.name))
    }

    fn sent(&self, what: Sent) -> Json {
        schema::sent(self.db().model(), &self.entity, what)
    }

    fn record_name(&self) -> String {
        schema::record_name(self.db().model(), &self.entity)
    }

    /// The path of all records of the entity.
    fn collection(&self) -> String {
        format!("/api/{}/entities/{}", self.db().model().name, self.entity.name)
    }

    /// The path of a record with these fields.
    fn location(&self, fields: &Item) -> String {
        let mut path = self.collection();
        for attribute in schema::key_attributes(&self.entity) {
            let value = fields.get(&attribute.name).map(segment).unwrap_or_default();
            path.push('/');
            path.push_str(&value);
        }
        if self.entity.is_singleton() { path + ONLY } else { path }
    }

    fn route(&self, method: Method, verb: &str, summary: Message, role: Role) -> Route {
        let model = &self.db().model().name;
        let names = schema::key_attributes(&self.entity);
        let places: String = names.iter().map(|attribute| format!("/{{{}}}", attribute.name)).collect();
        let only = if self.entity.is_singleton() { ONLY } else { "" };
        Route {
            method,
            path: format!("{}{places}{only}", self.collection()),
            operation: format!("{model}.{}", self.operation(verb)),
            summary,
            tag: model.to_string(),
            needs: Needs::Role(model.to_string(), role),
            parameters: Vec::new(),
            body: None,
            answers: Vec::new(),
            refusals: &[],
            streams: false,
            max_body: None,
            handler: axum::routing::MethodRouter::new(),
        }
    }

    fn key_parameters(&self) -> Vec<Described> {
        let parameter = |attribute: &hansang_core::Attribute| {
            path_parameter(
                &attribute.name,
                attribute_schema(&self.entity, attribute).into(),
                Message::words(attribute.doc.clone()),
            )
        };
        schema::key_attributes(&self.entity).into_iter().map(parameter).collect()
    }

    /// The parameters: the key, and the headers with the expected version.
    fn guarded_parameters(&self, creates: bool) -> Vec<Described> {
        let mut parameters = self.key_parameters();
        if self.entity.version().is_some() {
            parameters.push(if_match_parameter());
        }
        if creates {
            let any = json!({ "enum": ["*"] });
            parameters.push(header_parameter("If-None-Match", any, message!(api::ONLY_IF_ABSENT)));
        }
        parameters
    }
}

/// The path of a singleton.
const ONLY: &str = "/-";

fn version(expected: Expected) -> Option<i64> {
    match expected {
        Expected::Version(version) => Some(version),
        _ => None,
    }
}
