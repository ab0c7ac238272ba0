//! The built-in processor, on the embedded store.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::stream;
use hansang_core::cache::Cached;
use hansang_core::cursor::CursorKey;
use hansang_core::db::{Ask, Clock};
use hansang_core::files::{FileBody, Files, clip, unavailable};
use hansang_core::write::Moment;
use hansang_core::{Db, Error, compile};
use hansang_documents::{
    Document, DocumentStatus, Documents, MODEL, NewFile, OcrMode, Project, ProjectText, Received, Reprocess,
    Segment, StepName, StepStatus, artifacts_of_document, begin_upload, claim, create_project, find_document,
    find_step, find_workflow, finish_upload, reprocess, segments, steps,
};
use hansang_documents_adapters::fixtures::{PdfPage, docx, encrypted_pdf, pdf, pdf_bomb, scanned_pdf};
use hansang_documents_adapters::{
    Limits, Matching, Processor, TextIndex, bring_up_to_date, current, passages,
};
use hansang_embedded::{Embedded, Options};
use jiff::{SignedDuration, Timestamp};
use tempfile::TempDir;

use crate::grounds::reader;

mod pages;
mod texts;

struct Ground {
    documents: Documents,
    files: Arc<MemoryFiles>,
    processor: Processor,
    seconds: Arc<AtomicI64>,
    project: Project,
    folder: TempDir,
}

impl Ground {
    async fn new(ocr: Option<OcrMode>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let seconds = Arc::new(AtomicI64::new(0));
        let clock = clock(seconds.clone());
        let now = clock.clone();
        let options = Options { sweep_every: None, ..Options::new(Arc::new(move || now.moment().now)) };
        let store = Arc::new(Embedded::open(folder.path().join("store"), options).unwrap());
        let model = Arc::new(compile(MODEL.as_bytes()).expect("the model compiles"));
        let db = Db::new(model, None, store, clock, CursorKey::new(b"tests"));
        let files = Arc::new(MemoryFiles::default());
        let documents = Documents::new(db, Cached::none(), files.clone());
        documents.db.ensure_table().await.unwrap();
        let text = ProjectText { name: "예산".to_owned(), ocr, ..ProjectText::default() };
        let project = create_project(&documents, "ann", &text).await.unwrap();
        let processor = Processor {
            documents: documents.clone(),
            reader: reader("read"),
            limits: Limits { memory_mb: 300, seconds: 100, ..Limits::default() },
            index: Some(TextIndex::open(&folder.path().join("index")).unwrap()),
            model: None,
            tesseract: "tesseract".into(),
            ocr_seconds: 100,
            scratch: folder.path().join("scratch"),
            owner: "built-in".to_owned(),
        };
        Self { documents, files, processor, seconds, project, folder }
    }

    async fn upload(&self, name: &str, content: &[u8]) -> Document {
        let (file_size, file_type) = (i64::try_from(content.len()).unwrap(), "application/pdf".to_owned());
        let new =
            NewFile { name: name.to_owned(), file_type: file_type.clone(), file_size, source_url: None };
        let project = &self.project.project_id;
        let upload = begin_upload(&self.documents, "ann", project, &new).await.unwrap();
        self.files.stored.lock().unwrap().insert(upload.version.s3_key.clone(), content.to_vec());
        let received = Received { sha256: "0".repeat(64), file_size, file_type, s3_key: None };
        let id = upload.document.document_id;
        finish_upload(&self.documents, "ann", project, &id, 1, &received).await.unwrap().document
    }

    /// Does every step that is due.
    async fn work(&self) {
        let mut any = true;
        while any {
            any = false;
            for name in StepName::ALL {
                any |= self.processor.step(name).await.unwrap();
            }
        }
    }

    async fn document(&self, document: &Document) -> Document {
        find_document(&self.documents, &self.project.project_id, &document.document_id).await.unwrap()
    }

