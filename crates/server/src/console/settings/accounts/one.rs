//! One account: changes, disabling and enabling, and its sessions.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use hansang_core::{CoreCode, Error};

use super::super::{ACCOUNTS, OWN, Shown, Tab, refusal, roles, tabs};
use super::{Facts, address, name_field, password_field};
use crate::app::Caller;
use crate::console::Console;
use crate::routes::access::{administrators, change_account, set_password, sign_out_everywhere};
use hansang_access::{Account, AccountChange};
use hansang_access::{EVERYWHERE, Grants, Role};
use hansang_http::input::PathKey;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ui::form::{Field, Form, Problems};
use hansang_ui::frame::{Frame, Section, View, page};
use hansang_ui::notice;

#[derive(Template)]
#[template(path = "console/settings/account.html")]
struct One {
    frame: Frame,
    tabs: Vec<Tab>,
    account: Facts,
    name: Field,
    roles: Vec<Field>,
    password: Field,
    problems: Problems,
    /// Label, submitted and stored value of each field that differs, after a conflict.
    conflict: Vec<(String, String, String)>,
}

pub(super) fn route(console: &Console) -> Route {
    let (read, write) = (console.clone(), console.clone());
    let handler = on(MethodFilter::GET, async move |view: View, key: PathKey| {
        let account = read.app.access().account(&key.text("id")).await?;
        Ok::<_, Problem>(show(&read, view, StatusCode::OK, &account, &Form::default(), Problems::default()))
    })
    .on(MethodFilter::POST, async move |caller: Caller, view: View, key: PathKey, sent: Form| {
        act(&write, &caller, view, &key.text("id"), &sent).await
    });
    Route::page("/console/settings/accounts/{id}", administrators(), handler)
}

fn show(
    console: &Console,
    view: View,
    status: StatusCode,
    account: &Account,
    sent: &Form,
    problems: Problems,
) -> Response {
    let (name, roles) = fields(console, &view, account);
    let name = name.sent(sent, &problems);
    let roles = roles.into_iter().map(|field| field.sent(sent, &problems)).collect();
    whole(console, view, status, account, (name, roles), (problems, Vec::new()))
}

fn whole(
    console: &Console,
    view: View,
    status: StatusCode,
    account: &Account,
    (name, roles): (Field, Vec<Field>),
    (problems, conflict): (Problems, Vec<(String, String, String)>),
) -> Response {
    let frame = console.frame(view, &account.name, Section::Settings);
    let template = One {
        tabs: tabs(&frame, ACCOUNTS),
        account: Facts::of(console, &frame.view, account),
        password: password_field(&frame.view, &problems),
        name,
        roles,
        problems,
        conflict,
        frame,
    };
    page(status, &template)
}

/// The name and the roles as they are stored.
fn fields(console: &Console, view: &View, account: &Account) -> (Field, Vec<Field>) {
    let name = Field { value: account.name.clone(), ..name_field(view) };
    let systems = roles::systems(console, &account.grants);
    (name, roles::fields(console, view, &systems, &account.grants, |_| Some(Role::Admin)))
}

async fn act(console: &Console, caller: &Caller, view: View, id: &str, sent: &Form) -> Shown {
    match done(console, caller, id, sent).await {
        Ok(done) => Ok(Redirect::to(&done).into_response()),
        Err(error) => {
            // Fails if another administrator has deleted it.
            let account = console.app.access().account(id).await?;
            if error.code == CoreCode::ChangedMeanwhile {
                return Ok(stale(console, view, &account, sent, &Problem::from(error)));
            }
            let (status, problems) = refusal(&view, &Problem::from(error), &["name", "password"]);
            Ok(show(console, view, status, &account, sent, problems))
        }
    }
}

/// Runs the action of a form, and returns the redirect target.
async fn done(console: &Console, caller: &Caller, id: &str, sent: &Form) -> Result<String, Error> {
    let app = &console.app;
    // A form without a version, which is not ours, never matches a stored one.
    let expected_version = Some(sent.text("version").parse().unwrap_or_default());
    let (change, said) = match sent.text("do") {
        "password" => {
            set_password(app, caller, id, sent.text("password").to_owned()).await?;
            return Ok(notice::PASSWORD_SET.at(&address(id)));
        }
        "sign-out" => {
            sign_out_everywhere(app, caller, id).await?;
            return Ok(notice::SIGNED_OUT_EVERYWHERE.at(&address(id)));
        }
        "disable" => (AccountChange { disabled: Some(true), ..AccountChange::default() }, notice::DISABLED),
        "enable" => (AccountChange { disabled: Some(false), ..AccountChange::default() }, notice::ENABLED),
        _ => {
            let name = Some(sent.text("name").trim().to_owned());
            let grants = Some(roles::chosen(sent)?);
            (AccountChange { name, grants, ..AccountChange::default() }, notice::SAVED)
        }
    };
    let account = change_account(app, caller, id, AccountChange { expected_version, ..change }).await?;
    // Administrators who remove their own role can no longer see this page.
    let stays = caller.signed_in()?.id != id || administers(&account.grants);
    Ok(said.at(if stays { address(id) } else { OWN.to_owned() }.as_str()))
}

fn administers(grants: &Grants) -> bool {
    grants.role_in(EVERYWHERE) == Some(Role::Admin)
}

/// A conflict with another change: the form keeps what was submitted, and the page shows both versions side by side.
fn stale(console: &Console, view: View, account: &Account, sent: &Form, problem: &Problem) -> Response {
    let message = view.say(
        "This account was changed elsewhere, so your changes were not saved. Compare both versions, then save again.",
        "다른 곳에서 이 계정이 변경되어 저장하지 않았습니다. 두 버전을 비교한 뒤 다시 저장하세요.",
    );
    let mut problems = Problems::default();
    problems.message = Some(message.to_owned());
    let (name, roles) = fields(console, &view, account);
    let conflict =
        std::iter::once(&name).chain(&roles).filter_map(|field| both(&view, sent, field)).collect();
    let name = name.sent(sent, &problems);
    let roles = roles.into_iter().map(|field| field.sent(sent, &problems)).collect();
    whole(console, view, problem.status, account, (name, roles), (problems, conflict))
}

/// The label, the submitted and the stored value of a field, if they differ.
fn both(view: &View, sent: &Form, field: &Field) -> Option<(String, String, String)> {
    let value = sent.get(&field.name).filter(|value| *value != field.value)?;
    let word = |value: &str| match field.choices() {
        Some(_) => roles::word(view, value).to_owned(),
        None => value.to_owned(),
    };
    Some((field.label.clone(), word(value), word(&field.value)))
}
