//! Capacity units, checked by arithmetic on items of known sizes.

use std::sync::Arc;

use hansang_core::model::{Index, Projection};
use hansang_core::plan::{
    Action, BatchGet, Change, Comparison, Condition, Get, Guard, Guards, Key, Operand, Query, Reason, Scan,
    Write,
};
use hansang_core::value::item_size;
use hansang_core::{Item, Name, Store as _, Table, Value};
use hansang_embedded::{Embedded, Options};
use hansang_http::metrics::{Metered, Metrics};
use hansang_testkit::plans::on;
use jiff::Timestamp;
use tempfile::TempDir;

const KB: usize = 1024;

struct World {
    store: Metered,
    table: Table,
    _directory: TempDir,
}

/// Read units, write units, write units of indexes.
type Spent = (f64, f64, f64);

impl World {
    async fn new() -> Self {
        let directory = TempDir::new().unwrap();
        let now = Arc::new(|| Timestamp::from_second(1_800_000_000).unwrap());
        let options = Options { sweep_every: None, ..Options::new(now) };
        let embedded = Embedded::open(directory.path(), options).unwrap();
        let metrics = Metrics::new(Timestamp::UNIX_EPOCH);
        let store = Metered { store: Arc::new(embedded), metrics };
        let index = |name: &str, projection| Index {
            name: name.into(),
            pk: format!("{name}PK").into(),
            pk_numeric: false,
            sk: None,
            sk_numeric: false,
            projection,
        };
        let table = Table {
            name: "Things".to_owned(),
            pk: "PK".into(),
            sk: "SK".into(),
            delimiter: '#',
            type_attribute: None,
            ttl: None,
            streams: false,
            recovery: false,
            tags: Vec::new(),
            indexes: vec![index("all", Projection::All), index("keys", Projection::Keys)],
        };
        store.ensure_table(&table).await.unwrap();
        Self { store, table, _directory: directory }
    }

    /// The units of an operation.
    async fn cost<T>(&self, operation: &str, work: impl Future<Output = T>) -> (T, Spent) {
        let mut result = None;
        let run = async {
            result = Some(work.await);
            Ok(())
        };
        self.store.metrics.observe("test", operation, run).await.unwrap();
        (result.unwrap(), self.spent("test", operation))
    }

    fn spent(&self, system: &str, operation: &str) -> Spent {
        let text = self.store.metrics.render(&[]);
        let read = |name: &str| -> f64 {
            let labels = format!("{{system=\"{system}\",operation=\"{operation}\"}} ");
            let line = format!("hansang_operation_{name}_units_total{labels}");
            text.lines().find_map(|other| other.strip_prefix(&line)).unwrap().parse().unwrap()
        };
        (read("read"), read("write"), read("index_write"))
    }

    async fn put(&self, operation: &str, item: Item) -> Spent {
        let write = put(item);
        let (result, spent) = self.cost(operation, self.store.write(&self.table, write)).await;
        result.unwrap();
        spent
    }
}

fn key(sk: &str) -> Key {
    Key { pk: "p".to_owned(), sk: sk.to_owned() }
}

fn put(item: Item) -> Write {
    let sk = item.get("SK").unwrap().as_str().unwrap();
    Write { key: key(sk), action: Action::Put(item.clone()), guards: Guards::default() }
}

/// An item of this size in bytes, in the named indexes.
fn item(sk: &str, bytes: usize, indexes: &[&str]) -> Item {
    let text = |name: &str, value: &str| (Name::from(name), Value::from(value));
    let mut item = Item::from([text("PK", "p"), text("SK", sk), text("fill", "")]);
    item.extend(indexes.iter().map(|name| text(&format!("{name}PK"), "x")));
    let fill = "x".repeat(bytes - item_size(&item));
    item.insert("fill".into(), fill.into());
    assert_eq!(item_size(&item), bytes);
    item
}

fn get(sk: &str, consistent: bool) -> Get {
    Get { key: key(sk), consistent, fields: None }
}

