//! Writes of another table in the same transaction: a log entry for each change.

use std::sync::Arc;

use hansang_core::cursor::CursorKey;
use hansang_core::db::{Ask, Operation, Typed};
use hansang_core::plan::{Action, Change, Condition, Guard, Reason, TableWrite};
use hansang_core::{CoreCode, Db, Error, ErrorKind, Record, Store, Value, compile};
use hansang_testkit::faults::{Faults, Faulty};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use tokio::task::JoinSet;

use super::{BLOG, World, fields, path, set};

const LOG: &str = r#"
model: log
table: { name: Log, key: { pk: PK, sk: SK } }
entities:
  Entry:
    key: { PK: "DAY#{day}", SK: "{id}" }
    attributes: { day: string, id: string, what: string }
    unique: { what: [what] }
patterns:
  entries: { entity: Entry, given: [day] }
"#;

/// A blog and a log in one store.
struct Two {
    world: World,
    blog: Db,
    log: Db,
}

async fn two() -> Two {
    two_by_way_of(|store| store).await
}

async fn two_by_way_of(by_way: impl FnOnce(Arc<dyn Store>) -> Arc<dyn Store>) -> Two {
    let world = World::of(BLOG).await;
    let store = by_way(world.db.store().clone());
    let model = Arc::new(compile(LOG.as_bytes()).unwrap());
    let log = Db::new(model, None, store.clone(), world.db.clock().clone(), CursorKey::new(&[7; 32]));
    log.ensure_table().await.unwrap();
    Two { blog: world.db.by_way_of(store), log, world }
}

impl Two {
    /// The blog with a log entry of this ID alongside the next write.
    fn logged(&self, id: &str) -> Db {
        self.blog.alongside(entry(&self.log, id))
    }

    /// IDs of the stored log entries.
    async fn entries(&self) -> Vec<String> {
        let log = self.log.by_way_of(self.world.db.store().clone());
        let found = log.query("entries", fields(json!({"day": "d"})), Ask::default()).await.unwrap();
        found.records.iter().map(|record| record.text("id").unwrap().to_owned()).collect()
    }
}

fn entry(log: &Db, id: &str) -> Vec<TableWrite> {
    log.plan_create("Entry", fields(json!({"day": "d", "id": id, "what": id}))).unwrap()
}

fn post(id: &str, slug: &str) -> Json {
    json!({"blogId": "b", "postId": id, "slug": slug, "author": "kim", "title": "T"})
}

fn key(id: &str) -> Json {
    json!({"blogId": "b", "postId": id})
}

fn create(id: &str) -> Operation {
    Operation::Create { entity: "Post".into(), fields: fields(post(id, id)), guards: Vec::new() }
}

