//! Every operation of the API.

use std::sync::Arc;

use hansang_core::Model;
use hansang_core::model::Entity;

pub(crate) mod access;
mod batch;
pub(crate) mod bulk;
mod changes;
mod patterns;
mod ports;
mod records;
mod server;

use crate::Service;
use crate::app::{App, Calls};
use hansang_http::route::Route;

pub(crate) use bulk::{Sum, is_refusal, record_of, store_in_order};

pub use ports::Lent;

pub(crate) use access::{routes as of_access, session_cookies, set_up, sign_in, sign_out};
pub(crate) use ports::{MAX_PORT_BODY, is_port, routes as of_ports};
pub(crate) use server::{METRICS, pages as of_pages, readers_of_metrics, routes as of_server};

/// The operations of a service.
pub(crate) fn of_service(app: &App, service: &dyn Service) -> Vec<Route> {
    let db = service.db();
    let calls = app.calls(db).reserving(service.reserved());
    let mut routes = of_model(&calls, service.whole_model());
    if !service.has_generic_writes() {
        routes.retain(is_read);
    }
    routes.extend(service.routes(app));
    routes
}

/// Whether a generic operation only reads. One of them has a body, so it is a POST.
fn is_read(route: &Route) -> bool {
    route.method.is_safe() || route.path.ends_with(batch::BATCH_GET)
}

/// The operations on the records of an entity: reads alone, if its system writes them.
fn of_entity(calls: &Calls, entity: &Arc<Entity>) -> Vec<Route> {
    let mut routes = records::routes(calls, entity);
    if calls.db.is_closed(&entity.name) {
        routes.retain(is_read);
    }
    routes
}

/// The operations on the data of a model. The whole model knows the private entities.
fn of_model(calls: &Calls, whole: &Arc<Model>) -> Vec<Route> {
    let model = calls.db.model().clone();
    let mut routes: Vec<Route> = model.entities.iter().flat_map(|entity| of_entity(calls, entity)).collect();
    routes.extend(model.patterns.iter().map(|pattern| patterns::route(calls, pattern)));
    routes.extend(batch::routes(calls));
    routes.extend(bulk::routes(calls, whole));
    routes.push(bulk::backup_of_model(calls));
    routes
}
