//! The API of documents, under `/api/documents`. Names in JSON are those of the attributes.

use std::sync::Arc;

use axum::Json as Body;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodFilter, MethodRouter, on};
use hansang_access::Role;
use hansang_core::db::Ask;
use hansang_core::{Error, Item, Message, Model, message};
use hansang_documents::{ListAsk, parse_index};
use hansang_http::input::{Members, Parameters, PathKey, version_of};
use hansang_http::problem::Problem;
use hansang_http::route::{
    Described, Needs, Route, cursor_parameter, empty_answer, if_match_parameter, json_answer, json_body,
    query_parameter,
};
use hansang_server::{App, Caller, Calls};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json};

use crate::actions::{Change, act, by};
use crate::code::WebCode;
use crate::messages as api;
use crate::state::State;

mod artifacts;
mod cache;
mod content;
mod download;
mod files;
mod follow;
mod leases;
pub(crate) mod output;
mod own;
mod paths;
mod projects;
mod search;
mod segments;
mod sent;
mod steps;

/// The result of a handler.
type Responded = Result<Response, Problem>;

/// The served operations. Calls are counted, and changes are recorded in the audit log.
#[derive(Clone)]
pub(crate) struct Api {
    app: App,
    calls: Calls,
    state: Arc<State>,
}

/// A request: who makes it, its path, its parameters, its headers, its body.
struct Asked<B> {
    by: String,
    key: PathKey,
    parameters: Parameters,
    headers: HeaderMap,
    body: B,
}

impl<B> Asked<B> {
    /// The text of a parameter of the path.
    fn text(&self, name: &str) -> String {
        self.key.text(name)
    }

    /// The project and the document of the path.
    fn document(&self) -> (String, String) {
        (self.text("project_id"), self.text("document_id"))
    }

    /// The number of the segment of the path.
    fn index(&self) -> Result<i64, Error> {
        parse_index(&self.text("segment_index"))
    }

    /// The version of a file of the path.
    fn file_version(&self) -> Result<i64, Error> {
        number("file_version", &self.text("file_version"))
    }

    /// The revision that was edited, from `If-Match`.
    fn revision(&self) -> Result<i64, Problem> {
        version_of(&self.headers)?.ok_or_else(|| {
            let message = message!(api::REVISION_REQUIRED);
            Problem::new(StatusCode::PRECONDITION_REQUIRED, WebCode::RevisionRequired, message)
        })
    }

    /// The part of a list that is asked for, without other parameters.
    fn page(self) -> Result<Ask, Error> {
        let (rest, ask) = self.parameters.question()?;
        nothing_else(&rest)?;
        Ok(ask)
    }

    /// The part of a cached list that is asked for, and the other parameters.
    fn list(self) -> Result<(ListAsk, Item), Error> {
        let (rest, ask) = self.parameters.question()?;
        let limit = ask.limit.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX));
        Ok((ListAsk { limit, cursor: ask.cursor, oldest: ask.descending == Some(false) }, rest))
    }
}

/// Refuses parameters that an operation does not know.
fn nothing_else(rest: &Item) -> Result<(), Error> {
    let Some(name) = rest.keys().next() else { return Ok(()) };
    let problem = hansang_core::validate::violation(name, message!(api::NOT_A_PARAMETER));
    Err(Error::fields(vec![problem]))
}

/// A whole number that is not negative.
fn number(field: &str, text: &str) -> Result<i64, Error> {
    let digits = !text.is_empty() && text.len() <= 18 && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits).ok_or_else(|| {
        Error::fields(vec![hansang_core::validate::violation(field, message!(api::NOT_A_NUMBER))])
    })
}

impl Api {
    pub(crate) fn new(app: &App, state: &Arc<State>) -> Self {
        Self { app: app.clone(), calls: app.calls(&state.db), state: state.clone() }
    }

    /// All operations.
    pub(crate) fn routes(&self) -> Vec<Route> {
        [
            self.project_routes(),
            self.file_routes(),
            self.content_routes(),
            self.segment_routes(),
            self.step_routes(),
            self.lease_routes(),
            self.artifact_routes(),
            self.own_routes(),
            self.search_routes(),
            self.cache_routes(),
            vec![self.follow_route()],
        ]
        .concat_routes()
    }

    fn model(&self) -> &Model {
        self.state.documents.db.model()
    }

    fn needs(&self, role: Role) -> Needs {
        Needs::Role(self.model().name.to_string(), role)
    }

    fn route(&self, method: Method, path: &str, operation: &str, summary: Message, role: Role) -> Route {
        let system = &self.model().name;
        Route {
            method,
            path: format!("/api/{system}/{path}"),
            operation: format!("{system}.{operation}"),
            summary,
            tag: system.to_string(),
            needs: self.needs(role),
            parameters: paths::parameters(path),
            body: None,
            answers: Vec::new(),
            refusals: &[],
            streams: false,
            max_body: None,
            handler: MethodRouter::new(),
        }
    }

