//! Many records in one request: reads by key, and atomic writes.

use axum::Json as Body;
use axum::http::Method;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodFilter, on};
use hansang_core::db::{GetOptions, Operation, Refusal};
use hansang_core::model::Entity;
use hansang_core::plan::MAX_TRANSACTION;
use hansang_core::validate::violation;
use hansang_core::value::item_size;
use hansang_core::{Db, Error, Item, Record, message};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json, json};

use super::changes;
use crate::ServerCode;
use crate::app::{Caller, Calls};
use crate::messages;
use crate::messages::api;
use crate::output;
use crate::schema;
use hansang_access::Role;
use hansang_http::HttpCode;
use hansang_http::guard::role_missing;
use hansang_http::input::{Members, item};
use hansang_http::json::{parse, present, whole};
use hansang_http::problem::Problem;
use hansang_http::route::{Needs, Route, json_answer, json_body};

/// The end of the path of reads by key.
pub(super) const BATCH_GET: &str = "/batch-get";
/// The maximum number of records that one request can read or write.
const MAX_AT_ONCE: usize = 100;
/// The number of records that are read before their size is known.
const FEW: usize = 10;
/// The maximum size of the records of one read.
const MAX_BYTES: usize = 4 * 1024 * 1024;

/// The operations on many records of a model.
pub(super) fn routes(calls: &Calls) -> Vec<Route> {
    vec![batch_get_route(calls), transaction_route(calls)]
}

/// The keys of records of one entity.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    entity: String,
    keys: Vec<Map<String, Json>>,
    #[serde(default)]
    consistent: bool,
    #[serde(default, deserialize_with = "present")]
    fields: Option<Vec<String>>,
}

/// The operations of a transaction.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Together {
    operations: Vec<Step>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
