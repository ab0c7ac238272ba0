//! The API of the ledger, under `/api/ledger`.

use std::sync::Arc;

use axum::Json as Body;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodFilter, MethodRouter, on};
use hansang_access::Role;
use hansang_core::{Error, Message, Model, message};
use hansang_http::input::{Members, Parameters, PathKey};
use hansang_http::problem::Problem;
use hansang_http::route::{Described, Needs, Route, empty_answer, json_answer, json_body, path_parameter};
use hansang_ledger::{Ledger, Month, Subject};
use hansang_server::schema::response;
use hansang_server::{App, Caller, Calls};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value as Json, json};
use tokio::sync::Semaphore;

use crate::actions::{Change, act};
use crate::messages as api;

mod export_schema;
pub(crate) mod files;
mod lines;
pub(crate) mod output;
mod plans;
mod reports;
mod schema;
mod sent;
pub(crate) mod upload;
mod whole;

use sent::Sent;

/// The result of a handler.
type Responded = Result<Response, Problem>;

/// The number of files that are read at once: each may need hundreds of megabytes.
const MAX_UPLOADS: usize = 2;

/// The served operations. Calls are counted, and changes are recorded in the audit log.
#[derive(Clone)]
pub(crate) struct Books {
    calls: Calls,
    ledger: Ledger,
    uploads: Arc<Semaphore>,
}

/// A request for a change.
struct Asked {
    key: PathKey,
    headers: HeaderMap,
    body: Sent,
}

/// The response to a change.
struct Answer {
    status: u16,
    description: Message,
}

impl Answer {
    fn created() -> Self {
        Self { status: 201, description: message!(api::CREATED) }
    }

    fn changed() -> Self {
        Self { status: 200, description: message!(api::CHANGED) }
    }

    fn done() -> Self {
        Self { status: 200, description: message!(api::DONE) }
    }
}

impl Books {
    pub(crate) fn new(app: &App, ledger: &Ledger, db: &hansang_core::Db) -> Self {
        Self { calls: app.calls(db), ledger: ledger.clone(), uploads: Arc::new(Semaphore::new(MAX_UPLOADS)) }
    }

    /// All operations: reads, then changes, then files.
    pub(crate) fn routes(&self) -> Vec<Route> {
        let mut routes = self.report_routes();
        routes.extend(self.line_routes());
        routes.extend(self.entry_routes());
        routes.extend(self.plan_routes());
        routes.extend(self.whole_routes());
        routes.extend(self.file_routes());
        routes
    }

