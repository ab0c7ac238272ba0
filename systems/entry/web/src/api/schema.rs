//! The schemas of request bodies; those of responses come from their structs.

use hansang_core::Model;
use hansang_entry::EventType;
use serde_json::{Value as Json, json};

use super::attribute;

/// A new event. First-come events and lotteries have different fields.
pub(super) fn new_event(model: &Model) -> Json {
    let of = |name: &str| attribute(model, "Event", name);
    let kind = |kind: EventType, own: Json| {
        let mut properties = json!({
            "eventId": of("eventId"),
            "title": of("title"),
            "eventType": { "const": kind.name() },
            "opensAt": time(),
            "closesAt": time(),
            "settleSeconds": of("settleSeconds"),
        });
        let mut required = vec!["title", "eventType", "opensAt", "closesAt"];
        for (name, schema) in own.as_object().into_iter().flatten() {
            properties[name] = schema.clone();
            required.push(name);
        }
        closed(properties, &required)
    };
    json!({ "oneOf": [
        kind(EventType::FirstCome, json!({ "capacityTotal": positive(model, "capacityTotal") })),
        kind(EventType::Lottery, json!({ "winners": positive(model, "winners"), "lotteryCutoffAt": time() })),
    ] })
}

/// An object with these members and no others.
pub(super) fn closed(properties: Json, required: &[&str]) -> Json {
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

/// A number of an event, which is at least 1.
pub(super) fn positive(model: &Model, name: &str) -> Json {
    let mut schema = attribute(model, "Event", name);
    schema["minimum"] = 1.into();
    schema
}

/// A time.
pub(super) fn time() -> Json {
    json!({ "type": "string", "format": "date-time" })
}

/// A number that is at least 0.
pub(super) fn count() -> Json {
    json!({ "type": "integer", "minimum": 0 })
}

pub(super) fn text() -> Json {
    json!({ "type": "string" })
}
