//! What imports have learned: sources and merchants, each of which can be forgotten.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use hansang_access::Role;
use hansang_core::ErrorKind;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ledger::import::learned;
use hansang_server::Caller;
use hansang_ui::form::Form;
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::notice;

use super::super::words::{kind_name, subject_name};
use super::super::{Pages, START};
use crate::actions::{FORGET_MERCHANT, FORGET_SOURCE};

#[derive(Template)]
#[template(path = "ledger/learned.html")]
struct Shown {
    frame: Frame,
    sources: Vec<String>,
    /// The merchants, and the entries of their amounts.
    merchants: Vec<(String, String)>,
}

pub(super) fn route(pages: &Pages) -> Route {
    let (shows, takes) = (pages.clone(), pages.clone());
    let handler = on(MethodFilter::GET, async move |view: View| show(&shows, view).await).on(
        MethodFilter::POST,
        async move |caller: Caller, sent: Form| -> Result<Response, Problem> {
            let done = match sent.get("source") {
                Some(source) => takes.act(&FORGET_SOURCE, &caller, source.to_owned()).await,
                None => takes.act(&FORGET_MERCHANT, &caller, sent.text("merchant").to_owned()).await,
            };
            takes.reviewed.forget();
            match done {
                // It was forgotten already.
                Err(error) if error.kind != ErrorKind::NotFound => Err(error.into()),
                _ => Ok(Redirect::to(&notice::DELETED.at(&format!("{START}/learned"))).into_response()),
            }
        },
    );
    Route::page(&format!("{START}/learned"), pages.needs(Role::Editor), handler)
}

async fn show(pages: &Pages, view: View) -> Result<Response, Problem> {
    let found = pages.calls.measured("learned", learned(&pages.ledger)).await?;
    let title = view.say("Learned from imports", "가져오기에서 배운 내용").to_owned();
    let frame = pages.frame(view, &title);
    let view = &frame.view;
    let merchant = |one: &hansang_ledger::import::Merchant| {
        let place = match &one.subject {
            Some(subject) => format!("{} · {}", kind_name(view, subject.kind), subject_name(view, subject)),
            None => view.say("Never imported", "항상 제외").to_owned(),
        };
        (one.merchant.clone(), place)
    };
    let shown =
        Shown { merchants: found.merchants.iter().map(merchant).collect(), sources: found.sources, frame };
    Ok(page(StatusCode::OK, &shown))
}