    async fn segments(&self, document: &Document) -> Vec<Segment> {
        let workflow = self.document(document).await.workflow_id.unwrap();
        let ask = Ask { descending: Some(false), ..Ask::default() };
        segments(&self.documents, &workflow, None, ask).await.unwrap().items
    }

    fn index(&self) -> &TextIndex {
        self.processor.index.as_ref().unwrap()
    }

    /// The status, and the reason or the error, of each step.
    async fn steps(&self, document: &Document) -> Vec<(StepStatus, String)> {
        let workflow = self.document(document).await.workflow_id.unwrap();
        let steps = steps(&self.documents, &workflow).await.unwrap();
        steps.into_iter().map(|step| (step.status, step.reason.or(step.error).unwrap_or_default())).collect()
    }
}

fn clock(seconds: Arc<AtomicI64>) -> Clock {
    let count = AtomicU64::new(1);
    let noon: Timestamp = "2026-01-01T12:00:00Z".parse().unwrap();
    Clock::new(move || Moment {
        now: noon + SignedDuration::from_secs(seconds.load(Ordering::Relaxed)),
        random: u128::from(count.fetch_add(1, Ordering::Relaxed)),
    })
}

fn report() -> Vec<u8> {
    let lines = ["2024년 예산 보고서", "정부는 예산을 늘렸습니다. 예산은 교육에 쓰입니다.", "Budget grew."];
    pdf("예산 보고서", &[PdfPage::of(&lines), PdfPage::of(&["둘째 쪽", "복지 예산도 함께 늘었습니다."])])
}

/// Ds17, Ds18, Ds19: a document goes through all steps: segments with text, images and keywords, a summary, and search.
#[tokio::test]
async fn a_document_is_processed_to_its_end() {
    let ground = Ground::new(None).await;
    let document = ground.upload("예산.pdf", &report()).await;
    ground.work().await;
    let steps = ground.steps(&document).await;
    let done = |status: &(StepStatus, String)| status.0 == StepStatus::Completed;
    assert!(steps.iter().enumerate().all(|(at, step)| at == 2 || done(step)), "{steps:?}");
    assert_eq!(steps[2], (StepStatus::Skipped, "every page has text".to_owned()));
    let document = ground.document(&document).await;
    assert_eq!(document.status, DocumentStatus::Completed);

    let pages = ground.segments(&document).await;
    assert_eq!(pages.len(), 2);
    assert!(pages[0].text.content.as_ref().unwrap().starts_with("2024년 예산 보고서\n"));
    assert_eq!(pages[0].language.as_deref(), Some("ko"));
    assert_eq!(pages[0].keywords[0], "예산");
    assert_eq!(pages[0].text.blocks[0].source.as_deref(), Some("parsed"));
    let image = pages[1].image_key.clone().unwrap();
    let stored = ground.files.stored.lock().unwrap().get(&image).cloned().unwrap();
    let drawn = image::load_from_memory(&stored).unwrap();
    assert_eq!(Some(i64::from(drawn.width())), pages[1].image_width);

    let workflow_id = document.workflow_id.clone().unwrap();
    let workflow = find_workflow(&ground.documents, &document.document_id, &workflow_id).await.unwrap();
    assert_eq!((workflow.language.as_deref(), workflow.total_segments), (Some("ko"), Some(2)));
    assert!(workflow.summary.unwrap().contains("예산"));
    let artifacts =
        artifacts_of_document(&ground.documents, &document.document_id, Ask::default()).await.unwrap();
    assert_eq!(artifacts.items.len(), 1);

    // The step has indexed what is current: nothing is added again.
    let held = ground.index().held(&ground.project.project_id).unwrap();
    let texts =
        bring_up_to_date(&ground.documents, ground.index(), &ground.project.project_id).await.unwrap();
    assert_eq!(held[&document.document_id].revision, texts[&document.document_id].text_revision);
    let hits = ground.index().search(&ground.project.project_id, "복지", Matching::All, (10, 0), 80).unwrap();
    assert_eq!(hits.hits[0].segment_index, 1);
    let found = passages(&hits, &texts);
    assert_eq!((found.len(), found[0].document_name.as_str()), (1, "예산.pdf"));
    let stale = hansang_documents::IndexedText { text_revision: 99, ..texts[&document.document_id].clone() };
    assert!(current(&hits, &[(document.document_id.clone(), stale)].into()).is_empty());
    // An empty index is filled from the store.
    let other = TextIndex::open(&ground.folder.path().join("other")).unwrap();
    bring_up_to_date(&ground.documents, &other, &ground.project.project_id).await.unwrap();
    assert_eq!(
        other.search(&ground.project.project_id, "복지", Matching::All, (10, 0), 80).unwrap().total,
        1
    );
    assert_eq!(
        std::fs::read_dir(ground.folder.path().join("scratch")).unwrap().count(),
        0,
        "nothing is left"
    );
}

