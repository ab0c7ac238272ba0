//! Short constructors of plans.

use std::sync::Arc;

use hansang_core::number::Number;
use hansang_core::plan::{
    Action, BatchGet, Change, Comparison, Condition, Get, Guard, Guards, Key, Operand, Part, Path, Query,
    Reason, Scan, SortCondition, TableWrite, Write,
};
use hansang_core::{Item, Name, Table, Value};

/// Attributes: `fields! { name: "한상", count: 1 }`. A name that is not an identifier needs quotes.
#[macro_export]
macro_rules! fields {
    () => { $crate::core::Item::new() };
    ($($name:tt: $value:expr),+ $(,)?) => {
        $crate::core::Item::from([
            $(($crate::plans::name(stringify!($name)), $crate::core::Value::from($value))),+
        ])
    };
}

/// Name of a `fields!` token, without quotes.
#[must_use]
pub fn name(token: &str) -> Name {
    token.trim_matches('"').into()
}

/// An item with this key and these attributes.
#[must_use]
pub fn item(pk: &str, sk: &str, fields: Item) -> Item {
    let mut item = fields;
    item.insert("PK".into(), pk.into());
    item.insert("SK".into(), sk.into());
    item
}

/// The key of an item.
#[must_use]
pub fn key(pk: &str, sk: &str) -> Key {
    Key { pk: pk.to_owned(), sk: sk.to_owned() }
}

/// Parses a number.
#[must_use]
pub fn number(text: &str) -> Value {
    Value::N(text.parse().unwrap())
}

/// Bytes.
#[must_use]
pub fn bytes(bytes: &[u8]) -> Value {
    Value::B(bytes.to_vec())
}

/// A list.
#[must_use]
pub fn list<const N: usize>(values: [Value; N]) -> Value {
    Value::L(values.into())
}

/// A list of integers.
#[must_use]
pub fn counts(values: &[i64]) -> Value {
    Value::L(values.iter().map(|value| Value::from(*value)).collect())
}

/// A map.
#[must_use]
pub fn map(fields: Item) -> Value {
    Value::M(fields)
}

/// A set of texts.
#[must_use]
pub fn texts(members: &[&str]) -> Value {
    Value::Ss(members.iter().map(|member| (*member).to_owned()).collect())
}

/// A set of numbers.
#[must_use]
pub fn numbers(members: &[&str]) -> Value {
    Value::Ns(members.iter().map(|member| member.parse::<Number>().unwrap()).collect())
}

/// A set of byte strings.
#[must_use]
pub fn blobs(members: &[&[u8]]) -> Value {
    Value::Bs(members.iter().map(|member| member.to_vec()).collect())
}

/// A put. An item without a text key gets `p` / `s`, so that a store can refuse it.
#[must_use]
pub fn put(item: Item) -> Write {
    let part =
        |name: &str, otherwise: &str| item.get(name).and_then(Value::as_str).unwrap_or(otherwise).to_owned();
    Write {
        key: Key { pk: part("PK", "p"), sk: part("SK", "s") },
        action: Action::Put(item),
        guards: Guards::default(),
    }
}

/// An update of the item at `pk` / `sk`.
#[must_use]
pub fn update<const N: usize>(pk: &str, sk: &str, changes: [(Path, Change); N]) -> Write {
    Write { key: key(pk, sk), action: Action::Update(changes.into()), guards: Guards::default() }
}

/// A deletion of the item at `pk` / `sk`.
#[must_use]
pub fn delete(pk: &str, sk: &str) -> Write {
    Write { key: key(pk, sk), action: Action::Delete, guards: Guards::default() }
}

/// A check of the item at `pk` / `sk`.
#[must_use]
pub fn check(pk: &str, sk: &str, condition: Condition) -> Write {
    when(Write { key: key(pk, sk), action: Action::Check, guards: Guards::default() }, condition)
}

/// The write with one more guard.
#[must_use]
pub fn when(mut write: Write, condition: Condition) -> Write {
    write.guards.push(Guard { condition, otherwise: Reason::Changed { entity: "Thing".into() } });
    write
}

/// The writes with their table: `store.transact(on(&table, writes))`.
#[must_use]
pub fn on(table: &Table, writes: Vec<Write>) -> Vec<TableWrite> {
    TableWrite::all(&Arc::new(table.clone()), writes)
}