#[tokio::test]
async fn every_verb_writes_the_entry_once() {
    let two = two().await;
    let world = &two.world;
    let created = two.logged("1").create("Post", fields(post("p", "p"))).await.unwrap();
    assert_eq!(world.get("Post", key("p")).await.as_ref(), Some(&created));
    let mut changed = post("p", "q");
    changed["title"] = json!("New");
    let put = two.logged("2").put("Post", fields(changed), Some(1)).await.unwrap();
    assert_eq!(world.get("Post", key("p")).await.as_ref(), Some(&put));
    let updated = two.logged("3").update("Post", set(key("p"), json!({"title": "Newer"}))).await.unwrap();
    assert_eq!(updated.text("title"), Some("Newer"));
    assert_eq!(world.get("Post", key("p")).await, Some(updated));
    let elsewhere = fields(json!({"blogId": "c"}));
    let moved = two.logged("4").relocate("Post", fields(key("p")), elsewhere, None).await.unwrap();
    assert_eq!(moved.text("blogId"), Some("c"));
    let there = json!({"blogId": "c", "postId": "p"});
    two.logged("5").delete("Post", fields(there.clone()), None).await.unwrap();
    assert_eq!(world.get("Post", there).await, None);
    let records = two.logged("6").transact(vec![create("r"), create("s")]).await.unwrap();
    assert_eq!(records.len(), 2, "a record for each operation and none for the entry");
    two.logged("7").commit(vec![create("t")]).await.unwrap();
    assert_eq!(two.entries().await, ["1", "2", "3", "4", "5", "6", "7"]);
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Blog {
    blog_id: String,
    title: String,
}

impl Typed for Blog {
    const ENTITY: &'static str = "Blog";
}

#[tokio::test]
async fn typed_verbs_write_the_entry() {
    let two = two().await;
    let blog = Blog { blog_id: "b".to_owned(), title: "B".to_owned() };
    assert_eq!(two.logged("1").of::<Blog>().create(&blog).await.unwrap(), blog);
    assert_eq!(two.entries().await, ["1"]);
}

/// Errors of the record are the same as without, and no entry is written.
#[tokio::test]
async fn record_errors_are_unchanged() {
    let two = two().await;
    two.blog.create("Post", fields(post("1", "a"))).await.unwrap();
    for (entity, given) in [
        ("Post", post("1", "x")),
        ("Post", post("2", "a")),
        ("Post", json!({"blogId": "b", "slug": "No!"})),
        ("Posd", json!({})),
    ] {
        let plain = two.blog.create(entity, fields(given.clone())).await.unwrap_err();
        assert_eq!(two.logged("1").create(entity, fields(given)).await.unwrap_err(), plain);
    }
    for changes in [json!({"state": "gone"}), json!({"origin": "x", "title": ""}), json!({"slug": "No!"})] {
        let plain = two.blog.update("Post", set(key("1"), changes.clone())).await.unwrap_err();
        assert_eq!(two.logged("1").update("Post", set(key("1"), changes)).await.unwrap_err(), plain);
    }
    let plain = two.blog.delete("Post", fields(key("1")), Some(9)).await.unwrap_err();
    assert_eq!(two.logged("1").delete("Post", fields(key("1")), Some(9)).await.unwrap_err(), plain);
    let plain = two.blog.transact(vec![create("7"), create("1")]).await.unwrap_err();
    assert_eq!(two.logged("1").transact(vec![create("7"), create("1")]).await.unwrap_err(), plain);
    assert_eq!(two.entries().await, [""; 0]);
}

fn source(error: &Error) -> &Error {
    error.source.as_ref().unwrap().0.downcast_ref().unwrap()
}

/// A failed guard of an extra write has its own code.
#[tokio::test]
async fn extra_write_errors_are_recognisable() {
    let two = two().await;
    two.logged("1").create("Post", fields(post("1", "a"))).await.unwrap();
    let again = two.logged("1").create("Post", fields(post("2", "b"))).await.unwrap_err();
    assert_eq!((again.kind, again.code), (ErrorKind::Conflict, CoreCode::AlongsideRefused.into()));
    assert_eq!(
        again.message,
        "nothing was written, because a write that belongs to it was refused: this Entry already exists"
    );
    assert_eq!(source(&again).code, "already_exists");
    // A unique value that is taken in the other table.
    let what = two.log.plan_create("Entry", fields(json!({"day": "d", "id": "2", "what": "1"}))).unwrap();
    let refusal = two.blog.alongside(what).transact(vec![create("2")]).await.unwrap_err();
    assert_eq!((refusal.operation, refusal.error.code), (None, CoreCode::AlongsideRefused.into()));
    assert_eq!(source(&refusal.error).code, "not_unique");
    assert_eq!(two.world.get("Post", key("2")).await, None);
    // If both are refused, the record is reported.
    let both = two.logged("1").create("Post", fields(post("1", "c"))).await.unwrap_err();
    assert_eq!(both.code, "already_exists");
    assert_eq!(two.entries().await, ["1"]);
}

/// The second write through a handle is refused.
#[tokio::test]
async fn a_handle_is_for_one_write() {
    let two = two().await;
    let once = two.logged("1");
    once.create("Post", fields(post("1", "a"))).await.unwrap();
    let second = once.create("Post", fields(post("2", "b"))).await.unwrap_err();
    assert_eq!(second.code, CoreCode::AlongsideRefused);
    assert_eq!(two.world.get("Post", key("2")).await, None);
    // Extra writes accumulate, also of one table.
    let (more, less) = (entry(&two.log, "2"), entry(&two.log, "3"));
    two.blog.alongside(more).alongside(less).create("Post", fields(post("2", "b"))).await.unwrap();
    assert_eq!(two.entries().await, ["1", "2", "3"]);
}

#[tokio::test]
async fn extra_writes_count_towards_the_limits() {
    let two = two().await;
    // A post is two writes because of its unique slug, and so is an entry.
    let posts = |count: usize| (0..count).map(|number| create(&format!("p{number}"))).collect::<Vec<_>>();
    let refusal = two.logged("1").transact(posts(50)).await.unwrap_err();
    assert_eq!((refusal.operation, refusal.error.code), (None, CoreCode::TransactionTooLarge.into()));
    two.logged("1").transact(posts(49)).await.unwrap();
    let twice = [entry(&two.log, "2"), entry(&two.log, "2")].concat();
    let refused = two.blog.alongside(twice).create("Post", fields(post("x", "x"))).await.unwrap_err();
    assert_eq!(refused.code, "transaction_repeats_item");
    assert_eq!(two.entries().await, ["1"]);
}

/// A retried plan carries the same entry.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_retried_update_writes_its_entry_once() {
    let two = two().await;
    two.world.create("Pair", json!({"id": "p", "left": "l", "right": "r"})).await.unwrap();
    let mut tasks: JoinSet<Result<Record, Error>> = JoinSet::new();
    for number in 0..16 {
        let db = two.logged(&format!("{number:02}"));
        let field = if number % 2 == 0 { "left" } else { "right" };
        let mut update = set(json!({"id": "p"}), json!({field: format!("v{number}")}));
        update.changes.push((path("count"), Change::Add(1.into())));
        tasks.spawn(async move { db.update("Pair", update).await });
    }
    let results = tasks.join_all().await;
    assert!(results.iter().all(Result::is_ok), "{results:?}");
    let pair = two.world.get("Pair", json!({"id": "p"})).await.unwrap();
    assert_eq!(pair.fields["count"], Value::from(16));
    assert_eq!(two.entries().await.len(), 16);
}