/// Pages without text are recognised; where the program is missing, the step is skipped with the reason.
#[tokio::test]
async fn scans_are_recognised_where_the_program_is_installed() {
    let mut ground = Ground::new(None).await;
    let scan = scanned_pdf("scan", &[&["Scanned letter 2024"]]);
    let document = ground.upload("scan.pdf", &scan).await;
    ground.work().await;
    let steps = ground.steps(&document).await;
    assert_eq!(steps[2].0, StepStatus::Completed, "{steps:?}");
    let pages = ground.segments(&document).await;
    assert!(pages[0].text.content.as_ref().unwrap().contains("Scanned letter 2024"), "{:?}", pages[0].text);
    let block = &pages[0].text.blocks[0];
    assert_eq!(block.source.as_deref(), Some("ocr"));
    assert!(block.confidence.unwrap() > 50);

    ground.processor.tesseract = "/nowhere/tesseract".into();
    let document = ground.upload("scan.pdf", &scan).await;
    ground.work().await;
    let steps = ground.steps(&document).await;
    assert_eq!(steps[2].0, StepStatus::Skipped);
    assert!(steps[2].1.contains("install tesseract"), "{steps:?}");
    assert_eq!(steps[5], (StepStatus::Skipped, "the document has no text".to_owned()));
    assert_eq!(ground.document(&document).await.status, DocumentStatus::Completed);

    let off = Ground::new(Some(OcrMode::Never)).await;
    let document = off.upload("scan.pdf", &scan).await;
    off.work().await;
    assert_eq!(off.steps(&document).await[2], (StepStatus::Skipped, "OCR is turned off".to_owned()));
}

/// A bad file fails its step with what is wrong, and nothing else.
#[tokio::test]
async fn bad_files_fail_their_step_and_nothing_else() {
    let mut ground = Ground::new(None).await;
    ground.processor.limits.memory_mb = 100;
    let locked = ground.upload("a.pdf", &encrypted_pdf()).await;
    let bomb = ground.upload("b.pdf", &pdf_bomb(150)).await;
    let good = ground.upload("c.docx", &docx("계약", &[("제1조", &["본문입니다."])], &[])).await;
    ground.work().await;
    assert_eq!(ground.document(&locked).await.status, DocumentStatus::Failed);
    let steps = ground.steps(&locked).await;
    assert_eq!(steps[0].0, StepStatus::Failed);
    assert!(steps[0].1.contains("needs a password"), "{steps:?}");
    assert_eq!(ground.document(&bomb).await.status, DocumentStatus::Failed);
    let steps = ground.steps(&bomb).await;
    assert!(steps[1].0 == StepStatus::Failed && steps[1].1.contains("100 MB of memory"), "{steps:?}");
    assert_eq!(ground.document(&good).await.status, DocumentStatus::Completed);
}

