//! Deleting projects and documents with everything below them, also when it is interrupted.

use std::sync::Arc;

use futures_util::stream;
use hansang_core::cache::Cached;
use hansang_core::db::Ask;
use hansang_core::plan::{Action, Guards, Key, Write};
use hansang_documents::{
    AgentText, Documents, DocumentsCode, NewArtifact, NewMessage, NewSegment, Outcome, Role, SessionText,
    StepName, add_message, artifact_key, artifacts_of_project, artifacts_of_user, begin_upload,
    begin_version, claim, complete, create_agent, create_artifact, create_project, create_session,
    delete_document, delete_project, deletions, document_file_key, find_document, finish_deletions,
    finish_upload, steps, tend, write_segments,
};
use hansang_testkit::memory::{Memory, MemoryQueue};
use hansang_testkit::world::{self, Hazards, When, World};
use tokio::time::{Duration, sleep};

use crate::grounds::{
    Ground, MemoryCache, MemoryFiles, db, everything, file, named, naming, on_each_store, page, received,
};

/// Ids of a project that has everything.
pub(crate) struct Full {
    project: String,
    documents: Vec<String>,
    workflows: Vec<String>,
}

/// A project with two users, documents with runs, versions and artifacts, and sessions with messages.
async fn full(documents: &Documents, files: &MemoryFiles, segments: i64) -> Full {
    let project = create_project(documents, "ann", &named("전부")).await.unwrap().project_id;
    let mut full = Full { project: project.clone(), documents: Vec::new(), workflows: Vec::new() };
    for name in ["a.pdf", "b.pdf"] {
        let upload = begin_upload(documents, "ann", &project, &file(name)).await.unwrap();
        files.store(&upload.version.s3_key, name);
        let id = upload.document.document_id;
        let done = finish_upload(documents, "ann", &project, &id, 1, &received(name)).await.unwrap();
        let prepare = claim(documents, StepName::Prepare, "w").await.unwrap().unwrap();
        complete(documents, &prepare.lease, Outcome::default()).await.unwrap();
        let parse = claim(documents, StepName::Parse, "w").await.unwrap().unwrap();
        let image = document_file_key(&project, &id, "page.webp");
        files.store(&image, "image");
        let pages = (0..segments).map(|index| {
            let text = if index == 0 { "가".repeat(150_000) } else { "짧다".to_owned() };
            Ok(NewSegment { image_key: Some(image.clone()), ..page(index, &text) })
        });
        write_segments(documents, &parse.lease, stream::iter(pages.collect::<Vec<_>>())).await.unwrap();
        complete(documents, &parse.lease, Outcome::default()).await.unwrap();
        full.documents.push(id);
        full.workflows.push(done.workflow.workflow_id);
    }
    for user in ["ann", "bob"] {
        for of in [None, Some(full.documents[0].clone())] {
            let artifact_id = documents.new_id();
            files.store(&artifact_key(&project, &artifact_id), "x");
            let new = NewArtifact {
                artifact_id,
                user_id: user.to_owned(),
                project_id: project.clone(),
                filename: "a.md".to_owned(),
                content_type: "text/markdown".to_owned(),
                file_size: 1,
                document_id: of,
                workflow_id: None,
            };
            create_artifact(documents, None, &new).await.unwrap();
        }
        let agent = AgentText { name: "g".to_owned(), content: "x".to_owned() };
        create_agent(documents, user, &project, &agent).await.unwrap();
        let text =
            SessionText { session_name: "s".to_owned(), session_type: "chat".to_owned(), agent_id: None };
        let session = create_session(documents, user, &project, &text).await.unwrap().session_id;
        for content in ["one", "two"] {
            let new = NewMessage { role: Role::User, content: content.to_owned(), citations: Vec::new() };
            add_message(documents, user, &project, &session, &new).await.unwrap();
        }
    }
    let half = begin_upload(documents, "ann", &project, &file("half.pdf")).await.unwrap();
    files.store(&half.version.s3_key, "half");
    full
}

/// What of the project is left: items and files.
async fn left(documents: &Documents, files: &MemoryFiles, full: &Full) -> Vec<String> {
    let mut left = naming(&documents.db, &full.project).await;
    for id in full.documents.iter().chain(&full.workflows) {
        left.extend(naming(&documents.db, id).await);
    }
    left.extend(files.keys().into_iter().filter(|key| key.contains(&full.project)));
    left.extend(deletions(documents).await.unwrap().iter().map(|deletion| format!("{deletion:?}")));
    left
}

/// Ds14: deleting a project deletes everything of all users, and nothing of others.
async fn a_project_goes_with_everything(ground: Ground) {
    let documents = &ground.documents;
    let kept = full(documents, &ground.files, 2).await;
    let before = (everything(&documents.db).await.len(), ground.files.keys());
    let gone = full(documents, &ground.files, 250).await;
    // What another program left in a partition goes too.
    let key = Key { pk: format!("WF#{}", gone.workflows[0]), sk: "SEG#7".to_owned() };
    let item = hansang_core::Item::from([
        ("PK".into(), key.pk.clone().into()),
        ("SK".into(), key.sk.clone().into()),
    ]);
    let stray = Write { key, action: Action::Put(item), guards: Guards::default() };
    documents.db.store().write(documents.db.table(), stray).await.unwrap();
    delete_project(documents, &gone.project).await.unwrap();
    assert_eq!(left(documents, &ground.files, &gone).await, [""; 0]);
    assert_eq!((everything(&documents.db).await.len(), ground.files.keys()), before);
    assert!(!naming(&documents.db, &kept.project).await.is_empty());
    let again = delete_project(documents, &gone.project).await.unwrap_err();
    assert_eq!(again.code, DocumentsCode::ProjectUnknown);
}

