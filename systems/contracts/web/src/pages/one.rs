//! A contract: its versions and its referrers.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use hansang_contracts::{ContractRegistry as _, Header, Referrer, RuleScope, Status, rule_of};

use super::{Contracts, Row, START, asked_contract, mentioned, of_contract, of_version, rule};
use hansang_access::Role;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::table::{self, Cell, Column, Kind, Sort, Table};

#[derive(Template)]
#[template(path = "contracts/one.html")]
struct One {
    frame: Frame,
    system: String,
    kind: String,
    id: String,
    of_kind: String,
    /// The versions, newest first.
    table: Table,
    /// Whether no version is active.
    has_no_latest: bool,
    named_by: Vec<Naming>,
    register: String,
    compare: Option<String>,
    may_edit: bool,
    /// The compatibility rule that counts, and the form that changes it.
    rule: String,
    change_rule: Option<String>,
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
    let scope = RuleScope::Contract(kind.clone(), id.clone());
    let (rule, _) = contracts.read("rule", rule_of(&*contracts.registry, scope.clone())).await?;
    let people = contracts.console.people(mentioned(&headers)).await;
    let frame = contracts.frame(view, &id);
    let latest = latest(&headers).map(|header| header.reference.version.to_string());
    let rows = headers.iter().rev().map(|header| Row::of(&frame.view, header, &people));
    let rows = rows.map(|row| line(&frame.view, row, latest.as_deref())).collect();
    let one = One {
        system: contracts.name().to_owned(),
        of_kind: format!("{START}?kind={kind}"),
        table: table(&frame.view, rows),
        has_no_latest: latest.is_none(),
        named_by: referrers.iter().map(Naming::of).collect(),
        register: of_contract("register", &kind, &id),
        compare: (headers.len() > 1).then(|| of_contract("diff", &kind, &id)),
        may_edit: frame.is_editor(contracts.name()),
        rule: rule::name(&frame.view, rule),
        change_rule: (frame.view.role_in(contracts.name()) == Some(Role::Admin))
            .then(|| rule::address(&scope)),
        kind: kind.to_string(),
        id: id.to_string(),
        frame,
    };
    Ok(page(StatusCode::OK, &one))
}

/// The versions as a table. Their texts do not sort as versions do, so they come in the order of versions.
fn table(view: &View, rows: Vec<table::Row>) -> Table {
    let columns = vec![
        Column::new("version", view.say("Version", "버전"), Kind::Text),
        Column::new("status", view.say("Status", "상태"), Kind::Tag).sortable(),
        Column::new("checksum", view.say("Checksum", "체크섬"), Kind::Code),
        Column::new("by", view.say("Registered by", "등록자"), Kind::Text).sortable(),
        Column::new("at", view.say("Registered", "등록 일시"), Kind::Time).sortable(),
    ];
    let mut table = Table {
        name: "contracts/versions".to_owned(),
        label: view.say("Versions", "버전").to_owned(),
        rows,
        sort: Sort::asked(view, &columns),
        columns,
        ..Table::default()
    };
    table.sort_rows();
    table
}

fn line(view: &View, row: Row, latest: Option<&str>) -> table::Row {
    let mut status = vec![(row.badge.text.to_owned(), row.badge.class)];
    if latest == Some(row.version.as_str()) {
        status.push((view.say("Latest", "최신").to_owned(), ""));
    }
    table::Row {
        key: row.version.clone(),
        link: Some(row.address),
        cells: vec![
            Cell::Text(row.version),
            Cell::Tags(status),
            Cell::Code(row.checksum),
            Cell::text(&row.created_by),
            Cell::time(row.created),
        ],
    }
}

/// The highest active version of a list in SemVer order, without pre-releases.
pub(super) fn latest(headers: &[Header]) -> Option<&Header> {
    let is_latest =
        |header: &&Header| header.status == Status::Active && header.reference.version.pre.is_empty();
    headers.iter().rfind(is_latest)
}
