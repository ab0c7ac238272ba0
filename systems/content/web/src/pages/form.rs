//! A page with one form: a category, a banner, an author, and the like.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use hansang_access::Role;
use hansang_core::Error;
use hansang_http::input::PathKey;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_server::Caller;
use hansang_ui::form::{Field, Form, Input, Problems};
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::notice::{self, Notice};

use super::{Pages, START, done};

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

/// Things that are listed and edited with one form each.
pub(super) trait Edited: 'static {
    /// One of them.
    type One: Send + Sync;
    /// The path of their list.
    const PATH: &'static str;
    /// The fields that a problem can be shown at.
    const FIELDS: &'static [&'static str];

    /// Finds one.
    fn find(pages: &Pages, id: &str) -> impl Future<Output = Result<Self::One, Error>> + Send;

    /// Shows the form of one, or of a new one.
    fn show(pages: &Pages, view: View, one: Option<&Self::One>, sent: &Sent) -> Response;

    /// Creates one from a form.
    fn create(
        pages: &Pages,
        caller: &Caller,
        view: &View,
        sent: &Form,
    ) -> impl Future<Output = Result<(), Error>> + Send;

    /// Saves or deletes one.
    fn save(
        pages: &Pages,
        caller: &Caller,
        view: &View,
        id: &str,
        sent: &Form,
    ) -> impl Future<Output = Result<Notice, Error>> + Send;
}

/// The pages of a new one and of each, for everyone with a role.
pub(super) fn routes<E: Edited>(pages: &Pages, role: Role) -> [Route; 2] {
    let list = format!("{START}/{}", E::PATH);
    let (asks, creates, to) = (pages.clone(), pages.clone(), list.clone());
    let new = on(MethodFilter::GET, async move |view: View| E::show(&asks, view, None, &Sent::default())).on(
        MethodFilter::POST,
        async move |caller: Caller, view: View, sent: Form| match E::create(&creates, &caller, &view, &sent)
            .await
        {
            Ok(()) => done(notice::CREATED, &to),
            Err(error) => {
                let sent = Sent::refused(&view, sent, E::FIELDS, error);
                E::show(&creates, view, None, &sent)
            }
        },
    );
    let (reads, changes, to) = (pages.clone(), pages.clone(), list.clone());
    let one = on(MethodFilter::GET, async move |view: View, key: PathKey| {
        let found = E::find(&reads, &key.text("id")).await?;
        Ok::<_, Problem>(E::show(&reads, view, Some(&found), &Sent::default()))
    })
    .on(MethodFilter::POST, async move |caller: Caller, view: View, key: PathKey, sent: Form| {
        let id = key.text("id");
        let error = match E::save(&changes, &caller, &view, &id, &sent).await {
            Ok(notice) => return Ok(done(notice, &to)),
            Err(error) => error,
        };
        let found = E::find(&changes, &id).await?;
        let sent = Sent::refused(&view, sent, E::FIELDS, error);
        Ok::<_, Problem>(E::show(&changes, view, Some(&found), &sent))
    });
    [
        Route::page(&format!("{list}/new"), pages.needs(role), new),
        Route::page(&format!("{list}/{{id}}"), pages.needs(role), one),
    ]
}

/// Shows a form.
pub(super) fn show(pages: &Pages, view: View, filled: Filled, sent: &Sent) -> Response {
    let stored = stored_beside(sent.status, &sent.form, &filled.fields);
    let started = |stored| started_from(&view, sent.status, &sent.form, stored);
    let shown = FormPage {
        stored,
        list: filled.list,
        here: filled.here,
        fields: filled.fields.into_iter().map(|field| field.sent(&sent.form, &sent.problems)).collect(),
        revision: filled.revision.map(started),
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

/// The revision that the values of a form started from: the one in the form, so that saving them is refused if someone else
/// has saved since. After that refusal it is the stored one, because the page shows what is stored.
pub(super) fn started_from(view: &View, status: StatusCode, sent: &Form, stored: i64) -> i64 {
    let kept = view.draft.get("revision");
    let started = kept.or(sent.get("revision")).filter(|_| status != StatusCode::PRECONDITION_FAILED);
    started.and_then(|revision| revision.parse().ok()).unwrap_or(stored)
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