/// A record exists if and only if its entry does.
#[tokio::test]
async fn record_and_entry_stay_together_on_a_faulty_store() {
    let faults =
        Faults { throttle: 0.1, conflict: 0.4, timeout_before: 0.1, timeout_after: 0.1, ..Faults::default() };
    for seed in 0..8 {
        let two = two_by_way_of(|store| Arc::new(Faulty::new(store, faults, seed))).await;
        let mut seen = Vec::new();
        for number in 0..40 {
            let id = format!("{number:02}");
            let result = two.logged(&id).create("Post", fields(post(&id, &id))).await;
            let written = two.world.get("Post", key(&id)).await.is_some();
            match &result {
                Ok(_) => assert!(written, "seed {seed}: {id} was acknowledged"),
                Err(error) => assert!(!written || error.code == "outcome_unknown", "seed {seed}: {error:?}"),
            }
            seen.extend(written.then_some(id));
        }
        assert!((1..40).contains(&seen.len()), "seed {seed}: {}", seen.len());
        assert_eq!(two.entries().await, seen, "seed {seed}");
    }
}

/// A condition on an item of another table.
#[tokio::test]
async fn a_check_of_another_table_is_enforced() {
    let two = two().await;
    two.log.create("Entry", fields(json!({"day": "d", "id": "open", "what": "x"}))).await.unwrap();
    let open = |id: &str| {
        let mut check = entry(&two.log, id).swap_remove(0);
        let otherwise = Reason::Missing { entity: "Entry".into() };
        check.write.action = Action::Check;
        check.write.guards = vec![Guard { condition: Condition::Exists(path("what")), otherwise }].into();
        vec![check]
    };
    two.blog.alongside(open("open")).create("Post", fields(post("1", "a"))).await.unwrap();
    let closed = two.blog.alongside(open("closed")).create("Post", fields(post("2", "b"))).await.unwrap_err();
    assert_eq!(
        (closed.code, source(&closed).code),
        (CoreCode::AlongsideRefused.into(), CoreCode::NotFound.into())
    );
    assert_eq!(two.world.get("Post", key("2")).await, None);
}
