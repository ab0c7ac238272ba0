//! Claims, leases, and what an old lease writes.

use std::sync::Arc;

use futures_util::future::join_all;
use futures_util::stream;
use hansang_documents::{
    DocumentStatus, DocumentsCode, MAX_TRIES, NewArtifact, Outcome, SegmentWriter, StepName, StepProgress,
    StepStatus, Tended, claim, complete, create_artifact, fail, find_document, find_step, heartbeat, release,
    skip, tend, write_segments,
};

use crate::grounds::{Ground, on_each_store, page};

/// A lease that ran out is given to another processor, and what the first one still writes is refused.
async fn an_old_lease_writes_nothing(ground: Ground) {
    let documents = &ground.documents;
    let project = ground.project("a").await.project_id;
    let document = ground.document(&project, "a.pdf").await;
    ground.run_step(StepName::Prepare, 0).await;
    let old = claim(documents, StepName::Parse, "one").await.unwrap().unwrap();
    ground.pass(59);
    assert_eq!(claim(documents, StepName::Parse, "two").await.unwrap(), None);
    heartbeat(documents, &old.lease, &StepProgress::default()).await.unwrap();
    ground.pass(59);
    assert_eq!(claim(documents, StepName::Parse, "two").await.unwrap(), None, "the heartbeat kept it");
    ground.pass(1);
    let mut open = SegmentWriter::begin(documents, &old.lease).await.unwrap();
    open.push(page(0, "old")).await.unwrap();
    let new = claim(documents, StepName::Parse, "two").await.unwrap().unwrap();
    assert_eq!(new.lease.attempt, old.lease.attempt + 1);
    let artifact = NewArtifact {
        artifact_id: documents.new_id(),
        user_id: "ann".to_owned(),
        project_id: project.clone(),
        filename: "a.md".to_owned(),
        content_type: "text/markdown".to_owned(),
        ..NewArtifact::default()
    };
    for lost in [
        heartbeat(documents, &old.lease, &StepProgress::default()).await.map(drop),
        open.finish().await.map(drop),
        write_segments(documents, &old.lease, stream::iter([Ok(page(0, "old"))])).await.map(drop),
        create_artifact(documents, Some(&old.lease), &artifact).await.map(drop),
        complete(documents, &old.lease, Outcome::default()).await,
        skip(documents, &old.lease, "old").await,
        fail(documents, &old.lease, "old", true).await,
        fail(documents, &old.lease, "old", false).await,
        release(documents, &old.lease).await,
    ] {
        assert_eq!(lost.unwrap_err().code, DocumentsCode::LeaseLost);
    }
    // A processor that has the name of another but not its number has no lease either.
    let mut forged = new.lease.clone();
    forged.attempt -= 1;
    let refused = complete(documents, &forged, Outcome::default()).await.unwrap_err();
    assert_eq!(refused.code, DocumentsCode::LeaseLost);
    let step = find_step(documents, &new.lease.workflow_id, StepName::Parse).await.unwrap().unwrap();
    assert_eq!((step.status, step.owner.as_deref()), (StepStatus::InProgress, Some("two")));
    create_artifact(documents, Some(&new.lease), &artifact).await.unwrap();
    complete(documents, &new.lease, Outcome::default()).await.unwrap();
    let now = find_document(documents, &project, &document.document_id).await.unwrap();
    assert_eq!(now.steps_done, Some(2));
}

/// Processors that ask at the same time never get the same step, and all steps are taken.
async fn each_step_has_one_processor(ground: Ground) {
    let project = ground.project("a").await.project_id;
    for number in 0..6 {
        ground.document(&project, &format!("{number}.pdf")).await;
    }
    let documents = Arc::new(ground.documents.clone());
    let workers = (0..8).map(|worker| {
        let documents = documents.clone();
        tokio::spawn(async move {
            let mut mine = Vec::new();
            let mut idle = 0;
            while idle < 4 {
                match claim(&documents, StepName::Prepare, &format!("w{worker}")).await {
                    Ok(Some(claimed)) => mine.push(claimed.lease.workflow_id),
                    _ => idle += 1,
                }
            }
            mine
        })
    });
    let mut taken: Vec<String> = join_all(workers).await.into_iter().flat_map(Result::unwrap).collect();
    taken.sort();
    let count = taken.len();
    taken.dedup();
    assert_eq!((count, taken.len()), (6, 6));
}

/// A step that was given back can be taken at once, and the attempt does not count.
async fn a_step_is_given_back(ground: Ground) {
    let documents = &ground.documents;
    let project = ground.project("a").await.project_id;
    ground.document(&project, "a.pdf").await;
    for _ in 0..=MAX_TRIES {
        let claimed = ground.claim(StepName::Prepare).await;
        assert_eq!(claimed.step.tries, 1);
        release(documents, &claimed.lease).await.unwrap();
        release(documents, &claimed.lease).await.unwrap();
    }
}

/// A step whose processors die again and again fails, and with it the run: by the next claim, or by the worker.
async fn a_run_whose_processors_die_fails(ground: Ground) {
    let documents = &ground.documents;
    let project = ground.project("a").await.project_id;
    for by_worker in [true, false] {
        let id = ground.document(&project, "a.pdf").await.document_id;
        for _ in 0..MAX_TRIES {
            ground.claim(StepName::Prepare).await;
            assert_eq!(tend(documents).await.unwrap(), Tended::default());
            ground.pass(60);
        }
        if by_worker {
            assert_eq!(tend(documents).await.unwrap().expired, 1);
        } else {
            assert_eq!(claim(documents, StepName::Prepare, "w").await.unwrap(), None);
        }
        let document = find_document(documents, &project, &id).await.unwrap();
        assert_eq!(document.status, DocumentStatus::Failed);
        assert_eq!(tend(documents).await.unwrap(), Tended::default());
    }
}

on_each_store!(
    an_old_lease_writes_nothing,
    each_step_has_one_processor,
    a_step_is_given_back,
    a_run_whose_processors_die_fails,
);
