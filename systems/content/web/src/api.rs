//! The API of content, under `/api/content`. Anyone reads what is published; editors write.

use std::sync::Arc;

use axum::Json as Body;
use axum::extract::OriginalUri;
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodFilter, MethodRouter, on};
use hansang_access::Role;
use hansang_core::db::Ask;
use hansang_core::{Error, Message, Model, message};
use hansang_http::input::{Members, Parameters, PathKey, version_of};
use hansang_http::problem::Problem;
use hansang_http::route::{
    Described, Needs, Route, empty_answer, if_match_parameter, json_answer, json_body, path_parameter,
};
use hansang_server::schema::response;
use hansang_server::{App, Caller, Calls};
use jiff::Timestamp;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json};

use crate::actions::{Change, act};
use crate::code::WebCode;
use crate::desk::Desk;
use crate::fresh::Made;
use crate::messages as api;

mod categories;
mod edit;
mod inquiries;
mod managed;
mod media;
pub(crate) mod output;
mod posts;
mod search;
pub(crate) mod sent;
mod stale;

/// The result of a handler.
type Responded = Result<Response, Problem>;

/// The served operations. Calls are counted, and changes are recorded in the audit log.
#[derive(Clone)]
pub(crate) struct Api {
    calls: Calls,
    desk: Arc<Desk>,
}

/// A public response, with the time at which it changes by itself.
struct Public<T> {
    body: T,
    until: Option<Timestamp>,
}

/// A request for a change.
struct Asked<I> {
    key: PathKey,
    headers: HeaderMap,
    body: I,
}

impl<I> Asked<I> {
    /// The text of a parameter of the path.
    fn text(&self, name: &str) -> String {
        self.key.text(name)
    }

    /// The revision that was edited, from `If-Match`.
    fn revision(&self) -> Result<i64, Problem> {
        version_of(&self.headers)?.ok_or_else(|| {
            Problem::new(
                StatusCode::PRECONDITION_REQUIRED,
                WebCode::RevisionRequired,
                message!(api::REVISION_REQUIRED),
            )
        })
    }
}

impl Api {
    pub(crate) fn new(app: &App, desk: &Arc<Desk>) -> Self {
        Self { calls: app.calls(&desk.db), desk: desk.clone() }
    }

    /// All operations: public reads, those of editors, those of managers.
    pub(crate) fn routes(&self) -> Vec<Route> {
        let mut routes = self.post_routes();
        routes.push(self.search_route());
        routes.extend(self.category_routes());
        routes.extend(self.edit_routes());
        routes.extend(self.inquiry_routes());
        routes.extend(self.managed_routes());
        routes.extend(self.media_routes());
        routes
    }

    fn model(&self) -> &Model {
        self.calls.db.model()
    }

    fn needs(&self, role: Role) -> Needs {
        Needs::Role(self.model().name.to_string(), role)
    }

    fn route(&self, method: Method, path: &str, operation: &str, summary: Message, needs: Needs) -> Route {
        let system = &self.model().name;
        Route {
            method,
            path: format!("/api/{system}/{path}"),
            operation: format!("{system}.{operation}"),
            summary,
            tag: system.to_string(),
            needs,
            parameters: path_parameters(path),
            body: None,
            answers: Vec::new(),
            refusals: &[],
            streams: false,
            max_body: None,
            handler: MethodRouter::new(),
        }
    }

    /// A read of published content: without signing in, and kept by caches.
    fn public<T, F, R>(
        &self,
        path: &str,
        operation: &'static str,
        (summary, description): (Message, Message),
        parameters: Vec<Described>,
        read: R,
    ) -> Route
    where
        T: Serialize + JsonSchema + Send + 'static,
        F: Future<Output = Result<Public<T>, Error>> + Send + 'static,
        R: Fn(Arc<Desk>, PathKey, Parameters) -> F + Clone + Send + Sync + 'static,
    {
        let api = self.clone();
        let mut route = self.route(Method::GET, path, operation, summary, Needs::Nothing);
        route.parameters.extend(parameters);
        route.answers = vec![
            (200, json_answer(description, response::<T>(self.model()))),
            (304, empty_answer(message!(api::NOT_MODIFIED))),
        ];
        route.handler = on(
            MethodFilter::GET,
            async move |OriginalUri(uri): OriginalUri,
                        headers: HeaderMap,
                        key: PathKey,
                        asked: Parameters|
                        -> Responded {
                let make = async {
                    let read = read(api.desk.clone(), key, asked);
                    let Public { body, until } = api.calls.measured(operation, read).await?;
                    Ok::<_, Problem>(Made { media: "application/json", text: as_json(&body)?, until })
                };
                let name = uri.path_and_query().map(ToString::to_string).unwrap_or_default();
                api.desk.fresh.respond(name, &headers, make).await
            },
        );
        route
    }