/// A processor that was killed leaves a lease that runs out; the next one does the step from its beginning.
#[tokio::test]
async fn a_step_of_a_killed_processor_is_done_again() {
    let ground = Ground::new(None).await;
    let document = ground.upload("a.pdf", &report()).await;
    assert!(ground.processor.step(StepName::Prepare).await.unwrap());
    let dead = claim(&ground.documents, StepName::Parse, "killed").await.unwrap().unwrap();
    assert!(!ground.processor.step(StepName::Parse).await.unwrap(), "the lease holds");
    ground.seconds.fetch_add(61, Ordering::Relaxed);
    ground.work().await;
    assert_eq!(ground.document(&document).await.status, DocumentStatus::Completed);
    let step = find_step(&ground.documents, &dead.lease.workflow_id, StepName::Parse).await.unwrap().unwrap();
    assert_eq!((step.attempt, step.owner.as_deref()), (2, Some("built-in")));
}

/// The loop does what is uploaded while it runs, and gives a step back when it is stopped.
#[tokio::test]
async fn the_loop_works_until_it_is_stopped() {
    let ground = Ground::new(None).await;
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let processor = ground.processor.clone();
    let running = tokio::spawn(async move { processor.process(2, async { drop(stopped.await) }).await });
    let document = ground.upload("a.pdf", &report()).await;
    while !ground.document(&document).await.status.has_ended() {
        ground.documents.changed().await;
    }
    assert_eq!(ground.document(&document).await.status, DocumentStatus::Completed);
    drop(stop);
    running.await.unwrap();

    // A reader that hangs is stopped with the server, and its step can be taken at once.
    let mut stuck = ground.processor.clone();
    stuck.reader = reader("hang");
    let document = ground.upload("b.pdf", &report()).await;
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let running = tokio::spawn(async move { stuck.process(1, async { drop(stopped.await) }).await });
    let workflow = document.workflow_id.clone().unwrap();
    while find_step(&ground.documents, &workflow, StepName::Prepare).await.unwrap().unwrap().status
        != StepStatus::InProgress
    {
        tokio::task::yield_now().await;
    }
    drop(stop);
    running.await.unwrap();
    while find_step(&ground.documents, &workflow, StepName::Prepare).await.unwrap().unwrap().status
        == StepStatus::InProgress
    {
        tokio::task::yield_now().await;
    }
    ground.work().await;
    assert_eq!(ground.document(&document).await.status, DocumentStatus::Completed);
}

/// Files in memory.
#[derive(Default)]
struct MemoryFiles {
    stored: Mutex<BTreeMap<String, Vec<u8>>>,
}

impl fmt::Debug for MemoryFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MemoryFiles")
    }
}

#[async_trait]
impl Files for MemoryFiles {
    async fn put(&self, key: &str, _: &str, file: &Path) -> Result<(), Error> {
        hansang_core::files::check_key(key)?;
        let content = std::fs::read(file).map_err(unavailable)?;
        self.stored.lock().unwrap().insert(key.to_owned(), content);
        Ok(())
    }

    async fn get(&self, key: &str, range: Option<Range<u64>>) -> Result<Option<FileBody>, Error> {
        let Some(content) = self.stored.lock().unwrap().get(key).cloned() else { return Ok(None) };
        let size = content.len() as u64;
        let range = clip(range, size);
        let part =
            content[usize::try_from(range.start).unwrap()..usize::try_from(range.end).unwrap()].to_vec();
        Ok(Some(FileBody { size, range, chunks: Box::pin(stream::iter([Ok(Bytes::from(part))])) }))
    }

    async fn delete(&self, key: &str) -> Result<(), Error> {
        self.stored.lock().unwrap().remove(key);
        Ok(())
    }

    async fn delete_all(&self, folder: &str) -> Result<(), Error> {
        self.stored.lock().unwrap().retain(|key, _| !key.starts_with(&format!("{folder}/")));
        Ok(())
    }

    async fn address(&self, _: &str, _: Option<&str>, _: Duration) -> Result<Option<String>, Error> {
        Ok(None)
    }

    async fn upload_address(&self, _: &str, _: &str, _: u64, _: Duration) -> Result<Option<String>, Error> {
        Ok(None)
    }
}
