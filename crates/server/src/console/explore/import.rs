//! Imports records from a file, after a preview.

use askama::Template;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use hansang_core::db::GetOptions;
use hansang_core::model::Role as Written;
use hansang_core::{Db, Error, Item, Record, write};
use serde_json::Value as Json;

use super::System;
use super::titles;
use super::trial::Trial;
use crate::app::Caller;
use crate::routes::{Sum, is_refusal, record_of, store_in_order};
use hansang_access::Role;
use hansang_http::kept::MARK;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ui::form::Form;
use hansang_ui::frame::{Frame, View, page};

mod lines;

use lines::Lines;

/// The maximum number of lines in the preview, doubled for refused ones.
const SHOWN: usize = 50;

#[derive(Template)]
#[template(path = "console/explore/import.html")]
struct Import {
    frame: Frame,
    system: String,
    text: String,
    message: Option<String>,
    preview: Option<Preview>,
    /// The numbers of stored and refused lines of the import that led here.
    done: Option<(u64, u64)>,
}

/// The effect of each line.
#[derive(Default)]
struct Preview {
    new: usize,
    replaced: usize,
    unchanged: usize,
    refused: usize,
    lines: Vec<Line>,
    /// The number of lines that are not listed.
    more: usize,
}

struct Line {
    number: usize,
    entity: String,
    title: String,
    effect: Effect,
}

/// The effect of a line.
#[derive(Clone, PartialEq, Eq)]
enum Effect {
    New,
    Replace,
    Unchanged,
    Refused(String),
}

pub(super) fn route(system: &System) -> Route {
    let (path, needs) = (system.at("/import"), system.needs(Role::Editor));
    let (shows, takes) = (system.clone(), system.clone());
    let handler = on(MethodFilter::GET, async move |view: View| show(&shows, view, Import::of(&shows)))
        .on(MethodFilter::POST, async move |caller: Caller, view: View, sent: Form| {
            take(&takes, &caller, view, &sent).await
        });
    Route::page(&path, needs, handler)
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
}

impl Preview {
    /// The number of lines to store.
    fn stored(&self) -> usize {
        self.new + self.replaced
    }

    fn of(lines: &[Line]) -> Self {
        let mut preview = Self::default();
        for line in lines {
            match line.effect {
                Effect::New => preview.new += 1,
                Effect::Replace => preview.replaced += 1,
                Effect::Unchanged => preview.unchanged += 1,
                Effect::Refused(_) => preview.refused += 1,
            }
        }
        preview
    }
}

fn show(system: &System, view: View, import: impl FnOnce(Frame) -> Import) -> Response {
    let title = view.say("Import", "가져오기").to_owned();
    page(StatusCode::OK, &import(system.frame(view, &title)))
}

async fn take(system: &System, caller: &Caller, view: View, sent: &Form) -> Result<Response, Problem> {
    let text = sent.text("text").replace("\r\n", "\n");
    let empty = Import::of(system);
    let file = match Lines::parse(system, &text) {
        Ok(file) => file,
        Err(error) => {
            let message = Some(view.sentence(&error.message));
            return Ok(show(system, view, |frame| Import { text, message, ..empty(frame) }));
        }
    };
    let tried = try_all(system, &file, &view).await?;
    if !sent.text("refused").is_empty() {
        return Ok(refused(&file, &tried));
    }
    let mut preview = Preview::of(&tried);
    if sent.text("confirm").is_empty() {
        // Refused lines are listed beyond the limit of others.
        for line in tried {
            let is_refused = matches!(line.effect, Effect::Refused(_));
            if preview.lines.len() < SHOWN || (is_refused && preview.lines.len() < 2 * SHOWN) {
                preview.lines.push(line);
            }
        }
        preview.more = file.lines.len() - preview.lines.len();
        return Ok(show(system, view, |frame| Import { text, preview: Some(preview), ..empty(frame) }));
    }
    let wanted = tried.iter().map(|line| matches!(line.effect, Effect::New | Effect::Replace));
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
    let refused = sum.refused + preview.refused;
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
    let media = if name.ends_with("csv") { "text/csv; charset=utf-8" } else { "application/x-ndjson" };
    let disposition = format!("attachment; filename=\"{name}\"");
    ([(header::CONTENT_TYPE, media.to_owned()), (header::CONTENT_DISPOSITION, disposition)], text)
        .into_response()
}

/// The effect of each line, one after another, as storing them would have it.
async fn try_all(system: &System, file: &Lines, view: &View) -> Result<Vec<Line>, Error> {
    let db = system.db().by_way_of(Trial::new(system.db().store().clone()));
    let mut tried = Vec::with_capacity(file.lines.len());
    for line in &file.lines {
        let result = match line.record.clone() {
            Ok(json) => try_one(&db, json).await,
            Err(error) => Err(error),
        };
        let (entity, title, effect) = match result {
            Ok((record, effect)) => (
                record.entity.title_in(view.language).into_owned(),
                titles::record(&record.entity, &record.fields, &view.reader),
                effect,
            ),
            Err(error) if is_refusal(&error) => {
                (String::new(), String::new(), Effect::Refused(view.sentence(&error.message)))
            }
            Err(error) => return Err(error),
        };
        tried.push(Line { number: line.number, entity, title, effect });
    }
    Ok(tried)
}

async fn try_one(db: &Db, json: Json) -> Result<(Record, Effect), Error> {
    let (entity, fields) = record_of(db, json)?;
    let before = match write::key(&entity, &fields) {
        Ok(_) => {
            db.get(&entity.name, &fields, &GetOptions { consistent: true, ..GetOptions::default() }).await?
        }
        // A key that is generated is new.
        Err(_) => None,
    };
    let after = db.put(&entity.name, fields, None).await?;
    let given = |item: &Item| -> Item {
        let is_given =
            |name: &str| entity.attribute(name).is_some_and(|one| matches!(one.role, Written::Given));
        item.iter()
            .filter(|(name, _)| is_given(name))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect()
    };
    let effect = match before {
        None => Effect::New,
        Some(before) if given(&before.fields) == given(&after.fields) => Effect::Unchanged,
        Some(_) => Effect::Replace,
    };
    Ok((after, effect))
}
