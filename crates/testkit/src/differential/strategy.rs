//! Random operations over few keys and values, so that they collide.

use hansang_core::plan::{
    Action, BatchGet, Change, Comparison, Condition, Get, Guard, Guards, Key, Operand, Part, Path, Query,
    Reason, Scan, SortCondition, Write,
};
use hansang_core::{Item, Name, Value};
use proptest::collection::vec;
use proptest::option::{of, weighted};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

use super::Operation;
use crate::plans::{self, blobs, bytes, number, numbers, texts};
use crate::table::{BY_NUMBER, BY_TEXT};

/// Sequences of operations, most of them valid.
pub fn operations() -> impl Strategy<Value = Vec<Operation>> {
    vec(operation(), 1..40)
}

/// Sequences of operations that every DynamoDB version accepts: without empty values, refused until 2020, and
/// without additions to index keys, unchecked then.
pub fn early_operations() -> impl Strategy<Value = Vec<Operation>> {
    vec(operation().prop_filter("came later", |operation| !came_later(operation)), 1..40)
}

fn came_later(operation: &Operation) -> bool {
    let text = format!("{operation:?}");
    let adds_to_key = ["tpk", "tsk", "npk", "nsk"]
        .iter()
        .any(|key| text.contains(&format!("(Path {{ root: \"{key}\", inside: [] }}, Add")));
    text.contains("S(\"\")") || text.contains("B([])") || adds_to_key
}

fn operation() -> impl Strategy<Value = Operation> {
    prop_oneof![
        8 => write().prop_map(Operation::Write),
        3 => (vec(write(), 1..5), weighted(0.1, Just(()))).prop_map(|(writes, repeats)| match repeats {
            Some(()) => Operation::Transact(writes),
            None => Operation::Transact(once_each(writes)),
        }),
        // After a refused batch the stored items are undefined.
        1 => vec(item(Just(Value::Null).boxed()), 1..5).prop_map(Operation::BatchPut),
        2 => (key(), any::<bool>(), fields()).prop_map(|(key, consistent, fields)| Operation::Get(Get { key, consistent, fields })),
        1 => (vec(key(), 0..6), fields())
            .prop_map(|(keys, fields)| Operation::BatchGet(BatchGet { keys, consistent: true, fields })),
        4 => query().prop_map(Operation::Query),
        1 => scan().prop_map(Operation::Scan),
    ]
}

/// Removes repeated writes of an item.
fn once_each(writes: Vec<Write>) -> Vec<Write> {
    let mut kept: Vec<Write> = Vec::new();
    for write in writes {
        if kept.iter().all(|other| other.key != write.key) {
            kept.push(write);
        }
    }
    kept
}

fn key() -> impl Strategy<Value = Key> {
    let sk = prop_oneof![40 => select(vec!["1", "2", "3", "30"]), 1 => Just("")];
    (select(vec!["a", "b"]), sk).prop_map(|(pk, sk)| plans::key(pk, sk))
}

fn fields() -> impl Strategy<Value = Option<Vec<Name>>> {
    let names: Vec<Name> = ["PK", "SK", "n", "t", "m", "tsk", "missing"].map(Name::from).into();
    weighted(0.2, subsequence(names, 1..4))
}

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => select(vec!["", "a", "ab", "b", "한"]).prop_map(Value::from),
        4 => select(vec!["0", "1", "-1", "1.5", "100", "0.1", "1E38", "12345678901234567890123456789012345678", "9E125"])
            .prop_map(number),
        1 => select(vec![&b""[..], b"\x00", b"a", b"ab", b"\xff\x00"]).prop_map(bytes),
        1 => any::<bool>().prop_map(Value::from),
        1 => Just(Value::Null),
    ]
}

