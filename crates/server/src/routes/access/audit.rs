//! The audit log: for administrators.

use axum::Json as Body;
use axum::http::Method;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodFilter, on};
use hansang_core::{Error, message};
use jiff::civil::Date;
use serde_json::{Value as Json, json};

use super::tokens::{page, page_schema, paging, paging_parameters};
use super::{administrators, object_schema, route};
use crate::app::{App, Caller};
use crate::messages;
use crate::messages::api;
use hansang_access::{AuditEntry, AuditVia};
use hansang_http::HttpCode;
use hansang_http::input::Parameters;
use hansang_http::problem::Problem;
use hansang_http::route::{Route, json_answer, query_parameter};

pub(super) fn route_of(app: &App) -> Route {
    let app = app.clone();
    // They are parts of keys.
    let text = json!({ "type": "string", "pattern": r"^[^#\u0000-\u001f\u007f-\u009f]+$" });
    let day = json!({ "type": "string", "format": "date" });
    let mut parameters = vec![
        query_parameter("day", false, day, message!(api::OF_DAY)),
        query_parameter("actor", false, text.clone(), message!(api::OF_ACTOR)),
        query_parameter("system", false, text, message!(api::OF_SYSTEM)),
    ];
    parameters.extend(paging_parameters());
    Route {
        parameters,
        answers: vec![(200, json_answer(message!(api::NEWEST_FIRST), page_schema(&entry_schema())))],
        refusals: &[],
        handler: on(MethodFilter::GET, async move |_: Caller, asked: Parameters| list(&app, asked).await),
        ..route(Method::GET, "audit", "audit", message!(api::AUDIT), administrators())
    }
}

async fn list(app: &App, mut asked: Parameters) -> Result<Response, Problem> {
    let access = app.access();
    let by = (asked.take("day"), asked.take("actor"), asked.take("system"));
    let paging = paging(asked)?;
    let entries = match by {
        (Some(day), None, None) => {
            let day: Date = day
                .parse()
                .map_err(|_| Error::invalid(HttpCode::InvalidParameter, message!(messages::NOT_A_DAY)))?;
            access.audit_of_day(day, paging).await?
        }
        (None, Some(actor), None) => access.audit_of_actor(&actor, paging).await?,
        (None, None, Some(system)) => access.audit_of_system(&system, paging).await?,
        _ => {
            let message = message!(messages::ONE_AUDIT_FILTER);
            return Err(Error::invalid(HttpCode::InvalidParameter, message).into());
        }
    };
    Ok(Body(page(&entries, entry_json)).into_response())
}

fn entry_json(entry: &AuditEntry) -> Json {
    json!({
        "id": entry.id,
        "at": entry.at.to_string(),
        "actor": entry.actor,
        "actorName": entry.actor_name,
        "via": via(entry.via),
        "viaId": entry.via_id,
        "system": entry.system,
        "operation": entry.operation,
        "subject": entry.subject,
        "keys": entry.keys,
        "detail": entry.detail,
        "address": entry.address,
        "traceId": entry.trace,
        "outcome": entry.outcome.name(),
        "code": entry.code,
        "ended": entry.ended.map(|ended| ended.to_string()),
    })
}

fn via(via: AuditVia) -> &'static str {
    match via {
        AuditVia::Session => "session",
        AuditVia::Token => "token",
        AuditVia::Oidc => "oidc",
        AuditVia::Nothing => "nothing",
    }
}

fn entry_schema() -> Json {
    let text = json!({ "type": "string" });
    let perhaps = json!({ "type": ["string", "null"] });
    let names = [
        "id",
        "at",
        "actor",
        "actorName",
        "via",
        "viaId",
        "system",
        "operation",
        "subject",
        "detail",
        "address",
        "traceId",
        "outcome",
        "code",
        "ended",
    ];
    let absent = ["viaId", "subject", "detail", "code", "ended"];
    let mut properties: serde_json::Map<String, Json> = names
        .iter()
        .map(|name| ((*name).to_owned(), if absent.contains(name) { perhaps.clone() } else { text.clone() }))
        .collect();
    properties.insert("keys".to_owned(), json!({ "type": "array", "items": { "type": "string" } }));
    object_schema(properties.into(), &[&names[..], &["keys"]].concat())
}