    fn model(&self) -> &Model {
        self.calls.db.model()
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
            parameters: path_parameters(path),
            body: None,
            answers: Vec::new(),
            refusals: &[],
            streams: false,
            max_body: None,
            handler: MethodRouter::new(),
        }
    }

    /// A read. `read` takes every parameter that it knows.
    fn read<T, F, R>(
        &self,
        path: &str,
        operation: &'static str,
        (summary, description): (Message, Message),
        parameters: Vec<Described>,
        read: R,
    ) -> Route
    where
        T: Serialize + JsonSchema + Send + 'static,
        F: Future<Output = Result<T, Error>> + Send + 'static,
        R: Fn(Self, PathKey, Parameters) -> F + Clone + Send + Sync + 'static,
    {
        let books = self.clone();
        let mut route = self.route(Method::GET, path, operation, summary, Role::Viewer);
        route.parameters.extend(parameters);
        route.answers = vec![(200, json_answer(description, response::<T>(self.model())))];
        route.handler =
            on(MethodFilter::GET, async move |_: Caller, key: PathKey, asked: Parameters| -> Responded {
                let found = books.calls.measured(operation, read(books.clone(), key, asked)).await?;
                Ok(Body(found).into_response())
            });
        route
    }

    /// A change with a body. `take` reads the whole request, `show` gives the body of the response.
    fn change<I, O, T>(
        &self,
        (method, path): (Method, &str),
        action: Change<I, O>,
        answer: Answer,
        schema: Json,
        take: fn(&mut Asked) -> Result<Option<I>, Error>,
        show: fn(O) -> T,
    ) -> Route
    where
        I: Send + 'static,
        O: Send + 'static,
        T: Serialize + JsonSchema + 'static,
    {
        let books = self.clone();
        let status = StatusCode::from_u16(answer.status).unwrap_or_default();
        let filter = MethodFilter::try_from(method.clone()).unwrap_or(MethodFilter::POST);
        let handler = async move |caller: Caller,
                                  key: PathKey,
                                  asked: Parameters,
                                  headers: HeaderMap,
                                  Members(members): Members|
                    -> Responded {
            asked.finish()?;
            let mut asked = Asked { key, headers, body: Sent::new(members) };
            let taken = take(&mut asked)?;
            asked.body.finish()?;
            let Some(input) = taken else {
                return Err(Problem::internal(hansang_http::HttpCode::InvalidBody));
            };
            let done = act(&action, &books.calls, &books.ledger, &caller, input).await?;
            Ok((status, Body(show(done))).into_response())
        };
        Route {
            body: Some(json_body(schema)),
            answers: vec![(answer.status, json_answer(answer.description, response::<T>(self.model())))],
            refusals: &[409, 412, 413, 415],
            handler: on(filter, handler),
            ..self.route(method, path, action.name, action.summary(), Role::Editor)
        }
    }

    /// A change without a body.
    fn order<I, O, T>(
        &self,
        (method, path): (Method, &str),
        action: Change<I, O>,
        take: fn(&PathKey, &HeaderMap) -> Result<I, Error>,
        show: Option<fn(O) -> T>,
    ) -> Route
    where
        I: Send + 'static,
        O: Send + 'static,
        T: Serialize + JsonSchema + 'static,
    {
        let books = self.clone();
        let filter = MethodFilter::try_from(method.clone()).unwrap_or(MethodFilter::POST);
        let handler =
            async move |caller: Caller, key: PathKey, asked: Parameters, headers: HeaderMap| -> Responded {
                asked.finish()?;
                let input = take(&key, &headers)?;
                let done = act(&action, &books.calls, &books.ledger, &caller, input).await?;
                Ok(match show {
                    Some(show) => Body(show(done)).into_response(),
                    None => StatusCode::NO_CONTENT.into_response(),
                })
            };
        let answer = match show {
            Some(_) => (200, json_answer(message!(api::DONE), response::<T>(self.model()))),
            None => (204, empty_answer(message!(api::DELETED))),
        };
        Route {
            answers: vec![answer],
            refusals: &[409, 412],
            handler: on(filter, handler),
            ..self.route(method, path, action.name, action.summary(), Role::Editor)
        }
    }
}

/// The parameters in a path, by their names.
fn path_parameters(path: &str) -> Vec<Described> {
    let all = [
        ("month", schema::month(), message!(api::MONTH)),
        ("kind", schema::kind(), message!(api::KIND)),
        ("name", schema::name(), message!(api::NAME)),
        ("detail", schema::name(), message!(api::DETAIL)),
        ("lineId", schema::id(), message!(api::LINE_ID)),
        ("list", schema::list(), message!(api::LIST)),
        ("ruleId", schema::id(), message!(api::RULE_ID)),
        ("account", schema::name(), message!(api::ACCOUNT)),
        ("seq", schema::seq(), message!(api::SEQ)),
        ("importId", schema::id(), message!(api::IMPORT_ID)),
        ("source", json!({ "type": "string", "minLength": 1, "maxLength": 80 }), message!(api::SOURCE)),
        ("merchant", json!({ "type": "string", "minLength": 1, "maxLength": 80 }), message!(api::MERCHANT)),
        ("signIn", json!({ "type": "string", "minLength": 1, "maxLength": 64 }), message!(api::SIGN_IN)),
        ("year", schema::year(), message!(api::YEAR_NUMBER)),
    ];
    let stands = |name: &str| path.split('/').any(|part| part == format!("{{{name}}}"));
    let found = all.into_iter().filter(|(name, ..)| stands(name));
    found.map(|(name, schema, description)| path_parameter(name, schema, description)).collect()
}

/// The month in a path.
fn month_of(key: &PathKey) -> Result<Month, Error> {
    key.text("month").parse()
}

/// The entry in a path.
fn subject_of(key: &PathKey) -> Result<Subject, Error> {
    let detail = Some(key.text("detail")).filter(|detail| detail != "-");
    Subject::new(key.text("kind").parse()?, &key.text("name"), detail.as_deref())
}
