//! Problems as pages: a failed request for a page is answered with a page.

use std::sync::Arc;

use askama::Template;
use axum::extract::Request;
use axum::http::header::{ACCEPT, CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse as _, Redirect, Response};

use crate::address;
use crate::form::{Form, Problems};
use crate::frame::{Frame, Shell, View, page};
use crate::sign_in::{resume, sign_in};
use hansang_access::Access;
use hansang_http::HttpCode;
use hansang_http::guard::visitor;
use hansang_http::kept::Kept;
use hansang_http::problem::Problem;
use hansang_http::trace;

#[derive(Template)]
#[template(path = "console/refused.html")]
struct Refused {
    frame: Frame,
    status: u16,
    message: String,
    trace: String,
}

/// Turns the problems of pages into pages, and redirects visitors who must sign in.
pub async fn for_people<F: Future<Output = Response>>(
    shell: &Arc<Shell>,
    access: &Access,
    mut request: Request,
    next: impl FnOnce(Request) -> F,
) -> Response {
    let path = request.uri().path();
    let is_below =
        |start: &str| path.strip_prefix(start).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    let is_page = is_below("/console") || is_below("/api/docs") || path == "/set-up";
    if is_page {
        request.extensions_mut().insert(shell.clone());
    }
    let wants_page = request.headers().get(ACCEPT).is_none_or(|accept| {
        accept.to_str().is_ok_and(|accept| accept.contains("text/html") || accept.contains("*/*"))
    });
    if !is_page || !wants_page {
        return next(request).await;
    }
    let view = View::of(shell.clone(), request.uri(), request.headers());
    let (method, headers) = (request.method().clone(), request.headers().clone());
    let mut response = next(request).await;
    let Some(problem) = response.extensions_mut().remove::<Problem>() else { return response };
    let kept = response.extensions_mut().remove::<Kept>();
    if problem.status == StatusCode::UNAUTHORIZED && !view.here.starts_with("/console/sign-in") {
        return match kept {
            Some(kept) => {
                let (status, next) = (problem.status, kept.page.clone());
                sign_in(view, status, &next, &Form::default(), Problems::default(), Some(kept))
            }
            None => sign_in_first(&view, &method, &headers),
        };
    }
    let view = match problem.status {
        // A request that was limited must not cost another read.
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => view,
        _ => view.signed_in(visitor(access, &headers).await),
    };
    let csrf = view.csrf().to_owned();
    let mut shown = match kept {
        // The form is of an earlier session.
        Some(kept) if !csrf.is_empty() => resume(view, problem.status, kept, &csrf),
        _ => refused(view, &problem),
    };
    *shown.extensions_mut() = std::mem::take(response.extensions_mut());
    if let Some(wait) = response.headers().get(RETRY_AFTER) {
        shown.headers_mut().insert(RETRY_AFTER, wait.clone());
    }
    shown
}

/// The redirect to the sign-in page, which returns to the page. A form is not submitted again. A form with a file, whose
/// values are not kept, is submitted to its own page.
fn sign_in_first(view: &View, method: &Method, headers: &HeaderMap) -> Response {
    let media = headers.get(CONTENT_TYPE).and_then(|media| media.to_str().ok()).unwrap_or_default();
    let is_file = media.starts_with("multipart/form-data");
    let next = if *method == Method::GET || is_file { view.here.as_str() } else { "" };
    Redirect::to(&address::with("/console/sign-in", &[("next", next)])).into_response()
}

fn refused(view: View, problem: &Problem) -> Response {
    let title = match problem.status {
        StatusCode::NOT_FOUND => view.say("Not found", "찾을 수 없습니다"),
        StatusCode::FORBIDDEN => view.say("Not allowed", "권한이 없습니다"),
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
            view.say("Please try again shortly", "잠시 후 다시 시도하세요")
        }
        status if status.is_server_error() => view.say("Something went wrong", "문제가 발생했습니다"),
        _ => view.say("The request failed", "요청을 처리하지 못했습니다"),
    };
    let frame = Frame::error(view.clone(), title);
    let refused = Refused {
        message: match problem.code == HttpCode::NoSuchPath {
            true => {
                view.say("There is no page at this address.", "이 주소에는 페이지가 없습니다.").to_owned()
            }
            false => view.sentence(&problem.message),
        },
        trace: trace::current().map(|trace| trace.to_string()).unwrap_or_default(),
        status: problem.status.as_u16(),
        frame,
    };
    page(problem.status, &refused)
}