fn set() -> impl Strategy<Value = Value> {
    prop_oneof![
        20 => subsequence(vec!["a", "ab", "b", "한"], 1..4).prop_map(|members| texts(&members)),
        20 => subsequence(vec!["0", "1", "1.5", "-1"], 1..4).prop_map(|members| numbers(&members)),
        10 => subsequence(vec![&b"a"[..], b"\x00", b"ab"], 1..3).prop_map(|members| blobs(&members)),
        1 => Just(texts(&[])),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let members = vec((select(vec!["a", "b", "c"]), leaf()), 0..3);
    let map = members
        .prop_map(|members| Value::M(members.into_iter().map(|(name, value)| (name.into(), value)).collect()))
        .boxed();
    let list = vec(leaf(), 0..4).prop_map(Value::L).boxed();
    let nested = (list.clone(), map.clone())
        .prop_map(|(list, map)| Value::M(Item::from([("a".into(), list), ("b".into(), map)])));
    prop_oneof![6 => leaf(), 2 => list, 2 => map, 2 => set(), 1 => nested]
}

/// An item with a random key; some have `wrong` as an index key.
fn item(wrong: BoxedStrategy<Value>) -> impl Strategy<Value = Item> {
    let keys = (select(vec!["a", "b"]), select(vec!["1", "2", "3", "30"]));
    (keys, attributes(), index_keys(), weighted(0.02, wrong)).prop_map(
        |((pk, sk), attributes, index_keys, wrong)| {
            let mut item = plans::item(pk, sk, attributes);
            item.extend(index_keys);
            if let Some(wrong) = wrong.filter(|wrong| *wrong != Value::Null) {
                item.insert("tsk".into(), wrong);
            }
            item
        },
    )
}

const ATTRIBUTES: [&str; 6] = ["n", "t", "s", "l", "m", "x"];

fn attributes() -> impl Strategy<Value = Item> {
    let filled = |value: BoxedStrategy<Value>| weighted(0.6, value);
    let number =
        prop_oneof![9 => select(vec!["0", "1", "5", "-2", "1E38"]).prop_map(number), 1 => value()].boxed();
    let list = prop_oneof![9 => vec(leaf(), 0..4).prop_map(Value::L), 1 => value()].boxed();
    let sets = prop_oneof![9 => set(), 1 => value()].boxed();
    let all = [
        filled(number),
        filled(leaf().boxed()),
        filled(sets),
        filled(list),
        filled(value().boxed()),
        filled(value().boxed()),
    ];
    all.prop_map(|values| {
        let named = ATTRIBUTES.into_iter().zip(values);
        named.filter_map(|(name, value)| Some((name.into(), value?))).collect()
    })
}

fn index_keys() -> impl Strategy<Value = Item> {
    let text = |of: Vec<&'static str>| weighted(0.7, select(of).prop_map(Value::from));
    let sort = weighted(0.7, select(vec!["-1.5", "0", "1", "10", "9"]).prop_map(number));
    let all = (text(vec!["x", "y"]), text(vec!["1", "10", "2", "한"]), text(vec!["x", "y"]), sort);
    all.prop_map(|(tpk, tsk, npk, nsk)| {
        let named = [("tpk", tpk), ("tsk", tsk), ("npk", npk), ("nsk", nsk)];
        named.into_iter().filter_map(|(name, value)| Some((name.into(), value?))).collect()
    })
}

fn write() -> impl Strategy<Value = Write> {
    let put = item(value().boxed()).prop_map(plans::put);
    let others = prop_oneof![
        5 => changes().prop_map(Action::Update),
        2 => Just(Action::Delete),
        1 => Just(Action::Check),
    ];
    let other = (key(), others).prop_map(|(key, action)| Write { key, action, guards: Guards::default() });
    let guards = prop_oneof![3 => Just(Vec::new()), 2 => vec(condition(), 1..3)];
    (prop_oneof![2 => put.boxed(), 3 => other.boxed()], guards).prop_map(|(mut write, mut conditions)| {
        if write.action == Action::Check && conditions.is_empty() {
            conditions.push(plans::exists("PK"));
        }
        write.guards = conditions.into_iter().map(guard).collect();
        write
    })
}

fn guard(condition: Condition) -> Guard {
    Guard { condition, otherwise: Reason::Changed { entity: "Thing".into() } }
}

fn part() -> impl Strategy<Value = Part> {
    prop_oneof![
        select(vec!["a", "b", "c"]).prop_map(|name| Part::Member(name.into())),
        (0..5_usize).prop_map(Part::Element),
    ]
}

fn inside() -> impl Strategy<Value = Vec<Part>> {
    prop_oneof![6 => Just(Vec::new()), 3 => vec(part(), 1), 1 => vec(part(), 2)]
}

fn path() -> impl Strategy<Value = Path> {
    (select(ATTRIBUTES.to_vec()), inside()).prop_map(|(root, inside)| Path { root: root.into(), inside })
}

/// Changes of different attributes; some of one attribute twice or of a key.
fn changes() -> impl Strategy<Value = Vec<(Path, Change)>> {
    let of_attributes = subsequence(ATTRIBUTES.to_vec(), 1..4)
        .prop_flat_map(|roots| roots.into_iter().map(change_at).collect::<Vec<_>>());
    let of_elements = vec((0..5_usize, change_of_element()), 1..4).prop_map(|elements| {
        let at = |index| Path { root: "l".into(), inside: vec![Part::Element(index)] };
        elements.into_iter().map(|(index, change)| (at(index), change)).collect()
    });
    let of_keys = (select(vec!["tpk", "tsk", "npk", "nsk"]), change_of_key())
        .prop_map(|(root, change)| vec![(plans::path(root), change)]);
    let repeated = vec((path(), change()), 1..4);
    let of_table_key = Just(vec![plans::set("SK", "1")]);
    prop_oneof![20 => of_attributes, 4 => of_elements, 6 => of_keys, 2 => repeated, 1 => of_table_key]
}

fn change_at(root: &'static str) -> impl Strategy<Value = (Path, Change)> {
    (inside(), change()).prop_map(move |(inside, change)| (Path { root: root.into(), inside }, change))
}

fn change_of_element() -> impl Strategy<Value = Change> {
    prop_oneof![Just(Change::Remove), leaf().prop_map(Change::Set)]
}

fn change_of_key() -> impl Strategy<Value = Change> {
    prop_oneof![
        3 => Just(Change::Remove),
        4 => select(vec!["x", "y", "1", "10"]).prop_map(|text| Change::Set(text.into())),
        4 => select(vec!["1", "-1.5"]).prop_map(|text| Change::Set(number(text))),
        1 => value().prop_map(Change::Set),
        1 => Just(Change::Add(1.into())),
    ]
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        4 => value().prop_map(Change::Set),
        2 => value().prop_map(Change::SetIfAbsent),
        3 => select(vec!["1", "-1", "0.1", "1E20", "9E125"]).prop_map(|text| Change::Add(text.parse().unwrap())),
        2 => vec(leaf(), 0..3).prop_map(Change::Append),
        2 => set().prop_map(Change::AddMembers),
        2 => set().prop_map(Change::DeleteMembers),
        3 => Just(Change::Remove),
    ]
}

