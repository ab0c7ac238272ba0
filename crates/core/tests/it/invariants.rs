//! Random creates, puts, updates, moves and deletes: every item matches the model, no index key is stale,
//! and the pointers are exactly those of the unique values.

use std::collections::BTreeMap;

use hansang_core::identify::{Identity, identify, read_item};
use hansang_core::plan::{Action, Change, Comparison, Condition, Key, Operand, Path, Write};
use hansang_core::store::check;
use hansang_core::write::{self, Current, Moment, Planned, Update};
use hansang_core::{Entity, Error, Item, Model, Name, Value, unique};
use proptest::prelude::{Just, ProptestConfig, Strategy, prop_assert, prop_assert_eq, prop_oneof, proptest};
use serde_json::json;

use crate::writes::{BLOG, ready};
use crate::{fields, model};

/// A table in memory, with just enough to execute the plans of these tests.
#[derive(Default)]
struct Table(BTreeMap<Key, Item>);

impl Table {
    /// All of the writes, or the error of the first guard that fails.
    fn execute(&mut self, writes: &[Write]) -> Result<(), Error> {
        for write in writes {
            let item = self.0.get(&write.key);
            if let Some(guard) = write.guards.iter().find(|guard| !holds(&guard.condition, item)) {
                return Err(guard.otherwise.error());
            }
        }
        for write in writes {
            match &write.action {
                Action::Put(item) => drop(self.0.insert(write.key.clone(), item.clone())),
                Action::Delete => drop(self.0.remove(&write.key)),
                Action::Check => {}
                Action::Update(changes) => {
                    let item = self.0.get_mut(&write.key).unwrap();
                    changes.iter().for_each(|(path, change)| apply(item, path, change));
                }
            }
        }
        Ok(())
    }
}

fn holds(condition: &Condition, item: Option<&Item>) -> bool {
    let at = |path: &Path| item.and_then(|item| item.get(&path.root));
    match condition {
        Condition::Exists(path) => at(path).is_some(),
        Condition::Absent(path) => at(path).is_none(),
        Condition::Compare(Operand::Path(path), Comparison::Equal, Operand::Value(value)) => {
            at(path) == Some(value)
        }
        Condition::Compare(Operand::Path(path), Comparison::AtLeast, Operand::Value(value)) => {
            at(path).and_then(Value::as_number) >= value.as_number()
        }
        Condition::Compare(Operand::Path(path), Comparison::AtMost, Operand::Value(value)) => {
            at(path).and_then(Value::as_number).is_some_and(|number| Some(number) <= value.as_number())
        }
        Condition::In(Operand::Path(path), values) => at(path).is_some_and(|value| values.contains(value)),
        Condition::And(all) => all.iter().all(|one| holds(one, item)),
        Condition::Or(any) => any.iter().any(|one| holds(one, item)),
        other => panic!("these tests plan no {other:?}"),
    }
}

fn apply(item: &mut Item, path: &Path, change: &Change) {
    match change {
        Change::Set(value) => drop(item.insert(path.root.clone(), value.clone())),
        Change::Remove => drop(item.remove(&path.root)),
        Change::Add(number) => {
            let before = item.get(&path.root).and_then(Value::as_number).unwrap_or(0.into());
            item.insert(path.root.clone(), Value::N(before.checked_add(*number).unwrap()));
        }
        other => panic!("these tests plan no {other:?}"),
    }
}

/// One step of a story. Names are few, so that they collide.
#[derive(Clone, Debug)]
enum Deed {
    Create { blog: u8, post: u8, slug: u8, author: u8, published: bool },
    Put { blog: u8, post: u8, slug: u8, author: u8, published: bool },
    Update { blog: u8, post: u8, what: u8, value: u8 },
    Move { blog: u8, post: u8, to: u8 },
    Delete { blog: u8, post: u8 },
}

fn deed() -> impl Strategy<Value = Deed> {
    let few = || 0_u8..3;
    prop_oneof![
        (few(), few(), few(), few(), Just(true)).prop_map(|(blog, post, slug, author, published)| {
            Deed::Create { blog, post, slug, author, published }
        }),
        (few(), few(), few(), few(), proptest::bool::ANY).prop_map(
            |(blog, post, slug, author, published)| Deed::Put { blog, post, slug, author, published }
        ),
        (few(), few(), 0_u8..6, few()).prop_map(|(blog, post, what, value)| Deed::Update {
            blog,
            post,
            what,
            value
        }),
        (few(), few(), few()).prop_map(|(blog, post, to)| Deed::Move { blog, post, to }),
        (few(), few()).prop_map(|(blog, post)| Deed::Delete { blog, post }),
    ]
}

fn key_fields(blog: u8, post: u8) -> Item {
    fields(json!({"blogId": format!("b{blog}"), "postId": format!("01JD3Q0V8B5X9K2M4N6P7R8S9{post}")}))
}

