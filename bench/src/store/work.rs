//! The work that every peer does: items of about 400 bytes with two indexes.

use std::sync::{Arc, LazyLock};

use hansang_core::model::Table;
use hansang_core::plan::{
    Action, Change, Comparison, Condition, Get, Guard, Guards, Key, Operand, Path, Query, Reason,
    SortCondition, Write,
};
use hansang_core::{CoreCode, Error, Item, Message, Name, Value};

/// The number of items in a partition, which one query reads.
pub(crate) const PARTITION: u64 = 50;

/// The table.
pub(crate) static TABLE: LazyLock<Arc<Table>> = LazyLock::new(|| {
    let model = hansang_core::compile(MODEL.as_bytes());
    Arc::new(model.unwrap_or_else(|problems| panic!("the benchmark's model is wrong: {problems:?}")).table)
});

const MODEL: &str = r#"
model: bench
table:
  name: Bench
  key: { pk: PK, sk: SK }
  indexes:
    GSI1: { pk: GSI1PK, sk: GSI1SK }
    GSI2: { pk: GSI2PK, sk: GSI2SK }
entities:
  Order:
    key: { PK: "CUSTOMER#{customer}", SK: "ORDER#{order}" }
    index:
      GSI1: { GSI1PK: "STATUS#{status}", GSI1SK: "AT#{at}" }
      GSI2: { GSI2PK: "PRODUCT#{product}", GSI2SK: "AT#{at}" }
    attributes: { customer: string, order: string, status: string, product: string, at: string, total: integer }
patterns:
  ordersOfCustomer: { entity: Order, given: [customer] }
"#;

/// Scrambles consecutive numbers, so that keys are not in order.
pub(crate) fn mix(number: u64) -> u64 {
    let mixed = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

pub(crate) fn partition(number: u64) -> String {
    format!("CUSTOMER#{:016x}", mix(number))
}

/// The key of an item by its number.
pub(crate) fn key(number: u64) -> Key {
    Key { pk: partition(number / PARTITION), sk: format!("ORDER#{:08}", number % PARTITION) }
}

/// The attributes of an item as pairs, all text except one number.
pub(crate) fn attributes(number: u64) -> Vec<(&'static str, Result<String, u64>)> {
    let key = key(number);
    let at = format!(
        "2026-11-{:02}T{:02}:{:02}:{:02}.000Z",
        number % 28 + 1,
        number % 24,
        number % 60,
        number % 59
    );
    vec![
        ("PK", Ok(key.pk)),
        ("SK", Ok(key.sk)),
        ("GSI1PK", Ok(format!("STATUS#{}", mix(number) % 5000))),
        ("GSI1SK", Ok(format!("AT#{at}"))),
        ("GSI2PK", Ok(format!("PRODUCT#{}", mix(number + 1) % 5000))),
        ("GSI2SK", Ok(format!("AT#{at}"))),
        ("Type", Ok("Order".to_owned())),
        ("at", Ok(at)),
        ("note", Ok("x".repeat(120))),
        ("status", Ok("PAID".to_owned())),
        ("title", Ok(format!("Order number {number} of a customer"))),
        ("total", Err(number % 10_000)),
    ]
}

pub(crate) fn item(number: u64) -> Item {
    let value = |value: Result<String, u64>| match value {
        Ok(text) => Value::from(text),
        Err(number) => Value::from(number as i64),
    };
    attributes(number).into_iter().map(|(name, text)| (Name::from(name), value(text))).collect()
}

pub(crate) fn put(number: u64) -> Write {
    Write { key: key(number), action: Action::Put(item(number)), guards: Guards::default() }
}

/// The three writes of a transaction: a new item, a conditional create, a counter.
pub(crate) fn transaction(number: u64) -> Vec<Write> {
    let absent = Condition::Absent((&Name::from("PK")).into());
    let guarded = Write { guards: vec![guard(absent)].into(), ..put(2 * number + 1) };
    vec![put(2 * number), guarded, add(counter(number % 64), 1)]
}

/// One of the counters that transactions share.
pub(crate) fn counter(number: u64) -> Key {
    Key { pk: format!("COUNTER#{number}"), sk: "META".to_owned() }
}

pub(crate) fn stock() -> Key {
    Key { pk: "STOCK".to_owned(), sk: "META".to_owned() }
}

pub(crate) fn stock_item() -> Item {
    let text = |name: &str, text: &str| (Name::from(name), Value::from(text));
    Item::from([
        text("PK", "STOCK"),
        text("SK", "META"),
        (Name::from("amount"), Value::from(1_000_000_000_000)),
    ])
}

/// Decrements the stock if any is left.
pub(crate) fn decrement() -> Write {
    let left = Operand::Path((&Name::from("amount")).into());
    let some = Condition::Compare(left, Comparison::Greater, Operand::Value(Value::from(0)));
    Write { guards: vec![guard(some)].into(), ..add(stock(), -1) }
}

fn add(key: Key, by: i64) -> Write {
    let path = Path { root: "amount".into(), inside: Vec::new() };
    Write { key, action: Action::Update(vec![(path, Change::Add(by.into()))]), guards: Guards::default() }
}

fn guard(condition: Condition) -> Guard {
    Guard { condition, otherwise: Reason::Other(Error::conflict(CoreCode::Refused, Message::raw("refused"))) }
}

pub(crate) fn get(number: u64) -> Get {
    Get { key: key(number), consistent: true, fields: None }
}

/// The items of one partition.
pub(crate) fn query(partition_number: u64) -> Query {
    Query {
        index: None,
        pk: ("PK".into(), Value::from(partition(partition_number))),
        sort: Some(("SK".into(), SortCondition::BeginsWith("ORDER#".to_owned()))),
        descending: false,
        limit: PARTITION as u32,
        start: None,
        consistent: true,
        fields: None,
        filter: None,
    }
}