#[tokio::test]
async fn a_get_is_rounded_up_to_4_kb() {
    let world = World::new().await;
    for (sk, bytes) in [("small", 100), ("exact", 4 * KB), ("over", 4 * KB + 1), ("large", 41 * KB)] {
        world.put(sk, item(sk, bytes, &[])).await;
    }
    for (sk, strong) in [("small", 1.0), ("exact", 1.0), ("over", 2.0), ("large", 11.0), ("nothing", 1.0)] {
        let read = async |consistent| world.store.get(&world.table, &get(sk, consistent)).await.unwrap();
        let (_, spent) = world.cost(&format!("strong {sk}"), read(true)).await;
        assert_eq!(spent, (strong, 0.0, 0.0), "{sk}");
        let (_, spent) = world.cost(&format!("weak {sk}"), read(false)).await;
        assert_eq!(spent, (strong / 2.0, 0.0, 0.0), "{sk}");
    }
    let keys = ["small", "over", "nothing"].map(key).to_vec();
    let gets = BatchGet { keys, consistent: false, fields: None };
    let (_, spent) = world.cost("batch", world.store.batch_get(&world.table, &gets)).await;
    assert_eq!(spent.0, 0.5 + 1.0 + 0.5, "each by itself");
}

#[tokio::test]
async fn a_page_is_rounded_up_together() {
    let world = World::new().await;
    for number in 0..10 {
        world.put("put", item(&format!("{number}"), 1000, &["keys"])).await;
    }
    let query = |index: Option<&str>, limit| Query {
        index: index.map(Name::from),
        pk: index.map_or(("PK".into(), "p".into()), |name| (format!("{name}PK").into(), "x".into())),
        sort: None,
        descending: false,
        limit,
        start: None,
        consistent: false,
        fields: None,
        filter: None,
    };
    let (_, spent) = world.cost("ten", world.store.query(&world.table, &query(None, 100))).await;
    assert_eq!(spent.0, 1.5, "10,000 bytes are 3 blocks, halved");
    let (_, spent) = world.cost("four", world.store.query(&world.table, &query(None, 4))).await;
    assert_eq!(spent.0, 0.5);
    let (_, spent) = world.cost("index", world.store.query(&world.table, &query(Some("keys"), 100))).await;
    assert_eq!(spent.0, 0.5, "keys alone are small");
    let none = Query { pk: ("PK".into(), "nobody".into()), consistent: true, ..query(None, 9) };
    let (_, spent) = world.cost("none", world.store.query(&world.table, &none)).await;
    assert_eq!(spent.0, 1.0);
    let scan = Scan { index: None, limit: 100, start: None, consistent: true };
    let (_, spent) = world.cost("scan", world.store.scan(&world.table, &scan)).await;
    assert_eq!(spent.0, 3.0);
}

#[tokio::test]
async fn a_write_is_rounded_up_to_1_kb_in_the_table_and_in_each_index() {
    let world = World::new().await;
    assert_eq!(world.put("small", item("1", 100, &[])).await, (0.0, 1.0, 0.0));
    assert_eq!(world.put("exact", item("2", KB, &["all"])).await, (0.0, 1.0, 1.0));
    assert_eq!(world.put("over", item("3", 3 * KB + 1, &["all", "keys"])).await, (0.0, 4.0, 4.0 + 1.0));
    let items = vec![item("4", 2 * KB, &[]), item("5", 100, &["keys"])];
    let (result, spent) = world.cost("import", world.store.batch_put(&world.table, items)).await;
    result.unwrap();
    assert_eq!(spent, (0.0, 2.0 + 1.0, 1.0));
}

