//! Moving and deleting an entry as a whole, from the list of its transactions.

use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use hansang_access::Role;
use hansang_core::{Error, ErrorKind, message};
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ledger::{Month, Subject};
use hansang_server::Caller;
use hansang_ui::form::Form;
use hansang_ui::frame::View;
use hansang_ui::notice;

use super::lines::{self, entry_refused};
use super::sheet::lines_address;
use super::words::{kind_slug, subject_key, subject_of};
use super::{Pages, START};
use crate::actions::{DELETE_ENTRY, MOVE_ENTRY};
use crate::{messages, notices};

pub(super) fn route(pages: &Pages) -> Route {
    let takes = pages.clone();
    let handler = on(MethodFilter::POST, async move |caller: Caller, view: View, sent: Form| {
        take(&takes, &caller, view, &sent).await
    });
    Route::page(&format!("{START}/entry"), pages.needs(Role::Editor), handler)
}

async fn take(pages: &Pages, caller: &Caller, view: View, sent: &Form) -> Result<Response, Problem> {
    let month: Month = sent.text("month").replace('-', ".").parse()?;
    let unknown =
        || Error::invalid(hansang_ledger::LedgerCode::EntryUnknown, message!(messages::CHOOSE_ENTRY));
    let subject = subject_of(sent.text("entry")).ok_or_else(unknown)?;
    match change(pages, caller, month, &subject, sent).await {
        Ok(response) => Ok(response),
        Err(error)
            if matches!(error.kind, ErrorKind::Invalid | ErrorKind::Conflict | ErrorKind::NotFound) =>
        {
            let refused = view.sentence(&error.message);
            let status = Problem::from(error).status;
            entry_refused(pages, view, month, &subject, status, refused).await
        }
        Err(error) => Err(error.into()),
    }
}

async fn change(
    pages: &Pages,
    caller: &Caller,
    month: Month,
    subject: &Subject,
    sent: &Form,
) -> Result<Response, Error> {
    if sent.text("do") == "move" {
        let to: Month = sent.text("to").replace('-', ".").parse()?;
        pages.act(&MOVE_ENTRY, caller, (month, subject.clone(), to)).await?;
        let there = lines_address(to, &subject_key(subject));
        return Ok(Redirect::to(&notices::MOVED.at(&there)).into_response());
    }
    let changes = pages.act(&DELETE_ENTRY, caller, (month, subject.clone())).await?;
    let back = format!("{START}/sheet/{}?month={month}", kind_slug(subject.kind));
    Ok(match changes[..] {
        [seq] => notice::DELETED.redirect_with_undo(&back, &format!("{START}/history/{seq}/undo")),
        _ => Redirect::to(&notice::DELETED.at(&lines::history_address(month, subject))).into_response(),
    })
}
