//! The list of versions, by kind and status.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use hansang_contracts::{ContractRegistry as _, Kind, ListAsk, RuleScope, Status, rule_of};
use hansang_core::Error;

use super::{Contracts, Row, START, mentioned, rule, status_name};
use hansang_access::Role;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ui::form::Form;
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::table::{self, Cell, Column, Empty, Sort, Table};

/// The page size.
const PAGE_SIZE: u32 = 50;

#[derive(Template)]
#[template(path = "contracts/list.html")]
struct List {
    frame: Frame,
    system: String,
    doc: String,
    kinds: Vec<Choice>,
    statuses: Vec<Choice>,
    table: Table,
    /// The address of the first page, on any other page.
    first: Option<String>,
    next: Option<String>,
    /// The reason that there is no list.
    message: Option<String>,
    register: String,
    may_edit: bool,
    /// The compatibility rule that counts, and the form that changes it.
    rule: String,
    change_rule: Option<String>,
}

/// An option of a filter.
struct Choice {
    text: String,
    address: String,
    current: bool,
}

pub(super) fn route(contracts: &Contracts) -> Route {
    let needs = contracts.needs(Role::Viewer);
    let contracts = contracts.clone();
    Route::page(START, needs, on(MethodFilter::GET, async move |view: View| show(&contracts, view).await))
}

/// The filters in the query.
struct Asked {
    kind: Option<Kind>,
    status: Option<Status>,
    cursor: Option<String>,
}

impl Asked {
    fn of(asked: &Form) -> Result<Self, Error> {
        let given = |name: &str| Some(asked.text(name)).filter(|text| !text.is_empty());
        Ok(Self {
            kind: given("kind").map(str::parse).transpose()?,
            status: given("status").map(str::parse).transpose()?,
            cursor: given("cursor").map(str::to_owned),
        })
    }

    /// The same filters on the first page.
    fn again(&self) -> Self {
        Self { kind: self.kind.clone(), status: self.status, cursor: None }
    }

    /// The address of this page of the list.
    fn address(&self) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(self.kind.iter().map(|kind| ("kind", kind.as_str())));
        query.extend_pairs(self.status.iter().map(|status| ("status", status.name())));
        query.extend_pairs(self.cursor.iter().map(|cursor| ("cursor", cursor)));
        let query = query.finish();
        if query.is_empty() { START.to_owned() } else { format!("{START}?{query}") }
    }
}

async fn show(contracts: &Contracts, view: View) -> Result<Response, Problem> {
    let mut asked = Asked::of(&view.asked())?;
    let mut kinds = contracts.read("kinds", contracts.registry.kinds()).await?;
    if let Some(kind) = &asked.kind
        && !kinds.contains(kind)
    {
        kinds.push(kind.clone());
    }
    asked.kind = asked.kind.or_else(|| kinds.first().cloned());
    let (mut rows, mut next, mut message, mut status) = (Vec::new(), None, None, StatusCode::OK);
    if let Some(kind) = &asked.kind {
        let ask = ListAsk { status: asked.status, limit: Some(PAGE_SIZE), cursor: asked.cursor.clone() };
        match contracts.read("list", contracts.registry.list(kind, &ask)).await {
            Ok(mut found) => {
                found.headers.sort_by(|one, other| one.reference.cmp(&other.reference));
                let people = contracts.console.people(mentioned(&found.headers)).await;
                rows = found.headers.iter().map(|header| Row::of(&view, header, &people)).collect();
                let mut unreadable = found.unreadable.into_iter().map(hansang_core::Error::from);
                message = unreadable.next().map(|error| view.sentence(&error.message));
                next = found.next;
            }
            Err(error) => {
                let problem = Problem::from(error);
                message = Some(view.sentence(&problem.message));
                status = problem.status;
            }
        }
    }
    let scope = asked.kind.clone().map_or(RuleScope::All, RuleScope::Kind);
    let (rule, _) = contracts.read("rule", rule_of(&*contracts.registry, scope.clone())).await?;
    let frame = contracts.frame(view, contracts.name());
    let is_admin = frame.view.role_in(contracts.name()) == Some(Role::Admin);
    let list = List {
        system: contracts.name().to_owned(),
        doc: contracts.calls.db.model().doc.in_language(frame.view.language).to_owned(),
        statuses: statuses(&frame.view, &asked),
        table: table(&frame.view, &rows, asked.cursor.is_some() || next.is_some()),
        first: asked.cursor.is_some().then(|| asked.again().address()),
        next: next.map(|next| Asked { cursor: Some(next), ..asked.again() }.address()),
        message,
        register: register(asked.kind.as_ref()),
        may_edit: frame.is_editor(contracts.name()),
        rule: rule::name(&frame.view, rule),
        change_rule: is_admin.then(|| rule::address(&scope)),
        kinds: kinds.into_iter().map(|kind| choice(kind, &asked)).collect(),
        frame,
    };
    Ok(page(status, &list))
}

/// The versions as a table.
fn table(view: &View, rows: &[Row], partial: bool) -> Table {
    let columns = vec![
        Column::new("contract", view.say("Contract", "계약"), table::Kind::Text).sortable(),
        Column::new("version", view.say("Version", "버전"), table::Kind::Link),
        Column::new("status", view.say("Status", "상태"), table::Kind::Tag).sortable(),
        Column::new("checksum", view.say("Checksum", "체크섬"), table::Kind::Code),
        Column::new("by", view.say("Registered by", "등록자"), table::Kind::Text).sortable(),
        Column::new("at", view.say("Registered", "등록 일시"), table::Kind::Time).sortable(),
    ];
    let row = |row: &Row| table::Row {
        key: row.address.clone(),
        link: Some(row.contract.clone()),
        cells: vec![
            Cell::text(&row.id),
            Cell::Link(row.version.clone(), row.address.clone()),
            Cell::tag(row.badge.text, row.badge.class),
            Cell::Code(row.checksum.clone()),
            Cell::text(&row.created_by),
            Cell::time(row.created.clone()),
        ],
    };
    let mut table = Table {
        name: "contracts/versions".to_owned(),
        label: view.say("Versions", "버전").to_owned(),
        rows: rows.iter().map(row).collect(),
        sort: Sort::asked(view, &columns),
        columns,
        partial,
        empty: Empty {
            icon: "contract",
            title: view.say("No versions", "버전이 없습니다").to_owned(),
            text: view
                .say(
                    "No version of this kind has this status. Choose another kind or status.",
                    "이 종류와 상태에 맞는 버전이 없습니다. 다른 종류나 상태를 선택하세요.",
                )
                .to_owned(),
            action: None,
        },
        ..Table::default()
    };
    table.sort_rows();
    table
}

fn choice(kind: Kind, asked: &Asked) -> Choice {
    let (text, current) = (kind.to_string(), asked.kind.as_ref() == Some(&kind));
    Choice { text, current, address: Asked { kind: Some(kind), ..asked.again() }.address() }
}

fn statuses(view: &View, asked: &Asked) -> Vec<Choice> {
    let all = [None].into_iter().chain(Status::ALL.map(Some));
    let choice = |status: Option<Status>| Choice {
        text: status
            .map_or(view.say("Any status", "모든 상태"), |status| status_name(view, status))
            .to_owned(),
        address: Asked { status, ..asked.again() }.address(),
        current: status == asked.status,
    };
    all.map(choice).collect()
}

/// The address of the registration form, for the selected kind.
fn register(kind: Option<&Kind>) -> String {
    match kind {
        Some(kind) => super::address("register", &[("kind", kind.as_str())]),
        None => format!("{START}/register"),
    }
}
