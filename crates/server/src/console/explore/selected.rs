//! Actions on the selected rows of a list: a download, and deleting after a page that asks for confirmation.

use std::sync::Arc;

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use hansang_core::db::GetOptions;
use hansang_core::model::Entity;
use hansang_core::{CoreCode, Error, Item, Record, message};

use super::download::{Format, of_records};
use super::record::fingerprint;
use super::{System, from_list, key_of, key_query, list_parameter, titles};
use crate::app::Caller;
use crate::messages;
use crate::routes::is_refusal;
use hansang_access::Role;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ui::form::Form;
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::notice;
use hansang_ui::table::Bulk;

/// The maximum number of rows of one action: a page of a list has no more.
const MAX_ROWS: usize = 100;

#[derive(Template)]
#[template(path = "console/explore/selected.html")]
struct Selected {
    frame: Frame,
    system: String,
    entity: String,
    /// The list that the rows were selected in.
    list: String,
    here: String,
    /// Whether these are the records that were not deleted.
    has_problems: bool,
    rows: Vec<Line>,
}

/// A selected record: its key, its state, its title, and why it was not deleted.
struct Line {
    key: String,
    was: String,
    title: String,
    problem: Option<String>,
}

/// The actions on the rows of a list.
pub(super) fn bulk(system: &System, entity: &Entity, view: &View, list: &str) -> Bulk {
    let mut actions = vec![
        ("csv", view.say("Download CSV", "CSV 내려받기").to_owned(), "download", false),
        ("json", view.say("Download JSON", "JSON 내려받기").to_owned(), "download", false),
    ];
    if system.may_edit(&system.frame(view.clone(), ""), &entity.name) {
        actions.push(("delete", view.say("Delete", "삭제").to_owned(), "trash", true));
    }
    Bulk { address: from_list(&address(system, entity), list), actions, choice: None }
}

fn address(system: &System, entity: &Entity) -> String {
    system.at(&format!("/entities/{}/selected", entity.name))
}

pub(super) fn routes(system: &System, entity: &Arc<Entity>, is_open: bool) -> Vec<Route> {
    let path = address(system, entity);
    let (back, listed) = (system.clone(), entity.clone());
    let (acts, chosen) = (system.clone(), entity.clone());
    // A reload or a change of language has no selection any more.
    let handler = on(MethodFilter::GET, async move |view: View| {
        Ok::<_, Problem>(Redirect::to(&back.list_of(&listed, &view)).into_response())
    })
    .on(MethodFilter::POST, async move |view: View, sent: Form| act(&acts, &chosen, view, &sent).await);
    let route = Route::page(&path, system.needs_reader(&entity.name), handler);
    let mut routes = vec![Route { parameters: vec![list_parameter()], ..route }];
    if is_open {
        let (back, listed) = (system.clone(), entity.clone());
        let (ends, ended) = (system.clone(), entity.clone());
        let handler = on(MethodFilter::GET, async move |view: View| {
            Ok::<_, Problem>(Redirect::to(&back.list_of(&listed, &view)).into_response())
        })
        .on(MethodFilter::POST, async move |caller: Caller, view: View, sent: Form| {
            delete(&ends, &ended, &caller, view, &sent).await
        });
        let route = Route::page(&format!("{path}/delete"), system.needs(Role::Editor), handler);
        routes.push(Route { parameters: vec![list_parameter()], ..route });
    }
    routes
}

/// A download of the selected records, or the page that asks whether to delete them.
async fn act(system: &System, entity: &Entity, view: View, sent: &Form) -> Result<Response, Problem> {
    let keys = keys(entity, sent)?;
    if keys.is_empty() {
        return Ok(Redirect::to(&notice::NONE_SELECTED.at(&system.list_of(entity, &view))).into_response());
    }
    let records: Vec<Record> = read(system, entity, &keys).await?.into_iter().flatten().collect();
    let name = format!("{}-{}", system.name(), entity.name);
    Ok(match sent.text("do") {
        "csv" => of_records(&name, entity, Format::Csv, &records),
        "json" => of_records(&name, entity, Format::Json, &records),
        _ => {
            let lines = records.iter().map(|record| line(record, None, &view)).collect();
            ask(system, entity, view, StatusCode::OK, lines)
        }
    })
}

/// The keys of the selected rows, each once.
fn keys(entity: &Entity, sent: &Form) -> Result<Vec<Item>, Error> {
    let mut keys = Vec::new();
    for (_, row) in sent.pairs().filter(|(name, _)| *name == "row").take(MAX_ROWS) {
        let row = Form::parse(row.as_bytes());
        let key = key_of(entity, |name| row.get(name).map(ToOwned::to_owned))?;
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    Ok(keys)
}

async fn read(system: &System, entity: &Entity, keys: &[Item]) -> Result<Vec<Option<Record>>, Error> {
    let options = GetOptions { consistent: true, ..GetOptions::default() };
    let operation = format!("{}.batchGet", entity.name);
    system.calls.measured(&operation, system.db().batch_get(&entity.name, keys, &options)).await
}

fn line(record: &Record, problem: Option<String>, view: &View) -> Line {
    Line {
        key: key_query(&record.entity, &record.fields),
        was: fingerprint(record),
        title: titles::record(&record.entity, &record.fields, &view.reader),
        problem,
    }
}

/// The page that asks whether to delete these records, or says which were not deleted.
fn ask(system: &System, entity: &Entity, view: View, status: StatusCode, rows: Vec<Line>) -> Response {
    let count = rows.len();
    let title = view.plural(count, "Delete {0} record", "Delete {0} records", "{0}건 삭제").to_string();
    let list = system.list_of(entity, &view);
    let selected = Selected {
        system: system.name().to_owned(),
        entity: entity.plural_in(view.language).into_owned(),
        here: from_list(&format!("{}/delete", address(system, entity)), &list),
        list,
        has_problems: rows.iter().any(|row| row.problem.is_some()),
        rows,
        frame: system.frame(view, &title),
    };
    page(status, &selected)
}

/// Deletes each record by itself, if it is still as it was shown: a problem with one does not stop the others.
async fn delete(
    system: &System,
    entity: &Entity,
    caller: &Caller,
    view: View,
    sent: &Form,
) -> Result<Response, Problem> {
    let keys = keys(entity, sent)?;
    let was: Vec<&str> = sent.pairs().filter(|(name, _)| *name == "was").map(|(_, was)| was).collect();
    let operation = format!("{}.delete", entity.name);
    let mut left = Vec::new();
    // A record that is gone already needs nothing.
    for record in read(system, entity, &keys).await?.into_iter().flatten() {
        let was_shown = was.contains(&&*fingerprint(&record));
        let subject = system.of_record(entity, "record", &record.fields);
        let result = if was_shown {
            let key: Item = key_of(entity, |name| {
                Some(titles::stored(entity.attribute(name)?, record.fields.get(name)))
            })?;
            let write = async |db: hansang_core::Db| db.delete(&entity.name, key, record.version()).await;
            system.calls.audited_write(caller, &operation, &subject, write).await
        } else {
            Err(Error::precondition(CoreCode::ChangedMeanwhile, message!(messages::CHANGED_BEFORE_DELETE)))
        };
        match result {
            Ok(()) => {}
            Err(error) if is_refusal(&error) => {
                left.push(line(&record, Some(view.sentence(&error.message)), &view));
            }
            Err(error) => return Err(error.into()),
        }
    }
    if left.is_empty() {
        return Ok(Redirect::to(&notice::DELETED.at(&system.list_of(entity, &view))).into_response());
    }
    Ok(ask(system, entity, view, StatusCode::CONFLICT, left))
}
