//! Changes of a record: writes only changed fields, and only if the record is still as shown.

use std::sync::Arc;

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use hansang_core::db::Operation;
use hansang_core::kind::Kind;
use hansang_core::model::{Attribute, Entity};
use hansang_core::plan::{Change as Changed, Condition, Guard, Path, Reason};
use hansang_core::validate::Violation;
use hansang_core::write::Update;
use hansang_core::{CoreCode, Db, Error, Item, Record, Value, message};

use super::pickers::{self, Pickers};
use super::record::{fingerprint, read};
use super::rows::{self, Entry};
use super::times::Typed;
use super::{System, fields, key, times, titles};
use crate::app::Caller;
use crate::messages;
use hansang_access::Role;
use hansang_http::input::Parameters;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ui::form::{Form, Input, Problems};
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::notice;
use hansang_ui::time::Reader;

#[derive(Template)]
#[template(path = "console/explore/change.html")]
struct Change {
    frame: Frame,
    system: String,
    entity: String,
    here: String,
    back: String,
    /// The state of the record that the form shows.
    was: String,
    fields: Vec<Entry>,
    /// Name, submitted value and stored value of each field that differs, after a conflict.
    conflict: Vec<(String, String, String)>,
    problems: Problems,
}

pub(super) fn route(system: &System, entity: &Arc<Entity>) -> Route {
    let (path, needs) = (system.at(&format!("/entities/{}/change", entity.name)), system.needs(Role::Editor));
    let parameters = super::key_parameters(entity);
    let (shows, shown) = (system.clone(), entity.clone());
    let (makes, made) = (system.clone(), entity.clone());
    let handler = on(MethodFilter::GET, async move |view: View, mut asked: Parameters| {
        let key = key(&shown, &mut asked)?;
        let record = read(&shows, shows.db(), &shown, &key).await?;
        let pickers = Pickers::of(&shows, &shown, Some(&record), &view).await?;
        let sent = rows::joined(fields::given(&shown), &view.draft, &view.reader);
        let sent = times::stored(&sent, fields::kinds(&shown), &view.reader, Some(&record.fields));
        Ok::<_, Problem>(show(&shows, &record, view, StatusCode::OK, &sent, Problems::default(), &pickers))
    })
    .on(MethodFilter::POST, async move |caller: Caller, view: View, asked: Parameters, sent: Form| {
        change(&makes, &made, &caller, view, asked, &sent).await
    });
    Route { parameters, ..Route::page(&path, needs, handler) }
}

fn show(
    system: &System,
    record: &Record,
    view: View,
    status: StatusCode,
    sent: &Form,
    problems: Problems,
    pickers: &Pickers,
) -> Response {
    let entity = &record.entity;
    let field = |one: &Attribute| {
        let mut field = pickers.apply(fields::of_attribute(one, &view.reader));
        let value = record.fields.get(&one.name);
        field.value = value.map(|value| fields::text_of(&one.kind, value)).unwrap_or_default();
        field.required = !one.optional;
        if field.value.contains(['\n', '\r']) && matches!(field.input, Input::Text) {
            // An input of one line would drop the other lines.
            field.input = Input::Area { rows: 4 };
        }
        if is_fixed(entity, one, record) {
            field.locked = true;
            field.required = false;
            return times::picker(field, Typed::of(one), &view.reader);
        }
        if let (Kind::Lifecycle(life), Some(Value::S(now))) = (&one.kind, value) {
            // Only the next states of the lifecycle.
            let next = life.moves.iter().filter(|(from, _)| **from == **now).map(|(_, to)| to.to_string());
            let all = std::iter::once(now.to_string()).chain(next);
            field.input = Input::Choice(all.map(|state| (state.clone(), state)).collect());
            field = fields::with_titles(field, one, view.language);
        }
        times::picker(field.sent(sent, &problems), Typed::of(one), &view.reader)
    };
    let name = titles::record(entity, &record.fields, &view.reader);
    let title = view.fill("Edit {0}", "{0} 편집").with(&name).to_string();
    let conflict = match status {
        StatusCode::PRECONDITION_FAILED => conflict(record, sent, &view.reader),
        _ => Vec::new(),
    };
    let change = Change {
        conflict,
        fields: fields::given(entity).map(|one| rows::entry(one, field(one), sent, &view.reader)).collect(),
        system: system.name().to_owned(),
        entity: name,
        here: system.beside(&view, entity, "change", &record.fields),
        back: system.beside(&view, entity, "record", &record.fields),
        // More rows are no new look at the record.
        was: match sent.text("was") {
            was if status == StatusCode::OK && !was.is_empty() => was.to_owned(),
            _ => fingerprint(record),
        },
        problems,
        frame: system.frame(view, &title),
    };
    page(status, &change)
}

