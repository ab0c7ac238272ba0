//! Segments: bulk writes, reads, texts that do not fit into an item, notes.

use std::collections::BTreeMap;

use futures_util::stream;
use hansang_core::db::Ask;
use hansang_core::{Error, ErrorKind};
use hansang_documents::{
    Block, DocumentsCode, MAX_BULK, NewSegment, Outcome, StepName, add_question, change_segment_text,
    complete, document_file_key, parse_index, segment, segments, texts_of_project, whole_segment,
    write_segments,
};

use crate::grounds::{Ground, on_each_store, page};

/// Segments of a stream, as a processor sends them.
fn pages(
    numbers: impl IntoIterator<Item = i64>,
) -> impl futures_util::Stream<Item = Result<NewSegment, Error>> {
    let all: Vec<_> = numbers.into_iter().map(|index| Ok(page(index, &format!("쪽 {index}")))).collect();
    stream::iter(all)
}

/// D11, D12, D13, Ds1, Ds18: segments are written in bulk in any order, again without harm, and are read in order.
async fn segments_are_written_in_bulk(ground: Ground) {
    let documents = &ground.documents;
    let project = ground.project("a").await.project_id;
    ground.document(&project, "a.pdf").await;
    ground.run_step(StepName::Prepare, 0).await;
    let lease = ground.claim(StepName::Parse).await.lease;
    let id = &lease.workflow_id;
    assert_eq!(write_segments(documents, &lease, pages((0..250).rev())).await.unwrap().segments, 250);
    // A call that was interrupted is repeated as a whole; a number that comes twice is written twice.
    assert_eq!(write_segments(documents, &lease, pages((0..260).chain([7, 7]))).await.unwrap().segments, 262);
    let missing = Outcome { total_segments: Some(261), ..Outcome::default() };
    let refused = complete(documents, &lease, missing).await.unwrap_err();
    assert_eq!((refused.kind, refused.code), (ErrorKind::Conflict, DocumentsCode::SegmentsMissing.into()));
    assert!(refused.message.to_string().contains("260 of 261"), "{refused}");
    // What an earlier attempt wrote too much goes.
    complete(documents, &lease, Outcome { total_segments: Some(255), ..Outcome::default() }).await.unwrap();
    let (mut numbers, mut cursor) = (Vec::new(), None);
    loop {
        let ask = Ask { limit: Some(60), cursor, ..Ask::default() };
        let page = segments(documents, id, None, ask).await.unwrap();
        numbers.extend(page.items.iter().map(|segment| segment.segment_index));
        match page.next {
            Some(next) => cursor = Some(next),
            None => break,
        }
    }
    assert_eq!(numbers, (0..255).collect::<Vec<_>>());
    let ask = Ask { limit: Some(3), descending: Some(true), ..Ask::default() };
    let last = segments(documents, id, None, ask).await.unwrap().items;
    assert_eq!(last.iter().map(|segment| segment.segment_index).collect::<Vec<_>>(), [254, 253, 252]);
    let from = segments(documents, id, Some(100), Ask { limit: Some(1), ..Ask::default() }).await.unwrap();
    assert_eq!(from.items[0].text.content.as_deref(), Some("쪽 100"));
    for index in ["10", "000010"] {
        let found = segment(documents, id, parse_index(index).unwrap()).await.unwrap();
        assert_eq!(found.text.content.as_deref(), Some("쪽 10"));
    }
    assert_eq!(segment(documents, id, 255).await.unwrap_err().code, DocumentsCode::SegmentUnknown);
    for wrong in ["-1", "1000000", "1.5", "", "+1", "0x1", "99999999999999999999", "１"] {
        let refused = parse_index(wrong).unwrap_err();
        assert_eq!(
            (refused.kind, refused.code),
            (ErrorKind::Invalid, DocumentsCode::SegmentOutOfRange.into())
        );
    }
    assert_eq!(segment(documents, id, 1_000_000).await.unwrap_err().code, DocumentsCode::SegmentOutOfRange);
}

