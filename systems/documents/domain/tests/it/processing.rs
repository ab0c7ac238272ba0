//! Runs from the first step to the end, reprocessing, cancelling, progress.

use hansang_core::ErrorKind;
use hansang_core::db::Ask;
use hansang_documents::{
    DocumentStatus, DocumentsCode, Outcome, Reprocess, StepName, StepProgress, StepStatus, WorkflowStatus,
    cancel, claim, complete, fail, find_document, find_workflow, heartbeat, progress, release, reprocess,
    skip, steps, texts_of_project, workflows,
};

use crate::grounds::{Ground, on_each_store};

async fn statuses(ground: &Ground, project: &str, document: &str) -> (DocumentStatus, WorkflowStatus) {
    let document = find_document(&ground.documents, project, document).await.unwrap();
    let id = document.workflow_id.unwrap();
    let workflow = find_workflow(&ground.documents, &document.document_id, &id).await.unwrap();
    (document.status, workflow.status)
}

/// Ds17: steps can be claimed when those they need have ended; document and workflow move together.
async fn a_run_goes_through_its_steps(ground: Ground) {
    let documents = &ground.documents;
    let project = ground.project("a").await.project_id;
    let document = ground.document(&project, "a.pdf").await;
    let id = &document.document_id;
    assert_eq!(statuses(&ground, &project, id).await, (DocumentStatus::Pending, WorkflowStatus::Pending));
    for name in StepName::ALL.into_iter().skip(1) {
        assert_eq!(claim(documents, name, "w").await.unwrap(), None, "{name} waits");
    }
    let claimed = ground.claim(StepName::Prepare).await;
    assert_eq!(claimed.document.document_id, *id);
    assert_eq!(claimed.project.project_id, project);
    assert_eq!(claim(documents, StepName::Prepare, "w").await.unwrap(), None, "it is taken");
    let running = (DocumentStatus::InProgress, WorkflowStatus::InProgress);
    assert_eq!(statuses(&ground, &project, id).await, running);
    complete(documents, &claimed.lease, Outcome::default()).await.unwrap();
    ground.run_step(StepName::Parse, 3).await;
    let ocr = ground.claim(StepName::Ocr).await;
    skip(documents, &ocr.lease, "모든 쪽에 글이 있습니다").await.unwrap();
    skip(documents, &ocr.lease, "again").await.unwrap();
    ground.run_step(StepName::Build, 0).await;
    // These two do not wait for each other.
    let index = ground.claim(StepName::Index).await;
    let summarise = ground.claim(StepName::Summarise).await;
    complete(documents, &index.lease, Outcome::default()).await.unwrap();
    assert_eq!(statuses(&ground, &project, id).await, running);
    let outcome =
        Outcome { language: Some("ko".to_owned()), summary: Some("요약".to_owned()), ..Outcome::default() };
    complete(documents, &summarise.lease, outcome.clone()).await.unwrap();
    complete(documents, &summarise.lease, outcome).await.unwrap();
    let done = (DocumentStatus::Completed, WorkflowStatus::Completed);
    assert_eq!(statuses(&ground, &project, id).await, done);
    let document = find_document(documents, &project, id).await.unwrap();
    let workflow_id = document.workflow_id.clone().unwrap();
    let workflow = find_workflow(documents, id, &workflow_id).await.unwrap();
    assert_eq!((workflow.language.as_deref(), workflow.summary.as_deref()), (Some("ko"), Some("요약")));
    assert_eq!((workflow.total_segments, document.steps_done), (Some(3), Some(6)));
    assert!(workflow.started_at.is_some() && workflow.ended_at.is_some());
    let all = steps(documents, &workflow_id).await.unwrap();
    let skipped: Vec<_> = all.iter().filter(|step| step.status == StepStatus::Skipped).collect();
    assert_eq!(skipped[0].reason.as_deref(), Some("모든 쪽에 글이 있습니다"));
    let texts = texts_of_project(documents, &project).await.unwrap();
    assert_eq!((texts.len(), &texts[0].workflow_id, texts[0].text_revision), (1, &workflow_id, 1));
}

