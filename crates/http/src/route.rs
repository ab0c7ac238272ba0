//! One operation of the API: what the router, the documentation and access control are made of.
//!
//! There is one list of these and nothing beside it, so an operation that is served is documented,
//! and none exists for which nobody said who may call it.

use axum::http::Method;
use axum::routing::MethodRouter;
use hansang_access::Role;
use hansang_core::Value;
use serde_json::{Value as Json, json};

/// An operation.
pub struct Route {
    /// The method.
    pub method: Method,
    /// The path, with parameters in braces.
    pub path: String,
    /// The name of the operation, the same for good.
    pub operation: String,
    /// What it does, in a few words.
    pub summary: String,
    /// The part of the documentation it stands in.
    pub tag: String,
    /// The requirement on the caller.
    pub needs: Needs,
    /// The parameters, as OpenAPI has them.
    pub parameters: Vec<Json>,
    /// The body of the request, as OpenAPI has it.
    pub body: Option<Json>,
    /// The answers to a request that succeeds, by status, as OpenAPI has them.
    pub answers: Vec<(u16, Json)>,
    /// The statuses of refusals beyond those that every operation has.
    pub refusals: &'static [u16],
    /// Whether it may take as long and as much as it needs.
    pub streams: bool,
    /// The handler.
    pub handler: MethodRouter,
}

/// Who may call an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Anybody.
    Nothing,
    /// Anybody who signed in or has a token.
    SignedIn,
    /// Whoever has this role in this system.
    Role(String, Role),
    /// Whoever may read the numbers: everybody or those who may read everywhere, as it is set.
    Metrics,
}

impl Route {
    /// A page for people, which is no part of the API's description.
    pub fn page(path: &str, needs: Needs, handler: MethodRouter) -> Self {
        Self {
            method: Method::GET,
            path: path.to_owned(),
            operation: format!("server.{}", path.trim_matches('/')),
            summary: String::new(),
            tag: String::new(),
            needs,
            parameters: Vec::new(),
            body: None,
            answers: Vec::new(),
            refusals: &[],
            streams: false,
            handler,
        }
    }
}

/// A parameter of the query string.
pub fn query_parameter(name: &str, required: bool, schema: Json, description: &str) -> Json {
    json!({ "name": name, "in": "query", "required": required, "schema": schema, "description": description })
}

/// A parameter of the path.
pub fn path_parameter(name: &str, schema: Json, description: &str) -> Json {
    json!({ "name": name, "in": "path", "required": true, "schema": schema, "description": description })
}

/// A parameter in a header.
pub fn header_parameter(name: &str, schema: Json, description: &str) -> Json {
    json!({ "name": name, "in": "header", "required": false, "schema": schema, "description": description })
}

/// The header that names the version which must be stored.
pub fn if_match_parameter() -> Json {
    let tag = json!({ "type": "string", "pattern": "^\"[0-9]{1,18}\"$" });
    header_parameter("If-Match", tag, "Only this version: the `ETag` that was read")
}

/// The parameter that goes on where another page ended.
pub fn cursor_parameter() -> Json {
    let cursor = json!({ "type": "string", "pattern": "^[A-Za-z0-9_-]+$" });
    query_parameter("cursor", false, cursor, "`next` or `previous` of another page")
}

/// The parameter that asks for a strong read, where there can be one.
pub fn consistent_parameter(possible: bool) -> Json {
    let choices: &[bool] = if possible { &[true, false] } else { &[false] };
    let schema = json!({ "type": "boolean", "enum": choices });
    query_parameter("consistent", false, schema, "Whether every acknowledged write is seen")
}

/// The parameter that names the fields that are wanted.
pub fn fields_parameter(mut names: Json) -> Json {
    names["minItems"] = 1.into();
    let mut parameter = query_parameter("fields", false, names, "Only these fields, separated by commas");
    parameter["style"] = "form".into();
    parameter["explode"] = false.into();
    parameter
}

/// A JSON body.
pub fn json_body(schema: Json) -> Json {
    json!({ "required": true, "content": { "application/json": { "schema": schema } } })
}

/// A JSON answer.
pub fn json_answer(description: &str, schema: Json) -> Json {
    json!({ "description": description, "content": { "application/json": { "schema": schema } } })
}

/// An answer without a body.
pub fn empty_answer(description: &str) -> Json {
    json!({ "description": description })
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
