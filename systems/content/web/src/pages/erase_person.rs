//! The erasure of everything that a person has sent, on request.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use futures_util::FutureExt as _;
use hansang_content::{find_inquiry, inquiries_of};
use hansang_core::Error;
use hansang_core::message;
use hansang_core::validate::violation;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_server::Caller;
use hansang_ui::form::{Field, Form, Input, Problems};
use hansang_ui::frame::{Frame, View, page};

use super::{Pages, START, done};
use crate::actions::MANAGER;
use crate::actions::managed::ERASE_PERSON;
use crate::{messages, notices};

#[derive(Template)]
#[template(path = "content/erase_person.html")]
struct Erase {
    frame: Frame,
    email: Field,
    /// The subjects of the inquiries that would be erased, once an address is known.
    found: Option<Vec<String>>,
    problems: Problems,
}

pub(super) fn route(pages: &Pages) -> Route {
    let (shows, erases) = (pages.clone(), pages.clone());
    let handler = on(MethodFilter::GET, async move |view: View| {
        let email = email_of(&shows, &view.asked()).await?;
        show(&shows, view, StatusCode::OK, &email, Problems::default()).await
    })
    .on(MethodFilter::POST, async move |caller: Caller, view: View, sent: Form| {
        take(&erases, &caller, view, &sent).await
    });
    Route::page(&format!("{START}/people/erase"), pages.needs(MANAGER), handler)
}

/// The address that was entered, or that of an inquiry: a link to this page names no person.
async fn email_of(pages: &Pages, asked: &Form) -> Result<String, Problem> {
    match asked.text("inquiry") {
        "" => Ok(String::new()),
        id => Ok(pages.read("inquiry", find_inquiry(pages.content(), id)).await?.email),
    }
}

async fn show(
    pages: &Pages,
    view: View,
    status: StatusCode,
    email: &str,
    problems: Problems,
) -> Result<Response, Problem> {
    let email = email.trim();
    let found = match email {
        "" => None,
        email => {
            let all = pages.read("inquiries", inquiries_of(pages.content(), email).boxed()).await?;
            Some(all.into_iter().map(|inquiry| inquiry.subject).collect())
        }
    };
    let title = view.say("Erase a person's data", "개인정보 삭제").to_owned();
    let frame = pages.frame(view, &title);
    let field = Field {
        input: Input::Email,
        value: email.to_owned(),
        problem: problems.of("email"),
        ..Field::text("email", frame.say("Email", "이메일"))
    };
    Ok(page(status, &Erase { email: field, found, problems, frame }))
}

/// Shows what an address has sent, or erases it if that was confirmed.
async fn take(pages: &Pages, caller: &Caller, view: View, sent: &Form) -> Result<Response, Problem> {
    let email = sent.text("email").trim().to_owned();
    if !email.contains('@') {
        let error = Error::fields(vec![violation("email", message!(messages::ENTER_EMAIL))]);
        let problem = Problem::from(error);
        let problems = Problems::of_error(&problem, &["email"], view.language);
        return show(pages, view, problem.status, &email, problems).await;
    }
    if sent.text("do") != "erase" {
        return show(pages, view, StatusCode::OK, &email, Problems::default()).await;
    }
    pages.act(&ERASE_PERSON, caller, email).await?;
    Ok(done(notices::PERSON_ERASED, &format!("{START}/inquiries")))
}