/// Ds20, D10: a document is processed again only from an end; each time is one run.
async fn a_document_is_processed_again(ground: Ground) {
    let documents = &ground.documents;
    let project = ground.project("a").await.project_id;
    let document = ground.document(&project, "a.pdf").await;
    let id = &document.document_id;
    let all = Reprocess { instructions: Some("표를 옮긴다".to_owned()), pages: Vec::new() };
    let busy = reprocess(documents, "bob", &project, id, &all).await.unwrap_err();
    assert_eq!((busy.kind, busy.code), (ErrorKind::Conflict, DocumentsCode::DocumentBusy.into()));
    ground.run_all(2).await;
    let first = texts_of_project(documents, &project).await.unwrap();
    let again = reprocess(documents, "bob", &project, id, &all).await.unwrap();
    assert_eq!(again.instructions.as_deref(), Some("표를 옮긴다"));
    assert_eq!(statuses(&ground, &project, id).await, (DocumentStatus::Reanalyzing, WorkflowStatus::Pending));
    assert_eq!(
        reprocess(documents, "bob", &project, id, &all).await.unwrap_err().code,
        DocumentsCode::DocumentBusy
    );
    assert_eq!(texts_of_project(documents, &project).await.unwrap(), first, "the old text until then");
    ground.run_all(1).await;
    let second = texts_of_project(documents, &project).await.unwrap();
    assert_eq!((&second[0].workflow_id, second[0].text_revision), (&again.workflow_id, 2));
    let runs = workflows(documents, id, Ask::default()).await.unwrap().items;
    assert_eq!(runs.len(), 2);
    assert_eq!(runs[0].workflow_id, again.workflow_id, "the newest first");
    let oldest = Ask { descending: Some(false), ..Ask::default() };
    assert_eq!(workflows(documents, id, oldest).await.unwrap().items[1].workflow_id, again.workflow_id);
    let unknown = reprocess(documents, "bob", &project, "none", &all).await.unwrap_err();
    assert_eq!(unknown.code, DocumentsCode::DocumentUnknown);
}

/// Ds20: single pages are processed again in the last run, which keeps what was prepared.
async fn pages_are_processed_again(ground: Ground) {
    let documents = &ground.documents;
    let project = ground.project("a").await.project_id;
    let document = ground.completed(&project, "a.pdf", 5).await;
    let id = &document.document_id;
    let pages = |pages: &[i64]| Reprocess { instructions: None, pages: pages.to_vec() };
    for wrong in [&[5][..], &[-1], &[0, 99]] {
        let refused = reprocess(documents, "bob", &project, id, &pages(wrong)).await.unwrap_err();
        assert_eq!((refused.kind, refused.code), (ErrorKind::Invalid, DocumentsCode::PagesUnknown.into()));
    }
    let again = reprocess(documents, "bob", &project, id, &pages(&[3, 1, 3])).await.unwrap();
    assert_eq!(Some(&again.workflow_id), document.workflow_id.as_ref());
    assert_eq!(again.pages, Some(vec![1, 3]));
    let states = (DocumentStatus::Reanalyzing, WorkflowStatus::Reanalyzing);
    assert_eq!(statuses(&ground, &project, id).await, states);
    assert_eq!(claim(documents, StepName::Prepare, "w").await.unwrap(), None);
    let parse = ground.claim(StepName::Parse).await;
    assert_eq!((parse.workflow.pages.clone(), parse.step.tries), (Some(vec![1, 3]), 1));
    assert_eq!(statuses(&ground, &project, id).await, states);
    complete(documents, &parse.lease, Outcome::default()).await.unwrap();
    for name in StepName::ALL.into_iter().skip(2) {
        ground.run_step(name, 0).await;
    }
    let done = (DocumentStatus::Completed, WorkflowStatus::Completed);
    assert_eq!(statuses(&ground, &project, id).await, done);
    let workflow = find_workflow(documents, id, &again.workflow_id).await.unwrap();
    assert_eq!((workflow.pages, workflow.total_segments), (None, Some(5)));
    assert_eq!(workflows(documents, id, Ask::default()).await.unwrap().items.len(), 1);
    assert_eq!(texts_of_project(documents, &project).await.unwrap()[0].text_revision, 2);
}