/// Ds14: deleting a document deletes its runs, segments, versions, files and artifacts, also while it is processed.
async fn a_document_goes_with_everything(ground: Ground) {
    let documents = &ground.documents;
    let full = full(documents, &ground.files, 3).await;
    let id = &full.documents[0];
    let running = claim(documents, StepName::Ocr, "w").await.unwrap().unwrap();
    let gone = running.document.document_id.clone();
    delete_document(documents, &full.project, &gone).await.unwrap();
    assert_eq!(naming(&documents.db, &gone).await, [""; 0]);
    assert_eq!(naming(&documents.db, &running.lease.workflow_id).await, [""; 0]);
    assert!(!ground.files.keys().iter().any(|key| key.contains(&gone)));
    for lost in [
        complete(documents, &running.lease, Outcome::default()).await,
        write_segments(documents, &running.lease, stream::iter([Ok(page(0, "late"))])).await.map(drop),
    ] {
        assert_eq!(lost.unwrap_err().code, DocumentsCode::LeaseLost);
    }
    assert_eq!(naming(&documents.db, &gone).await, [""; 0]);
    let other = full.documents.iter().find(|other| **other != gone).unwrap();
    assert_eq!(
        steps(documents, &find_document(documents, &full.project, other).await.unwrap().workflow_id.unwrap())
            .await
            .unwrap()
            .len(),
        6
    );
    let unknown = delete_document(documents, &full.project, &gone).await.unwrap_err();
    assert_eq!(unknown.code, DocumentsCode::DocumentUnknown);
    assert!(begin_version(documents, "ann", &full.project, &gone, &file("x")).await.is_err());
    assert!(full.documents.contains(id));
}

/// Ds14: a deletion whose files fail is acknowledged, shown nowhere, and finished later.
async fn a_deletion_without_files_is_finished_later(ground: Ground) {
    let documents = &ground.documents;
    let gone = full(documents, &ground.files, 3).await;
    ground.files.fail(100, 1);
    let artifacts = async || artifacts_of_user(documents, "ann", Ask::default()).await.unwrap().items.len();
    assert_eq!(artifacts().await, 2);
    delete_document(documents, &gone.project, &gone.documents[0]).await.unwrap();
    assert_eq!(artifacts().await, 1, "no list shows what was made from it");
    delete_project(documents, &gone.project).await.unwrap();
    assert_eq!(artifacts().await, 0, "nor what belongs to the project");
    let of_project = artifacts_of_project(documents, &gone.project, Ask::default()).await.unwrap();
    assert_eq!(of_project.items, []);
    assert!(!left(documents, &ground.files, &gone).await.is_empty());
    assert_eq!(finish_deletions(documents).await.unwrap(), 0, "not due yet");
    ground.pass(60);
    let mut runs = 0;
    for seed in 0.. {
        ground.files.fail(20, seed);
        runs += 1;
        if finish_deletions(documents).await.is_ok() {
            break;
        }
    }
    ground.files.fail(0, 0);
    ground.pass(60);
    tend(documents).await.unwrap();
    assert!(runs > 1, "some runs failed");
    assert_eq!(left(documents, &ground.files, &gone).await, [""; 0]);
}

on_each_store!(
    a_project_goes_with_everything,
    a_document_goes_with_everything,
    a_deletion_without_files_is_finished_later,
);

/// Ds14: a process that dies in any call of a deletion, before or after its effect, leaves what a worker of another process
/// finishes, and nothing is left.
#[test]
fn a_deletion_that_dies_anywhere_is_finished() {
    let mut deaths = 0;
    for when in [When::Before, When::After] {
        for call in 0.. {
            let died = world::run(dies_at(call, when));
            if !died {
                break;
            }
            deaths += 1;
        }
    }
    assert!(deaths > 50, "{deaths}");
}

/// Deletes a project in a process that dies in its call of this number. Returns whether it died.
async fn dies_at(call: u64, when: When) -> bool {
    let world = World::new(call, Hazards::default());
    let store = Arc::new(Memory::new());
    world.queue(Arc::new(MemoryQueue::new(world.time(), 100)));
    world.store(store.clone(), Arc::new(Memory::new()));
    let files = Arc::new(MemoryFiles::default());
    let cached = || Cached::new(Arc::new(MemoryCache::default()));
    let truth = Documents::new(db(store, world.clock(0)), cached(), files.clone());
    truth.db.store().ensure_table(truth.db.table()).await.unwrap();
    let full = full(&truth, &files, 3).await;
    let process = world.process(1);
    let victim = Documents::new(db(process.store, process.clock), cached(), files.clone());
    world.kill_at(1, call, when);
    let project = full.project.clone();
    let task = world.spawn(1, "deletes", async move { delete_project(&victim, &project).await });
    let result = task.ended().await;
    let died = result.is_none();
    if let Some(result) = result {
        result.unwrap();
    }
    let started = hansang_documents::find_project(&truth, &full.project).await.is_err();
    sleep(Duration::from_secs(61)).await;
    tend(&truth).await.unwrap();
    if started {
        // Deletions of its documents were noted one by one.
        sleep(Duration::from_secs(61)).await;
        tend(&truth).await.unwrap();
        assert_eq!(left(&truth, &files, &full).await, [""; 0], "died in call {call}, {when:?}");
    } else {
        assert!(died && call < 3, "the first write was not made");
        assert!(!left(&truth, &files, &full).await.is_empty());
    }
    died
}
