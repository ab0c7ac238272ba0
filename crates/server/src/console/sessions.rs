//! Pages for setting up, signing in and out, and the choice of language and theme.

use askama::Template;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{MethodFilter, on};

use super::Console;
use crate::app::Caller;
use crate::routes::{session_cookies, set_up, sign_in, sign_out};
use hansang_core::message::Language;
use hansang_http::guard::{DEVICE, cookie};
use hansang_http::input::Parameters;
use hansang_http::kept::Kept;
use hansang_http::problem::Problem;
use hansang_http::route::{Needs, Route};
use hansang_ui::form::{Field, Form, Input, Problems};
use hansang_ui::frame::{Frame, THEME_COOKIE, View, page};
use hansang_ui::language::LANGUAGE_COOKIE;
use hansang_ui::notice;
use hansang_ui::sign_in::{resume, sign_in as sign_in_page};

type Shown = Result<Response, Problem>;

#[derive(Template)]
#[template(path = "console/set_up.html")]
struct SetUp {
    frame: Frame,
    key: String,
    problems: Problems,
    /// Empty if the link does not work.
    fields: Vec<Field>,
}

/// The pages that need no role.
pub(super) fn routes(console: &Console) -> Vec<Route> {
    let (c1, c2, c3, c4) = (console.clone(), console.clone(), console.clone(), console.clone());
    vec![
        Route::page(
            "/console/sign-in",
            Needs::Nothing,
            on(MethodFilter::GET, async |view: View, mut asked: Parameters| {
                let next = asked.take("next").unwrap_or_default();
                sign_in_page(view, StatusCode::OK, &next, &Form::default(), Problems::default(), None)
            })
            .on(
                MethodFilter::POST,
                async move |caller: Caller, headers: HeaderMap, view: View, sent: Form| {
                    signed_in(&c1, &caller, &headers, view, &sent).await
                },
            ),
        ),
        Route::page(
            "/console/sign-out",
            Needs::SignedIn,
            on(MethodFilter::POST, async move |caller: Caller, headers: HeaderMap| {
                signed_out(&c2, &caller, &headers).await
            }),
        ),
        Route::page(
            "/set-up",
            Needs::Nothing,
            on(MethodFilter::GET, async move |caller: Caller, view: View, mut asked: Parameters| {
                let key = asked.take("key").unwrap_or_default();
                set_up_first(&c4, &caller, view, &key).await
            })
            .on(MethodFilter::POST, async move |caller: Caller, view: View, sent: Form| {
                made(&c3, &caller, view, &sent).await
            }),
        ),
        Route::page(
            "/console/language",
            Needs::Nothing,
            on(MethodFilter::POST, async |sent: Form| {
                let language = Language::named(sent.text(".language")).map_or("", Language::code);
                match Kept::back(&sent) {
                    // Sends the values of the form to its page, which shows them again.
                    Some(page) => {
                        with_cookies(Redirect::temporary(&page), &[choice_cookie(LANGUAGE_COOKIE, language)])
                    }
                    None => remembered(LANGUAGE_COOKIE, language, &sent),
                }
            }),
        ),
        Route::page(
            "/console/theme",
            Needs::Nothing,
            on(MethodFilter::POST, async |sent: Form| {
                let known = ["light", "dark"].into_iter().find(|known| *known == sent.text("theme"));
                remembered(THEME_COOKIE, known.unwrap_or_default(), &sent)
            }),
        ),
        Route::page(
            "/console/columns",
            Needs::Nothing,
            on(MethodFilter::POST, async |view: View, sent: Form| {
                let cookies = view.lists.with(&sent).cookies();
                let cookies = cookies.map(|(name, value)| choice_cookie(name, &value));
                with_cookies(Redirect::to(sent.next()), &cookies)
            }),
        ),
    ]
}

async fn signed_in(
    console: &Console,
    caller: &Caller,
    headers: &HeaderMap,
    view: View,
    sent: &Form,
) -> Shown {
    if let Some((view, cookie)) = in_other_language(&view, sent) {
        let kept = Kept::sent_back(sent);
        let page = sign_in_page(view, StatusCode::OK, sent.next(), sent, Problems::default(), kept);
        return Ok(with_cookies(page, &[cookie]));
    }
    let device = cookie(headers, DEVICE);
    match sign_in(&console.app, caller, device, sent.text("login"), sent.text("password")).await {
        Ok(signed_in) => {
            let cookies = session_cookies(&console.app, &signed_in);
            let response = match Kept::sent_back(sent) {
                Some(kept) => resume(view, StatusCode::OK, kept, signed_in.csrf.expose()),
                None => Redirect::to(sent.next()).into_response(),
            };
            Ok(with_cookies(response, &cookies))
        }
        Err(error) => {
            let problem = Problem::from(error);
            let problems = Problems::of_error(&problem, &["login", "password"], view.language);
            let kept = Kept::sent_back(sent);
            let page = sign_in_page(view, problem.status, sent.next(), sent, problems, kept);
            Ok(with_wait(page, &problem))
        }
    }
}

