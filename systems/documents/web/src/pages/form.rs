//! Pages with one form, and pages that ask before something is deleted.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use hansang_core::Error;
use hansang_http::problem::Problem;
use hansang_ui::form::{Field, Form, Problems};
use hansang_ui::frame::{Frame, View, page};

use super::Pages;

/// The way to a page: names and addresses.
pub(super) type Trail = Vec<(String, String)>;

/// A form with its fields.
pub(super) struct Filled {
    /// The title of the page.
    pub(super) title: String,
    /// The pages above it.
    pub(super) trail: Trail,
    /// The address of the form.
    pub(super) here: String,
    /// The page to return to.
    pub(super) back: String,
    /// A sentence above the form.
    pub(super) about: String,
    /// The fields with their stored values.
    pub(super) fields: Vec<Field>,
    /// The revision that is edited; none for something new.
    pub(super) revision: Option<i64>,
    /// The label of the button.
    pub(super) button: String,
}

/// The submitted values of a form, and their problems.
#[derive(Default)]
pub(super) struct Sent {
    pub(super) form: Form,
    pub(super) problems: Problems,
    pub(super) status: StatusCode,
}

#[derive(Template)]
#[template(path = "documents/form.html")]
struct FormPage {
    frame: Frame,
    trail: Trail,
    here: String,
    back: String,
    about: String,
    fields: Vec<Field>,
    revision: Option<i64>,
    button: String,
    problems: Problems,
}

impl Sent {
    /// The values of a form that was refused. Problems of other fields than these are shown above it.
    pub(super) fn refused(view: &View, form: Form, fields: &[&str], error: Error) -> Self {
        let problem = Problem::from(error);
        let problems = Problems::of_error(&problem, fields, view.language);
        Self { form, problems, status: problem.status }
    }
}

/// Shows a form.
pub(super) fn show(pages: &Pages, view: View, filled: Filled, sent: &Sent) -> Response {
    let shown = FormPage {
        trail: filled.trail,
        here: filled.here,
        back: filled.back,
        about: filled.about,
        fields: filled.fields.into_iter().map(|field| field.sent(&sent.form, &sent.problems)).collect(),
        revision: filled.revision,
        button: filled.button,
        problems: sent.problems.clone(),
        frame: pages.frame(view, &filled.title),
    };
    page(sent.status, &shown)
}

/// A question before something is deleted.
pub(super) struct Question {
    /// The title of the page.
    pub(super) title: String,
    /// The pages above it.
    pub(super) trail: Trail,
    /// The address of the form.
    pub(super) here: String,
    /// The page to return to.
    pub(super) back: String,
    /// The names of what is deleted.
    pub(super) subjects: Vec<String>,
    /// The consequences.
    pub(super) consequence: String,
    /// Hidden values of the form.
    pub(super) values: Vec<(String, String)>,
    /// The label of the button.
    pub(super) button: String,
    /// Why it was refused.
    pub(super) problems: Problems,
    pub(super) status: StatusCode,
}

#[derive(Template)]
#[template(path = "documents/delete.html")]
struct DeletePage {
    frame: Frame,
    question: Question,
}

/// Asks before something is deleted.
pub(super) fn ask(pages: &Pages, view: View, question: Question) -> Response {
    let frame = pages.frame(view, &question.title);
    page(question.status, &DeletePage { frame, question })
}

/// The revision in a form.
pub(super) fn revision(sent: &Form) -> i64 {
    sent.text("revision").parse().unwrap_or(-1)
}

/// The text of a field, if it has one. Browsers send line ends as two characters.
pub(super) fn optional(sent: &Form, name: &str) -> Option<String> {
    Some(text(sent, name)).filter(|text| !text.is_empty())
}

/// The text of a field.
pub(super) fn text(sent: &Form, name: &str) -> String {
    sent.text(name).trim().replace("\r\n", "\n")
}

/// A field that may be empty.
pub(super) fn optional_field(field: Field) -> Field {
    Field { required: false, ..field }
}
