//! Many records in one request: reads by key, and writes that happen together or not at all.

use axum::Json as Body;
use axum::http::Method;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodFilter, on};
use hansang_core::db::{GetOptions, Operation, Refusal};
use hansang_core::validate::violation;
use hansang_core::{Db, Error, Record};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value as Json, json};

use super::changes;
use crate::app::{Asking, Calls};
use crate::input::{Members, item};
use crate::output;
use crate::problem::Problem;
use crate::route::{Needs, Route, json_answer, json_body};
use crate::{Role, schema};

/// The most that one request can read or write.
const MOST: usize = 100;

type Answer = Result<Response, Problem>;

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
    fields: Option<Vec<String>>,
}

/// What happens together.
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
    version: Option<i64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Part {
    entity: String,
    key: Map<String, Json>,
    #[serde(default)]
    changes: Map<String, Json>,
    version: Option<i64>,
}

fn batch_get_route(calls: &Calls) -> Route {
    let model = calls.db.model().name.clone();
    let calls = calls.clone();
    Route {
        method: Method::POST,
        path: format!("/api/{model}/batch-get"),
        operation: format!("{model}.batchGet"),
        summary: "Read many records of one entity by their keys".to_owned(),
        tag: model.to_string(),
        needs: Needs::Role(model.to_string(), Role::Viewer),
        parameters: Vec::new(),
        body: Some(json_body(json!({
            "type": "object",
            "properties": {
                "entity": entity_names(&calls.db),
                "keys": { "type": "array", "items": { "type": "object" }, "maxItems": MOST },
                "consistent": { "type": "boolean", "default": false },
                "fields": { "type": "array", "items": { "type": "string" } },
            },
            "required": ["entity", "keys"],
            "additionalProperties": false,
        }))),
        answers: vec![(
            200,
            json_answer("In the order of the keys; null for what is not there.", items(&calls.db)),
        )],
        refusals: &[413, 415],
        streams: false,
        handler: on(MethodFilter::POST, async move |_: Asking, members: Members| {
            batch_get(&calls, members).await
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
        summary: "Write many records together or not at all".to_owned(),
        tag: model.to_string(),
        needs: Needs::Role(model.to_string(), Role::Editor),
        parameters: Vec::new(),
        body: Some(json_body(transaction_schema(&calls.db))),
        answers: vec![(
            200,
            json_answer("The records afterwards; null where none is left.", items(&calls.db)),
        )],
        refusals: &[409, 412, 413, 415],
        streams: false,
        handler: on(MethodFilter::POST, async move |asking: Asking, members: Members| {
            transact(&calls, asking, members).await
        }),
    }
}

async fn batch_get(calls: &Calls, Members(members): Members) -> Answer {
    let wanted: Wanted = parse(members)?;
    if wanted.keys.len() > MOST {
        return Err(
            Error::invalid("too_many_keys", format!("at most {MOST} keys can be read at once")).into()
        );
    }
    let keys = wanted.keys.into_iter().map(item).collect::<Result<Vec<_>, _>>()?;
    let options = GetOptions { consistent: wanted.consistent, fields: wanted.fields };
    let found = calls.read("batchGet", calls.db.batch_get(&wanted.entity, &keys, &options)).await?;
    Ok(records(&found))
}

async fn transact(calls: &Calls, asking: Asking, Members(members): Members) -> Answer {
    let together: Together = parse(members)?;
    let count = together.operations.len();
    if count == 0 || count > MOST {
        let message = format!("a transaction has from 1 to {MOST} operations, and this one {count}");
        return Err(Error::invalid("invalid_body", message).into());
    }
    let operations = together
        .operations
        .into_iter()
        .enumerate()
        .map(|(place, step)| operation(&calls.db, step).map_err(|error| at(Some(place), error)))
        .collect::<Result<Vec<_>, Error>>()?;
    let write = async {
        calls.db.transact(operations).await.map_err(|Refusal { operation, error }| at(operation, error))
    };
    let done = calls.write(&asking, "transact", &format!("{count} operations"), write).await?;
    Ok(records(&done))
}

fn operation(db: &Db, step: Step) -> Result<Operation, Error> {
    let guards = Vec::new();
    Ok(match step {
        Step::Create(Whole { entity, fields, version: None }) => {
            Operation::Create { entity: entity.into(), fields: item(fields)?, guards }
        }
        Step::Create(_) => {
            return Err(Error::invalid("invalid_body", "what is created has no version yet: leave it out"));
        }
        Step::Put(Whole { entity, fields, version }) => {
            Operation::Put { entity: entity.into(), fields: item(fields)?, expected_version: version, guards }
        }
        Step::Update(Part { entity, key, changes, version }) => {
            let update = changes::update(db.entity(&entity)?, item(key)?, changes, version)?;
            Operation::Update { entity: entity.into(), update, guards }
        }
        Step::Relocate(Part { entity, key, changes, version }) => Operation::Relocate {
            entity: entity.into(),
            key: item(key)?,
            changes: item(changes)?,
            expected_version: version,
            guards,
        },
        Step::Delete(part) => {
            let (entity, key, expected_version) = unchanged(part)?;
            Operation::Delete { entity: entity.into(), key, expected_version, guards }
        }
        Step::Check(part) => {
            let (entity, key, version) = unchanged(part)?;
            if version.is_some() {
                return Err(Error::invalid(
                    "invalid_body",
                    "`check` only asks whether there is such a record",
                ));
            }
            Operation::Check { entity: entity.into(), key, guards }
        }
    })
}

fn unchanged(part: Part) -> Result<(String, hansang_core::Item, Option<i64>), Error> {
    if !part.changes.is_empty() {
        return Err(Error::invalid("invalid_body", "only `update` and `relocate` take `changes`"));
    }
    Ok((part.entity, item(part.key)?, part.version))
}

/// Says which operation is to blame.
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
    let message =
        format!("operation {place} (counted from 0) is refused, and with it all: {}", error.message);
    Error { message, violations, ..error }
}

pub(super) fn parse<T: DeserializeOwned>(members: Map<String, Json>) -> Result<T, Error> {
    serde_json::from_value(Json::Object(members))
        .map_err(|error| Error::invalid("invalid_body", format!("the body is not as documented: {error}")))
}

fn records(found: &[Option<Record>]) -> Response {
    let items: Vec<Json> =
        found.iter().map(|record| record.as_ref().map_or(Json::Null, output::record)).collect();
    Body(json!({ "items": items })).into_response()
}

fn entity_names(db: &Db) -> Json {
    let names: Vec<&str> = db.model().entities.iter().map(|entity| &*entity.name).collect();
    json!({ "enum": names })
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

fn transaction_schema(db: &Db) -> Json {
    let entity = entity_names(db);
    let object = |members: &[&str], required: &[&str]| {
        let mut properties = Map::from_iter([("entity".to_owned(), entity.clone())]);
        for member in members {
            let schema =
                if *member == "version" { json!({ "type": "integer" }) } else { json!({ "type": "object" }) };
            properties.insert((*member).to_owned(), schema);
        }
        json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
    };
    let step = |verb: &str, schema: Json| json!({ "type": "object", "properties": { verb: schema }, "required": [verb], "additionalProperties": false });
    let steps = [
        step("create", object(&["fields"], &["entity", "fields"])),
        step("put", object(&["fields", "version"], &["entity", "fields"])),
        step("update", object(&["key", "changes", "version"], &["entity", "key", "changes"])),
        step("delete", object(&["key", "version"], &["entity", "key"])),
        step("relocate", object(&["key", "changes", "version"], &["entity", "key", "changes"])),
        step("check", object(&["key"], &["entity", "key"])),
    ];
    json!({
        "type": "object",
        "properties": {
            "operations": { "type": "array", "items": { "oneOf": steps }, "minItems": 1, "maxItems": MOST },
        },
        "required": ["operations"],
        "additionalProperties": false,
    })
}
