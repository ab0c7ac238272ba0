//! Imports records from a file or a text, after a preview.

use askama::Template;
use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use hansang_core::{Error, message};
use serde_json::Value as Json;

use super::System;
use crate::app::Caller;
use crate::routes::{Sum, store_in_order};
use crate::{ServerCode, messages};
use hansang_access::Role;
use hansang_http::input::media_type;
use hansang_http::kept::MARK;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_http::upload::{MEDIA_TYPE, Upload};
use hansang_ui::form::Form;
use hansang_ui::frame::{Frame, View, page};

mod check;
mod lines;
mod preview;

use check::{Effect, Line, try_all};
use lines::Lines;
use preview::Preview;

/// The maximum size of a file.
const MAX_FILE: u64 = 4 * 1024 * 1024;
/// The maximum size of a form with the text of such a file: three characters for each byte, and the other fields.
const MAX_FORM: u64 = 3 * MAX_FILE + 64 * 1024;
/// The size up to which the text of a preview can be edited on its page.
const MAX_EDITED: usize = 128 * 1024;

#[derive(Template)]
#[template(path = "console/explore/import.html")]
struct Import {
    frame: Frame,
    system: String,
    /// The text that can be edited.
    text: String,
    message: Option<String>,
    preview: Option<Preview>,
    /// The numbers of stored and refused lines of the import that led here.
    done: Option<(u64, u64)>,
}

/// A submitted form, with the text of its file if it has one.
struct Sent {
    form: Form,
    text: Result<String, Error>,
}

impl<S: Send + Sync> FromRequest<S> for Sent {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        if media_type(request.headers()).as_deref() != Some(MEDIA_TYPE) {
            let form = Form::from_request(request, state).await?;
            let text = Ok(plain(form.text("text")));
            return Ok(Self { form, text });
        }
        let upload = Upload::from_request(request, state).await?;
        Ok(Self { text: text_of(&upload.bytes), form: upload.form })
    }
}

/// The text of a file.
fn text_of(bytes: &[u8]) -> Result<String, Error> {
    if bytes.len() as u64 > MAX_FILE {
        return Err(Error::invalid(
            ServerCode::FileTooLarge,
            message!(messages::FILE_TOO_LARGE, megabytes()),
        ));
    }
    let text = std::str::from_utf8(bytes)
        .map_err(|_| Error::invalid(ServerCode::NotUtf8, message!(messages::FILE_NOT_UTF8)))?;
    Ok(plain(text))
}

/// A text with plain line ends and without a byte order mark.
fn plain(text: &str) -> String {
    text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n")
}

/// The maximum size of a file in megabytes.
fn megabytes() -> u64 {
    MAX_FILE / (1024 * 1024)
}

pub(super) fn route(system: &System) -> Route {
    let (path, needs) = (system.at("/import"), system.needs(Role::Editor));
    let (shows, takes) = (system.clone(), system.clone());
    let handler = on(MethodFilter::GET, async move |view: View| show(&shows, view, Import::of(&shows)))
        .on(MethodFilter::POST, async move |caller: Caller, view: View, sent: Sent| {
            take(&takes, &caller, view, sent).await
        });
    Route { max_body: Some(MAX_FORM), ..Route::page(&path, needs, handler) }
}

impl Import {
    fn of(system: &System) -> impl FnOnce(Frame) -> Self + use<> {
        let system = system.name().to_owned();
        |frame: Frame| {
            let text = frame.view.draft.text("text").to_owned();
            let asked = frame.view.asked();
            let count = |name: &str| asked.text(name).parse().ok();
            let done = count("stored").zip(count("refused"));
            Self { frame, system, text, message: None, preview: None, done }
        }
    }

    /// The limit of a file, in words.
    fn limit(&self) -> String {
        let text = self.frame.fill(
            "At most {0} MB. Larger files can be sent through the API, with `hansang import` for example.",
            "최대 {0} MB입니다. 더 큰 파일은 `hansang import` 등 API로 보내세요.",
        );
        text.with(megabytes()).to_string()
    }
}

fn show(system: &System, view: View, import: impl FnOnce(Frame) -> Import) -> Response {
    let title = view.say("Import", "가져오기").to_owned();
    page(StatusCode::OK, &import(system.frame(view, &title)))
}

async fn take(system: &System, caller: &Caller, view: View, sent: Sent) -> Result<Response, Problem> {
    let form = sent.form;
    let typed = sent.text.as_ref().map(String::as_str).unwrap_or_default().to_owned();
    let empty = Import::of(system);
    let (text, file) = match sent.text.and_then(|text| Ok((Lines::parse(system, &text)?, text))) {
        Ok((file, text)) => (text, file),
        Err(error) => {
            let message = Some(view.sentence(&error.message));
            return Ok(show(system, view, |frame| Import { text: typed, message, ..empty(frame) }));
        }
    };
    let tried = try_all(system, &file, &view).await?;
    if !form.text("refused").is_empty() {
        return Ok(refused(&file, &tried));
    }
    if !form.text("results").is_empty() {
        return Ok(download("results.csv", preview::file(&view, &tried)));
    }
    if form.text("confirm").is_empty() {
        let text_shown = if text.len() <= MAX_EDITED { text.clone() } else { String::new() };
        let preview = Some(Preview::of(&view, text, tried, &form));
        return Ok(show(system, view, |frame| Import { text: text_shown, preview, ..empty(frame) }));
    }
    let count = tried.iter().filter(|line| matches!(line.effect, Effect::Refused(_))).count();
    let wanted = tried.iter().map(|line| line.effect.is_stored());
    let good = file.lines.into_iter().zip(wanted).filter(|(_, wanted)| *wanted);
    let good: Vec<(usize, Json)> =
        good.filter_map(|(line, _)| Some((line.number, line.record.ok()?))).collect();
    let store = async {
        let mut sum = Sum::default();
        sum.read(text.as_bytes());
        store_in_order(system.db(), good, &mut sum).await?;
        Ok(sum)
    };
    let calls = &system.calls;
    let sum = calls.audited_in_detail(caller, ("import", "lines"), store, |sum| Some(sum.detail())).await?;
    let refused = sum.refused + count;
    let here = format!("{}?stored={}&refused={refused}", system.at("/import"), sum.stored);
    Ok(if refused == 0 {
        Redirect::to(&here).into_response()
    } else {
        // The lines stay on the page, to be corrected and sent again; sent as a draft, they are not stored twice.
        Redirect::temporary(&format!("{here}&{MARK}")).into_response()
    })
}

/// The refused lines as a file, each with its reason.
fn refused(file: &Lines, tried: &[Line]) -> Response {
    let reasons = tried.iter().enumerate().filter_map(|(at, line)| match &line.effect {
        Effect::Refused(reason) => Some((at, reason.clone())),
        _ => None,
    });
    let (name, text) = file.file(&reasons.collect::<Vec<_>>());
    download(name, text)
}

fn download(name: &str, text: String) -> Response {
    let media = if name.ends_with("csv") { "text/csv; charset=utf-8" } else { "application/x-ndjson" };
    let disposition = format!("attachment; filename=\"{name}\"");
    ([(header::CONTENT_TYPE, media.to_owned()), (header::CONTENT_DISPOSITION, disposition)], text)
        .into_response()
}
