//! A page with one form: a category, a banner, an author, and the like.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use hansang_core::Error;
use hansang_http::problem::Problem;
use hansang_ui::form::{Field, Form, Input, Problems};
use hansang_ui::frame::{Frame, View, page};

use super::Pages;

/// A form with its fields.
pub(super) struct Filled {
    /// The title of the page.
    pub(super) title: String,
    /// The list that the page belongs to: name and address.
    pub(super) list: (String, String),
    /// The address of the form.
    pub(super) here: String,
    /// The fields with their stored values.
    pub(super) fields: Vec<Field>,
    /// The revision that is edited; none for something new.
    pub(super) revision: Option<i64>,
    /// The consequence of a deletion, if the form offers one.
    pub(super) deletes: Option<String>,
    /// A sentence above the form.
    pub(super) about: String,
}

/// The submitted values of a form, and their problems.
#[derive(Default)]
pub(super) struct Sent {
    form: Form,
    problems: Problems,
    status: StatusCode,
}

#[derive(Template)]
#[template(path = "content/form.html")]
struct FormPage {
    frame: Frame,
    list: (String, String),
    here: String,
    fields: Vec<Field>,
    revision: Option<i64>,
    deletes: Option<String>,
    about: String,
    /// What someone else has saved meanwhile: labels and values.
    stored: Vec<(String, String)>,
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
    let stored = stored(sent, &filled.fields);
    let shown = FormPage {
        stored,
        list: filled.list,
        here: filled.here,
        fields: filled.fields.into_iter().map(|field| field.sent(&sent.form, &sent.problems)).collect(),
        revision: filled.revision,
        deletes: filled.deletes,
        about: filled.about,
        problems: sent.problems.clone(),
        frame: pages.frame(view, &filled.title),
    };
    page(sent.status, &shown)
}

/// The stored values of the fields of a stale form that differ from what was sent.
pub(super) fn stored_beside(status: StatusCode, sent: &Form, fields: &[Field]) -> Vec<(String, String)> {
    let is_secret = |field: &Field| matches!(field.input, Input::Password);
    let differs = |field: &&Field| {
        // A deletion sends no values.
        let typed = sent.get(&field.name).map(|typed| typed.replace("\r\n", "\n"));
        !is_secret(field) && typed.is_some_and(|typed| typed.trim() != field.value.trim())
    };
    let shown = |field: &Field| {
        let chosen = match &field.input {
            Input::Choice(choices) => choices.iter().find(|(value, _)| *value == field.value),
            _ => None,
        };
        let value = chosen.map_or(&field.value, |(_, label)| label);
        (field.label.clone(), if value.is_empty() { "–".to_owned() } else { value.clone() })
    };
    let is_stale = status == StatusCode::PRECONDITION_FAILED;
    fields.iter().filter(|_| is_stale).filter(differs).map(shown).collect()
}

fn stored(sent: &Sent, fields: &[Field]) -> Vec<(String, String)> {
    stored_beside(sent.status, &sent.form, fields)
}

/// The revision in a form.
pub(super) fn revision(sent: &Form) -> i64 {
    sent.text("revision").parse().unwrap_or(-1)
}

/// The text of a field, if it has one.
pub(super) fn optional(sent: &Form, name: &str) -> Option<String> {
    Some(sent.text(name).trim().to_owned()).filter(|text| !text.is_empty())
}

/// A field that may be empty.
pub(super) fn optional_field(field: Field) -> Field {
    Field { required: false, ..field }
}
