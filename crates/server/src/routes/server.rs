//! The server itself: its numbers, its description, and the pages for people.

use axum::Json as Body;
use axum::extract::Form;
use axum::extract::rejection::FormRejection;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, MethodRouter, on};
use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::access::{session_cookie, set_up};
use crate::app::{App, Asking};
use crate::input::Parameters;
use crate::page::{Html, STYLE, escape};
use crate::problem::Problem;
use crate::route::{Needs, Route};
use crate::{EVERYWHERE, Role, handbook};

/// What is part of the API's description.
pub(crate) fn routes(app: &App) -> Vec<Route> {
    let metrics = app.metrics().clone();
    let text = json!({ "text/plain": { "schema": { "type": "string" } } });
    let shown = [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")];
    vec![Route {
        summary: "The numbers, as Prometheus reads them".to_owned(),
        tag: "server".to_owned(),
        answers: vec![(200, json!({ "description": "The numbers.", "content": text }))],
        ..page(
            "/metrics",
            Needs::Metrics,
            on(MethodFilter::GET, async move |_: Asking| (shown, metrics.render())),
        )
    }]
}

/// What is not: the description and the pages.
pub(crate) fn pages(app: &App, document: &Json) -> Vec<Route> {
    let (shown, json) = (handbook::page(document).into_bytes(), document.clone());
    let app = app.clone();
    let style = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/css; charset=utf-8")),
        (header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=3600")),
    ];
    let html = [(header::CONTENT_TYPE, "text/html; charset=utf-8")];
    vec![
        page("/", Needs::Nothing, on(MethodFilter::GET, async || Redirect::to("/api/docs"))),
        page("/api/openapi.json", Needs::Nothing, on(MethodFilter::GET, async move || Body(json))),
        page("/api/docs", Needs::Nothing, on(MethodFilter::GET, async move || (html, shown))),
        page("/assets/style.css", Needs::Nothing, on(MethodFilter::GET, async move || (style, STYLE))),
        page(
            "/set-up",
            Needs::Nothing,
            on(MethodFilter::GET, async |mut asked: Parameters| {
                set_up_page(&asked.take("key").unwrap_or_default(), "", "", None)
            })
            .on(
                MethodFilter::POST,
                async move |asking: Asking, form: Result<Form<SetUp>, FormRejection>| {
                    make_administrator(&app, &asking, form).await
                },
            ),
        ),
    ]
}

fn page(path: &str, needs: Needs, handler: MethodRouter) -> Route {
    Route {
        method: Method::GET,
        path: path.to_owned(),
        operation: format!("server.{}", path.trim_matches('/')),
        summary: String::new(),
        tag: String::new(),
        needs,
        parameters: Vec::new(),
        body: None,
        answers: Vec::new(),
        refusals: &[],
        streams: false,
        handler,
    }
}

/// Who may read the numbers, unless everybody may.
pub(crate) fn readers_of_metrics() -> Needs {
    Needs::Role(EVERYWHERE.to_owned(), Role::Viewer)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SetUp {
    key: String,
    login: String,
    name: String,
    password: String,
}

async fn make_administrator(
    app: &App,
    asking: &Asking,
    form: Result<Form<SetUp>, FormRejection>,
) -> Result<Response, Problem> {
    let Ok(Form(SetUp { key, login, name, password })) = form else {
        let message = "the form did not arrive whole: open the link again";
        return Err(hansang_core::Error::invalid("invalid_body", message).into());
    };
    let made = set_up(app, asking, &key, login.clone(), name.clone(), password).await;
    let signed_in = match made {
        Ok(signed_in) => signed_in,
        Err(error) => {
            let problem = Problem::from(error);
            let status = problem.status;
            return Ok((status, set_up_page(&key, &login, &name, Some(&problem.message))).into_response());
        }
    };
    let body = "<main><h1>관리자를 만들었습니다 / The administrator is made</h1>\
                <p lang=\"ko\">로그인되었습니다. 이 링크는 더 이상 쓸 수 없습니다.</p>\
                <p>You are signed in. The link no longer works.</p>\
                <p><a href=\"/api/docs\">API</a></p></main>";
    let mut response = (StatusCode::CREATED, Html::new("Hansang", body)).into_response();
    if let Ok(value) = HeaderValue::try_from(session_cookie(app, &signed_in)) {
        response.headers_mut().insert(header::SET_COOKIE, value);
    }
    Ok(response)
}

fn set_up_page(key: &str, login: &str, name: &str, problem: Option<&str>) -> Html {
    let problem = problem
        .map(|text| format!("<p role=\"alert\" class=\"problem\">{}</p>", escape(text)))
        .unwrap_or_default();
    let body = format!(
        "<main class=\"narrow\"><h1>한상 시작하기 / Set up Hansang</h1>\
         <p lang=\"ko\">첫 관리자를 만듭니다. 이 링크는 한 번만 쓸 수 있습니다.</p>\
         <p>Make the first administrator. This link works once.</p>{problem}\
         <form method=\"post\" action=\"/set-up\"><input type=\"hidden\" name=\"key\" value=\"{}\">\
         <label>아이디 / Login<input name=\"login\" required maxlength=\"128\" autocomplete=\"username\" \
         autocapitalize=\"none\" value=\"{}\"></label>\
         <label>이름 / Name<input name=\"name\" required maxlength=\"80\" autocomplete=\"name\" value=\"{}\"></label>\
         <label>비밀번호 / Password<input type=\"password\" name=\"password\" required minlength=\"10\" \
         maxlength=\"256\" autocomplete=\"new-password\" aria-describedby=\"rule\"></label>\
         <p id=\"rule\">10자 이상 / at least 10 characters</p>\
         <button type=\"submit\">만들기 / Make</button></form></main>",
        escape(key),
        escape(login),
        escape(name),
    );
    Html::new("Hansang", &body)
}
