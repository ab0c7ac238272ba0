//! The visitor's own account: identity, password and sessions.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use hansang_core::validate::violation;
use hansang_core::{Error, ErrorKind};

use super::roles::{self, Mark};
use super::{OWN, Shown, Tab, refusal, tabs};
use crate::app::Caller;
use crate::console::Console;
use crate::routes::access::{change_password, sign_out_everywhere};
use hansang_access::AccessCode;
use hansang_access::Via;
use hansang_access::session_needed;
use hansang_http::problem::Problem;
use hansang_http::route::{Needs, Route};
use hansang_ui::form::{Field, Form, Input, Problems};
use hansang_ui::frame::{Frame, Section, View, page};
use hansang_ui::{notice, time};

/// The system of accounts in the audit log.
const ACCESS: &str = "access";

#[derive(Template)]
#[template(path = "console/settings/own.html")]
struct Own {
    frame: Frame,
    tabs: Vec<Tab>,
    name: String,
    /// Absent for identities of an identity provider: they have neither an account nor a password here.
    login: Option<String>,
    roles: Vec<Mark>,
    passwords: Vec<Field>,
    zone: Field,
    problems: Problems,
}

pub(super) fn route(console: &Console) -> Route {
    let (show_console, act_console) = (console.clone(), console.clone());
    let handler = on(MethodFilter::GET, async move |caller: Caller, view: View| {
        show(&show_console, &caller, view, StatusCode::OK, Problems::default()).await
    })
    .on(MethodFilter::POST, async move |caller: Caller, view: View, sent: Form| {
        act(&act_console, &caller, view, &sent).await
    });
    Route::page(OWN, Needs::SignedIn, handler)
}

async fn show(
    console: &Console,
    caller: &Caller,
    view: View,
    status: StatusCode,
    problems: Problems,
) -> Shown {
    let identity = caller.signed_in()?;
    let login = match console.app.access().account(&identity.id).await {
        Ok(account) => Some(account.login),
        Err(error) if error.kind == ErrorKind::NotFound => None,
        Err(error) => return Err(error.into()),
    };
    let title = view.say("Settings", "설정").to_owned();
    let frame = console.frame(view, &title, Section::Settings);
    let own = Own {
        tabs: tabs(&frame, OWN),
        name: identity.name.clone(),
        login,
        roles: roles::marks(console, &frame.view, &identity.grants),
        passwords: passwords(&frame.view, &problems).into(),
        zone: zone_field(&frame.view, identity.zone.as_deref()),
        problems,
        frame,
    };
    Ok(page(status, &own))
}

/// The fields never have a value: a password is not sent back in a page.
fn passwords(view: &View, problems: &Problems) -> [Field; 2] {
    let field = |name: &str, label: &str, autocomplete| {
        let field = Field { autocomplete, input: Input::Password, ..Field::text(name, label) };
        field.sent(&Form::default(), problems)
    };
    let old = field("old", view.say("Current password", "현재 비밀번호"), "current-password");
    let new = field("password", view.say("New password", "새 비밀번호"), "new-password");
    let hint = view.say("At least 10 characters", "10자 이상").to_owned();
    [old, Field { hint, ..new }]
}

async fn act(console: &Console, caller: &Caller, view: View, sent: &Form) -> Shown {
    let done = match sent.text("do") {
        "sign-out" => out_everywhere(console, caller).await,
        "zone" => other_zone(console, caller, sent.text("zone")).await,
        _ => other_password(console, caller, sent).await,
    };
    match done {
        Ok(response) => Ok(response),
        Err(error) => {
            let problem = at_its_field(Problem::from(error));
            let (status, problems) = refusal(&view, &problem, &["old", "password"]);
            show(console, caller, view, status, problems).await
        }
    }
}

async fn other_password(console: &Console, caller: &Caller, sent: &Form) -> Result<Response, Error> {
    let (old, new) = (sent.text("old").to_owned(), sent.text("password").to_owned());
    change_password(&console.app, caller, old, new).await?;
    Ok(Redirect::to(&notice::PASSWORD_CHANGED.at(OWN)).into_response())
}

/// The zones to choose from, and none: then the server or the browser decides.
fn zone_field(view: &View, chosen: Option<&str>) -> Field {
    let zone = view.reader.zone.iana_name().unwrap_or("UTC");
    let automatic = view.fill("Automatic ({0})", "자동 ({0})").with(zone).to_string();
    let named = time::zones().map(|name| (name.clone(), name));
    Field {
        value: chosen.unwrap_or_default().to_owned(),
        hint: view.say("Times are shown in this zone.", "이 시간대로 시각을 표시합니다.").to_owned(),
        required: false,
        input: Input::Choice(std::iter::once((String::new(), automatic)).chain(named).collect()),
        ..Field::text("zone", view.say("Time zone", "시간대"))
    }
}

/// Stores the zone. An unknown zone clears it.
async fn other_zone(console: &Console, caller: &Caller, name: &str) -> Result<Response, Error> {
    let identity = caller.signed_in()?;
    let zone = time::zone(name).map(|_| name);
    let work = console.app.access().choose_zone(identity, zone);
    console.app.audited(caller, (ACCESS, "chooseZone", &identity.id), work).await?;
    Ok(Redirect::to(&notice::SAVED.at(OWN)).into_response())
}

/// Requires a session: a stolen token must not be able to sign its owner out.
async fn out_everywhere(console: &Console, caller: &Caller) -> Result<Response, Error> {
    let identity = caller.signed_in()?;
    let Via::Session { .. } = identity.via else { return Err(session_needed()) };
    sign_out_everywhere(&console.app, caller, &identity.id).await?;
    Ok(Redirect::to(&notice::SIGNED_OUT_EVERYWHERE.at("/console/sign-in")).into_response())
}

/// Assigns the error of a wrong old password to its field, which the API does not name.
fn at_its_field(mut problem: Problem) -> Problem {
    if problem.code == AccessCode::WrongPassword {
        problem.violations.push(violation("old", problem.message.clone()));
    }
    problem
}
