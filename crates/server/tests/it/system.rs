//! A system outside of all crates, served through the interface alone.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use axum::http::Method;
use clap::ArgMatches;
use futures_util::future::BoxFuture;
use hansang_command::{Config, Context, Failure, Given, Purpose, StoreArguments};
use hansang_core::cursor::CursorKey;
use hansang_core::db::Clock;
use hansang_core::write::Moment;
use hansang_core::{Db, Model};
use hansang_embedded::{Embedded, Options};
use hansang_server::{Opening, Stop, System, WorkerProcess};
use hansang_testserver::{On, Server, Visitor, has, ok, refusal, settings};
use jiff::Timestamp;
use serde_json::json;

#[path = "../../../../examples/systems/notes.rs"]
#[allow(unreachable_pub, reason = "in a crate of its own it is public")]
mod notes;

use notes::NotesSystem;

fn system() -> Arc<dyn System> {
    Arc::new(NotesSystem)
}

hansang_testserver::on_each_store! {
    an_action_is_a_route_and_a_form_with_one_audit_name,
}

async fn an_action_is_a_route_and_a_form_with_one_audit_name(on: On) {
    let mut server = Server::of_system(on, system(), settings()).await;
    server.serve(&system(), server.db(NotesSystem.model()), &[("notes-max", "2")], &[]).await;
    ok(server.send(Method::POST, "/api/notes/add", json!({ "text": "one" })).await);
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    let added = editor.post("/console/notes", &[("text", "two")]).await;
    assert_eq!((added.status, added.header("location")), (303, "/console/notes?done=note-added"));
    has(
        &editor.get("/console/notes?done=note-added").await,
        &["메모를 추가했습니다.", "one", "two", "새 메모"],
    );
    let full = server.send(Method::POST, "/api/notes/add", json!({ "text": "three" })).await;
    assert_eq!(refusal(&full), (409, "notes_full".to_owned()));
    assert_eq!(full.json()["detail"], "there are 2 notes already: delete one first");
    let full = editor.post("/console/notes", &[("text", "three")]).await;
    assert_eq!(full.status, 409);
    has(&full, &["메모가 이미 2개 있습니다. 먼저 하나를 삭제하세요"]);
    let viewer =
        server.call(Method::POST, "/api/notes/add", &server.viewer, Some(json!({ "text": "x" })), &[]).await;
    assert_eq!(viewer.status, 403);
    let log = ok(server.call(Method::GET, "/api/access/audit?system=notes", &server.admin, None, &[]).await);
    let names: Vec<&str> =
        log["items"].as_array().unwrap().iter().map(|entry| entry["operation"].as_str().unwrap()).collect();
    // Two notes, two refusals of a third one, and that of a viewer.
    assert_eq!(names, ["note.add"; 5]);
    // It has the generic pages and operations too.
    let records = ok(server.get("/api/notes/patterns/notes").await);
    assert_eq!(records["items"].as_array().unwrap().len(), 2);
    has(&editor.get("/console").await, &["href=\"/console/notes\""]);
    let style = server.page(Method::GET, "/assets/console.css", &[], axum::body::Body::empty()).await;
    has(&style, &[".notes li"]);
    let metrics = server.call(Method::GET, "/metrics", &server.admin, None, &[]).await;
    has(&metrics, &["# TYPE hansang_notes_max gauge\nhansang_notes_max 2\n"]);
}

#[tokio::test]
async fn a_worker_runs_until_it_is_stopped() {
    let server = Server::of_system(On::Embedded, system(), settings()).await;
    let db = server.db(NotesSystem.model());
    let config = Config::resolve(NotesSystem.settings().to_vec(), Given::default(), |_| None).unwrap();
    let opening = Opening {
        config: &config,
        own: db.clone(),
        db: db.clone(),
        queue: None,
        open_files: |_, place| panic!("notes have no files in {place:?}"),
        open_cache: |place| panic!("notes have no cache in {place:?}"),
        secret: &[],
        local: true,
        before: None,
    };
    let service = NotesSystem.open(opening).await.unwrap();
    let (stop, stopped) = Stop::channel();
    let worker = tokio::spawn(service.worker(WorkerProcess::Alone, stopped).unwrap());
    stop.send(true).unwrap();
    worker.await.unwrap();
    let notes = db.query("notes", hansang_core::Item::new(), hansang_core::db::Ask::default()).await.unwrap();
    assert_eq!(notes.records[0].fields["text"].as_str(), Some("Welcome"));
}

fn clock() -> Clock {
    Clock::new(|| Moment { now: Timestamp::UNIX_EPOCH, random: 1 })
}

fn open_table(model: Model, place: StoreArguments, _: Purpose) -> BoxFuture<'static, Result<Db, Failure>> {
    Box::pin(async move {
        let store = Embedded::open(&place.data, Options::new(Arc::new(|| Timestamp::UNIX_EPOCH)))?;
        let db = Db::new(Arc::new(model), None, Arc::new(store), clock(), CursorKey::new(b"test"));
        db.ensure_table().await?;
        Ok(db)
    })
}

#[test]
fn a_command_prints_the_notes() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().to_str().unwrap().to_owned();
    let matches: ArgMatches = NotesSystem.command().unwrap().get_matches_from(["notes", "--data", &*data]);
    let context = Context {
        clock: clock(),
        open_table,
        open_files: |_, place| panic!("notes have no files in {place:?}"),
        open_cache: |place| panic!("notes have no cache in {place:?}"),
    };
    let mut out = Vec::new();
    NotesSystem.run(&matches, &context, &mut out).unwrap();
    assert!(out.is_empty());
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let place = <StoreArguments as clap::FromArgMatches>::from_arg_matches(&matches).unwrap();
        let model = hansang_core::compile(NotesSystem.model().as_bytes()).unwrap();
        let db = open_table(model, place, Purpose::Fill).await.unwrap();
        let fields = hansang_core::Item::from([("text".into(), "Buy rice".into())]);
        db.create("Note", fields).await.unwrap();
    });
    drop(runtime);
    NotesSystem.run(&matches, &context, &mut out).unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), "Buy rice\n");
}

/// The page shows the file that is tested here.
#[test]
fn the_documentation_shows_this_file() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = fs::read_to_string(root.join("docs/systems.md")).unwrap();
    let code = fs::read_to_string(root.join("examples/systems/notes.rs")).unwrap();
    let shown: String =
        page.split("```rust\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    let lines =
        |text: &str| text.lines().map(str::to_owned).filter(|line| !line.is_empty()).collect::<Vec<_>>();
    assert_eq!(lines(&shown), lines(&code), "docs/systems.md must show examples/systems/notes.rs");
}