/// A failed attempt is repeated after a pause, up to a maximum; then the run fails, and with it the document.
async fn failures_are_retried_and_then_final(ground: Ground) {
    let documents = &ground.documents;
    let project = ground.project("a").await.project_id;
    let id = ground.document(&project, "a.pdf").await.document_id;
    for pause in [5, 10] {
        let claimed = ground.claim(StepName::Prepare).await;
        fail(documents, &claimed.lease, "broken", true).await.unwrap();
        fail(documents, &claimed.lease, "broken", true).await.unwrap();
        ground.pass(pause - 1);
        assert_eq!(claim(documents, StepName::Prepare, "w").await.unwrap(), None);
        ground.pass(1);
    }
    let claimed = ground.claim(StepName::Prepare).await;
    assert_eq!((claimed.step.tries, claimed.step.error.as_deref()), (3, Some("broken")));
    fail(documents, &claimed.lease, "still broken", true).await.unwrap();
    assert_eq!(statuses(&ground, &project, &id).await, (DocumentStatus::Failed, WorkflowStatus::Failed));
    let document = find_document(documents, &project, &id).await.unwrap();
    let workflow_id = document.workflow_id.unwrap();
    let workflow = find_workflow(documents, &id, &workflow_id).await.unwrap();
    assert_eq!(workflow.error.as_deref(), Some("still broken"));
    let all = steps(documents, &workflow_id).await.unwrap();
    assert_eq!(all[0].status, StepStatus::Failed);
    assert!(all[1..].iter().all(|step| step.status == StepStatus::Skipped && step.reason.is_some()));
    // A failed document can be processed again, as a whole: nothing was prepared.
    let pages = Reprocess { instructions: None, pages: vec![0] };
    let refused = reprocess(documents, "bob", &project, &id, &pages).await.unwrap_err();
    assert_eq!(refused.code, DocumentsCode::PagesUnknown);
    reprocess(documents, "bob", &project, &id, &Reprocess::default()).await.unwrap();
    let claimed = ground.claim(StepName::Prepare).await;
    fail(documents, &claimed.lease, "", false).await.unwrap();
    assert_eq!(statuses(&ground, &project, &id).await, (DocumentStatus::Failed, WorkflowStatus::Failed));
}

/// A cancelled run has failed; its processor has lost its lease.
async fn a_run_is_cancelled(ground: Ground) {
    let documents = &ground.documents;
    let project = ground.project("a").await.project_id;
    let id = ground.document(&project, "a.pdf").await.document_id;
    let claimed = ground.claim(StepName::Prepare).await;
    let workflow = cancel(documents, "bob", &project, &id).await.unwrap();
    assert_eq!(
        (workflow.status, workflow.error.as_deref()),
        (WorkflowStatus::Failed, Some("cancelled by bob"))
    );
    for lost in [
        heartbeat(documents, &claimed.lease, &StepProgress::default()).await.map(drop),
        complete(documents, &claimed.lease, Outcome::default()).await,
        fail(documents, &claimed.lease, "x", true).await,
        release(documents, &claimed.lease).await,
    ] {
        assert_eq!(lost.unwrap_err().code, DocumentsCode::LeaseLost);
    }
    let again = cancel(documents, "bob", &project, &id).await.unwrap_err();
    assert_eq!((again.kind, again.code), (ErrorKind::Conflict, DocumentsCode::NotActive.into()));
    for name in StepName::ALL {
        assert_eq!(claim(documents, name, "w").await.unwrap(), None);
    }
}

/// The progress of a project is one call: how many documents are in which state, and where the active ones are.
async fn progress_is_one_call(ground: Ground) {
    let documents = &ground.documents;
    let project = ground.project("a").await.project_id;
    assert_eq!(progress(documents, &project).await.unwrap().documents, 0);
    assert_eq!(progress(documents, "none").await.unwrap_err().code, DocumentsCode::ProjectUnknown);
    ground.completed(&project, "a.pdf", 1).await;
    let active = ground.document(&project, "b.pdf").await;
    ground.run_step(StepName::Prepare, 0).await;
    let claimed = ground.claim(StepName::Parse).await;
    let report = StepProgress { done: Some(30), total: Some(120), note: Some("쪽 30".to_owned()) };
    heartbeat(documents, &claimed.lease, &report).await.unwrap();
    let now = progress(documents, &project).await.unwrap();
    assert_eq!(now.documents, 2);
    assert_eq!(now.by_status[&DocumentStatus::Completed], 1);
    assert_eq!(now.by_status[&DocumentStatus::InProgress], 1);
    let [one] = &now.active[..] else { panic!("{now:?}") };
    assert_eq!((&one.document_id, one.step, one.steps_done), (&active.document_id, Some(StepName::Parse), 1));
    assert_eq!((one.done, one.total, one.note.as_deref()), (Some(30), Some(120), Some("쪽 30")));
    assert_eq!(one.percent, (100 + 25) / 6);
}

on_each_store!(
    a_run_goes_through_its_steps,
    a_document_is_processed_again,
    pages_are_processed_again,
    failures_are_retried_and_then_final,
    a_run_is_cancelled,
    progress_is_one_call,
);