/// A later step adds its texts to those of earlier ones; what it does not name stays.
async fn sources_are_added(ground: Ground) {
    let documents = &ground.documents;
    let project = ground.project("a").await.project_id;
    let document = ground.document(&project, "a.pdf").await;
    ground.run_until(StepName::Ocr, 2).await;
    let lease = ground.claim(StepName::Ocr).await.lease;
    let image = document_file_key(&project, &document.document_id, "page-000001.webp");
    let block =
        Block { text: "글".to_owned(), left: 100, top: 200, width: 5000, height: 300, ..Block::default() };
    let recognised = NewSegment {
        segment_index: 1,
        texts: BTreeMap::from([("ocr".to_owned(), "글".to_owned())]),
        blocks: Some(vec![Block { confidence: Some(87), source: Some("ocr".to_owned()), ..block }]),
        image_key: Some(image.clone()),
        image_width: Some(1200),
        keywords: Some(vec!["계약".to_owned()]),
        ..NewSegment::default()
    };
    write_segments(documents, &lease, stream::iter([Ok(recognised.clone())])).await.unwrap();
    let now = segment(documents, &lease.workflow_id, 1).await.unwrap();
    assert_eq!(now.text.content.as_deref(), Some("쪽 1"), "what is not named stays");
    assert_eq!(now.text.texts.keys().collect::<Vec<_>>(), ["ocr", "parsed"]);
    assert_eq!(Some(now.text.blocks), recognised.blocks);
    assert_eq!((now.image_key, now.image_width, &*now.keywords[0]), (Some(image), Some(1200), "계약"));
    // A file of something else cannot be named.
    for foreign in [
        "projects/other/documents/x/page.webp".to_owned(),
        document_file_key(&project, &document.document_id, "../x"),
        document_file_key(&project, &format!("{}x", document.document_id), "a"),
    ] {
        let wrong = NewSegment { image_key: Some(foreign), ..page(0, "a") };
        let refused = write_segments(documents, &lease, stream::iter([Ok(wrong)])).await.unwrap_err();
        assert_eq!(refused.code, DocumentsCode::FileKeyForeign);
    }
    let wrong = NewSegment { segment_index: 1_000_000, ..page(0, "a") };
    let refused = write_segments(documents, &lease, stream::iter([Ok(wrong)])).await.unwrap_err();
    assert_eq!(refused.code, DocumentsCode::SegmentOutOfRange);
}

/// Texts that are added to stored ones are written in transactions that count all of them: on DynamoDB a larger one is refused.
async fn long_texts_are_added_in_parts(ground: Ground) {
    let documents = &ground.documents;
    let project = ground.project("a").await.project_id;
    ground.document(&project, "a.pdf").await;
    ground.run_step(StepName::Prepare, 0).await;
    let lease = ground.claim(StepName::Parse).await.lease;
    let of = |index: i64, source: &str| NewSegment {
        segment_index: index,
        texts: BTreeMap::from([(source.to_owned(), "가".repeat(16_000))]),
        ..NewSegment::default()
    };
    // Each call has 2.9 MB; together with what is stored, the second one has 5.8 MB and the last one 8.6 MB.
    for source in ["parsed", "ocr", "other"] {
        let all = stream::iter((0..60).map(|index| Ok(of(index, source))));
        assert_eq!(write_segments(documents, &lease, all).await.unwrap().segments, 60, "{source}");
    }
    // A change that leaves the texts as they are counts them all the same.
    let titles = (0..60).map(|index| {
        Ok(NewSegment { segment_index: index, title: Some("제목".to_owned()), ..NewSegment::default() })
    });
    write_segments(documents, &lease, stream::iter(titles)).await.unwrap();
    for index in [0, 30, 59] {
        let found = segment(documents, &lease.workflow_id, index).await.unwrap();
        assert_eq!((found.text.texts.len(), found.title.as_deref()), (3, Some("제목")));
    }
}

/// A text over 300 KB is in a file; it is read, replaced and made small again.
async fn large_texts_are_in_files(ground: Ground) {
    let documents = &ground.documents;
    let project = ground.project("a").await.project_id;
    ground.document(&project, "a.pdf").await;
    ground.run_step(StepName::Prepare, 0).await;
    let lease = ground.claim(StepName::Parse).await.lease;
    let id = &lease.workflow_id;
    let large = "가".repeat(200_000);
    let files = || ground.files.keys().into_iter().filter(|key| key.contains("/text-")).count();
    // More than one transaction can hold.
    let all = (0..20).map(|index| Ok(page(index, &large)));
    write_segments(documents, &lease, stream::iter(all.collect::<Vec<_>>())).await.unwrap();
    assert_eq!(files(), 20);
    let listed = segments(documents, id, None, Ask::default()).await.unwrap().items;
    assert_eq!(listed.len(), 20);
    assert_eq!(listed[3].text.content.as_ref().map(|text| text.chars().count()), Some(2000));
    let whole = whole_segment(documents, listed[3].clone()).await.unwrap();
    assert_eq!(whole.text.content.as_ref(), Some(&large));
    assert_eq!(segment(documents, id, 3).await.unwrap().text.texts["parsed"], large);
    // A source is added to the whole text, not to its beginning.
    let more = NewSegment {
        segment_index: 3,
        texts: BTreeMap::from([("ocr".to_owned(), "x".to_owned())]),
        ..NewSegment::default()
    };
    write_segments(documents, &lease, stream::iter([Ok(more)])).await.unwrap();
    let now = segment(documents, id, 3).await.unwrap();
    assert_eq!((now.text.texts.len(), now.text.content.as_ref()), (2, Some(&large)));
    assert_eq!(files(), 20, "the replaced file is gone");
    let small = NewSegment {
        segment_index: 4,
        content: Some("작다".to_owned()),
        texts: BTreeMap::from([("parsed".to_owned(), "작다".to_owned())]),
        ..NewSegment::default()
    };
    write_segments(documents, &lease, stream::iter([Ok(small)])).await.unwrap();
    assert_eq!((files(), segment(documents, id, 4).await.unwrap().text_ref), (19, None));
    let lost = segment(documents, id, 5).await.unwrap().text_ref.unwrap();
    hansang_core::files::Files::delete(&*ground.files, &lost).await.unwrap();
    let damaged = segment(documents, id, 5).await.unwrap_err();
    assert_eq!((damaged.kind, damaged.code), (ErrorKind::Corrupt, DocumentsCode::TextDamaged.into()));
}

