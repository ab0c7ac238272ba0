//! Every operation of the API.

use std::sync::Arc;

use hansang_core::{Model, Value};

pub(crate) mod access;
mod batch;
mod bulk;
mod changes;
pub(crate) mod contracts;
pub(crate) mod entry;
mod patterns;
mod ports;
mod records;
mod server;

use crate::app::{App, Calls};
use crate::route::{Needs, Route};
use crate::{Role, System, Verbs};

use contracts::Contracts;
use entry::Entries;

pub(crate) use bulk::{Sum, record_of, store_records};

pub use ports::Lent;

pub(crate) use access::{routes as of_access, session_cookie, set_up, sign_in, sign_out};
pub(crate) use ports::routes as of_ports;
pub(crate) use server::{METRICS, pages as of_pages, readers_of_metrics, routes as of_server};

/// The operations of a system.
pub(crate) fn of_system(app: &App, system: &System) -> Vec<Route> {
    let mut routes = of_model(&app.calls(&system.db), system.whole());
    if !system.is_open() {
        let writes = Needs::Role(system.name().to_owned(), Role::Editor);
        routes.retain(|route| route.needs != writes);
    }
    let calls = app.calls(&system.db);
    match &system.verbs {
        Verbs::Records => {}
        Verbs::Contracts(registry) => routes.extend(Contracts::new(calls, registry.clone()).routes()),
        Verbs::Entry(door) => routes.extend(Entries::new(app, calls, door.clone()).routes()),
    }
    routes
}

/// The operations on the data of a model. The whole one knows what is not served.
fn of_model(calls: &Calls, whole: &Arc<Model>) -> Vec<Route> {
    let model = calls.db.model().clone();
    let mut routes: Vec<Route> =
        model.entities.iter().flat_map(|entity| records::routes(calls, entity)).collect();
    routes.extend(model.patterns.iter().map(|pattern| patterns::route(calls, pattern)));
    routes.extend(batch::routes(calls));
    routes.extend(bulk::routes(calls, whole));
    routes
}

/// A value of a key as one segment of an address.
pub(crate) fn segment(value: &Value) -> String {
    let text = match value {
        Value::S(text) => text.to_string(),
        Value::N(number) => number.to_string(),
        _ => String::new(),
    };
    percent_encoding::utf8_percent_encode(&text, percent_encoding::NON_ALPHANUMERIC).to_string()
}