/// The fields whose submitted value is not the stored one.
fn conflict(record: &Record, sent: &Form, reader: &Reader) -> Vec<(String, String, String)> {
    let given = fields::given(&record.entity).filter(|one| sent.get(&one.name).is_some());
    let line = |one: &Attribute| {
        let (yours, theirs) =
            (sent.text(&one.name).replace("\r\n", "\n"), titles::stored(one, record.fields.get(&one.name)));
        let local = |text: &str| times::local(Typed::of(one), text, reader);
        (yours != theirs).then(|| (titles::attribute(one, reader.language), local(&yours), local(&theirs)))
    };
    given.filter_map(line).collect()
}

/// Whether the attribute is part of the key, or immutable and already set.
fn is_fixed(entity: &Entity, attribute: &Attribute, record: &Record) -> bool {
    entity.in_key(&attribute.name) || (attribute.immutable && record.fields.contains_key(&attribute.name))
}

async fn change(
    system: &System,
    entity: &Entity,
    caller: &Caller,
    view: View,
    mut asked: Parameters,
    sent: &Form,
) -> Result<Response, Problem> {
    let key = key(entity, &mut asked)?;
    let record = read(system, system.db(), entity, &key).await?;
    let sent = &rows::joined(fields::given(entity), sent, &view.reader);
    let sent = &times::stored(sent, fields::kinds(entity), &view.reader, Some(&record.fields));
    if !sent.text(rows::MORE).is_empty() {
        let pickers = Pickers::of(system, entity, Some(&record), &view).await?;
        return Ok(show(system, &record, view, StatusCode::OK, sent, Problems::default(), &pickers));
    }
    let (sent, unknown) = &pickers::resolved(system, entity, sent, Some(&record), &view).await?;
    let subject = system.of_record(entity, "record", &key);
    let back = system.beside(&view, entity, "record", &key);
    let result = match changes(&record, &key, sent, unknown) {
        // Nothing changed, so nothing is written.
        Ok(None) => Ok(()),
        Ok(Some(update)) => {
            let operation = format!("{}.update", entity.name);
            let write =
                async |db: Db| db.transact(vec![update]).await.map(drop).map_err(|refusal| refusal.error);
            system.calls.audited_write(caller, &operation, &subject, write).await
        }
        Err(error) => Err(error),
    };
    match result {
        Ok(()) => Ok(Redirect::to(&notice::SAVED.at(&back)).into_response()),
        Err(error) => {
            let problem = Problem::from(error);
            let names: Vec<&str> = fields::given(entity).map(|one| &*one.name).collect();
            let problems = Problems::of_error(&problem, &names, view.language);
            let pickers = Pickers::of(system, entity, Some(&record), &view).await?;
            Ok(show(system, &record, view, problem.status, sent, problems, &pickers))
        }
    }
}

/// The update from the stored record to the submitted values, if they differ.
fn changes(
    record: &Record,
    key: &Item,
    sent: &Form,
    unknown: &[Violation],
) -> Result<Option<Operation>, Error> {
    if sent.text("was") != fingerprint(record) {
        return Err(changed_meanwhile());
    }
    let entity = &record.entity;
    let open = || fields::given(entity).filter(|one| !is_fixed(entity, one, record));
    let wanted = fields::read(open(), sent, unknown.to_vec())?;
    let mut changes = Vec::new();
    let mut guards = Vec::new();
    // Fields that the form did not show stay as they are.
    for attribute in open().filter(|one| sent.get(&one.name).is_some()) {
        let (now, then) = (record.fields.get(&attribute.name), wanted.get(&attribute.name));
        if now == then || now.is_some_and(|now| Some(&as_sent(now)) == then) {
            continue;
        }
        let change = then.cloned().map_or(Changed::Remove, Changed::Set);
        changes.push((Path::from(&attribute.name), change));
        let condition = Condition::unchanged(&attribute.name, now);
        guards.push(Guard { condition, otherwise: Reason::Other(changed_meanwhile()) });
    }
    if changes.is_empty() {
        return Ok(None);
    }
    let update = Update { key: key.clone(), changes, expected_version: record.version() };
    Ok(Some(Operation::Update { entity: entity.name.clone(), update, guards }))
}

/// A value as a form returns it: forms normalise line ends.
fn as_sent(value: &Value) -> Value {
    match value {
        Value::S(text) => Value::from(text.replace("\r\n", "\n").replace('\r', "\n")),
        other => other.clone(),
    }
}

fn changed_meanwhile() -> Error {
    Error::precondition(CoreCode::ChangedMeanwhile, message!(messages::CHANGED_SINCE_SHOWN))
}
