//! Pages: those that are processed again, and those that are recognised.

use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use hansang_documents::change_segment_text;

use super::*;

/// Ds20: single pages are read again, and the others stay, with the corrections of people.
#[tokio::test]
async fn single_pages_are_processed_again() {
    let ground = Ground::new(None).await;
    let document = ground.upload("a.pdf", &report()).await;
    ground.work().await;
    let before = ground.segments(&document).await;
    let (project, id) = (&ground.project.project_id, &document.document_id);
    for index in [0, 1] {
        change_segment_text(&ground.documents, project, id, index, "고친 글").await.unwrap();
    }
    let again = Reprocess { pages: vec![1], ..Reprocess::default() };
    ground.seconds.fetch_add(5, Ordering::Relaxed);
    reprocess(&ground.documents, "ann", project, id, &again).await.unwrap();
    ground.work().await;
    let after = ground.segments(&document).await;
    assert_eq!(ground.document(&document).await.status, DocumentStatus::Completed);
    assert_eq!(after.len(), 2);
    assert_eq!(after[0].text.content.as_deref(), Some("고친 글"), "a correction of another page stays");
    assert_eq!(after[1].text, before[1].text);
    bring_up_to_date(&ground.documents, ground.index(), project).await.unwrap();
    assert_eq!(ground.index().held(project).unwrap().len(), 1);
}

/// A program in place of tesseract: it recognises "Recognised" on each page, and fails on those whose numbers are given.
fn recogniser(ground: &Ground, fails: &[u32]) -> PathBuf {
    let program = ground.folder.path().join("recogniser");
    let count = ground.folder.path().join("count");
    let fails: Vec<String> = fails.iter().map(u32::to_string).collect();
    let script = format!(
        r#"#!/bin/sh
if [ "$1" = --list-langs ]; then echo eng; exit; fi
echo x >> {count}
case " {fails} " in *" $(wc -l < {count}) "*) exit 1;; esac
printf 'level\n1\t1\t0\t0\t0\t0\t0\t0\t1000\t2000\t-1\t\n5\t1\t1\t1\t1\t1\t100\t200\t100\t50\t90\tRecognised\n'
"#,
        count = count.display(),
        fails = fails.join(" "),
    );
    std::fs::write(&program, script).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    program
}

/// Pages that could not be recognised while others could are named by the step.
#[tokio::test]
async fn pages_that_were_not_recognised_are_named() {
    let mut ground = Ground::new(None).await;
    ground.processor.tesseract = recogniser(&ground, &[2]);
    let scan = scanned_pdf("scan", &[&["one"], &["two"], &["three"]]);
    let document = ground.upload("scan.pdf", &scan).await;
    ground.work().await;
    let workflow = ground.document(&document).await.workflow_id.unwrap();
    let step = find_step(&ground.documents, &workflow, StepName::Ocr).await.unwrap().unwrap();
    let note = "OCR failed on these pages: 2. Look at their images, or reanalyse the pages";
    assert_eq!((step.status, step.note.as_deref()), (StepStatus::Completed, Some(note)));
    let pages = ground.segments(&document).await;
    assert_eq!(pages[0].text.content.as_deref(), Some("Recognised"));
    assert_eq!(pages[1].text.content.as_deref(), Some(""));
}

/// With recognition of all pages, the text that is shown is that of the blocks on the image.
#[tokio::test]
async fn text_and_blocks_are_of_the_same_source() {
    let mut ground = Ground::new(Some(OcrMode::Always)).await;
    ground.processor.tesseract = recogniser(&ground, &[2]);
    let document = ground.upload("a.pdf", &report()).await;
    ground.work().await;
    let pages = ground.segments(&document).await;
    let of = |page: &Segment| {
        let source = page.text.blocks[0].source.clone().unwrap();
        (source, page.text.content.clone().unwrap())
    };
    assert_eq!(of(&pages[0]), ("ocr".to_owned(), "Recognised".to_owned()));
    let (source, text) = of(&pages[1]);
    assert!(source == "parsed" && text.starts_with("둘째 쪽"), "a page that failed keeps both: {text}");
}
