//! An operation of the API, for the router, the documentation and access control.
//!
//! All operations come from one list of these, so every operation that is served is documented and has a requirement on
//! its caller.

use axum::http::Method;
use axum::routing::MethodRouter;
use hansang_access::Role;
use hansang_core::message::Language;
use hansang_core::{Message, Value, message};
use serde_json::{Value as Json, json};

use crate::messages;

/// An operation.
pub struct Route {
    /// The method.
    pub method: Method,
    /// The path, with parameters in braces.
    pub path: String,
    /// The stable name of the operation.
    pub operation: String,
    /// A short summary.
    pub summary: Message,
    /// The section of the documentation.
    pub tag: String,
    /// The requirement on the caller.
    pub needs: Needs,
    /// The parameters.
    pub parameters: Vec<Described>,
    /// The body of the request, in OpenAPI.
    pub body: Option<Json>,
    /// The responses to a request that succeeds, by status.
    pub answers: Vec<(u16, Described)>,
    /// The statuses of rejections beyond those that every operation has.
    pub refusals: &'static [u16],
    /// Whether the operation streams, without limits on time and size.
    pub streams: bool,
    /// The maximum size of the body, if not that of the settings.
    pub max_body: Option<u64>,
    /// The handler.
    pub handler: MethodRouter,
}

/// A parameter or a response in OpenAPI, with its description in every language.
#[derive(Clone, Debug, PartialEq)]
pub struct Described {
    /// The description.
    pub description: Message,
    /// Everything else.
    pub json: Json,
}

impl Described {
    /// A part of an operation; `json` has no description yet.
    pub fn new(description: impl Into<Message>, json: Json) -> Self {
        Self { description: description.into(), json }
    }

    /// The JSON with the description in a language.
    #[must_use]
    pub fn in_language(&self, language: Language) -> Json {
        let mut json = self.json.clone();
        json["description"] = self.description.in_language(language).into();
        json
    }
}

/// The requirement on the caller of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Needs {
    /// None.
    Nothing,
    /// Any identity.
    SignedIn,
    /// A role in a system.
    Role(String, Role),
    /// Access to the metrics: public or viewers of every system, by the settings.
    Metrics,
}

impl Route {
    /// A page for people, which is not part of the API's description.
    pub fn page(path: &str, needs: Needs, handler: MethodRouter) -> Self {
        Self {
            method: Method::GET,
            path: path.to_owned(),
            operation: format!("server.{}", path.trim_matches('/')),
            summary: Message::raw(""),
            tag: String::new(),
            needs,
            parameters: Vec::new(),
            body: None,
            answers: Vec::new(),
            refusals: &[],
            streams: false,
            max_body: None,
            handler,
        }
    }
}

/// A parameter of the query string.
pub fn query_parameter(
    name: &str,
    required: bool,
    schema: Json,
    description: impl Into<Message>,
) -> Described {
    let json = json!({ "name": name, "in": "query", "required": required, "schema": schema });
    Described::new(description, json)
}

/// A parameter of the path.
pub fn path_parameter(name: &str, schema: Json, description: impl Into<Message>) -> Described {
    Described::new(description, json!({ "name": name, "in": "path", "required": true, "schema": schema }))
}

/// A parameter in a header.
pub fn header_parameter(name: &str, schema: Json, description: impl Into<Message>) -> Described {
    Described::new(description, json!({ "name": name, "in": "header", "required": false, "schema": schema }))
}

/// The header with the expected version.
pub fn if_match_parameter() -> Described {
    let tag = json!({ "type": "string", "pattern": "^\"[0-9]{1,18}\"$" });
    header_parameter("If-Match", tag, message!(messages::ONLY_THIS_VERSION))
}

/// The parameter with the cursor of a page.
pub fn cursor_parameter() -> Described {
    let cursor = json!({ "type": "string", "pattern": "^[A-Za-z0-9_-]+$" });
    query_parameter("cursor", false, cursor, message!(messages::OTHER_PAGE))
}

/// The parameter for a strongly consistent read, where the index allows it.
pub fn consistent_parameter(possible: bool) -> Described {
    let choices: &[bool] = if possible { &[true, false] } else { &[false] };
    let schema = json!({ "type": "boolean", "enum": choices });
    query_parameter("consistent", false, schema, message!(messages::CONSISTENT))
}

/// The parameter with the requested fields.
pub fn fields_parameter(mut names: Json) -> Described {
    names["minItems"] = 1.into();
    let mut parameter = query_parameter("fields", false, names, message!(messages::ONLY_THESE_FIELDS));
    parameter.json["style"] = "form".into();
    parameter.json["explode"] = false.into();
    parameter
}

/// A JSON body.
pub fn json_body(schema: Json) -> Json {
    json!({ "required": true, "content": { "application/json": { "schema": schema } } })
}

/// A JSON response.
pub fn json_answer(description: impl Into<Message>, schema: Json) -> Described {
    Described::new(description, json!({ "content": { "application/json": { "schema": schema } } }))
}

/// A response without a body.
pub fn empty_answer(description: impl Into<Message>) -> Described {
    Described::new(description, json!({}))
}

/// The schema of this name among the document's own.
pub fn reference(name: &str) -> Json {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// Encodes a key value as one segment of a path.
pub fn segment(value: &Value) -> String {
    let text = match value {
        Value::S(text) => text.to_string(),
        Value::N(number) => number.to_string(),
        _ => String::new(),
    };
    percent_encoding::utf8_percent_encode(&text, percent_encoding::NON_ALPHANUMERIC).to_string()
}
