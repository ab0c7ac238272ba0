//! Everything round-trips through the wire format.

use std::fmt::Debug;
use std::time::Duration;

use hansang_core::plan::Write;
use hansang_core::queue::{DeadLetter, Delivery, Depth, Message, Receipt};
use hansang_core::store::{History, Page, Past};
use hansang_core::wire::{QueueCall, QueueResponse, StoreCall, StoreResponse, Wire, join, split};
use hansang_core::{Item, QueueError};
use hansang_testkit::differential::{Operation, operations};
use jiff::Timestamp;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

/// Round-trips a value through text.
fn round_trip<T: Wire>(what: &T) -> T {
    let text = what.to_json().to_string();
    T::from_json(&serde_json::from_str(&text).unwrap()).unwrap_or_else(|problem| panic!("{problem}: {text}"))
}

/// Round-trips a call through its name and arguments.
fn round_trip_call<C: Wire + PartialEq + Debug>(call: &C) -> C {
    let (name, arguments) = split(call);
    let back: C = join(&name, arguments).unwrap();
    assert_eq!(back, round_trip(call));
    back
}

/// The call without reasons of guards, which are not round_trip.
fn call(operation: Operation) -> StoreCall {
    let forget = |mut write: Write| {
        write.guards = write.guards.iter().map(round_trip).collect();
        write
    };
    match operation {
        Operation::Write(write) => StoreCall::Write(forget(write)),
        Operation::Transact(writes) => {
            let tables = ["Things", "기록"].map(str::to_owned).into_iter().cycle();
            StoreCall::Transact(tables.zip(writes.into_iter().map(forget)).collect())
        }
        Operation::BatchPut(items) => StoreCall::BatchPut(items),
        Operation::Get(get) => StoreCall::Get(get),
        Operation::BatchGet(gets) => StoreCall::BatchGet(gets),
        Operation::Query(query) => StoreCall::Query(query),
        Operation::Scan(scan) => StoreCall::Scan(scan),
    }
}

/// Responses of a store with these items.
fn answers(items: Vec<Item>) -> Vec<StoreResponse> {
    let next = items.first().cloned();
    let past = |item: &Item| Past { at: Timestamp::UNIX_EPOCH, old: None, new: Some(item.clone()) };
    let history = History { changes: items.iter().map(past).collect(), whole: false };
    vec![
        StoreResponse::Done,
        StoreResponse::Item(next.clone()),
        StoreResponse::Item(None),
        StoreResponse::Items(items.iter().cloned().map(Some).chain([None]).collect()),
        StoreResponse::History(Some(history)),
        StoreResponse::History(None),
        StoreResponse::Page(Page { items: items.clone(), next }),
        StoreResponse::Page(Page { items, next: None }),
    ]
}

fn time() -> impl Strategy<Value = Duration> {
    any::<Duration>()
}

fn receipt() -> impl Strategy<Value = Receipt> {
    any::<String>().prop_map(|text| Receipt(text.into()))
}

fn delivery() -> impl Strategy<Value = Delivery> {
    (any::<String>(), receipt(), any::<String>(), any::<u32>())
        .prop_map(|(id, receipt, body, attempts)| Delivery { id, receipt, body, attempts })
}

fn moment() -> impl Strategy<Value = Option<Timestamp>> {
    let nanoseconds = -62_135_596_800_000_000_000_i128..253_402_200_000_000_000_000;
    option::of(nanoseconds.prop_map(|one| Timestamp::from_nanosecond(one).unwrap()))
}

fn queue_call() -> impl Strategy<Value = QueueCall> {
    let message = (any::<String>(), time()).prop_map(|(body, delay)| Message { body, delay });
    prop_oneof![
        Just(QueueCall::Ensure),
        Just(QueueCall::Depth),
        vec(message, 0..4).prop_map(QueueCall::Send),
        (any::<usize>(), time(), time())
            .prop_map(|(most, wait, hidden)| QueueCall::Receive(most, wait, hidden)),
        vec(receipt(), 0..4).prop_map(QueueCall::Acknowledge),
        vec((receipt(), time()), 0..4).prop_map(QueueCall::Hide),
        (delivery(), any::<String>()).prop_map(|(delivery, reason)| QueueCall::Bury(delivery, reason)),
        any::<usize>().prop_map(QueueCall::Dead),
        vec(any::<String>(), 0..4).prop_map(QueueCall::Revive),
    ]
}

fn queue_answer() -> impl Strategy<Value = QueueResponse> {
    let letter = (any::<String>(), any::<String>(), option::of(any::<String>()), moment())
        .prop_map(|(id, body, reason, since)| DeadLetter { id, body, reason, since });
    let depth = (any::<u64>(), any::<u64>(), any::<u64>(), moment())
        .prop_map(|(visible, hidden, dead, oldest)| Depth { visible, hidden, dead, oldest });
    let outcome = option::of(any::<String>())
        .prop_map(|failed| failed.map_or(Ok(()), |message| Err(QueueError::unavailable(message))));
    prop_oneof![
        Just(QueueResponse::Done),
        vec(outcome, 0..4).prop_map(QueueResponse::Sent),
        vec(delivery(), 0..4).prop_map(QueueResponse::Deliveries),
        vec(letter, 0..4).prop_map(QueueResponse::Dead),
        any::<usize>().prop_map(QueueResponse::Revived),
        depth.prop_map(QueueResponse::Depth),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_plan_round_trips(operations in operations()) {
        for operation in operations {
            let call = call(operation);
            prop_assert_eq!(&round_trip_call(&call), &call);
            if let StoreCall::BatchPut(items) = call {
                for answer in answers(items) {
                    prop_assert_eq!(&round_trip(&answer), &answer);
                }
            }
        }
    }

    #[test]
    fn every_queue_call_round_trips(call in queue_call()) {
        prop_assert_eq!(&round_trip_call(&call), &call);
    }

    #[test]
    fn every_queue_response_round_trips(answer in queue_answer()) {
        prop_assert_eq!(format!("{:?}", round_trip(&answer)), format!("{answer:?}"));
    }
}

/// Unknown members and variants are errors.
#[test]
fn unknown_members_are_refused() {
    for (text, problem) in [
        (r#"{"get":[{"key":{"pk":"a","sk":"b"},"consistent":true,"soon":1}]}"#, "`soon` is not one of"),
        (r#"{"get":[{"key":{"pk":"a"},"consistent":true}]}"#, "`key`: `sk`: this must be text and is null"),
        (r#"{"get":[]}"#, "there is no `get` of 0 parts here"),
        (r#"{"drop-table":[]}"#, "there is no `drop-table`"),
        (r#"{"ensure-table":[],"get":[]}"#, "this must be a name with its parts and is an object"),
        (r#""get""#, "this must be a name with its parts and is text"),
        (r#"{"batch-put":[[{"a":{"N":"x"}}]]}"#, "x is not a decimal number"),
        (r#"{"scan":[{"limit":4294967296,"consistent":true}]}"#, "`limit`: this number is too large"),
    ] {
        let refused = StoreCall::from_json(&serde_json::from_str(text).unwrap()).unwrap_err();
        assert!(refused.contains(problem), "{text}: {refused}");
    }
}
