//! Deletes a record, after a page that asks for confirmation.

use std::sync::Arc;

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use hansang_core::model::Entity;
use hansang_core::{CoreCode, Db, Error, Record, message};

use super::record::{fingerprint, read};
use super::{System, cells, key, titles};
use crate::app::Caller;
use crate::messages;
use hansang_access::Role;
use hansang_http::input::Parameters;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ui::form::Form;
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::notice;

#[derive(Template)]
#[template(path = "console/explore/delete.html")]
struct Delete {
    frame: Frame,
    system: String,
    entity: String,
    here: String,
    back: String,
    was: String,
    /// The key and the main fields of the record.
    facts: Vec<(String, String)>,
    message: Option<String>,
}

pub(super) fn route(system: &System, entity: &Arc<Entity>) -> Route {
    let (path, needs) = (system.at(&format!("/entities/{}/delete", entity.name)), system.needs(Role::Editor));
    let parameters = super::key_parameters(entity);
    let (shows, shown) = (system.clone(), entity.clone());
    let (ends, ended) = (system.clone(), entity.clone());
    let handler = on(MethodFilter::GET, async move |view: View, mut asked: Parameters| {
        let key = key(&shown, &mut asked)?;
        let record = read(&shows, shows.db(), &shown, &key).await?;
        Ok::<_, Problem>(show(&shows, &record, view, StatusCode::OK, None))
    })
    .on(MethodFilter::POST, async move |caller: Caller, view: View, asked: Parameters, sent: Form| {
        delete(&ends, &ended, &caller, view, asked, &sent).await
    });
    Route { parameters, ..Route::page(&path, needs, handler) }
}

fn show(
    system: &System,
    record: &Record,
    view: View,
    status: StatusCode,
    message: Option<String>,
) -> Response {
    let entity = &record.entity;
    let name = titles::record(entity, &record.fields, &view.reader);
    let title = view.fill("Delete {0}", "{0} 삭제").with(&name).to_string();
    let fact = |name: &String| {
        let text = titles::of_entity(entity, name, record.fields.get(name.as_str())?, &view.reader);
        Some((titles::field(entity, name, view.language), text))
    };
    let delete = Delete {
        system: system.name().to_owned(),
        entity: name,
        here: system.beside(&view, entity, "delete", &record.fields),
        back: system.beside(&view, entity, "record", &record.fields),
        was: fingerprint(record),
        facts: cells::columns(entity).iter().filter_map(fact).collect(),
        message,
        frame: system.frame(view, &title),
    };
    page(status, &delete)
}

async fn delete(
    system: &System,
    entity: &Entity,
    caller: &Caller,
    view: View,
    mut asked: Parameters,
    sent: &Form,
) -> Result<Response, Problem> {
    let key = key(entity, &mut asked)?;
    let record = read(system, system.db(), entity, &key).await?;
    let subject = system.of_record(entity, "record", &key);
    let result: Result<(), Error> = if sent.text("was") == fingerprint(&record) {
        let operation = format!("{}.delete", entity.name);
        let write = async |db: Db| db.delete(&entity.name, key, record.version()).await;
        system.calls.audited_write(caller, &operation, &subject, write).await
    } else {
        Err(Error::precondition(CoreCode::ChangedMeanwhile, message!(messages::CHANGED_BEFORE_DELETE)))
    };
    match result {
        Ok(()) => Ok(Redirect::to(&notice::DELETED.at(&system.list_of(entity, &view))).into_response()),
        Err(error) => {
            let problem = Problem::from(error);
            let message = view.sentence(&problem.message);
            Ok(show(system, &record, view, problem.status, Some(message)))
        }
    }
}
