//! The sign-in page, and the way back to a form that was submitted with an expired session.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use hansang_http::form::local;
use hansang_http::kept::Kept;

use crate::form::{Field, Form, Input, Problems};
use crate::frame::{Frame, View, page};

#[derive(Template)]
#[template(path = "console/sign_in.html")]
struct SignIn {
    frame: Frame,
    next: String,
    /// The form that waits for the visitor to sign in.
    kept: Option<Kept>,
    problems: Problems,
    fields: Vec<Field>,
}

#[derive(Template)]
#[template(path = "console/resume.html")]
struct Resume {
    frame: Frame,
    kept: Kept,
    csrf: String,
}

/// The sign-in page, with the values of the form that was sent and of the one that waits.
pub fn sign_in(
    view: View,
    status: StatusCode,
    next: &str,
    sent: &Form,
    problems: Problems,
    kept: Option<Kept>,
) -> Response {
    let login = Field { autocomplete: "username", ..Field::text("login", view.say("Login", "아이디")) };
    let password = Field {
        autocomplete: "current-password",
        input: Input::Password,
        ..Field::text("password", view.say("Password", "비밀번호"))
    };
    let title = view.say("Sign in", "로그인").to_owned();
    let fields = vec![login.sent(sent, &problems), password];
    let next = local(next).to_owned();
    page(status, &SignIn { frame: Frame::outside(view, &title), next, kept, problems, fields })
}

/// The page after signing in that leads back to the form. The script continues at once.
pub fn resume(view: View, status: StatusCode, kept: Kept, csrf: &str) -> Response {
    let title = view.say("Your input is kept", "입력한 내용이 그대로 있습니다").to_owned();
    page(status, &Resume { frame: Frame::outside(view, &title), kept, csrf: csrf.to_owned() })
}