    /// A read for people with a role. `read` takes every parameter that it knows.
    fn read<T, F, R>(
        &self,
        path: &str,
        operation: &'static str,
        (summary, description): (Message, Message),
        role: Role,
        parameters: Vec<Described>,
        read: R,
    ) -> Route
    where
        T: Serialize + JsonSchema + Tagged + Send + 'static,
        F: Future<Output = Result<T, Error>> + Send + 'static,
        R: Fn(Arc<Desk>, PathKey, Parameters) -> F + Clone + Send + Sync + 'static,
    {
        let api = self.clone();
        let mut route = self.route(Method::GET, path, operation, summary, self.needs(role));
        route.parameters.extend(parameters);
        route.answers = vec![
            (200, json_answer(description, response::<T>(self.model()))),
            (304, empty_answer(message!(api::NOT_MODIFIED))),
        ];
        route.handler = on(
            MethodFilter::GET,
            async move |_: Caller, headers: HeaderMap, key: PathKey, asked: Parameters| -> Responded {
                let found = api.calls.measured(operation, read(api.desk.clone(), key, asked)).await?;
                let response = tagged(StatusCode::OK, found);
                Ok(if is_known(&headers, &response) { unchanged(response) } else { response })
            },
        );
        route
    }

    /// A change with a body. `take` reads the whole request, `show` gives the body of the response.
    fn change<B, I, O, T>(
        &self,
        (method, path): (Method, &str),
        action: Change<I, O>,
        (status, role): (StatusCode, Role),
        take: fn(Asked<B>) -> Result<I, Problem>,
        show: fn(O, Timestamp) -> T,
    ) -> Route
    where
        B: DeserializeOwned + JsonSchema + Send + 'static,
        I: Send + 'static,
        O: Send + 'static,
        T: Serialize + JsonSchema + Tagged + 'static,
    {
        let api = self.clone();
        let filter = MethodFilter::try_from(method.clone()).unwrap_or(MethodFilter::POST);
        let handler = async move |caller: Caller,
                                  key: PathKey,
                                  asked: Parameters,
                                  headers: HeaderMap,
                                  Members(members): Members|
                    -> Responded {
            asked.finish()?;
            let stale = stale::Stale::of(&key, &headers, Some(members.clone()));
            let body: B = hansang_http::json::parse(members)?;
            let input = take(Asked { key, headers, body })?;
            match act(&action, &api.calls, &api.desk, &caller, input).await {
                Ok(done) => Ok(tagged(status, show(done, api.desk.content.now()))),
                Err(error) => stale.refuse(&api.desk, error).await,
            }
        };
        let mut route = Route {
            body: Some(json_body(body_schema::<B>())),
            answers: vec![(
                status.as_u16(),
                json_answer(message!(api::CHANGED), response::<T>(self.model())),
            )],
            refusals: &[409, 412, 413, 415, 428],
            handler: on(filter, handler),
            ..self.route(method.clone(), path, action.name, action.summary(), self.needs(role))
        };
        if takes_revision(&method, path) {
            route.parameters.push(if_match_parameter());
        }
        route
    }