async fn signed_out(console: &Console, caller: &Caller, headers: &HeaderMap) -> Shown {
    let done = sign_out(&console.app, caller, headers).await?;
    let mut response = Redirect::to(&notice::SIGNED_OUT.at("/console/sign-in")).into_response();
    if let Some(cookie) = done.headers().get(header::SET_COOKIE) {
        response.headers_mut().insert(header::SET_COOKIE, cookie.clone());
    }
    Ok(response)
}

/// The form, or a page without one if the link was used or has expired.
async fn set_up_first(console: &Console, caller: &Caller, view: View, key: &str) -> Shown {
    match console.app.access().check_set_up_link(key, &caller.origin).await {
        Ok(()) => Ok(set_up_page(view, StatusCode::OK, key, &Form::default(), Problems::default())),
        Err(error) => Ok(set_up_refused(view, &Problem::from(error))),
    }
}

fn set_up_refused(view: View, problem: &Problem) -> Response {
    let problems = Problems::of_error(problem, &[], view.language);
    let title = view.say("Set up Hansang", "한상 시작하기").to_owned();
    let frame = Frame::outside(view, &title);
    let page = page(problem.status, &SetUp { frame, key: String::new(), problems, fields: Vec::new() });
    with_wait(page, problem)
}

fn set_up_page(view: View, status: StatusCode, key: &str, sent: &Form, problems: Problems) -> Response {
    let login = Field { autocomplete: "username", ..Field::text("login", view.say("Login", "아이디")) };
    let name = Field { autocomplete: "name", ..Field::text("name", view.say("Name", "이름")) };
    let password = Field {
        autocomplete: "new-password",
        input: Input::Password,
        hint: view.say("At least 10 characters", "10자 이상").to_owned(),
        ..Field::text("password", view.say("Password", "비밀번호"))
    };
    let mut password_shown = password.sent(sent, &problems);
    // A password is never sent back in a page.
    password_shown.value.clear();
    let title = view.say("Set up Hansang", "한상 시작하기").to_owned();
    let fields = vec![login.sent(sent, &problems), name.sent(sent, &problems), password_shown];
    page(status, &SetUp { frame: Frame::outside(view, &title), key: key.to_owned(), problems, fields })
}

/// The view in the language of the pressed button, and the cookie that keeps it. What was typed stays in the form: these
/// pages have no session to come back with.
fn in_other_language(view: &View, sent: &Form) -> Option<(View, String)> {
    let language = Language::named(sent.get(".language")?)?;
    let mut view = view.clone();
    (view.language, view.reader.language) = (language, language);
    Some((view, choice_cookie(LANGUAGE_COOKIE, language.code())))
}

async fn made(console: &Console, caller: &Caller, view: View, sent: &Form) -> Shown {
    if let Some((view, cookie)) = in_other_language(&view, sent) {
        let page = set_up_page(view, StatusCode::OK, sent.text("key"), sent, Problems::default());
        return Ok(with_cookies(page, &[cookie]));
    }
    let text = |name: &str| sent.text(name).to_owned();
    let made =
        set_up(&console.app, caller, sent.text("key"), text("login"), text("name"), text("password")).await;
    match made {
        Ok(signed_in) => {
            let home = Redirect::to(&notice::SET_UP.at("/console"));
            Ok(with_cookies(home, &session_cookies(&console.app, &signed_in)))
        }
        Err(error) => {
            let problem = Problem::from(error);
            if problem.violations.is_empty() && problem.retry_header().is_none() {
                return Ok(set_up_refused(view, &problem));
            }
            let problems = Problems::of_error(&problem, &["login", "name", "password"], view.language);
            let page = set_up_page(view, problem.status, sent.text("key"), sent, problems);
            Ok(with_wait(page, &problem))
        }
    }
}

/// Redirects back, with a choice that lasts a year; an empty one is removed.
fn remembered(cookie: &str, value: &str, sent: &Form) -> Response {
    with_cookies(Redirect::to(sent.next()), &[choice_cookie(cookie, value)])
}

fn choice_cookie(name: &str, value: &str) -> String {
    let age = if value.is_empty() { 0 } else { 31_536_000 };
    format!("{name}={value}; Path=/; Max-Age={age}; SameSite=Lax")
}

fn with_cookies(response: impl IntoResponse, cookies: &[String]) -> Response {
    let mut response = response.into_response();
    for cookie in cookies {
        if let Ok(value) = HeaderValue::try_from(cookie) {
            response.headers_mut().append(header::SET_COOKIE, value);
        }
    }
    response
}

/// The page with the time to wait before a retry, if there is one.
fn with_wait(mut page: Response, problem: &Problem) -> Response {
    if let Some(wait) = problem.retry_header() {
        page.headers_mut().insert(header::RETRY_AFTER, wait);
    }
    page
}
