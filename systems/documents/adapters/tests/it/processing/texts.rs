//! Texts: long runs of letters, instructions of a summary, and text that was deleted.

use hansang_documents::{delete_document, delete_project, find_workflow};
use hansang_documents_adapters::remove_deleted;

use super::*;
use crate::models;

/// Text without spaces is no keyword, and no reason to fail.
#[tokio::test]
async fn text_without_spaces_is_processed() {
    let ground = Ground::new(None).await;
    let text = "가나다라마바사아자차".repeat(30);
    assert_eq!(text.chars().count(), 300);
    let document = ground.upload("긴 글.txt", format!("{text} 예산은 예산이다").as_bytes()).await;
    ground.work().await;
    let found = ground.document(&document).await;
    assert_eq!(found.status, DocumentStatus::Completed, "{:?}", ground.steps(&document).await);
    let segments = ground.segments(&document).await;
    assert!(segments[0].text.content.as_ref().unwrap().contains(&text));
    assert_eq!(segments[0].keywords, ["예산"]);
    // Every part of it is found all the same.
    let hits =
        ground.index().search(&ground.project.project_id, "차가나", Matching::All, (10, 0), 80).unwrap();
    assert_eq!(hits.total, 1);
}

/// The instructions of the project and those of the run apply to the summary, both.
#[tokio::test]
async fn a_summary_follows_the_instructions_of_project_and_run() {
    let mut ground = Ground::new(None).await;
    let (address, requests) = models::server(models::ok("A summary.")).await;
    ground.processor.model = Some(models::model(&address));
    let text =
        ProjectText { document_prompt: Some("Name the parties.".to_owned()), ..ground.project.text.clone() };
    let project = &ground.project.project_id;
    hansang_documents::change_project(&ground.documents, project, &text, 1).await.unwrap();
    let document = ground.upload("a.pdf", &report()).await;
    ground.work().await;
    let again = Reprocess { instructions: Some("Name the dates.".to_owned()), ..Reprocess::default() };
    reprocess(&ground.documents, "ann", project, &document.document_id, &again).await.unwrap();
    ground.work().await;
    let workflow = ground.document(&document).await.workflow_id.unwrap();
    let workflow = find_workflow(&ground.documents, &document.document_id, &workflow).await.unwrap();
    assert_eq!(workflow.summary.as_deref(), Some("A summary."));
    let request = requests.lock().unwrap().pop().unwrap();
    assert!(request.contains("Name the parties.") && request.contains("Name the dates."), "{request}");
}

/// A processor without an index does everything else; a search adds the text.
#[tokio::test]
async fn documents_are_processed_without_an_index() {
    let mut ground = Ground::new(None).await;
    let index = ground.processor.index.take().unwrap();
    let document = ground.upload("a.pdf", &report()).await;
    ground.work().await;
    assert_eq!(ground.document(&document).await.status, DocumentStatus::Completed);
    assert_eq!(ground.steps(&document).await[4].0, StepStatus::Skipped);
    bring_up_to_date(&ground.documents, &index, &ground.project.project_id).await.unwrap();
    assert_eq!(index.held(&ground.project.project_id).unwrap().len(), 1);
}

/// Deletions by any process reach the index of this one: documents of a project that stays, and projects.
#[tokio::test]
async fn deleted_text_leaves_the_index() {
    let ground = Ground::new(None).await;
    let project = &ground.project.project_id;
    let gone = ground.upload("a.pdf", &report()).await;
    let kept = ground.upload("b.txt", "남는 글".as_bytes()).await;
    ground.work().await;
    // Indexed before its run ends: not deleted.
    let early = ground.upload("c.txt", "이른 글".as_bytes()).await;
    for name in [StepName::Prepare, StepName::Parse, StepName::Ocr, StepName::Build, StepName::Index] {
        assert!(ground.processor.step(name).await.unwrap());
    }
    delete_document(&ground.documents, project, &gone.document_id).await.unwrap();
    remove_deleted(&ground.documents, ground.index()).await.unwrap();
    let mut held: Vec<String> = ground.index().held(project).unwrap().into_keys().collect();
    held.sort();
    assert_eq!(held, [kept.document_id, early.document_id]);
    delete_project(&ground.documents, project).await.unwrap();
    remove_deleted(&ground.documents, ground.index()).await.unwrap();
    assert!(ground.index().projects().unwrap().is_empty());
}
