//! One version: its spec, integrity, references and referrers.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use hansang_contracts::{
    Contract, ContractCode, ContractRef, ContractRegistry as _, Header, Referrer, Status, StatusChange,
    Wanted,
};
use hansang_core::Error;
use hansang_core::value::json::item_to_plain;

use super::one::{Naming, latest};
use super::{
    Badge, Contracts, People, START, asked_version, mentioned, of_contract, of_version, status_name,
};
use hansang_access::Role;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::page::Moment;

mod names;

use names::{Named, names};

#[derive(Template)]
#[template(path = "contracts/version.html")]
struct Version {
    frame: Frame,
    system: String,
    kind: String,
    id: String,
    version: String,
    of_kind: String,
    contract: String,
    here: String,
    facts: Option<Facts>,
    /// The spec, if it can be trusted.
    spec: Option<String>,
    /// The reason that it is not served.
    broken: Option<String>,
    names: Vec<Named>,
    /// Invalid references.
    misnamed: Vec<String>,
    named_by: Vec<Naming>,
    /// The status changes, newest first.
    history: Vec<Past>,
    /// The other versions, and whether each is the default of a comparison.
    others: Vec<(String, bool)>,
    diff: &'static str,
    moves: Vec<Move>,
    again: String,
    may_edit: bool,
}

/// The header of a version.
struct Facts {
    badge: Badge,
    is_latest: bool,
    checksum: String,
    created: Option<Moment>,
    created_by: Option<String>,
    changed: Option<(Moment, String)>,
}

/// A status change that was made.
struct Past {
    at: Moment,
    by: String,
    from: Option<&'static str>,
    to: Badge,
    reason: Option<String>,
}

/// A status change that is possible.
struct Move {
    label: &'static str,
    address: String,
    class: &'static str,
}

pub(super) fn route(contracts: &Contracts) -> Route {
    let needs = contracts.needs(Role::Viewer);
    let contracts = contracts.clone();
    let handler = on(MethodFilter::GET, async move |view: View| show(&contracts, view).await);
    Route::page("/console/contracts/version", needs, handler)
}

async fn show(contracts: &Contracts, view: View) -> Result<Response, Problem> {
    let reference = asked_version(&view.asked())?;
    let fetched = contracts.read("fetch", contracts.registry.fetch(&reference)).await;
    let (contract, broken) = match fetched {
        Ok(contract) => (Some(contract), None),
        Err(error) if is_broken(&error) => (None, Some(Problem::from(error))),
        Err(error) => return Err(error.into()),
    };
    let headers = headers(contracts, &reference).await?;
    let read = headers.iter().find(|header| header.reference == reference);
    let header = read.or(contract.as_deref().map(|contract| &contract.header));
    let changes = match &contract {
        Some(_) => contracts.read("history", contracts.registry.history(&reference)).await?,
        None => Vec::new(),
    };
    let authors = changes.iter().map(|change| &*change.by);
    let authors = header.into_iter().map(std::slice::from_ref).flat_map(mentioned).chain(authors);
    let people = contracts.console.people(authors).await;
    let referrers = contracts.registry.referrers(&reference.kind, &reference.id);
    let referrers = contracts.read("referrers", referrers).await?;
    let (names, misnamed) = match &contract {
        Some(contract) => names(contracts, contract, &view).await?,
        None => (Vec::new(), Vec::new()),
    };
    let frame = contracts.frame(view, &format!("{} {}", reference.id, reference.version));
    let view = &frame.view;
    let may_edit = frame.is_editor(contracts.name());
    let status = broken.as_ref().map_or(StatusCode::OK, |problem| problem.status);
    let version = Version {
        system: contracts.name().to_owned(),
        kind: reference.kind.to_string(),
        id: reference.id.to_string(),
        version: reference.version.to_string(),
        of_kind: format!("{START}?kind={}", reference.kind),
        contract: of_contract("contract", &reference.kind, &reference.id),
        here: of_version("version", &reference),
        facts: header.map(|header| facts(view, header, &headers, &people)),
        spec: contract.as_deref().map(spec),
        broken: broken.map(|problem| view.sentence(&problem.message)),
        names,
        misnamed,
        named_by: referrers.iter().filter(|one| wants(one, &reference)).map(Naming::of).collect(),
        history: changes.iter().rev().map(|change| past(view, change, &people)).collect(),
        others: others(&headers, &reference),
        diff: "/console/contracts/diff",
        moves: match (&contract, header) {
            (Some(_), Some(header)) if may_edit => vec![next_move(view, header)],
            _ => Vec::new(),
        },
        again: of_version("register", &reference),
        may_edit,
        frame,
    };
    Ok(page(status, &version))
}

/// Whether a version exists but cannot be trusted.
fn is_broken(error: &Error) -> bool {
    error.code == ContractCode::ContractCorrupted || error.code == ContractCode::ContractIntegrity
}

/// All versions; none if another one is unreadable, so that this one can still be shown.
async fn headers(contracts: &Contracts, reference: &ContractRef) -> Result<Vec<Header>, Error> {
    let versions = contracts.registry.versions(&reference.kind, &reference.id);
    match contracts.read("versions", versions).await {
        Err(error) if error.code == ContractCode::ContractUnreadable || is_broken(&error) => Ok(Vec::new()),
        read => read,
    }
}

fn facts(view: &View, header: &Header, headers: &[Header], people: &People) -> Facts {
    let changed = header.status_changed.as_ref();
    Facts {
        badge: Badge::of(view, header.status),
        is_latest: latest(headers).is_some_and(|latest| latest.reference == header.reference),
        checksum: header.checksum.clone(),
        created: header.created_at.map(|at| view.time(at)),
        created_by: header.created_by.as_deref().map(|id| people.name(id)),
        changed: changed.map(|changed| (view.time(changed.at), people.name(&changed.by))),
    }
}

fn past(view: &View, change: &StatusChange, people: &People) -> Past {
    Past {
        at: view.time(change.at),
        by: people.name(&change.by),
        from: change.from.map(|from| status_name(view, from)),
        to: Badge::of(view, change.to),
        reason: change.reason.clone(),
    }
}

/// Formats a spec for human readers.
pub(super) fn spec(contract: &Contract) -> String {
    format!("{:#}", item_to_plain(&contract.spec))
}

/// Whether a referrer accepts a version.
pub(super) fn wants(referrer: &Referrer, reference: &ContractRef) -> bool {
    let allows = |wanted: &String| wanted.parse::<Wanted>().is_ok_and(|one| one.allows(&reference.version));
    referrer.wanted.iter().any(allows)
}

/// The other versions, newest first. The one before this is the default of a comparison.
fn others(headers: &[Header], reference: &ContractRef) -> Vec<(String, bool)> {
    let before = headers.iter().rfind(|header| header.reference < *reference);
    let others = headers.iter().rev().filter(|header| header.reference != *reference);
    let chosen = |header: &Header| before.is_some_and(|before| before.reference == header.reference);
    others.map(|header| (header.reference.version.to_string(), chosen(header))).collect()
}

fn next_move(view: &View, header: &Header) -> Move {
    let to = |page: &str| of_version(page, &header.reference);
    match header.status {
        Status::Draft => {
            Move { label: view.say("Promote", "승격"), address: to("promote"), class: "primary" }
        }
        Status::Active => Move {
            label: view.say("Deprecate", "사용 중단"),
            address: to("deprecate"),
            class: "danger-quiet",
        },
        Status::Deprecated => {
            Move { label: view.say("Restore", "다시 활성화"), address: to("restore"), class: "primary" }
        }
    }
}
