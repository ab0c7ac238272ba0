//! The console pages of the registry.
//!
//! Reads go through the server's cache, so a page shows what runtimes get. The status of a version is read from the
//! store, because another server may have changed it.

use std::sync::Arc;

use hansang_contracts::messages::errors;
use hansang_contracts::{
    Cached, ContractCode, ContractError, ContractRef, ContractRegistry as _, Header, Kind, Status,
};
use hansang_core::{Db, Error, message};

use crate::api::Contracts as Verbs;
use hansang_access::Role;
use hansang_core::message::Language;
use hansang_http::problem::Problem;
use hansang_http::route::{Needs, Route};
use hansang_server::Calls;
use hansang_server::Console;
use hansang_server::People;
use hansang_ui::form::Form;
use hansang_ui::frame::{Frame, Section, Tab, View};
use hansang_ui::language::sentence;
use hansang_ui::page::Moment;

mod cache;
mod diff;
mod exceptions;
mod list;
mod moves;
mod one;
mod register;
mod rule;
mod seed;
mod text;
mod version;

/// The path of the pages.
const START: &str = "/console/contracts";

/// The pages of the registry.
#[derive(Clone)]
struct Contracts {
    console: Console,
    calls: Calls,
    registry: Arc<Cached>,
    /// The operations, shared with the API.
    verbs: Verbs,
}

/// Every page of the registry.
pub(crate) fn routes(console: &Console, db: &Db, registry: &Arc<Cached>) -> Vec<Route> {
    let calls = console.calls(db);
    let contracts = Contracts {
        console: console.clone(),
        verbs: Verbs::new(calls.clone(), registry.clone()),
        calls,
        registry: registry.clone(),
    };
    let mut routes = vec![
        list::route(&contracts),
        one::route(&contracts),
        version::route(&contracts),
        diff::route(&contracts),
        register::route(&contracts),
        seed::route(&contracts),
        rule::route(&contracts),
    ];
    routes.extend(cache::routes(&contracts));
    routes.extend(moves::routes(&contracts));
    routes
}

/// The tabs that a visitor can open.
pub(crate) fn tabs(view: &View, system: &str) -> Vec<Tab> {
    let mut tabs = vec![
        (START, view.say("Contracts", "계약"), "contracts"),
        ("/console/contracts/cache", view.say("Cache", "캐시"), "cache"),
    ];
    if view.role_in(system) >= Some(Role::Editor) {
        tabs.push(("/console/contracts/seed", view.say("Seed", "시드"), "seed"));
    }
    tabs
}

impl Contracts {
    fn name(&self) -> &str {
        &self.calls.db.model().name
    }

    fn frame(&self, view: View, title: &str) -> Frame {
        self.console.frame(view, title, Section::System(self.name().to_owned()))
    }

    fn needs(&self, role: Role) -> Needs {
        Needs::Role(self.name().to_owned(), role)
    }

    /// All versions of a contract, and an error if there is none.
    async fn versions(&self, kind: &Kind, id: &str) -> Result<Vec<Header>, Error> {
        let headers = self.read("versions", self.registry.versions(kind, id)).await?;
        if headers.is_empty() {
            let message = message!(errors::NOT_FOUND, format!("{kind}:{id}"));
            return Err(Error::not_found(ContractCode::ContractNotFound, message));
        }
        Ok(headers)
    }

    /// Reads from the registry, and counts the read.
    async fn read<T>(
        &self,
        operation: &str,
        read: impl Future<Output = Result<T, ContractError>>,
    ) -> Result<T, Error> {
        self.calls.measured(operation, async { read.await.map_err(Error::from) }).await
    }
}

/// All authors in headers.
fn mentioned(headers: &[Header]) -> impl Iterator<Item = &str> {
    let created = headers.iter().filter_map(|header| header.created_by.as_deref());
    created.chain(headers.iter().filter_map(|header| Some(&*header.status_changed.as_ref()?.by)))
}

/// A status as a badge.
struct Badge {
    text: &'static str,
    class: &'static str,
}

impl Badge {
    fn of(view: &View, status: Status) -> Self {
        let class = match status {
            Status::Draft => "info",
            Status::Active => "good",
            Status::Deprecated => "warn",
        };
        Self { text: status_name(view, status), class }
    }
}

fn status_name(view: &View, status: Status) -> &'static str {
    match status {
        Status::Draft => view.say("Draft", "초안"),
        Status::Active => view.say("Active", "활성"),
        Status::Deprecated => view.say("Deprecated", "사용 중단"),
    }
}

/// A version as a row of a list.
struct Row {
    id: String,
    version: String,
    badge: Badge,
    checksum: String,
    created: Option<Moment>,
    created_by: String,
    /// The address of its contract.
    contract: String,
    /// Its address.
    address: String,
}

impl Row {
    fn of(view: &View, header: &Header, people: &People) -> Self {
        let ContractRef { kind, id, version } = &header.reference;
        Self {
            id: id.to_string(),
            version: version.to_string(),
            badge: Badge::of(view, header.status),
            checksum: short(&header.checksum),
            created: header.created_at.map(|at| view.time(at)),
            created_by: header.created_by.as_deref().map(|id| people.name(id)).unwrap_or_default(),
            contract: of_contract("contract", kind, id),
            address: of_version("version", &header.reference),
        }
    }
}

/// The first digits of a checksum.
fn short(checksum: &str) -> String {
    checksum.strip_prefix("sha256:").unwrap_or(checksum).chars().take(12).collect()
}

/// The address of a page about a contract. The id is in the query, because it may contain slashes.
fn of_contract(page: &str, kind: &Kind, id: &str) -> String {
    address(page, &[("kind", kind.as_str()), ("id", id)])
}

/// The address of a contract.
pub(crate) fn contract_address(kind: &Kind, id: &str) -> String {
    of_contract("contract", kind, id)
}

/// The address of a page about a version.
fn of_version(page: &str, reference: &ContractRef) -> String {
    let ContractRef { kind, id, version } = reference;
    address(page, &[("kind", kind.as_str()), ("id", id), ("version", &version.to_string())])
}

fn address(page: &str, pairs: &[(&str, &str)]) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(pairs);
    format!("{START}/{page}?{}", query.finish())
}

/// The contract in a query.
fn asked_contract(asked: &Form) -> Result<(Kind, Arc<str>), Error> {
    Ok((asked.text("kind").parse()?, hansang_contracts::contract_id(asked.text("id"))?))
}

/// The version in a query.
fn asked_version(asked: &Form) -> Result<ContractRef, Error> {
    ContractRef::new(asked.text("kind"), asked.text("id"), asked.text("version"))
}

/// The version in a form, without surrounding spaces.
fn typed_version(sent: &Form) -> Result<ContractRef, Error> {
    let [kind, id, version] = ["kind", "id", "version"].map(|name| sent.text(name).trim());
    ContractRef::new(kind, id, version)
}

/// The problems, one sentence per field.
fn sentences(problem: &Problem, language: Language) -> Vec<String> {
    if problem.violations.is_empty() {
        return vec![sentence(language, &problem.message)];
    }
    problem.violations.iter().map(|one| sentence(language, one.message())).collect()
}
