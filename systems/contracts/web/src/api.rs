//! The API of the registry of contracts: loads for runtimes, and operations on versions.

use std::sync::Arc;

use axum::http::Method;
use axum::response::Response;
use axum::routing::MethodRouter;
use hansang_contracts::{Cached, ContractError, ContractRef, Kind};
use hansang_core::{Error, Message, Model, message};

use crate::messages as api;
use hansang_access::Role;
use hansang_http::input::PathKey;
use hansang_http::problem::Problem;
use hansang_http::route::{Described, Needs, Route, path_parameter};
use hansang_server::{Caller, Calls};

mod cache;
mod changes;
mod check;
mod compare;
mod condition;
mod cursor;
mod links;
mod output;
mod rules;
mod schema;
mod versions;
mod walk;

pub(crate) use cache::Dropped;
pub(crate) use changes::{Move, who};
pub(crate) use check::{Checked, Unregistered};

/// The result of a handler.
type Responded = Result<Response, Problem>;

/// The served registry. Calls are counted, and changes are recorded in the audit log.
#[derive(Clone)]
pub(crate) struct Contracts {
    calls: Calls,
    registry: Arc<Cached>,
}

impl Contracts {
    /// Serves a registry.
    pub(crate) fn new(calls: Calls, registry: Arc<Cached>) -> Self {
        Self { calls, registry }
    }

    /// The operations. Fixed paths come before paths with parameters.
    pub(crate) fn routes(&self) -> Vec<Route> {
        let mut routes = self.cache_routes();
        routes.push(self.walk_route());
        routes.push(self.check_route());
        routes.extend(self.rule_routes());
        routes.extend(self.compare_routes());
        routes.extend(self.link_routes());
        routes.extend(self.change_routes());
        routes.extend(self.version_routes());
        routes
    }

    /// Reads from the registry.
    async fn read<T>(
        &self,
        operation: &str,
        read: impl Future<Output = Result<T, ContractError>>,
    ) -> Result<T, Error> {
        self.calls.measured(operation, async { Ok(read.await?) }).await
    }

    /// Changes the registry.
    async fn write<T>(
        &self,
        caller: &Caller,
        operation: &str,
        subject: &str,
        write: impl Future<Output = Result<T, ContractError>>,
    ) -> Result<T, Error> {
        self.calls.audited(caller, operation, subject, async { Ok(write.await?) }).await
    }

    fn model(&self) -> &Model {
        self.calls.db.model()
    }

    fn route(&self, method: Method, path: &str, operation: &str, summary: Message, role: Role) -> Route {
        let system = &self.model().name;
        Route {
            method,
            path: format!("/api/{system}/{path}"),
            operation: format!("{system}.{operation}"),
            summary,
            tag: system.to_string(),
            needs: Needs::Role(system.to_string(), role),
            parameters: self.path_parameters(path),
            body: None,
            answers: Vec::new(),
            refusals: &[409, 422],
            streams: false,
            max_body: None,
            handler: MethodRouter::new(),
        }
    }

    fn path_parameters(&self, path: &str) -> Vec<Described> {
        let model = self.model();
        let all = [
            ("kind", schema::any_kind(model), message!(api::KIND)),
            ("id", schema::attribute(model, "id"), message!(api::ID)),
            ("version", schema::attribute(model, "version"), message!(api::VERSION)),
        ];
        let stands = |name: &str| path.split('/').any(|part| part == format!("{{{name}}}"));
        let found = all.into_iter().filter(|(name, ..)| stands(name));
        found.map(|(name, schema, description)| path_parameter(name, schema, description)).collect()
    }
}

/// The version in a path.
fn reference(key: &PathKey) -> Result<ContractRef, Error> {
    ContractRef::new(&key.text("kind"), &key.text("id"), &key.text("version"))
}

/// The contract in a path, without a version.
fn contract(key: &PathKey) -> Result<(Kind, Arc<str>), Error> {
    // A placeholder version, so that all problems are reported at once.
    let ContractRef { kind, id, .. } = ContractRef::new(&key.text("kind"), &key.text("id"), "0.0.0")?;
    Ok((kind, id))
}
