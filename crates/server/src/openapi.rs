//! The API's own description: OpenAPI 3.1, made of the list that is served.

use hansang_core::Model;
use serde_json::{Map, Value as Json, json};

use crate::schema;
use hansang_http::route::{Needs, Route, reference};

/// The statuses that any operation can answer with.
const ANY: [u16; 6] = [400, 404, 405, 429, 500, 503];
/// The statuses of those that ask who it is.
const CLOSED: [u16; 2] = [401, 403];

/// The document.
pub(crate) fn document<'m>(routes: &[Route], models: impl IntoIterator<Item = &'m Model>) -> Json {
    let mut paths: Map<String, Json> = Map::new();
    for route in routes {
        let path = paths.entry(route.path.clone()).or_insert_with(|| json!({}));
        path[route.method.as_str().to_ascii_lowercase()] = operation(route);
    }
    let mut schemas = Map::from_iter([("Problem".to_owned(), problem())]);
    let mut tags = Vec::new();
    for model in models {
        schemas.extend(schema::schemas(model));
        tags.push(json!({ "name": &*model.name, "description": model.doc }));
    }
    tags.push(json!({ "name": "server", "description": "The server itself" }));
    tags.push(json!({ "name": "access", "description": "Accounts, sessions, tokens and the audit log" }));
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Hansang",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "The data of every model that is served.",
        },
        "servers": [{ "url": "/" }],
        "tags": tags,
        "paths": paths,
        "components": {
            "schemas": schemas,
            "responses": { "Problem": {
                "description": "What is wrong, and what to do next.",
                "content": { "application/problem+json": { "schema": reference("Problem") } },
            } },
            "securitySchemes": {
                "token": { "type": "http", "scheme": "bearer", "description": "A token of this server, or of its identity provider" },
                "session": { "type": "apiKey", "in": "cookie", "name": hansang_http::guard::COOKIE },
            },
        },
    })
}

fn operation(route: &Route) -> Json {
    let mut responses: Map<String, Json> =
        route.answers.iter().map(|(status, answer)| (status.to_string(), answer.clone())).collect();
    let closed: &[u16] = if route.needs == Needs::Nothing { &[] } else { &CLOSED };
    for status in ANY.iter().chain(closed).chain(route.refusals) {
        responses.insert(status.to_string(), json!({ "$ref": "#/components/responses/Problem" }));
    }
    let security = match route.needs {
        Needs::Nothing => json!([]),
        _ => json!([{ "token": [] }, { "session": [] }]),
    };
    let mut operation = json!({
        "operationId": route.operation,
        "summary": route.summary,
        "tags": [route.tag],
        "x-needs": needs(&route.needs),
        "security": security,
        "parameters": route.parameters,
        "responses": responses,
    });
    if let Some(body) = &route.body {
        operation["requestBody"] = body.clone();
    }
    operation
}

/// Who may call it, in words that a test can read.
fn needs(needs: &Needs) -> String {
    match needs {
        Needs::Nothing => "nothing".to_owned(),
        Needs::SignedIn => "signed in".to_owned(),
        Needs::Role(system, role) => format!("{role} of {system}"),
        Needs::Metrics => "viewer of *, unless the server gives its numbers to everybody".to_owned(),
    }
}

fn problem() -> Json {
    json!({
        "type": "object",
        "description": "RFC 9457. `code` is stable, `detail` is for people, `traceId` finds the request in the log.",
        "properties": {
            "type": { "type": "string" },
            "title": { "type": "string" },
            "status": { "type": "integer" },
            "code": { "type": "string" },
            "detail": { "type": "string" },
            "traceId": { "type": "string" },
            "errors": { "type": "array", "items": {
                "type": "object",
                "properties": { "field": { "type": "string" }, "message": { "type": "string" } },
                "required": ["field", "message"],
                "additionalProperties": false,
            } },
        },
        "required": ["type", "title", "status", "code", "detail", "traceId"],
        "additionalProperties": false,
    })
}