fn post(blog: u8, post: u8, slug: u8, author: u8, published: bool) -> Item {
    let mut item = key_fields(blog, post);
    let slug = ["a", "b", "c"][usize::from(slug)];
    item.extend(fields(json!({"slug": slug, "author": format!("author{author}"), "title": "T"})));
    if published {
        item.insert(Name::from("publishedAt"), Value::from("2026-01-01T00:00:00Z"));
    }
    item
}

fn change(what: u8, value: u8) -> (Path, Change) {
    let path = |name: &str| Path::from(&Name::from(name));
    match what {
        0 => (path("slug"), Change::Set(["a", "b", "c"][usize::from(value)].into())),
        1 => (path("author"), Change::Set(format!("author{value}").into())),
        2 => (path("publishedAt"), Change::Remove),
        3 => (path("publishedAt"), Change::Set(format!("2026-01-0{}T00:00:00Z", value + 1).into())),
        4 => (path("likes"), Change::Add((i64::from(value) - 1).into())),
        _ => (path("state"), Change::Set(["draft", "live", "gone"][usize::from(value)].into())),
    }
}

fn act(table: &mut Table, model: &Model, entity: &Entity, deed: &Deed, moment: &Moment) -> Result<(), Error> {
    let stored = |table: &Table, blog: u8, post: u8| {
        table.0.get(&write::key(entity, &key_fields(blog, post)).unwrap()).cloned()
    };
    let writes = match *deed {
        Deed::Create { blog, post: id, slug, author, published } => {
            write::create(model, entity, post(blog, id, slug, author, published), moment)?
        }
        Deed::Put { blog, post: id, slug, author, published } => {
            let item = stored(table, blog, id);
            let known = item.as_ref().map_or(Current::Absent, Current::Item);
            ready(write::put(model, entity, post(blog, id, slug, author, published), known, moment)?)
        }
        Deed::Update { blog, post, what, value } => {
            let update = || Update {
                key: key_fields(blog, post),
                changes: vec![change(what, value)],
                expected_version: None,
            };
            match write::update(model, entity, update(), Current::Unknown, moment)? {
                Planned::Ready(writes) => writes,
                Planned::ReadFirst(get) => {
                    let item = table.0.get(&get.key).cloned();
                    let known = item.as_ref().map_or(Current::Absent, Current::Item);
                    ready(write::update(model, entity, update(), known, moment)?)
                }
            }
        }
        Deed::Move { blog, post, to } => {
            let Some(item) = stored(table, blog, post) else { return Ok(()) };
            write::relocate(model, entity, &item, fields(json!({"blogId": format!("b{to}")})), moment)?
        }
        Deed::Delete { blog, post } => {
            let item = stored(table, blog, post);
            let known = item.as_ref().map_or(Current::Absent, Current::Item);
            ready(write::delete(model, entity, &key_fields(blog, post), known, None, moment)?)
        }
    };
    check::transaction(writes.iter().map(|write| (&model.table, write)))?;
    table.execute(&writes)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Cs5, Cs7
    #[test]
    fn no_story_leaves_a_stale_key_or_a_wrong_pointer(story in proptest::collection::vec(deed(), 1..40)) {
        let model = model(BLOG);
        let entity = model.entity("Post").unwrap();
        let mut table = Table::default();
        for (step, deed) in story.iter().enumerate() {
            let second = i64::try_from(step).unwrap();
            let moment = Moment { now: jiff::Timestamp::from_second(1_800_000_000 + second).unwrap(), random: step as u128 };
            // Errors are fine: only the state afterwards counts.
            let _ = act(&mut table, &model, entity, deed, &moment);
            let mut expected: BTreeMap<String, Key> = BTreeMap::new();
            let mut pointers: BTreeMap<String, Key> = BTreeMap::new();
            for (key, item) in &table.0 {
                match identify(&model, &key.pk, &key.sk) {
                    Some(Identity::Pointer { .. }) => {
                        let owner = |name: &Name| item[name].as_str().unwrap().to_owned();
                        pointers.insert(key.pk.clone(), Key { pk: owner(&unique::OWNER_PK), sk: owner(&unique::OWNER_SK) });
                    }
                    Some(Identity::Entity { .. }) => {
                        let read = read_item(&model, item);
                        prop_assert!(read.is_ok(), "{deed:?}: {:?}", read.err());
                        for constraint in &entity.uniques {
                            let pk = unique::pointer_pk(entity, constraint, '#', item).unwrap();
                            prop_assert!(expected.insert(pk, key.clone()).is_none(), "{deed:?}: a value is taken twice");
                        }
                    }
                    None => prop_assert!(false, "{key:?} belongs to nothing"),
                }
            }
            prop_assert_eq!(&expected, &pointers, "{:?}", deed);
        }
    }
}