fn comparison() -> impl Strategy<Value = Comparison> {
    use Comparison::{AtLeast, AtMost, Equal, Greater, Less, NotEqual};
    select(vec![Equal, NotEqual, Less, AtMost, Greater, AtLeast])
}

/// Conditions on attributes that are not keys, so that they are valid filters.
fn condition() -> impl Strategy<Value = Condition> {
    let single = prop_oneof![
        2 => path().prop_map(Condition::Exists),
        2 => path().prop_map(Condition::Absent),
        4 => (path(), comparison(), leaf())
            .prop_map(|(path, how, value)| Condition::Compare(Operand::Path(path), how, Operand::Value(value))),
        2 => (path(), value()).prop_map(|(path, value)| Condition::unchanged(&path.root, Some(&value))),
        1 => (path(), comparison(), 0..4_i64)
            .prop_map(|(path, how, size)| Condition::Compare(Operand::Size(path), how, Operand::Value(size.into()))),
        1 => two_paths(),
        1 => (path(), leaf(), leaf()).prop_map(|(path, from, to)| Condition::Between(Operand::Path(path), from, to)),
        1 => (path(), vec(value(), 1..4)).prop_map(|(path, values)| Condition::In(Operand::Path(path), values)),
        1 => (path(), leaf()).prop_map(|(path, prefix)| Condition::BeginsWith(path, prefix)),
        2 => (path(), leaf()).prop_map(|(path, part)| Condition::Contains(path, part)),
    ];
    single.prop_recursive(2, 6, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 1..3).prop_map(Condition::And),
            vec(inner.clone(), 1..3).prop_map(Condition::Or),
            inner.prop_map(|inner| Condition::Not(Box::new(inner))),
        ]
    })
}

