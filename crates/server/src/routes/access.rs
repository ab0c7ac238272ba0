//! Sessions, accounts, tokens and the audit log.

use axum::http::Method;
use serde_json::{Value as Json, json};

use crate::app::App;
use hansang_access::{EVERYWHERE, Grants, Role};
use hansang_core::Message;
use hansang_http::route::{Needs, Route};

mod accounts;
mod audit;
mod sessions;
mod tokens;

pub(crate) use accounts::{
    change_account, create_account, delete_account, set_password, sign_out_everywhere,
};
pub(crate) use sessions::{change_password, session_cookies, set_up, sign_in, sign_out};
pub(crate) use tokens::{create_token, revoke_token};

/// The operations of access control.
pub(crate) fn routes(app: &App) -> Vec<Route> {
    let mut routes = sessions::routes(app);
    routes.extend(tokens::routes(app));
    routes.extend(accounts::routes(app));
    routes.push(audit::route_of(app));
    routes.push(super::bulk::backup_of_access(app));
    routes
}

/// The requirement of administration: administrators of every system.
pub(crate) fn administrators() -> Needs {
    Needs::Role(EVERYWHERE.to_owned(), Role::Admin)
}

/// An operation; the caller adds parameters and responses.
fn route(method: Method, path: &str, operation: &str, summary: Message, needs: Needs) -> Route {
    Route {
        method,
        path: format!("/api/access/{path}"),
        operation: format!("access.{operation}"),
        summary,
        tag: "access".to_owned(),
        needs,
        parameters: Vec::new(),
        body: None,
        answers: Vec::new(),
        refusals: &[409, 413, 415],
        streams: false,
        max_body: None,
        handler: axum::routing::MethodRouter::new(),
    }
}

fn grants_json(grants: &Grants) -> Json {
    grants.0.iter().map(|(system, role)| (system.clone(), Json::from(role.name()))).collect()
}

fn grants_schema() -> Json {
    let roles: Vec<&str> = Role::ALL.iter().map(|role| role.name()).collect();
    json!({
        "type": "object",
        "description": "The role in each system; `*` stands for every one.",
        "propertyNames": { "pattern": "^(?:\\*|[a-z0-9][a-z0-9-]{0,63})$" },
        "additionalProperties": { "enum": roles },
    })
}

fn login_schema() -> Json {
    json!({ "type": "string", "pattern": "^[A-Za-z0-9][A-Za-z0-9._@+-]{0,127}$" })
}

fn name_schema() -> Json {
    json!({ "type": "string", "minLength": 1, "maxLength": 80 })
}

fn object_schema(properties: Json, required: &[&str]) -> Json {
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}