/// A call takes 10,000 segments and no more; those before an error are stored.
async fn a_call_has_a_limit(ground: Ground) {
    let documents = &ground.documents;
    let project = ground.project("a").await.project_id;
    ground.document(&project, "a.pdf").await;
    ground.run_step(StepName::Prepare, 0).await;
    let lease = ground.claim(StepName::Parse).await.lease;
    let broken = Error::invalid(
        DocumentsCode::SegmentUnknown,
        hansang_core::message!(hansang_documents::messages::BUSY),
    );
    let all = (0..150).map(|index| Ok(page(index, "a"))).chain([Err(broken.clone())]);
    assert_eq!(write_segments(documents, &lease, stream::iter(all)).await.unwrap_err(), broken);
    assert_eq!(segment(documents, &lease.workflow_id, 98).await.unwrap().segment_index, 98);
    assert_eq!(MAX_BULK, 10_000);
}

/// People correct the text of a page and ask about it; search is told of the new text.
async fn people_add_to_segments(ground: Ground) {
    let documents = &ground.documents;
    let project = ground.project("a").await.project_id;
    let document = ground.completed(&project, "a.pdf", 2).await;
    let id = &document.document_id;
    let workflow = document.workflow_id.clone().unwrap();
    let now = change_segment_text(documents, &project, id, 1, "고친 글").await.unwrap();
    assert_eq!(now.text.content.as_deref(), Some("고친 글"));
    assert_eq!(now.text.texts["parsed"], "쪽 1");
    assert_eq!(texts_of_project(documents, &project).await.unwrap()[0].text_revision, 2);
    let unknown = change_segment_text(documents, &project, id, 2, "x").await.unwrap_err();
    assert_eq!(unknown.code, DocumentsCode::SegmentUnknown);
    for number in 0..12 {
        let question = format!("질문 {number}");
        add_question(documents, "ann", &workflow, 1, &question, "답").await.unwrap();
    }
    let asked = segment(documents, &workflow, 1).await.unwrap().questions;
    assert_eq!((asked.len(), &*asked[9].question, &*asked[9].by), (10, "질문 11", "ann"));
    assert!(add_question(documents, "ann", &workflow, 1, "", "답").await.is_err());
    hansang_documents::reprocess(documents, "ann", &project, id, &Default::default()).await.unwrap();
    let busy = change_segment_text(documents, &project, id, 1, "x").await.unwrap_err();
    assert_eq!(busy.code, DocumentsCode::DocumentBusy);
}

on_each_store!(
    segments_are_written_in_bulk,
    sources_are_added,
    long_texts_are_added_in_parts,
    large_texts_are_in_files,
    a_call_has_a_limit,
    people_add_to_segments,
);

/// Ds22: 10,000 segments are written in one call and listed page by page; a page reads no more items than it shows.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_segments() {
    let ground = Ground::new(crate::grounds::On::Embedded).await;
    let documents = &ground.documents;
    let project = ground.project("a").await.project_id;
    ground.document(&project, "a.pdf").await;
    ground.run_step(StepName::Prepare, 0).await;
    let lease = ground.claim(StepName::Parse).await.lease;
    assert_eq!(write_segments(documents, &lease, pages(0..10_000)).await.unwrap().segments, 10_000);
    let refused = write_segments(documents, &lease, pages(0..10_001)).await.unwrap_err();
    assert_eq!(refused.code, DocumentsCode::TooManySegments);
    let all = Outcome { total_segments: Some(10_000), ..Outcome::default() };
    complete(documents, &lease, all).await.unwrap();
    let ask = Ask { limit: Some(50), ..Ask::default() };
    let deep = segments(documents, &lease.workflow_id, Some(9_950), ask).await.unwrap();
    assert_eq!((deep.items.len(), deep.next), (50, None));
}