/// DynamoDB refuses to compare a path with itself.
fn two_paths() -> impl Strategy<Value = Condition> {
    (subsequence(ATTRIBUTES.to_vec(), 2), comparison()).prop_map(|(roots, how)| {
        let operand = |root: &str| Operand::Path(plans::path(root));
        Condition::Compare(operand(roots[0]), how, operand(roots[1]))
    })
}

fn text_sort() -> impl Strategy<Value = SortCondition> {
    let text = || select(vec!["1", "10", "2", "3", "30", "한"]).prop_map(Value::from);
    prop_oneof![
        text().prop_map(SortCondition::Equal),
        prop_oneof![9 => select(vec!["1", "3", "한"]), 1 => Just("")]
            .prop_map(|text| SortCondition::BeginsWith(text.to_owned())),
        (text(), text()).prop_map(|(from, to)| SortCondition::Between(from, to)),
        text().prop_map(SortCondition::AtLeast),
        text().prop_map(SortCondition::AtMost),
    ]
}

fn number_sort() -> impl Strategy<Value = SortCondition> {
    let one = || prop_oneof![19 => select(vec!["-1.5", "0", "1", "9.5", "10"]).prop_map(number), 1 => Just(Value::from("1"))];
    prop_oneof![
        one().prop_map(SortCondition::Equal),
        (one(), one()).prop_map(|(from, to)| SortCondition::Between(from, to)),
        one().prop_map(SortCondition::AtLeast),
        one().prop_map(SortCondition::AtMost),
    ]
}

fn query() -> impl Strategy<Value = Query> {
    let start = weighted(0.2, select(vec!["1", "2", "29", "3"]));
    let on_table = (select(vec!["a", "b"]), of(text_sort()), start)
        .prop_map(|(pk, sort, start)| (sort.is_none(), pk, sort, start));
    let on_table = on_table.prop_map(|(whole, pk, sort, start)| Query {
        sort: sort.map(|sort| ("SK".into(), sort)),
        // DynamoDB refuses a start key outside the range.
        start: start.filter(|_| whole).map(|sk| plans::item(pk, sk, Item::new())),
        ..plans::query(pk)
    });
    let by_text = (select(vec!["x", "y"]), of(text_sort())).prop_map(|(pk, sort)| Query {
        sort: sort.map(|sort| ("tsk".into(), sort)),
        ..plans::query_index(BY_TEXT, "tpk", pk)
    });
    let by_number = (select(vec!["x", "y"]), of(number_sort())).prop_map(|(pk, sort)| Query {
        sort: sort.map(|sort| ("nsk".into(), sort)),
        ..plans::query_index(BY_NUMBER, "npk", pk)
    });
    let read = prop_oneof![2 => on_table.boxed(), 2 => by_text.boxed(), 2 => by_number.boxed()];
    let limit = prop_oneof![30 => 1..6_u32, 1 => Just(0)];
    (read, any::<bool>(), limit, fields(), weighted(0.3, condition())).prop_map(
        |(query, descending, limit, fields, filter)| Query { descending, limit, fields, filter, ..query },
    )
}

fn scan() -> impl Strategy<Value = Scan> {
    let what = prop_oneof![
        Just(plans::scan()),
        Just(plans::scan_index(BY_TEXT)),
        Just(plans::scan_index(BY_NUMBER))
    ];
    (what, 1..5_u32).prop_map(|(scan, limit)| Scan { limit, ..scan })
}