/// Parses a path such as `a.b[0].c`.
#[must_use]
pub fn path(text: &str) -> Path {
    let mut parts = text.split('.').flat_map(|member| {
        let (name, elements) = member.split_at(member.find('[').unwrap_or(member.len()));
        let elements = elements.split(['[', ']']).filter(|index| !index.is_empty());
        std::iter::once(Part::Member(name.into()))
            .chain(elements.map(|index| Part::Element(index.parse().unwrap())))
    });
    let Some(Part::Member(root)) = parts.next() else { unreachable!("a path starts with a name") };
    Path { root, inside: parts.collect() }
}

/// Sets the value at a path.
#[must_use]
pub fn set(at: &str, value: impl Into<Value>) -> (Path, Change) {
    (path(at), Change::Set(value.into()))
}

/// Sets the value at a path if it is absent.
#[must_use]
pub fn set_if_absent(at: &str, value: impl Into<Value>) -> (Path, Change) {
    (path(at), Change::SetIfAbsent(value.into()))
}

/// Adds to the number at a path.
#[must_use]
pub fn add(at: &str, by: &str) -> (Path, Change) {
    (path(at), Change::Add(by.parse().unwrap()))
}

/// Appends to the list at a path.
#[must_use]
pub fn append<const N: usize>(at: &str, values: [Value; N]) -> (Path, Change) {
    (path(at), Change::Append(values.into()))
}

/// Adds members to the set at a path.
#[must_use]
pub fn add_members(at: &str, members: Value) -> (Path, Change) {
    (path(at), Change::AddMembers(members))
}

/// Deletes members from the set at a path.
#[must_use]
pub fn delete_members(at: &str, members: Value) -> (Path, Change) {
    (path(at), Change::DeleteMembers(members))
}

/// Removes the value at a path.
#[must_use]
pub fn remove(at: &str) -> (Path, Change) {
    (path(at), Change::Remove)
}

/// The path has a value.
#[must_use]
pub fn exists(at: &str) -> Condition {
    Condition::Exists(path(at))
}

/// The path has no value.
#[must_use]
pub fn absent(at: &str) -> Condition {
    Condition::Absent(path(at))
}

/// Compares the value at a path.
#[must_use]
pub fn compare(at: &str, comparison: Comparison, value: impl Into<Value>) -> Condition {
    Condition::Compare(Operand::Path(path(at)), comparison, Operand::Value(value.into()))
}

/// The value at a path equals this.
#[must_use]
pub fn equal(at: &str, value: impl Into<Value>) -> Condition {
    compare(at, Comparison::Equal, value)
}

/// Compares the size of the value at a path.
#[must_use]
pub fn size(at: &str, comparison: Comparison, length: i64) -> Condition {
    Condition::Compare(Operand::Size(path(at)), comparison, Operand::Value(length.into()))
}

/// Negates a condition.
#[must_use]
pub fn not(condition: Condition) -> Condition {
    Condition::Not(Box::new(condition))
}

/// A strong read of the whole item at `pk` / `sk`.
#[must_use]
pub fn get(pk: &str, sk: &str) -> Get {
    Get { key: key(pk, sk), consistent: true, fields: None }
}

/// A strong read of whole items.
#[must_use]
pub fn batch_get(keys: Vec<Key>) -> BatchGet {
    BatchGet { keys, consistent: true, fields: None }
}

/// A query of a partition, up to 1000 items.
#[must_use]
pub fn query(pk: &str) -> Query {
    Query {
        index: None,
        pk: ("PK".into(), pk.into()),
        sort: None,
        descending: false,
        limit: 1000,
        start: None,
        consistent: true,
        fields: None,
        filter: None,
    }
}

/// A query of an index partition, by the partition key `attribute`.
#[must_use]
pub fn query_index(index: &str, attribute: &str, pk: &str) -> Query {
    Query { index: Some(index.into()), pk: (attribute.into(), pk.into()), consistent: false, ..query(pk) }
}

/// The query with a sort condition.
#[must_use]
pub fn sorted(query: Query, attribute: &str, condition: SortCondition) -> Query {
    Query { sort: Some((attribute.into(), condition)), ..query }
}

/// The query in descending order.
#[must_use]
pub fn backward(query: Query) -> Query {
    Query { descending: true, ..query }
}

/// A scan of the table.
#[must_use]
pub fn scan() -> Scan {
    Scan { index: None, limit: 1000, start: None, consistent: true }
}

/// A scan of an index.
#[must_use]
pub fn scan_index(index: &str) -> Scan {
    Scan { index: Some(index.into()), consistent: false, ..scan() }
}
