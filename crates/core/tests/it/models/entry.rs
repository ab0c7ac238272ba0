//! `models/entry.yaml`.

use expect_test::expect;
use hansang_core::Model;
use hansang_core::kind::Kind;

use super::{accepts, describe, examples, index_key, key};

const REQUEST: &str = "01KJMA0FQVNQMJYTG41S63SFV5";
const QUEUED_AT: &str = "2026-03-01T09:00:00.181Z";

fn model() -> Model {
    super::model("entry")
}

/// E1, E2
#[test]
fn table() {
    let model = model();
    expect![[r#"
        AsyncEventTable (PK, SK)
        GSI1 (GSI1PK, GSI1SK) All
        GSI2 (GSI2PK, GSI2SK) All
        ttl ttl on
        streams off, recovery off
    "#]]
    .assert_eq(&describe::table(&model.table));
    assert_eq!(model.table.name_in(None), "AsyncEventTable");
    for entity in &model.entities {
        let ttl = entity.attribute("ttl").unwrap();
        assert!(ttl.optional && ttl.kind == Kind::Integer, "{}", entity.name);
    }
}

/// E4, E6, E9
#[test]
fn requests() {
    expect![[r#"
        Request = REQ#{requestId} / META
          in GSI1 = USER#{userId} / QAT#{queuedAt}#REQ#{requestId}
          in GSI2 = EVENT#{eventId} / QAT#{queuedAt}#REQ#{requestId}
          requestId: a ULID such as 01JD3Q0V8B5X9K2M4N6P7R8S9T, a new ULID
          eventId: text, length 1 to 64, immutable
          userId: text, length 1 to 64, immutable
          eventType: one of FIRST_COME, LOTTERY, immutable
          idempotencyKey?: text, made of IDEMP#{eventId}#{userId}
          status: one of RECEIVED, QUEUED, PROCESSING, FAILED_FINAL, REJECTED, SUCCEEDED, default "RECEIVED"
          requestedAt: a time such as 2025-11-14T03:00:00.123Z, now, immutable
          queuedAt?: a time such as 2025-11-14T03:00:00.123Z
          startedAt?: a time such as 2025-11-14T03:00:00.123Z
          finishedAt?: a time such as 2025-11-14T03:00:00.123Z
          attempts?: a whole number, at least 0
          leaseOwner?: text, length 1 to 128
          leaseUntil?: a time such as 2025-11-14T03:00:00.123Z
          resultCode?: one of SUCCESS, REJECTED_CAPACITY, REJECTED_LOTTERY_LOSE, FAILED_INGEST_ENQUEUE, FAILED_WORKER
          failureClass?: one of RETRYABLE, NON_RETRYABLE
          errorCode?: one of FAILED_INGEST_ENQUEUE, FAILED_WORKER
          errorMessage?: text, length 0 to 256
          ttl?: a whole number, at least 0
    "#]].assert_eq(&describe::entities(&model(), &["Request"]));
}

#[test]
fn locks_and_logs() {
    let text = describe::entities(&model(), &["IdempotencyLock", "RequestStatusLog"]);
    expect![[r#"
        IdempotencyLock = IDEMP#{eventId}#{userId} / LOCK
          eventId: text, length 1 to 64
          userId: text, length 1 to 64
          requestId: a ULID such as 01JD3Q0V8B5X9K2M4N6P7R8S9T, immutable
          createdAt: a time such as 2025-11-14T03:00:00.123Z, now, immutable
          ttl?: a whole number, at least 0
        RequestStatusLog = REQ#{requestId} / LOG#{occurredAt}#{seq:04}
          requestId: a ULID such as 01JD3Q0V8B5X9K2M4N6P7R8S9T
          occurredAt: a time such as 2025-11-14T03:00:00.123Z
          seq: a whole number, at least 0, at most 9999
          from?: one of RECEIVED, QUEUED, PROCESSING, SUCCEEDED, REJECTED, FAILED_FINAL
          to: one of RECEIVED, QUEUED, PROCESSING, SUCCEEDED, REJECTED, FAILED_FINAL
          reason?: text, length 1 to 256
          ttl?: a whole number, at least 0
    "#]]
    .assert_eq(&text);
}

/// Es16
#[test]
fn events() {
    let text = describe::entities(&model(), &["Event", "EventCapacity", "DeciderLease"]);
    expect![[r#"
        Event = EVENT#{eventId} / CONFIG
          eventId: text, length 1 to 64
          title: text, length 1 to 200
          eventType: one of FIRST_COME, LOTTERY, immutable
          status: one of open, paused, closed, announced, default "open"
          opensAt: a time such as 2025-11-14T03:00:00.123Z
          closesAt: a time such as 2025-11-14T03:00:00.123Z
          closedAt?: a time such as 2025-11-14T03:00:00.123Z
          extendableUntil?: a time such as 2025-11-14T03:00:00.123Z
          capacityTotal?: a whole number, at least 0
          lotteryCutoffAt?: a time such as 2025-11-14T03:00:00.123Z
          winners?: a whole number, at least 0
          announcedAt?: a time such as 2025-11-14T03:00:00.123Z
          seedHash?: text, like [0-9a-f]{64}, immutable
          seed?: text, length 1 to 256
          entriesHash?: text, like [0-9a-f]{64}, immutable
          settleSeconds: a whole number, at least 0, at most 3600, default 3
          ttl?: a whole number, at least 0
        EventCapacity = EVENT#{eventId} / CAPACITY
          eventId: text, length 1 to 64
          capacityTotal: a whole number, at least 0
          capacityRemaining: a whole number, at least 0
          ttl?: a whole number, at least 0
          updatedAt: a time such as 2025-11-14T03:00:00.123Z, by the table (Updated)
        DeciderLease = EVENT#{eventId} / LEASE
          eventId: text, length 1 to 64
          owner: text, length 1 to 128
          expiresAt: a time such as 2025-11-14T03:00:00.123Z
          fence: a whole number, at least 0
          decidedUntil?: a time such as 2025-11-14T03:00:00.123Z
          quietSince?: a time such as 2025-11-14T03:00:00.123Z
          succeeded: a whole number, at least 0, default 0
          rejected: a whole number, at least 0, default 0
          failed: a whole number, default 0
          ttl?: a whole number, at least 0
    "#]]
    .assert_eq(&text);
}

/// E3, E14, E24, Es12
#[test]
fn keys() {
    let model = model();
    let (event, user) = (("eventId", "spring-sale"), ("userId", "u001"));
    let request = ("requestId", REQUEST);
    let log = [request, ("occurredAt", QUEUED_AT), ("seq", "2")];
    for (entity, given, expected) in [
        ("Request", &[request][..], "REQ#01KJMA0FQVNQMJYTG41S63SFV5 / META"),
        ("IdempotencyLock", &[event, user], "IDEMP#spring-sale#u001 / LOCK"),
        ("RequestStatusLog", &log, "REQ#01KJMA0FQVNQMJYTG41S63SFV5 / LOG#2026-03-01T09:00:00.181Z#0002"),
        ("Event", &[event], "EVENT#spring-sale / CONFIG"),
        ("EventCapacity", &[event], "EVENT#spring-sale / CAPACITY"),
        ("DeciderLease", &[event], "EVENT#spring-sale / LEASE"),
    ] {
        assert_eq!(key(&model, entity, given), expected);
    }
}

/// E12, E13
#[test]
fn a_request_is_in_both_indexes_once_it_is_queued() {
    let model = model();
    let received = [("requestId", REQUEST), ("eventId", "spring-sale"), ("userId", "u001")];
    let queued = [&received[..], &[("queuedAt", QUEUED_AT)]].concat();
    for (index, partition) in [("GSI1", "USER#u001"), ("GSI2", "EVENT#spring-sale")] {
        assert_eq!(index_key(&model, "Request", index, &received), None);
        assert_eq!(
            index_key(&model, "Request", index, &queued).unwrap(),
            format!("{partition} / QAT#{QUEUED_AT}#REQ#{REQUEST}")
        );
    }
}

/// E10, E24
#[test]
fn nothing_else_is_in_an_index() {
    let in_one = model().entities.into_iter().filter(|entity| !entity.indexes.is_empty());
    assert_eq!(in_one.map(|entity| entity.name.to_string()).collect::<Vec<_>>(), ["Request"]);
}

/// E11
#[test]
fn the_status_is_in_no_key() {
    for entity in model().entities {
        assert!(!entity.in_key("status"), "{}", entity.name);
        for entry in &entity.indexes {
            assert!(!entry.pk.uses("status") && !entry.sk.as_ref().unwrap().uses("status"));
        }
    }
}

/// E5. `QUEUED → REJECTED` is one write that passes through `PROCESSING`: the log has both steps.
#[test]
fn statuses() {
    expect![[r#"
        starts as RECEIVED
        RECEIVED → QUEUED | FAILED_FINAL
        QUEUED → PROCESSING | REJECTED
        PROCESSING → QUEUED | SUCCEEDED | REJECTED | FAILED_FINAL
        FAILED_FINAL → QUEUED
        REJECTED → the end
        SUCCEEDED → the end
    "#]]
    .assert_eq(&describe::lifecycle(&model(), "Request", "status"));
}

#[test]
fn patterns() {
    expect![[r#"
        request(requestId): Request
          get REQ#{requestId} / META
        requestLog(requestId): RequestStatusLog
          query REQ#{requestId} / LOG#{occurredAt from … to …}
        requestWithLog(requestId): Request + RequestStatusLog, last first
          query REQ#{requestId} / *
        requestsOfUser(userId): Request, last first
          query GSI1 USER#{userId} / QAT#{queuedAt from … to …}
        requestsOfEvent(eventId): Request
          query GSI2 EVENT#{eventId} / QAT#{queuedAt from … to …}
        lock(eventId, userId): IdempotencyLock
          get IDEMP#{eventId}#{userId} / LOCK
        event(eventId): Event
          get EVENT#{eventId} / CONFIG
        capacity(eventId): EventCapacity
          get EVENT#{eventId} / CAPACITY
        lease(eventId): DeciderLease, consistent
          get EVENT#{eventId} / LEASE
        sweepLease(): SweepLease, consistent
          get SWEEP / LEASE
        events(): EventListing
          query EVENTS / EVENT#*
        draw(eventId): Draw, consistent
          get EVENT#{eventId} / DRAW
        drawEntries(eventId): DrawEntries, consistent
          query EVENT#{eventId} / DRAW#*
          drops Draw
        drawSeed(eventId): DrawSeed, consistent
          get EVENT#{eventId} / SEED
        unsent(shard): Unsent, consistent
          query UNSENT#{shard:02} / AT#{requestedAt from … to …}
    "#]]
    .assert_eq(&describe::patterns(&model()));
}

/// Es14: a stored time always has the same width.
#[test]
fn queued_at_has_a_fixed_width() {
    let model = model();
    let kind = &model.entity("Request").unwrap().attribute("queuedAt").unwrap().kind;
    for text in ["2026-03-01T09:00:00Z", "2026-03-01T18:00:00.000000+09:00", "2026-03-01T09:00:00.000Z"] {
        let stored = kind.from_text(text).unwrap();
        assert_eq!(stored.as_str(), Some("2026-03-01T09:00:00.000Z"), "{text}");
        assert_eq!(kind.check(&text.into()).is_ok(), text == "2026-03-01T09:00:00.000Z", "{text}");
    }
}

/// Es15
#[test]
fn request_ids_are_ulids() {
    let model = model();
    for (id, good) in [(REQUEST, true), ("r001", false), ("81KJMA0FQVNQMJYTG41S63SFV5", false)] {
        assert_eq!(accepts(&model, "Request", "requestId", id), good, "{id}");
    }
}

/// Es20, Es21
#[test]
fn results_and_failures() {
    let model = model();
    let choices = |name: &str| {
        let attribute = model.entity("Request").unwrap().attribute(name).unwrap().clone();
        attribute.kind.choices().unwrap().join(" ")
    };
    assert_eq!(
        choices("resultCode"),
        "SUCCESS REJECTED_CAPACITY REJECTED_LOTTERY_LOSE FAILED_INGEST_ENQUEUE FAILED_WORKER"
    );
    assert_eq!(choices("errorCode"), "FAILED_INGEST_ENQUEUE FAILED_WORKER");
    assert_eq!(choices("failureClass"), "RETRYABLE NON_RETRYABLE");
    assert!(accepts(&model, "Request", "errorMessage", &"글".repeat(256)));
    assert!(!accepts(&model, "Request", "errorMessage", &"글".repeat(257)));
}

/// A request that the queue has not accepted has none of the four index attributes.
#[test]
fn a_received_request_has_no_index_attributes() {
    let model = model();
    let mut received = 0;
    for example in examples::examples(&model).into_iter().filter(|example| example.entity == "Request") {
        let queued = example.item.contains_key("queuedAt");
        received += usize::from(!queued);
        for name in ["GSI1PK", "GSI1SK", "GSI2PK", "GSI2SK"] {
            assert_eq!(example.item.contains_key(name), queued, "{name} in {:?}", example.item);
        }
        examples::fields(&model, &example.item);
    }
    assert_eq!(received, 1);
}
