//! Accounts: the list, and the form to create one.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect};
use axum::routing::{MethodFilter, on};
use hansang_core::Error;

use super::roles::{self, Mark};
use super::{ACCOUNTS, Shown, Tab, paging, refusal, tabs};
use crate::app::Caller;
use crate::console::Console;
use crate::routes::access::{administrators, create_account};
use hansang_access::{Account, NewAccount, Secret};
use hansang_access::{Grants, Role};
use hansang_http::input::Parameters;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ui::form::{Field, Form, Input, Problems};
use hansang_ui::frame::{Frame, Section, View, page};
use hansang_ui::notice;
use hansang_ui::page::{Moment, Pager};
use hansang_ui::table::{Cell, Column, Empty, Kind, Row, Sort, Table};

mod delete;
mod one;

#[derive(Template)]
#[template(path = "console/settings/accounts.html")]
struct Accounts {
    frame: Frame,
    tabs: Vec<Tab>,
    table: Table,
}

#[derive(Template)]
#[template(path = "console/settings/new_account.html")]
struct New {
    frame: Frame,
    tabs: Vec<Tab>,
    fields: Vec<Field>,
    roles: Vec<Field>,
    problems: Problems,
}

/// An account as pages show it.
struct Facts {
    id: String,
    login: String,
    name: String,
    roles: Vec<Mark>,
    disabled: bool,
    version: i64,
    created: Moment,
    updated: Moment,
    /// Whether it is the visitor's own.
    own: bool,
}

impl Facts {
    fn of(console: &Console, view: &View, account: &Account) -> Self {
        Self {
            id: account.id.clone(),
            login: account.login.clone(),
            name: account.name.clone(),
            roles: roles::marks(console, view, &account.grants),
            disabled: account.disabled,
            version: account.version,
            created: view.time(account.created),
            updated: view.time(account.updated),
            own: view.identity.as_ref().is_some_and(|identity| identity.id == account.id),
        }
    }
}

pub(super) fn routes(console: &Console) -> Vec<Route> {
    let (list, blank, create) = (console.clone(), console.clone(), console.clone());
    vec![
        Route::page(
            ACCOUNTS,
            administrators(),
            on(MethodFilter::GET, async move |view: View, mut asked: Parameters| {
                show(&list, view, asked.take("cursor")).await
            }),
        ),
        Route::page(
            "/console/settings/accounts/new",
            administrators(),
            on(MethodFilter::GET, async move |view: View| {
                form(&blank, view, StatusCode::OK, &Form::default(), Problems::default())
            })
            .on(MethodFilter::POST, async move |caller: Caller, view: View, sent: Form| {
                make(&create, &caller, view, &sent).await
            }),
        ),
        one::route(console),
        delete::route(console),
    ]
}

/// The address of an account's page.
fn address(id: &str) -> String {
    let id = percent_encoding::utf8_percent_encode(id, percent_encoding::NON_ALPHANUMERIC);
    format!("{ACCOUNTS}/{id}")
}

async fn show(console: &Console, view: View, cursor: Option<String>) -> Shown {
    let accounts = console.app.access().accounts(paging(cursor)).await?;
    let title = view.say("Accounts", "계정").to_owned();
    let frame = console.frame(view, &title, Section::Settings);
    let rows =
        accounts.items.iter().map(|account| row(&frame.view, &Facts::of(console, &frame.view, account)));
    let table = table(&frame.view, rows.collect(), Pager::of(&accounts, ACCOUNTS));
    Ok(page(StatusCode::OK, &Accounts { tabs: tabs(&frame, ACCOUNTS), table, frame }))
}

