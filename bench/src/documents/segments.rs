//! Segments of one run, written in bulk under a lease and listed in pages, on the embedded store.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use futures_util::stream;
use hansang_core::cache::Cached;
use hansang_core::db::Ask;
use hansang_documents::{
    Claimed, Documents, NewFile, NewSegment, Outcome, ProjectText, Received, SegmentType, StepName,
    begin_upload, claim, complete, create_project, finish_upload, segments, write_segments,
};
use hansang_embedded::{Embedded, Options};
use jiff::Timestamp;

use super::{failed, open, timed};
use crate::goal;

const SEGMENTS: i64 = 10_000;
const PAGE: u32 = 100;
const TIMES: usize = 200;
/// The growth from the first to the last page that is within the noise.
const MAX_GROWTH: f64 = 1.25;

pub(super) async fn measure(directory: &Path) -> Result<(), String> {
    eprintln!("{SEGMENTS} segments…");
    let options = Options::new(Arc::new(Timestamp::now));
    let store = Embedded::open(directory.join("segments"), options).map_err(|error| error.to_string())?;
    let documents = open(Arc::new(store), Cached::none(), &directory.join("files")).await?;
    let claimed = parse(&documents).await?;
    let start = Instant::now();
    let all = stream::iter((0..SEGMENTS).map(|index| Ok(segment(index))));
    let written = write_segments(&documents, &claimed.lease, all).await.map_err(failed)?;
    let seconds = start.elapsed().as_secs_f64();
    if written.segments as i64 != SEGMENTS {
        return Err(format!("{} segments were written", written.segments));
    }
    let workflow = &claimed.lease.workflow_id;
    println!("| {SEGMENTS} segments of a kilobyte | |\n|---|---|");
    println!("| written under a lease, s | {seconds:.2} |");
    let mut medians = Vec::new();
    for (name, from) in [("first", 0), ("middle", SEGMENTS / 2), ("last", SEGMENTS - i64::from(PAGE))] {
        let page = async |_| {
            let ask = Ask { limit: Some(PAGE), ..Ask::default() };
            let page = segments(&documents, workflow, Some(from), ask).await.map_err(failed)?;
            if page.items.len() == PAGE as usize { Ok(()) } else { Err("a page is not full".to_owned()) }
        };
        timed(TIMES / 10, page).await?;
        let (p50, _) = timed(TIMES, page).await?;
        medians.push(p50);
        println!("| the {name} page of {PAGE}, p50, ms | {p50:.2} |");
    }
    println!();
    goal("10,000 segments are written in under 2 s", seconds < 2.0);
    goal("the last page costs what the first one does", medians[2] / medians[0] <= MAX_GROWTH);
    println!();
    Ok(())
}

fn segment(index: i64) -> NewSegment {
    let text = "페이지의 본문입니다. The text of a page, with some words in it.\n".repeat(14);
    NewSegment {
        segment_index: index,
        segment_type: Some(SegmentType::Page),
        texts: BTreeMap::from([("parsed".to_owned(), text)]),
        ..NewSegment::default()
    }
}

/// A document whose step `parse` was claimed.
async fn parse(documents: &Documents) -> Result<Claimed, String> {
    let text = ProjectText { name: "Bench".to_owned(), ..ProjectText::default() };
    let project = create_project(documents, "bench", &text).await.map_err(failed)?;
    let file_type = "application/pdf".to_owned();
    let file = NewFile {
        name: "bench.pdf".to_owned(),
        file_type: file_type.clone(),
        file_size: 100,
        source_url: None,
    };
    let upload = begin_upload(documents, "bench", &project.project_id, &file).await.map_err(failed)?;
    let received = Received { sha256: "0".repeat(64), file_size: 100, file_type, s3_key: None };
    let id = &upload.document.document_id;
    finish_upload(documents, "bench", &project.project_id, id, 1, &received).await.map_err(failed)?;
    let taken = async |name| {
        let claimed = claim(documents, name, "bench").await.map_err(failed)?;
        claimed.ok_or_else(|| format!("no step {name:?} to claim"))
    };
    let prepare = taken(StepName::Prepare).await?;
    complete(documents, &prepare.lease, Outcome::default()).await.map_err(failed)?;
    taken(StepName::Parse).await
}