#[tokio::test]
async fn changes_and_deletions_cost_what_the_item_has() {
    let world = World::new().await;
    world.put("put", item("1", 5 * KB, &["all", "keys"])).await;
    let set = |name: &str| (&Name::from(name)).into();
    let changes = vec![(set("note"), Change::Set("ab".into()))];
    let update = Write { key: key("1"), action: Action::Update(changes), guards: Guards::default() };
    let (result, spent) = world.cost("update", world.store.write(&world.table, update)).await;
    assert_eq!(item_size(&result.unwrap().unwrap()), 5 * KB + 6);
    // The index with keys only does not contain the changed attribute.
    assert_eq!(spent, (0.0, 6.0, 6.0));
    let delete = Write { key: key("1"), action: Action::Delete, guards: Guards::default() };
    let (result, spent) = world.cost("delete", world.store.write(&world.table, delete.clone())).await;
    result.unwrap();
    assert_eq!(spent, (0.0, 6.0, 6.0 + 1.0));
    let (result, spent) = world.cost("again", world.store.write(&world.table, delete)).await;
    result.unwrap();
    assert_eq!(spent, (0.0, 1.0, 0.0));
}

fn must_be(name: &str, value: &str) -> Guard {
    let path = Operand::Path((&Name::from(name)).into());
    Guard {
        condition: Condition::Compare(path, Comparison::Equal, Operand::Value(value.into())),
        otherwise: Reason::Changed { entity: "Thing".into() },
    }
}

#[tokio::test]
async fn a_refused_write_costs_the_larger_item() {
    let world = World::new().await;
    world.put("put", item("1", 5 * KB, &["all"])).await;
    let refused =
        |bytes| Write { guards: vec![must_be("fill", "other")].into(), ..put(item("1", bytes, &["all"])) };
    for (bytes, units) in [(100, 5.0), (9 * KB, 9.0)] {
        let write = world.store.write(&world.table, refused(bytes));
        let (result, spent) = world.cost(&bytes.to_string(), write).await;
        result.unwrap_err();
        assert_eq!(spent, (0.0, units, 0.0));
    }
    let invalid = Write { key: key(""), action: Action::Delete, guards: Guards::default() };
    let (result, spent) = world.cost("invalid", world.store.write(&world.table, invalid)).await;
    result.unwrap_err();
    assert_eq!(spent, (0.0, 0.0, 0.0), "what breaks a rule is refused before it costs");
}

#[tokio::test]
async fn a_transaction_costs_twice() {
    let world = World::new().await;
    world.put("put", item("3", 100, &[])).await;
    let check =
        |text| Write { key: key("3"), action: Action::Check, guards: vec![must_be("PK", text)].into() };
    let writes = |text| vec![put(item("1", 2 * KB, &["all"])), put(item("2", 100, &[])), check(text)];
    let (result, spent) = world.cost("done", world.store.transact(on(&world.table, writes("p")))).await;
    result.unwrap();
    assert_eq!(spent, (0.0, 2.0 * (2.0 + 1.0 + 1.0), 2.0));
    let (result, spent) = world.cost("refused", world.store.transact(on(&world.table, writes("q")))).await;
    result.unwrap_err();
    assert_eq!(spent, (0.0, 8.0, 0.0));
}

#[tokio::test]
async fn units_outside_of_operations_are_counted() {
    let world = World::new().await;
    world.store.get(&world.table, &get("1", true)).await.unwrap();
    assert_eq!(world.spent("none", "none"), (1.0, 0.0, 0.0));
}

/// A wrapper that did not forward this would silently report an empty history.
#[tokio::test]
async fn a_history_is_forwarded_and_free() {
    let world = World::new().await;
    let table = Table { name: "Kept".to_owned(), streams: true, ..world.table.clone() };
    world.store.ensure_table(&table).await.unwrap();
    world.store.write(&table, put(item("1", 100, &[]))).await.unwrap();
    let (told, spent) = world.cost("history", world.store.history(&table, &key("1"), 10)).await;
    let told = told.unwrap().unwrap();
    assert_eq!(told, world.store.store.history(&table, &key("1"), 10).await.unwrap().unwrap());
    assert_eq!((told.changes.len(), spent), (1, (0.0, 0.0, 0.0)));
    assert_eq!(world.store.history(&world.table, &key("1"), 10).await.unwrap(), None);
}
