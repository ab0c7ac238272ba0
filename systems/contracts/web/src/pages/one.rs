//! A contract: its versions and its referrers.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use hansang_contracts::{ContractRegistry as _, Header, Referrer, Status};

use super::{Contracts, Row, START, asked_contract, mentioned, of_contract, of_version};
use hansang_access::Role;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ui::frame::{Frame, View, page};

#[derive(Template)]
#[template(path = "contracts/one.html")]
struct One {
    frame: Frame,
    system: String,
    kind: String,
    id: String,
    of_kind: String,
    /// The versions, newest first.
    rows: Vec<Row>,
    latest: Option<String>,
    named_by: Vec<Naming>,
    register: String,
    compare: Option<String>,
    may_edit: bool,
}

/// A version that refers to a contract.
pub(super) struct Naming {
    pub(super) text: String,
    pub(super) wanted: String,
    pub(super) address: String,
}

impl Naming {
    pub(super) fn of(referrer: &Referrer) -> Self {
        Self {
            text: referrer.from.to_string(),
            wanted: referrer.wanted.join(", "),
            address: of_version("version", &referrer.from),
        }
    }
}

pub(super) fn route(contracts: &Contracts) -> Route {
    let needs = contracts.needs(Role::Viewer);
    let contracts = contracts.clone();
    let handler = on(MethodFilter::GET, async move |view: View| show(&contracts, view).await);
    Route::page("/console/contracts/contract", needs, handler)
}

async fn show(contracts: &Contracts, view: View) -> Result<Response, Problem> {
    let (kind, id) = asked_contract(&view.asked())?;
    let headers = contracts.versions(&kind, &id).await?;
    let referrers = contracts.read("referrers", contracts.registry.referrers(&kind, &id)).await?;
    let people = contracts.console.people(mentioned(&headers)).await;
    let frame = contracts.frame(view, &id);
    let one = One {
        system: contracts.name().to_owned(),
        of_kind: format!("{START}?kind={kind}"),
        rows: headers.iter().rev().map(|header| Row::of(&frame.view, header, &people)).collect(),
        latest: latest(&headers).map(|header| header.reference.version.to_string()),
        named_by: referrers.iter().map(Naming::of).collect(),
        register: of_contract("register", &kind, &id),
        compare: (headers.len() > 1).then(|| of_contract("diff", &kind, &id)),
        may_edit: frame.is_editor(contracts.name()),
        kind: kind.to_string(),
        id: id.to_string(),
        frame,
    };
    Ok(page(StatusCode::OK, &one))
}

/// The highest active version of a list in SemVer order.
pub(super) fn latest(headers: &[Header]) -> Option<&Header> {
    headers.iter().rfind(|header| header.status == Status::Active)
}
