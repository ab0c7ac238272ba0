//! Documents as JSON. A record has the attributes of its entity; absent and empty ones are left out.

use hansang_core::db::TypedListing;
use hansang_core::export::attribute_schema;
use hansang_core::kind::time::Precision;
use hansang_core::model::{Entity, Model, Role};
use hansang_documents::{Claimed, Finished, PageOf, ProjectProgress};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Map, Value as Json, json};

use crate::actions::Begun;

/// A record as JSON.
pub(crate) fn record<T: Serialize>(value: &T) -> Json {
    let mut json = serde_json::to_value(value).unwrap_or_default();
    tidy(&mut json);
    json
}

/// A page of records.
pub(crate) fn page<T: Serialize>(listing: &TypedListing<T>) -> Json {
    let items: Vec<Json> = listing.items.iter().map(record).collect();
    json!({ "items": items, "next": listing.next, "previous": listing.previous, "unreadable": listing.unreadable })
}

/// A page of a cached list.
pub(crate) fn cut<T: Serialize>(page: &PageOf<T>) -> Json {
    let items: Vec<Json> = page.items.iter().map(record).collect();
    json!({ "items": items, "next": page.next, "total": page.total })
}

/// All of a list.
pub(crate) fn all<T: Serialize>(items: &[T]) -> Json {
    json!({ "items": items.iter().map(record).collect::<Vec<Json>>() })
}

pub(crate) fn upload(begun: Begun) -> Json {
    let upload = begun.upload;
    let mut json = json!({ "document": record(&upload.document), "version": record(&upload.version) });
    if let Some(upload_url) = begun.upload_url {
        json["upload_url"] = upload_url.into();
    }
    json
}

pub(crate) fn finished(finished: Finished) -> Json {
    json!({
        "document": record(&finished.document),
        "workflow": record(&finished.workflow),
        "duplicates": finished.duplicates,
    })
}

pub(crate) fn claimed(claimed: &Claimed) -> Json {
    json!({
        "lease": record(&claimed.lease),
        "until": time(claimed.until),
        "step": record(&claimed.step),
        "workflow": record(&claimed.workflow),
        "document": record(&claimed.document),
        "project": record(&claimed.project),
    })
}

/// The progress of a project: all counts are there, also those that are zero.
pub(crate) fn progress(progress: &ProjectProgress) -> Json {
    let active: Vec<Json> = progress.active.iter().map(record).collect();
    json!({ "documents": progress.documents, "by_status": progress.by_status, "active": active })
}

/// A time as it is stored.
pub(crate) fn time(at: Timestamp) -> String {
    Precision::Millis.format(at).to_string()
}

/// Leaves out what is absent or empty, and gives times their milliseconds.
fn tidy(json: &mut Json) {
    match json {
        Json::Object(members) => {
            members.retain(|_, value| match value {
                Json::Null => false,
                Json::Array(values) => !values.is_empty(),
                Json::Object(values) => !values.is_empty(),
                _ => true,
            });
            for (name, value) in members {
                let is_time = name == "at" || name == "until" || name.ends_with("_at");
                match value.as_str().filter(|_| is_time).and_then(|text| text.parse().ok()) {
                    Some(at) => *value = time(at).into(),
                    None => tidy(value),
                }
            }
        }
        Json::Array(values) => values.iter_mut().for_each(tidy),
        _ => {}
    }
}

/// The schema of a record.
pub(crate) fn of(model: &Model, entity: &str) -> Json {
    model.entity(entity).map_or_else(|| json!({ "type": "object" }), |entity| schema(entity))
}