    /// A read, which takes every parameter that it knows.
    fn read<F, R>(
        &self,
        path: &str,
        operation: &'static str,
        (summary, description): (Message, Message),
        role: Role,
        (parameters, schema): (Vec<Described>, Json),
        read: R,
    ) -> Route
    where
        F: Future<Output = Result<Json, Error>> + Send + 'static,
        R: Fn(Arc<State>, Asked<()>) -> F + Clone + Send + Sync + 'static,
    {
        let api = self.clone();
        let mut route = self.route(Method::GET, path, operation, summary, role);
        route.parameters.extend(parameters);
        route.answers = vec![(200, json_answer(description, schema))];
        route.handler = on(
            MethodFilter::GET,
            async move |caller: Caller,
                        key: PathKey,
                        parameters: Parameters,
                        headers: HeaderMap|
                        -> Responded {
                let asked = Asked { by: by(&caller)?, key, parameters, headers, body: () };
                let found = api.calls.measured(operation, read(api.state.clone(), asked)).await?;
                Ok(tagged(StatusCode::OK, found))
            },
        );
        route
    }

    /// A change with a body. `take` reads the whole request, `show` gives the body of the response.
    fn change<B, I, O>(
        &self,
        (method, path): (Method, &str),
        action: Change<I, O>,
        (status, role): (StatusCode, Role),
        schema: Json,
        take: fn(Asked<B>) -> Result<I, Problem>,
        show: fn(O) -> Json,
    ) -> Route
    where
        B: DeserializeOwned + JsonSchema + Send + 'static,
        I: Send + 'static,
        O: Send + 'static,
    {
        let api = self.clone();
        let filter = MethodFilter::try_from(method.clone()).unwrap_or(MethodFilter::POST);
        let handler = async move |caller: Caller,
                                  key: PathKey,
                                  parameters: Parameters,
                                  headers: HeaderMap,
                                  Members(members): Members|
                    -> Responded {
            let body: B = hansang_http::json::parse(members)?;
            let asked = Asked { by: by(&caller)?, key, parameters, headers, body };
            let done = act(&action, &api.calls, &api.state, &caller, take(asked)?).await?;
            Ok(tagged(status, show(done)))
        };
        let mut route = Route {
            body: Some(json_body(body_schema::<B>())),
            answers: vec![(status.as_u16(), json_answer(message!(api::DONE), schema))],
            refusals: &[409, 412, 413, 415, 428],
            handler: on(filter, handler),
            ..self.route(method.clone(), path, action.name, action.summary(), role)
        };
        if method == Method::PUT && !path.ends_with("/text") || path.ends_with("/archive") {
            route.parameters.push(if_match_parameter());
        }
        route
    }

    /// A change without a body.
    fn order<I, O>(
        &self,
        (method, path): (Method, &str),
        action: Change<I, O>,
        role: Role,
        take: fn(Asked<()>) -> Result<I, Problem>,
        show: Option<(Json, fn(O) -> Json)>,
    ) -> Route
    where
        I: Send + 'static,
        O: Send + 'static,
    {
        let api = self.clone();
        let filter = MethodFilter::try_from(method.clone()).unwrap_or(MethodFilter::POST);
        let (answer, show) = match show {
            Some((schema, show)) => ((200, json_answer(message!(api::DONE), schema)), Some(show)),
            None => ((204, empty_answer(message!(api::DONE))), None),
        };
        let handler = async move |caller: Caller,
                                  key: PathKey,
                                  parameters: Parameters,
                                  headers: HeaderMap|
                    -> Responded {
            let asked = Asked { by: by(&caller)?, key, parameters, headers, body: () };
            let done = act(&action, &api.calls, &api.state, &caller, take(asked)?).await?;
            Ok(match show {
                Some(show) => tagged(StatusCode::OK, show(done)),
                None => StatusCode::NO_CONTENT.into_response(),
            })
        };
        Route {
            answers: vec![answer],
            refusals: &[409],
            handler: on(filter, handler),
            ..self.route(method, path, action.name, action.summary(), role)
        }
    }
}

/// Joins lists of routes, which cannot be cloned.
trait Concat {
    fn concat_routes(self) -> Vec<Route>;
}

impl<const N: usize> Concat for [Vec<Route>; N] {
    fn concat_routes(self) -> Vec<Route> {
        self.into_iter().flatten().collect()
    }
}

/// A response whose entity tag is the revision of its body, if it has one.
fn tagged(status: StatusCode, body: Json) -> Response {
    let tag = body.get("revision").and_then(Json::as_i64);
    let tag = tag.and_then(|revision| HeaderValue::try_from(format!("\"{revision}\"")).ok());
    let mut response = (status, Body(body)).into_response();
    if let Some(tag) = tag {
        response.headers_mut().insert(header::ETAG, tag);
    }
    response
}

/// The parameters of a page of a list.
fn page_parameters() -> Vec<Described> {
    let limit = json!({ "type": "integer", "minimum": 1, "maximum": 1000 });
    let order = json!({ "enum": ["ascending", "descending"] });
    vec![
        query_parameter("limit", false, limit, message!(api::LIMIT)),
        cursor_parameter(),
        query_parameter("order", false, order, message!(api::ORDER)),
    ]
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
