//! A new record.

use std::sync::Arc;

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use hansang_core::Db;
use hansang_core::model::Entity;

use super::pickers::{self, Pickers};
use super::rows::{self, Entry};
use super::times::Typed;
use super::{System, fields, from_list, times};
use crate::app::Caller;
use hansang_access::Role;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ui::form::{Form, Problems};
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::notice;

#[derive(Template)]
#[template(path = "console/explore/create.html")]
struct Create {
    frame: Frame,
    system: String,
    /// The address of the form, and the list that it was opened from.
    here: String,
    back: String,
    doc: String,
    fields: Vec<Entry>,
    problems: Problems,
}

pub(super) fn route(system: &System, entity: &Arc<Entity>) -> Route {
    let (path, needs) = (new_path(system, entity), system.needs(Role::Editor));
    let (shows, shown) = (system.clone(), entity.clone());
    let (makes, made) = (system.clone(), entity.clone());
    let handler = on(MethodFilter::GET, async move |view: View| {
        let pickers = Pickers::of(&shows, &shown, None, &view).await?;
        let sent = rows::joined(fields::given(&shown), &view.draft, &view.reader);
        let sent = times::stored(&sent, fields::kinds(&shown), &view.reader, None);
        Ok::<_, Problem>(show(&shows, &shown, view, StatusCode::OK, &sent, Problems::default(), &pickers))
    })
    .on(MethodFilter::POST, async move |caller: Caller, view: View, sent: Form| {
        create(&makes, &made, &caller, view, &sent).await
    });
    Route { parameters: vec![super::list_parameter()], ..Route::page(&path, needs, handler) }
}

fn new_path(system: &System, entity: &Entity) -> String {
    system.at(&format!("/entities/{}/new", entity.name))
}

fn show(
    system: &System,
    entity: &Entity,
    view: View,
    status: StatusCode,
    sent: &Form,
    problems: Problems,
    pickers: &Pickers,
) -> Response {
    let fields = fields::given(entity).map(|one| {
        let field = pickers.apply(fields::of_new(one, &view.reader)).sent(sent, &problems);
        rows::entry(one, times::picker(field, Typed::of(one), &view.reader), sent, &view.reader)
    });
    let title = view.fill("Create {0}", "{0} 만들기").with(entity.title_in(view.language)).to_string();
    let create = Create {
        fields: fields.collect(),
        system: system.name().to_owned(),
        back: system.list_of(entity, &view),
        here: match system.opened_from(&view) {
            Some(list) => from_list(&new_path(system, entity), &list),
            None => new_path(system, entity),
        },
        doc: entity.doc.in_language(view.language).to_owned(),
        problems,
        frame: system.frame(view, &title),
    };
    page(status, &create)
}

async fn create(
    system: &System,
    entity: &Entity,
    caller: &Caller,
    view: View,
    sent: &Form,
) -> Result<Response, Problem> {
    let sent = &rows::joined(fields::given(entity), sent, &view.reader);
    let sent = &times::stored(sent, fields::kinds(entity), &view.reader, None);
    if !sent.text(rows::MORE).is_empty() {
        let pickers = Pickers::of(system, entity, None, &view).await?;
        return Ok(show(system, entity, view, StatusCode::OK, sent, Problems::default(), &pickers));
    }
    let (sent, unknown) = &pickers::resolved(system, entity, sent, None, &view).await?;
    let result = match fields::read(fields::given(entity), sent, unknown.clone()) {
        Ok(fields) => {
            let operation = format!("{}.create", entity.name);
            let write = async |db: Db| db.create(&entity.name, fields).await;
            system.calls.audited_write(caller, &operation, &entity.name, write).await
        }
        Err(error) => Err(error),
    };
    match result {
        Ok(record) => {
            let address = system.beside(&view, entity, "record", &record.fields);
            Ok(Redirect::to(&notice::CREATED.at(&address)).into_response())
        }
        Err(error) => {
            let problem = Problem::from(error);
            let names: Vec<&str> = fields::given(entity).map(|one| &*one.name).collect();
            let problems = Problems::of_error(&problem, &names, view.language);
            let pickers = Pickers::of(system, entity, None, &view).await?;
            Ok(show(system, entity, view, problem.status, sent, problems, &pickers))
        }
    }
}