enum Step {
    Create(Whole),
    Put(Whole),
    Update(Part),
    Delete(Part),
    Relocate(Part),
    Check(Part),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Whole {
    entity: String,
    fields: Map<String, Json>,
    #[serde(default, deserialize_with = "whole")]
    version: Option<i64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Part {
    entity: String,
    key: Map<String, Json>,
    #[serde(default, deserialize_with = "present")]
    changes: Option<Map<String, Json>>,
    #[serde(default, deserialize_with = "whole")]
    version: Option<i64>,
}

fn batch_get_route(calls: &Calls) -> Route {
    let model = calls.db.model().name.clone();
    let calls = calls.clone();
    Route {
        method: Method::POST,
        path: format!("/api/{model}{BATCH_GET}"),
        operation: format!("{model}.batchGet"),
        summary: message!(api::BATCH_GET),
        tag: model.to_string(),
        needs: Needs::Role(model.to_string(), Role::Viewer),
        parameters: Vec::new(),
        body: Some(json_body(schema::batch_get(calls.db.model(), MAX_AT_ONCE))),
        answers: vec![(200, json_answer(message!(api::IN_KEY_ORDER), items(&calls.db)))],
        refusals: &[413, 415],
        streams: false,
        max_body: None,
        handler: on(MethodFilter::POST, async move |caller: Caller, members: Members| {
            batch_get(&calls, &caller, members).await
        }),
    }
}

fn transaction_route(calls: &Calls) -> Route {
    let model = calls.db.model().name.clone();
    let calls = calls.clone();
    Route {
        method: Method::POST,
        path: format!("/api/{model}/transactions"),
        operation: format!("{model}.transact"),
        summary: message!(api::TRANSACT),
        tag: model.to_string(),
        needs: Needs::Role(model.to_string(), Role::Editor),
        parameters: Vec::new(),
        body: Some(json_body(schema::transaction(&calls.db, MAX_AT_ONCE))),
        answers: vec![(200, json_answer(message!(api::RECORDS_AFTERWARDS), items(&calls.db)))],
        refusals: &[409, 412, 413, 415],
        streams: false,
        max_body: None,
        handler: on(MethodFilter::POST, async move |caller: Caller, members: Members| {
            transact(&calls, caller, members).await
        }),
    }
}

async fn batch_get(calls: &Calls, caller: &Caller, Members(members): Members) -> Result<Response, Problem> {
    let wanted: Wanted = parse(members)?;
    if wanted.keys.len() > MAX_AT_ONCE {
        return Err(
            Error::invalid(ServerCode::TooManyKeys, message!(messages::TOO_MANY_KEYS, MAX_AT_ONCE)).into()
        );
    }
    let entity = calls.db.entity(&wanted.entity)?;
    let system = &calls.db.model().name;
    if !calls.reserved.may_read(caller.role_in(system), &entity.name) {
        return Err(role_missing(system, calls.reserved.role(&entity.name)).into());
    }
    let keys =
        wanted.keys.into_iter().map(|members| key_of(entity, members)).collect::<Result<Vec<_>, _>>()?;
    let options = GetOptions { consistent: wanted.consistent, fields: wanted.fields };
    let found = calls.measured("batchGet", read_all(&calls.db, &wanted.entity, &keys, &options)).await?;
    Ok(records(&found))
}

/// Reads records by key. Refuses more than [`MAX_BYTES`]; large records are read a few at a time, so that no more than
/// that is in memory by far.
async fn read_all(
    db: &Db,
    entity: &str,
    keys: &[Item],
    options: &GetOptions,
) -> Result<Vec<Option<Record>>, Error> {
    let mut found = Vec::with_capacity(keys.len());
    let (mut bytes, mut rest, mut count) = (0, keys, FEW);
    // Without keys the fields are checked all the same.
    loop {
        let (now, later) = rest.split_at(count.min(rest.len()));
        let records = db.batch_get(entity, now, options).await?;
        bytes += records.iter().flatten().map(|record| item_size(&record.fields)).sum::<usize>();
        if bytes > MAX_BYTES {
            let message = message!(messages::TOO_MANY_BYTES, MAX_BYTES / 1024 / 1024);
            return Err(Error::invalid(ServerCode::TooManyBytes, message));
        }
        found.extend(records);
        rest = later;
        if rest.is_empty() {
            return Ok(found);
        }
        // Small records so far: the others need no further calls.
        count = if bytes * MAX_AT_ONCE / FEW <= MAX_BYTES { MAX_AT_ONCE } else { FEW };
    }
}

async fn transact(calls: &Calls, caller: Caller, Members(members): Members) -> Result<Response, Problem> {
    let together: Together = parse(members)?;
    let count = together.operations.len();
    if count == 0 || count > MAX_AT_ONCE {
        let message = message!(messages::WRONG_OPERATION_COUNT, MAX_AT_ONCE, count);
        return Err(Error::invalid(HttpCode::InvalidBody, message).into());
    }
    let operations = together
        .operations
        .into_iter()
        .enumerate()
        .map(|(place, step)| operation(&calls.db, step).map_err(|error| at(Some(place), error)))
        .collect::<Result<Vec<_>, Error>>()?;
    let transact = async |db: Db, operations| {
        db.transact(operations).await.map_err(|Refusal { operation, error }| at(operation, error))
    };
    let subject = format!("{count} operations");
    let done = if has_room(&calls.db, count) {
        let write = async |db: Db| transact(db, operations).await;
        calls.audited_write(&caller, "transact", &subject, write).await?
    } else {
        calls.audited(&caller, "transact", &subject, transact(calls.db.clone(), operations)).await?
    };
    Ok(records(&done))
}

fn operation(db: &Db, step: Step) -> Result<Operation, Error> {
    let guards = Vec::new();
    Ok(match step {
        Step::Create(Whole { entity, fields, version: None }) => {
            let fields = Members(fields).fields(db.entity(&entity)?)?;
            Operation::Create { entity: entity.into(), fields, guards }
        }
        Step::Create(_) => {
            return Err(Error::invalid(HttpCode::InvalidBody, message!(messages::NO_VERSION_YET)));
        }
        Step::Put(Whole { entity, fields, version }) => {
            let fields = Members(fields).fields(db.entity(&entity)?)?;
            Operation::Put { entity: entity.into(), fields, expected_version: version, guards }
        }
        Step::Update(part) => {
            let (entity, key, changes, version) = changed(db, part)?;
            let update = changes::update(db.entity(&entity)?, key, changes, version)?;
            Operation::Update { entity: entity.into(), update, guards }
        }
        Step::Relocate(part) => {
            let (entity, key, changes, expected_version) = changed(db, part)?;
            Operation::Relocate {
                entity: entity.into(),
                key,
                changes: item(changes)?,
                expected_version,
                guards,
            }
        }
        Step::Delete(part) => {
            let (entity, key, expected_version) = unchanged(db, part)?;
            Operation::Delete { entity: entity.into(), key, expected_version, guards }
        }
        Step::Check(part) => {
            let (entity, key, version) = unchanged(db, part)?;
            if version.is_some() {
                return Err(Error::invalid(HttpCode::InvalidBody, message!(messages::CHECK_HAS_NO_VERSION)));
            }
            Operation::Check { entity: entity.into(), key, guards }
        }
    })
}

/// The entity, the key, the changes, and the version.
type Changed = (String, Item, Map<String, Json>, Option<i64>);

fn changed(db: &Db, part: Part) -> Result<Changed, Error> {
    let Some(changes) = part.changes else {
        return Err(Error::invalid(HttpCode::InvalidBody, message!(messages::CHANGES_NEEDED)));
    };
    let key = key_of(db.entity(&part.entity)?, part.key)?;
    Ok((part.entity, key, changes, part.version))
}

fn unchanged(db: &Db, part: Part) -> Result<(String, Item, Option<i64>), Error> {
    if part.changes.is_some() {
        return Err(Error::invalid(HttpCode::InvalidBody, message!(messages::CHANGES_NOT_TAKEN)));
    }
    let key = key_of(db.entity(&part.entity)?, part.key)?;
    Ok((part.entity, key, part.version))
}

/// The key in these members. Other members are rejected, because ignoring them would mislead the caller.
fn key_of(entity: &Entity, members: Map<String, Json>) -> Result<Item, Error> {
    let strangers = members.keys().filter(|name| !entity.in_key(name));
    let violations: Vec<_> =
        strangers.map(|name| violation(name, message!(messages::NOT_IN_KEY, &entity.name))).collect();
    if violations.is_empty() { item(members) } else { Err(Error::fields(violations)) }
}

/// Whether so many operations leave room for an audit entry in their transaction: a move is two writes, and a changed
/// unique value two more. Larger ones get an entry before and after.
fn has_room(db: &Db, operations: usize) -> bool {
    let uniques = db.model().entities.iter().map(|entity| entity.uniques.len()).max().unwrap_or_default();
    operations * (2 + 2 * uniques) < MAX_TRANSACTION
}

/// Names the operation that failed.
fn at(operation: Option<usize>, error: Error) -> Error {
    let Some(place) = operation else { return error };
    let field = format!("operations[{place}]");
    let mut violations = vec![violation(&field, error.message.clone())];
    violations.extend(
        error
            .violations
            .iter()
            .map(|one| violation(&format!("{field}.{}", one.attribute), one.problem.clone())),
    );
    let message = message!(messages::OPERATION_FAILED, place, &error.message);
    Error { message, violations, ..error }
}

#[derive(Serialize)]
struct Items<'r> {
    items: Vec<Option<output::Members<'r>>>,
}

fn records(found: &[Option<Record>]) -> Response {
    let items = found.iter().map(|record| record.as_ref().map(output::Members::from)).collect();
    Body(Items { items }).into_response()
}

fn items(db: &Db) -> Json {
    let record = schema::any_record(db.model(), db.model().entities.iter().map(|entity| &**entity));
    json!({
        "type": "object",
        "properties": { "items": { "type": "array", "items": { "anyOf": [record, { "type": "null" }] } } },
        "required": ["items"],
        "additionalProperties": false,
    })
}