fn schema(entity: &Entity) -> Json {
    let shown = entity.attributes.iter().filter(|attribute| {
        let hidden = matches!(attribute.role, Role::Derived(_) | Role::Type);
        !hidden && &*attribute.name != "claim_id"
    });
    let mut properties = Map::new();
    let mut required = Vec::new();
    for attribute in shown {
        let mut schema = attribute_schema(entity, attribute);
        schema.remove("default");
        if &*attribute.name == "revision" {
            // That of an item of another program.
            schema.insert("minimum".to_owned(), 0.into());
        }
        properties.insert(attribute.name.to_string(), schema.into());
        // Not every struct has both times.
        if !attribute.optional && matches!(attribute.role, Role::Given) {
            required.push(attribute.name.to_string());
        }
    }
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

/// The schema of an object with these members, all of which are there.
pub(crate) fn object(members: &[(&str, Json)]) -> Json {
    let properties: Map<String, Json> =
        members.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
    let required: Vec<&str> = members.iter().map(|(name, _)| *name).collect();
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

/// The schema of a list.
pub(crate) fn list(items: Json) -> Json {
    json!({ "type": "array", "items": items })
}

/// The schema of a count.
pub(crate) fn count() -> Json {
    json!({ "type": "integer", "minimum": 0 })
}

/// The schema of a text.
pub(crate) fn text() -> Json {
    json!({ "type": "string" })
}

fn cursor() -> Json {
    json!({ "type": ["string", "null"], "description": "Send it as `cursor`; null where nothing follows." })
}

/// The schema of a page of records.
pub(crate) fn page_of(model: &Model, entity: &str) -> Json {
    let items = list(of(model, entity));
    let unreadable = json!({ "type": "integer", "minimum": 0, "description": "Stored items of the page that are no records." });
    object(&[("items", items), ("next", cursor()), ("previous", cursor()), ("unreadable", unreadable)])
}

/// The schema of a page of a cached list.
pub(crate) fn cut_of(model: &Model, entity: &str) -> Json {
    object(&[("items", list(of(model, entity))), ("next", cursor()), ("total", count())])
}

/// The schema of all of a list.
pub(crate) fn all_of(items: Json) -> Json {
    object(&[("items", list(items))])
}

pub(crate) fn upload_schema(model: &Model) -> Json {
    let mut schema = object(&[("document", of(model, "Document")), ("version", of(model, "FileVersion"))]);
    schema["properties"]["upload_url"] = json!({
        "type": "string",
        "description": "The file may be sent there in one PUT, with the `file_type` of the version as `Content-Type`.",
    });
    schema
}

pub(crate) fn finished_schema(model: &Model) -> Json {
    let duplicates = json!({
        "type": "array", "items": text(), "description": "The other documents of the project with the same file.",
    });
    object(&[
        ("document", of(model, "Document")),
        ("workflow", of(model, "Workflow")),
        ("duplicates", duplicates),
    ])
}

pub(crate) fn claimed_schema(model: &Model) -> Json {
    let lease = object(&[("workflow_id", text()), ("name", text()), ("owner", text()), ("attempt", count())]);
    object(&[
        ("lease", lease),
        ("until", json!({ "type": "string", "format": "date-time" })),
        ("step", of(model, "Step")),
        ("workflow", of(model, "Workflow")),
        ("document", of(model, "Document")),
        ("project", of(model, "Project")),
    ])
}

pub(crate) fn progress_schema() -> Json {
    let status = json!({ "type": "object", "additionalProperties": count() });
    let mut active = object(&[
        ("document_id", text()),
        ("name", text()),
        ("status", text()),
        ("steps_done", count()),
        ("steps", count()),
        ("percent", json!({ "type": "integer", "minimum": 0, "maximum": 100 })),
    ]);
    for (name, schema) in [
        ("workflow_id", text()),
        ("step", text()),
        ("step_status", text()),
        ("done", count()),
        ("total", count()),
        ("note", text()),
    ] {
        active["properties"][name] = schema;
    }
    object(&[("documents", count()), ("by_status", status), ("active", list(active))])
}

/// The schema of a page of ids of users.
pub(crate) fn members_schema() -> Json {
    object(&[("items", list(text())), ("next", cursor()), ("previous", cursor()), ("unreadable", count())])
}
