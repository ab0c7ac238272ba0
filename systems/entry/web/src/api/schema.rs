//! The schemas of events and requests, for the API's documentation.

use hansang_core::Model;
use hansang_entry::{EventStatus, EventType, Status};
use serde_json::{Value as Json, json};

use super::attribute;

/// An event, as everybody may see it.
pub(super) fn event(model: &Model) -> Json {
    let of = |name: &str| attribute(model, "Event", name);
    closed(
        json!({
            "eventId": of("eventId"),
            "title": of("title"),
            "eventType": event_type(),
            "status": { "enum": EVENT_STATUSES.map(EventStatus::name) },
            "phase": {
                "enum": ["before", "open", "paused", "closed", "announced"],
                "description": "What it does now: its status, and where its time has come, what follows from that.",
            },
            "opensAt": time(),
            "closesAt": time(),
            "settleSeconds": count(),
            "capacityTotal": count(),
            "winners": count(),
            "lotteryCutoffAt": time(),
            "announcedAt": time(),
            "seedHash": hash(),
            "seed": text(),
        }),
        &["eventId", "title", "eventType", "status", "phase", "opensAt", "closesAt", "settleSeconds"],
    )
}

/// A request, as whoever made it may see it.
pub(super) fn request(model: &Model) -> Json {
    let of = |name: &str| attribute(model, "Request", name);
    closed(
        json!({
            "requestId": of("requestId"),
            "eventId": of("eventId"),
            "eventType": event_type(),
            "status": status(),
            "requestedAt": time(),
            "queuedAt": time(),
            "startedAt": time(),
            "finishedAt": time(),
            "resultCode": of("resultCode"),
            "failureClass": of("failureClass"),
            "errorMessage": text(),
        }),
        &["requestId", "eventId", "eventType", "status", "requestedAt"],
    )
}

/// A request, as operators see it.
pub(super) fn watched(model: &Model) -> Json {
    let mut schema = request(model);
    add(&mut schema, "userId", attribute(model, "Request", "userId"), true);
    add(&mut schema, "attempts", count(), true);
    add(&mut schema, "leaseOwner", text(), false);
    schema
}

/// A request with what happened to it.
pub(super) fn with_log(model: &Model) -> Json {
    let line =
        closed(json!({ "at": time(), "from": status(), "to": status(), "reason": text() }), &["at", "to"]);
    let mut schema = watched(model);
    add(&mut schema, "log", json!({ "type": "array", "items": line }), true);
    schema
}

/// An event at a glance.
pub(super) fn board(model: &Model) -> Json {
    let capacity = json!({ "total": count(), "remaining": count() });
    let depth = json!({ "visible": count(), "hidden": count(), "dead": count(), "oldestSentAt": time() });
    let more = json!({
        "type": "boolean", "description": "Whether more wait than were counted as queued and processing.",
    });
    let mut schema = closed(
        json!({
            "at": time(),
            "event": event(model),
            "capacity": closed(capacity, &["total", "remaining"]),
            "more": more,
            "oldestQueuedAt": time(),
            "queue": closed(depth, &["visible", "hidden", "dead"]),
        }),
        &["at", "event", "more", "queue"],
    );
    for name in ["received", "queued", "processing", "succeeded", "rejected", "failed"] {
        add(&mut schema, name, count(), true);
    }
    schema
}

/// A dead letter.
pub(super) fn letter(model: &Model) -> Json {
    closed(
        json!({ "id": text(), "body": text(), "reason": text(), "since": time(), "request": watched(model) }),
        &["id", "body"],
    )
}

/// What is known of a draw.
pub(super) fn draw() -> Json {
    closed(
        json!({
            "drawnAt": time(),
            "entries": count(),
            "entriesHash": hash(),
            "winners": count(),
            "finishedAt": time(),
        }),
        &["drawnAt", "entries", "entriesHash", "winners"],
    )
}

/// Everything that is needed to draw again.
pub(super) fn proof(model: &Model) -> Json {
    let ids = json!({ "type": "array", "items": attribute(model, "Request", "requestId") });
    let properties = json!({
        "eventId": attribute(model, "Event", "eventId"),
        "seedHash": hash(),
        "seed": text(),
        "drawnAt": time(),
        "winners": count(),
        "entriesHash": hash(),
        "entries": ids,
        "winning": ids,
    });
    let all = ["eventId", "seedHash", "seed", "drawnAt", "winners", "entriesHash", "entries", "winning"];
    closed(properties, &all)
}

/// An event to be made. What a first-come event has, a lottery has not.
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
        kind(EventType::FirstCome, json!({ "capacityTotal": of("capacityTotal") })),
        kind(EventType::Lottery, json!({ "winners": of("winners"), "lotteryCutoffAt": time() })),
    ] })
}

/// A list, which is whole.
pub(super) fn items(item: Json) -> Json {
    closed(json!({ "items": { "type": "array", "items": item } }), &["items"])
}

/// An object with these members and no others.
pub(super) fn closed(properties: Json, required: &[&str]) -> Json {
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

/// A time.
pub(super) fn time() -> Json {
    json!({ "type": "string", "format": "date-time" })
}

/// How many.
pub(super) fn count() -> Json {
    json!({ "type": "integer", "minimum": 0 })
}

pub(super) fn text() -> Json {
    json!({ "type": "string" })
}

const EVENT_STATUSES: [EventStatus; 4] =
    [EventStatus::Open, EventStatus::Paused, EventStatus::Closed, EventStatus::Announced];

fn event_type() -> Json {
    json!({ "enum": [EventType::FirstCome.name(), EventType::Lottery.name()] })
}

fn status() -> Json {
    json!({ "enum": Status::ALL.map(Status::name) })
}

fn hash() -> Json {
    json!({ "type": "string", "pattern": "^[0-9a-f]{64}$" })
}

fn add(schema: &mut Json, name: &str, of: Json, required: bool) {
    schema["properties"][name] = of;
    if let (true, Some(all)) = (required, schema["required"].as_array_mut()) {
        all.push(name.into());
    }
}
