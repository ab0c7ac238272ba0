//! The description of the API: OpenAPI 3.1, generated from the routes that are served.

use hansang_core::message::Language;
use hansang_core::{Message, Model, message};
use serde_json::{Map, Value as Json, json};

use crate::messages::api;
use crate::schema;
use hansang_access::system_message;
use hansang_http::route::{Needs, Route, reference};

/// The error statuses of every operation.
const ANY: [u16; 6] = [400, 404, 405, 429, 500, 503];
/// The error statuses of operations that need an identity.
const CLOSED: [u16; 2] = [401, 403];

/// The document, with summaries and descriptions in a language.
pub(crate) fn document<'m>(
    routes: &[Route],
    models: impl IntoIterator<Item = &'m Model>,
    language: Language,
) -> Json {
    let mut paths: Map<String, Json> = Map::new();
    for route in routes {
        let path = paths.entry(route.path.clone()).or_insert_with(|| json!({}));
        path[route.method.as_str().to_ascii_lowercase()] = operation(route, language);
    }
    let mut schemas = Map::from_iter([("Problem".to_owned(), problem())]);
    let mut tags = Vec::new();
    for model in models {
        schemas.extend(schema::schemas(model, language));
        tags.push(json!({ "name": &*model.name, "description": model.doc.in_language(language) }));
    }
    tags.push(json!({ "name": "server", "description": message!(api::SERVER).in_language(language) }));
    tags.push(json!({ "name": "access", "description": message!(api::ACCESS).in_language(language) }));
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

fn operation(route: &Route, language: Language) -> Json {
    let mut responses: Map<String, Json> = route
        .answers
        .iter()
        .map(|(status, answer)| (status.to_string(), answer.in_language(language)))
        .collect();
    let closed: &[u16] = if route.needs == Needs::Nothing { &[] } else { &CLOSED };
    let slow: &[u16] = if route.body.is_some() { &[408] } else { &[] };
    for status in ANY.iter().chain(closed).chain(slow).chain(route.refusals) {
        responses.insert(status.to_string(), json!({ "$ref": "#/components/responses/Problem" }));
    }
    let security = match route.needs {
        Needs::Nothing => json!([]),
        _ => json!([{ "token": [] }, { "session": [] }]),
    };
    let parameters: Vec<Json> = route.parameters.iter().map(|one| one.in_language(language)).collect();
    let mut operation = json!({
        "operationId": route.operation,
        "summary": route.summary.in_language(language),
        "tags": [route.tag],
        "x-needs": needs(&route.needs).in_language(language),
        "security": security,
        "parameters": parameters,
        "responses": responses,
    });
    if let Some(body) = &route.body {
        operation["requestBody"] = body.clone();
    }
    operation
}

/// The requirement on the caller.
fn needs(needs: &Needs) -> Message {
    match needs {
        Needs::Nothing => message!(api::NEEDS_NOTHING),
        Needs::SignedIn => message!(api::NEEDS_SIGNED_IN),
        Needs::Role(system, role) => message!(api::NEEDS_ROLE, role.message(), system_message(system)),
        Needs::Metrics => message!(api::NEEDS_METRICS),
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
            "current": { "type": "object", "description": "The stored state, when another change was faster." },
            "sent": { "type": "object", "description": "The body of the refused request, beside `current`." },
            "merged": { "type": "object", "description": "Both in one, and the conflicts." },
        },
        "required": ["type", "title", "status", "code", "detail", "traceId"],
        "additionalProperties": false,
    })
}
