//! Deletes an account, after a page that asks for confirmation.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use hansang_core::{CoreCode, ErrorKind};

use super::super::{ACCOUNTS, Shown, Tab, refusal, tabs};
use super::Facts;
use crate::app::Caller;
use crate::console::Console;
use crate::routes::access::{administrators, delete_account};
use hansang_access::Account;
use hansang_http::input::PathKey;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ui::form::{Form, Problems};
use hansang_ui::frame::{Frame, Section, View, page};
use hansang_ui::notice;

#[derive(Template)]
#[template(path = "console/settings/delete_account.html")]
struct Delete {
    frame: Frame,
    tabs: Vec<Tab>,
    account: Facts,
    problems: Problems,
}

pub(super) fn route(console: &Console) -> Route {
    let (ask, delete) = (console.clone(), console.clone());
    let handler = on(MethodFilter::GET, async move |view: View, key: PathKey| {
        let account = ask.app.access().account(&key.text("id")).await?;
        Ok::<_, Problem>(show(&ask, view, StatusCode::OK, &account, Problems::default()))
    })
    .on(MethodFilter::POST, async move |caller: Caller, view: View, key: PathKey, sent: Form| {
        end(&delete, &caller, view, &key.text("id"), &sent).await
    });
    Route::page("/console/settings/accounts/{id}/delete", administrators(), handler)
}

fn show(
    console: &Console,
    view: View,
    status: StatusCode,
    account: &Account,
    problems: Problems,
) -> Response {
    let title = view.say("Delete an account", "계정 삭제").to_owned();
    let frame = console.frame(view, &title, Section::Settings);
    let (tabs, account) = (tabs(&frame, ACCOUNTS), Facts::of(console, &frame.view, account));
    page(status, &Delete { frame, tabs, account, problems })
}

/// Deletes the account. A repeated click shows the list without the account, as the first one does.
async fn end(console: &Console, caller: &Caller, view: View, id: &str, sent: &Form) -> Shown {
    let version = Some(sent.text("version").parse().unwrap_or_default());
    match delete_account(&console.app, caller, id, version).await {
        Ok(()) => Ok(Redirect::to(&notice::DELETED.at(ACCOUNTS)).into_response()),
        Err(error) if error.kind == ErrorKind::NotFound => Ok(Redirect::to(ACCOUNTS).into_response()),
        Err(error) => {
            let account = console.app.access().account(id).await?;
            let is_stale = error.code == CoreCode::ChangedMeanwhile;
            let (status, mut problems) = refusal(&view, &Problem::from(error), &[]);
            if is_stale {
                let message = view.say(
                    "This account was changed elsewhere, so it was not deleted. Review it, then try again.",
                    "다른 곳에서 이 계정이 변경되어 삭제하지 않았습니다. 확인한 뒤 다시 시도하세요.",
                );
                problems.message = Some(message.to_owned());
            }
            Ok(show(console, view, status, &account, problems))
        }
    }
}