    /// A change without a body.
    fn order<I, O, T>(
        &self,
        (method, path): (Method, &str),
        action: Change<I, O>,
        role: Role,
        take: fn(Asked<()>) -> Result<I, Problem>,
        show: Option<fn(O, Timestamp) -> T>,
    ) -> Route
    where
        I: Send + 'static,
        O: Send + 'static,
        T: Serialize + JsonSchema + Tagged + 'static,
    {
        let api = self.clone();
        let filter = MethodFilter::try_from(method.clone()).unwrap_or(MethodFilter::POST);
        let handler =
            async move |caller: Caller, key: PathKey, asked: Parameters, headers: HeaderMap| -> Responded {
                asked.finish()?;
                let stale = stale::Stale::of(&key, &headers, None);
                let input = take(Asked { key, headers, body: () })?;
                match act(&action, &api.calls, &api.desk, &caller, input).await {
                    Ok(done) => Ok(match show {
                        Some(show) => tagged(StatusCode::OK, show(done, api.desk.content.now())),
                        None => StatusCode::NO_CONTENT.into_response(),
                    }),
                    Err(error) => stale.refuse(&api.desk, error).await,
                }
            };
        let answer = match show {
            Some(_) => (200, json_answer(message!(api::CHANGED), response::<T>(self.model()))),
            None => (204, empty_answer(message!(api::DELETED))),
        };
        let mut route = Route {
            answers: vec![answer],
            refusals: &[409, 412, 428],
            handler: on(filter, handler),
            ..self.route(method.clone(), path, action.name, action.summary(), self.needs(role))
        };
        if takes_revision(&method, path) {
            route.parameters.push(if_match_parameter());
        }
        route
    }
}

/// Whether a change is of the revision in `If-Match`.
fn takes_revision(method: &Method, path: &str) -> bool {
    let whole = *method == Method::PUT || *method == Method::DELETE;
    let is_action = path.starts_with("posts/") && !path.ends_with("/move") && !path.ends_with("/preview");
    (whole && !path.starts_with("inquiries/") && !path.starts_with("categories/"))
        || path.ends_with("/status")
        || is_action
        || (*method == Method::PUT && path.starts_with("categories/"))
}

/// A page of a list.
fn ask(mut asked: Parameters) -> Result<Ask, Error> {
    let ask = Ask { limit: asked.number("limit")?, cursor: asked.take("cursor"), ..Ask::default() };
    asked.finish()?;
    Ok(ask)
}

/// A body that may have a revision, which is its entity tag.
pub(crate) trait Tagged {
    /// The revision.
    fn revision(&self) -> Option<i64> {
        None
    }
}

/// A response with the revision of its body.
fn tagged<T: Serialize + Tagged>(status: StatusCode, body: T) -> Response {
    let tag = body.revision().and_then(|revision| format!("\"{revision}\"").parse().ok());
    let mut response = (status, Body(body)).into_response();
    if let Some(tag) = tag {
        response.headers_mut().insert(header::ETAG, tag);
    }
    response
}

/// Whether the caller has this response already, by its entity tag.
fn is_known(headers: &HeaderMap, response: &Response) -> bool {
    let Some(tag) = response.headers().get(header::ETAG).and_then(|tag| tag.to_str().ok()) else {
        return false;
    };
    let known = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|known| known.to_str().ok());
    let mut known = known.flat_map(|known| known.split(','));
    known.any(|known| matches!(known.trim(), "*") || known.trim().trim_start_matches("W/") == tag)
}

/// The response to a caller who has it.
fn unchanged(response: Response) -> Response {
    let tag = response.headers().get(header::ETAG).cloned();
    let mut unchanged = StatusCode::NOT_MODIFIED.into_response();
    unchanged.headers_mut().extend(tag.map(|tag| (header::ETAG, tag)));
    unchanged
}

fn as_json<T: Serialize>(body: &T) -> Result<String, Problem> {
    serde_json::to_string(body).map_err(|_| Problem::internal(WebCode::NotJson))
}

/// The schema of a request body, from the struct that it is read into.
fn body_schema<T: JsonSchema>() -> Json {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    if let Some(schema) = schema.as_object_mut() {
        schema.remove("title");
    }
    schema
}

/// The parameters in a path, by their names.
fn path_parameters(path: &str) -> Vec<Described> {
    let id = json!({ "type": "string", "minLength": 1, "maxLength": 64 });
    let slug = json!({ "type": "string", "minLength": 1, "maxLength": 80 });
    let all = [
        ("id", id.clone(), message!(api::ID)),
        ("slug", slug, message!(api::SLUG)),
        ("version", json!({ "type": "integer", "minimum": 0 }), message!(api::VERSION)),
        ("mailId", id.clone(), message!(api::MAIL_ID)),
        ("deliveryId", id, message!(api::DELIVERY_ID)),
    ];
    let stands = |name: &str| path.split('/').any(|part| part == format!("{{{name}}}"));
    let found = all.into_iter().filter(|(name, ..)| stands(name));
    found.map(|(name, schema, description)| path_parameter(name, schema, description)).collect()
}