/// The accounts as a table. The list is read by login.
fn table(view: &View, rows: Vec<Row>, pages: Pager) -> Table {
    let columns = vec![
        Column::new("login", view.say("Login", "아이디"), Kind::Text),
        Column::new("name", view.say("Name", "이름"), Kind::Text),
        Column::new("state", view.say("State", "상태"), Kind::Tag),
        Column::new("roles", view.say("Roles", "권한"), Kind::Tag),
        Column::new("created", view.say("Created", "생성 일시"), Kind::Time).hidden(),
        Column::new("updated", view.say("Updated", "수정 일시"), Kind::Time),
    ];
    let columns: Vec<Column> = columns.into_iter().map(Column::sortable).collect();
    let mut table = Table {
        name: "settings/accounts".to_owned(),
        label: view.say("Accounts", "계정").to_owned(),
        rows,
        sort: Sort::asked(view, &columns),
        columns,
        partial: pages.any(),
        empty: Empty {
            icon: "users",
            title: view.say("No accounts on this page", "이 페이지에는 계정이 없습니다").to_owned(),
            text: view.say("Go back to the first page.", "첫 페이지로 돌아가세요.").to_owned(),
            action: Some((view.say("First page", "첫 페이지").to_owned(), ACCOUNTS.to_owned())),
        },
        pages: Some(pages),
        ..Table::default()
    };
    table.sort_rows();
    table
}

fn row(view: &View, facts: &Facts) -> Row {
    let state = match facts.disabled {
        true => (view.say("Disabled", "사용 중지").to_owned(), "bad"),
        false => (view.say("Active", "사용 중").to_owned(), "good"),
    };
    let own = facts.own.then(|| (view.say("You", "나").to_owned(), ""));
    Row {
        key: facts.id.clone(),
        link: Some(address(&facts.id)),
        cells: vec![
            Cell::text(&facts.login),
            Cell::text(&facts.name),
            Cell::Tags([state].into_iter().chain(own).collect()),
            roles::cell(view, &facts.roles),
            Cell::Time(facts.created.clone()),
            Cell::Time(facts.updated.clone()),
        ],
    }
}

fn form(console: &Console, view: View, status: StatusCode, sent: &Form, problems: Problems) -> Shown {
    let login = Field {
        hint: view.say("Letters, digits and . _ @ + -", "영문자, 숫자와 . _ @ + -").to_owned(),
        ..Field::text("login", view.say("Login", "아이디"))
    };
    let shown = |field: Field| field.sent(sent, &problems);
    let fields = vec![shown(login), shown(name_field(&view)), password_field(&view, &problems)];
    let systems = roles::systems(console, &Grants::default());
    let roles = roles::fields(console, &view, &systems, &Grants::default(), |_| Some(Role::Admin));
    let roles = roles.into_iter().map(shown).collect();
    let title = view.say("New account", "새 계정").to_owned();
    let frame = console.frame(view, &title, Section::Settings);
    let tabs = tabs(&frame, ACCOUNTS);
    Ok(page(status, &New { frame, tabs, fields, roles, problems }))
}

fn name_field(view: &View) -> Field {
    Field::text("name", view.say("Name", "이름"))
}

/// The password that an administrator sets. It is never sent back in a page.
fn password_field(view: &View, problems: &Problems) -> Field {
    let field = Field {
        hint: view.say("At least 10 characters", "10자 이상").to_owned(),
        autocomplete: "new-password",
        input: Input::Password,
        ..Field::text("password", view.say("Password", "비밀번호"))
    };
    field.sent(&Form::default(), problems)
}

async fn make(console: &Console, caller: &Caller, view: View, sent: &Form) -> Shown {
    let made = async {
        let text = |name: &str| sent.text(name).trim().to_owned();
        let password = Secret::new(sent.text("password"));
        let new =
            NewAccount { login: text("login"), name: text("name"), password, grants: roles::chosen(sent)? };
        create_account(&console.app, caller, new).await
    };
    match made.await {
        Ok(account) => Ok(Redirect::to(&notice::CREATED.at(&address(&account.id))).into_response()),
        Err(error) => refused(console, view, sent, error),
    }
}

fn refused(console: &Console, view: View, sent: &Form, error: Error) -> Shown {
    let (status, problems) = refusal(&view, &Problem::from(error), &["login", "name", "password"]);
    form(console, view, status, sent, problems)
}
